// Numbers as people read them. Knows no language.

/** A count in three or four characters: 999, 1.2k, 12.3k, 3.4M, 5.6G. */
export function count(number) {
  if (number < 999.5) return number.toFixed(0);
  for (const unit of "kMG") {
    number /= 1000;
    if (number < 999.95) return number.toFixed(1) + unit;
  }
  return `${(number / 1000).toFixed(1)}T`;
}

/** A time: 12 ms, 3.97 s, 2:05. */
export function duration(milliseconds) {
  if (milliseconds < 999.5) return `${milliseconds.toFixed(0)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 99.995) return `${seconds.toFixed(2)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

/** A number with its sign; a true minus, as wide as the plus. */
export function signed(number, digits = 0) {
  const text = Math.abs(number).toFixed(digits);
  if (Number(text) === 0) return text;
  return (number < 0 ? "−" : "+") + text;
}

/** The score of a search: discs where it counts them, a final difference where it is solved. */
export function score(record) {
  if (record.exact && record.value !== null) return signed(record.value);
  return record.value === null ? signed(record.score) : signed(record.value, 2);
}

/** A value on a square, short: +2.4, +12, and whole discs where it is exact. */
export function brief(value, exact) {
  return signed(value, exact || Math.abs(value) >= 9.95 ? 0 : 1);
}

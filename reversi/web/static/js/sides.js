// Who plays a colour, in words, and as far as the server allows it.

import { t } from "./i18n.js";

/** An engine as it plays unless it is told otherwise. */
export function usualEngine(server) {
  return { kind: "time_ms", amount: server.time_ms_usual, evaluator: "pattern", threads: 1 };
}

/** The sides as this server allows them: engines with no more time and threads than it gives. */
export function within(sides, server) {
  const allowed = (side) => {
    if (!side.kind) return side;
    const most = side.kind === "level" ? server.levels.length - 1 : server.time_ms_max;
    return {
      ...side,
      amount: Math.min(side.amount, most),
      threads: Math.min(side.threads, server.threads_max),
    };
  };
  return { black: allowed(sides.black), white: allowed(sides.white) };
}

/** How an engine's strength reads: "4 s" or "level 12". */
export function strengthWords({ kind, amount }) {
  return kind === "level" ? t("level_number", { level: amount }) : `${amount / 1000} s`;
}

// Talking with the server: requests, streams of events, errors. Knows no game.

/** An answer that is an error; `kind` and `where` are the server's, status 0 is no answer at all;
 * `more` is what else the answer says. */
export class ApiError extends Error {
  constructor(status, { message, where = null, kind = "" }, more = {}) {
    super(message);
    Object.assign(this, { status, where, kind, more });
  }
}

/** The JSON that answers `body`; a full server is asked again until it is free. */
export async function post(path, body, signal) {
  return (await whenFree(path, body, signal, () => {})).json();
}

/** The events that answer `body`, as [name, data]; a full server is asked again until it is free. */
export async function* stream(path, body, { signal, onBusy = () => {} } = {}) {
  const response = await whenFree(path, body, signal, onBusy);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read().catch(unreachable);
    if (done) return;
    const blocks = (waiting + value).split(/\r?\n\r?\n/);
    waiting = blocks.pop();
    for (const block of blocks) {
      const event = eventOf(block);
      if (event === null) continue;
      if (event[0] === "error") throw new ApiError(500, event[1].error);
      yield event;
    }
  }
}

async function whenFree(path, body, signal, onBusy) {
  for (;;) {
    try {
      return await answered(fetch(path, requestOf(body, signal)));
    } catch (error) {
      if (error.status !== 429) throw error;
      onBusy();
      await pause(1000 * error.more.retryAfter, signal);
    }
  }
}

/** Waits; throws when `signal` is aborted. */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("aborted", "AbortError"));
    });
  });
}

function requestOf(body, signal) {
  const headers = { "Content-Type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body), signal };
}

async function answered(fetching) {
  const response = await fetching.catch(unreachable);
  if (response.ok) return response;
  const retryAfter = Number(response.headers.get("Retry-After")) || 1;
  const { error, ...more } = await response.json().catch(() => ({}));
  const unknown = { message: `${response.status} ${response.statusText}` };
  throw new ApiError(response.status, error ?? unknown, { ...more, retryAfter });
}

function unreachable(error) {
  if (error.name === "AbortError") throw error;
  throw new ApiError(0, { message: error.message, kind: "unreachable" });
}

function eventOf(block) {
  let name = "message";
  const data = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).trim());
  }
  return data.length ? [name, JSON.parse(data.join("\n"))] : null;
}

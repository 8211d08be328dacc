// Values of the legal moves, as they deepen, and solving. Keeps them with the position's node.

import { stream } from "./api.js";

const LIMIT = { time_ms: 3000 };
const SOLVE_LIMIT = { time_ms: 60_000 };

export class Hints {
  /** `onChange()` is called when there is something new to show, `onError(error)` for errors. */
  constructor(onChange, onError) {
    this.onChange = onChange;
    this.onError = onError;
    this.wanted = false;
    this.node = null;
    this.control = null;
    this.solving = false;
  }

  /** The values to show at a node, null where none are wanted or known. */
  at(node) {
    return this.wanted || node.hints?.solved ? node.hints : null;
  }

  /** Looks at the match's place where hints are wanted, and leaves any other. */
  follow(match) {
    const node = match.here;
    const open = node.position && !node.position.over && !match.thought && !match.mustPass(node);
    if (this.node === node && open && (this.wanted || this.solving)) return;
    this.leave();
    if (this.wanted && open && !node.hints?.done) this.look(match, node, "/api/hints/stream", { limit: LIMIT });
  }

  /** Proves the value of each move at the match's place; asked again, it leaves off. */
  solve(match) {
    const was = this.solving;
    this.leave();
    if (was) this.onChange();
    else this.look(match, match.here, "/api/solve/stream", { every_move: true, limit: SOLVE_LIMIT });
  }

  toggle(match) {
    this.wanted = !this.wanted;
    this.follow(match);
    this.onChange();
  }

  leave() {
    this.control?.abort();
    this.control = this.node = null;
    this.solving = false;
  }

  async look(match, node, path, wishes) {
    const control = (this.control = new AbortController());
    this.node = node;
    this.solving = path.includes("solve");
    this.onChange();
    try {
      const body = { ...match.game.body(node), ...wishes };
      for await (const [name, data] of stream(path, body, { signal: control.signal })) {
        const found = path.includes("solve") ? solved(data) : data;
        if (found) node.hints = hintsOf(node, found, name === "result");
        this.onChange();
      }
    } catch (error) {
      if (error.name !== "AbortError") this.onError(error);
    }
    if (this.control !== control) return;
    this.solving = false;
    this.onChange();
  }
}

function hintsOf(node, { values, exact, depth = null, proof = null }, done) {
  const all = Object.values(values);
  const top = Math.max(...all);
  return {
    values,
    exact,
    depth,
    top,
    done,
    solved: proof !== null,
    pv: proof?.pv ?? null,
    side: node.position.turn,
    best: new Set(Object.keys(values).filter((move) => values[move] === top)),
    allExact: all.length > 0 && Object.values(exact).every(Boolean),
  };
}

/** A solve as hints: all that it proved is exact. */
function solved(proof) {
  if (!proof.exact) return null;
  const found = Object.keys(proof.values).length ? proof.values : { [proof.best_move]: proof.value };
  const exact = Object.fromEntries(Object.keys(found).map((move) => [move, true]));
  return { values: found, exact, proof };
}

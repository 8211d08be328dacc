// Values of the legal moves, as they deepen, and solving. Keeps them with the position's node.

import { post, stream } from "./api.js";
import { t } from "./i18n.js";

// Without a limit of their own they take what the server gives.
const HINTS = { multipv: 64 };
const SOLVE = { every_move: true };

export class Hints {
  /** `onChange()` is called when there is something new to show, `onError(error)` for errors. */
  constructor(onChange, onError) {
    this.onChange = onChange;
    this.onError = onError;
    this.wanted = false;
    this.solving = false;
    this.node = null; // where it is looking
    this.control = null;
  }

  /** The values to show at a node, null where none are wanted or known. */
  at(node) {
    return this.wanted || node.hints?.proof ? node.hints : null;
  }

  /** Looks at the match's place where hints are wanted, and leaves any other. */
  follow(match) {
    const node = match.here;
    const open = node.position && !node.position.over && !match.thought && !match.mustPass(node);
    if (open && this.node === node) return;
    this.leave();
    if (this.wanted && open && !node.hints?.done) this.run(match, this.look);
  }

  toggle(match) {
    this.wanted = !this.wanted;
    if (!this.solving) this.leave();
    this.follow(match);
    this.onChange();
  }

  /** Proves the value of each move at the match's place; asked again, it leaves off. */
  solve(match) {
    const was = this.solving;
    this.leave();
    if (was) this.onChange();
    else this.run(match, this.prove);
  }

  leave() {
    this.control?.abort();
    this.control = this.node = null;
    this.solving = false;
  }

  async run(match, work) {
    const control = (this.control = new AbortController());
    this.node = match.here;
    this.solving = work === this.prove;
    this.onChange();
    try {
      await work.call(this, match.game, match.here, control.signal);
    } catch (error) {
      if (error.name !== "AbortError") this.onError(error);
    }
    if (this.control !== control) return;
    this.leave();
    this.onChange();
  }

  async look(game, node, signal) {
    for await (const [name, found] of stream(
      "/api/search/stream",
      { ...game.body(node), ...HINTS },
      { signal },
    )) {
      const values = Object.fromEntries(found.lines.map((line) => [line.move, line.value]));
      if (found.lines.length)
        node.hints = hintsOf(node, values, found.exact, {
          depth: found.depth,
          done: name === "result",
        });
      this.onChange();
    }
  }

  async prove(game, node, signal) {
    const proof = await post("/api/solve", { ...game.body(node), ...SOLVE }, signal);
    if (Object.keys(proof.values).length === 0) throw new Error(t("unsolved"));
    node.hints = hintsOf(node, proof.values, true, { proof, done: true });
  }
}

function hintsOf(node, values, exact, more) {
  const top = Math.max(...Object.values(values));
  const best = new Set(Object.keys(values).filter((move) => values[move] === top));
  return { values, exact, top, best, side: node.position.turn, ...more };
}

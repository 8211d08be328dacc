// Who moves when: persons, engines, passes, stopping and going on. Draws nothing.

import { ApiError, pause, stream } from "./api.js";
import { Game, person } from "./game.js";

const PACE_MS = 420; // the discs of the last move have turned
const PASS_MS = 900; // a pass can be read

export class Match {
  /** `onChange(what)` is called with "game", "move", "position", "thinking", "pass" or "problem". */
  constructor(sides, onChange) {
    this.sides = sides;
    this.onChange = onChange;
    this.game = new Game();
    this.paused = false;
    this.thought = null; // {node, info, started, control} while an engine thinks
    this.problem = null;
    this.shown = performance.now();
    this.turn = 0;
  }

  get here() {
    return this.game.cursor;
  }

  /** Whether the side to move is a person's, who may click. */
  get personToMove() {
    const position = this.here.position;
    return Boolean(position) && !position.over && !this.thought && !this.mustPass(this.here);
  }

  mustPass(node) {
    return node.position?.legal[0] === "pass" || node.next?.move === "pass";
  }

  isEngine(side) {
    return this.sides[side].who === "engine";
  }

  /** Takes up another game. */
  async load(game, paused = false) {
    this.leave();
    this.game = game;
    this.paused = paused;
    this.onChange("game");
    await this.settle();
  }

  /** Plays a person's move at the place. */
  async play(move) {
    const node = this.here;
    // A click right after a step comes before the position is known.
    if (!node.position) await this.game.position().catch(() => null);
    if (node !== this.here || !this.personToMove || !node.position.flips[move]) return;
    this.paused = false;
    await this.made(move, person((performance.now() - this.shown) / 1000));
  }

  /** Goes to a node; an engine there waits until it is told to go on. */
  async goTo(node) {
    if (node === this.here) return;
    this.leave();
    this.game.goTo(node);
    this.paused = true;
    this.onChange("game");
    await this.settle();
  }

  /** One step back (-1) or on (1): a running game by the persons' turns, a finished one by moves. */
  async step(direction) {
    const onward = (node) => (direction < 0 ? node.parent : node.next);
    const byTurns =
      !this.game.end().position?.over && this.isEngine("black") !== this.isEngine("white");
    let node = onward(this.here);
    if (!node) return;
    while (onward(node) && this.isSkipped(node, byTurns)) node = onward(node);
    await this.goTo(node);
  }

  isSkipped(node, byTurns) {
    const side = node.next?.side ?? node.position?.turn;
    return this.mustPass(node) || (byTurns && side !== undefined && this.isEngine(side));
  }

  /** Lets the side to move go on: the engine, or the pass. */
  async resume() {
    this.paused = false;
    this.onChange("game");
    await this.settle();
  }

  /** Ends the thinking; the move is then anybody's. */
  stop() {
    this.leave();
    this.paused = true;
    this.onChange("game");
  }

  /** Ends the thinking and plays what it holds to be best. */
  async moveNow() {
    const info = this.thought?.info;
    if (!info) return;
    this.leave();
    await this.made(info.move, recordOf(info));
  }

  leave() {
    this.turn += 1;
    this.problem = null;
    this.thought?.control.abort();
    this.thought = null;
  }

  async made(move, record) {
    this.leave();
    this.game.play(move, record);
    this.shown = performance.now();
    this.onChange("move");
    await this.settle();
  }

  /** Asks for the position, and lets an engine or a pass go on from it. */
  async settle() {
    const turn = this.turn;
    try {
      const position = await this.game.position();
      if (turn !== this.turn) return;
      const alone = this.mustPass(this.here)
        ? this.pass
        : this.isEngine(position.turn)
          ? this.think
          : null;
      if (position.over || !alone) this.paused = false;
      this.onChange("position");
      if (alone && !this.paused && !position.over)
        alone.call(this, turn).catch((error) => this.fail(error, turn));
    } catch (error) {
      this.fail(error, turn);
    }
  }

  async pass(turn) {
    this.onChange("pass");
    await pause(PASS_MS);
    if (turn !== this.turn) return;
    const source = this.isEngine(this.here.position.turn) ? "engine" : "person";
    await this.made("pass", { ...person(null), source });
  }

  async think(turn) {
    const side = this.sides[this.here.position.turn];
    const control = new AbortController();
    const thought = {
      node: this.here,
      info: null,
      started: performance.now(),
      control,
      busy: false,
    };
    this.thought = thought;
    this.onChange("thinking");
    const onBusy = () => {
      thought.busy = true;
      this.onChange("thinking");
    };
    const body = { ...this.game.body(), ...engineBody(side) };
    let result = null;
    const asked = { signal: control.signal, onBusy };
    for await (const [name, data] of stream("/api/search/stream", body, asked)) {
      if (turn !== this.turn) return;
      thought.busy = false;
      thought.info = data;
      if (name === "result") result = data;
      this.onChange("thinking");
    }
    if (turn !== this.turn) return;
    if (!result) throw new ApiError(0, { message: "", kind: "unreachable" });
    await pause(PACE_MS - (performance.now() - thought.started), control.signal);
    this.thought = null;
    await this.made(result.move, recordOf(result));
  }

  fail(error, turn) {
    if (error.name === "AbortError" || turn !== this.turn) return;
    if (!(error instanceof ApiError)) throw error;
    this.leave();
    this.paused = true;
    this.problem = error;
    this.onChange("problem");
  }
}

/** What a request says of how an engine is to search. */
function engineBody({ kind, amount, evaluator, threads }) {
  return { limit: { [kind]: amount }, evaluator, threads };
}

/** The row of an engine's move. */
function recordOf({ depth, nodes, nps, elapsed_ms, score, value, exact, certainty, pv }) {
  return { source: "engine", depth, nodes, nps, elapsed_ms, score, value, exact, certainty, pv };
}

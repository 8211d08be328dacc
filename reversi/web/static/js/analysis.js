// The analysis of a game, move by move from its end, as the server gives it.

import { stream } from "./api.js";
import { byId } from "./dom.js";
import { t } from "./i18n.js";

export class Analysis {
  /** `onChange()` is called as moves get their values, `onError(error)` for errors. */
  constructor(onChange, onError) {
    this.onChange = onChange;
    this.onError = onError;
    this.control = null;
    this.game = null; // which one is analysed
    this.progress = null;
  }

  /** Begins with the branch at the place, or leaves off. */
  toggle(game) {
    if (this.control) this.leave();
    else this.run(game);
  }

  async run(game) {
    const control = (this.control = new AbortController());
    this.game = game;
    const line = game.line();
    this.progress = { done: 0, total: line.length };
    this.onChange();
    try {
      const events = stream("/api/analyse/stream", game.body(game.end()), {
        signal: control.signal,
      });
      for await (const [name, data] of events) {
        if (name !== "info") continue;
        this.progress = data;
        line[data.move.number - 1].review = reviewOf(data.move);
        this.onChange();
      }
    } catch (error) {
      if (error.name !== "AbortError") this.onError(error);
    }
    if (this.control === control) this.leave();
  }

  leave() {
    this.control?.abort();
    this.control = this.progress = null;
    this.onChange();
  }

  /** Shows how far it is, and what its button does; leaves off where another game is on. */
  show(game) {
    if (this.control && this.game !== game) this.leave();
    const { progress } = this;
    byId("analyse").textContent = t(progress ? "stop" : "analyse");
    byId("analyse").disabled = !progress && game.line().length === 0;
    byId("analysis-progress").textContent = progress ? `${progress.done} / ${progress.total}` : "";
  }
}

function reviewOf({ value, best_value: best, certainty, best_certainty: sure, loss, mark, line }) {
  return {
    value,
    best,
    exact: certainty.kind === "exact" && sure.kind === "exact",
    loss,
    mark,
    line,
  };
}

// The analysis of the whole game, move by move, as the server gives it.

import { stream } from "./api.js";
import { byId } from "./dom.js";
import { t } from "./i18n.js";

const WISHES = { limit: { level: 14 } };

export class Analysis {
  /** `onChange()` is called as moves get their values, `onError(error)` for errors. */
  constructor(onChange, onError) {
    this.onChange = onChange;
    this.onError = onError;
    this.control = null;
    this.progress = null;
  }

  /** Begins with the branch at the place, or leaves off. */
  async toggle(game) {
    if (this.control) {
      this.leave();
      return;
    }
    const control = (this.control = new AbortController());
    this.progress = { done: 0, total: game.line().length };
    this.onChange();
    try {
      const line = game.line();
      const body = { ...game.body(game.end()), ...WISHES };
      for await (const [, data] of stream("/api/analyse/stream", body, { signal: control.signal })) {
        if (data.total) this.progress = data;
        take(line, data.moves ?? []);
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

  /** Shows how far it is, and what its button does. */
  show(game) {
    const { progress } = this;
    byId("analyse").textContent = t(progress ? "stop" : "analyse");
    byId("analyse").disabled = !progress && game.line().length === 0;
    byId("analysis-progress").textContent = progress ? `${progress.done} / ${progress.total}` : "";
  }
}

function take(line, moves) {
  for (const { number, value, best_value: best, loss, exact } of moves) {
    if (line[number - 1]) line[number - 1].review = { value, best, loss, exact };
  }
}

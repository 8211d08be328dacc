// The board editor: discs placed by hand, the side to move, checks. The rules are the server's.

import { post } from "./api.js";
import { choice } from "./dialogs.js";
import { byId, discIcon, el } from "./dom.js";
import { START, cellsOf, indexOf } from "./game.js";
import { t } from "./i18n.js";
import { errorWords } from "./messages.js";

const SYMBOLS = { black: "X", white: "O", empty: "-" };

export class Editor {
  /** `onChange()` is called when the board is to be shown again, `onDone(obf)` for playing on
   * from the board, `onDone(null)` for leaving it. */
  constructor(onChange, onDone) {
    this.onChange = onChange;
    this.onDone = onDone;
    this.open = false;
    this.brush = "black";
  }

  /** Begins with a board and a side to move. */
  begin(cells, turn) {
    Object.assign(this, { open: true, cells: [...cells], turn });
    this.rebuild();
  }

  end() {
    this.open = false;
    byId("editor").hidden = true;
  }

  /** Shows everything again, in another language perhaps. */
  rebuild() {
    this.build();
    this.changed();
  }

  /** Puts the brush's disc on a square, or takes it away again. */
  paint(square) {
    const index = indexOf(square);
    this.cells[index] = this.cells[index] === this.brush ? "empty" : this.brush;
    this.changed();
  }

  build() {
    const brushes = ["black", "white", "empty"].map((color) => [
      color,
      discIcon(color === "empty" ? "none" : color),
      t(color === "empty" ? "brush_empty" : color),
    ]);
    const turns = ["black", "white"].map((color) => [color, discIcon(color), t(color)]);
    this.text = el("input", {
      type: "text",
      id: "editor-obf",
      spellcheck: "false",
      autocomplete: "off",
    });
    this.text.addEventListener("change", () => this.read(this.text.value));
    this.problem = el("p", { class: "problem", role: "alert" });
    this.done = el(
      "button",
      { class: "primary", id: "editor-done", onclick: () => this.finish() },
      t("play_from_here"),
    );
    this.turns = el("div", { class: "field" });
    byId("editor").replaceChildren(
      el(
        "div",
        { class: "editor-row" },
        field(
          "brush",
          choice("brush", brushes, this.brush, t("brush"), (color) => (this.brush = color)),
        ),
        this.turns,
      ),
      el(
        "div",
        { class: "editor-row" },
        el(
          "label",
          { class: "field" },
          el("span", { class: "name" }, t("board_as_obf")),
          this.text,
        ),
      ),
      this.problem,
      el(
        "div",
        { class: "editor-row" },
        el("button", { id: "editor-start", onclick: () => this.take(START) }, t("start_position")),
        el(
          "button",
          { id: "editor-clear", onclick: () => this.take("-".repeat(64) + " X") },
          t("clear"),
        ),
        el(
          "div",
          { class: "editor-row push" },
          el("button", { id: "editor-cancel", onclick: () => this.onDone(null) }, t("cancel")),
          this.done,
        ),
      ),
    );
    this.showTurns = () => {
      const change = (color) => {
        this.turn = color;
        this.changed();
      };
      this.turns.replaceChildren(
        el("span", { class: "name" }, t("side_to_move")),
        choice("turn", turns, this.turn, t("side_to_move"), change),
      );
    };
    this.showTurns();
    byId("editor").hidden = false;
  }

  obf() {
    return `${this.cells.map((cell) => SYMBOLS[cell]).join("")} ${SYMBOLS[this.turn]}`;
  }

  take(obf) {
    this.cells = cellsOf(obf);
    this.turn = obf.endsWith("O") ? "white" : "black";
    this.showTurns();
    this.changed();
  }

  /** Takes a board that was typed, if the server can read it. */
  async read(text) {
    try {
      this.take((await post("/api/position", { position: { start: text } })).obf);
    } catch (error) {
      this.say(errorWords(error));
    }
  }

  async changed() {
    this.text.value = this.obf();
    this.onChange();
    await this.check(this.obf());
  }

  /** Says what is wrong with the board, and whether it can be played from. */
  async check(obf) {
    try {
      const position = await post("/api/position", { position: { start: obf } });
      if (obf !== this.obf()) return;
      if (position.over) this.say(t("editor_over"));
      else
        this.say(
          "",
          position.legal[0] === "pass" ? t("editor_pass", { side: t(position.turn) }) : "",
        );
    } catch (error) {
      this.say(errorWords(error));
    }
  }

  say(problem, note = "") {
    this.problem.textContent = problem || note;
    this.problem.classList.toggle("muted", !problem);
    this.done.disabled = problem !== "";
  }

  finish() {
    if (!this.done.disabled) this.onDone(this.obf());
  }
}

function field(name, content) {
  return el("div", { class: "field" }, el("span", { class: "name" }, t(name)), content);
}

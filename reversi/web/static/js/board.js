// The board as a picture and as a grid for the keyboard. Knows squares and discs, no rule.

import { svg } from "./dom.js";
import { brief } from "./format.js";
import { indexOf, nameOf } from "./game.js";
import { t } from "./i18n.js";

const EDGE = 30;
const CELL = 100;
const SIZE = 8 * CELL + 2 * EDGE;
const STAGGER_MS = 38;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class BoardView {
  /** `onPick(square)` is called for a square that is clicked, touched or entered. */
  constructor(frame, onPick) {
    this.onPick = onPick;
    this.cells = [];
    this.shown = Array(64).fill("empty");
    this.focused = indexOf("d3");
    this.root = svg(
      "svg",
      { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "grid", class: "board" },
      ...drawing(),
    );
    for (let row = 0; row < 8; row++) {
      const line = svg("g", { role: "row" });
      for (let column = 0; column < 8; column++) line.append(this.makeCell(8 * row + column));
      this.root.append(line);
    }
    this.root.addEventListener("click", (event) => this.pick(event.target.closest(".cell")));
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.root.addEventListener("focusin", (event) => this.rove(event.target.closest(".cell")));
    this.root.addEventListener("animationend", (event) => {
      event.target
        .closest(".cell")
        .classList.remove(event.animationName === "place" ? "placed" : "turning");
    });
    frame.replaceChildren(this.root);
  }

  /**
   * Shows cells (64 of "black", "white", "empty"), the side to move, its legal squares, the last
   * move and, if given, `hints`: {values, exact, top, best}. `animate` turns the discs that change.
   */
  show({
    cells,
    turn,
    legal = [],
    last = null,
    hints = null,
    playable = false,
    editing = false,
    animate = false,
  }) {
    const from = last && last !== "pass" ? indexOf(last) : null;
    const open = new Set(legal);
    this.root.setAttribute("aria-label", t("board"));
    this.root.classList.toggle("can-play", playable);
    this.root.classList.toggle("editing", editing);
    this.root.classList.toggle("turn-black", turn === "black");
    this.root.classList.toggle("turn-white", turn === "white");
    this.cells.forEach((cell, index) => {
      const name = nameOf(index);
      this.showDisc(index, cells[index], animate, from);
      cell.classList.toggle("legal", open.has(name));
      cell.classList.toggle("last", index === from);
      this.showHint(cell, hints, name);
      this.label(cell, this.words(name, cells[index], open.has(name) && playable, hints));
    });
  }

  showDisc(index, color, animate, from) {
    const { classList, style } = this.cells[index];
    const before = this.shown[index];
    if (before === color) return;
    this.shown[index] = color;
    classList.remove("black", "white", "empty", "turning", "placed");
    classList.add(color);
    if (!animate || color === "empty") return;
    if (before === "empty") {
      classList.add("placed");
      return;
    }
    const steps = from === null ? 1 : distance(index, from);
    style.setProperty("--delay", `${(steps - 1) * STAGGER_MS}ms`);
    classList.add("turning");
  }

  showHint(cell, hints, name) {
    const value = hints?.values[name];
    cell.classList.toggle("hinted", value !== undefined);
    cell.classList.toggle("best", value !== undefined && hints.best.has(name));
    if (value === undefined) return;
    const worth = Math.min(4, Math.max(0, Math.round((hints.top - value) / 2)));
    cell.hint.setAttribute("class", `hint worth-${worth}`);
    cell.hint.lastChild.textContent = brief(value, hints.exact);
  }

  label(cell, words) {
    if (cell.words === words) return;
    cell.words = words;
    cell.setAttribute("aria-label", words);
  }

  words(name, color, legal, hints) {
    const said = [name, t(color)];
    if (legal) said.push(t("legal"));
    const value = hints?.values[name];
    if (value !== undefined) said.push(brief(value, hints.exact));
    if (value !== undefined && hints.best.has(name)) said.push(t("best"));
    return said.join(", ");
  }

  pick(cell) {
    if (!cell) return;
    this.rove(cell);
    this.onPick(cell.dataset.square);
  }

  key(event) {
    const cell = event.target.closest(".cell");
    if (!cell || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") this.pick(cell);
    else if (event.key in ARROWS) this.move(...ARROWS[event.key]);
    else if (event.key === "Home")
      this.focus(event.ctrlKey ? 0 : this.focused - (this.focused % 8));
    else if (event.key === "End")
      this.focus(event.ctrlKey ? 63 : this.focused - (this.focused % 8) + 7);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  move(right, down) {
    const column = Math.min(7, Math.max(0, (this.focused % 8) + right));
    const row = Math.min(7, Math.max(0, Math.floor(this.focused / 8) + down));
    this.focus(8 * row + column);
  }

  focus(index = this.focused) {
    this.rove(this.cells[index]);
    this.cells[index].focus();
  }

  rove(cell) {
    if (!cell) return;
    this.cells[this.focused].setAttribute("tabindex", "-1");
    this.focused = indexOf(cell.dataset.square);
    cell.setAttribute("tabindex", "0");
  }

  makeCell(index) {
    const x = EDGE + CELL * (index % 8);
    const y = EDGE + CELL * Math.floor(index / 8);
    const hint = svg(
      "g",
      { class: "hint" },
      svg("rect", { class: "hint-back", x: 8, y: 29, width: 84, height: 42, rx: 21 }),
      svg("text", { class: "hint-text", x: 50, y: 51 }),
    );
    const cell = svg(
      "g",
      {
        role: "gridcell",
        class: "cell empty",
        tabindex: index === this.focused ? "0" : "-1",
        transform: `translate(${x} ${y})`,
        "data-square": nameOf(index),
      },
      svg("rect", { class: "square", width: CELL, height: CELL }),
      svg("rect", { class: "ring", x: 4, y: 4, width: CELL - 8, height: CELL - 8, rx: 8 }),
      svg("circle", { class: "dot", cx: 50, cy: 50, r: 10 }),
      svg("circle", { class: "ghost", cx: 50, cy: 50, r: 41 }),
      svg(
        "g",
        { class: "disc" },
        svg("circle", { class: "disc-shadow", cx: 50, cy: 53.5, r: 41 }),
        svg("circle", { class: "face-black", cx: 50, cy: 50, r: 41, fill: "url(#black-disc)" }),
        svg("circle", { class: "face-white", cx: 50, cy: 50, r: 41, fill: "url(#white-disc)" }),
      ),
      svg("circle", { class: "last-mark", cx: 50, cy: 50, r: 8 }),
      hint,
    );
    cell.hint = hint;
    this.cells[index] = cell;
    return cell;
  }
}

function distance(one, other) {
  const across = Math.abs((one % 8) - (other % 8));
  return Math.max(across, Math.abs(Math.floor(one / 8) - Math.floor(other / 8)));
}

function* drawing() {
  yield svg(
    "defs",
    {},
    gradient("black-disc", "#424a46", "#121615"),
    gradient("white-disc", "#ffffff", "#e3e0d6"),
  );
  yield svg("rect", { class: "frame", width: SIZE, height: SIZE, rx: 20 });
  yield svg("rect", { class: "felt", x: EDGE, y: EDGE, width: 8 * CELL, height: 8 * CELL, rx: 3 });
  for (let i = 1; i < 8; i++) {
    const at = EDGE + CELL * i;
    yield svg("path", {
      class: "grid-line",
      d: `M${at} ${EDGE}v${8 * CELL}M${EDGE} ${at}h${8 * CELL}`,
    });
  }
  for (const [x, y] of [
    [2, 2],
    [2, 6],
    [6, 2],
    [6, 6],
  ]) {
    yield svg("circle", { class: "grid-point", cx: EDGE + CELL * x, cy: EDGE + CELL * y, r: 7 });
  }
  for (let i = 0; i < 8; i++) {
    const at = EDGE + CELL * (i + 0.5);
    yield label(at, EDGE / 2 + 1, "abcdefgh"[i]);
    yield label(EDGE / 2, at, i + 1);
  }
}

function gradient(id, light, dark) {
  return svg(
    "radialGradient",
    { id, cx: "36%", cy: "30%", r: "80%" },
    svg("stop", { offset: "0", "stop-color": light }),
    svg("stop", { offset: "1", "stop-color": dark }),
  );
}

function label(x, y, text) {
  return svg("text", { class: "coordinate", x, y, "aria-hidden": "true" }, String(text));
}

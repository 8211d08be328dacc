// The graph of a game's value, in black's view: black ahead above the line, white below.

import { svg } from "./dom.js";
import { signed } from "./format.js";
import { t } from "./i18n.js";

const LEFT = 34;
const RIGHT = 10;
const HEIGHT = 132;
const TOP = 8;
const BOTTOM = 8;

export class Graph {
  /** `onPick(node)` is called for the move that is clicked. */
  constructor(frame, onPick) {
    this.frame = frame;
    this.points = [];
    this.onPick = onPick;
    frame.addEventListener("click", (event) => this.pick(event));
    this.width = 0;
    new ResizeObserver(([{ contentRect }]) => {
      this.width = contentRect.width;
      this.draw();
    }).observe(frame);
  }

  show(points, cursor) {
    this.points = points;
    this.cursor = cursor;
    this.draw();
  }

  draw() {
    const { width } = this;
    if (!width || !this.points.length) return; // asking for the width would lay the page out
    const known = this.points.filter((point) => point.value !== null);
    const most = Math.max(8, ...known.map((point) => Math.abs(point.value)));
    const scale = { width, top: Math.min(64, Math.ceil(most / 8) * 8), last: this.last() };
    const picture = svg("svg", {
      viewBox: `0 0 ${width} ${HEIGHT}`,
      role: "img",
      "aria-label": this.words(known),
    });
    picture.append(...axis(scale), ...areas(known, scale), ...this.marks(known, scale));
    this.frame.replaceChildren(picture);
  }

  /** The last move for which there is room: as many as there were empty squares. */
  last() {
    const empties = this.points[0].node.cells.filter((cell) => cell === "empty").length;
    return Math.max(10, empties, this.points.length - 1);
  }

  *marks(known, scale) {
    const here = this.points.findIndex((point) => point.node === this.cursor);
    if (here >= 0) {
      const at = x(here, scale);
      yield svg("path", { class: "graph-here", d: `M${at} ${TOP}V${HEIGHT - BOTTOM}` });
    }
    for (const point of known) {
      const at = { cx: x(this.points.indexOf(point), scale), cy: y(point.value, scale) };
      const text = `${point.node.ply}. ${point.node.move} ${signed(point.value, 1)}`;
      if (isMarked(point)) {
        const words = `${text}: ${t(point.mark)}, ${signed(-point.loss, 1)}`;
        yield svg(
          "circle",
          { class: `graph-mark ${point.mark}`, r: 5, ...at },
          svg("title", {}, words),
        );
      } else if (point.node === this.cursor) {
        yield svg("circle", { class: "graph-point", r: 4.5, ...at }, svg("title", {}, text));
      }
    }
  }

  words(known) {
    if (!known.length) return t("graph_empty");
    const marked = known.filter(isMarked);
    const list = marked.map((point) => `${point.node.ply}. ${point.node.move} (${t(point.mark)})`);
    const last = known[known.length - 1];
    return [t("graph_words", { value: signed(last.value, 1), move: last.node.ply }), ...list].join(
      "; ",
    );
  }

  pick(event) {
    if (!this.points.length) return;
    const box = this.frame.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
    const index = Math.min(this.points.length - 1, Math.max(0, Math.round(share * this.last())));
    this.onPick(this.points[index].node);
  }
}

const isMarked = ({ mark }) => mark === "blunder" || mark === "mistake";
const x = (index, { width, last }) => LEFT + ((width - LEFT - RIGHT) * index) / last;
const y = (value, { top }) => TOP + (HEIGHT - TOP - BOTTOM) * (0.5 - value / (2 * top));

function* axis(scale) {
  const { width, top, last } = scale;
  for (const value of [top, 0, -top]) {
    const at = y(value, scale);
    yield svg("path", {
      class: value ? "graph-grid" : "graph-zero",
      d: `M${LEFT} ${at}H${width - RIGHT}`,
    });
    yield svg(
      "text",
      { class: "graph-label", x: LEFT - 6, y: at + 4, "text-anchor": "end" },
      signed(value),
    );
  }
  for (let move = 10; move < last; move += 10) {
    yield svg("path", { class: "graph-grid", d: `M${x(move, scale)} ${TOP}V${HEIGHT - BOTTOM}` });
  }
}

/** Between neighbours that are known the line is drawn straight, and its two sides are filled. */
function* areas(known, scale) {
  if (known.length < 2) return;
  const places = known.map((point) => [x(point.node.ply, scale), y(point.value, scale)]);
  const zero = y(0, scale);
  const path = places.map(([right, down]) => `${right.toFixed(1)} ${down.toFixed(1)}`).join("L");
  const closed = `M${places[0][0]} ${zero}L${path}L${places[places.length - 1][0]} ${zero}Z`;
  yield svg(
    "defs",
    {},
    svg("clipPath", { id: "above" }, svg("rect", { width: scale.width, height: zero })),
    svg(
      "clipPath",
      { id: "below" },
      svg("rect", { y: zero, width: scale.width, height: HEIGHT - zero }),
    ),
  );
  yield svg("path", { class: "graph-black", d: closed, "clip-path": "url(#above)" });
  yield svg("path", { class: "graph-white", d: closed, "clip-path": "url(#below)" });
  yield svg("path", { class: "graph-line", d: `M${path}` });
}

// The table of the moves made, with the running row of an engine that thinks.

import { byId, discIcon, el, icon, unseen } from "./dom.js";
import { count, duration, score, signed } from "./format.js";
import { t } from "./i18n.js";

const COLUMNS = ["number", "side", "source", "move", "depth", "nodes", "nps", "elapsed", "score"];
const TEXT = new Set(["side", "source", "move"]);
const UNSEEN = new Set(["side"]);
const SIGNS = { blunder: "??", mistake: "?", inaccuracy: "?!" };

export class Panel {
  /** `onPick(node)` is called for the row that is clicked. */
  constructor(onPick) {
    this.onPick = onPick;
    this.rows = new WeakMap(); // node -> {row, state}
    this.body = byId("moves-body");
    this.live = null;
    this.followed = null;
    this.body.addEventListener("keydown", (event) => this.key(event));
  }

  /** Shows the points of a line (see values.js), where the place is, what is being thought, and
   * the line that is proved there, if one is. */
  show(points, cursor, thought, proved) {
    this.head();
    const rows = [];
    for (const point of points.slice(1)) {
      rows.push(this.rowOf(point, cursor));
      const branches = branchesOf(point.node, this.onPick);
      if (branches) rows.push(branches);
      if (point.node === cursor && thought) rows.push(this.liveRow(thought));
    }
    if (thought && cursor.parent === null) rows.unshift(this.liveRow(thought));
    this.place(rows);
    byId("moves-empty").hidden = rows.length > 0;
    showLine(thought?.info?.pv ?? proved ?? cursor.record?.pv, cursor.review);
    this.follow(cursor, thought);
  }

  /** Shows the numbers of the thinking alone. */
  think(thought) {
    if (!this.live) return;
    fill(this.live, liveCells(thought));
    showLine(thought.info?.pv);
  }

  place(rows) {
    rows.forEach((row, index) => {
      if (this.body.children[index] !== row)
        this.body.insertBefore(row, this.body.children[index] ?? null);
    });
    while (this.body.children.length > rows.length) this.body.lastChild.remove();
  }

  rowOf({ node, loss, mark }, cursor) {
    const state = JSON.stringify([
      node.record,
      node.review,
      mark,
      loss,
      document.documentElement.lang,
    ]);
    let known = this.rows.get(node);
    if (!known) {
      const row = el("tr", { "data-node": node.id, onclick: () => this.onPick(node) });
      known = { row, state: null };
      this.rows.set(node, known);
    }
    if (known.state !== state) fill(known.row, cellsOf(node, loss, mark));
    known.state = state;
    known.row.classList.toggle("current", node === cursor);
    known.row.classList.toggle("later", node.ply > cursor.ply);
    const reached = node === cursor || (cursor.parent === null && node.ply === 1);
    known.row.querySelector("button").tabIndex = reached ? 0 : -1;
    if (node === cursor) known.row.setAttribute("aria-current", "true");
    else known.row.removeAttribute("aria-current");
    return known.row;
  }

  /** The arrow keys go from row to row; Tab passes the table in one step. */
  key(event) {
    const steps = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const buttons = [...this.body.querySelectorAll("button.row-move")];
    const button = buttons[buttons.indexOf(event.target) + steps];
    if (!steps || !buttons.includes(event.target) || !button) return;
    event.preventDefault();
    button.focus();
  }

  liveRow(thought) {
    this.live ??= el("tr", { class: "live" });
    fill(this.live, liveCells(thought));
    return this.live;
  }

  head() {
    if (this.language === document.documentElement.lang) return;
    this.language = document.documentElement.lang;
    byId("moves-head").replaceChildren(
      ...COLUMNS.map((name) => {
        const words = t(`column_${name}`);
        const shown = UNSEEN.has(name) ? unseen(words) : words;
        return el(
          "th",
          { scope: "col", class: TEXT.has(name) ? "text" : null, title: t(`about_${name}`) },
          shown,
        );
      }),
    );
  }

  /** Keeps the row of the place in view, without moving the page. */
  follow(cursor, thought) {
    const row = thought ? this.live : this.rows.get(cursor)?.row;
    const key = thought ? this.live : cursor;
    if (this.followed === key || !this.body.children.length) return;
    this.followed = key;
    const box = byId("moves");
    if (!row) {
      box.scrollTop = 0;
      return;
    }
    const top = row.offsetTop - box.querySelector("thead").offsetHeight;
    if (top < box.scrollTop) box.scrollTop = top;
    const next = row.nextElementSibling;
    const lowest = next?.matches(".branches") ? next : row;
    const bottom = lowest.offsetTop + lowest.offsetHeight;
    if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
  }
}

/** The line that is expected; where a move was not the best, the line that was better. */
function showLine(moves, review) {
  const better = !moves && review?.loss > 0;
  byId("line-label").textContent = t(better ? "better_line" : "expected_line");
  byId("line-moves").textContent =
    (better ? review.line : (moves ?? [])).map(nameOfMove).join(" ") || "–";
}

function fill(row, cells) {
  row.replaceChildren(
    ...cells.map((content, index) =>
      el(
        "td",
        { class: [TEXT.has(COLUMNS[index]) && "text", COLUMNS[index]].filter(Boolean).join(" ") },
        content,
      ),
    ),
  );
}

function cellsOf(node, loss, mark) {
  const record = node.record;
  return [
    String(node.ply),
    sideOf(node.side),
    sourceOf(record.source),
    el(
      "button",
      { class: "row-move", "aria-label": rowWords(node), title: record.comment },
      nameOfMove(node.move),
    ),
    ...numbersOf(record),
    scoreOf(record.score === null && node.review ? reviewed(node.review) : record, loss, mark),
  ];
}

function liveCells({ node, info, started }) {
  const elapsed_ms = performance.now() - started;
  const record = { depth: null, nodes: null, nps: null, ...info, elapsed_ms };
  return [
    String(node.ply + 1),
    sideOf(node.position.turn),
    sourceOf("engine"),
    el(
      "span",
      { class: "row-move" },
      info ? nameOfMove(info.move) : el("span", { class: "pulse" }),
    ),
    ...numbersOf(record),
    info ? scoreOf(info) : "",
  ];
}

function numbersOf({ depth, nodes, nps, elapsed_ms, certainty }) {
  const shown = (value, format) => (value === null || value === undefined ? "" : format(value));
  const sure = certainty && certainty.kind === "search" && certainty.selectivity < 100;
  const title = sure ? t("selective", { percent: certainty.selectivity }) : null;
  return [
    el("span", { title }, shown(depth, String)),
    shown(nodes, count),
    shown(nps, count),
    shown(elapsed_ms, duration),
  ];
}

/** The score of a move that no engine made, from the analysis of the game. */
const reviewed = ({ value, exact }) => ({ score: Math.round(100 * value), value, exact });

function scoreOf(record, loss = null, mark = null) {
  const cell = el("span", {});
  if (record.score !== null) {
    const words = score(record);
    if (!record.exact) cell.append(words);
    else
      cell.append(
        el(
          "span",
          { class: "solved", title: t("solved") },
          icon("check"),
          words,
          unseen(` (${t("solved")})`),
        ),
      );
  }
  if (mark) {
    const title = `${t(mark)}: ${signed(-loss, 1)}`;
    cell.append(el("span", { class: "loss", title }, SIGNS[mark], unseen(` ${t(mark)}`)));
  }
  return cell;
}

function branchesOf(node, onPick) {
  const others = node.parent.children.filter((child) => child !== node);
  if (!others.length) return null;
  const buttons = others.map((other) => {
    const words = `${t("branch")} ${other.ply}. ${nameOfMove(other.move)}`;
    return el(
      "button",
      { "aria-label": words, onclick: () => onPick(other) },
      `${other.ply}. ${nameOfMove(other.move)}`,
    );
  });
  const list = el("div", { class: "branch-list" }, icon("branch"), t("also_played"), ...buttons);
  return el("tr", { class: "branches" }, el("td", { colspan: COLUMNS.length }, list));
}

const nameOfMove = (move) => (move === "pass" ? t("pass") : move);
const sideOf = (side) => el("span", {}, discIcon(side), unseen(t(side)));
const rowWords = (node) => `${node.ply}. ${t(node.side)} ${nameOfMove(node.move)}`;

function sourceOf(source) {
  return el(
    "span",
    { class: "maker", title: t(source) },
    icon(source),
    el("span", { class: "source-word" }, t(source)),
  );
}

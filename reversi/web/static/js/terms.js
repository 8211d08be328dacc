// The eight terms of the classic evaluation at the place, on request.

import { post } from "./api.js";
import { byId, el, svg } from "./dom.js";
import { signed } from "./format.js";
import { t } from "./i18n.js";
import { errorWords } from "./messages.js";

const TERMS = [
  "positional",
  "mobility",
  "corners",
  "stable",
  "parity",
  "material",
  "frontier",
  "danger",
];
const SUBTRACTED = new Set(["frontier", "danger"]);
const asked = new WeakMap(); // node -> the promise of its answer

/** Shows the terms at a game's place, if the reader has opened them. */
export async function showTerms(game) {
  const node = game.cursor;
  if (!byId("terms").open) return;
  if (!asked.has(node)) asked.set(node, post("/api/evaluate", game.body(node)));
  try {
    const answer = await asked.get(node);
    if (node === game.cursor) byId("terms-body").replaceChildren(tableOf(answer, node));
  } catch (error) {
    asked.delete(node);
    byId("terms-body").replaceChildren(el("p", { class: "problem" }, errorWords(error)));
  }
}

function tableOf({ classic, learned }, node) {
  const parts = TERMS.map((name) => [name, classic[name] * (SUBTRACTED.has(name) ? -1 : 1)]);
  const most = Math.max(1, ...parts.map(([, value]) => Math.abs(value)));
  const rows = parts.map(([name, value]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, t(`term_${name}`)),
      el("td", {}, signed(value)),
      el("td", { class: "bar" }, bar(value / most)),
    ),
  );
  const side = t("view_of", { side: t(node.position?.turn ?? "black") });
  return el(
    "table",
    {},
    el("caption", { class: "unseen" }, `${t("classic_terms")}, ${side}`),
    el(
      "tbody",
      {},
      ...rows,
      totalRow("term_total", signed(classic.total), side),
      totalRow("term_learned", signed(learned, 2), t("in_discs")),
    ),
  );
}

function totalRow(name, value, note) {
  return el(
    "tr",
    { class: "total" },
    el("th", { scope: "row" }, t(name)),
    el("td", {}, value),
    el("td", { class: "bar muted" }, note),
  );
}

function bar(share) {
  const width = 50 * Math.abs(share);
  return svg(
    "svg",
    { class: "term-bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", {
      class: share < 0 ? "term-minus" : "term-plus",
      x: share < 0 ? 50 - width : 50,
      width,
      height: 8,
    }),
    svg("path", { class: "term-axis", d: "M50 0v8" }),
  );
}

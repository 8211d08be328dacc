// The cards of both sides, the status line, and which buttons can be pressed.

import { byId, discIcon, el, icon } from "./dom.js";
import { count, score, signed } from "./format.js";
import { t } from "./i18n.js";
import { errorWords } from "./messages.js";
import { strengthWords } from "./sides.js";

/** Shows the counts, who plays, and how the discs are shared. `turn` is null where nobody moves,
 * undefined where the server has yet to say it. */
export function showCards(match, cells, turn) {
  const counts = { black: 0, white: 0, empty: 0 };
  for (const cell of cells) counts[cell] += 1;
  for (const color of ["black", "white"]) {
    const card = byId(`card-${color}`);
    const words = el(
      "span",
      { class: "card-words" },
      el("span", { class: "card-name" }, t(color)),
      el("span", { class: "card-who" }, ...whoPlays(match, color)),
    );
    card.replaceChildren(
      discIcon(color),
      words,
      el("span", { class: "card-count" }, String(counts[color])),
    );
    if (turn !== undefined) card.classList.toggle("turn", turn === color);
    card.title = t("change_players");
  }
  byId("share-black").setAttribute(
    "width",
    (100 * counts.black) / Math.max(1, counts.black + counts.white),
  );
}

function whoPlays(match, color) {
  const side = match.sides[color];
  if (side.who === "person") return [icon("person"), match.game.headers[color] || t("person")];
  return [
    icon("engine"),
    el("span", { class: "card-kind" }, `${t("engine")} · `),
    strengthWords(side),
  ];
}

/** Says what is going on: whose turn it is, what is thought, how it ended. */
export function showStatus(match, hints, editing) {
  const [main, more, nodes = ""] = editing ? [t("editing"), ""] : statusWords(match, hints);
  const { thought, here } = match;
  write(byId("status-main"), main);
  write(byId("status-more"), more, nodes);
  byId("status-main").classList.toggle("problem", Boolean(match.problem));
  byId("status").classList.toggle("ended", Boolean(here.position?.over));
  byId("stop").hidden = byId("move-now").hidden = !thought;
  byId("move-now").disabled = !thought?.info;
  const waits = match.paused && here.position && !here.position.over;
  byId("continue").hidden = editing || !(waits || match.problem);
}

function statusWords(match, hints) {
  const { here, thought, problem } = match;
  const position = here.position;
  if (problem) return [errorWords(problem), ""];
  if (!position) return [byId("status-main").textContent, ""];
  const side = t(position.turn);
  if (position.over) return [endWords(position), scoreWords(position.outcome)];
  if (thought)
    return [t("thinks", { side }), ...(thought.busy ? [t("busy")] : thoughtWords(thought.info))];
  if (match.mustPass(here)) return [t("must_pass", { side }), ""];
  return [
    t("to_move", { side }),
    hintWords(hints, here) || (match.paused ? t("engine_waits") : ""),
  ];
}

/** What is found, and how many nodes it took, which narrow pages have in the table alone. */
function thoughtWords(info) {
  if (!info) return [""];
  const found = info.move === "pass" ? t("pass") : info.move;
  return [
    [t("depth_number", { depth: info.depth }), found, score(info)].join(" · "),
    ` · ${t("nodes_number", { nodes: count(info.nodes) })}`,
  ];
}

function hintWords(hints, node) {
  const shown = hints.at(node);
  if (shown?.proof)
    return t("solved_words", {
      result: resultWords(shown),
      line: shown.proof.pv.slice(0, 8).join(" "),
    });
  if (hints.solving) return t("solving");
  if (!shown) return "";
  return shown.exact ? t("values_exact") : t("values_depth", { depth: shown.depth });
}

function resultWords({ top, side }) {
  if (top === 0) return t("draw_best_play");
  const winner = top > 0 === (side === "black") ? "black" : "white";
  return t("wins_best_play", { side: t(winner), discs: Math.abs(top) });
}

/** How the game ended: "Black wins, 40 to 24". */
export function endWords({ outcome, black, white }) {
  if (outcome.winner === null) return t("draw", { black, white });
  const [more, less] = outcome.winner === "black" ? [black, white] : [white, black];
  return t("wins", { side: t(outcome.winner), more, less });
}

/** Both scores of a finished game, in black's view. */
export function scoreWords({ discs, tournament }) {
  return t("both_scores", { discs: signed(discs), tournament: signed(tournament) });
}

/** Lets those buttons be pressed that have something to do. */
export function showTools(match, hints, server) {
  const { here, thought } = match;
  const position = here.position;
  const open = Boolean(position) && !position.over && !thought && !match.mustPass(here);
  byId("first").disabled = byId("undo").disabled = here.parent === null;
  byId("last").disabled = byId("redo").disabled = here.next === null;
  byId("hints").setAttribute("aria-pressed", String(hints.wanted));
  byId("solve").disabled = !open || position.empties > server.solve_empties_max;
  byId("solve").setAttribute("aria-pressed", String(hints.solving));
  byId("solve").title = t("about_solve", { empties: server.solve_empties_max });
}

function write(element, words, nodes = "") {
  if (element.textContent === words + nodes) return;
  element.textContent = words;
  if (nodes) element.append(el("span", { class: "status-nodes" }, nodes));
}

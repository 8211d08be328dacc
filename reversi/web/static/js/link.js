// The page's address as a memory: start, moves, place and sides stand behind the #.

import { Game, pathTo } from "./game.js";

/** Writes the match into the address of the page. */
export function keepInAddress(match) {
  history.replaceState(null, "", linkTo(match));
}

/** The address that opens this match again. */
export function linkTo(match) {
  const { game, sides } = match;
  const line = game.line();
  const parts = new URLSearchParams();
  if (game.start !== null) parts.set("start", game.start);
  if (line.length)
    parts.set("moves", line.map((node) => (node.move === "pass" ? "" : node.move)).join(""));
  const at = pathTo(game.cursor).length;
  if (at < line.length) parts.set("at", at);
  for (const color of ["black", "white"]) parts.set(color, sideText(sides[color]));
  return `${location.origin}${location.pathname}#${parts}`;
}

/** The game that the address names, at its place, and its sides: null where it names none. */
export async function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const moves = (parts.get("moves") ?? "").match(/[a-h][1-8]|[^]/g) ?? [];
  const game = await Game.of(parts.get("start"), moves);
  if (parts.has("at")) game.goTo(nodeAt(game, Number(parts.get("at"))));
  const sides = { black: sideOf(parts.get("black")), white: sideOf(parts.get("white")) };
  return { game, sides: parts.size ? sides : null };
}

function nodeAt(game, ply) {
  let node = game.root;
  while (node.next && node.ply < ply) node = node.next;
  return node;
}

function sideText(side) {
  return side.who === "person"
    ? "person"
    : [side.kind === "level" ? "level" : "time", side.amount, side.evaluator, side.threads].join(
        "-",
      );
}

function sideOf(text) {
  const [kind, amount, evaluator, threads] = (text ?? "").split("-");
  if (kind !== "time" && kind !== "level") return { who: "person" };
  return {
    who: "engine",
    kind: kind === "level" ? "level" : "time_ms",
    amount: Number(amount) || 0,
    evaluator: evaluator === "classic" ? "classic" : "pattern",
    threads: Number(threads) || 1,
  };
}

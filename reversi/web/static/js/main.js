// The page: brings the rooms together. Each change of the match is shown from here.

import { Analysis } from "./analysis.js";
import { BoardView } from "./board.js";
import { endWords, scoreWords, showCards, showStatus, showTools } from "./controls.js";
import { byId } from "./dom.js";
import { Game, knowStart } from "./game.js";
import { Graph } from "./graph.js";
import { Hints } from "./hints.js";
import { switchLanguage, t, translatePage } from "./i18n.js";
import { keepInAddress, readAddress } from "./link.js";
import { Match } from "./match.js";
import { announce, errorWords, toast } from "./messages.js";
import { Panel } from "./panel.js";
import { usualEngine, within } from "./sides.js";
import { showTheme, switchTheme } from "./theme.js";
import { valuesOf } from "./values.js";

const TICK_MS = 100; // how often the running time of a search is shown

// Rooms that many games never need: fetched when they are first asked for.
const ROOMS = {
  editor: () => import("./editor.js"),
  open: () => import("./open.js"),
  players: () => import("./players.js"),
  share: () => import("./share.js"),
  terms: () => import("./terms.js"),
};

const server = JSON.parse(byId("server").textContent); // its levels, its limits, the start
const usualSides = { black: { who: "person" }, white: { who: "engine", ...usualEngine(server) } };
const match = new Match(usualSides, changed); // nothing to play until its game is loaded
knowStart(server.start);
const named = readAddress(); // asked before anything is drawn
let waiting = false;
let presses = 0;
const board = new BoardView(byId("board"), picked);
const goTo = (node) => match.goTo(node);
const panel = new Panel(goTo);
const graph = new Graph(byId("graph"), goTo);
const hints = new Hints(show, (error) => toast(errorWords(error)));
const analysis = new Analysis(show, (error) => toast(errorWords(error)));
let editor = null; // from the first time it is asked for

/** What happened in the match, see Match. */
function changed(what) {
  if (what === "thinking" && match.thought.info) return showThought();
  if (what === "pass") toast(t("must_pass", { side: t(match.here.position.turn) }));
  if (what === "move" && match.here.move !== "pass") announceMove(match.here);
  if (what === "position" && match.here.position.over) announceEnd(match.here.position);
  hints.follow(match);
  showBoard(what === "move");
  showRest();
}

function show() {
  showBoard();
  showRest();
}

/** Shows all but the board, once the next picture is drawn: discs turn without waiting for it. */
function showRest() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => setTimeout(() => waiting && showRestNow()));
}

function showRestNow() {
  waiting = false;
  const { here, thought } = match;
  const points = valuesOf(match.game.root, match.game.line());
  if (here.cells && !editor?.open)
    showCards(match, here.cells, here.position?.over ? null : here.position?.turn);
  showStatus(match, hints, editor?.open);
  showTools(match, hints, server);
  panel.show(points, here, thought, hints.at(here)?.proof?.pv);
  graph.show(points, here);
  analysis.show(match.game);
  if (byId("terms").open) showTerms();
  if (here.position) keepInAddress(match);
}

async function showTerms() {
  const terms = await room("terms");
  if (terms) terms.showTerms(match.game);
  else byId("terms").open = false; // to be asked for again
}

function showThought() {
  showStatus(match, hints, editor?.open);
  panel.think(match.thought);
}

function showBoard(animate = false) {
  if (editor?.open) {
    showCards(match, editor.cells, editor.turn);
    showStatus(match, hints, true);
    board.show({ cells: editor.cells, turn: editor.turn, editing: true });
    return;
  }
  const { here } = match;
  if (!here.cells) return; // the server has not answered yet: the last position stays
  board.show({
    cells: here.cells,
    turn: here.position?.turn,
    legal: here.position?.legal,
    last: here.move,
    hints: here.position && !match.thought ? hints.at(here) : null,
    playable: match.personToMove,
    animate,
  });
}

function picked(square) {
  if (editor?.open) editor.paint(square);
  else match.play(square);
}

function announceMove({ move, side, parent }) {
  announce(t("said_move", { side: t(side), move, turned: parent.position.flips[move].length }));
}

function announceEnd(position) {
  byId("toast").hidden = true;
  announce(`${endWords(position)}. ${scoreWords(position.outcome)}`);
}

// --- Dialogs, and games from elsewhere --------------------------------------------------------

/** A room, or null where the server does not give it, which is then said. */
async function room(name) {
  try {
    return await ROOMS[name]();
  } catch {
    toast(t("not_fetched"));
    return null;
  }
}

/** Lets `use` have a room, if nothing else was pressed and no other game came while it came. */
async function enter(name, use) {
  const press = ++presses;
  const { game } = match;
  const entered = await room(name);
  if (entered && press === presses && game === match.game) use(entered);
}

async function newGame() {
  await enter("players", ({ askSides }) => {
    leaveEditor();
    askSides(match.sides, server, true, (sides) => {
      match.sides = sides;
      match.load(new Game());
    });
  });
}

async function players() {
  if (editor?.open) return;
  await enter("players", ({ askSides }) =>
    askSides(match.sides, server, false, (sides) => {
      match.leave();
      match.sides = sides;
      match.resume();
    }),
  );
}

async function open(text) {
  await enter("open", ({ askText }) => {
    leaveEditor();
    askText((game) => {
      match.sides = { black: { who: "person" }, white: { who: "person" } };
      match.load(game);
    }, text);
  });
}

async function edit() {
  const { cells, position } = match.here; // what is seen now: the match may go on meanwhile
  if (editor?.open || !position) return;
  await enter("editor", ({ Editor }) => {
    match.stop();
    editor ??= new Editor(showBoard, edited);
    document.body.classList.add("editor-open");
    byId("toolbar").hidden = true;
    editor.begin(cells, position.turn);
  });
}

async function share() {
  await enter("share", ({ askFormat }) => askFormat(match));
}

function edited(obf) {
  leaveEditor();
  if (obf === null) match.settle();
  else match.load(new Game(obf));
}

function leaveEditor() {
  if (!editor?.open) return;
  editor.end();
  document.body.classList.remove("editor-open");
  byId("toolbar").hidden = false;
  show();
}

// --- Buttons and keys ---------------------------------------------------------------------------

const PRESSED = {
  "new-game": newGame,
  open: () => open(),
  edit,
  share,
  theme: switchTheme,
  language: speak,
  "card-black": players,
  "card-white": players,
  first: () => goTo(match.game.root),
  undo: () => match.step(-1),
  redo: () => match.step(1),
  last: () => goTo(match.game.end()),
  hints: () => hints.toggle(match),
  solve: () => hints.solve(match),
  "move-now": () => {
    board.focus();
    match.moveNow();
  },
  stop: () => {
    match.stop();
    byId("continue").focus();
  },
  continue: () => {
    board.focus();
    match.resume();
  },
  analyse: () => analysis.toggle(match.game),
};

function speak() {
  switchLanguage();
  showTheme();
  byId("language").textContent = t("other_language");
  if (editor?.open) editor.rebuild();
  show();
}

function key(event) {
  if (event.target.closest("dialog, input, textarea, select") || editor?.open) return;
  const name =
    (event.ctrlKey || event.metaKey ? "ctrl " : "") +
    (event.shiftKey ? "shift " : "") +
    event.key.toLowerCase();
  const button = {
    "ctrl z": "undo",
    "ctrl y": "redo",
    "ctrl shift z": "redo",
    home: "first",
    end: "last",
  }[name];
  if (!button || byId(button).disabled) return;
  event.preventDefault();
  PRESSED[button]();
}

function pasted(event) {
  if (event.target.closest("dialog, input, textarea") || document.querySelector("dialog")) return;
  const text = event.clipboardData.getData("text");
  if (text.trim()) open(text);
}

async function begin() {
  translatePage();
  showTheme();
  byId("language").textContent = t("other_language");
  for (const [name, press] of Object.entries(PRESSED)) byId(name).addEventListener("click", press);
  document.addEventListener("keydown", key);
  document.addEventListener("paste", pasted);
  byId("terms").addEventListener("toggle", () => byId("terms").open && showTerms());
  window.addEventListener("hashchange", () => reopen(readAddress()));
  setInterval(() => match.thought && panel.think(match.thought), TICK_MS);
  await reopen(named);
  showRestNow(); // of the usual start in the first picture
}

/** Shows what the address names: where it cannot be read, the usual start. */
async function reopen(asking) {
  try {
    const { game, sides } = await asking;
    leaveEditor();
    match.sides = within(sides ?? match.sides, server);
    await match.load(game, game.root !== game.cursor);
  } catch (error) {
    toast(t("bad_link", { message: errorWords(error) }));
    await match.load(new Game());
  }
}

begin();

// A game: a tree of moves, the place in it, the positions. The rules are the server's.

import { post } from "./api.js";

export const START = "---------------------------OX------XO--------------------------- X";
const CELLS = { X: "black", O: "white", "-": "empty" };

let nodes = 0;
let first = null; // the server's answer for the usual start

/** Games from the usual start need not ask for it from now on. */
export function knowStart(position) {
  first = position;
}

/** A move in the tree, or the root, which has none. `next` is the branch last looked at. */
class Node {
  constructor(parent, move, side) {
    this.id = ++nodes;
    this.parent = parent;
    this.move = move;
    this.side = side;
    this.ply = parent === null ? 0 : parent.ply + 1;
    this.children = [];
    this.next = null;
    this.record = null; // the row of the table: who moved, and what was found
    this.position = null; // the server's answer, once it is there
    this.cells = null; // 64 of "black", "white", "empty"
    this.hints = null; // values of the moves from here
    this.review = null; // what the analysis of the game says of the move
  }
}

export class Game {
  constructor(start = null) {
    this.start = start === START ? null : start;
    this.headers = {};
    this.root = this.cursor = new Node(null, null, null);
    this.root.cells = cellsOf(start ?? START);
    if (this.start === null) this.root.position = first;
  }

  /** The game of these moves, asked from the server, which puts in the passes. */
  static async of(start, moves, headers = {}, notes = []) {
    const game = new Game(start);
    game.headers = headers;
    if (game.start === null && !moves.length) return game;
    const all = await post("/api/position", positionBody(start, moves));
    let node = game.root;
    all.moves.forEach((move, index) => {
      node = add(node, move, all.sides[index]);
      node.record = noted(notes[index]);
    });
    node.position = all;
    game.goTo(node);
    return game;
  }

  /** The nodes from the first move through the place to the end of its branch. */
  line() {
    const nodes = pathTo(this.cursor);
    for (let node = this.cursor.next; node; node = node.next) nodes.push(node);
    return nodes;
  }

  /** Whether there are branches beside the one that the place is in. */
  isBranched() {
    return [this.root, ...this.line()].some((node) => node.children.length > 1);
  }

  /** The last node of the branch that the place is in. */
  end() {
    let node = this.cursor;
    while (node.next) node = node.next;
    return node;
  }

  goTo(node) {
    for (const one of pathTo(node)) one.parent.next = one;
    this.cursor = node;
  }

  /** Plays a move at the place, which must be legal there, and goes there. */
  play(move, record) {
    const here = this.cursor;
    const known = here.children.find((child) => child.move === move);
    const node = known ?? add(here, move, here.position.turn);
    node.record = record;
    node.cells ??= cellsAfter(here, move);
    this.goTo(node);
    return node;
  }

  /** What a request says of a node's position. */
  body(node = this.cursor) {
    return positionBody(
      this.start,
      pathTo(node).map((one) => one.move),
    );
  }

  /** The server's answer for a node's position, asked once. */
  async position(node = this.cursor) {
    node.position ??= await post("/api/position", this.body(node));
    node.cells = cellsOf(node.position.obf);
    return node.position;
  }
}

/** The row of a move that nobody searched for. */
export function person(seconds) {
  const elapsed_ms = seconds === null ? null : 1000 * seconds;
  return { source: "person", depth: null, nodes: null, nps: null, elapsed_ms, score: null };
}

/** The row of a move that was read, with what its file notes of it. */
function noted(note) {
  const record = person(note?.seconds ?? null);
  if (!note) return record;
  const value = note.value ?? null;
  const score = value === null ? null : Math.round(100 * value);
  return { ...record, score, value, comment: note.comment || null };
}

/** The 64 cells of a board in OBF. */
export function cellsOf(obf) {
  return [...obf.slice(0, 64)].map((symbol) => CELLS[symbol]);
}

/** The number of a square's cell. */
export const indexOf = (square) => square.charCodeAt(0) - 97 + 8 * (Number(square[1]) - 1);

/** The name of a cell's square. */
export const nameOf = (index) => "abcdefgh"[index % 8] + (Math.floor(index / 8) + 1);

/** The nodes from the first move to this one. */
export function pathTo(node) {
  const path = [];
  for (let one = node; one.parent; one = one.parent) path.unshift(one);
  return path;
}

function add(parent, move, side) {
  const node = new Node(parent, move, side);
  parent.children.push(node);
  parent.next ??= node;
  return node;
}

function cellsAfter(node, move) {
  const cells = [...node.cells];
  if (move === "pass") return cells;
  for (const square of [move, ...node.position.flips[move]]) {
    cells[indexOf(square)] = node.position.turn;
  }
  return cells;
}

function positionBody(start, moves) {
  return { position: start === null ? { moves } : { start, moves } };
}

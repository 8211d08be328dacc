"""A game as an object of JSON, both ways. Knows no text and no file.

An object has these keys, of which only ``moves`` must be there; no others are allowed:

- ``headers``: an object of texts;
- ``start``: the board before the first move in OBF; the usual one if it is not given;
- ``moves``: a list of names, ``"f5"`` or ``"pass"``; forced passes may be left out. A transcript in
  one text is read too;
- ``notes``: a list of objects with ``ply``, the number of moves up to the one that is meant (0 for
  the start), and any of ``value`` (discs, in the view of the side that moved), ``seconds`` and
  ``comment``;
- ``variations``: a list of objects with ``after``, the number of moves before the variation leaves
  the line, its own ``moves``, and again ``notes`` and ``variations``.

Moves are counted from the start of the game, as they are listed.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, NamedTuple

from reversi.board import Board
from reversi.errors import FormatError, IllegalMoveError, InvalidBoardError, InvalidMoveError
from reversi.formats.base import UnplayableError, game_of, shown
from reversi.game import Game
from reversi.node import Node
from reversi.squares import PASS, parse_move, read_moves

__all__ = ["Where", "game_from", "object_of"]

_GAME_KEYS = ("headers", "start", "moves", "notes", "variations")
_VARIATION_KEYS = ("after", "moves", "notes", "variations")
_NOTE_KEYS = ("ply", "value", "seconds", "comment")


class Where(NamedTuple):
    """Where an object stands: the file, the number of its game, its line and column if known."""

    source: str | None = None
    game: int | None = None
    line: int | None = None
    column: int = 1

    def fault(self, path: str, reason: str, kind: str = "syntax") -> FormatError:
        """Return the error for what a path such as ``moves[3]`` leads to."""
        line = "" if self.line is None else f"line {self.line}"
        place = ", ".join(part for part in (line, path) if part)
        return FormatError(reason, kind, self.source, self.game, place or None)


def game_from(document: Any, where: Where) -> Game:
    """Return the game of an object that was read from JSON; FormatError for what is none.

    >>> game_from({"moves": ["f5", "d6"]}, Where()).transcript()
    'f5d6'
    """
    _check_keys(where, "", document, _GAME_KEYS, "moves")
    moves = _moves(where, "moves", document["moves"])
    try:
        game = game_of(bytes(moves), _start(where, document), _headers(where, document))
    except UnplayableError as error:
        raise where.fault(f"moves[{error.index}]", error.reason, "illegal move") from None
    if "notes" in document or "variations" in document:
        _read_tree(where, document, game, moves)
    return game


def object_of(game: Game) -> dict[str, Any]:
    """Return the object that says all that a game has.

    >>> object_of(Game.from_transcript("f5d6", headers={"black": "Ann"}))
    {'headers': {'black': 'Ann'}, 'moves': ['f5', 'd6']}
    """
    document: dict[str, Any] = {}
    if game.headers:
        document["headers"] = game.headers
    if game.start != Board():
        document["start"] = game.start.obf()
    waiting = [(document, game.root, 0)]
    while waiting:
        waiting += _write_line(*waiting.pop())
    return document


def _write_line(
    line: dict[str, Any], first: Node, ply: int
) -> list[tuple[dict[str, Any], Node, int]]:
    """Fill a line's object from its first node on, and return its variations, to be filled too."""
    nodes = [*enumerate((first, *first.line()), ply)]
    line["moves"] = [node.name for _, node in nodes if node.move is not None]
    notes = [note for ply, node in nodes if len(note := _note(node, ply)) > 1]
    if notes:
        line["notes"] = notes
    variations = [
        ({"after": ply}, child, ply + 1) for ply, node in nodes for child in node.children[1:]
    ]
    if variations:
        line["variations"] = [variation for variation, _, _ in variations]
    return variations


def _note(node: Node, ply: int) -> dict[str, Any]:
    said = {"value": node.value, "seconds": node.seconds, "comment": node.comment or None}
    return {"ply": ply, **{name: value for name, value in said.items() if value is not None}}


# --- Reading ------------------------------------------------------------------------------------


def _check_keys(where: Where, path: str, found: Any, known: tuple[str, ...], needed: str) -> None:
    if not isinstance(found, dict):
        raise where.fault(path, f"{_said(found)} is no object with {needed!r}")
    for key in found:
        if key not in known:
            raise where.fault(path, f"an unknown key, {shown(key)}; expected {', '.join(known)}")
    if needed not in found:
        raise where.fault(path, f"no {needed!r}; expected it in the object")


def _headers(where: Where, document: dict[str, Any]) -> dict[str, str]:
    headers = document.get("headers", {})
    if not isinstance(headers, dict):
        raise where.fault("headers", f"{_said(headers)}; expected an object of texts")
    for name, value in headers.items():
        if not isinstance(value, str):
            raise where.fault(f"headers[{shown(name)}]", f"{_said(value)}; expected a text")
    return headers


def _start(where: Where, document: dict[str, Any]) -> Board | None:
    if "start" not in document:
        return None
    try:
        return Board.from_obf(document["start"])
    except InvalidBoardError as error:
        raise where.fault("start", str(error), "board") from None


def _moves(where: Where, path: str, moves: Any) -> list[int]:
    try:
        if isinstance(moves, str):
            return [move for _, move in read_moves(moves)]
    except InvalidMoveError as error:
        raise where.fault(path, str(error)) from None
    if not isinstance(moves, list):
        raise where.fault(path, f"{_said(moves)}; expected a list of moves")
    numbers = []
    for index, move in enumerate(moves):
        try:
            if not isinstance(move, str):
                raise InvalidMoveError(f"{_said(move)}; expected a name such as 'f5'")
            numbers.append(parse_move(move[:24]))
        except InvalidMoveError as error:
            raise where.fault(f"{path}[{index}]", str(error)) from None
    return numbers


def _read_tree(where: Where, document: dict[str, Any], game: Game, moves: list[int]) -> None:
    """Add the notes and variations, those of variations too, to a game that has its main line."""
    waiting = [(document, "", _nodes(game, moves))]
    while waiting:
        line, path, nodes = waiting.pop()
        _read_notes(where, f"{path}notes", line.get("notes", []), nodes)
        variations = line.get("variations", [])
        if not isinstance(variations, list):
            reason = f"{_said(variations)}; expected a list of variations"
            raise where.fault(f"{path}variations", reason)
        for index, variation in enumerate(variations):
            there = f"{path}variations[{index}]"
            _check_keys(where, there, variation, _VARIATION_KEYS, "moves")
            added = _read_variation(where, there, variation, game, nodes)
            waiting.append((variation, f"{there}.", added))
    game.go_to(game.root)
    game.go_to_end()


def _nodes(game: Game, moves: list[int]) -> list[Node]:
    """Return the root and the node of each move; passes that were put in are left out."""
    line = game.main_line()
    nodes = [game.root]
    for move in moves:
        node = next(line)
        nodes.append(node if node.move == move else next(line))
    return nodes


def _read_variation(
    where: Where, path: str, variation: dict[str, Any], game: Game, nodes: list[Node]
) -> list[Node]:
    """Play a variation, and return the root and the node of each move up to its end."""
    after = _whole(where, f"{path}.after", variation.get("after"), len(nodes) - 1)
    moves = _moves(where, f"{path}.moves", variation["moves"])
    if not moves:
        raise where.fault(f"{path}.moves", "a variation without moves; expected one at least")
    game.go_to(nodes[after])
    added = nodes[: after + 1]
    for index, move in enumerate(moves):
        if move != PASS and PASS in game.legal_moves:
            game.push(PASS)
        try:
            added.append(game.push(move))
        except IllegalMoveError as error:
            there = f"{path}.moves[{index}]"
            raise where.fault(there, str(error), "illegal move") from None
    return added


def _read_notes(where: Where, path: str, notes: Any, nodes: list[Node]) -> None:
    if not isinstance(notes, list):
        raise where.fault(path, f"{_said(notes)}; expected a list of notes")
    noted = set()
    for index, note in enumerate(notes):
        there = f"{path}[{index}]"
        _check_keys(where, there, note, _NOTE_KEYS, "ply")
        ply = _whole(where, f"{there}.ply", note["ply"], len(nodes) - 1)
        if ply in noted:
            raise where.fault(there, f"a second note of ply {ply}; expected one")
        noted.add(ply)
        if note.get("value") is not None:
            nodes[ply].value = _number(where, f"{there}.value", note["value"])
        if note.get("seconds") is not None:
            nodes[ply].seconds = _number(where, f"{there}.seconds", note["seconds"])
        comment = note.get("comment", "")
        if not isinstance(comment, str):
            raise where.fault(f"{there}.comment", f"{_said(comment)}; expected a text")
        nodes[ply].comment = comment


def _whole(where: Where, path: str, number: Any, most: int) -> int:
    if type(number) is not int or not 0 <= number <= most:
        raise where.fault(path, f"{_said(number)}; expected a whole number from 0 to {most}")
    return number


def _number(where: Where, path: str, number: Any) -> float:
    if type(number) in (int, float) and isfinite(number):
        return float(number)
    raise where.fault(path, f"{_said(number)}; expected a finite number")


def _said(value: Any) -> str:
    """Return a value as an error shows it, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}..."

"""Games in SGF (FF[4], GM[2]): moves, boards and notes. Headers and syntax have their own rooms.

Notes of a move: C its comment, V its value (in black's view), and SECONDS, a property of ours as
FF[4] lets programs have, the time that it took. BL and WL, the time left, are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from math import isfinite
from typing import BinaryIO

from reversi.board import Board
from reversi.errors import FormatError, IllegalMoveError, InvalidMoveError
from reversi.formats.base import Format, OnError, shown, tell
from reversi.formats.sgf_headers import read_headers, written_headers
from reversi.formats.sgf_syntax import (
    Event,
    GameText,
    Properties,
    escaped,
    events,
    single,
    split_games,
    split_pair,
)
from reversi.game import Game
from reversi.node import Node
from reversi.squares import BLACK, PASS, SQUARE_NAMES, WHITE, Color, parse_move

__all__ = ["FORMAT", "dumps", "parse", "read", "write"]

_SIDES = {"B": BLACK, "W": WHITE}
_TURNS = {"B": BLACK, "BLACK": BLACK, "W": WHITE, "WHITE": WHITE}
_SETUP = ("AB", "AW", "AE")
_CENTRE = ("d4", "e4", "d5", "e5")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_MOVES_A_LINE = 10


def parse(text: str) -> Game:
    r"""Return the game of a text in SGF, with its variations; FormatError where it has faults.

    Moves are squares (``f5``) or pairs of letters (``fe``); ``[]``, ``[tt]`` and the usual words
    are a pass, and forced passes may be left out. A board is set up in the root alone. SZ other
    than 8, GM other than 2 and a second game in the text are errors.

    >>> game = parse("(;GM[2]PB[Ann]RE[B+6];B[f5];W[f6](;B[e6];W[d6]V[1.5])(;B[f7]))")
    >>> game.transcript(), game.headers, game.node.value
    ('f5f6e6d6', {'black': 'Ann', 'result': '+6'}, -1.5)
    """
    return _game(GameText(text))


def read(
    file: BinaryIO, source: str | None = None, on_error: OnError | None = None
) -> Iterator[Game]:
    """Yield the games of a binary file one by one, each of at most 1 MB.

    Text is UTF-8, or else Latin-1. A game that cannot be read is told to `on_error` and skipped;
    without one its FormatError is raised.

    >>> import io
    >>> [game.transcript() for game in read(io.BytesIO(b"(;GM[2];B[f5]) (;GM[2];B[c4])"))]
    ['f5', 'c4']
    """
    for text in split_games(file, source):
        try:
            if isinstance(text, FormatError):
                raise text
            game = _game(text)
        except FormatError as error:
            tell(error, on_error)
        else:
            yield game


def dumps(game: Game) -> str:
    """Return a game as one text in SGF that says all that the game has.

    >>> print(dumps(Game.from_transcript("f5d6", headers={"black": "Ann", "result": "+6"})))
    (;FF[4]GM[2]SZ[8]CA[UTF-8]PB[Ann]RE[B+6]AB[e4][d5]AW[d4][e5]PL[B]
    ;B[f5];W[d6])
    """
    start = game.start
    root = game.root
    parts = ["(;FF[4]GM[2]SZ[8]CA[UTF-8]", *written_headers(game.headers), *_written_board(start)]
    parts += _written_notes(root, start.turn.opponent)
    turns = {root: start.turn}  # the side to move after a node
    waiting: list[Node | str] = [*reversed(_branches(root))]
    written = 0
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        assert node.parent is not None and node.move is not None
        side = turns[node.parent]
        turns[node] = side.opponent
        name = "PA" if node.move == PASS else SQUARE_NAMES[node.move]
        parts.append("\n" * (written % _MOVES_A_LINE == 0))
        parts += f";{'B' if side is BLACK else 'W'}[{name}]", *_written_notes(node, side)
        written += 1
        waiting += reversed(_branches(node))
    parts.append(")")
    return "".join(parts)


def write(file: BinaryIO, games: Iterable[Game]) -> int:
    """Write games one below the other, as UTF-8, and return how many.

    >>> import io
    >>> write(io.BytesIO(), [Game(), Game()])
    2
    """
    count = 0
    for game in games:
        file.write((dumps(game) + "\n").encode())
        count += 1
    return count


FORMAT = Format("sgf", (".sgf",), read, write)


# --- Reading ------------------------------------------------------------------------------------


def _game(text: GameText) -> Game:
    if "\r" in text.text:
        text = replace(text, text=text.text.replace("\r\n", "\n").replace("\r", "\n"))
    steps = list(events(text))
    root = steps[1]
    _check_kind(text, root.properties)
    game = Game(_start(text, steps), read_headers(text, root.properties))
    branches: list[Node] = []
    for step in steps[1:]:
        if step.mark == "(":
            branches.append(game.node)
        elif step.mark == ")":
            if branches:
                game.go_to(branches.pop())
        else:
            if step is not root:
                _refuse_setup(text, step)
            _play(text, game, step)
    game.go_to_end()
    return game


def _check_kind(text: GameText, root: Properties) -> None:
    """Refuse other games and other boards; a game that names none shows by its moves."""
    for name, expected, what in (("GM", ("2",), "Othello"), ("SZ", ("8", "8:8"), "an 8x8 board")):
        if name in root:
            said, at = single(text, root, name)
            if said.strip() not in expected:
                reason = f"{name} is {shown(said)}, not {what}; expected {name}[{expected[0]}]"
                raise text.fault(at, reason, "unsupported")


def _start(text: GameText, steps: list[Event]) -> Board:
    root = steps[1].properties
    cells = Board().cells()
    named: set[int] = set()
    for name, disc in zip(_SETUP, (-1, 1, 0), strict=True):
        for value in root.get(name, ()):
            for sq in _squares(text, value.raw, value.at):
                if sq in named:
                    reason = f"{name} sets up {SQUARE_NAMES[sq]} a second time"
                    raise text.fault(value.at, reason, "board")
                named.add(sq)
                cells[sq] = disc
    unnamed = [name for name in _CENTRE if named and SQUARE_NAMES.index(name) not in named]
    if unnamed:
        raise text.fault(
            steps[1].at,
            f"the board that is set up says nothing of {' '.join(unnamed)};"
            " expected them in AB, AW or, for an empty square, AE",
            "board",
        )
    return Board.from_cells(cells, _turn(text, steps, bool(named)))


def _squares(text: GameText, raw: str, at: int) -> list[int]:
    """Return the squares of a point, or of a rectangle such as ``a1:c3``."""
    pair = split_pair(raw) or (raw, raw)
    first, last = [_move(text, corner, at) for corner in pair]
    if PASS in (first, last):
        raise text.fault(at, f"{shown(raw)} is no square to set up", "board")
    columns = sorted((first % 8, last % 8))
    rows = sorted((first // 8, last // 8))
    return [
        8 * row + column
        for row in range(rows[0], rows[1] + 1)
        for column in range(columns[0], columns[1] + 1)
    ]


def _turn(text: GameText, steps: list[Event], set_up: bool) -> Color:
    """Return who moves first: by PL, or else by the first move, which says its colour."""
    root = steps[1].properties
    if "PL" in root:
        said, at = single(text, root, "PL")
        turn = _TURNS.get(said.strip().upper())
        if turn is None:
            raise text.fault(at, f"PL is {shown(said)}; expected PL[B] or PL[W]")
        return turn
    for step in steps:
        for name, side in _SIDES.items():
            if name in step.properties:
                return side
    if set_up:
        reason = "the side to move is missing; expected PL[B] or PL[W] with the board"
        raise text.fault(steps[1].at, reason, "board")
    return BLACK


def _refuse_setup(text: GameText, step: Event) -> None:
    for name in (*_SETUP, "PL"):
        if name in step.properties:
            reason = f"{name} after the first node; a board can be set up in the first alone"
            raise text.fault(step.at, reason, "unsupported")


def _play(text: GameText, game: Game, step: Event) -> None:
    """Play a node's move, or stay where it has none, and note there what the node says."""
    sides = [name for name in _SIDES if name in step.properties]
    if len(sides) > 1:
        raise text.fault(step.at, "a node with two moves, B and W; expected one")
    side = game.turn.opponent
    if sides:
        said, at = single(text, step.properties, sides[0])
        side = _SIDES[sides[0]]
        move = _move(text, said, at)
        if side is not game.turn:
            if PASS not in game.legal_moves:
                colour, turn = side.name.lower(), game.turn.name.lower()
                reason = f"a move of {colour}; {turn} is to move"
                raise text.fault(at, reason, "illegal move")
            game.push(PASS)
        try:
            game.push(move)
        except IllegalMoveError as error:
            raise text.fault(at, str(error), "illegal move") from None
    _note(text, game.node, step.properties, side)


def _move(text: GameText, said: str, at: int) -> int:
    name = said.strip().lower()
    if name in ("", "tt"):
        return PASS
    if len(name) == 2 and max(name) <= "h" and min(name) >= "a":
        return 8 * (ord(name[1]) - ord("a")) + ord(name[0]) - ord("a")
    try:
        return parse_move(name[:24])
    except InvalidMoveError as error:
        raise text.fault(at, str(error)) from None


def _note(text: GameText, node: Node, properties: Properties, side: Color) -> None:
    if "C" in properties:
        said = single(text, properties, "C")[0]
        node.comment = f"{node.comment}\n{said}" if node.comment else said
    if "V" in properties:
        value = _number(text, properties, "V")
        node.value = value if side is BLACK else 0 - value
    if "SECONDS" in properties:
        node.seconds = _number(text, properties, "SECONDS")


def _number(text: GameText, properties: Properties, name: str) -> float:
    said, at = single(text, properties, name)
    number = float(said) if _NUMBER.fullmatch(said.strip()) else float("nan")
    if not isfinite(number):
        raise text.fault(at, f"{name} is {shown(said)}; expected a number such as -2.5")
    return number


# --- Writing ------------------------------------------------------------------------------------


def _written_board(start: Board) -> Iterator[str]:
    cells = start.cells()
    for name, disc in zip(_SETUP, (-1, 1, 0), strict=True):
        squares = [square for square, cell in zip(SQUARE_NAMES, cells, strict=True) if cell == disc]
        if disc == 0:
            squares = [square for square in squares if square in _CENTRE]
        if squares:
            yield name + "".join(f"[{square}]" for square in squares)
    yield f"PL[{'B' if start.turn is BLACK else 'W'}]"


def _written_notes(node: Node, side: Color) -> Iterator[str]:
    if node.value is not None:
        yield f"V[{_plain(node.value if side is BLACK else 0 - node.value)}]"
    if node.seconds is not None:
        yield f"SECONDS[{_plain(node.seconds)}]"
    if node.comment:
        yield f"C[{escaped(node.comment)}]"


def _plain(number: float) -> str:
    """Return the digits of a number, all that are needed to read it back, and no exponent."""
    return f"{Decimal(repr(float(number))):f}".removesuffix(".0")


def _branches(node: Node) -> list[Node | str]:
    """Return what follows a node: the next move, or each variation in its brackets."""
    if len(node.children) < 2:
        return [*node.children]
    return [part for child in node.children for part in ("\n(", child, ")")]

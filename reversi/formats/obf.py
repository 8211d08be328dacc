"""OBF, files of positions: 64 cells, the side to move, what moves are worth: ``h5:+6; g6:-2;``.

A position is read as a `Problem`, which is what solvers check their answers by, or as a game that
starts there and has no moves, with the values as headers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from reversi.board import Board
from reversi.errors import FormatError, InvalidBoardError
from reversi.formats.base import Format, OnError, shown, tell, text_lines
from reversi.game import Game
from reversi.squares import PASS, parse_move, square_name

__all__ = ["FORMAT", "Problem", "check", "dumps", "parse", "parse_problem", "read", "write"]

_ENTRY = re.compile(r"(?:(?P<move>[^:]+?)\s*:\s*)?(?P<score>[+-]?\d{1,9})", re.ASCII)
_COLUMN = re.compile(r"column (\d+): ")
_LIST_END = -127  # some writers end a list of moves with a pass of this score


@dataclass(frozen=True, slots=True)
class Problem:
    """One position, with the values that its line gives: discs, view of the side to move.

    ``name`` is the file, or what else the line comes from, and ``line`` its number there.
    """

    board: Board
    name: str
    line: int | None
    move_values: dict[int, int] = field(default_factory=dict)
    bare_value: int | None = None

    @property
    def place(self) -> str:
        """Where the position stands, as errors and progress name it."""
        return self.name if self.line is None else f"{self.name}:{self.line}"

    @property
    def expected(self) -> int | None:
        """The position's value by its line, None where the line gives none."""
        if self.bare_value is not None:
            return self.bare_value
        return max(self.move_values.values(), default=None)


def parse_problem(text: str, name: str = "OBF", line: int | None = None) -> Problem:
    """Return the position and the values of one line: a board, a side, then ``MOVE:score;``.

    ``name`` and ``line`` say where the text stands. Raises FormatError that names the line, the
    column and what was expected.

    >>> problem = parse_problem(f"{Board().obf()}; d3:+0; c4:+0;", "start.obf", 1)
    >>> problem.board == Board(), problem.expected
    (True, 0)
    """
    board_text, _, tail = text.partition(";")

    def fault(column: int, reason: str, kind: str) -> FormatError:
        place = f"column {column}" if line is None else f"line {line}, column {column}"
        return FormatError(reason, kind, name, None, place)

    try:
        board = Board.from_obf(board_text)
    except InvalidBoardError as error:
        # The board's reader names a wrong character's column; what is missing, is at the end.
        named = _COLUMN.match(str(error))
        column = int(named[1]) if named else len(board_text.rstrip()) + 1
        raise fault(column, _COLUMN.sub("", str(error)), "board") from None
    move_values: dict[int, int] = {}
    bare_value = None
    for found in re.finditer(r"[^;\s][^;]*", tail):
        column = len(board_text) + 1 + found.start() + 1
        try:
            move, value = _parse_entry(found.group().strip())
        except ValueError as error:
            raise fault(column, str(error), "syntax") from None
        if move == PASS and value == _LIST_END:
            continue
        if move is None:
            bare_value = value
        elif board.is_legal(move):
            move_values[move] = value
        else:
            reason = f"{found.group().partition(':')[0].strip()} is no legal move here"
            raise fault(column, reason, "illegal move")
    return Problem(board, name, line, move_values, bare_value)


def _parse_entry(entry: str) -> tuple[int | None, int]:
    """Return move and score; the move of a bare score is None. Raises ValueError."""
    match = _ENTRY.fullmatch(entry)
    if match is None:
        raise ValueError(f"{shown(entry)} is neither MOVE:score nor a score")
    value = int(match["score"])
    move = None if match["move"] is None else parse_move(match["move"])
    if not -64 <= value <= 64 and (move, value) != (PASS, _LIST_END):
        raise ValueError(f"score {value}; expected -64 to 64")
    return move, value


# --- Positions as games ---------------------------------------------------------------------------


def parse(text: str) -> Game:
    """Return the game that starts at the position of a line, and has no moves.

    The header ``values`` tells what moves are worth, ``value`` what the position is: discs, in the
    view of the side to move. Raises FormatError as `parse_problem` does.

    >>> parse(f"{Board().obf()}; d3:+0; C4:-2;").headers
    {'values': 'd3:+0 c4:-2'}
    """
    try:
        return _game(parse_problem(text))
    except FormatError as error:
        raise FormatError(error.reason, error.kind, place=error.place) from None


def read(
    file: BinaryIO, source: str | None = None, on_error: OnError | None = None
) -> Iterator[Game]:
    """Yield the positions of a binary file in OBF as games, one a line.

    Blank lines and those that begin with ``%`` are skipped. ``source`` is the name that errors give
    the file. A line that cannot be read is told to ``on_error`` and skipped; without ``on_error``
    FormatError is raised.

    >>> from io import BytesIO
    >>> file = BytesIO(Board().obf().encode() + b"; +0;")
    >>> [game.headers for game in read(file)]
    [{'value': '+0'}]
    """
    number = 0
    for line, text in text_lines(file, source, on_error):
        if text.lstrip().startswith("%"):
            continue
        number += 1
        try:
            game = _game(parse_problem(text, "", line))
        except FormatError as error:
            tell(FormatError(error.reason, error.kind, source, number, error.place), on_error)
        else:
            yield game


def dumps(game: Game) -> str:
    """Return the position at the end of the main line; without moves, with the headers' values.

    Raises FormatError as `check` does.

    >>> dumps(Game(headers={"values": "d3:+0 c4:-2"}))[-17:]
    ' X; D3:+0; C4:-2;'
    """
    return game.final_board().obf() if len(game) else _checked_line(game)


def check(game: Game) -> None:
    """Raise FormatError for a game without moves whose headers ``value`` and ``values`` hold
    something else than OBF does.

    >>> check(Game(headers={"value": "good"}))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    reversi.errors.FormatError: the headers value and values: 'GOOD' is neither MOVE:score nor ...
    """
    if not len(game):
        _checked_line(game)


def _checked_line(game: Game) -> str:
    names = ("values", "value")
    entries = [entry for name in names for entry in game.headers.get(name, "").upper().split()]
    line = "; ".join([game.start.obf(), *entries])
    try:
        parse(line)
    except FormatError as error:
        reason = f"the headers value and values: {error.reason}"
        raise FormatError(reason, error.kind) from None
    return f"{line};" if entries else line


def write(file: BinaryIO, games: Iterable[Game]) -> int:
    """Write the games' last positions to a binary file, one a line, and return their number.

    >>> from io import BytesIO
    >>> write(BytesIO(), [Game(), Game()])
    2
    """
    count = 0
    for game in games:
        file.write(dumps(game).encode("ascii") + b"\n")
        count += 1
    return count


def _game(problem: Problem) -> Game:
    headers = {}
    if problem.move_values:
        values = problem.move_values.items()
        headers["values"] = " ".join(f"{square_name(move)}:{value:+d}" for move, value in values)
    if problem.bare_value is not None:
        headers["value"] = f"{problem.bare_value:+d}"
    return Game(problem.board, headers)


FORMAT = Format("obf", (".obf",), read, write, check)

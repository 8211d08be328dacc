"""Where a BOARD comes from: an argument, a file of positions, or standard input.

Owns the reading of position files line by line and their errors, which name the file, the line
and the column. What a board's text means is the board's own business.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import click

from reversi import PASS, Board, InvalidBoardError, parse_move

STANDARD_INPUT = "standard input"
_NOT_GIVEN = (
    "no BOARD given; expected 64 characters and a side in quotes, 'start', a file, "
    "or a board on standard input"
)
_ENTRY = re.compile(r"(?:(?P<move>[^:]+?)\s*:\s*)?(?P<score>[+-]?\d+)", re.ASCII)
_COLUMN = re.compile(r"column (\d+): ")
_LIST_END = -127  # some writers end a list of moves with a pass of this score


@dataclass(frozen=True, slots=True)
class Problem:
    """One position, with the values that its line gives: discs, view of the side to move."""

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


@dataclass(frozen=True, slots=True)
class Source:
    """The positions that an argument stands for, read as they are asked for."""

    problems: Iterator[Problem]
    is_set: bool


def read_board(argument: str | None) -> Board:
    """Return the one board that an argument, a file or standard input holds.

    Raises click.ClickException when there is none, more than one, or a malformed one.

    >>> read_board("start") == Board()
    True
    """
    problems = open_source(argument).problems
    first = next(problems)
    second = next(problems, None)
    if second is not None:
        raise click.ClickException(f"{second.place}: a second position; this command takes one")
    return first.board


def open_source(argument: str | None) -> Source:
    """Return the positions that an argument stands for; a file's are read one by one.

    Without an argument standard input is read, if it is no terminal. Raises click.UsageError
    where no board is given; the iterator raises click.ClickException at a malformed line,
    and at the end of a file without a position.

    >>> [problem.board.empties for problem in open_source("start").problems]
    [60]
    """
    if sys.stdin.isatty() if argument is None else not argument.strip():
        raise click.UsageError(_NOT_GIVEN)
    if argument is None or argument == "-":
        return Source(_from_standard_input(), is_set=True)
    if argument == "start":
        return Source(iter([Problem(Board(), "BOARD", None)]), is_set=False)
    if _is_file(argument):
        return Source(_from_file(Path(argument)), is_set=True)
    return Source(iter([_from_argument(argument.strip())]), is_set=False)


def parse_problem(text: str, name: str, line: int | None = None) -> Problem:
    """Return the position and the values of one line: a board, a side, then ``MOVE:score;``.

    ``name`` and ``line`` say where the text stands. Raises click.ClickException that names them,
    the column and what was expected.

    >>> problem = parse_problem(f"{Board().obf()}; d3:+0; c4:+0;", "start.obf", 1)
    >>> problem.board == Board(), problem.expected
    (True, 0)
    """

    def fail(column: int, message: str) -> NoReturn:
        where = f"{name}: column {column}" if line is None else f"{name}:{line}:{column}"
        raise click.ClickException(f"{where}: {message}")

    board_text, _, tail = text.partition(";")
    try:
        board = Board.from_obf(board_text)
    except InvalidBoardError as error:
        # The board's reader names a wrong character's column; what is missing, is at the end.
        named = _COLUMN.match(str(error))
        column = int(named[1]) if named else len(board_text.rstrip()) + 1
        fail(column, _COLUMN.sub("", str(error)))
    move_values: dict[int, int] = {}
    bare_value = None
    for found in re.finditer(r"[^;\s][^;]*", tail):
        try:
            move, value = _parse_entry(found.group().strip(), board)
        except ValueError as error:
            fail(len(board_text) + 1 + found.start() + 1, str(error))
        if move is None:
            bare_value = value
        elif value != _LIST_END:
            move_values[move] = value
    return Problem(board, name, line, move_values, bare_value)


def _parse_entry(entry: str, board: Board) -> tuple[int | None, int]:
    """Return move and score; the move of a bare score is None. Raises ValueError."""
    match = _ENTRY.fullmatch(entry)
    if match is None:
        raise ValueError(f"{entry!r} is neither MOVE:score nor a score")
    value = int(match["score"])
    move = None if match["move"] is None else parse_move(match["move"])
    if move == PASS and value == _LIST_END:
        return move, value
    if not -64 <= value <= 64:
        raise ValueError(f"score {value}; expected -64 to 64")
    if move is not None and not board.is_legal(move):
        raise ValueError(f"{match['move']} is no legal move here")
    return move, value


def _from_argument(text: str) -> Problem:
    # A short text is rather the misspelt name of a file than a board.
    name = "BOARD" if len(text) > 48 else f"no file {text!r}; as a BOARD"
    return parse_problem(text, name)


def _from_file(path: Path) -> Iterator[Problem]:
    # A wrong byte shows up as a wrong character, which the board's reader points at.
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        yield from _problems(lines, str(path))


def _from_standard_input() -> Iterator[Problem]:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
    yield from _problems(sys.stdin, STANDARD_INPUT)


def _problems(lines: Iterable[str], name: str) -> Iterator[Problem]:
    found = False
    for number, text in enumerate(lines, start=1):
        if text.strip() and not text.lstrip().startswith("%"):
            found = True
            yield parse_problem(text.rstrip("\n"), name, number)
    if not found:
        raise click.ClickException(f"{name}: no position found")


def _is_file(argument: str) -> bool:
    try:
        return Path(argument).exists()
    except OSError:  # a board's text can be longer than a file's name may be
        return False

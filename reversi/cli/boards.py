"""Where a BOARD comes from: an argument, a file of positions, or standard input.

Owns the choice between these, and how their errors name file, line and column. What a line means
is the business of the format OBF, and of `parse_any` what else people paste: a board in rows, or
moves, of which the position at the end is meant.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from reversi import AmbiguousError, Board, FormatError, parse_any
from reversi.formats import format_of
from reversi.formats.obf import Problem, parse_problem

STANDARD_INPUT = "standard input"
_NOT_GIVEN = (
    "no BOARD given; expected 64 characters and a side in quotes, 'start', a file, "
    "or a board on standard input"
)
# Moves, or the bracket before a game; of other texts OBF's reader says best what is wrong.
_LIKE_A_GAME = re.compile(r"\s*(?:1\s*[.)]?\s*)?[a-h]\s*[1-8]|\s*[({\[]", re.IGNORECASE)


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
    problems = _from_argument(argument.strip())
    return Source(iter(problems), is_set=len(problems) > 1)


def _problem(text: str, name: str, line: int | None = None) -> Problem:
    try:
        return parse_problem(text, name, line)
    except FormatError as error:
        column = (error.place or "").rpartition(" ")[2]
        where = f"{name}: column {column}" if line is None else f"{name}:{line}:{column}"
        raise click.ClickException(f"{where}: {error.reason}") from None


def _from_argument(text: str) -> list[Problem]:
    # A short text is rather the misspelt name of a file than a board.
    name = "BOARD" if len(text) > 48 else f"no file {text!r}; as a BOARD"
    try:
        return [_problem(text, name)]
    except click.ClickException as fault:
        return [Problem(board, "BOARD", None) for board in _pasted(text, name, fault)]


def _from_file(path: Path) -> Iterator[Problem]:
    _refuse_games(path)
    # A wrong byte shows up as a wrong character, which the board's reader points at.
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        yield from _problems(lines, str(path))


def _refuse_games(path: Path) -> None:
    """Raise click.ClickException for a file whose ending says that it holds games."""
    try:
        format = format_of(path).name
    except FormatError:
        return
    if format not in ("obf", "transcript"):  # people name their lists of positions .txt
        how = f"reversi analyse {path}, or reversi convert {path} positions.obf"
        reason = f"a file of games by its ending; expected positions in OBF; games: {how}"
        raise click.ClickException(f"{path}: {reason}")


def _from_standard_input() -> Iterator[Problem]:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
    yield from _problems(sys.stdin, STANDARD_INPUT, may_be_pasted=True)


def _problems(lines: Iterable[str], name: str, may_be_pasted: bool = False) -> Iterator[Problem]:
    found = False
    lines = iter(lines)
    for number, text in enumerate(lines, start=1):
        if not text.strip() or text.lstrip().startswith("%"):
            continue
        try:
            problem = _problem(text.rstrip("\n"), name, number)
        except click.ClickException as fault:
            if found or not may_be_pasted:
                raise
            whole = "\n" * (number - 1) + text + "".join(lines)
            yield from (Problem(board, name, None) for board in _pasted(whole, name, fault))
            return
        found = True
        yield problem
    if not found:
        raise click.ClickException(f"{name}: no position found")


def _pasted(text: str, name: str, fault: click.ClickException) -> list[Board]:
    """Return the last positions of what a text holds that is no OBF, where `fault` says why not.

    Raises click.ClickException: that fault, or what is wrong with a game or a board in rows.
    """
    try:
        return [game.final_board() for game in parse_any(text).games]
    except FormatError as error:
        in_rows = isinstance(error, AmbiguousError) and "\n" in text.strip()
        if in_rows or _LIKE_A_GAME.match(text):
            raise click.ClickException(f"{name}: {error}") from None
        raise fault from None


def _is_file(argument: str) -> bool:
    try:
        return Path(argument).exists()
    except OSError:  # a board's text can be longer than a file's name may be
        return False

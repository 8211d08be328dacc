"""What all readers and writers share: what a format is, how a fault is told, how text is decoded,
and how moves from a file become a game. Knows no format.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO, TypeAlias

from reversi.board import Board
from reversi.errors import FormatError, IllegalMoveError
from reversi.game import Game

# Told of each game that cannot be read, which is then skipped; without one the fault is raised.
OnError: TypeAlias = Callable[[FormatError], object]

# A game that is longer is damaged: with all its notes one has some thousands of bytes.
MAX_GAME_BYTES = 1_000_000

CHUNK_BYTES = 1 << 16
_MAX_SHOWN = 24

# The value and the seconds of a move, None where the file has none.
Note: TypeAlias = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: its name, the endings of its files, and what reads and writes it.

    ``read(file, source, on_error)`` yields the games of a binary file one by one, in constant
    memory; ``write(file, games)`` writes them and returns how many; ``check(game)``, where there
    is one, raises FormatError for a game that the format cannot hold.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[BinaryIO, str | None, OnError | None], Iterator[Game]]
    write: Callable[[BinaryIO, Iterable[Game]], int]
    check: Callable[[Game], None] | None = None


def tell(error: FormatError, on_error: OnError | None) -> None:
    """Tell the caller of a fault, or raise it if the caller does not want to be told."""
    if on_error is None:
        raise error
    on_error(error)


def decode(data: bytes) -> str:
    """Return the text of bytes in UTF-8, or in Latin-1 where they are none.

    >>> decode(b"caf\\xc3\\xa9") == decode(b"caf\\xe9")
    True
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def text_lines(
    file: BinaryIO, source: str | None = None, on_error: OnError | None = None
) -> Iterator[tuple[int, str]]:
    """Yield the numbers and the texts of a file's lines, but for blank ones; too long ones are
    told as faults, and so is a file in UTF-16, of which nothing comes.

    >>> from io import BytesIO
    >>> list(text_lines(BytesIO(b"f5d6\\n\\nc4\\n")))
    [(1, 'f5d6'), (3, 'c4')]
    """
    number = 0
    while data := file.readline(MAX_GAME_BYTES + 1):
        if number == 0 and data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            reason = "the text is in UTF-16; expected UTF-8"
            tell(FormatError(reason, "unsupported", source), on_error)
            return
        if len(data) > MAX_GAME_BYTES:
            number += 1
            reason = f"too long: more than {MAX_GAME_BYTES} bytes in a line"
            tell(FormatError(reason, "too long", source, None, f"line {number}"), on_error)
            while data and not data.endswith(b"\n"):
                data = file.readline(CHUNK_BYTES)
            continue
        # Old files end lines by \r alone; taken for a blank it would make two games one.
        for line in decode(data.rstrip(b"\r\n")).split("\r"):
            number += 1
            if text := line.lstrip("\ufeff").rstrip():
                yield number, text


def place_of(text: str, at: int, line: int = 1, column: int = 1) -> str:
    """Return in words where an index of a text is, of which line and column of the file are known.

    >>> place_of("(;GM\\n[Go]", 6), place_of("(;GM\\n[Go]", 3, line=7, column=101)
    ('line 2, column 2', 'line 7, column 104')
    """
    line_start = text.rfind("\n", 0, at) + 1
    first = 1 if line_start else column
    return f"line {line + text.count(chr(10), 0, at)}, column {at - line_start + first}"


def shown(text: str) -> str:
    """Return a text in quotes as an error shows it, cut where it is long.

    >>> shown("f5"), shown("f5d6c3" * 5)
    ("'f5'", "'f5d6c3f5d6c3f5d6c3f5d6c3'...")
    """
    return repr(text) if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]!r}..."


class UnplayableError(IllegalMoveError):
    """A move of a file that cannot be played: its index among the file's moves, and why not."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(reason)
        self.index = index
        self.reason = reason


def game_of(
    moves: bytes,
    start: Board | None = None,
    headers: dict[str, str] | None = None,
    notes: Sequence[Note] = (),
) -> Game:
    """Return the game of these moves, 0 to 64 each; forced passes may be left out.

    ``notes`` are empty or one a move. Raises UnplayableError for the first move that is not legal.

    >>> game_of(bytes([37, 43]), notes=[(0.5, None), (None, 2.0)]).main_line().__next__().value
    0.5
    """
    game = Game(start, headers)
    try:
        game._extend(moves, ())
    except IllegalMoveError as error:
        where, _, reason = str(error).partition(": ")
        raise UnplayableError(int(where.removeprefix("move ")) - 1, reason) from None
    if notes and any(note != (None, None) for note in notes):
        game._notes = notes if len(game._line) == len(moves) else _spread(game._line, moves, notes)
    return game


def _spread(line: bytes, moves: bytes, notes: Sequence[Note]) -> list[Note]:
    """Return the notes for a line in which passes were put between the moves."""
    spread: list[Note] = []
    taken = 0
    for move in line:
        given = taken < len(moves) and moves[taken] == move
        spread.append(notes[taken] if given else (None, None))
        taken += given
    return spread

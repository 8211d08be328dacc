"""Colours, squares and moves by number and by name. Knows no board and no rule.

A square is ``row * 8 + column`` with row 0 at the top: a1 = 0, h1 = 7, a8 = 56, h8 = 63.
A move is a square or ``PASS`` = 64.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from enum import IntEnum
from typing import SupportsIndex

from reversi.errors import InvalidMoveError

# fmt: off
__all__ = [  # noqa: RUF022  (the squares stand as on the board)
    "BLACK", "EMPTY", "PASS", "SQUARE_NAMES", "WHITE", "Color", "parse_move", "parse_square",
    "read_moves", "square_name",
    "A1", "B1", "C1", "D1", "E1", "F1", "G1", "H1",
    "A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2",
    "A3", "B3", "C3", "D3", "E3", "F3", "G3", "H3",
    "A4", "B4", "C4", "D4", "E4", "F4", "G4", "H4",
    "A5", "B5", "C5", "D5", "E5", "F5", "G5", "H5",
    "A6", "B6", "C6", "D6", "E6", "F6", "G6", "H6",
    "A7", "B7", "C7", "D7", "E7", "F7", "G7", "H7",
    "A8", "B8", "C8", "D8", "E8", "F8", "G8", "H8",
]
# fmt: on


class Color(IntEnum):
    """A side, with the number that stands for its discs in a list of cells.

    >>> Color.BLACK.opponent
    <Color.WHITE: 1>
    >>> Color.BLACK.symbol, Color.WHITE.symbol
    ('X', 'O')
    """

    BLACK = -1
    WHITE = 1

    @property
    def opponent(self) -> Color:
        """The other side."""
        return Color(-self)

    @property
    def symbol(self) -> str:
        """``'X'`` for black and ``'O'`` for white, as in OBF."""
        return "X" if self is Color.BLACK else "O"


BLACK = Color.BLACK
WHITE = Color.WHITE
EMPTY = 0
PASS = 64

A1, B1, C1, D1, E1, F1, G1, H1 = range(8)
A2, B2, C2, D2, E2, F2, G2, H2 = range(8, 16)
A3, B3, C3, D3, E3, F3, G3, H3 = range(16, 24)
A4, B4, C4, D4, E4, F4, G4, H4 = range(24, 32)
A5, B5, C5, D5, E5, F5, G5, H5 = range(32, 40)
A6, B6, C6, D6, E6, F6, G6, H6 = range(40, 48)
A7, B7, C7, D7, E7, F7, G7, H7 = range(48, 56)
A8, B8, C8, D8, E8, F8, G8, H8 = range(56, 64)

SQUARE_NAMES: tuple[str, ...] = tuple(
    f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh"
)

_SQUARES = {name: sq for sq, name in enumerate(SQUARE_NAMES)}
_PASS_NAMES = ("pass", "pa", "ps", "--", "@@@@")

# Move numbers are dropped; a line may be broken between a move's letter and its digit.
_SKIPPED = re.compile(r"(?:\s|\d+\.)*")
_WRITTEN_MOVE = re.compile(r"[a-h]\s*[1-8]|" + "|".join(_PASS_NAMES), re.IGNORECASE)


def square_name(sq: int) -> str:
    """Return the name of a move, 0 to 64: ``'a1'`` to ``'h8'``, or ``'pass'`` for 64.

    Raises InvalidMoveError for any other value.

    >>> square_name(37), square_name(PASS)
    ('f5', 'pass')
    """
    move = _checked_number(sq)
    return "pass" if move == PASS else SQUARE_NAMES[move]


def parse_square(text: str) -> int:
    """Return the square, 0 to 63, of a name from ``'a1'`` to ``'h8'`` in either case.

    Raises InvalidMoveError for anything else.

    >>> parse_square("f5"), parse_square("H8")
    (37, 63)
    >>> parse_square("5f")
    Traceback (most recent call last):
    reversi.errors.InvalidMoveError: '5f' is not a square; did you mean 'f5'?
    """
    if not isinstance(text, str):
        raise InvalidMoveError(
            f"a square is a name from 'a1' to 'h8', not {text!r} of type {type(text).__name__}"
        )
    sq = _SQUARES.get(text.lower())
    if sq is None:
        raise InvalidMoveError(f"{text!r} is not a square; {_hint(text, 'a1 to h8')}")
    return sq


def parse_move(move: SupportsIndex | str) -> int:
    """Return the number of a move, 0 to 64, from a number or a text.

    A number is anything with ``__index__``; a text is a square's name, or one of ``pass``,
    ``pa``, ``ps``, ``--`` and ``@@@@`` for a pass, in either case. Raises InvalidMoveError
    for anything else.

    >>> parse_move("F5"), parse_move(37), parse_move("pass")
    (37, 37, 64)
    >>> parse_move("z9")
    Traceback (most recent call last):
    reversi.errors.InvalidMoveError: 'z9' is not a move; expected a1 to h8, or pass
    """
    if not isinstance(move, str):
        return _checked_number(move)
    text = move.lower()
    sq = _SQUARES.get(text)
    if sq is not None:
        return sq
    if text in _PASS_NAMES:
        return PASS
    raise InvalidMoveError(f"{move!r} is not a move; {_hint(move, 'a1 to h8, or pass')}")


def read_moves(text: str) -> Iterator[tuple[str, int]]:
    """Yield for each move of a transcript where it stands, in words, and its number, 0 to 64.

    Squares and passes may be in either case, run together or be spaced; numbers such as ``12.``
    are skipped. Whether the moves are legal is another matter. Raises InvalidMoveError, on
    reaching it, for what is no move.

    >>> list(read_moves("1. F5 d6"))
    [('move 1, column 4', 37), ('move 2, column 7', 43)]
    """
    number = line = 1
    line_start = counted = 0
    has_lines = "\n" in text.strip()
    at = _end_of_skipped(text, 0)
    while at < len(text):
        line += text.count("\n", counted, at)
        line_start = max(line_start, text.rfind("\n", counted, at) + 1)
        counted = at
        lines = f"line {line}, " if has_lines else ""
        where = f"move {number}, {lines}column {at - line_start + 1}"
        written = _WRITTEN_MOVE.match(text, at)
        if written is None:
            wrong = text[at : at + 2].strip()
            hint = _hint(wrong, "a1 to h8, or a pass")
            raise InvalidMoveError(f"{where}: {wrong!r} is not a move; {hint}")
        yield where, parse_move("".join(written.group().split()))
        at = _end_of_skipped(text, written.end())
        number += 1


def _end_of_skipped(text: str, start: int) -> int:
    skipped = _SKIPPED.match(text, start)
    return skipped.end() if skipped else start


def _checked_number(move: SupportsIndex) -> int:
    try:
        number = operator.index(move)
    except TypeError:
        raise InvalidMoveError(
            f"a move is a number or a name, not {move!r} of type {type(move).__name__}"
        ) from None
    if not 0 <= number <= PASS:
        raise InvalidMoveError(f"{number} is not a move; expected 0 to 63, or 64 for a pass")
    return number


def _hint(text: str, expected: str) -> str:
    """Guess at the two slips that people make: rank before file, and spaces around the name."""
    for guess in (text.strip().lower(), text.strip().lower()[::-1]):
        if guess in _SQUARES:
            return f"did you mean {guess!r}?"
    return f"expected {expected}"

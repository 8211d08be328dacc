"""A board as people print and paste it: in one line, in rows, with coordinates around it, with a
side to move before it, behind it, or none. Knows no game: what follows the board is left alone.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from reversi.errors import FormatError
from reversi.formats.base import place_of, shown
from reversi.squares import BLACK, SQUARE_NAMES, WHITE, Color

__all__ = ["Grid", "read_grid"]

_CELLS = {
    **dict.fromkeys("XxBb*●", -1),
    **dict.fromkeys("OoWw○", 1),
    **dict.fromkeys("-.·", 0),
}
_COLOURS = {-1: "black", 1: "white"}
_SEPARATORS = "|/"
_HEAD = re.compile(r"\s*" + r"[\s|]*".join("abcdefgh") + r"\s*", re.IGNORECASE)
_ROW_NUMBER = re.compile(r"\s*([1-8])(?=[\s|.)])[.)]?")
_SIDES = {
    **dict.fromkeys(["black", "x", "b", "*", "●"], BLACK),
    **dict.fromkeys(["white", "o", "w", "○"], WHITE),
}
_SIDE = r"(black|white|[xobw*●○])(?:\s*\([xo]\))?"
_TURN = r"(?:to\s+move|to\s+play|must\s+pass|turn)"
_DISCS = r"black\s+\d+,\s*white\s+\d+(?:,\s*\d+\s+empty)?"
_BEFORE = re.compile(rf"\s*(?:{_TURN}\s*[:=]\s*{_SIDE}|{_SIDE}\s+{_TURN}\s*:?)\s*", re.IGNORECASE)
# A letter that a digit follows is no side: "b4" is a move.
_BEHIND = re.compile(
    rf"[\s,|]*(?:{_TURN}\s*[:=]\s*)?{_SIDE}(?!\s*[1-8])(?:\s+{_TURN})?(?:;\s*{_DISCS})?",
    re.IGNORECASE,
)
# What is printed below the board of a game that is over.
_OVER = re.compile(
    rf"\s*(?:(?:[xo●○]|black|white)\s+wins\s+\d+-\d+|draw\s+\d+-\d+|{_DISCS})", re.IGNORECASE
)


class Grid(NamedTuple):
    """What was read: 64 cells (-1 black, 1 white, 0 empty), the side to move if it is said, and
    the index in the text where all this ends."""

    cells: list[int]
    turn: Color | None
    end: int


def read_grid(text: str) -> Grid:
    """Return the board with which a text begins. Raises FormatError where it begins with none.

    >>> from reversi.board import Board
    >>> grid = read_grid(str(Board()))
    >>> grid.cells == Board().cells(), grid.turn, grid.end == len(str(Board()))
    (True, <Color.BLACK: -1>, True)
    >>> read_grid("X" * 32 + " / " + "O" * 32 + " f5").turn is None
    True
    """
    scanner = _Scanner(text)
    scanner.scan()
    turn = scanner.turn
    if over := _OVER.match(text, scanner.end):
        return Grid(scanner.cells, turn, over.end())
    behind = _BEHIND.match(text, scanner.end)
    if behind is None:
        return Grid(scanner.cells, turn, scanner.end)
    said = _SIDES[behind[1].lower()]
    if turn not in (None, said):
        reason = f"{_name(said)} is to move; before the board it was {_name(said.opponent)}"
        raise FormatError(reason, "board", place=place_of(text, behind.start(1)))
    return Grid(scanner.cells, said, behind.end())


def _name(side: Color) -> str:
    return side.name.lower()


class _Scanner:
    """Goes through the lines of a text until it has 64 cells."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.cells: list[int] = []
        self.turn: Color | None = None
        self.end = 0
        self._symbols: dict[int, str] = {}  # what stands for a colour here

    def scan(self) -> None:
        for line in re.finditer(r"[^\n]*\n?", self._text):
            if len(self.cells) == 64:
                if _HEAD.fullmatch(line[0]):
                    self.end = line.end()
                return
            if not self.cells and (before := _BEFORE.fullmatch(line[0])):
                self.turn = _SIDES[(before[1] or before[2]).lower()]
            elif not _HEAD.fullmatch(line[0]):
                self._scan_line(line[0], line.start())
        if len(self.cells) < 64:
            at = len(self._text.rstrip())
            raise self._fault(at, f"cells are missing: {len(self.cells)} of 64")

    def _scan_line(self, line: str, begin: int) -> None:
        number = _ROW_NUMBER.match(line)
        at, most = 0, 64
        if number is not None:
            if len(self.cells) != 8 * (int(number[1]) - 1):
                raise self._fault(begin + number.start(1), f"row {number[1]} is out of its order")
            at, most = number.end(), len(self.cells) + 8
        while at < len(line) and len(self.cells) < most:
            if not line[at].isspace() and line[at] not in _SEPARATORS:
                self._take(line[at], begin + at)
            at += 1
        self.end = begin + at
        if number is not None:
            if len(self.cells) < most:
                raise self._fault(begin + len(line.rstrip()), f"row {number[1]} has no 8 cells")
            again = re.compile(rf"[\s|]*(?:{number[1]})?[\s|]*").match(line, at)
            assert again is not None
            self.end = begin + again.end()
            if again.end() < len(line) and most < 64:
                wrong = shown(line[again.end() :].rstrip())
                raise self._fault(self.end, f"{wrong} after the 8 cells of row {number[1]}")

    def _take(self, symbol: str, at: int) -> None:
        cell = _CELLS.get(symbol)
        if cell is None:
            square = SQUARE_NAMES[len(self.cells)]
            expected = f"expected X (black), O (white) or - (empty) for {square}"
            raise self._fault(at, f"{symbol!r}; {expected}")
        colour = _COLOURS.get(cell)
        if colour is not None:
            usual = self._symbols.setdefault(cell, symbol.lower())
            if usual != symbol.lower():
                raise self._fault(at, f"{symbol!r} and {usual!r} both stand for {colour} here")
        self.cells.append(cell)

    def _fault(self, at: int, reason: str) -> FormatError:
        return FormatError(reason, "board", place=place_of(self._text, at))

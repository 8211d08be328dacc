"""One game in GGF, from its text: headers, start board, moves, notes and comments.

A game of the usual shape is read with a few searches by the regular-expression engine. Any other
one is read tag by tag, by the part of this room that also finds the words for what is wrong.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import isfinite

from reversi.board import Board
from reversi.errors import InvalidBoardError, InvalidMoveError
from reversi.formats.base import Note, UnplayableError, game_of, shown
from reversi.formats.stated import read_result
from reversi.game import Game
from reversi.squares import BLACK, SQUARE_NAMES, WHITE, Color, parse_move

__all__ = ["FOREIGN", "GAP", "HEADERS", "Fault", "read_game"]

HEADERS = {
    "PC": "place",
    "EV": "event",
    "RO": "round",
    "DT": "date",
    "PB": "black",
    "PW": "white",
    "RB": "black_rating",
    "RW": "white_rating",
    "TI": "time",
    "TY": "type",
    "RE": "result",
}
FOREIGN = "ggf:"  # begins the names of headers for other tags: "ggf:ko" for KO[..]
_NO_HEADERS = ("B", "W", "BO", "C")
_GAME_NAMES = ("othello", "reversi")

# What may stand before and between games: a line may begin with the number of its games.
GAP = re.compile(r"[\s\d\ufeff]*")

_VALUE = r"[^\]\\]*(?:\\.[^\]\\]*)*"
_OPENING = re.compile(rf"{GAP.pattern}\(\s*;")
_TAG = re.compile(rf"([A-Z]+)\[({_VALUE})\]", re.DOTALL)
_TAG_START = re.compile(r"\s*([A-Z]+)\s*\[")
_UP_TO_BRACKET = re.compile(rf"{_VALUE}\]", re.DOTALL)
_BRACKET = re.compile(r"\\.|[\[\]]", re.DOTALL)
_AFTER_COMMENT = re.compile(r"\s*(?:[A-Z]+\s*\[|;?\s*\))")
_ESCAPED = re.compile(r"\\([\\\];])")
_CLOSING = re.compile(r"\s*(?:;\s*)?\)")
_BROKEN_OFF = re.compile(r"\s*(?:;|[A-Z]*)\s*")
_SIZE = re.compile(r"\s*(\d{1,3})\s", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_USUAL = re.compile(
    rf"\(;((?:[A-Z]+\[{_VALUE}\]\s*)*?)BO\[([^\]\\]*)\]\s*"
    r"((?:[BW]\[\w\w(?:/[-+.\d]{0,300}){0,2}\]\s*)*);\)",
    re.ASCII | re.DOTALL,
)
_USUAL_MOVE = re.compile(r"([BW]\[\w\w)/?([^/\]]*)/?([^\]]*)\]")

# How a move of the usual shape begins, and its number, with 128 added if it is white's.
_CODES = {
    f"{side}[{name}": move + white
    for side, white in (("B", 0), ("W", 128))
    for move, names in enumerate([*((sq, sq.upper()) for sq in SQUARE_NAMES), ("PA", "pa")])
    for name in names
}
_MOVES = bytes(code & 127 for code in range(256))
_SIDES = bytes(code >> 7 for code in range(256))
_ALTERNATING = {BLACK: bytes([0, 1] * 64), WHITE: bytes([1, 0] * 64)}


class Fault(Exception):  # noqa: N818  (becomes a FormatError where line and game are known)
    """What is wrong at an index of a text, of which kind, and with which move, if with one."""

    def __init__(self, at: int, reason: str, kind: str = "syntax", move: int | None = None) -> None:
        self.at = at
        self.reason = reason
        self.kind = kind
        self.move = move


def read_game(text: str) -> tuple[Game, int]:
    """Return the game with which a text begins, and the index of its end. Raises Fault.

    >>> read_game("(;GM[Othello];)")
    Traceback (most recent call last):
    reversi.formats.ggf_reader.Fault: (2, 'no BO[..]; expected the start board', 'board')
    """
    usual = _USUAL.match(text)
    game = None if usual is None else _usual_game(usual[1], usual[2], usual[3])
    if usual is None or game is None:
        return _any_game(text)
    return game, usual.end()


def _usual_game(head: str, board: str, moves: str) -> Game | None:
    """Return the game of these parts; None where a word has to be said about them."""
    headers: dict[str, str] = {}
    for tag, value in _TAG.findall(head):
        if tag in _NO_HEADERS or not _add_header(headers, tag, _unescaped(value)):
            return None
    fields = _USUAL_MOVE.findall(moves)
    try:
        start = _start(board)
        codes = bytes([_CODES[field[0]] for field in fields])
        notes = [
            (float(value) if value else None, float(seconds) if seconds else None)
            for _, value, seconds in fields
        ]
        game = game_of(codes.translate(_MOVES), start, headers, notes if "/" in moves else ())
    except (ValueError, KeyError, Fault):
        return None
    if len(game) != len(codes):
        return None
    sides = codes.translate(_SIDES)
    return game if sides == _ALTERNATING[start.turn][: len(sides)] else None


def _any_game(text: str) -> tuple[Game, int]:
    """Read a game tag by tag."""
    opening = _OPENING.match(text)
    if opening is None:
        raise Fault(0, f"{shown(text)} is no game; expected '(;GM[Othello]'")
    reader = _Reader()
    at = opening.end()
    while (closing := _CLOSING.match(text, at)) is None:
        tag = _TAG_START.match(text, at)
        if tag is None:
            raise _no_tag(text, at)
        value, end = _value(text, tag.end(), tag[1])
        reader.take(tag[1], value, tag.start(1), tag.end())
        at = end
    return reader.game(opening.end()), closing.end()


def _no_tag(text: str, at: int) -> Fault:
    if _BROKEN_OFF.fullmatch(text, at):
        return Fault(at, "the game breaks off; expected ';)' at its end", "truncated")
    at += len(text[at:]) - len(text[at:].lstrip())
    return Fault(at, f"{shown(text[at:])}; expected a tag such as B[f5], or ';)'")


def _value(text: str, at: int, tag: str) -> tuple[str, int]:
    """Return what stands between a tag's brackets, and the index behind them.

    Some writers leave brackets in comments as they are: they are taken as a pair where the
    comment could not end otherwise.
    """
    value = _UP_TO_BRACKET.match(text, at)
    if value is None:
        raise Fault(at - 1, f"the bracket of {tag}[ is not closed", "truncated")
    end = value.end()
    if tag == "C" and not _AFTER_COMMENT.match(text, end):
        depth = 1
        for bracket in _BRACKET.finditer(text, at):
            depth += {"[": 1, "]": -1}.get(bracket[0], 0)
            if depth == 0:
                end = bracket.end()
                break
    return _unescaped(text[at : end - 1]), end


def _unescaped(value: str) -> str:
    return _ESCAPED.sub(r"\1", value) if "\\" in value else value


class _Reader:
    """Collects the tags of a game, then makes it; says of each tag what is wrong with it."""

    def __init__(self) -> None:
        self._start: Board | None = None
        self._headers: dict[str, str] = {}
        self._moves = bytearray()
        self._sides: list[Color] = []
        self._notes: list[Note] = []
        self._places: list[int] = []
        self._comments: list[tuple[int, str]] = []

    def take(self, tag: str, value: str, at: int, value_at: int) -> None:
        """Take the next tag, which stands at an index, its value at another one."""
        if tag in ("B", "W"):
            if self._start is None:
                raise Fault(at, f"{tag}[{value}] before BO[..]; expected the start board", "board")
            self._take_move(BLACK if tag == "B" else WHITE, value, at)
        elif tag == "BO":
            if self._start is not None:
                raise Fault(at, "a second BO[..]; expected one start board", "board")
            self._start = _checked_start(value, value_at)
        elif tag == "C":
            self._comments.append((len(self._moves), value))
        elif not _add_header(self._headers, tag, value):
            if tag == "GM":
                raise Fault(at, f"the game is {shown(value)}; expected 'Othello'", "unsupported")
            raise Fault(at, f"a second {tag}[..]; expected one")

    def _take_move(self, side: Color, text: str, at: int) -> None:
        number = len(self._moves) + 1
        name, *noted = (part.strip() for part in text.split("/"))
        if len(noted) > 2:
            raise Fault(at, f"{shown(text)}; expected MOVE/value/seconds", move=number)
        try:
            move = parse_move(name[:24])
        except InvalidMoveError as error:
            raise Fault(at, str(error), move=number) from None
        numbers: list[float | None] = []
        for part, what in zip(noted, ("value", "number of seconds"), strict=False):
            if part and not (_NUMBER.fullmatch(part) and isfinite(float(part))):
                raise Fault(at, f"{shown(part)} is no {what}; expected a number", move=number)
            numbers.append(float(part) if part else None)
        value, seconds, *_ = (*numbers, None, None)
        self._moves.append(move)
        self._sides.append(side)
        self._notes.append((value, seconds))
        self._places.append(at)

    def game(self, begin: int) -> Game:
        """Return the game of all tags; a fault that has no place of its own is at ``begin``."""
        if self._start is None:
            raise Fault(begin, "no BO[..]; expected the start board", "board")
        try:
            game = game_of(bytes(self._moves), self._start, self._headers, self._notes)
        except UnplayableError as error:
            at = self._places[error.index]
            raise Fault(at, error.reason, "illegal move", error.index + 1) from None
        nodes = self._check_sides(game)
        for count, comment in self._comments:
            node = game.root
            if count:
                node = [*game.main_line()][nodes[count - 1]]
            node.comment = f"{node.comment}\n{comment}" if node.comment else comment
        return game

    def _check_sides(self, game: Game) -> list[int]:
        """Return where each move stands on the line, in which forced passes were put."""
        assert self._start is not None
        indices: list[int] = []
        side = self._start.turn
        for index, move in enumerate(game.moves):
            taken = len(indices)
            if taken < len(self._moves) and move == self._moves[taken]:
                if side != self._sides[taken]:
                    given = self._sides[taken].name.lower()
                    reason = f"a move of {given}; {side.name.lower()} is to move"
                    raise Fault(self._places[taken], reason, "illegal move", taken + 1)
                indices.append(index)
            side = side.opponent
        return indices


def _add_header(headers: dict[str, str], tag: str, value: str) -> bool:
    """Add a tag to the headers; False where it says that this is another game, or comes twice."""
    if tag == "GM":
        return value.strip().lower() in _GAME_NAMES
    if not value or (tag == "RE" and value == "?"):
        return True
    name = HEADERS.get(tag) or FOREIGN + tag.lower()
    if name in headers:
        return False
    headers[name] = value if tag != "RE" else read_result(value) or value
    return True


def _checked_start(text: str, at: int) -> Board:
    try:
        return _start(text)
    except InvalidBoardError as error:
        raise Fault(at, str(error), "board") from None
    except Fault as fault:
        raise Fault(at, fault.reason, fault.kind) from None


@lru_cache(maxsize=64)
def _start(text: str) -> Board:
    """Return the board of a BO tag. Raises InvalidBoardError."""
    size = _SIZE.match(text)
    if size is None or ";" in text:
        raise InvalidBoardError(f"{shown(text)} is no board; expected 8, 64 cells and a side")
    if int(size[1]) != 8:
        raise Fault(0, f"a board of size {size[1]}; expected 8", "unsupported")
    return Board.from_obf(text[size.end() :])

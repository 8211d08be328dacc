"""GGF, the archives of game servers: ``(;GM[Othello]PB[..]PW[..]BO[8 ..]B[f5/0.5/2.1]..;)``.

Owns the text of a game and of a file of games. A game of the usual shape is read with a few
searches by the regular-expression engine; any other one is read tag by tag, by the part of this
room that also finds the words for what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache
from math import isfinite
from typing import BinaryIO

from reversi.board import Board
from reversi.errors import FormatError, InvalidBoardError, InvalidMoveError
from reversi.formats.base import (
    CHUNK_BYTES,
    MAX_GAME_BYTES,
    Format,
    Note,
    OnError,
    UnplayableError,
    decode,
    game_of,
    place_of,
    shown,
    tell,
)
from reversi.game import Game
from reversi.node import Node
from reversi.squares import BLACK, SQUARE_NAMES, WHITE, Color, parse_move

__all__ = ["FORMAT", "dumps", "parse", "read", "write"]

_HEADERS = {
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
_FOREIGN = "ggf:"  # headers under tags that only this format has: "ggf:ko" for KO[..]
_GAME_NAMES = ("othello", "reversi")

_VALUE = r"[^\]\\]*(?:\\.[^\]\\]*)*"
# Where a game begins. Bounded, so that the search for the next one never looks far ahead.
_START = re.compile(rb"\(\s{0,8};\s{0,8}[A-Z]{1,8}\s{0,8}\[")
_LONGEST_START = 40
_OPENING = re.compile(r"[\s\d\ufeff]*\(\s*;")  # a line may begin with the number of its games
_TAG = re.compile(rf"([A-Z]+)\[({_VALUE})\]", re.DOTALL)
_TAG_START = re.compile(r"\s*([A-Z]+)\s*\[")
_CLOSING = re.compile(r"\s*(?:;\s*)?\)")
_BETWEEN = re.compile(r"[\s\d\ufeff]*")
_UP_TO_BRACKET = re.compile(rf"{_VALUE}\]", re.DOTALL)
_BRACKET = re.compile(r"\\.|[\[\]]", re.DOTALL)
_ESCAPED = re.compile(r"\\([\\\];])")
_SPECIAL = re.compile(r"[\\\]]")
_OPENING_WITHIN = re.compile(r"(\(\s*);")
_BROKEN_OFF = re.compile(r"\s*(?:;|[A-Z]*)\s*")
_AFTER_COMMENT = re.compile(r"\s*(?:[A-Z]+\s*\[|;?\s*\))")
_USUAL = re.compile(
    rf"\(;((?:[A-Z]+\[{_VALUE}\]\s*)*?)BO\[([^\]\\]*)\]\s*"
    r"((?:[BW]\[\w\w(?:/[-+.\d]{0,300}){0,2}\]\s*)*);\)",
    re.ASCII | re.DOTALL,
)
_SIZE = re.compile(r"\s*(\d{1,3})\s", re.ASCII)
_FOREIGN_TAG = re.compile(rf"(?!(?:{'|'.join([*_HEADERS, 'GM', 'BO', 'B', 'W', 'C'])})$)[A-Z]+")
_RESULT = re.compile(r"([+-]?)(\d{1,4}(?:\.\d+)?)(:[rts])?", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)

# How a move of the usual shape begins, and its number, with 128 added if it is white's.
_CODES = {
    f"{side}[{name}": move + white
    for side, white in (("B", 0), ("W", 128))
    for move, names in enumerate([*((sq, sq.upper()) for sq in SQUARE_NAMES), ("PA", "pa")])
    for name in names
}
_MOVES = bytes(code & 127 for code in range(256))
_SIDES = bytes(code >> 7 for code in range(256))
_NAMES = [*(name.upper() for name in SQUARE_NAMES), "PA"]
_ALTERNATING = {BLACK: bytes([0, 1] * 64), WHITE: bytes([1, 0] * 64)}


class _Fault(Exception):  # noqa: N818  (becomes a FormatError where line and game are known)
    def __init__(self, at: int, reason: str, kind: str = "syntax", move: int | None = None) -> None:
        self.at = at
        self.reason = reason
        self.kind = kind
        self.move = move

    def error(
        self, text: str, first_line: int = 1, source: str | None = None, game: int | None = None
    ) -> FormatError:
        place = place_of(text, self.at, first_line)
        if self.move is not None:
            place = f"move {self.move}, {place}"
        return FormatError(self.reason, self.kind, source, game, place)


# --- Reading --------------------------------------------------------------------------------------


def parse(text: str) -> Game:
    """Return the game of a text in GGF. Raises FormatError where it holds none, or more than one.

    >>> game = parse("(;GM[Othello]PB[Ann]RE[+2.000]BO[8 " + 27 * "-" + "O*------*O"
    ...              + 27 * "-" + " *]B[F5/0.5/2.1]W[D6//3];)")
    >>> game.transcript(), game.headers, game.root.children[0].seconds
    ('f5d6', {'black': 'Ann', 'result': '+2'}, 2.1)
    """
    try:
        game, end = _game(text)
        between = _BETWEEN.match(text, end)
        assert between is not None
        if between.end() < len(text):
            raise _Fault(between.end(), "text after the end of the game; expected one game")
    except _Fault as fault:
        raise fault.error(text) from None
    return game


def read(
    file: BinaryIO, source: str | None = None, on_error: OnError | None = None
) -> Iterator[Game]:
    """Yield the games of a binary file in GGF.

    Lines may begin with a count, and hold several games. ``source`` is the name that errors give
    the file. A game that cannot be read is told to ``on_error`` and skipped, the reading going on
    at the next ``(;``; without ``on_error`` FormatError is raised.

    >>> from io import BytesIO
    >>> file = BytesIO()
    >>> write(file, [Game.from_transcript("f5d6"), Game.from_transcript("c4")])
    2
    >>> [game.transcript() for game in read(BytesIO(file.getvalue()))]
    ['f5d6', 'c4']
    """
    number = 0
    for data, line, is_game in _parts(file):
        number += is_game
        if len(data) > MAX_GAME_BYTES:
            reason = f"too long: more than {MAX_GAME_BYTES} bytes without the start of a game"
            tell(FormatError(reason, "too long", source, number or None, f"line {line}"), on_error)
            continue
        text = decode(data)
        end = 0
        try:
            if is_game:
                game, end = _game(text)
                yield game
            between = _BETWEEN.match(text, end)
            assert between is not None
            if between.end() < len(text):
                rest = shown(text[between.end() :])
                raise _Fault(between.end(), f"{rest} is no game; expected '(;GM[Othello]'")
        except _Fault as fault:
            tell(fault.error(text, line, source, number or None), on_error)


def _parts(file: BinaryIO) -> Iterator[tuple[bytes, int, bool]]:
    """Yield the file cut before each start of a game: the bytes, the number of their first line,
    and whether a game starts there. Of a part that is too long the beginning comes alone."""
    data, line, is_game = b"", 1, False
    skipping = False
    while True:
        chunk = file.read(CHUNK_BYTES)
        data += chunk
        begin = 0
        for start in [found.start() for found in _START.finditer(data)]:
            part = data[begin:start]
            if part and not skipping:
                yield part, line, is_game
            skipping = skipping and not part
            line += part.count(b"\n")
            begin, is_game = start, True
        data = data[begin:]
        if not chunk:
            break
        if len(data) > MAX_GAME_BYTES and not skipping:
            yield data, line, is_game
            skipping = True
        if skipping:
            line += data.count(b"\n", 0, -_LONGEST_START)
            data, is_game = data[-_LONGEST_START:], False
    if data and not skipping:
        yield data, line, is_game


def _game(text: str) -> tuple[Game, int]:
    """Return the game with which a text begins, and the index of its end. Raises _Fault."""
    usual = _USUAL.match(text)
    game = None if usual is None else _usual_game(usual[1], usual[2], usual[3])
    if usual is None or game is None:
        return _any_game(text)
    return game, usual.end()


def _usual_game(head: str, board: str, moves: str) -> Game | None:
    """Return the game of these parts; None where a word has to be said about them."""
    headers: dict[str, str] = {}
    for tag, value in _TAG.findall(head):
        if tag == "C" or not _add_header(headers, tag, _unescaped(value)):
            return None
    fields = [one.split("/") for one in "".join(moves.split()).split("]")[:-1]]
    try:
        start = _start(board)
        codes = bytes([_CODES[field[0]] for field in fields])
        notes = [_usual_note(field) for field in fields]
        game = game_of(codes.translate(_MOVES), start, headers, notes)
    except (ValueError, KeyError, _Fault):
        return None
    if len(game) != len(codes):
        return None
    sides = codes.translate(_SIDES)
    return game if sides == _ALTERNATING[start.turn][: len(sides)] else None


def _usual_note(field: list[str]) -> Note:
    value = float(field[1]) if len(field) > 1 and field[1] else None
    return value, float(field[2]) if len(field) > 2 and field[2] else None


def _any_game(text: str) -> tuple[Game, int]:
    """Read a game tag by tag."""
    opening = _OPENING.match(text)
    if opening is None:
        raise _Fault(0, f"{shown(text)} is no game; expected '(;GM[Othello]'")
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


def _no_tag(text: str, at: int) -> _Fault:
    if _BROKEN_OFF.fullmatch(text, at):
        return _Fault(at, "the game breaks off; expected ';)' at its end", "truncated")
    at += len(text[at:]) - len(text[at:].lstrip())
    return _Fault(at, f"{shown(text[at:])}; expected a tag such as B[f5], or ';)'")


def _value(text: str, at: int, tag: str) -> tuple[str, int]:
    """Return what stands between a tag's brackets, and the index behind them.

    Some writers leave brackets in comments as they are: they are taken as a pair where the
    comment could not end otherwise.
    """
    value = _UP_TO_BRACKET.match(text, at)
    if value is None:
        raise _Fault(at - 1, f"the bracket of {tag}[ is not closed", "truncated")
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
                raise _Fault(at, f"{tag}[{value}] before BO[..]; expected the start board", "board")
            self._take_move(BLACK if tag == "B" else WHITE, value, at)
        elif tag == "BO":
            if self._start is not None:
                raise _Fault(at, "a second BO[..]; expected one start board", "board")
            self._start = _checked_start(value, value_at)
        elif tag == "C":
            self._comments.append((len(self._moves), value))
        elif not _add_header(self._headers, tag, value):
            if tag == "GM":
                raise _Fault(at, f"the game is {shown(value)}; expected 'Othello'", "unsupported")
            raise _Fault(at, f"a second {tag}[..]; expected one")

    def _take_move(self, side: Color, text: str, at: int) -> None:
        number = len(self._moves) + 1
        name, *noted = (part.strip() for part in text.split("/"))
        if len(noted) > 2:
            raise _Fault(at, f"{shown(text)}; expected MOVE/value/seconds", move=number)
        try:
            move = parse_move(name[:24])
        except InvalidMoveError as error:
            raise _Fault(at, str(error), move=number) from None
        numbers: list[float | None] = []
        for part, what in zip(noted, ("value", "number of seconds"), strict=False):
            if part and not (_NUMBER.fullmatch(part) and isfinite(float(part))):
                raise _Fault(at, f"{shown(part)} is no {what}; expected a number", move=number)
            numbers.append(float(part) if part else None)
        value, seconds, *_ = (*numbers, None, None)
        self._moves.append(move)
        self._sides.append(side)
        self._notes.append((value, seconds))
        self._places.append(at)

    def game(self, begin: int) -> Game:
        """Return the game of all tags; a fault that has no place of its own is at ``begin``."""
        if self._start is None:
            raise _Fault(begin, "no BO[..]; expected the start board", "board")
        try:
            game = game_of(bytes(self._moves), self._start, self._headers, self._notes)
        except UnplayableError as error:
            at = self._places[error.index]
            raise _Fault(at, error.reason, "illegal move", error.index + 1) from None
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
                    raise _Fault(self._places[taken], reason, "illegal move", taken + 1)
                indices.append(index)
            side = side.opponent
        return indices


def _add_header(headers: dict[str, str], tag: str, value: str) -> bool:
    """Add a tag to the headers; False where it says that this is another game, or comes twice."""
    if tag == "GM":
        return value.strip().lower() in _GAME_NAMES
    if not value or (tag == "RE" and value == "?"):
        return True
    name = _HEADERS.get(tag) or _FOREIGN + tag.lower()
    if name in headers:
        return False
    headers[name] = _result(value) if tag == "RE" else value
    return True


def _result(text: str) -> str:
    """Return ``+6`` for ``+6.000``; what is no number of discs is left as it is."""
    found = _RESULT.fullmatch(text.strip())
    if found is None:
        return text
    discs = float(found[1] + found[2])
    number = f"{int(discs):+d}" if discs == int(discs) else f"{discs:+}"
    return number + (found[3] or "")


def _checked_start(text: str, at: int) -> Board:
    try:
        return _start(text)
    except InvalidBoardError as error:
        raise _Fault(at, str(error), "board") from None
    except _Fault as fault:
        raise _Fault(at, fault.reason, fault.kind) from None


@lru_cache(maxsize=64)
def _start(text: str) -> Board:
    """Return the board of a BO tag. Raises InvalidBoardError."""
    size = _SIZE.match(text)
    if size is None or ";" in text:
        raise InvalidBoardError(f"{shown(text)} is no board; expected 8, 64 cells and a side")
    if int(size[1]) != 8:
        raise _Fault(0, f"a board of size {size[1]}; expected 8", "unsupported")
    return Board.from_obf(text[size.end() :])


# --- Writing --------------------------------------------------------------------------------------


def dumps(game: Game) -> str:
    """Return a game as one line of GGF: its headers, start board, main line and notes.

    Headers that GGF has no tag for, and variations, are left out. Raises ValueError for a value or
    a time that is not finite.

    >>> dumps(Game.from_transcript("f5"))[-11:]
    '- *]B[F5];)'
    """
    parts = ["(;GM[Othello]"]
    for tag, name in _HEADERS.items():
        value = game.headers.get(name)
        if value:
            parts.append(f"{tag}[{_escaped(_written_result(value) if tag == 'RE' else value)}]")
    for name, value in game.headers.items():
        tag = name.removeprefix(_FOREIGN).upper()
        if value and name == _FOREIGN + tag.lower() and _FOREIGN_TAG.fullmatch(tag):
            parts.append(f"{tag}[{_escaped(value)}]")
    start = game.start
    parts.append(f"BO[8 {start.obf().replace('X', '*')}]")
    if not game.has_notes():
        sides = "BW" if start.turn is BLACK else "WB"
        parts += [f"{sides[i % 2]}[{_NAMES[move]}]" for i, move in enumerate(game.moves)]
        return "".join([*parts, ";)"])
    side = start.turn
    parts.append(_comment(game.root))
    for node in game.main_line():
        parts.append(f"{'B' if side is BLACK else 'W'}[{_noted(node)}]{_comment(node)}")
        side = side.opponent
    return "".join([*parts, ";)"])


def write(file: BinaryIO, games: Iterable[Game]) -> int:
    """Write games to a binary file, one a line, and return their number.

    >>> from io import BytesIO
    >>> write(BytesIO(), [Game(), Game()])
    2
    """
    count = 0
    for game in games:
        file.write(dumps(game).encode() + b"\n")
        count += 1
    return count


def _noted(node: Node) -> str:
    assert node.move is not None
    name = _NAMES[node.move]
    if node.seconds is not None:
        return f"{name}/{_number(node.value)}/{_number(node.seconds)}"
    return name if node.value is None else f"{name}/{_number(node.value)}"


def _number(number: float | None) -> str:
    """Return a number that reads back as the same one, without an exponent."""
    if number is None:
        return ""
    if not isfinite(number):
        raise ValueError(f"{number} cannot be written; expected a finite value or time")
    text = repr(number)
    return f"{Decimal(text):f}" if "e" in text else text


def _comment(node: Node) -> str:
    return f"C[{_escaped(node.comment)}]" if node.comment else ""


def _written_result(text: str) -> str:
    """Return ``+6.000`` for ``+6``."""
    found = _RESULT.fullmatch(text)
    if found is None or _result(text) != text:
        return text
    written = f"{float(found[1] + found[2]):+.3f}{found[3] or ''}"
    return written if _result(written) == text else text


def _escaped(value: str) -> str:
    """Return a value in which no bracket ends it and no ``(;`` begins another game."""
    return _OPENING_WITHIN.sub(r"\1\\;", _SPECIAL.sub(r"\\\g<0>", value))


FORMAT = Format("ggf", (".ggf", ".ggs"), read, write)

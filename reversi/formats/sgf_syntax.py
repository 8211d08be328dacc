"""The syntax of SGF: games in a file, nodes in a game, values in a node. Knows no Othello.

The grammar is that of FF[4] (Arno Hollosi, "SGF File Format FF[4]", red-bean.com/sgf, 1997).
Nothing here recurses: a text of brackets alone is read like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple, TypeAlias

from reversi.errors import FormatError

# The text of a game, 1 MB, holds some thousand variations; beyond it the brackets are wrong.
LONGEST_GAME = 1 << 20

_LINE_BYTES = 1 << 16
_QUOTED_BYTES = 80
# What begins a game for certain: inside a value its bracket would have been escaped.
_GAME_START = re.compile(rb"\s*\(\s*;\s*(?:GM|FF)\s*\[\s*\d+\s*\]")
_OUTSIDE = re.compile(rb"[()\[]")
_INSIDE = re.compile(rb"[\]\\]")
_TOKEN = re.compile(
    r"\s*(?:(?P<mark>[();])|(?P<name>[A-Za-z]+)(?=\s*\[)"
    r"|\[(?P<value>[^\]\\]*(?:\\.[^\]\\]*)*)\]|(?P<end>\Z))",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)


class Value(NamedTuple):
    """A value as it is written, escapes and all, and where it stands in the game's text."""

    raw: str
    at: int


Properties: TypeAlias = dict[str, list[Value]]


class Event(NamedTuple):
    """A step through a game's text: ``"("``, ``")"`` or a node ``";"`` with its properties."""

    mark: str
    at: int
    properties: Properties


@dataclass(frozen=True, slots=True)
class GameText:
    """The text of one game and where it begins, so that faults can name their place."""

    text: str
    source: str | None = None
    game: int | None = None
    line: int = 1
    column: int = 1

    def fault(self, at: int, reason: str, kind: str = "syntax") -> FormatError:
        """Return the error for what stands at a place in the text."""
        lines = self.text.count("\n", 0, at)
        column = at - self.text.rfind("\n", 0, at) if lines else self.column + at
        place = f"line {self.line + lines}, column {column}"
        return FormatError(reason, kind, self.source, self.game, place)


def events(game: GameText) -> Iterator[Event]:
    """Yield the brackets and nodes of one game, in order; FormatError where the syntax breaks.

    >>> [event.mark for event in events(GameText("(;GM[2](;B[f5])(;B[c4]))"))]
    ['(', ';', '(', ';', ')', '(', ';', ')', ')']
    """
    depth = 0
    before = ""  # the mark before this one
    node: Event | None = None
    name = ""
    for token in _tokens(game):
        at, kind = token.start(token.lastgroup or 0), token.lastgroup
        if kind == "value":
            if node is None or not name:
                raise game.fault(at - 1, "a value without the name of a property before it")
            node.properties.setdefault(name, []).append(Value(token["value"], at))
            continue
        if kind == "name":
            # FF[3] wrote names in full, "Black": only the capitals counted.
            name = "".join(filter(str.isupper, token["name"]))
            if node is None or not name:
                raise game.fault(at, f"{token['name']!r}; expected ';' or a property's capitals")
            continue
        if node is not None:
            yield node
            node, name = None, ""
        if kind == "end":
            if depth or not before:
                what = f"{depth} more ')'" if before else "'(;'"
                raise game.fault(at, f"the text ends; expected {what}", "truncated")
            return
        mark = token["mark"]
        _check_order(game, at, before, mark, depth)
        depth += {"(": 1, ")": -1}.get(mark, 0)
        before = mark
        if mark == ";":
            node = Event(mark, at, {})
        else:
            yield Event(mark, at, {})


def _tokens(game: GameText) -> Iterator[re.Match[str]]:
    at = 0
    while True:
        token = _TOKEN.match(game.text, at)
        if token is None:
            at += len(game.text[at:]) - len(game.text[at:].lstrip())
            if game.text[at] == "[":
                raise game.fault(at, "a value that begins here has no ']'", "truncated")
            wrong = game.text[at : at + 12].splitlines()[0]
            raise game.fault(at, f"{wrong!r}; expected '(', ')', ';' or a property and its value")
        yield token
        if token.lastgroup == "end":
            return
        at = token.end()


def _check_order(game: GameText, at: int, before: str, mark: str, depth: int) -> None:
    expected = ""
    if before == "(" and mark != ";":
        expected = "';', the first node of a tree"
    elif not before and mark != "(":
        expected = "'(;', the start of a game"
    elif before == ")" and mark == ";":
        expected = "'(' or ')': a node cannot follow variations"
    elif before and depth == 0:
        raise game.fault(at, f"{mark!r} after the end of the game; expected one game")
    if expected:
        raise game.fault(at, f"{mark!r}; expected {expected}")


def unescaped(raw: str) -> str:
    r"""Return what a value says: escapes taken off, escaped line breaks removed.

    >>> unescaped(r"draw \[C:\\\]")
    'draw [C:\\]'
    """
    if "\\" not in raw:
        return raw
    return _ESCAPE.sub(lambda found: "" if found[1] == "\n" else found[1], raw)


def escaped(text: str, colon: bool = False) -> str:
    r"""Return the text as a value: `unescaped` gives it back; with `colon` those are escaped too.

    An opening bracket is escaped as well, so that no text can look like the start of a game.

    >>> escaped("a] b")
    'a\\] b'
    """
    return re.sub(r"[\[\]\\:]" if colon else r"[\[\]\\]", r"\\\g<0>", text)


def split_pair(raw: str) -> tuple[str, str] | None:
    """Return the two texts of a composed value ``name:value``, None where there is no colon.

    >>> split_pair(r"a\\:b:c")
    ('a:b', 'c')
    """
    found = re.match(r"([^\\:]*(?:\\.[^\\:]*)*):", raw, re.DOTALL)
    return found and (unescaped(found[1]), unescaped(raw[found.end() :]))


def split_games(file: BinaryIO, source: str | None = None) -> Iterator[GameText | FormatError]:
    """Yield the text of each game of a file, or the fault of one that is too long to be read.

    A game ends where its brackets do, or where the next one certainly begins: one that lost a
    bracket takes no other with it. What else stands between games is yielded as well, for the
    fault that will be found in it. Keeps one game in memory.
    """
    cutter = _Cutter(source)
    cutter = _Cutter(source)
    line, column = 1, 0
    while data := file.readline(_LINE_BYTES):
        if line == 1 and column == 0:
            data = data.removeprefix(b"\xef\xbb\xbf")
        if column == 0 and cutter.inside and _GAME_START.match(data):
            yield cutter.taken()
        yield from cutter.cut(data, line, column)
        line, column = (line + 1, 0) if data.endswith(b"\n") else (line, column + len(data))
    if cutter.inside:
        yield cutter.taken()


class _Cutter:
    """Cuts lines into games: how deep in brackets it is, and the bytes of the game so far."""

    def __init__(self, source: str | None) -> None:
        self._source = source
        self._games = 0
        self._begin()

    def _begin(self) -> None:
        self._depth = 0
        self._in_value = self._escaping = self._too_long = False
        self._kept = bytearray()

    @property
    def inside(self) -> bool:
        """Whether a game has begun and not ended."""
        return self._depth > 0

    def cut(self, data: bytes, line: int, column: int) -> Iterator[GameText | FormatError]:
        """Take a line, or a part of one that begins at a column from 0; yield what ends in it."""
        at = begin = 0
        while at < len(data):
            if not self._depth:
                start = data.find(b"(", at)
                between = data[at:] if start < 0 else data[at:start]
                if between.strip():
                    at += len(between) - len(between.lstrip())
                    text = between.strip()[:_QUOTED_BYTES].decode("latin-1")
                    yield GameText(text, self._source, None, line, column + at + 1)
                if start < 0:
                    return
                begin, at = start, start + 1
                self._depth = 1
                self._place = line, column + at
            at = self._next(data, at)
            if not self._depth:
                self._keep(data[begin:at])
                yield self.taken()
        if self._depth:
            self._keep(data[begin:])

    def _next(self, data: bytes, at: int) -> int:
        """Pass over the next byte that changes where we are, and return the place behind it."""
        if self._escaping:
            self._escaping = False
            return at + 1
        found = (_INSIDE if self._in_value else _OUTSIDE).search(data, at)
        if found is None:
            return len(data)
        mark = found[0]
        self._escaping = mark == b"\\"
        self._in_value = mark in (b"[", b"\\")
        self._depth += {b"(": 1, b")": -1}.get(mark, 0)
        return found.end()

    def _keep(self, data: bytes) -> None:
        self._too_long |= len(self._kept) + len(data) > LONGEST_GAME
        if not self._too_long:
            self._kept += data

    def taken(self) -> GameText | FormatError:
        """Return what was kept as a game, and begin anew."""
        self._games += 1
        data, too_long = bytes(self._kept), self._too_long
        line, column = self._place
        self._begin()
        if too_long:
            reason = f"a game of more than {LONGEST_GAME:,} bytes; expected a ')' before"
            place = f"line {line}, column {column}"
            return FormatError(reason, "unsupported", self._source, self._games, place)
        return GameText(_decoded(data), self._source, self._games, line, column)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")

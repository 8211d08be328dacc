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
from reversi.formats.base import MAX_GAME_BYTES, place_of, shown
from reversi.formats.cutting import Marks, parts

# What begins a game for certain: inside a value its bracket would have been escaped.
_GAME_START = re.compile(rb"\s*\(\s*;\s*(?:GM|FF)\s*\[\s*\d+\s*\]")
_MARKS = Marks(b"(", b")", b"[", b"]", _GAME_START)
_TOKEN = re.compile(
    r"\s*(?:(?P<mark>[();])|(?P<name>[A-Za-z]+)(?=\s*\[)"
    r"|\[(?P<value>[^\]\\]*(?:\\.[^\]\\]*)*)\]|(?P<end>\Z))",
    re.DOTALL,
)
# The end of a value that lost its bracket and took in the next property up to the one of that.
_NEXT_PROPERTY = re.compile(r"[A-Z]\[[^\[\]\\]*\Z")
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
        place = place_of(self.text, at, self.line, self.column)
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
            value = Value(token["value"], at)
            if "[" in value.raw and (taken_in := _NEXT_PROPERTY.search(value.raw)):
                reason = f"{name} runs into {shown(taken_in[0])}; expected a ']' before that"
                raise game.fault(at + taken_in.start(), reason, "truncated")
            node.properties.setdefault(name, []).append(value)
            continue
        if kind == "name":
            # FF[3] wrote names in full, "Black": only the capitals counted.
            name = "".join(filter(str.isupper, token["name"]))
            if node is None or not name:
                raise game.fault(
                    at, f"{shown(token['name'])}; expected ';' or a property's capitals"
                )
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
            raise game.fault(
                at, f"{shown(game.text[at:])}; expected '(', ')', ';' or a property and its value"
            )
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


def single(game: GameText, properties: Properties, name: str) -> tuple[str, int]:
    """Return the value of a property that has one, without escapes, and its place in the text.

    >>> single(GameText("(;C[a])"), {"C": [Value("a", 4)]}, "C")
    ('a', 4)
    """
    values = properties[name]
    if len(values) > 1:
        raise game.fault(values[1].at, f"{name} has {len(values)} values; expected one")
    return unescaped(values[0].raw), values[0].at


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

    What else stands between games is yielded as well, for the fault that will be found in it.
    """
    games = 0
    for part in parts(file, _MARKS):
        games += part.is_game
        game = games if part.is_game else None
        if part.is_too_long:
            reason = f"too long: more than {MAX_GAME_BYTES:,} bytes without the end of the game"
            place = f"line {part.line}, column {part.column}"
            yield FormatError(reason, "too long", source, game, place)
        else:
            yield GameText(part.text, source, game, part.line, part.column)

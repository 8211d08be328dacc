"""Cuts a file into games at their brackets, in the memory of one. Knows no game and no move."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

from reversi.formats.base import MAX_GAME_BYTES, decode

__all__ = ["Marks", "Part", "parts"]

_LINE_BYTES = 1 << 16
_MARK_BYTE = b"\xef\xbb\xbf"
_SHOWN_BYTES = 80


@dataclass(frozen=True, slots=True)
class Marks:
    """How a format brackets games and the texts in them.

    ``text_ends`` are the bytes that end a text; a backslash in a text takes the next byte's
    meaning away. ``start`` is what begins a game for certain at the beginning of a line: a game
    that lost its closing bracket takes no other with it.
    """

    opening: bytes
    closing: bytes
    text_begins: bytes
    text_ends: bytes
    start: re.Pattern[bytes]


class Part(NamedTuple):
    """A piece of a file and where it begins: a game, or what stands between games.

    ``line`` and ``column`` count from 1. Of what stands between games, which has no blanks around
    it, the beginning comes alone; of a game that is too long nothing comes.
    """

    text: str
    line: int
    column: int
    is_game: bool
    is_too_long: bool = False


def parts(file: BinaryIO, marks: Marks) -> Iterator[Part]:
    """Yield the games of a binary file, and what else it holds between them.

    >>> from io import BytesIO
    >>> braces = Marks(b"{", b"}", b'"', b'"', re.compile(rb"{"))
    >>> [part.text for part in parts(BytesIO(b'{1 "}"} , {2}'), braces)]
    ['{1 "}"}', ',', '{2}']
    """
    cutter = _Cutter(marks)
    line, column = 1, 0
    while data := file.readline(_LINE_BYTES):
        if line == 1 and column == 0:
            data = data.removeprefix(_MARK_BYTE)
        if column == 0 and cutter.inside and marks.start.match(data):
            yield cutter.taken()
        yield from cutter.cut(data, line, column)
        line, column = (line + 1, 0) if data.endswith(b"\n") else (line, column + len(data))
    if cutter.inside:
        yield cutter.taken()


class _Cutter:
    """How deep in brackets it is, and the bytes of the game so far."""

    def __init__(self, marks: Marks) -> None:
        self._opening = marks.opening
        self._deeper = {marks.opening: 1, marks.closing: -1}
        self._text_begins = marks.text_begins
        outside = marks.opening + marks.closing + marks.text_begins
        self._outside = re.compile(b"[" + re.escape(outside) + b"]")
        self._inside_text = re.compile(b"[" + re.escape(marks.text_ends) + rb"\\]")
        self._begin()

    def _begin(self) -> None:
        self._depth = 0
        self._in_text = self._escaping = self._too_long = False
        self._kept = bytearray()

    @property
    def inside(self) -> bool:
        """Whether a game has begun and not ended."""
        return self._depth > 0

    def cut(self, data: bytes, line: int, column: int) -> Iterator[Part]:
        """Take a line, or a part of one that begins at a column from 0; yield what ends in it."""
        at = begin = 0
        while at < len(data):
            if not self._depth:
                start = data.find(self._opening, at)
                between = data[at:] if start < 0 else data[at:start]
                if between.strip():
                    at += len(between) - len(between.lstrip())
                    text = decode(between.strip()[:_SHOWN_BYTES])
                    yield Part(text, line, column + at + 1, False)
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
        found = (self._inside_text if self._in_text else self._outside).search(data, at)
        if found is None:
            return len(data)
        mark = found[0]
        self._escaping = mark == b"\\"
        if self._in_text:
            self._in_text = self._escaping
        else:
            self._in_text = mark == self._text_begins
            self._depth += self._deeper.get(mark, 0)
        return found.end()

    def _keep(self, data: bytes) -> None:
        self._too_long |= len(self._kept) + len(data) > MAX_GAME_BYTES
        if not self._too_long:
            self._kept += data

    def taken(self) -> Part:
        """Return what was kept as a game, and begin anew."""
        text = "" if self._too_long else decode(bytes(self._kept))
        part = Part(text, *self._place, True, self._too_long)
        self._begin()
        return part

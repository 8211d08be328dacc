"""The header that the files of WTHOR begin with, and the files of names: players in ``.jou``,
tournaments in ``.trn``. Knows no game.
"""

from __future__ import annotations

import datetime
import re
import struct
from os import PathLike
from pathlib import Path
from typing import BinaryIO, NamedTuple

from reversi.errors import FormatError
from reversi.formats.base import shown

__all__ = [
    "HEADER_BYTES",
    "PLAYERS",
    "TOURNAMENTS",
    "Header",
    "Kind",
    "Names",
    "check_name",
    "names_beside",
    "names_path",
    "read_header",
    "read_names",
    "take",
]

_HEADER = struct.Struct("<4BiHH4B")
HEADER_BYTES = _HEADER.size
_MAX_NAMES = 65_535
_ENDING = re.compile(r"\.wtb(?:\.\w+)?$", re.IGNORECASE)


class Header(NamedTuple):
    """The first 16 bytes: the day the file was written, what it holds, and of which year."""

    century: int
    year: int
    month: int
    day: int
    games: int
    names: int
    games_year: int
    board_size: int
    solitaires: int
    theoretical_empties: int
    reserved: int

    @classmethod
    def of_today(
        cls, games: int = 0, names: int = 0, games_year: int = 0, theoretical_empties: int = 0
    ) -> Header:
        """Return the header of a file that is written today."""
        day = datetime.date.today()
        counts = (games, names, games_year, 8, 0, theoretical_empties, 0)
        return cls(*divmod(day.year, 100), day.month, day.day, *counts)

    def pack(self) -> bytes:
        """Return the 16 bytes."""
        return _HEADER.pack(*self)


class Kind(NamedTuple):
    """A kind of names: what one is called, the ending of the file, and the bytes of a record."""

    word: str
    suffix: str
    record_bytes: int


PLAYERS = Kind("player", ".jou", 20)
TOURNAMENTS = Kind("tournament", ".trn", 26)


def take(file: BinaryIO, count: int) -> bytes:
    """Return so many bytes of a file, fewer only at its end."""
    data = file.read(count)
    while 0 < len(data) < count and (more := file.read(count - len(data))):
        data += more
    return data


def read_header(file: BinaryIO, source: str | None) -> Header:
    """Read the header. Raises FormatError where it is none.

    >>> from io import BytesIO
    >>> read_header(BytesIO(Header.of_today(games=3).pack()), None).games
    3
    """
    data = take(file, HEADER_BYTES)
    if len(data) < HEADER_BYTES:
        reason = f"{len(data)} bytes; expected a header of {HEADER_BYTES}"
        raise FormatError(reason, "truncated", source, None, "byte 0")
    header = Header(*_HEADER.unpack(data))
    for name, value, most, at in (
        ("the year", header.year, 99, 1),
        ("the month", header.month, 12, 2),
        ("the day", header.day, 31, 3),
    ):
        if value > most:
            reason = f"not a WTHOR file: {name} is {value}; expected at most {most}"
            raise FormatError(reason, "syntax", source, None, f"byte {at}")
    if header.games < 0:
        reason = f"not a WTHOR file: {header.games} games; expected 0 or more"
        raise FormatError(reason, "syntax", source, None, "byte 4")
    return header


def names_path(games: str | PathLike[str], kind: Kind) -> Path:
    """Return where the names for a file of games are written: beside it, under its name.

    >>> names_path("old/1999.wtb.gz", PLAYERS).name
    '1999.jou'
    """
    path = Path(games)
    return path.with_name(_ENDING.sub("", path.name) + kind.suffix)


def names_beside(games: str | PathLike[str], kind: Kind) -> Path | None:
    """Return the file of names for a file of games: of its name, or ``WTHOR``, in any case.

    >>> names_beside("/nowhere/1999.wtb", PLAYERS) is None
    True
    """
    path = names_path(games, kind)
    try:
        found = {one.name.lower(): one for one in sorted(path.parent.iterdir())}
    except OSError:
        return None
    return found.get(path.name.lower()) or found.get(f"wthor{kind.suffix}")


def read_names(path: str | PathLike[str], kind: Kind) -> list[str]:
    """Return the names of a file, by number. Raises OSError, and FormatError for a damaged file."""
    source = str(path)
    with Path(path).open("rb") as file:
        count = read_header(file, source).names
        data = take(file, count * kind.record_bytes)
        if len(data) < count * kind.record_bytes:
            reason = f"the file ends after {len(data) // kind.record_bytes} of {count} names"
            place = f"byte {HEADER_BYTES + len(data)}"
            raise FormatError(reason, "truncated", source, None, place)
        if file.read(1):
            place = f"byte {HEADER_BYTES + len(data)}"
            reason = f"more than the {count} {kind.word}s of {kind.record_bytes} bytes"
            raise FormatError(reason, "syntax", source, None, place)
    each = range(0, len(data), kind.record_bytes)
    records = [data[at : at + kind.record_bytes] for at in each]
    return [record.partition(b"\0")[0].decode("latin-1") for record in records]


class Names:
    """Gives names their numbers, in the order in which they come, and writes them."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        """Return a name's number. Raises FormatError for a name that has no room.

        >>> names = Names(PLAYERS)
        >>> names.number("Ann"), names.number("Bob"), names.number("Ann")
        (0, 1, 0)
        """
        known = self._numbers.get(name)
        if known is not None:
            return known
        check_name(name, self._kind)
        if len(self._numbers) == _MAX_NAMES:
            reason = f"{_MAX_NAMES} {self._kind.word}s are there, and {shown(name)} is another one"
            raise FormatError(f"{reason}; write the games to several files", "unsupported")
        self._numbers[name] = len(self._numbers)
        return self._numbers[name]

    def pack(self) -> bytes:
        """Return the file of the names."""
        length = self._kind.record_bytes
        records = [name.encode("latin-1").ljust(length, b"\0") for name in self._numbers]
        return Header.of_today(names=len(records)).pack() + b"".join(records)


def check_name(name: str, kind: Kind) -> None:
    """Raise FormatError for a name that a file of this kind cannot hold.

    >>> check_name("Ann", PLAYERS)
    """
    room = kind.record_bytes - 1  # a zero ends the name
    try:
        length = len(name.encode("latin-1"))
    except UnicodeEncodeError:
        reason = f"{kind.word} {shown(name)} has letters that Latin-1 lacks"
        raise FormatError(reason, "unsupported") from None
    if length > room:
        reason = f"{kind.word} {shown(name)} has {length} letters; WTHOR has room for {room}"
        raise FormatError(reason, "unsupported")
    if "\0" in name:
        raise FormatError(f"{kind.word} {shown(name)} has a zero in it", "unsupported")

"""The file of a match: its games in GGF, a line each, as they end. Owns what a line says of the
match, and the state of a file that a killed program left.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from reversi.errors import FormatError
from reversi.formats import ggf
from reversi.game import Game
from reversi.match.referee import Result, result_of

if sys.platform != "win32":
    import fcntl

__all__ = ["Archive", "ArchiveError", "MatchGame", "Terms"]

_PLACE = "reversi match"
_BEGINNING = f"(;GM[Othello]PC[{_PLACE}]".encode()
_ROUND = re.compile(r"([1-9]\d{0,8})\.([12])")


class ArchiveError(ValueError):
    """A file that a match cannot be saved to or go on from; the message names it and the game."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What all games of a match have in common: the two players' names, and in ``settings`` what
    else decides how they are played, in words; ``time`` is GGF's time control, empty without."""

    first: str
    second: str
    settings: str
    time: str = ""


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A game with its place in the match: the number of its pair, from 0, and whether it is the
    second one of it, in which the first player has white."""

    game: Game
    pair: int
    swapped: bool

    @property
    def result(self) -> Result:
        """The game's result, in black's view."""
        return result_of(self.game)

    def put_headers(self, terms: Terms) -> None:
        """Write on the game's headers what `of` reads."""
        names = (terms.second, terms.first) if self.swapped else (terms.first, terms.second)
        self.game.headers.update(
            place=_PLACE,
            event=terms.settings,
            round=f"{self.pair + 1}.{1 + self.swapped}",
            date=time.strftime("%Y-%m-%d %H:%M:%S"),
            black=names[0],
            white=names[1],
            **({"time": terms.time} if terms.time else {}),
        )

    @classmethod
    def of(cls, game: Game, terms: Terms) -> MatchGame:
        """Return the place of a game that has it on its headers.

        Raises ValueError where it is no game of this match.
        """
        number = _ROUND.fullmatch(game.headers.get("round", ""))
        if number is None:
            raise ValueError("no game of a match: it has no round such as 1.2")
        swapped = number[2] == "2"
        names = (terms.second, terms.first) if swapped else (terms.first, terms.second)
        for what, there, here in (
            ("black player", game.headers.get("black"), names[0]),
            ("white player", game.headers.get("white"), names[1]),
            ("event", game.headers.get("event"), terms.settings),
            ("time control", game.headers.get("time", ""), terms.time),
        ):
            if there != here:
                raise ValueError(f"another match: its {what} is {there!r}, not {here!r}")
        found = cls(game, int(number[1]) - 1, swapped)
        _ = found.result
        return found


class Archive:
    """A file of a match's games, open for more; ``games`` are those it had."""

    def __init__(self, file: BinaryIO, games: list[MatchGame]) -> None:
        self._file = file
        self.games = games

    def add(self, game: MatchGame) -> None:
        """Add a game; it is with the system when this returns, whatever happens to the program."""
        self._file.write(ggf.dumps(game.game).strip().encode() + b"\n")
        self._file.flush()

    @classmethod
    @contextmanager
    def open(cls, path: Path, terms: Terms, resume: bool) -> Iterator[Archive]:
        """Open a new file, or with ``resume`` also one of the same match, of which a last line that
        was cut short is removed. No other process may have it open (POSIX only).

        Raises ArchiveError for a file that is there (without ``resume``), that another match or
        program wrote or is writing; OSError as `open` does.
        """
        try:
            file = path.open("a+b" if resume else "x+b")
        except FileExistsError:
            raise ArchiveError(f"{path}: is there already; resume goes on with its match") from None
        with file:
            _lock(file, path)
            file.seek(0)
            games = _games(file, path, terms)
            file.seek(0, os.SEEK_END)
            yield cls(file, games)


def _lock(file: BinaryIO, path: Path) -> None:
    if sys.platform != "win32":
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ArchiveError(f"{path}: another process plays the match of this file") from None


def _games(file: BinaryIO, path: Path, terms: Terms) -> list[MatchGame]:
    """Return the games of a file, and cut off or close a last line that was not written whole."""
    found: dict[tuple[int, bool], MatchGame] = {}
    while True:
        begin = file.tell()
        line = file.readline()
        if not line:
            break
        number = len(found) + 1
        try:
            one = MatchGame.of(ggf.parse(line.decode().rstrip("\n")), terms)
        except ValueError as error:
            if not line.endswith(b"\n") and _is_ours(line):
                file.truncate(begin)
                break
            reason = error.reason if isinstance(error, FormatError) else error
            raise ArchiveError(f"{path}: game {number}: {reason}") from None
        if (one.pair, one.swapped) in found:
            round_ = one.game.headers["round"]
            raise ArchiveError(f"{path}: game {number}: a second game {round_} of the match")
        found[one.pair, one.swapped] = one
        if not line.endswith(b"\n"):
            file.write(b"\n")
    return list(found.values())


def _is_ours(line: bytes) -> bool:
    """Tell the beginning of a game that a match wrote from a line of another file."""
    return line.startswith(_BEGINNING) or _BEGINNING.startswith(line)

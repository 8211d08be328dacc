"""WTHOR, the archives of tournament games: records of 68 bytes in a ``.wtb`` file, the names of
players and tournaments in files beside it.

Owns the records; headers and names are the business of ``wthor_names``. All is little-endian. A
record's moves are ``10 * row + column``, without passes, from the usual start; black's score has
the empty squares given to the winner.
"""

from __future__ import annotations

import re
import shutil
import struct
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import BinaryIO, TypeAlias

from reversi.board import Board
from reversi.errors import FormatError
from reversi.formats.base import Format, OnError, UnplayableError, game_of, tell
from reversi.formats.stated import stated_discs
from reversi.formats.wthor_names import (
    HEADER_BYTES,
    PLAYERS,
    TOURNAMENTS,
    Header,
    Kind,
    Names,
    check_name,
    names_beside,
    names_path,
    read_header,
    read_names,
    take,
)
from reversi.game import Game
from reversi.squares import PASS

__all__ = ["FORMAT", "check", "read", "write"]

# Tournament, black, white, black's discs, black's theoretical discs, moves.
_Record: TypeAlias = tuple[int, int, int, int, int, bytes]
_RECORD = struct.Struct("<3H2B60s")
_RECORDS_A_CHUNK = 512
_START = Board()
_THEORETICAL_EMPTIES = 22  # what a header means that says 0

_CODES = [10 * (sq // 8 + 1) + sq % 8 + 1 for sq in range(64)]
_NO_MOVE = 255
_SQUARES = bytes(_CODES.index(code) if code in _CODES else _NO_MOVE for code in range(256))
_RESULTS = [f"{2 * discs - 64:+d}" for discs in range(65)]
_THEORETICAL = re.compile(r"[+-]\d{1,2}", re.ASCII)
_EMPTIES = re.compile(r"[1-5]?\d|60", re.ASCII)
_YEAR = re.compile(r"\d{4}", re.ASCII)


def read(
    file: BinaryIO,
    source: str | None = None,
    on_error: OnError | None = None,
    players: str | PathLike[str] | None = None,
    tournaments: str | PathLike[str] | None = None,
) -> Iterator[Game]:
    """Yield the games of a binary ``.wtb`` file.

    Names come from the files ``players`` (.jou) and ``tournaments`` (.trn), by default those beside
    the file: of its own name, or ``WTHOR``. Where there are none, names are numbers: ``#17``.
    Headers are ``black``, ``white``, ``event``, ``date`` (the year), ``result``, and where the
    record has it ``theoretical``, black's result with the best play from ``theoretical_empties``
    empty squares on.

    A record whose moves are not legal, or whose game is over with another score, is told to
    ``on_error`` and skipped, and so are missing games and surplus bytes at the end; without
    ``on_error`` FormatError is raised. Always raised: FormatError for a file that is not WTHOR, has
    solitaires or boards other than 8x8, or for damaged files of names; OSError.

    >>> from io import BytesIO
    >>> file = BytesIO()
    >>> write(file, [Game.from_transcript("f5d6", headers={"result": "+6"})])
    1
    >>> [game.transcript() for game in read(BytesIO(file.getvalue()))]
    ['f5d6']
    """
    header = read_header(file, source)
    _check_kind(header, source)
    shared = {"date": str(header.games_year)} if header.games_year else {}
    empties = str(header.theoretical_empties or _THEORETICAL_EMPTIES)
    path = _path_of(file, source)
    people = _names(path, players, PLAYERS)
    events = _names(path, tournaments, TOURNAMENTS)
    number = 0
    for number, record in enumerate(_records(file, header.games), start=1):
        try:
            game = _game(record, people, events)
        except FormatError as error:
            place = _place(number - 1) + (f", {error.place}" if error.place else "")
            tell(FormatError(error.reason, error.kind, source, number, place), on_error)
            continue
        game.headers.update(shared)
        if "theoretical" in game.headers:
            game.headers["theoretical_empties"] = empties
        yield game
    if number < header.games:
        reason = f"the file ends after {number} of {header.games} games"
        tell(FormatError(reason, "truncated", source, number + 1, _place(number)), on_error)
    elif file.read(1):
        reason = f"bytes after the {header.games} games that the header counts"
        tell(FormatError(reason, "syntax", source, None, _place(number)), on_error)


def _records(file: BinaryIO, count: int) -> Iterator[_Record]:
    """Yield so many records of a file, fewer where it ends before."""
    while count > 0:
        wanted = min(count, _RECORDS_A_CHUNK)
        data = take(file, wanted * _RECORD.size)
        found = len(data) // _RECORD.size
        yield from _RECORD.iter_unpack(data[: found * _RECORD.size])
        count = count - found if found == wanted else 0


def _place(index: int) -> str:
    """Return in words where a record begins."""
    return f"byte {HEADER_BYTES + index * _RECORD.size}"


def _check_kind(header: Header, source: str | None) -> None:
    if header.solitaires:
        reason = f"the type is {header.solitaires}, solitaires; expected 0, games"
        raise FormatError(reason, "unsupported", source, None, "byte 13")
    if header.board_size not in (0, 8):
        reason = f"the boards' size is {header.board_size}; expected 8, or 0 for 8"
        raise FormatError(reason, "unsupported", source, None, "byte 12")
    if header.theoretical_empties > 60:
        reason = f"scores from {header.theoretical_empties} empty squares on; expected 0 to 60"
        raise FormatError(f"not a WTHOR file: {reason}", "syntax", source, None, "byte 14")


def _names(
    games: str | PathLike[str] | None, given: str | PathLike[str] | None, kind: Kind
) -> list[str] | None:
    if given is None and games is not None:
        given = names_beside(games, kind)
    return None if given is None else read_names(given, kind)


def _path_of(file: BinaryIO, source: str | None = None) -> Path | None:
    """Return where a file lies; None for one without a place, such as a pipe."""
    for name in (getattr(file, "name", None), source):
        if isinstance(name, str) and Path(name).is_file():
            return Path(name)
    return None


def _game(
    record: _Record,
    people: Sequence[str] | None,
    events: Sequence[str] | None,
) -> Game:
    event, black, white, discs, theoretical, codes = record
    headers = {
        "black": _name(black, people, PLAYERS),
        "white": _name(white, people, PLAYERS),
        "event": _name(event, events, TOURNAMENTS),
    }
    if not (headers["black"] and headers["white"] and headers["event"]):
        headers = {name: value for name, value in headers.items() if value}
    if discs > 64 or theoretical > 64:
        raise FormatError(f"{max(discs, theoretical)} black discs; expected 0 to 64", "result")
    headers["result"] = _RESULTS[discs]
    if theoretical:  # writers who have not computed it put 0
        headers["theoretical"] = _RESULTS[theoretical]
    codes = codes.rstrip(b"\0")
    moves = codes.translate(_SQUARES)
    if _NO_MOVE in moves:
        index = moves.index(_NO_MOVE)
        reason = f"{codes[index]} is no move; expected 10 * row + column, such as 56 for f5"
        raise FormatError(reason, "syntax", place=f"move {index + 1}")
    try:
        game = game_of(moves, None, headers)
    except UnplayableError as error:
        place = f"move {error.index + 1}"
        raise FormatError(error.reason, "illegal move", place=place) from None
    final = game.final_board()
    if final.is_game_over() and _score(final) != discs:
        reason = f"{discs} black discs are stated; the moves lead to {_score(final)}"
        raise FormatError(reason, "result")
    return game


def _name(number: int, names: Sequence[str] | None, kind: Kind) -> str:
    if names is None:
        return f"#{number}"
    if number >= len(names):
        raise FormatError(f"{kind.word} {number}; the file of names has {len(names)}", "syntax")
    return names[number]


def _score(final: Board) -> int:
    """Return black's discs at the end, with the empty squares for the winner."""
    black, white = final.black.bit_count(), final.white.bit_count()
    return 32 if black == white else black if black < white else 64 - white


# --- Writing --------------------------------------------------------------------------------------


def write(file: BinaryIO, games: Iterable[Game]) -> int:
    """Write games to a binary ``.wtb`` file, and their names to files beside it; return how many.

    The names go to files of the same name with the endings .jou and .trn, which are replaced. Other
    headers, notes and variations are left out, and so is a pass at the end of a game that is broken
    off. The year is that of the games' ``date``, if all agree; theoretical scores are written that
    have the ``theoretical_empties`` of the first one. Raises FormatError, naming the game, for one
    that `check` refuses, for names in a file that lies in no folder, and for more names than the
    65,535 that a file holds.

    >>> from io import BytesIO
    >>> write(BytesIO(), [Game.from_transcript("e6f4e3f6g5d6e7f5c5")])
    1
    """
    path = _path_of(file)
    people, events = Names(PLAYERS), Names(TOURNAMENTS)
    years: set[int] = set()
    empties: int | None = None
    count = 0
    # The header, which comes first, holds what is known only at the end.
    with tempfile.TemporaryFile() as records:
        for game in games:
            count += 1
            try:
                check(game)
                theoretical, ours = _theoretical(game)
                empties = ours if empties is None else empties
                theoretical *= ours == empties
                records.write(_packed(game, people, events, theoretical))
            except FormatError as error:
                raise FormatError(error.reason, error.kind, None, count, error.place) from None
            if path is None and any(game.headers.get(name) for name in ("black", "white", "event")):
                reason = "WTHOR keeps names in files beside the .wtb file; this one has no folder"
                raise FormatError(reason, "unsupported", None, count)
            years.add(_year(game))
        year = years.pop() if len(years) == 1 else 0
        header = Header.of_today(count, games_year=year, theoretical_empties=empties or 0)
        file.write(header.pack())
        records.seek(0)
        shutil.copyfileobj(records, file)
    if path is not None:
        names_path(path, PLAYERS).write_bytes(people.pack())
        names_path(path, TOURNAMENTS).write_bytes(events.pack())
    return count


def check(game: Game) -> None:
    """Raise FormatError for a game that WTHOR cannot hold.

    These are games from another start, names that are too long or not Latin-1, and games that are
    not over and state no ``result`` of an even number of discs.

    >>> check(Game())
    Traceback (most recent call last):
    reversi.errors.FormatError: the game is not over and states no even result; expected +6 or so
    """
    if game.start != _START:
        reason = "the game begins with another board; WTHOR knows the usual one alone"
        raise FormatError(reason, "unsupported")
    for name, kind in (("black", PLAYERS), ("white", PLAYERS), ("event", TOURNAMENTS)):
        check_name(game.headers.get(name, ""), kind)
    _discs(game)


def _packed(game: Game, people: Names, events: Names, theoretical: int) -> bytes:
    codes = bytes([_CODES[move] for move in game.moves if move != PASS])
    return _RECORD.pack(
        events.number(game.headers.get("event", "")),
        people.number(game.headers.get("black", "")),
        people.number(game.headers.get("white", "")),
        _discs(game),
        theoretical,
        codes,
    )


def _discs(game: Game) -> int:
    """Return black's discs: the board's where the game is over, the stated ones otherwise."""
    final = game.final_board()
    if final.is_game_over():
        return _score(final)
    stated = stated_discs(game)
    if stated is None or stated[0] % 2 or abs(stated[0]) > 64:
        reason = "the game is not over and states no even result; expected +6 or so"
        raise FormatError(reason, "unsupported")
    return 32 + int(stated[0]) // 2


def _theoretical(game: Game) -> tuple[int, int | None]:
    """Return black's discs with the best play, and from how many empty squares on; 0 and None where
    the headers do not say."""
    discs = _THEORETICAL.fullmatch(game.headers.get("theoretical", ""))
    empties = _EMPTIES.fullmatch(game.headers.get("theoretical_empties", ""))
    if discs is None or empties is None or int(discs[0]) % 2 or abs(int(discs[0])) > 64:
        return 0, None
    return 32 + int(discs[0]) // 2, int(empties[0])


def _year(game: Game) -> int:
    found = _YEAR.search(game.headers.get("date", ""))
    return int(found[0]) if found else 0


FORMAT = Format("wthor", (".wtb",), read, write, check)

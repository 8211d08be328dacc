"""Transcripts, ``f5d6c3``, one game a line. What a move may look like, is said by ``squares``.

A board in OBF before the moves is where the game starts, if not on the usual board. Headers, notes
and variations have no place in a transcript.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from reversi.board import Board
from reversi.errors import FormatError, IllegalMoveError, InvalidBoardError, InvalidMoveError
from reversi.formats.base import Format, OnError, UnplayableError, game_of, tell, text_lines
from reversi.game import Game
from reversi.squares import PASS, SQUARE_NAMES

__all__ = ["FORMAT", "dumps", "parse", "read", "write"]

_CELL = r"\s*[-.XxBb*OoWw]"
# The side is no letter of a square.
_BOARD = re.compile(rf"(?:{_CELL}){{64}}\s*[XxBb*OoWw](?!\s*\d)")
_LIKE_A_BOARD = re.compile(rf"(?:{_CELL}){{6}}")  # no game begins with three passes
_PLAIN = re.compile(r"\s*((?:[a-hA-H][1-8])+)\s*")
_MAX_CHARACTERS = 10_000  # ten times what a game has, its board, its numbers and blanks counted
_COMMENTS = ("%", "#")

_NUMBERS = {name: sq for sq, low in enumerate(SQUARE_NAMES) for name in (low, low.upper())}
_START = Board()


def parse(text: str) -> Game:
    """Return the game of a transcript, which may have several lines and a board before the moves.

    Moves are read as `Board.from_transcript` reads them: in either case, run together or spaced,
    with or without numbers and passes. Raises FormatError where there is neither move nor board.

    >>> parse("1. F5 d6 2. C3").transcript()
    'f5d6c3'
    >>> parse("f5d6 5f")
    Traceback (most recent call last):
    reversi.errors.FormatError: move 3, column 6: '5f' is not a move; did you mean 'f5'?
    """
    check_length(text)
    start = None
    found = _BOARD.match(text)
    if found is not None:
        start = Board.from_obf(found.group())
        # The moves keep their places.
        text = re.sub(r"\S", " ", found.group()) + text[found.end() :]
    elif _LIKE_A_BOARD.match(text):
        raise _board_fault(text)
    elif not text.strip():
        raise FormatError("no moves and no board; expected moves such as f5d6c3")
    try:
        if plain := _PLAIN.fullmatch(text):
            names = plain[1]
            moves = [_NUMBERS[names[at : at + 2]] for at in range(0, len(names), 2)]
            return game_of(bytes(moves), start)
    except UnplayableError:
        pass  # read once more, for the place of the move
    try:
        return Game.from_transcript(text, start)
    except InvalidMoveError as error:
        raise _fault(error, "syntax") from None
    except IllegalMoveError as error:
        raise _fault(error, "illegal move") from None


def check_length(text: str) -> None:
    """Raise FormatError for a text that is too long for a transcript."""
    if len(text) > _MAX_CHARACTERS:
        reason = f"too long: {len(text)} characters; expected at most {_MAX_CHARACTERS}"
        raise FormatError(reason, "too long")


def read(
    file: BinaryIO, source: str | None = None, on_error: OnError | None = None
) -> Iterator[Game]:
    """Yield the games of a binary file of transcripts, one a line.

    Blank lines and those that begin with ``%`` or ``#`` are skipped. ``source`` is the name that
    errors give the file. A line that cannot be read is told to ``on_error`` and skipped; without
    ``on_error`` FormatError is raised. It says so where a line would continue the game before it.

    >>> from io import BytesIO
    >>> [game.transcript() for game in read(BytesIO(b"% two games\\nf5d6\\nC4\\n"))]
    ['f5d6', 'c4']
    """
    number = 0
    begun, begun_at = "", 0  # the lines that would be one game, and the number of the first one
    for line, text in text_lines(file, source, on_error):
        if text.lstrip().startswith(_COMMENTS):
            continue
        number += 1
        try:
            game = parse(text)
        except FormatError as error:
            before, column, after = (error.place or "").rpartition("column")
            place = f"{before}line {line}" + (f", {column}{after}" if column else "")
            reason = error.reason
            begun = f"{begun} {text}" if begun and _is_game(f"{begun} {text}") else ""
            if begun:
                reason += (
                    f"; these moves would continue line {begun_at}; a game has to be on one line"
                )
            tell(FormatError(reason, error.kind, source, number, place), on_error)
        else:
            begun, begun_at = text, line
            yield game


def _is_game(text: str) -> bool:
    try:
        parse(text)
    except FormatError:
        return False
    return True


def dumps(game: Game) -> str:
    """Return the main line, after its start board if that is not the usual one.

    A pass is written only at the end, where no move tells of it.

    >>> dumps(Game.from_transcript("F5 D6"))
    'f5d6'
    """
    moves = game.transcript()
    if game.moves[-1:] == [PASS]:
        moves += "pa"
    start = game.start
    if start == _START and moves:
        return moves
    return f"{start.obf()} {moves}".rstrip()


def write(file: BinaryIO, games: Iterable[Game]) -> int:
    """Write transcripts to a binary file, one a line, and return their number.

    >>> from io import BytesIO
    >>> write(BytesIO(), [Game(), Game()])
    2
    """
    count = 0
    for game in games:
        file.write(dumps(game).encode("ascii") + b"\n")
        count += 1
    return count


def _fault(error: ValueError, kind: str) -> FormatError:
    place, _, reason = str(error).partition(": ")
    return FormatError(reason, kind, place=place)


def _board_fault(text: str) -> FormatError:
    """Return what is wrong with a board that stands before the moves."""
    try:
        Board.from_obf(text)
    except InvalidBoardError as error:
        place, _, reason = str(error).partition(": ")
        if place.startswith("column"):
            return FormatError(reason, "board", place=place)
        return FormatError(str(error), "board")
    return FormatError("a board without a side to move", "board")


FORMAT = Format("transcript", (".txt", ".xot"), read, write)

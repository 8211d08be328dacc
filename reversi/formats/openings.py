"""Lists of openings, one a line: moves (XOT lists among them), or a board, or both. Knows no match.

An XOT list has eight moves a line, after which black is to move with twelve discs. The list is its
owner's: people bring the file.
"""

from __future__ import annotations

import re
from pathlib import Path

from reversi.board import Board
from reversi.errors import FormatError, IllegalMoveError, InvalidBoardError, InvalidMoveError
from reversi.formats.base import decode

__all__ = ["parse_opening", "read_openings"]

_CELL = r"[XxBb*OoWw.\-]"
# Two cells begin no transcript; a side is no letter of a square that a digit follows.
_BOARD_BEGINS = re.compile(rf"\s*{_CELL}\s*{_CELL}")
_BOARD = re.compile(rf"\s*(?:{_CELL}\s*){{64}}(?:[XxBb*OoWw](?!\s*[1-8]))?")
_COMMENTS = ("%", "#")
_LINE_BYTES = 1 << 16


def parse_opening(text: str) -> Board:
    """Return the board of one opening: a transcript, a board in OBF, or a board and then moves.

    The board has the moves behind it. Raises FormatError for anything else, and where the game is
    over.

    >>> parse_opening("F5d6C3d3C4f4F6f3").empties
    52
    """
    start: Board | None = None
    moves = text
    try:
        if _BOARD_BEGINS.match(text):
            board = _BOARD.match(text)
            end = len(text) if board is None else board.end()
            start = Board.from_obf(text[:end])
            # What OBF says of a position's moves is no part of the opening.
            moves = " " * end + text[end:].partition(";")[0]
        opening = Board.from_transcript(moves, start)
    except InvalidBoardError as error:
        raise FormatError(str(error), "board") from None
    except InvalidMoveError as error:
        raise FormatError(str(error)) from None
    except IllegalMoveError as error:
        raise FormatError(str(error), "illegal move") from None
    if opening.is_game_over():
        raise FormatError("the game is over; expected an opening to be played on", "board")
    return opening


def read_openings(path: str | Path) -> list[Board]:
    """Return the openings of a file, in order, each board with its moves behind it.

    Blank lines and those that begin with ``%`` or ``#`` are skipped. Raises FormatError that names
    the file and the line, also where there is no opening at all; OSError if it cannot be read.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "xot.txt")
    ...     _ = path.write_text("F5d6C3d3C4f4F6f3\\n% another one\\nF5d6C3d3C4b3D2e2\\n")
    ...     [board.transcript()[-4:] for board in read_openings(path)]
    ['f6f3', 'd2e2']
    """
    openings = []
    with Path(path).open("rb") as file:
        number = 0
        while line := file.readline(_LINE_BYTES):
            number += 1
            text = decode(line.removeprefix(b"\xef\xbb\xbf")).strip("\r\n")
            if text.strip() and not text.lstrip().startswith(_COMMENTS):
                openings.append(_named(text, str(path), number))
    if not openings:
        raise FormatError("no opening in the file; expected one a line", source=str(path))
    return openings


def _named(text: str, source: str, line: int) -> Board:
    try:
        return parse_opening(text)
    except FormatError as error:
        raise FormatError(error.reason, error.kind, source, None, f"line {line}") from None

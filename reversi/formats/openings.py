"""Lists of openings, one a line: moves (XOT lists among them), or a board, or both. Knows no match.

An XOT list has eight moves a line, after which black is to move with twelve discs. The list is its
owner's: people bring the file.
"""

from __future__ import annotations

from pathlib import Path

from reversi.board import Board
from reversi.errors import FormatError
from reversi.formats import obf, transcript
from reversi.formats.base import text_lines

__all__ = ["parse_opening", "read_openings"]

_COMMENTS = ("%", "#")


def parse_opening(text: str) -> Board:
    """Return the board of one opening: a transcript, a board in OBF, or a board and then moves.

    The board has the moves behind it. Raises FormatError for anything else, and where the game is
    over.

    >>> parse_opening("F5d6C3d3C4f4F6f3").empties
    52
    """
    # What OBF says of the values of moves is no part of an opening.
    game = obf.parse(text) if ";" in text else transcript.parse(text)
    opening = game.final_board()
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
        for line, text in text_lines(file, str(path)):
            if not text.lstrip().startswith(_COMMENTS):
                openings.append(_named(text, str(path), line))
    if not openings:
        raise FormatError("no opening in the file; expected one a line", source=str(path))
    return openings


def _named(text: str, source: str, line: int) -> Board:
    try:
        return parse_opening(text)
    except FormatError as error:
        # The readers of one line call it line 1, or do not say so.
        place = (error.place or "").replace("line 1, ", "")
        place = ", ".join(part for part in (f"line {line}", place) if part)
        raise FormatError(error.reason, error.kind, source, None, place) from None

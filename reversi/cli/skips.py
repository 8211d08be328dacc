"""Games that a command leaves out, named on standard error. Decides on none."""

from __future__ import annotations

from reversi import FormatError
from reversi.cli import render

SKIPPED = 1  # the exit status of a command that left games out

_MOST_NAMED = 20


class Skips:
    """Names the games that are left out, the first ones one by one; the others are counted at the
    end of the ``with`` block.

    >>> with Skips() as skips:
    ...     skips.count
    0
    """

    def __init__(self) -> None:
        self.count = 0
        self.number = 0  # of the last game of a file, read or not

    def __enter__(self) -> Skips:
        return self

    def __exit__(self, *_: object) -> None:
        more = self.count - _MOST_NAMED
        if more > 0:
            render.err().print(f"reversi: skipped: {more:,} more", soft_wrap=True)

    def add(self, error: FormatError) -> None:
        """Count a game, and name it if it is one of the first."""
        self.count += 1
        self.number = max(self.number, error.game or 0)
        if self.count <= _MOST_NAMED:
            render.err().print(f"reversi: skipped: {error}", soft_wrap=True)

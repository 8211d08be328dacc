"""The result that a game states, as its header ``result`` holds it: ``+6``, ``-2:t``. Owns that
text and its comparison with the board; knows no file.
"""

from __future__ import annotations

import re

from reversi.board import Board
from reversi.game import Game

__all__ = ["contradicts", "read_result", "stated_discs"]

_RESULT = re.compile(r"\s*([+-]?\d{1,4}(?:\.\d{1,9})?)\s*(:[rts])?\s*", re.ASCII)


def read_result(text: str) -> str | None:
    """Return the header's text for a number of discs with or without an ending: ``+6``, ``-2:t``.

    The ending is ``:r`` (resigned), ``:t`` (lost on time) or ``:s`` (agreed). None for other texts.

    >>> read_result("+6.000"), read_result("-2.50:t"), read_result("0"), read_result("unknown")
    ('+6', '-2.5:t', '+0', None)
    """
    found = _RESULT.fullmatch(text)
    if found is None:
        return None
    discs = float(found[1])
    number = f"{int(discs):+d}" if discs == int(discs) else f"{discs:+}"
    return number + (found[2] or "")


def stated_discs(game: Game) -> tuple[float, str] | None:
    """Return black's discs less white's by the header, and the ending; None where it says neither.

    >>> stated_discs(Game(headers={"result": "-2:t"}))
    (-2.0, ':t')
    """
    found = _RESULT.fullmatch(game.headers.get("result", ""))
    return None if found is None else (float(found[1]), found[2] or "")


def contradicts(game: Game, final: Board) -> bool:
    """Return whether a game states another result than its last board, which is over, has.

    The discs alone and those with the empty squares for the winner are both right. A game with an
    ending, and one that is not over, may state anything.

    >>> game = Game.from_transcript("e6f4e3f6g5d6e7f5c5", headers={"result": "+13"})
    >>> contradicts(game, game.final_board())
    False
    """
    stated = stated_discs(game)
    outcome = final.outcome()
    if stated is None or outcome is None or stated[1]:
        return False
    return stated[0] not in (outcome.discs, outcome.tournament)

"""What the levels of play are: how deep each looks, how far it sees the end, what it overlooks.

A level is a number from 0 to 60, as players know them: from 5 on the depth of its middle game. Its
exact endgame begins at twice as many empty squares up to level 10, and grows slowly from there on,
since each square more costs twice the time. The levels below 5 choose by chance among moves that
are nearly as good as the best; none plays a move that looks silly six plies later.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from reversi.limits import Limit
from reversi.results import Line

# The search that no chance level goes without: its own move must hold against six plies.
GUARD_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Level:
    """``depth``: plies of the middle game. The end of the game is searched exactly from
    ``exact_empties`` on, at 95 % from ``sure_empties`` and at 73 % from ``likely_empties`` on.
    ``slack`` is how many discs a move may be worse than the best and yet be played, ``warmth`` how
    readily it is (0: never)."""

    depth: int
    exact_empties: int
    sure_empties: int
    likely_empties: int
    slack: float = 0.0
    warmth: float = 0.0

    def __str__(self) -> str:
        text = f"depth {self.depth}, exact from {self.exact_empties} empty squares"
        return f"{text}, by chance up to {self.slack:g} discs off the best" if self.slack else text


# Slack and warmth, in discs. Each won a fifth to a third of 40 games against the next.
_CHANCE = ((12.0, 12.0), (9.0, 6.0), (7.0, 4.0), (5.0, 2.5), (4.0, 1.6))


def level_of(number: int) -> Level:
    """What a level from 0 to 60 is.

    >>> level_of(21).depth, level_of(21).exact_empties, level_of(10).exact_empties
    (21, 24, 20)
    """
    if number < len(_CHANCE):
        slack, warmth = _CHANCE[number]
        return Level(GUARD_DEPTH, 2 * number, 2 * number, 2 * number, slack, warmth)
    if number <= 10:
        return Level(number, 2 * number, 2 * number, 2 * number)
    # A search to the end at 95 % takes about as long as an exact one from three squares fewer.
    exact = 20 + (number - 10) * 4 // 11
    return Level(number, exact, exact + 3, exact + 6)


def classic_limit(limit: Limit, exact_empties: int) -> tuple[Limit, int]:
    """What a limit means to the classic search, which ends the game exactly from `exact_empties`
    on: its levels are a depth and a range, without chance."""
    if limit.level is None:
        return limit, exact_empties
    depth = min(limit.depth or 60, max(1, limit.level))
    return replace(limit, depth=depth), min(exact_empties, 2 * limit.level)


def choose(lines: Sequence[Line], level: Level, random: Random) -> Line:
    """One of the lines, the best first, by chance: the less likely, the worse it is."""
    best = lines[0].value or 0.0
    near = [line for line in lines if best - (line.value or 0.0) <= level.slack]
    weights = [math.exp(((line.value or 0.0) - best) / level.warmth) for line in near]
    return random.choices(near, weights)[0]

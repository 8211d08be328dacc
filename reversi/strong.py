"""The search by the learned evaluation, as the engine asks for it: alone, helped, or by chance.

Knows how a search is set up; the steps are taken elsewhere.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from random import Random

from reversi._load import core
from reversi.board import Board
from reversi.deepening import finish
from reversi.helpers import helped
from reversi.levels import choose, level_of
from reversi.limits import Limit
from reversi.plans import plan_of
from reversi.results import Certainty, SearchInfo
from reversi.steps import Deepening


def strong_search(
    searchers: Sequence[core.Searcher],
    board: Board,
    moves: Sequence[int],
    limit: Limit,
    start: float,
    *,
    count: int = 1,
    selectivity: int | None = None,
    random: Random | None = None,
    to_the_end: bool = True,
) -> Generator[SearchInfo, None, SearchInfo]:
    """Yields a record of each completed step, with the `count` best moves; returns the last one
    with all that the search took.

    `selectivity` is the percentage that each step is to have. Given `random`, a level that plays
    by chance makes its choice, and tells it alone. Without `to_the_end` the middle game is all.
    """
    plan = plan_of(limit, selectivity, to_the_end)
    level = None if limit.level is None else level_of(limit.level)
    by_chance = level is not None and level.slack > 0 and random is not None
    deepening = Deepening(
        searchers, board, moves, plan, limit, start, len(moves) if by_chance else count
    )
    run = deepening.run() if len(searchers) == 1 else helped(deepening, searchers[1:], board)
    if not by_chance:
        return (yield from run)
    assert level is not None and random is not None
    last = finish(run)
    if not last.exact:
        line = choose(last.lines, level, random)
        value = line.value or 0.0
        assert last.certainty is not None
        last = replace(
            last,
            move=line.move,
            pv=line.pv,
            value=value,
            score=round(100 * value),
            # What is proved of the position need not hold for this move.
            certainty=Certainty("search", last.certainty.depth, last.certainty.selectivity),
            lines=(line,),
        )
    last = replace(last, lines=last.lines[:count])
    yield last
    return last

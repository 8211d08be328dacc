"""How far a search by the learned evaluation may go: what its limit and its level allow."""

from __future__ import annotations

from dataclasses import dataclass

from reversi.levels import level_of
from reversi.limits import Limit

# The core's steps of selectivity, 0 to 4: how sure, in percent, it is of what it leaves out.
PERCENT = (100, 99, 95, 87, 73)
EXACT, SURER, SURE, LIKELIER, LIKELY = range(5)


@dataclass(frozen=True, slots=True)
class Plan:
    """How far a search may go. ``depth``: plies of the middle game; ``middle``: its selectivity;
    ``ends``: from how many empty squares on the end is searched at each selectivity; ``least``: the
    least sure step that may be taken, there too."""

    depth: int
    middle: int
    ends: dict[int, int]
    least: int


def plan_of(limit: Limit, selectivity: int | None, to_the_end: bool = True) -> Plan:
    """The plan for a limit, and for a selectivity in percent that each step of a search is to have.

    A level that would search the end less surely than that, or more, searches it so, from as many
    empty squares on.
    """
    least = LIKELY if selectivity is None else PERCENT.index(selectivity)
    middle = least
    depth = min(60, limit.depth or 60)
    far = -1 if not to_the_end else 64 if limit.depth is None else limit.depth
    ends = dict.fromkeys(range(5), far)
    if limit.level is not None:
        level = level_of(limit.level)
        depth = min(depth, level.depth)
        middle = EXACT if level.slack else middle
        reach = {EXACT: level.exact_empties, SURE: level.sure_empties, LIKELY: level.likely_empties}
        ends = {step: min(far, reach.get(step, -1)) for step in ends}
    if selectivity is not None:
        ends = {step: max(ends.values()) if step == least else -1 for step in ends}
    return Plan(depth, middle, ends, least)

"""When a search ends: limits of time, depth, nodes and level; the budget of a thinking time."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import SupportsIndex

__all__ = ["Limit", "budget_ms", "check_integer"]

MAX_LEVEL = 60


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search ends: at the first of the limits that are given, or when it has solved.

    ``time_ms`` is thinking time (0 or more; 30 ms of it are kept back, 50 are the least used),
    ``depth`` plies (1 or more; passes are not counted), ``nodes`` positions (1 or more), ``level``
    a strength from 0 to 60: how deep the middle game is searched, and from how many empty squares
    to the end. Raises ValueError for other values, and for no limit at all.

    >>> Limit(depth=8)
    Limit(time_ms=None, depth=8, nodes=None, level=None)
    """

    time_ms: int | None = None
    depth: int | None = None
    nodes: int | None = None
    level: int | None = None

    def __post_init__(self) -> None:
        if (self.time_ms, self.depth, self.nodes, self.level) == (None,) * 4:
            raise ValueError("no limit given; expected time_ms=, depth=, nodes= or level=")
        for name, value, least, most in (
            ("time_ms", self.time_ms, 0, None),
            ("depth", self.depth, 1, None),
            ("nodes", self.nodes, 1, None),
            ("level", self.level, 0, MAX_LEVEL),
        ):
            if value is not None:
                check_integer(name, value, least, most)


def budget_ms(think_time_ms: int) -> int:
    """What a search may use of a thinking time: all but 30 ms, at least 50.

    Raises ValueError for a negative time.

    >>> budget_ms(4000), budget_ms(81), budget_ms(0)
    (3970, 51, 50)
    """
    check_integer("think_time_ms", think_time_ms, 0)
    return max(50, max(0, think_time_ms - 30))


def check_integer(name: str, value: object, least: int, most: int | None = None) -> None:
    """Raises ValueError for anything but an integer from ``least`` to ``most``."""
    # An int, mostly; the other question takes microseconds.
    number = least - 1
    if isinstance(value, int):
        number = value if value is not True and value is not False else number
    elif isinstance(value, SupportsIndex):
        number = operator.index(value)
    if number < least or (most is not None and number > most):
        span = f"{least} or more" if most is None else f"{least} to {most}"
        raise ValueError(f"{name} is {value!r}; expected an integer, {span}")

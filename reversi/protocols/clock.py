"""The time that a side has for a game, and how long it thinks about its next move.

Knows no protocol's commands, and runs no search. Times are milliseconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reversi.limits import Limit

__all__ = ["Clock", "TimeControl"]

# What a move costs beside the thinking: pipes, the other program, a busy machine. `Limit` keeps 30
# ms back as well, which holds the search's own way out.
_LAG_MS = 10
# And what is never used.
_RESERVE_MS = 100
# From so many empty squares on a game is solved in some milliseconds.
_SOLVED_EMPTIES = 16
# Time is dealt out to the moves before that, and to so many more, which the solve may need.
_SOLVING_MOVES = 4
# The median of an exact search at 20 empty squares, and how it grows with each more (8 positions
# each of 16 to 24: 9 ms, 50, 160, 1100, 4000). The slowest took six times as long.
_SOLVE_MS, _SOLVE_GROWTH, _SOLVE_TIMES = 160.0, 2.24, 4
# A search uses 50 ms at least; for less it is told the nodes, of which it visits some 3000 a ms.
_LEAST_SEARCH_MS = 50
_NODES_PER_MS = 500

_NUMBER = re.compile(r"\d{1,6}(\.\d+)?")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """What each side has: ``main_ms`` for the game and ``increment_ms`` more after each move; when
    that is used up ``extra_ms``, once; and then ``period_ms`` for ``period_moves`` moves, again and
    again (Canadian byo-yomi; with one move, Japanese).

    >>> TimeControl(main_ms=300_000, increment_ms=5000).main_ms
    300000
    """

    main_ms: float
    increment_ms: float = 0
    extra_ms: float = 0
    period_ms: float = 0
    period_moves: int = 1

    @classmethod
    def from_ggf(cls, text: str) -> TimeControl | None:
        """Return the time control that GGF writes as ``main/increment/extra``, each hours, minutes
        and seconds, or empty; a single number is minutes. None for anything else.

        >>> TimeControl.from_ggf("05:00//02:00").extra_ms
        120000.0
        >>> TimeControl.from_ggf("?") is None
        True
        """
        parts = text.split("/")
        times_ms = [time_ms for part in parts if (time_ms := _part_ms(part)) is not None]
        if len(times_ms) < len(parts) or len(parts) > 3 or not any(times_ms):
            return None
        main_ms, increment_ms, extra_ms = [*times_ms, 0.0, 0.0][:3]
        return cls(main_ms, increment_ms, extra_ms)


class Clock:
    """One side's clock. ``left_ms`` is what it has now, for ``moves`` moves where it is in
    byo-yomi (0 before); ``expired`` says that its time is used up.

    >>> clock = Clock(TimeControl(main_ms=60_000, period_ms=10_000, period_moves=5))
    >>> clock.spend(65_000)
    >>> clock.left_ms, clock.moves
    (5000, 4)
    """

    def __init__(self, control: TimeControl) -> None:
        self._control = control
        self._extra_ms = control.extra_ms
        # Without main time the first move has its increment, as all others have.
        self.left_ms = control.main_ms or control.increment_ms
        self.moves = 0
        self.expired = False
        if self.left_ms <= 0:
            self._go_on()

    def spend(self, elapsed_ms: float) -> None:
        """Take the time of a move off."""
        self.left_ms -= elapsed_ms
        while self.left_ms < 0 and not self.moves and not self.expired:
            self._go_on()
        if self.left_ms < 0:
            self.expired = True
        elif self.moves:
            self.moves -= 1
            if not self.moves:
                self.moves, self.left_ms = self._control.period_moves, self._control.period_ms
        else:
            self.left_ms += self._control.increment_ms

    def _go_on(self) -> None:
        """Begin what comes after the main time; what is below zero is taken off it."""
        if self._extra_ms > 0:
            self.left_ms += self._extra_ms
            self._extra_ms = 0
        elif self._control.period_ms > 0:
            self.left_ms += self._control.period_ms
            self.moves = self._control.period_moves
        else:
            self.expired = True

    def set_left(self, left_ms: float, moves: int = 0) -> None:
        """Set what is left: for so many moves in byo-yomi, for the rest of the game with 0."""
        self.left_ms, self.moves, self.expired = left_ms, moves, False

    def think_ms(self, empties: int) -> float:
        """Return how long to think about the next move with so many empty squares, 0 or more.

        The time is dealt out evenly to the moves until the game can be solved; where half of it
        holds an exact search, that gets what it needs.

        >>> clock = Clock(TimeControl(main_ms=300_000))
        >>> round(clock.think_ms(60)), round(clock.think_ms(24))
        (11523, 37472)
        """
        own_moves = max(1, (empties + 1) // 2)
        dealt = max(0, empties + 1 - _SOLVED_EMPTIES) // 2 + _SOLVING_MOVES
        coming_ms = after_ms = 0.0
        if self.moves:
            own_moves = dealt = min(self.moves, own_moves)
        else:
            dealt = min(dealt, own_moves)
            after_ms = self._control.period_ms / self._control.period_moves
            coming_ms = self._control.increment_ms + after_ms
        left_ms = max(0.0, self.left_ms - _RESERVE_MS - own_moves * _LAG_MS)
        share_ms = left_ms / dealt
        if empties > _SOLVED_EMPTIES:
            solve_ms = _SOLVE_TIMES * _SOLVE_MS * _SOLVE_GROWTH ** (empties - 20)
            if solve_ms <= left_ms / 2:
                share_ms = max(share_ms, solve_ms)
        return min(share_ms + coming_ms, left_ms + max(0.0, after_ms - _RESERVE_MS - _LAG_MS))

    def limit(self, empties: int, level: int | None = None, most_ms: float | None = None) -> Limit:
        """Return the limit of the next search; where given, by its level, and in `most_ms`.

        >>> Clock(TimeControl(main_ms=500)).limit(40)
        Limit(time_ms=0, depth=None, nodes=6250, level=None)
        """
        think_ms = self.think_ms(empties)
        if most_ms is not None:
            think_ms = min(think_ms, most_ms)
        if think_ms < _LEAST_SEARCH_MS:
            return Limit(time_ms=0, nodes=max(1, int(think_ms * _NODES_PER_MS)), level=level)
        return Limit(time_ms=int(think_ms), level=level)


def _part_ms(part: str) -> float | None:
    """What a part of GGF's TI says; behind a comma it may say to how many moves that applies."""
    text = part.partition(",")[0].strip()
    if not text:
        return 0.0
    numbers = text.split(":")
    if len(numbers) > 3 or not all(map(_NUMBER.fullmatch, numbers)):
        return None
    seconds = 0.0
    for number in numbers if len(numbers) > 1 else [*numbers, "0"]:
        seconds = 60 * seconds + float(number)
    return 1000 * seconds

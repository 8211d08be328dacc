"""What a server allows its clients. Knows no request."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

# A request's body; the longest game in JSON takes a hundredth of it.
BODY_MAX = 1_000_000
# Seconds in which a body must have come: the longest one at 100 kB a second.
BODY_S = 10
# Sixty squares, and a pass after each.
MOVES_MAX = 120
# A pasted text; a game in GGF takes a hundredth of it. Reading it may take a second.
TEXT_MAX = 200_000
# Of a pasted archive so many games are given back.
GAMES_MAX = 100
# A search without a limit of its own takes so long.
TIME_MS_USUAL = 4000
# Without a limit a position of so many empty squares is solved within seconds.
SOLVE_EMPTIES_MAX = 24


def _cores() -> int:
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Settings:
    """The limits of a server.

    ``searches`` run at once, each with ``threads`` threads and for ``time_ms`` at the most.
    ``loopback`` says that only this machine is meant to be served: requests that name another host
    are then refused, so that no page can reach the server by a name of its own for it.

    >>> Settings(searches=2).time_ms
    300000
    """

    searches: int = field(default_factory=_cores)
    threads: int = field(default_factory=_cores)
    time_ms: int = 300_000
    loopback: bool = True

    @property
    def time_ms_usual(self) -> int:
        """The time of a search without a limit, as far as this server allows it."""
        return min(TIME_MS_USUAL, self.time_ms)

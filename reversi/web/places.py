"""The places for searches: so many run at once, the others wait a moment. Knows no search."""

from __future__ import annotations

import asyncio
from collections import deque

from reversi.web.faults import Fault

# Within this time the place of a client that has just gone is free again, and that of a quick
# search: whoever comes then need not be told to come again.
_PATIENCE_S = 0.25
_RETRY_S = 1


class Places:
    """So many places, given in the order of asking. For one event loop."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._free = count
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self) -> None:
        """Take a place; raises Fault 429 where none becomes free in time."""
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await asyncio.wait((turn,), timeout=_PATIENCE_S)
        except asyncio.CancelledError:
            self._leave(turn)
            raise
        if not turn.done():
            self._leave(turn)
            message = f"{self._count} searches are running, as many as may at once; try again"
            raise Fault(429, "busy", message, headers={"retry-after": str(_RETRY_S)})

    def give(self) -> None:
        """Give a place back: to who waits longest, if anyone does."""
        if self._waiting:
            self._waiting.popleft().set_result(None)
        else:
            self._free += 1

    def _leave(self, turn: asyncio.Future[None]) -> None:
        if turn.done():
            self.give()
        else:
            self._waiting.remove(turn)

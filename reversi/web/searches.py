"""The searches that run, each in a thread and with an engine of its own.

Every search begins with an empty table, which costs a twentieth of a millisecond: the same request
gets the same answer, whoever asked before, and nothing of one client's is kept for another. Knows
no request and no position.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Generic, TypeAlias, TypeVar

from reversi import Engine
from reversi.web.faults import Fault
from reversi.web.places import Places

Answer = TypeVar("Answer")
Answer_co = TypeVar("Answer_co", covariant=True)

# On a machine with seven times as much to do as it could, the slowest hundredth of the answers that
# need no search came in 45 ms instead of 70, the place of a client that went was free in 5 instead
# of 18 (8 runs of bench/web_latency.py).
_NICENESS = 5
# A search is told to stop until it has: one that has not quite begun would not hear it once.
_PRESS_S = 0.005


def stopped() -> Fault:
    """The fault of a search that has no answer because the server ends."""
    return Fault(503, "stopped", "the search was stopped: the server is ending")


class Searches:
    """The searches of a server, at most so many at once. For one event loop."""

    def __init__(self, most: int) -> None:
        self._places = Places(most)
        self._running: set[Search[object]] = set()
        self._closed = False

    async def begin(
        self, engine: Engine, work: Work[Answer], longest_ms: int | None = None
    ) -> Search[Answer]:
        """Begin a search, which is stopped after ``longest_ms``; raises Fault 429 where there is
        no place for it, 503 once the server ends."""
        await self._places.take()
        try:
            if self._closed:
                raise stopped()
            search = Search(engine, work)
        except BaseException:
            self._places.give()
            raise
        if longest_ms is not None:
            search.stop_after(longest_ms)
        self._running.add(search)
        search.when_over(lambda: self._end(search))
        return search

    def close(self) -> None:
        """End all searches, and begin no other."""
        self._closed = True
        for search in tuple(self._running):
            search.stop()

    def _end(self, search: Search[object]) -> None:
        self._running.discard(search)
        self._places.give()


class Search(Generic[Answer_co]):
    """One search that runs: its records and its answer, for the event loop that began it.

    Its work, in a thread of its own, has the engine, tells records, and sees whether it is to end.
    """

    def __init__(self, engine: Engine, work: Work[Answer_co]) -> None:
        self.engine = engine
        self.stopping = False
        self._loop = asyncio.get_running_loop()
        self._records: asyncio.Queue[object] = asyncio.Queue()
        self._answer: asyncio.Future[Answer_co] = self._loop.create_future()
        threading.Thread(target=self._run, args=(work,), daemon=True).start()

    async def records(self) -> AsyncIterator[object]:
        """The records as they come, up to the end."""
        while True:
            record = await self._records.get()
            if record is self:
                return
            yield record

    async def answer(self) -> Answer_co:
        """What the search has found when it is over; raises what it raised."""
        return await asyncio.shield(self._answer)

    def stop(self) -> None:
        """End the search. Its answer is what it has completed."""
        if not self.stopping:
            self.stopping = True
            self._press_stop()

    def _press_stop(self) -> None:
        if not self._answer.done():
            self.engine.stop()
            self._loop.call_later(_PRESS_S, self._press_stop)

    def stop_after(self, longest_ms: int) -> None:
        """End the search if it still runs then."""
        timer = self._loop.call_later(longest_ms / 1000, self.stop)
        self.when_over(timer.cancel)

    def when_over(self, then: Callable[[], None]) -> None:
        """Call back when the search is over."""
        self._answer.add_done_callback(lambda _answer: then())

    def tell(self, record: object) -> None:
        """Take a record, in the search's thread."""
        self._post(self._records.put_nowait, record)

    def _run(self, work: Work[Answer_co]) -> None:
        """The search's thread."""
        found: Future[Answer_co] = Future()
        _step_back()
        try:
            found.set_result(work(self))
        except BaseException as error:
            found.set_exception(error)
        self.engine.close()
        self._post(self._over, found)

    def _post(self, call: Callable[..., None], *arguments: object) -> None:
        # The loop is closed where the server has ended before the search.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call, *arguments)

    def _over(self, found: Future[Answer_co]) -> None:
        error = found.exception()
        if error is None:
            self._answer.set_result(found.result())
        else:
            self._answer.set_exception(error)
            self._answer.exception()  # a client that has gone does not ask for it
        self._records.put_nowait(self)


def _step_back() -> None:
    """Let other requests and the browser go before the thread of a search, and those it begins."""
    if sys.platform == "linux":  # elsewhere it would hold for the whole process
        with suppress(OSError):
            os.nice(_NICENESS)


Work: TypeAlias = Callable[[Search[Any]], Answer]

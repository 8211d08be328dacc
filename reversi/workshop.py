"""What an engine works with: its table, its weights, its threads' searchers and the stop button.

Knows no search; the engine, which is built on it, does.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from types import TracebackType
from typing import TYPE_CHECKING

from reversi import weights as weight_files
from reversi._load import core
from reversi.board import Board
from reversi.checks import check_settings
from reversi.limits import Limit, budget_ms
from reversi.results import TableStats

if TYPE_CHECKING:
    from typing_extensions import Self

# A limit this far away (73 years, in nanoseconds or nodes) is none.
_NEVER = 1 << 61
# A smaller table has its pages from the system before a search's time begins, in what a budget
# leaves of a thinking time. (64 MB take 25 to 30 ms. Touched as they are used they take half of a
# search of 100 ms, of one by two threads 7 eighths; huge pages took 8 ms or more than 60.) Of a
# larger one only what is used is to cost anything.
_TOUCHED_MB = 256
# Solves of fewer empty squares do not ask the learned evaluation.
_WEIGHED_EMPTIES = 16


class Workshop:
    """The part of an engine that searches nothing."""

    def __init__(
        self,
        hash_mb: int = 64,
        threads: int = 1,
        evaluator: str = "pattern",
        exact_endgame_empties: int = 14,
        use_hash: bool = True,
        use_ordering: bool = True,
        weights: str | os.PathLike[str] | None = None,
        seed: int | None = None,
    ) -> None:
        check_settings(threads, evaluator, exact_endgame_empties, use_ordering, weights)
        self.threads = threads
        self.exact_endgame_empties = exact_endgame_empties
        self._evaluator = evaluator
        self._weights = None if weights is None else weight_files.read_weights(weights)
        self._table: core.Table | None = core.Table(hash_mb)
        self._use_hash = use_hash
        self._use_ordering = use_ordering
        self._random = Random(seed)
        self._running: set[core.Searcher] = set()
        self._stops = 0
        # A signal handler may stop the engine while this very thread holds the lock.
        self._lock = threading.RLock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stops all searches and gives the table back; the engine cannot be used any more.

        >>> from reversi import Engine
        >>> engine = Engine(hash_mb=1)
        >>> engine.close()
        >>> engine.clear()
        Traceback (most recent call last):
        ValueError: the engine is closed
        """
        self.stop()
        self._table = None

    def stop(self) -> None:
        """Ends all running searches, from any thread, within a few milliseconds. A search returns
        its last completed step, a solve raises `SearchStopped`.

        >>> from reversi import Board, Engine, Limit
        >>> with Engine(hash_mb=1) as engine:
        ...     threading.Timer(0.1, engine.stop).start()
        ...     engine.search(Board(), Limit(time_ms=60_000)).depth > 0
        True
        """
        with self._lock:
            self._stops += 1
            for searcher in tuple(self._running):
                searcher.stop()

    def clear(self) -> None:
        """Forgets all positions. Not to be called beside a search.

        >>> from reversi import Board, Engine, Limit
        >>> with Engine(hash_mb=1) as engine:
        ...     depth = engine.search(Board(), Limit(depth=6)).depth
        ...     engine.clear()
        ...     engine.table_stats.fill
        0.0
        """
        self._open_table().clear()

    @property
    def table_stats(self) -> TableStats:
        """How the table is used, over all searches since it was made or cleared. Endgame positions
        of 12 empty squares or fewer are kept by each search itself and not counted.

        >>> from reversi import Board, Engine, Limit
        >>> with Engine(hash_mb=1) as engine:
        ...     depth = engine.search(Board(), Limit(depth=6)).depth
        ...     engine.table_stats.stores > 0
        True
        """
        table = self._open_table()
        return TableStats(table.size_mb, table.entries, table.hits, table.stores, table.fill)

    @property
    def evaluator(self) -> str:
        """What it judges positions by: ``"pattern"`` or ``"classic"``."""
        return self._evaluator

    def _open_table(self) -> core.Table:
        if self._table is None:
            raise ValueError("the engine is closed")
        return self._table

    def _learned(self) -> core.Weights:
        """The engine's weights; the package's own are loaded now if they were not."""
        if self._weights is None:
            self._weights = weight_files.default_weights()
        return self._weights

    def _make_ready(self, limit: Limit | None = None) -> int:
        """Loads what a search needs, so that it takes nothing of its time. Returns how often the
        engine was stopped before that."""
        stops = self._stops
        if self._evaluator == "pattern":
            self._learned()
        table = self._open_table()
        if limit is not None and limit.time_ms is not None and table.size_mb < _TOUCHED_MB:
            table.touch((limit.time_ms - budget_ms(limit.time_ms)) * 1_000_000)
        return stops

    def _solving_weights(self, boards: Sequence[Board]) -> core.Weights | None:
        """The weights for a solve, where they shorten it."""
        if self._evaluator == "classic":
            return None
        largest = max((board.empties for board in boards), default=0)
        return self._learned() if largest >= _WEIGHED_EMPTIES else None

    def _searchers(
        self,
        count: int,
        limit: Limit | None = None,
        start: float = 0.0,
        *,
        tournament: bool = False,
        weights: core.Weights | None = None,
        tracer: Callable[..., object] | None = None,
        trace_ply: int = 0,
    ) -> list[core.Searcher]:
        """Searchers for one call, which share its limit of nodes."""
        table = self._open_table()
        budget_ns = nodes = None
        if limit and limit.time_ms is not None:
            used = time.perf_counter() - start
            budget_ns = min(budget_ms(limit.time_ms) * 1_000_000, _NEVER) - round(used * 1e9)
        if limit and limit.nodes is not None:
            nodes = max(1, min(limit.nodes, _NEVER) // count)
        return [
            core.Searcher(
                table if self._use_hash else None,
                ordering=self._use_ordering,
                budget_ns=budget_ns,
                nodes=nodes,
                tournament=tournament,
                tracer=tracer,
                trace_ply=trace_ply,
                weights=weights,
            )
            for _ in range(count)
        ]

    @contextmanager
    def _registered(self, *searchers: core.Searcher, stops: int | None = None) -> Iterator[None]:
        """Keeps searches where stop() finds them, as long as they run; and ends them if it was
        called oftener than `stops` times, while they were made ready."""
        with self._lock:
            self._running.update(searchers)
            if stops not in (None, self._stops):
                for searcher in searchers:
                    searcher.stop()
        try:
            yield
        finally:
            with self._lock:
                self._running.difference_update(searchers)

"""Searching with budgets: iterative deepening, solving, comparing. The searches are the core's.

An `Engine` owns a transposition table and may be used from several threads at once: each search
has a context of its own. The functions below it are engines for one call.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Any

from reversi._load import core
from reversi.board import Board
from reversi.choices import Move, allowed
from reversi.deepening import (
    as_result,
    deepen,
    deepen_together,
    finish,
    no_move_result,
    tracer,
)
from reversi.errors import SearchStopped
from reversi.results import (
    Comparison,
    Evaluation,
    Limit,
    Scoring,
    SearchInfo,
    SearchResult,
    Solution,
    TableStats,
    check_integer,
)
from reversi.solving import solution, values_of_many
from reversi.squares import BLACK, PASS, WHITE, Color

__all__ = ["Engine", "budget_ms", "evaluate"]

# A limit this far away (73 years, in nanoseconds or nodes) is none.
_NEVER = 1 << 61
_COMPARE_LIMIT = Limit(depth=6)
_DEFAULT_LIMIT = Limit(time_ms=4000)


def budget_ms(think_time_ms: int) -> int:
    """What a search may use of a thinking time: all but 30 ms, at least 50.

    Raises ValueError for a negative time.

    >>> budget_ms(4000), budget_ms(81), budget_ms(0)
    (3970, 51, 50)
    """
    check_integer("think_time_ms", think_time_ms, 0)
    return max(50, max(0, think_time_ms - 30))


class Engine:
    """A classic engine with a table of ``hash_mb`` MB (1 to 131072) and ``threads`` workers.

    ``exact_endgame_empties`` (0 to 60) is the number of empty squares from which a position is
    searched to the end of the game; 14 and 16 are customary. ``use_hash`` and ``use_ordering``
    switch off what they name, to see what it saves: no value depends on them.

    Usable from several threads and as a context manager. Raises ValueError for values out of
    range, MemoryError where the table does not fit.

    >>> with Engine(hash_mb=16) as engine:
    ...     engine.search(Board(), Limit(depth=4)).depth
    4
    """

    def __init__(
        self,
        hash_mb: int = 64,
        threads: int = 1,
        evaluator: str = "classic",
        exact_endgame_empties: int = 14,
        use_hash: bool = True,
        use_ordering: bool = True,
    ) -> None:
        check_integer("threads", threads, 1)
        check_integer("exact_endgame_empties", exact_endgame_empties, 0, 60)
        if evaluator != "classic":
            raise ValueError(f"evaluator is {evaluator!r}; expected 'classic'")
        self.threads = threads
        self.exact_endgame_empties = exact_endgame_empties
        self._table: core.Table | None = core.Table(hash_mb)
        self._use_hash = use_hash
        self._use_ordering = use_ordering
        self._running: set[core.Searcher] = set()
        # A signal handler may stop the engine while this very thread holds the lock.
        self._lock = threading.RLock()

    def __enter__(self) -> Engine:
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
        its last completed depth, a solve raises `SearchStopped`.

        >>> with Engine(hash_mb=1) as engine:
        ...     threading.Timer(0.1, engine.stop).start()
        ...     engine.search(Board(), Limit(time_ms=60_000)).depth > 0
        True
        """
        with self._lock:
            for searcher in tuple(self._running):
                searcher.stop()

    def clear(self) -> None:
        """Forgets all positions. Not to be called beside a search.

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

        >>> with Engine(hash_mb=1) as engine:
        ...     depth = engine.search(Board(), Limit(depth=6)).depth
        ...     engine.table_stats.stores > 0
        True
        """
        table = self._open_table()
        return TableStats(table.size_mb, table.entries, table.hits, table.stores, table.fill)

    # --- Search ------------------------------------------------------------------------------

    def search(
        self,
        board: Board,
        limit: Limit | None = None,
        allowed_moves: Iterable[Move] | None = None,
        *,
        workers: int | None = None,
        on_info: Callable[[SearchInfo], None] | None = None,
        trace: Callable[[dict[str, Any]], object] | None = None,
        trace_ply: int = 0,
    ) -> SearchResult:
        """The best move for the side to move, by iterative deepening until ``limit`` (default:
        4000 ms of thinking time). The last completed depth is the answer, depth 1 always is.

        ``allowed_moves`` restricts the choice: squares, names or (row, col) pairs; ValueError for
        others than legal ones, for duplicates and for none. ``workers`` (default: the engine's
        threads) splits the root's moves over that many threads. ``on_info`` gets a record of each
        completed depth; of the end alone where several workers search. ``trace`` gets a dict for
        each search entry down to ``trace_ply`` (with one worker): ply, empties, depth, alpha, beta,
        side, best_move, score; ``logging.getLogger("reversi").debug`` is one that fits.

        >>> result = Engine(hash_mb=1).search(Board(), Limit(depth=2), ["d3", "c4"])
        >>> result.move in ("d3", "c4"), result.pv[0] == result.move
        (True, True)
        """
        start = time.perf_counter()
        limit = _DEFAULT_LIMIT if limit is None else limit
        _check_search(board, limit)
        check_integer("trace_ply", trace_ply, 0, 128)
        if workers is None:
            workers = 1 if trace else self.threads
        check_integer("workers", workers, 1, 1 if trace else None)
        moves = allowed(board, allowed_moves)
        if not moves or moves == [PASS]:
            return no_move_result(board, passed=bool(moves), start=start)
        exact_empties = self.exact_endgame_empties
        workers = min(workers, len(moves))
        self._open_table().age()
        if workers > 1:
            if limit.nodes is not None:
                limit = replace(limit, nodes=max(1, limit.nodes // workers))
            searchers = [self._searcher(limit, start) for _ in range(workers)]
            with self._registered(*searchers):
                last = deepen_together(searchers, board, moves, limit, start, exact_empties)
            if on_info:
                on_info(last)
        else:
            traced = tracer(board.turn, trace) if trace else None
            searcher = self._searcher(limit, start, tracer=traced, trace_ply=trace_ply)
            with self._registered(searcher):
                last = finish(
                    deepen(searcher, board.copy(), moves, limit, start, exact_empties), on_info
                )
        return as_result(last)

    def analyse(
        self,
        board: Board,
        limit: Limit | None = None,
        allowed_moves: Iterable[Move] | None = None,
    ) -> Iterator[SearchInfo]:
        """Searches as `search` does, in one thread, and yields a record as each depth is completed;
        nothing for a position without a move. Leaving the loop ends the search.

        >>> [info.depth for info in Engine(hash_mb=1).analyse(Board(), Limit(depth=3))]
        [1, 2, 3]
        """
        start = time.perf_counter()
        limit = _DEFAULT_LIMIT if limit is None else limit
        _check_search(board, limit)
        moves = allowed(board, allowed_moves)
        if not moves or moves == [PASS]:
            return iter(())
        self._open_table().age()
        searcher = self._searcher(limit, start)
        return self._analysis(
            searcher,
            deepen(searcher, board.copy(), moves, limit, start, self.exact_endgame_empties),
        )

    def _analysis(
        self, searcher: core.Searcher, deepening: Iterator[SearchInfo]
    ) -> Iterator[SearchInfo]:
        with self._registered(searcher):
            yield from deepening

    # --- Solve, evaluate, compare --------------------------------------------------------------

    def solve(
        self,
        board: Board,
        scoring: Scoring = "tournament",
        *,
        all_best: bool = True,
        every_move: bool = False,
        outcome_only: bool = False,
        limit: Limit | None = None,
    ) -> Solution:
        """The exact value at the end of the game, in discs, with best moves and line.

        ``scoring``: "tournament" gives the winner the empty squares, "discs" is the plain
        difference. ``all_best=False`` proves one best move only, which is a little faster;
        ``every_move`` gives the value of each; ``outcome_only`` asks only who wins. ``limit`` (time
        or nodes; none by default) ends the solve with the bounds that are proved by then. The time
        grows about fivefold with two more empty squares: a millisecond at 14, a tenth of a second
        at 20, some seconds at 24. Raises ValueError for another scoring, `SearchStopped` after
        `stop`.

        >>> board = Board.from_obf("X" * 8 + "O" * 24 + "X" * 31 + "- O")
        >>> solution = Engine(hash_mb=1).solve(board)
        >>> solution.value, solution.best_moves
        (-2, ('h8',))
        """
        start = time.perf_counter()
        _check_solve(board, scoring, limit)
        self._open_table().age()
        searcher = self._searcher(limit, start, tournament=scoring == "tournament")
        with self._registered(searcher):
            found = solution(
                searcher,
                board,
                scoring,
                start,
                all_best=all_best,
                every_move=every_move,
                outcome_only=outcome_only,
            )
        _check_not_stopped(searcher)
        return found

    def solve_many(
        self,
        boards: Sequence[Board],
        scoring: Scoring = "tournament",
        *,
        threads: int | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> list[int]:
        """The exact values of many positions, in their order, each in the view of its side to move.

        ``threads`` (default: the engine's) work side by side without the GIL; ``on_progress`` gets
        the numbers of boards done and of all, from any of them. Raises as `solve` does.

        >>> board = Board.from_obf("X" * 8 + "O" * 24 + "X" * 31 + "- O")
        >>> Engine(hash_mb=1).solve_many([board, board])
        [-2, -2]
        """
        threads = self.threads if threads is None else threads
        check_integer("threads", threads, 1)
        boards = tuple(boards)
        for board in boards:
            _check_solve(board, scoring, None)
        threads = min(threads, max(1, len(boards)))
        self._open_table().age()
        tournament = scoring == "tournament"
        searchers = [self._searcher(tournament=tournament) for _ in range(threads)]
        with self._registered(*searchers):
            values = values_of_many(searchers, boards, on_progress)
        if values is None:
            raise SearchStopped("the solve was stopped before it had all answers")
        return values

    def evaluate(self, board: Board, view: Color | None = None) -> Evaluation:
        """The classic evaluation, term by term; see `reversi.evaluate`.

        >>> Engine(hash_mb=1).evaluate(Board()).total
        0
        """
        return evaluate(board, view)

    def compare(
        self, board: Board, limit: Limit | None = None, scoring: Scoring = "tournament"
    ) -> Comparison:
        """The choice of the middle-game search (exact end switched off; default: depth 6) beside
        the exact one. Raises ValueError for a finished game.

        >>> board = Board.from_obf("X" * 8 + "O" * 24 + "X" * 31 + "- O")
        >>> Engine(hash_mb=1).compare(board).loss
        0
        """
        start = time.perf_counter()
        limit = _COMPARE_LIMIT if limit is None else limit
        _check_search(board, limit)
        _check_solve(board, scoring, None)
        if board.is_game_over():
            raise ValueError(f"the game is over, there is no move to compare: {board.obf()}")
        self._open_table().age()
        tournament = scoring == "tournament"
        midgame, first, second = (
            self._searcher(limit, start),
            self._searcher(tournament=tournament),
            self._searcher(tournament=tournament),
        )
        with self._registered(midgame, first, second):
            choice, score = "pass", evaluate(board).total
            if board.legal_moves.mask:
                moves = list(board.legal_moves)
                found = finish(deepen(midgame, board, moves, limit, start, exact_empties=0))
                _check_not_stopped(midgame)
                choice, score = found.move, found.score
            exact = solution(first, board, scoring, start, all_best=False)
            child = board.copy()
            child.push(choice)
            reply = solution(second, child, scoring, start, all_best=False)
        _check_not_stopped(first, second)
        assert exact.best_move is not None
        return Comparison(
            empties=board.empties,
            midgame_move=choice,
            midgame_score=score,
            midgame_value=-reply.value,
            exact_move=exact.best_move,
            exact_value=exact.value,
        )

    # --- Common --------------------------------------------------------------------------------

    def _open_table(self) -> core.Table:
        if self._table is None:
            raise ValueError("the engine is closed")
        return self._table

    def _searcher(
        self,
        limit: Limit | None = None,
        start: float = 0.0,
        *,
        tournament: bool = False,
        tracer: Callable[..., object] | None = None,
        trace_ply: int = 0,
    ) -> core.Searcher:
        table = self._open_table()
        budget_ns = None
        if limit and limit.time_ms is not None:
            used = time.perf_counter() - start
            budget_ns = min(budget_ms(limit.time_ms) * 1_000_000, _NEVER) - round(used * 1e9)
        return core.Searcher(
            table if self._use_hash else None,
            ordering=self._use_ordering,
            budget_ns=budget_ns,
            nodes=min(limit.nodes, _NEVER) if limit and limit.nodes else None,
            tournament=tournament,
            tracer=tracer,
            trace_ply=trace_ply,
        )

    @contextmanager
    def _registered(self, *searchers: core.Searcher) -> Iterator[None]:
        """Keeps searches where stop() finds them, as long as they run."""
        with self._lock:
            self._running.update(searchers)
        try:
            yield
        finally:
            with self._lock:
                self._running.difference_update(searchers)


def _check_search(board: object, limit: object) -> None:
    if not isinstance(board, Board):
        raise TypeError(f"board is {board!r}; expected a Board (Board.from_cells makes one)")
    if not isinstance(limit, Limit):
        raise TypeError(f"limit is {limit!r}; expected a Limit, such as Limit(time_ms=1000)")


def _check_solve(board: object, scoring: object, limit: Limit | None) -> None:
    _check_search(board, _DEFAULT_LIMIT if limit is None else limit)
    if scoring not in ("tournament", "discs"):
        raise ValueError(f"scoring is {scoring!r}; expected 'tournament' or 'discs'")
    if limit and limit.depth is not None:
        raise ValueError(
            f"depth is {limit.depth}; a solve goes to the end, expected time_ms or nodes"
        )


def _check_not_stopped(*searchers: core.Searcher) -> None:
    if any(searcher.stopped and searcher.told_to_stop for searcher in searchers):
        raise SearchStopped("the search was stopped before it had an answer")


def evaluate(board: Board, view: Color | None = None) -> Evaluation:
    """The classic evaluation's weighted terms and total in the view of ``view`` (BLACK or WHITE;
    the side to move by default), whoever is to move. Raises ValueError for another view.

    >>> evaluate(Board.from_transcript("f5"), BLACK).total
    72
    """
    if view is not None and view not in (BLACK, WHITE):
        raise ValueError(f"view is {view!r}; expected BLACK (-1), WHITE (1) or None")
    sign = 1 if view is None or view == board.turn else -1
    return Evaluation(*(sign * term for term in core.evaluate(board.own, board.opp)))

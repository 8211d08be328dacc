"""Searching with budgets: iterative deepening, solving, comparing. The searches are the core's.

An `Engine` owns a transposition table and may be used from several threads at once: each search
has a context of its own. The functions below it are engines for one call.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Any, SupportsIndex

from reversi._load import core
from reversi.board import Board
from reversi.deepening import (
    as_result,
    deepen,
    deepen_together,
    finish,
    no_move_result,
    tracer,
)
from reversi.errors import IllegalMoveError, InvalidMoveError, SearchStopped
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
from reversi.squares import BLACK, PASS, WHITE, Color, parse_move, square_name

__all__ = ["Engine", "budget_ms", "compare", "evaluate", "search_best_move", "solve"]

# A limit this far away (73 years, in nanoseconds or nodes) is none.
_NEVER = 1 << 61
_COMPARE_LIMIT = Limit(depth=6)
_DEFAULT_LIMIT = Limit(time_ms=4000)
# A fresh table for one call: small enough to cost nothing, large enough for some seconds.
_ONE_CALL_HASH_MB = 16

Move = SupportsIndex | str | tuple[int, int]


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
        self._lock = threading.Lock()

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
            for searcher in self._running:
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
        """How the table is used, over all searches since it was made or cleared.

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
        each search entry down to ``trace_ply`` (one worker): ply, empties, depth, alpha, beta,
        side, best_move, score; ``logging.getLogger("reversi").debug`` is one that fits.

        >>> result = Engine(hash_mb=1).search(Board(), Limit(depth=2), ["d3", "c4"])
        >>> result.move in ("d3", "c4"), result.pv[0] == result.move
        (True, True)
        """
        start = time.perf_counter()
        moves = _allowed(board, allowed_moves)
        if not moves or moves == [PASS]:
            return no_move_result(board, passed=bool(moves), start=start)
        limit = limit or _DEFAULT_LIMIT
        workers = self.threads if workers is None else workers
        check_integer("workers", workers, 1)
        check_integer("trace_ply", trace_ply, 0, 128)
        exact_empties = self.exact_endgame_empties
        workers = min(workers, len(moves))
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
        """Searches as `search` does and yields a record as each depth is completed; nothing for a
        position without a move. Leaving the loop ends the search.

        >>> [info.depth for info in Engine(hash_mb=1).analyse(Board(), Limit(depth=3))]
        [1, 2, 3]
        """
        start = time.perf_counter()
        moves = _allowed(board, allowed_moves)
        if not moves or moves == [PASS]:
            return iter(())
        limit = limit or _DEFAULT_LIMIT
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
        self, board: Board, scoring: Scoring = "tournament", *, all_best: bool = True
    ) -> Solution:
        """The exact value at the end of the game, in discs, with best moves and line.

        ``scoring``: "tournament" gives the winner the empty squares, "discs" is the plain
        difference. ``all_best=False`` proves one best move only, which is faster. Raises
        ValueError for another scoring, `SearchStopped` after `stop`.

        >>> board = Board.from_obf("X" * 8 + "O" * 24 + "X" * 31 + "- O")
        >>> solution = Engine(hash_mb=1).solve(board)
        >>> solution.value, solution.best_moves
        (-2, ('h8',))
        """
        start = time.perf_counter()
        _check_scoring(scoring)
        own, opp = board.own, board.opp
        searcher = self._searcher(tournament=scoring == "tournament")
        with self._registered(searcher):
            value = searcher.solve(own, opp)
            line = None if value is None else searcher.line(own, opp, value)
            if value is None or line is None:
                raise SearchStopped("the solve was stopped before it had an answer")
            best = line[:1]
            if all_best and best and best != [PASS]:
                best = [m for m in board.legal_moves if searcher.reaches(own, opp, m, value)]
                if searcher.stopped:
                    raise SearchStopped("the solve was stopped before it had all best moves")
        return Solution(
            value=value,
            best_move=square_name(line[0]) if line else None,
            best_moves=tuple(map(square_name, best)),
            pv=tuple(map(square_name, line)),
            nodes=searcher.nodes if line else 0,
            elapsed_ms=(time.perf_counter() - start) * 1000,
            scoring=scoring,
        )

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
        _check_scoring(scoring)
        if board.is_game_over():
            raise ValueError(f"the game is over, there is no move to compare: {board.obf()}")
        exact = self.solve(board, scoring, all_best=False)
        assert exact.best_move is not None
        choice, score = exact.best_move, evaluate(board).total
        value = exact.value
        if choice != "pass":
            limit, start, moves = limit or _COMPARE_LIMIT, time.perf_counter(), board.legal_moves
            searcher = self._searcher(limit, start)
            with self._registered(searcher):
                found = finish(deepen(searcher, board, list(moves), limit, start, 0))
            choice, score = found.move, found.score
            child = board.copy()
            child.push(choice)
            value = -self.solve(child, scoring, all_best=False).value
        return Comparison(
            empties=board.empties,
            midgame_move=choice,
            midgame_score=score,
            midgame_value=value,
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
        table.age()
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


def search_best_move(
    cells: Iterable[SupportsIndex],
    is_black_turn: bool,
    think_time_ms: int = 4000,
    allowed_moves: Iterable[Move] | None = None,
    *,
    exact_endgame_empties: int = 14,
    workers: int = 1,
    on_info: Callable[[SearchInfo], None] | None = None,
) -> SearchResult:
    """The best move on a board of 64 cells: -1 black, 1 white, 0 empty, row by row from the top.

    ``cells`` is a list, tuple, array or any buffer of integers; ``think_time_ms`` is 0 or more,
    of which 30 ms are kept back and at least 50 used; ``allowed_moves`` restricts the choice to
    some legal moves: (row, col) pairs, names or squares. Raises ValueError that names the index or
    the moves at fault.

    >>> cells = [0] * 64
    >>> cells[28] = cells[35] = -1
    >>> cells[27] = cells[36] = 1
    >>> result = search_best_move(cells, is_black_turn=True, think_time_ms=0)
    >>> result.move in ("d3", "c4", "f5", "e6"), result.depth > 0
    (True, True)
    """
    board = Board.from_cells(cells, BLACK if is_black_turn else WHITE)
    with Engine(hash_mb=_ONE_CALL_HASH_MB, exact_endgame_empties=exact_endgame_empties) as engine:
        return engine.search(
            board, Limit(time_ms=think_time_ms), allowed_moves, workers=workers, on_info=on_info
        )


def solve(board: Board, scoring: Scoring = "tournament", hash_mb: int = 64) -> Solution:
    """The exact result of a position; see `Engine.solve`.

    >>> game = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2"
    >>> solve(Board.from_transcript(game + "g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2")).value
    0
    """
    with Engine(hash_mb=hash_mb) as engine:
        return engine.solve(board, scoring)


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


def compare(
    board: Board, limit: Limit | None = None, scoring: Scoring = "tournament"
) -> Comparison:
    """The middle-game choice beside the exact one; see `Engine.compare`.

    >>> board = Board.from_obf("X" * 8 + "O" * 24 + "X" * 31 + "- O")
    >>> compare(board).exact_move
    'h8'
    """
    with Engine() as engine:
        return engine.compare(board, limit, scoring)


def _check_scoring(scoring: str) -> None:
    if scoring not in ("tournament", "discs"):
        raise ValueError(f"scoring is {scoring!r}; expected 'tournament' or 'discs'")


def _allowed(board: Board, allowed_moves: Iterable[Move] | None) -> list[int]:
    """The moves to choose from, checked one by one, in the caller's order."""
    legal = board.legal_moves
    if allowed_moves is None:
        return list(legal)
    chosen: list[int] = []
    faults: list[str] = []
    for given in allowed_moves:
        try:
            move = _as_move(given)
        except InvalidMoveError as error:
            faults.append(f"{given!r} ({error})")
            continue
        if move not in legal:
            faults.append(f"{given!r} (not legal here)")
        elif move in chosen:
            faults.append(f"{given!r} (given twice)")
        else:
            chosen.append(move)
    if faults:
        raise IllegalMoveError(f"allowed_moves that cannot be played: {', '.join(faults)}")
    if legal.mask and not chosen:
        raise IllegalMoveError("allowed_moves is empty, but there are legal moves")
    return chosen or list(legal)


def _as_move(given: Move) -> int:
    if not isinstance(given, (tuple, list)):
        return parse_move(given)
    if len(given) != 2 or not all(isinstance(n, SupportsIndex) for n in given):
        raise InvalidMoveError("expected (row, col)")
    row, col = (int(n) for n in given)
    if not (0 <= row < 8 and 0 <= col < 8):
        raise InvalidMoveError("row and col are 0 to 7")
    return row * 8 + col

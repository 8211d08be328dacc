"""Searching with budgets: iterative deepening, solving, comparing. The searches are the core's.

An `Engine` owns a transposition table and may be used from several threads at once: each search
has a context of its own. The functions below it are engines for one call.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from types import TracebackType
from typing import Any, SupportsIndex

from reversi._load import core
from reversi.board import Board
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
    disc_difference,
    row_and_col,
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
        """Stops all searches and gives the table back; the engine cannot be used any more."""
        self.stop()
        self._table = None

    def stop(self) -> None:
        """Ends all running searches, from any thread, within a few milliseconds. A search returns
        its last completed depth, a solve raises `SearchStopped`."""
        with self._lock:
            for searcher in self._running:
                searcher.stop()

    def clear(self) -> None:
        """Forgets all positions. Not to be called beside a search."""
        self._open_table().clear()

    @property
    def table_stats(self) -> TableStats:
        """How the table is used, over all searches since it was made or cleared."""
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
            return _no_move(board, passed=bool(moves), start=start)
        limit = limit or _DEFAULT_LIMIT
        workers = self.threads if workers is None else workers
        check_integer("workers", workers, 1)
        check_integer("trace_ply", trace_ply, 0, 128)
        tracer = _tracer(board.turn, trace) if trace else None
        if workers > 1 and len(moves) > 1:
            last = self._split(board, moves, limit, start, workers)
            if on_info:
                on_info(last)
        else:
            searcher = self._searcher(limit, start, tracer=tracer, trace_ply=trace_ply)
            last = _finish(self._deepen(searcher, board, moves, limit, start), on_info)
        row, col = row_and_col(last.move)
        return SearchResult(
            row=row,
            col=col,
            score=last.score,
            depth=last.depth,
            nodes=last.nodes,
            elapsed_ms=last.elapsed_ms,
            nps=last.nps,
            move=last.move,
            pv=last.pv,
            exact=last.exact,
            disc_diff=disc_difference(last.score) if last.exact else None,
            passed=False,
            game_over=False,
        )

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
        return self._deepen(self._searcher(limit, start), board.copy(), moves, limit, start)

    def _deepen(
        self,
        searcher: core.Searcher,
        board: Board,
        moves: list[int],
        limit: Limit,
        start: float,
        *,
        exact_empties: int | None = None,
    ) -> Generator[SearchInfo, None, SearchInfo]:
        """Yields a record of each completed depth; returns the last one with all that the search
        took, a depth that it did not complete included."""
        own, opp, empties, side = board.own, board.opp, board.empties, board.turn
        if exact_empties is None:
            exact_empties = self.exact_endgame_empties
        # From this depth on every leaf is solved, and so is the root.
        solving_depth = max(1, empties - exact_empties)
        order = list(moves)

        def timed(info: SearchInfo) -> SearchInfo:
            elapsed = time.perf_counter() - start
            nodes = searcher.nodes
            return replace(info, nodes=nodes, nps=nodes / elapsed, elapsed_ms=elapsed * 1000)

        def record(move: int, score: int, line: list[int], depth: int, exact: bool) -> SearchInfo:
            if exact:
                line = self._exact_line(searcher, board, move, score) or line
            pv = tuple(map(square_name, line))
            name = square_name(move)
            return timed(SearchInfo(side, "engine", name, depth, 0, 0.0, 0.0, score, pv, exact))

        with self._registered(searcher):
            if solving_depth == 1:
                # The root is solved at once, after some silent middle-game depths.
                deepest = min(limit.depth or empties, empties, _prepare_depth(empties))
                quiet = [(depth, 0) for depth in range(1, deepest + 1)]
                steps = [*quiet, (1, exact_empties)]
            else:
                quiet = []
                deepest = min(limit.depth or empties, solving_depth)
                steps = [(depth, exact_empties) for depth in range(1, deepest + 1)]
            last = None
            for step in steps:
                depth = step[0]
                found = searcher.search(own, opp, order, *step, must_finish=last is None)
                if not found:
                    break
                exact = step not in quiet and depth == solving_depth
                last = record(*found, empties if exact else depth, exact)
                if step not in quiet:
                    yield last
                order.remove(found[0])
                order.insert(0, found[0])
            assert last is not None
            if not last.exact and quiet:
                yield last
            return timed(last)

    @staticmethod
    def _exact_line(
        searcher: core.Searcher, board: Board, move: int, score: int
    ) -> list[int] | None:
        """The line of a solved root to the end of the game, where time allows to walk it."""
        child = board.copy()
        child.push(move)
        rest = searcher.line(child.own, child.opp, -disc_difference(score))
        return None if rest is None else [move, *rest]

    def _split(
        self, board: Board, moves: list[int], limit: Limit, start: float, workers: int
    ) -> SearchInfo:
        """Shares the root's moves out round-robin over threads and merges what they find."""
        shares = [moves[i::workers] for i in range(min(workers, len(moves)))]
        if limit.nodes is not None:
            limit = replace(limit, nodes=max(1, limit.nodes // len(shares)))
        searchers = [self._searcher(limit, start) for _ in shares]
        found: list[SearchInfo] = []
        errors: list[BaseException] = []

        def work(searcher: core.Searcher, share: list[int]) -> None:
            try:
                found.append(_finish(self._deepen(searcher, board.copy(), share, limit, start)))
            except BaseException as error:
                errors.append(error)

        threads = [
            threading.Thread(target=work, args=pair, daemon=True)
            for pair in zip(searchers, shares, strict=True)
        ]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        except BaseException:
            # The flag stays up: a worker that has not begun yet ends as it begins.
            for searcher in searchers:
                searcher.stop()
            raise
        if errors:
            raise errors[0]
        # Of equal moves the one that comes first among the root's.
        best = max(found, key=lambda info: (info.score, -moves.index(parse_move(info.move))))
        nodes = sum(info.nodes for info in found)
        elapsed_ms = max(info.elapsed_ms for info in found)
        return SearchInfo(
            side=best.side,
            source=best.source,
            move=best.move,
            depth=max(info.depth for info in found),
            nodes=nodes,
            nps=nodes / elapsed_ms * 1000,
            elapsed_ms=elapsed_ms,
            score=best.score,
            pv=best.pv,
            exact=all(info.exact for info in found),
        )

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
        """The classic evaluation, term by term; see `reversi.evaluate`."""
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
            found = _finish(
                self._deepen(searcher, board, list(moves), limit, start, exact_empties=0)
            )
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

    def _registered(self, searcher: core.Searcher) -> _Registration:
        return _Registration(self._running, self._lock, searcher)


def _prepare_depth(empties: int) -> int:
    """How deep the silent middle-game search goes before a root is solved: it orders the root's
    moves, and is the answer if time runs out. It costs a few hundredths of the solve."""
    return min(10, max(5, empties - 10))


def _finish(
    deepening: Generator[SearchInfo, None, SearchInfo],
    on_info: Callable[[SearchInfo], None] | None = None,
) -> SearchInfo:
    """Runs a search to its end and returns its last word."""
    while True:
        try:
            info = next(deepening)
        except StopIteration as end:
            last: SearchInfo = end.value
            return last
        if on_info:
            on_info(info)


class _Registration:
    """Keeps a search where Engine.stop finds it, as long as it runs."""

    def __init__(
        self, running: set[core.Searcher], lock: threading.Lock, searcher: core.Searcher
    ) -> None:
        self._running, self._lock, self._searcher = running, lock, searcher

    def __enter__(self) -> None:
        with self._lock:
            self._running.add(self._searcher)

    def __exit__(self, *exc: object) -> None:
        with self._lock:
            self._running.discard(self._searcher)


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
    """The middle-game choice beside the exact one; see `Engine.compare`."""
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


def _no_move(board: Board, passed: bool, start: float) -> SearchResult:
    score = 0 if passed else core.terminal_score(core.final_score(board.own, board.opp, False))
    return SearchResult(
        row=-1,
        col=-1,
        score=score,
        depth=0,
        nodes=0,
        elapsed_ms=(time.perf_counter() - start) * 1000,
        nps=0.0,
        move="pass" if passed else None,
        pv=("pass",) if passed else (),
        exact=not passed,
        disc_diff=None if passed else disc_difference(score),
        passed=passed,
        game_over=not passed,
    )


def _tracer(
    turn: Color, trace: Callable[[dict[str, Any]], object]
) -> Callable[[int, int, int, int, int, int, int], object]:
    """Turns the core's record of a search entry into a dict; plies alternate, passes among them."""

    def tracer(
        ply: int, empties: int, depth: int, alpha: int, beta: int, best_move: int, score: int
    ) -> object:
        return trace(
            {
                "ply": ply,
                "empties": empties,
                "depth": depth,
                "alpha": alpha,
                "beta": beta,
                "side": turn if ply % 2 == 0 else turn.opponent,
                "best_move": square_name(best_move) if best_move >= 0 else None,
                "score": score,
            }
        )

    return tracer

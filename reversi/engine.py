"""Searching with budgets: iterative deepening, solving, comparing. The searches are the core's.

An `Engine` owns a transposition table and may be used from several threads at once: each search
has a context of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from random import Random
from typing import Any

from reversi._load import core
from reversi.board import Board
from reversi.checks import check_not_stopped, check_search, check_solve, check_wishes
from reversi.choices import Move, allowed
from reversi.deepening import as_result, classic_search, finish, no_move_result, tracer
from reversi.errors import SearchStopped
from reversi.evaluation import evaluate, learned_value
from reversi.levels import classic_limit
from reversi.limits import Limit, check_integer
from reversi.results import Comparison, Evaluation, Scoring, SearchInfo, SearchResult, Solution
from reversi.solving import solution, values_of_many
from reversi.squares import PASS, Color
from reversi.strong import strong_search
from reversi.workshop import Workshop

__all__ = ["Engine"]

_COMPARE_LIMIT = Limit(depth=6)
_DEFAULT_LIMIT = Limit(time_ms=4000)


class Engine(Workshop):
    """An engine with a table of ``hash_mb`` MB (1 to 131072) and ``threads`` workers.

    ``evaluator`` is what it judges positions by: ``"pattern"``, learned from games, or
    ``"classic"``, eight terms added up. ``weights`` is a file of weights for the learned evaluation
    in place of the package's own, which the first search of a process loads (a tenth of a second
    before its time begins). An engine's first search by time also waits for the memory of its
    table, in the 30 ms that its budget leaves of its thinking time. ``seed`` makes the chance in
    the levels below 5 repeatable.

    Of the classic search alone: ``exact_endgame_empties`` (0 to 60) is the number of empty squares
    from which a position is searched to the end of the game; 14 and 16 are customary.
    ``use_ordering`` switches the ordering of moves off (in solves as well), to see what it saves,
    as ``use_hash`` does with the table for both searches.

    Usable from several threads and as a context manager. Raises ValueError for values out of
    range, MemoryError where the table does not fit, WeightsError and OSError for a file of weights
    that cannot be used.

    >>> with Engine(hash_mb=16) as engine:
    ...     engine.search(Board(), Limit(depth=4)).depth
    4
    """

    # --- Search ------------------------------------------------------------------------------

    def search(
        self,
        board: Board,
        limit: Limit | None = None,
        allowed_moves: Iterable[Move] | None = None,
        *,
        workers: int | None = None,
        multipv: int = 1,
        selectivity: int | None = None,
        on_info: Callable[[SearchInfo], None] | None = None,
        trace: Callable[[dict[str, Any]], object] | None = None,
        trace_ply: int = 0,
    ) -> SearchResult:
        """The best move for the side to move, by iterative deepening until ``limit`` (default:
        4000 ms of thinking time). The last completed step is the answer, depth 1 always is.

        ``allowed_moves`` restricts the choice: squares, names or (row, col) pairs; ValueError for
        others than legal ones, for duplicates and for none. ``workers`` (default: the engine's
        threads) search side by side. ``on_info`` gets a record of each completed step.

        By the learned evaluation: ``multipv`` moves get a true value and a line of their own; of a
        level below 5, which plays by chance, its choice alone, unless it has solved the game.
        ``selectivity``, in percent, is how sure a search has to be of what it leaves out: 100
        (leave out nothing), 99, 95, 87 or 73. It is the same to the end, also where a level would
        look there less surely; by default 73 in the middle game, and then as sure as the limit
        allows, up to the exact result.

        By the classic evaluation: ``workers`` share the root's moves out; ``on_info`` gets their
        end alone. ``trace`` gets a dict for each search entry down to ``trace_ply`` (with one
        worker): ply, empties, depth, alpha, beta, side, best_move, score;
        ``logging.getLogger("reversi").debug`` is one that fits.

        >>> result = Engine(hash_mb=1).search(Board(), Limit(depth=2), ["d3", "c4"])
        >>> result.move in ("d3", "c4"), result.pv[0] == result.move
        (True, True)
        """
        limit = _DEFAULT_LIMIT if limit is None else limit
        check_search(board, limit)
        stops = self._make_ready(limit)
        start = time.perf_counter()
        check_wishes(self._evaluator, multipv, selectivity, trace)
        check_integer("trace_ply", trace_ply, 0, 128)
        if workers is None:
            workers = 1 if trace else self.threads
        check_integer("workers", workers, 1, 1 if trace else None)
        moves = allowed(board, allowed_moves)
        if not moves or moves == [PASS]:
            tournament = self._evaluator == "pattern"
            return no_move_result(board, bool(moves), start, tournament)
        searchers, deepening = self._deepening(
            board,
            moves,
            limit,
            start,
            workers,
            multipv,
            selectivity,
            self._random,
            trace,
            trace_ply,
        )
        with self._registered(*searchers, stops=stops):
            last = finish(deepening, on_info)
        return as_result(last)

    def analyse(
        self,
        board: Board,
        limit: Limit | None = None,
        allowed_moves: Iterable[Move] | None = None,
        *,
        multipv: int = 1,
        selectivity: int | None = None,
    ) -> Iterator[SearchInfo]:
        """Searches as `search` does, in one thread, and yields a record as each step is completed;
        nothing for a position without a move. Leaving the loop ends the search.

        >>> [info.depth for info in Engine(hash_mb=1).analyse(Board(), Limit(depth=3))]
        [1, 2, 3]
        """
        self._make_ready()
        start = time.perf_counter()
        limit = _DEFAULT_LIMIT if limit is None else limit
        check_search(board, limit)
        check_wishes(self._evaluator, multipv, selectivity, None)
        moves = allowed(board, allowed_moves)
        if not moves or moves == [PASS]:
            return iter(())
        return self._analysis(*self._deepening(board, moves, limit, start, 1, multipv, selectivity))

    def _analysis(
        self, searchers: list[core.Searcher], deepening: Iterator[SearchInfo]
    ) -> Iterator[SearchInfo]:
        with self._registered(*searchers):
            yield from deepening

    def _deepening(
        self,
        board: Board,
        moves: list[int],
        limit: Limit,
        start: float,
        workers: int = 1,
        multipv: int = 1,
        selectivity: int | None = None,
        random: Random | None = None,
        trace: Callable[[dict[str, Any]], object] | None = None,
        trace_ply: int = 0,
        to_the_end: bool = True,
    ) -> tuple[list[core.Searcher], Generator[SearchInfo, None, SearchInfo]]:
        """A search that has not begun, and the searchers that stop() has to know."""
        self._open_table().age()
        board = board.copy()
        if self._evaluator == "pattern":
            searchers = self._searchers(
                workers, limit, start, tournament=True, weights=self._learned()
            )
            return searchers, strong_search(
                searchers,
                board,
                moves,
                limit,
                start,
                count=multipv,
                selectivity=selectivity,
                random=random,
                to_the_end=to_the_end,
            )
        traced = tracer(board.turn, trace) if trace else None
        workers = min(workers, len(moves))
        limit, exact_empties = classic_limit(limit, self.exact_endgame_empties)
        exact_empties = exact_empties if to_the_end else 0
        searchers = self._searchers(workers, limit, start, tracer=traced, trace_ply=trace_ply)
        return searchers, classic_search(searchers, board, moves, limit, start, exact_empties)

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
        stops, start = self._stops, time.perf_counter()
        check_solve(board, scoring, limit)
        self._open_table().age()
        weights = self._solving_weights([board])
        tournament = scoring == "tournament"
        [searcher] = self._searchers(1, limit, start, tournament=tournament, weights=weights)
        with self._registered(searcher, stops=stops):
            found = solution(
                searcher,
                board,
                scoring,
                start,
                weighed=weights is not None,
                all_best=all_best,
                every_move=every_move,
                outcome_only=outcome_only,
            )
        check_not_stopped(searcher)
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
        stops = self._stops
        threads = self.threads if threads is None else threads
        check_integer("threads", threads, 1)
        boards = tuple(boards)
        for board in boards:
            check_solve(board, scoring, None)
        threads = min(threads, max(1, len(boards)))
        self._open_table().age()
        tournament = scoring == "tournament"
        weights = self._solving_weights(boards)
        searchers = self._searchers(threads, tournament=tournament, weights=weights)
        with self._registered(*searchers, stops=stops):
            values = values_of_many(searchers, boards, on_progress, weighed=weights is not None)
        if values is None:
            raise SearchStopped("the solve was stopped before it had all answers")
        return values

    def evaluate(self, board: Board, view: Color | None = None) -> Evaluation:
        """The classic evaluation, term by term; see `reversi.evaluate`.

        >>> Engine(hash_mb=1).evaluate(Board()).total
        0
        """
        return evaluate(board, view)

    def learned_value(self, board: Board, view: Color | None = None) -> float:
        """The learned evaluation in discs, by the engine's weights; see `reversi.learned_value`.

        >>> over = Board.from_obf("X" * 40 + "O" * 24 + " O")
        >>> Engine(hash_mb=1).learned_value(over)
        -16.0
        """
        return learned_value(self._learned(), board, view)

    def compare(
        self, board: Board, limit: Limit | None = None, scoring: Scoring = "tournament"
    ) -> Comparison:
        """The choice of the middle-game search (exact end switched off; default: depth 6) beside
        the exact one. What the table keeps of earlier searches may have looked further than its
        depth. Raises ValueError for a finished game.

        >>> board = Board.from_obf("X" * 8 + "O" * 24 + "X" * 31 + "- O")
        >>> Engine(hash_mb=1).compare(board).loss
        0
        """
        stops = self._make_ready()
        start = time.perf_counter()
        limit = _COMPARE_LIMIT if limit is None else limit
        check_search(board, limit)
        check_solve(board, scoring, None)
        if board.is_game_over():
            raise ValueError(f"the game is over, there is no move to compare: {board.obf()}")
        choice, score = "pass", self._static_score(board)
        if board.legal_moves.mask:
            moves = list(board.legal_moves)
            searchers, deepening = self._deepening(board, moves, limit, start, to_the_end=False)
            with self._registered(*searchers, stops=stops):
                found = finish(deepening)
            check_not_stopped(*searchers)
            choice, score = found.move, found.score
        exact = self.solve(board, scoring, all_best=False)
        child = board.copy()
        child.push(choice)
        reply = self.solve(child, scoring, all_best=False)
        assert exact.best_move is not None
        return Comparison(
            empties=board.empties,
            midgame_move=choice,
            midgame_score=score,
            midgame_value=-reply.value,
            exact_move=exact.best_move,
            exact_value=exact.value,
        )

    def _static_score(self, board: Board) -> int:
        if self._evaluator == "classic":
            return evaluate(board).total
        return round(100 * self.learned_value(board))

"""Exact solves over the core's endgame search: value, best moves, line, the value of each move.

Knows a search's limits and results; the engine around it owns the table and the stop button.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from reversi._load import core
from reversi.board import Board
from reversi.plans import LIKELIER, LIKELY
from reversi.results import Scoring, Solution
from reversi.squares import PASS, square_name

# The most boards that a thread takes at a time: some milliseconds of work at 10 empty squares. Of
# few boards, which may be large, each thread takes an eighth of its share.
_CHUNK = 64
# A guess by the middle game is worth its time from the first number of empty squares on (4 % at 16,
# 10 % at 18), a search to the end that leaves out the improbable from the second on (9 % at
# 20; at 18 it costs 12 %), one that leaves out less from the third on (3 to 12 % of the nodes at 24
# and 25, and none of the time at 22).
_GUESSED_EMPTIES = 16
_ENDED_EMPTIES = 20
_ENDED_TWICE_EMPTIES = 24


def solution(
    searcher: core.Searcher,
    board: Board,
    scoring: Scoring,
    start: float,
    *,
    weighed: bool,
    all_best: bool,
    every_move: bool = False,
    outcome_only: bool = False,
) -> Solution:
    """Solves a position as far as the searcher's limits allow; ``weighed``: its searcher has
    weights. ``start`` is its perf_counter()."""
    own, opp = board.own, board.opp
    moves = list(board.legal_moves)
    guess = prepare(searcher, board) if weighed else 0
    alpha, beta = (-1, 1) if outcome_only else (-64, 64)
    lower, upper = searcher.prove(own, opp, alpha, beta, guess)
    exact = lower == upper
    line = searcher.line(own, opp, lower) if exact else []
    if not line and moves and (exact or lower > 0 or upper < 0):
        line = _root_move(searcher, board, moves, lower, upper)
    best = line[:1]
    values: dict[str, int] = {}
    if exact and moves and moves != [PASS]:
        if every_move:
            values = _values(searcher, board, moves, weighed)
        if len(values) == len(moves):
            best = [move for move in moves if values[square_name(move)] == lower]
        elif all_best:
            found = [move for move in moves if searcher.reaches(own, opp, move, lower)]
            best = best if searcher.stopped else found
    return Solution(
        value=max(lower, min(upper, 0)),
        best_move=square_name(line[0]) if line else None,
        best_moves=tuple(map(square_name, best)),
        pv=tuple(map(square_name, line)) if exact else (),
        nodes=searcher.nodes if moves else 0,
        elapsed_ms=(time.perf_counter() - start) * 1000,
        scoring=scoring,
        lower=lower,
        upper=upper,
        exact=exact,
        values=values,
    )


def prepare(searcher: core.Searcher, board: Board) -> int:
    """The value to expect of a position, in discs, by a middle game of even depths and searches to
    the end of the game that leave out the improbable. They leave their moves in the table, where
    the exact search finds them."""
    empties, moves, guess = board.empties, list(board.legal_moves), None
    if empties < _GUESSED_EMPTIES or not board.legal_moves.mask:
        return 0
    steps = [(depth, LIKELY) for depth in range(2, min(empties - 8, 2 * (empties - 14)) + 1, 2)]
    if empties >= _ENDED_EMPTIES:
        steps.append((empties, LIKELY))
    if empties >= _ENDED_TWICE_EMPTIES:
        steps.append((empties, LIKELIER))
    for depth, selectivity in steps:
        found = searcher.search_strong(board.own, board.opp, moves, depth, selectivity, guess=guess)
        if found is None:
            break
        [(best, guess, _)] = found
        moves.remove(best)
        moves.insert(0, best)
    # Values are even where the winner gets the empty squares.
    return 2 * round((guess or 0) / (2 * core.UNIT))


def _root_move(
    searcher: core.Searcher, board: Board, moves: list[int], lower: int, upper: int
) -> list[int]:
    """The move that proved the lower bound, or that holds out best where only an upper one is;
    none where a limit came before it was found."""
    move = searcher.table_move(board.own, board.opp)
    if move is not None:
        return [move]
    if len(moves) == 1 or lower < upper < 0:  # of a lost game any move will do
        return moves[:1]
    # Without a table the move has to be found again.
    return searcher.line(board.own, board.opp, lower)[:1]


def _values(
    searcher: core.Searcher, board: Board, moves: list[int], weighed: bool
) -> dict[str, int]:
    """The exact value of each move, the best first; of those that the limits allow."""
    found: dict[str, int] = {}
    for move in moves:
        child = board.copy()
        child.push(move)
        guess = prepare(searcher, child) if weighed else 0
        lower, upper = searcher.prove(child.own, child.opp, guess=guess)
        if lower == upper:
            found[square_name(move)] = -lower
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _values_of(searcher: core.Searcher, boards: Sequence[Board], weighed: bool) -> list[int] | None:
    """The exact values of a thread's boards; None once stopped."""
    if not weighed:
        return searcher.values(boards)
    values = []
    for board in boards:
        guess = prepare(searcher, board)
        lower, upper = searcher.prove(board.own, board.opp, guess=guess)
        if lower != upper:
            return None
        values.append(lower)
    return values


def values_of_many(
    searchers: list[core.Searcher],
    boards: Sequence[Board],
    on_progress: Callable[[int, int], None] | None,
    weighed: bool,
) -> list[int] | None:
    """The exact values in the order of the boards, a thread a searcher; None once stopped."""
    total = len(boards)
    values: list[int] = [0] * total
    chunk = max(1, min(_CHUNK, total // (8 * len(searchers))))
    starts = iter(range(0, total, chunk))
    lock = threading.Lock()
    errors: list[BaseException] = []
    done = 0

    def work(searcher: core.Searcher) -> None:
        nonlocal done
        try:
            while True:
                with lock:
                    start = next(starts, total)
                if start >= total:
                    return
                found = _values_of(searcher, boards[start : start + chunk], weighed)
                # Small boards are solved without a look at the stop button.
                if found is None or searcher.told_to_stop:
                    return
                values[start : start + len(found)] = found
                with lock:
                    done += len(found)
                    if on_progress:
                        on_progress(done, total)
        except BaseException as error:
            errors.append(error)
            for other in searchers:
                other.stop()

    # This thread works too: it is the one that hears Ctrl-C.
    threads = [threading.Thread(target=work, args=(s,), daemon=True) for s in searchers[1:]]
    try:
        for thread in threads:
            thread.start()
        work(searchers[0])
        for thread in threads:
            thread.join()
    except BaseException:
        for searcher in searchers:
            searcher.stop()
        raise
    if errors:
        raise errors[0]
    return values if done == total else None

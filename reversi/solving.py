"""Exact solves over the core's endgame search: value, best moves, line, the value of each move.

Knows a search's limits and results; the engine around it owns the table and the stop button.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from reversi._load import core
from reversi.board import Board
from reversi.results import Scoring, Solution
from reversi.squares import PASS, square_name

# The most boards that a thread takes at a time: some milliseconds of work at 10 empty squares. Of
# few boards, which may be large, each thread takes an eighth of its share.
_CHUNK = 64


def solution(
    searcher: core.Searcher,
    board: Board,
    scoring: Scoring,
    start: float,
    *,
    all_best: bool,
    every_move: bool = False,
    outcome_only: bool = False,
) -> Solution:
    """Solves a position as far as the searcher's limits allow. ``start`` is its perf_counter()."""
    own, opp = board.own, board.opp
    moves = list(board.legal_moves)
    lower, upper = searcher.prove(own, opp, *((-1, 1) if outcome_only else (-64, 64)))
    exact = lower == upper
    line = searcher.line(own, opp, lower) if exact else []
    if not line and moves and (exact or lower > 0 or upper < 0):
        line = [_root_move(searcher, board, moves, lower)]
    best = line[:1]
    values: dict[str, int] = {}
    if exact and moves and moves != [PASS]:
        if every_move:
            values = _values(searcher, board, moves)
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


def _root_move(searcher: core.Searcher, board: Board, moves: list[int], lower: int) -> int:
    """The move that proved the lower bound, or that holds out best where only an upper one is."""
    move = searcher.table_move(board.own, board.opp)
    if move is None and lower > 0:
        # Without a table the move has to be found again.
        move = next(iter(searcher.line(board.own, board.opp, lower)), None)
    return moves[0] if move is None else move


def _values(searcher: core.Searcher, board: Board, moves: list[int]) -> dict[str, int]:
    """The exact value of each move, the best first; of those that the limits allow."""
    found: dict[str, int] = {}
    for move in moves:
        child = board.copy()
        child.push(move)
        lower, upper = searcher.prove(child.own, child.opp)
        if lower == upper:
            found[square_name(move)] = -lower
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def values_of_many(
    searchers: list[core.Searcher],
    boards: Sequence[Board],
    on_progress: Callable[[int, int], None] | None,
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
                found = searcher.values(boards[start : start + chunk])
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

"""Iterative deepening over the core's classic search, in one thread or in several side by side.

Knows a search's limits and records; the engine around it owns the table and the stop button.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any, Literal

from reversi._load import core
from reversi.board import Board
from reversi.limits import Limit
from reversi.results import (
    Certainty,
    Line,
    SearchInfo,
    SearchResult,
    disc_difference,
    row_and_col,
)
from reversi.squares import Color, parse_move, square_name


def classic_search(
    searchers: list[core.Searcher],
    board: Board,
    moves: list[int],
    limit: Limit,
    start: float,
    exact_empties: int,
) -> Generator[SearchInfo, None, SearchInfo]:
    """As `deepen`; several searchers share the root's moves, and tell their end alone."""
    if len(searchers) == 1:
        return (yield from deepen(searchers[0], board, moves, limit, start, exact_empties))
    last = deepen_together(searchers, board, moves, limit, start, exact_empties)
    yield last
    return last


def deepen(
    searcher: core.Searcher,
    board: Board,
    moves: list[int],
    limit: Limit,
    start: float,
    exact_empties: int,
) -> Generator[SearchInfo, None, SearchInfo]:
    """Yields a record of each completed depth; returns the last one with all that the search took,
    a depth that it did not complete included. ``start`` is its first perf_counter()."""
    own, opp, empties, side = board.own, board.opp, board.empties, board.turn
    # From this depth on every leaf is solved, and so is the root.
    solving_depth = max(1, empties - exact_empties)
    order = list(moves)

    def timed(info: SearchInfo) -> SearchInfo:
        elapsed = time.perf_counter() - start
        nodes = searcher.nodes
        return replace(info, nodes=nodes, nps=nodes / elapsed, elapsed_ms=elapsed * 1000)

    def record(move: int, score: int, line: list[int], depth: int, exact: bool) -> SearchInfo:
        if exact:
            line = _exact_line(searcher, board, move, score)
        pv = tuple(map(square_name, line))
        name = square_name(move)
        info = SearchInfo(side, "engine", name, depth, 0, 0.0, 0.0, score, pv, exact)
        return timed(_valued(info))

    if solving_depth == 1:
        # The root is solved at once, after some middle-game depths that are not reported.
        deepest = min(limit.depth or empties, empties, _prepare_depth(empties))
        steps = [(depth, 0, True) for depth in range(1, deepest + 1)]
        steps.append((1, exact_empties, False))
    else:
        deepest = min(limit.depth or empties, solving_depth)
        steps = [(depth, exact_empties, False) for depth in range(1, deepest + 1)]
    last = None
    for depth, exact_end, quiet in steps:
        found = searcher.search(own, opp, order, depth, exact_end, must_finish=last is None)
        if not found:
            break
        exact = depth == solving_depth and not quiet
        last = record(*found, empties if exact else depth, exact)
        if not quiet:
            yield last
        order.remove(found[0])
        order.insert(0, found[0])
    assert last is not None
    if solving_depth == 1 and not last.exact:
        yield last
    return timed(last)


def _valued(info: SearchInfo) -> SearchInfo:
    """The record with its value, its certainty and its one line."""
    worth = disc_difference(info.score) if info.exact else None
    value = None if worth is None else float(worth)
    kind: Literal["exact", "search"] = "exact" if info.exact else "search"
    certainty = Certainty(kind, info.depth, 100, worth, worth)
    lines = (Line(info.move, value, info.pv),)
    return replace(info, value=value, certainty=certainty, lines=lines)


def _prepare_depth(empties: int) -> int:
    """How deep the silent middle-game search goes before a root is solved: it orders the root's
    moves, and is the answer if time runs out. It costs a few hundredths of the solve."""
    return min(10, max(5, empties - 10))


def _exact_line(searcher: core.Searcher, board: Board, move: int, score: int) -> list[int]:
    """The line of a solved root to the end of the game, where time allows to walk it."""
    child = board.copy()
    child.push(move)
    return [move, *searcher.line(child.own, child.opp, -disc_difference(score))]


def finish(
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


def deepen_together(
    searchers: list[core.Searcher],
    board: Board,
    moves: list[int],
    limit: Limit,
    start: float,
    exact_empties: int,
) -> SearchInfo:
    """Deals the root's moves out to the searchers, a thread each, and merges what they find."""
    count = len(searchers)
    found: list[SearchInfo] = []
    errors: list[BaseException] = []

    def work(searcher: core.Searcher, share: list[int]) -> None:
        try:
            found.append(finish(deepen(searcher, board.copy(), share, limit, start, exact_empties)))
        except BaseException as error:
            errors.append(error)
            for other in searchers:
                other.stop()

    threads = [
        threading.Thread(target=work, args=(searcher, moves[i::count]), daemon=True)
        for i, searcher in enumerate(searchers)
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
    merged = replace(
        best,
        depth=max(info.depth for info in found),
        nodes=nodes,
        nps=nodes / elapsed_ms * 1000,
        elapsed_ms=elapsed_ms,
        exact=all(info.exact for info in found),
    )
    return _valued(merged)


def as_result(last: SearchInfo) -> SearchResult:
    """A search's last word as its result."""
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
        value=last.value,
        certainty=last.certainty,
        lines=last.lines,
    )


def no_move_result(board: Board, passed: bool, start: float, tournament: bool) -> SearchResult:
    """The result of a position without a move: a pass, or the end of the game."""
    discs = core.final_score(board.own, board.opp, tournament)
    score = 0 if passed else core.terminal_score(discs)
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
        disc_diff=None if passed else discs,
        passed=passed,
        game_over=not passed,
        value=None if passed else float(discs),
        certainty=None if passed else Certainty("exact", 0, 100, discs, discs),
    )


def tracer(
    turn: Color, trace: Callable[[dict[str, Any]], object]
) -> Callable[[int, int, int, int, int, int, int], object]:
    """Turns the core's record of a search entry into a dict; plies alternate, passes among them."""

    def traced(
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

    return traced

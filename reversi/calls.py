"""Engines for one call: the best move, an exact solve, many of them, a comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import SupportsIndex

from reversi import weights as weight_files
from reversi.board import Board
from reversi.choices import Move
from reversi.engine import Engine
from reversi.evaluation import learned_value as value_by
from reversi.limits import Limit
from reversi.results import Comparison, Scoring, SearchInfo, SearchResult, Solution
from reversi.squares import BLACK, WHITE, Color

__all__ = ["compare", "learned_value", "search_best_move", "solve", "solve_many"]

# A fresh table for one call: made in a millisecond, large enough for some seconds.
_SEARCH_HASH_MB = 16


def search_best_move(
    cells: Iterable[SupportsIndex],
    is_black_turn: bool | Color,
    think_time_ms: int = 4000,
    allowed_moves: Iterable[Move] | None = None,
    *,
    evaluator: str = "classic",
    exact_endgame_empties: int = 14,
    workers: int = 1,
    on_info: Callable[[SearchInfo], None] | None = None,
) -> SearchResult:
    """The best move on a board of 64 cells: -1 black, 1 white, 0 empty, row by row from the top.

    ``cells`` is a list, tuple, array or any buffer of integers; ``think_time_ms`` is 0 or more,
    of which 30 ms are kept back and at least 50 used; ``is_black_turn`` may be a `Color` as well;
    ``allowed_moves`` restricts the choice to some legal moves: (row, col) pairs, names or squares.
    ``evaluator`` is ``"classic"``, or ``"pattern"`` for the learned evaluation, which is stronger.
    Raises ValueError that names the index or the moves at fault.

    >>> cells = [0] * 64
    >>> cells[28] = cells[35] = -1
    >>> cells[27] = cells[36] = 1
    >>> result = search_best_move(cells, is_black_turn=True, think_time_ms=0)
    >>> result.move in ("d3", "c4", "f5", "e6"), result.depth > 0
    (True, True)
    """
    if isinstance(is_black_turn, Color):
        is_black_turn = is_black_turn is BLACK
    elif type(is_black_turn).__name__ not in ("bool", "bool_"):
        raise TypeError(f"is_black_turn is {is_black_turn!r}; expected True, False or a Color")
    board = Board.from_cells(cells, BLACK if is_black_turn else WHITE)
    with Engine(
        hash_mb=_SEARCH_HASH_MB,
        evaluator=evaluator,
        exact_endgame_empties=exact_endgame_empties,
    ) as engine:
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


def solve_many(
    boards: Sequence[Board],
    scoring: Scoring = "tournament",
    hash_mb: int = 64,
    *,
    threads: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> list[int]:
    """The exact values of many positions, in their order; see `Engine.solve_many`.

    >>> solve_many([Board.from_obf("X" * 8 + "O" * 24 + "X" * 31 + "- O")], threads=2)
    [-2]
    """
    with Engine(hash_mb=hash_mb, threads=threads) as engine:
        return engine.solve_many(boards, scoring, on_progress=on_progress)


def compare(
    board: Board,
    limit: Limit | None = None,
    scoring: Scoring = "tournament",
    *,
    evaluator: str = "pattern",
) -> Comparison:
    """The middle-game choice beside the exact one; see `Engine.compare`.

    >>> board = Board.from_obf("X" * 8 + "O" * 24 + "X" * 31 + "- O")
    >>> compare(board).exact_move
    'h8'
    """
    with Engine(evaluator=evaluator) as engine:
        return engine.compare(board, limit, scoring)


def learned_value(board: Board, view: Color | None = None) -> float:
    """The learned evaluation: the discs by which a game is expected to end, the winner getting the
    empty squares, in the view of ``view`` (BLACK or WHITE; the side to move by default). A finished
    game has its result. Raises ValueError for another view.

    >>> learned_value(Board.from_obf("X" * 40 + "O" * 24 + " O"))
    -16.0
    """
    return value_by(weight_files.default_weights(), board, view)

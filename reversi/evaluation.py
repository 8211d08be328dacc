"""The two evaluations of a position: the classic one's terms, the learned one's discs."""

from __future__ import annotations

from reversi._load import core
from reversi.board import Board
from reversi.checks import check_board
from reversi.results import Evaluation
from reversi.squares import BLACK, WHITE, Color

__all__ = ["evaluate", "learned_value"]


def evaluate(board: Board, view: Color | None = None) -> Evaluation:
    """The classic evaluation's weighted terms and total in the view of ``view`` (BLACK or WHITE;
    the side to move by default), whoever is to move. Raises ValueError for another view.

    >>> evaluate(Board.from_transcript("f5"), BLACK).total
    72
    """
    sign = _sign(board, view)
    return Evaluation(*(sign * term for term in core.evaluate(board.own, board.opp)))


def learned_value(weights: core.Weights, board: Board, view: Color | None = None) -> float:
    """The learned evaluation: the discs by which a game is expected to end, the winner getting the
    empty squares, in the view of ``view`` as above. A finished game has its result."""
    sign = _sign(board, view)
    own, opp = board.own, board.opp
    if board.is_game_over():
        return float(sign * core.final_score(own, opp, True))
    if not board.legal_moves.mask:  # a pass: the weights are those of a side with a move
        own, opp, sign = opp, own, -sign
    return sign * weights.evaluate(own, opp) / core.UNIT


def _sign(board: Board, view: Color | None) -> int:
    check_board(board)
    if view is not None and view not in (BLACK, WHITE):
        raise ValueError(f"view is {view!r}; expected BLACK (-1), WHITE (1) or None")
    return 1 if view is None or view == board.turn else -1

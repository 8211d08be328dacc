"""The positions that the measurements share, made by seeded games. Measures nothing.

The games take the move after which the classic evaluation is best for its side, and now and then
another one: they look like games of people, and are the same on every machine and in every
version of Python, as long as the evaluation keeps its contract.
"""

from __future__ import annotations

import random

from reversi import Board, evaluate

SEED = 2026
# The share of moves taken at random, so that no two games are alike.
SLIP = 0.3


def game_to(empties: int, rng: random.Random) -> Board:
    """Return a position of a seeded game with so many empty squares and a real choice of moves.

    >>> game_to(30, random.Random(SEED)).empties
    30
    """
    while True:
        board = Board()
        while board.empties > empties and not board.is_game_over():
            board.push(choice(board, rng))
        if board.empties == empties and len(board.legal_moves) > 1:
            return board.transformed(0)


def positions(empties: int, count: int, seed: int = SEED) -> list[Board]:
    """Return different positions with so many empty squares, without history.

    >>> [board.empties for board in positions(20, 3)]
    [20, 20, 20]
    """
    # Each set has its own stream: adding to one leaves the others as they are.
    rng = random.Random(seed * 100 + empties)
    found: list[Board] = []
    while len(found) < count:
        board = game_to(empties, rng)
        if board not in found:
            found.append(board)
    return found


def choice(board: Board, rng: random.Random) -> int:
    """Return a move, or the pass, as these games make them."""
    moves = list(board.legal_moves)
    # random() alone is promised to give the same numbers in every version of Python.
    if rng.random() < SLIP:
        return moves[int(rng.random() * len(moves))]
    return max(moves, key=lambda move: _worth(board, move))


def _worth(board: Board, move: int) -> int:
    after = board.copy()
    after.push(move)
    return evaluate(after, board.turn).total

"""Positions of every sort with few empty squares, for proofs: the same ones from the same seed.

Half of them come from games: random ones, careful ones, and greedy ones that end early. The others
no game need reach: a game's position with the wrong side to move, any discs at all, and any discs
around holes that hang together. Passes, wipe-outs and finished games are among them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from positions import choice

from reversi import Board

# The share of moves that a greedy player makes at random.
SLIP = 0.2
# One colour may be rare: boards of one colour alone, and games that the next move ends.
SHARES = (0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97)
ALL = 2**64 - 1


def varied_positions(count: int, max_empties: int, seed: int) -> Iterator[Board]:
    """Yield positions with 1 to ``max_empties`` empty squares, each kind in turn.

    >>> [board.empties <= 12 for board in varied_positions(3, 12, seed=1)]
    [True, True, True]
    """
    for number in range(count):
        # Each position has its own stream, so that a failure can be looked at alone. random() is
        # the one method that gives the same numbers in every version of Python.
        rng = Random(f"{seed} {number}")
        empties = 1 + int(rng.random() * max_empties)
        yield KINDS[number % len(KINDS)](empties, rng)


def _game(empties: int, rng: Random, player: Callable[[Board, Random], int]) -> Board:
    while True:
        board = Board()
        while board.empties > empties and not board.is_game_over():
            board.push(player(board, rng))
        if board.empties == empties:
            return board.transformed(0)


def _random_move(board: Board, rng: Random) -> int:
    moves = list(board.legal_moves)
    return moves[int(rng.random() * len(moves))]


def _greedy_move(board: Board, rng: Random) -> int:
    if rng.random() < SLIP or not board.legal_moves.mask:
        return _random_move(board, rng)
    return max(board.legal_moves, key=lambda move: board.flipped(move).bit_count())


def _random_game(empties: int, rng: Random) -> Board:
    return _game(empties, rng, _random_move)


def _careful_game(empties: int, rng: Random) -> Board:
    return _game(empties, rng, choice)


def _greedy_game(empties: int, rng: Random) -> Board:
    return _game(empties, rng, _greedy_move)


def _other_side(empties: int, rng: Random) -> Board:
    board = _random_game(empties, rng)
    return Board(board.black, board.white, not board.black_to_move)


def _any_discs(empties: int, rng: Random) -> Board:
    holes: set[int] = set()
    while len(holes) < empties:
        holes.add(int(rng.random() * 64))
    return _around(holes, rng)


def _joined_holes(empties: int, rng: Random) -> Board:
    holes: list[int] = [int(rng.random() * 64)]
    while len(holes) < empties:
        row, col = divmod(holes[int(rng.random() * len(holes))], 8)
        row += int(rng.random() * 3) - 1
        col += int(rng.random() * 3) - 1
        if 0 <= row < 8 and 0 <= col < 8 and 8 * row + col not in holes:
            holes.append(8 * row + col)
    return _around(set(holes), rng)


def _around(holes: set[int], rng: Random) -> Board:
    share = SHARES[int(rng.random() * len(SHARES))]
    discs = ALL & ~sum(1 << sq for sq in holes)
    black = sum(1 << sq for sq in range(64) if rng.random() < share) & discs
    return Board(black, discs & ~black, rng.random() < 0.5)


KINDS = (_random_game, _careful_game, _greedy_game, _other_side, _any_discs, _joined_holes)

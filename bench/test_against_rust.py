"""The same tasks done with rust-reversi in the same run: perft, and random games from Python.

Its perft is a loop over its boards in Python, the fastest of those that were tried: children as
boards, and the last ply counted by its bitboard of legal moves.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from time import perf_counter

import pytest
from test_python import GAMES, random_games

from reversi import Board

rust = pytest.importorskip("rust_reversi")

PERFT_DEPTH = 11
LEAVES = 212_258_800
ROUNDS = 3


def rust_perft(board: rust.Board, depth: int) -> int:
    """Count leaves, depth 2 or more; a pass is a ply, a finished game counts once."""
    children = board.get_child_boards()
    if not children:
        if board.is_game_over():
            return 1
        passed = board.clone()
        passed.do_pass()
        return rust_perft(passed, depth - 1) if depth > 2 else len(passed.get_child_boards())
    leaves = 0
    if depth == 2:
        for child in children:
            leaves += child.get_legal_moves().bit_count() or 1
        return leaves
    for child in children:
        leaves += rust_perft(child, depth - 1)
    return leaves


def rust_drawn_games(games: int, seed: int) -> int:
    """Play random games, moves drawn here as `random_games` draws them."""
    draw = random.Random(seed).random
    played = 0
    for _ in range(games):
        board = rust.Board()
        while True:
            moves = board.get_legal_moves_vec()
            if moves:
                board.do_move(moves[int(draw() * len(moves))])
            elif board.is_game_over():
                break
            else:
                board.do_pass()
            played += 1
    return played


def rust_own_games(games: int, seed: int) -> int:
    """Play random games, moves drawn by the library itself; no seed can be given to it."""
    played = 0
    for _ in range(games):
        board = rust.Board()
        move, play = board.get_random_move, board.do_move
        while not board.is_game_over():
            # Asking for an error at each pass is cheaper than asking for passes at each move.
            try:
                while True:
                    play(move())
                    played += 1
            except ValueError:
                if not board.is_game_over():
                    board.do_pass()
                    played += 1
    return played


def rate(task: Callable[[], int]) -> float:
    """Return what the task counts, a second: the best of some rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        began = perf_counter()
        count = task()
        best = max(best, count / (perf_counter() - began))
    return best


def test_perft(note: Callable[[str], None]) -> None:
    assert Board().perft(PERFT_DEPTH) == rust_perft(rust.Board(), PERFT_DEPTH) == LEAVES
    ours = rate(lambda: Board().perft(PERFT_DEPTH))
    theirs = rate(lambda: rust_perft(rust.Board(), PERFT_DEPTH))
    note(
        f"perft({PERFT_DEPTH}), M leaves/s: reversi {ours / 1e6:,.0f},"
        f" rust-reversi {theirs / 1e6:.1f}; ratio {ours / theirs:.1f}"
    )


@pytest.mark.parametrize("their_games", [rust_drawn_games, rust_own_games])
def test_random_games(note: Callable[[str], None], their_games: Callable[[int, int], int]) -> None:
    ours = rate(lambda: random_games(GAMES, 1))
    theirs = rate(lambda: their_games(GAMES, 1))
    note(
        f"M moves/s: reversi {ours / 1e6:.2f}, rust-reversi {theirs / 1e6:.2f};"
        f" ratio {ours / theirs:.2f}"
    )

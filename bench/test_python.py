"""What the rooms in Python cost: a call each, and random games through the public board."""

from __future__ import annotations

import random
from collections.abc import Callable

from positions import positions
from pytest_benchmark.fixture import BenchmarkFixture

from reversi import Board, search_best_move

GAMES = 2000


def random_games(games: int, seed: int) -> int:
    """Play random games; return the number of moves, passes among them."""
    draw = random.Random(seed).random
    played = 0
    for _ in range(games):
        board = Board()
        moves = board.legal_moves
        while moves:
            board.push(moves[int(draw() * len(moves))])
            played += 1
            moves = board.legal_moves
    return played


def test_random_games(benchmark: BenchmarkFixture, note: Callable[[str], None]) -> None:
    played = benchmark.pedantic(random_games, args=(GAMES, 1), rounds=5, warmup_rounds=1)
    note(f"{played / benchmark.stats['min'] / 1e6:.2f} M moves/s")


def test_start_position(benchmark: BenchmarkFixture) -> None:
    benchmark(Board)


def test_from_obf(benchmark: BenchmarkFixture) -> None:
    benchmark(Board.from_obf, Board().obf())


def test_legal_moves(benchmark: BenchmarkFixture) -> None:
    board = positions(30, 1)[0]
    benchmark(lambda: board.legal_moves)


def test_list_of_legal_moves(benchmark: BenchmarkFixture) -> None:
    board = positions(30, 1)[0]
    benchmark(lambda: list(board.legal_moves))


def test_push_and_pop(benchmark: BenchmarkFixture) -> None:
    board = positions(30, 1)[0]
    move = board.legal_moves[0]

    def push_and_pop() -> None:
        board.push(move)
        board.pop()

    benchmark(push_and_pop)


def test_copy(benchmark: BenchmarkFixture) -> None:
    benchmark(positions(30, 1)[0].copy)


def test_search_best_move(benchmark: BenchmarkFixture) -> None:
    """One empty square: all that is measured is the call, its engine and table among it."""
    board = Board.from_obf("X" * 8 + "O" * 24 + "X" * 31 + "- O")
    cells = board.cells()
    result = benchmark(search_best_move, cells, False)
    assert result.exact

"""Leaves of perft, nodes of the classic search and of the exact solver, each a second."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from positions import positions
from pytest_benchmark.fixture import BenchmarkFixture

from reversi import Board, Engine, Limit

PERFT = {9: 3_005_288, 10: 24_571_284, 11: 212_258_800}
POSITIONS = 10


@pytest.mark.parametrize("depth", PERFT)
def test_perft(benchmark: BenchmarkFixture, note: Callable[[str], None], depth: int) -> None:
    leaves = benchmark.pedantic(Board().perft, args=(depth,), rounds=3)
    assert leaves == PERFT[depth]
    note(f"{leaves / benchmark.stats['min'] / 1e6:,.0f} M leaves/s")


@pytest.mark.parametrize("empties", [44, 36, 28])
def test_classic_search(
    benchmark: BenchmarkFixture, note: Callable[[str], None], empties: int
) -> None:
    boards = positions(empties, POSITIONS)
    with Engine(evaluator="classic", exact_endgame_empties=0) as engine:

        def search() -> int:
            return sum(engine.search(board, Limit(depth=9)).nodes for board in boards)

        nodes = benchmark.pedantic(search, setup=engine.clear, rounds=3)
    note(f"{POSITIONS} positions to depth 9: {nodes / benchmark.stats['min'] / 1e6:.1f} M nodes/s")


@pytest.mark.parametrize("empties", [44, 36, 28])
def test_learned_search(
    benchmark: BenchmarkFixture, note: Callable[[str], None], empties: int
) -> None:
    boards = positions(empties, POSITIONS)
    with Engine() as engine:
        engine.learned_value(boards[0])  # loads the weights

        def search() -> int:
            return sum(engine.search(board, Limit(depth=12)).nodes for board in boards)

        nodes = benchmark.pedantic(search, setup=engine.clear, rounds=3)
    note(f"{POSITIONS} positions to depth 12: {nodes / benchmark.stats['min'] / 1e6:.1f} M nodes/s")


@pytest.mark.parametrize("empties", [8, 10, 12, 14, 16])
def test_solve(benchmark: BenchmarkFixture, note: Callable[[str], None], empties: int) -> None:
    boards = positions(empties, POSITIONS)
    with Engine() as engine:

        def solve() -> int:
            return sum(engine.solve(board, all_best=False).nodes for board in boards)

        nodes = benchmark.pedantic(solve, setup=engine.clear, rounds=5)
    seconds = benchmark.stats["min"]
    note(
        f"{seconds / POSITIONS * 1e3:.3f} ms and {nodes / POSITIONS / 1e3:,.1f} k nodes a position,"
        f" {nodes / seconds / 1e6:.1f} M nodes/s"
    )

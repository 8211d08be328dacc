"""The kept endgame positions: solves and pure proofs by empty squares, with their nodes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from obf_values import problems
from pytest_benchmark.fixture import BenchmarkFixture
from solve_times import FOLDER, proofs

from reversi import Engine

HASH_MB = 16
SOLVED = range(8, 21, 2)
PROVED = range(8, 15, 2)


@pytest.mark.parametrize("empties", SOLVED)
def test_solve(benchmark: BenchmarkFixture, note: Callable[[str], None], empties: int) -> None:
    """One engine's table is cleared before each round: its making is not measured."""
    found = problems(FOLDER / f"endgame-{empties:02}.obf")
    with Engine(hash_mb=HASH_MB) as engine:

        def solve() -> int:
            nodes = 0
            for problem in found:
                solution = engine.solve(problem.board, all_best=False)
                assert solution.value == problem.value
                nodes += solution.nodes
            return nodes

        nodes = benchmark.pedantic(solve, setup=engine.clear, rounds=3)
    note(per_position(benchmark.stats["min"], nodes, len(found)))


@pytest.mark.parametrize("empties", PROVED)
def test_proof(benchmark: BenchmarkFixture, note: Callable[[str], None], empties: int) -> None:
    """Two null windows around each known value."""
    found = problems(FOLDER / f"endgame-{empties:02}.obf")
    figures = benchmark.pedantic(proofs, args=(found, HASH_MB), rounds=3)
    # The searches' own time, without the making of their table.
    note(per_position(sum(ms for ms, _ in figures) / 1000, sum(n for _, n in figures), len(found)))


def per_position(seconds: float, nodes: int, count: int) -> str:
    """Return the figures of a round as text."""
    return (
        f"{seconds / count * 1e3:.3f} ms and {nodes / count / 1e3:,.1f} k nodes a position,"
        f" {nodes / seconds / 1e6:.1f} M nodes/s"
    )

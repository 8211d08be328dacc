"""Times and nodes of exact solves by empty squares, also in units of perft(11) in the same run.

    python bench/solve_times.py [FILE ...] [--repeats 5] [--json]

For each OBF file (default: those of bench/positions/), as means over its positions: a solve for
value, line and one best move through the Python API, each from a cleared table; and the proof
alone, two null windows around the value that the file gives, which is what the last plies cost. Of
each position the median of the repeats counts. The process keeps to one processor.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

from obf_values import Problem, problems

from reversi import Board, Engine, cpu_info
from reversi._load import core

FOLDER = Path(__file__).with_name("positions")
UNIT_DEPTH = 11
UNIT_LEAVES = 212_258_800


@dataclass(frozen=True, slots=True)
class Figures:
    """One file's means a position: milliseconds and nodes."""

    file: str
    positions: int
    solve_ms: float
    solve_nodes: float
    proof_ms: float
    proof_nodes: float


def perft_ms() -> float:
    """Return the time of one unit."""
    began = perf_counter()
    leaves = Board().perft(UNIT_DEPTH)
    assert leaves == UNIT_LEAVES
    return (perf_counter() - began) * 1000


def solve(engine: Engine, problem: Problem) -> tuple[float, int]:
    """Return milliseconds and nodes of one solve from a cleared table. It must find the value."""
    engine.clear()
    began = perf_counter()
    solution = engine.solve(problem.board, all_best=False)
    took = perf_counter() - began
    assert solution.value == problem.value, (problem.place, solution.value, problem.value)
    return took * 1000, solution.nodes


def proofs(found: Sequence[Problem], hash_mb: int) -> list[tuple[float, int]]:
    """Return milliseconds and nodes of each position's two null windows.

    One searcher and table do them all, so that each does not pay for memory that is touched for the
    first time. Different positions have nothing to tell one another.
    """
    searcher = core.Searcher(core.Table(hash_mb), tournament=True)
    figures = []
    for problem in found:
        own, opp, value = problem.board.own, problem.board.opp, problem.value
        nodes, began = searcher.nodes, perf_counter()
        # At the ends of the scale one window proves the value.
        at_least = searcher.prove(own, opp, value - 1, value)[0] if value > -64 else -64
        at_most = searcher.prove(own, opp, value, value + 1)[1] if value < 64 else 64
        took = perf_counter() - began
        assert at_least == value == at_most, (problem.place, at_least, at_most, value)
        figures.append((took * 1000, searcher.nodes - nodes))
    return figures


def measure(path: Path, max_empties: int, repeats: int, hash_mb: int) -> Figures | None:
    """Measure one file; None where it has no position with so few empty squares."""
    found = problems(path, max_empties)
    if not found:
        return None
    with Engine(hash_mb=hash_mb) as engine:
        solves = [[solve(engine, each) for each in found] for _ in range(repeats)]
    proved = [proofs(found, hash_mb) for _ in range(repeats)]
    return Figures(path.stem, len(found), *_mean_of_medians(solves), *_mean_of_medians(proved))


def _mean_of_medians(rounds: Sequence[Sequence[tuple[float, int]]]) -> tuple[float, float]:
    times = [
        statistics.median(took for took, _ in repeats) for repeats in zip(*rounds, strict=True)
    ]
    return statistics.fmean(times), statistics.fmean(nodes for _, nodes in rounds[0])


def keep_to(processor: int | None) -> int | None:
    """Pin the process to a processor (default: the first it may use), where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    chosen = min(os.sched_getaffinity(0)) if processor is None else processor
    os.sched_setaffinity(0, {chosen})
    return chosen


def table(figures: Sequence[Figures], unit_ms: float) -> str:
    """Return the figures as text; 1/unit is how many positions are done in the time of a unit."""
    rows = [
        f"{'':12} {'':>4}  {'solve':>9} {'nodes':>10} {'M/s':>5} {'1/unit':>8}"
        f"  {'proof':>9} {'nodes':>10} {'M/s':>5} {'1/unit':>8}"
    ]
    for row in figures:
        columns = [f"{row.file:12} {row.positions:>4}"]
        for took, nodes in ((row.solve_ms, row.solve_nodes), (row.proof_ms, row.proof_nodes)):
            columns.append(
                f"{took:>6.3f} ms {nodes:>10,.0f} {nodes / took / 1000:>5.1f}"
                f" {unit_ms / took:>8,.1f}"
            )
        rows.append("  ".join(columns))
    return "\n".join(rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Time exact solves by empty squares.")
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE", help="OBF files")
    parser.add_argument("--repeats", type=int, default=5, help="of each position (default: 5)")
    parser.add_argument("--max-empties", type=int, default=60, help="leave out others")
    parser.add_argument("--hash-mb", type=int, default=16, help="table (default: 16)")
    parser.add_argument("--processor", type=int, help="the one to run on (default: the first)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    wants = parser.parse_args()
    processor = keep_to(wants.processor)
    # A machine's speed drifts: the unit is measured along the way.
    units, figures = [perft_ms()], []
    for path in wants.files or sorted(FOLDER.glob("*.obf")):
        row = measure(path, wants.max_empties, wants.repeats, wants.hash_mb)
        if row:
            figures.append(row)
        units.append(perft_ms())
    unit_ms = statistics.median(units)
    if wants.json:
        answer = {
            "build": cpu_info().build,
            "processor": processor,
            "unit_ms": unit_ms,
            "repeats": wants.repeats,
            "hash_mb": wants.hash_mb,
            "files": [asdict(row) for row in figures],
        }
        print(json.dumps(answer, indent=1))
        return
    print(
        f"{cpu_info().build}, processor {processor}: one unit, perft({UNIT_DEPTH}), is"
        f" {unit_ms:.0f} ms ({UNIT_LEAVES / unit_ms / 1e6:.3f} G leaves/s);"
        f" median of {wants.repeats}, table {wants.hash_mb} MB, means a position:"
    )
    print(table(figures, unit_ms))


if __name__ == "__main__":
    main()

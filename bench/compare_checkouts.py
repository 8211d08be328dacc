"""Compares the speed of two checkouts in pairs, A B A B ..., and says which differences are real.

    python bench/compare_checkouts.py A B [--pairs 10] [--json]

A and B are each a Python that has the package (its program, or the folder of its environment), or
the folder of a checkout in which the core is built; REVERSI_CPU forces a build in both. Each turn
is a fresh process that does the same tasks, on one processor; a task's time in it is the median of
its rounds. The ratio B/A of each pair is free of a machine's slow drift. Of the pairs' ratios the
median counts, with the interval that the sign test gives for it: an order statistic each way, which
supposes nothing of how times are spread. A difference is significant where the interval leaves out
1; nodes are shown as A -> B where they differ.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter

CONFIDENCE = 0.95
# With fewer pairs even the whole range of the ratios is no interval of this confidence.
LEAST_PAIRS = 6
ROUNDS = 3
HASH_MB = 16
# The pure proof is a measure of the last plies.
PROVED_TO = 14

# Seconds, and nodes or leaves.
Done = tuple[float, int]
Task = Callable[[], Done]
Figures = dict[str, dict[str, float]]


def tasks() -> dict[str, Task]:
    """Return the tasks, which work from cold tables; making those is not measured.

    They import here: the process that compares needs no package.
    """
    from obf_values import Problem, problems
    from positions import positions
    from solve_times import FOLDER, proofs

    from reversi import Board, Engine, Limit

    classic = [board for empties in (44, 36, 28) for board in positions(empties, 3)]

    def perft() -> Done:
        began = perf_counter()
        leaves = Board().perft(10)
        return perf_counter() - began, leaves

    def search() -> Done:
        with Engine(hash_mb=HASH_MB, evaluator="classic", exact_endgame_empties=0) as engine:
            began = perf_counter()
            nodes = sum(engine.search(board, Limit(depth=8)).nodes for board in classic)
            return perf_counter() - began, nodes

    def solve(kept: Sequence[Problem]) -> Done:
        with Engine(hash_mb=HASH_MB) as engine:
            began = perf_counter()
            nodes = sum(engine.solve(each.board, all_best=False).nodes for each in kept)
            return perf_counter() - began, nodes

    def prove(kept: Sequence[Problem]) -> Done:
        figures = proofs(kept, HASH_MB)
        return sum(ms for ms, _ in figures) / 1000, sum(nodes for _, nodes in figures)

    found: dict[str, Task] = {"perft(10)": perft, "classic search": search}
    for empties in (10, 12, 14, 16, 18):
        kept = problems(FOLDER / f"endgame-{empties}.obf")
        found[f"solve {empties}"] = partial(solve, kept)
        if empties <= PROVED_TO:
            found[f"proof {empties}"] = partial(prove, kept)
    return found


def work() -> None:
    """Do all tasks and print their times and nodes as JSON: one turn, in a process of its own."""
    import reversi

    figures: Figures = {}
    for name, task in tasks().items():
        rounds = [task() for _ in range(ROUNDS)]
        seconds = statistics.median(took for took, _ in rounds)
        figures[name] = {"ms": seconds * 1000, "nodes": rounds[0][1]}
    where = f"{Path(reversi.__file__).parent} ({reversi.cpu_info().build})"
    print(json.dumps({"where": where, "figures": figures}))


def program_and_path(place: Path) -> tuple[str, str | None]:
    """Return the Python of a place, and the folder that it imports from if that is a checkout."""
    if (place / "reversi" / "__init__.py").is_file():
        return sys.executable, str(place.resolve())
    for program in (place, place / "bin" / "python", place / "Scripts" / "python.exe"):
        if program.is_file():
            # Not resolved: what an environment's link points at is another Python.
            return str(program.absolute()), None
    sys.exit(f"{place}: neither a Python nor the folder of an environment or a checkout")


def turn(place: Path) -> tuple[str, Figures]:
    """Run the tasks in a fresh process of one checkout; return where it was, and its figures."""
    program, path = program_and_path(place)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if path:
        environment["PYTHONPATH"] = path
    run = subprocess.run(
        [program, __file__, "--turn"], env=environment, stdout=subprocess.PIPE, text=True
    )
    if run.returncode:
        sys.exit(f"{place}: the tasks failed, status {run.returncode}")
    answer = json.loads(run.stdout)
    return answer["where"], answer["figures"]


def interval(ratios: Sequence[float]) -> tuple[float, float, float]:
    """Return the sign test's interval for the median, and its confidence.

    >>> interval([0.9, 1.0, 1.1, 1.2, 1.3, 1.4])
    (0.9, 1.4, 0.96875)
    """
    ordered, count = sorted(ratios), len(ratios)
    drop, outside = 0, 2 / 2**count
    # Leave out one more on each side as long as both tails together stay rare.
    while outside + 2 * math.comb(count, drop + 1) / 2**count <= 1 - CONFIDENCE:
        drop += 1
        outside += 2 * math.comb(count, drop) / 2**count
    return ordered[drop], ordered[count - 1 - drop], 1 - outside


def compare(turns: Sequence[tuple[Figures, Figures]]) -> list[dict[str, object]]:
    """Return a row for each task: medians, the median ratio, its interval, the verdict, nodes."""
    rows: list[dict[str, object]] = []
    for name in turns[0][0]:
        ratios = [b[name]["ms"] / a[name]["ms"] for a, b in turns]
        low, high, confidence = interval(ratios)
        verdict = "B is faster" if high < 1 else "B is slower" if low > 1 else "no difference shown"
        rows.append(
            {
                "task": name,
                "a_ms": statistics.median(a[name]["ms"] for a, _ in turns),
                "b_ms": statistics.median(b[name]["ms"] for _, b in turns),
                "ratio": statistics.median(ratios),
                "low": low,
                "high": high,
                "confidence": confidence,
                "verdict": verdict,
                "a_nodes": turns[0][0][name]["nodes"],
                "b_nodes": turns[0][1][name]["nodes"],
                "ratios": ratios,
            }
        )
    return rows


def line(row: dict[str, object]) -> str:
    """Return one task's row of the table."""
    nodes = f"{row['a_nodes']:,}"
    if row["a_nodes"] != row["b_nodes"]:
        nodes += f" -> {row['b_nodes']:,}"
    return (
        f"{row['task']:15}{row['a_ms']:>10.2f}{row['b_ms']:>10.2f}{row['ratio']:>8.3f}"
        f"  {row['low']:.3f} to {row['high']:.3f}  {row['verdict']:20} {nodes}"
    )


def main() -> None:
    """Take turns and print what they show."""
    if sys.argv[1:] == ["--turn"]:
        work()
        return
    parser = argparse.ArgumentParser(description="Compare the speed of two checkouts in pairs.")
    parser.add_argument("a", type=Path, help="a Python, an environment or a built checkout")
    parser.add_argument("b", type=Path, help="the other")
    parser.add_argument("--pairs", type=int, default=10, help="turns of each (default: 10)")
    parser.add_argument("--processor", type=int, help="the one to run on (default: the first)")
    parser.add_argument("--json", action="store_true", help="print JSON, each pair's ratio too")
    wants = parser.parse_args()
    if wants.pairs < LEAST_PAIRS:
        parser.error(f"--pairs is {wants.pairs}; expected {LEAST_PAIRS} or more")
    if hasattr(os, "sched_setaffinity"):
        processors = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(processors) if wants.processor is None else wants.processor})
    turns = []
    for number in range(wants.pairs):
        (where_a, a), (where_b, b) = turn(wants.a), turn(wants.b)
        turns.append((a, b))
        if sys.stderr.isatty():
            end = "\n" if number + 1 == wants.pairs else ""
            print(f"\rpair {number + 1}/{wants.pairs} ", end=end, file=sys.stderr, flush=True)
    rows = compare(turns)
    if wants.json:
        print(json.dumps({"a": where_a, "b": where_b, "pairs": wants.pairs, "tasks": rows}))
        return
    print(f"A: {where_a}\nB: {where_b}")
    print(
        f"{wants.pairs} pairs; medians, the median of the pairs' ratios, and its"
        f" {rows[0]['confidence']:.1%} interval:"
    )
    print(f"{'':15}{'A, ms':>10}{'B, ms':>10}{'B/A':>8}  {'interval':14}  {'':20} nodes")
    print("\n".join(line(row) for row in rows))


if __name__ == "__main__":
    main()

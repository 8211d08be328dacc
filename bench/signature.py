"""The node counts of a fixed set of searches: equal in every build of the core, and kept in a file.

    python bench/signature.py            checks them, exit status 1 where one differs
    python bench/signature.py --write    renews the file, after a change that means to alter them

Each search has an engine of its own. The moves and values found are kept beside the counts: those
of the exact solves are facts, which no change may alter.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from obf_values import problems
from positions import positions
from solve_times import FOLDER

from reversi import Board, Engine, Limit, cpu_info
from reversi.results import Scoring

FILE = Path(__file__).with_name("signature.json")

# Empty squares, number of positions, depth, and where the exact end begins.
SEARCHES = (
    (60, 1, 10, (0,)),
    (45, 3, 9, (0,)),
    (36, 3, 9, (0,)),
    (27, 3, 9, (0,)),
    (21, 3, 9, (0,)),
    (18, 3, 9, (0, 10)),
)
# Empty squares and number of positions.
SOLVES = ((8, 10), (10, 10), (11, 6), (12, 6), (14, 4), (16, 3))
# Empty squares, number of positions, depth: searches by the learned evaluation.
STRONG_SEARCHES = ((60, 1, 12), (45, 3, 10), (36, 3, 10), (27, 3, 10), (18, 2, 18))
# Empty squares and number of kept positions that are solved with its help.
STRONG_SOLVES = {16: 5, 18: 3, 20: 1}
# Empty squares of the kept positions that are solved, and how many of each file: the first.
KEPT = {**dict.fromkeys(range(8, 15), 20), 15: 15, 16: 15, 17: 5, 18: 5, 19: 2, 20: 2}

Record = dict[str, str | int]


def records() -> Iterator[tuple[str, Record]]:
    """Yield each search by name, with its nodes, its value and its move."""
    for empties, count, depth, exact_ends in SEARCHES:
        for board in some_positions(empties, count):
            for exact_empties in exact_ends:
                with Engine(4, evaluator="classic", exact_endgame_empties=exact_empties) as engine:
                    found = engine.search(board, Limit(depth=depth))
                yield (
                    f"search {board.obf()} depth {depth} exact end {exact_empties}",
                    {"nodes": found.nodes, "value": found.score, "move": str(found.move)},
                )
    for empties, count in SOLVES:
        for board in positions(empties, count):
            yield solve(board, "tournament")
            yield solve(board, "discs")
    for empties, count in KEPT.items():
        for problem in problems(FOLDER / f"endgame-{empties:02}.obf")[:count]:
            yield solve(problem.board, "tournament")
    for empties, count, depth in STRONG_SEARCHES:
        for board in some_positions(empties, count):
            with Engine(4) as engine:
                found = engine.search(board, Limit(depth=depth))
            yield (
                f"pattern search {board.obf()} depth {depth}",
                {"nodes": found.nodes, "value": found.score, "move": str(found.move)},
            )
    for empties, count in STRONG_SOLVES.items():
        for problem in problems(FOLDER / f"endgame-{empties:02}.obf")[:count]:
            yield solve(problem.board, "tournament", "pattern")


def some_positions(empties: int, count: int) -> list[Board]:
    """Return fixed positions with so many empty squares."""
    return [Board()] if empties == 60 else positions(empties, count)


def solve(board: Board, scoring: Scoring, evaluator: str = "classic") -> tuple[str, Record]:
    """Return an exact solve by name, with its nodes, its value and all best moves."""
    with Engine(4, evaluator=evaluator) as engine:
        solved = engine.solve(board, scoring)
    return (
        f"{'pattern ' if evaluator == 'pattern' else ''}solve {board.obf()} {scoring}",
        {"nodes": solved.nodes, "value": solved.value, "move": " ".join(solved.best_moves)},
    )


def total(found: dict[str, Record]) -> int:
    """Return the signature in one number: all nodes."""
    return sum(int(record["nodes"]) for record in found.values())


def differences(found: dict[str, Record], kept: dict[str, Record]) -> list[str]:
    """Return a line for each search that is not as it was."""
    return [
        f"{name}\n    kept {kept.get(name, 'nothing')}\n    got  {found.get(name, 'nothing')}"
        for name in {**kept, **found}
        if found.get(name) != kept.get(name)
    ]


def main() -> int:
    """Check or renew the file; return the exit status."""
    parser = argparse.ArgumentParser(description="Check the node counts of fixed searches.")
    parser.add_argument("--write", action="store_true", help=f"renew {FILE.name}")
    wants = parser.parse_args()
    began = perf_counter()
    found = dict(records())
    took = perf_counter() - began
    what = f"signature {total(found)}: {len(found)} searches, {cpu_info().build}, {took:.1f} s"
    if wants.write:
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(f"{what}, written")
        return 0
    wrong = differences(found, json.loads(FILE.read_text(encoding="utf-8")))
    print("\n".join(wrong) if wrong else f"{what}, as kept")
    if wrong:
        print(f"{what}; {len(wrong)} searches differ from {FILE.name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

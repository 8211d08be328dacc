"""The positions and values of OBF files, and their comparison with the package's for prove.py.

Its reader asks little, so that it serves older checkouts too; the command has the careful one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from reversi import Board, Engine, cpu_info

# Not passes: some writers end a list of moves with one, which is no value.
_ENTRY = re.compile(r"([A-H][1-8])\s*:\s*([+-]?\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Problem:
    """A line's position, the moves' values that it gives (view of the mover), and its place."""

    board: Board
    values: dict[str, int]
    place: str

    @property
    def value(self) -> int:
        """The position's value."""
        return max(self.values.values())


def problems(path: Path, max_empties: int = 60) -> list[Problem]:
    """Return a file's positions with so many empty squares at most. Raises ValueError for a line
    without a value."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("%"):
            continue
        place = f"{path.name}:{number}"
        board = Board.from_obf(line)
        entries = _ENTRY.findall(line.partition(";")[2])
        values = {move.lower(): int(value) for move, value in entries}
        if not values:
            raise ValueError(f"{place}: no value; expected a list such as 'A2:+4; H8:-2;'")
        if board.empties <= max_empties:
            found.append(Problem(board, values, place))
    return found


def check_files(
    paths: Sequence[Path], max_empties: int, progress: Callable[[int, int], None]
) -> bool:
    """Compare every value of these files with the solver's; print what was compared and differs.

    Return whether all agree. Unlike the plain solver a file may err: the others are compared too.
    """
    began = perf_counter()
    positions = values = wrong = 0
    for path in paths:
        at = perf_counter()
        found = problems(path, max_empties)
        compared = 0
        for number, problem in enumerate(found, start=1):
            differences = _differences(problem)
            for line in differences:
                print(f"MISMATCH ({cpu_info().build}) {problem.place}: {line}", flush=True)
            wrong += len(differences)
            compared += len(problem.values)
            progress(number, len(found))
        print(
            f"{path.name}: {len(found)} positions, {compared} values, {perf_counter() - at:.1f} s",
            flush=True,
        )
        positions += len(found)
        values += compared
    print(
        f"{cpu_info().build}: {len(paths)} files, {positions} positions with at most"
        f" {max_empties} empty squares, {values - wrong} of {values} values as given,"
        f" {perf_counter() - began:.0f} s"
    )
    return wrong == 0


def _differences(problem: Problem) -> list[str]:
    """Return a line for each value that differs. All moves are solved where several are listed."""
    several = len(problem.values) > 1
    with Engine() as engine:
        solution = engine.solve(problem.board, every_move=several)
    found = []
    for move, value in problem.values.items():
        got = solution.values[move] if several else solution.value
        if got != value or (move in solution.best_moves) != (value == solution.value):
            best = " ".join(solution.best_moves)
            found.append(
                f"{move} {got}, not {value}; best {solution.value} by {best}\n"
                f"  {problem.board.obf()}"
            )
    return found

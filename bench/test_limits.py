"""Promises that are measured: how far a search runs past its budget, and what memory it takes."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import pytest
from positions import positions

from reversi import budget_ms, search_best_move
from reversi.squares import BLACK

SEARCHES = int(os.environ.get("REVERSI_BENCH_SEARCHES", "100"))
THINK_TIME_MS = 80
BUDGET_MS = 50
POSITIONS = 10


@pytest.mark.parametrize("evaluator", ["classic", "pattern"])
def test_time_overrun(note: Callable[[str], None], evaluator: str) -> None:
    """The time of the whole call past its budget; REVERSI_BENCH_SEARCHES=1000 for the promise."""
    assert budget_ms(THINK_TIME_MS) == BUDGET_MS
    boards = [board for empties in (50, 40, 30) for board in positions(empties, POSITIONS)]
    search_best_move(boards[0].cells(), True, 0, evaluator=evaluator)  # loads the weights
    overruns = []
    for i in range(SEARCHES):
        board = boards[i % len(boards)]
        cells, black = board.cells(), board.turn is BLACK
        began = perf_counter()
        # Without an exact end none of these positions is solved before its time is up.
        result = search_best_move(
            cells, black, THINK_TIME_MS, evaluator=evaluator, exact_endgame_empties=0
        )
        overruns.append((perf_counter() - began) * 1000 - BUDGET_MS)
        assert result.depth > 0
    percentiles = statistics.quantiles(overruns, n=100, method="inclusive")
    note(
        f"{SEARCHES} {evaluator} searches of {BUDGET_MS} ms: overrun 50th percentile"
        f" {percentiles[49]:.2f} ms, 99th {percentiles[98]:.2f} ms, largest {max(overruns):.2f} ms"
    )


def test_memory(note: Callable[[str], None]) -> None:
    """In a process of its own, whose peak no other test has raised."""
    script = Path(__file__).with_name("memory.py")
    for workers in ("1", "2"):
        run = subprocess.run(
            [sys.executable, str(script), workers], check=True, capture_output=True, text=True
        )
        used = json.loads(run.stdout)
        note(
            f"{workers} workers, a table of {used['table_mb']} MB, {used['fill']:.0%} used:"
            f" peak {used['peak_mb']:.1f} MB, {used['beside_mb']:.1f} MB beside the table"
        )

"""How many games a minute are read from each file format, every move replayed and checked.

    python bench/reading.py [--games 20000] [--repeats 3] [--formats ggf wthor] [--json]

Random games from the start to the end, with players, result, and in GGF, SGF and JSON a value and a
time for each move, are written to a temporary folder. Each file is then read by processes of their
own, each kept to one processor; the best of the repeats counts, by the clock and by the processor's
time alone, which other work on the machine disturbs less.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter, process_time

from reversi import Board, Game, read_games, write_games
from reversi.formats import FORMATS

_NOTED = ("ggf", "sgf", "json")


def random_games(count: int, noted: bool) -> Iterator[Game]:
    """Yield random games; the same ones every time."""
    chance = Random(1)
    for number in range(count):
        board = Board()
        while moves := list(board.legal_moves):
            board.push(chance.choice(moves))
        game = Game.from_board(board)
        outcome = board.outcome()
        assert outcome is not None
        game.headers = {
            "place": "here",
            "date": "2026",
            "black": f"player {number % 500}",
            "white": f"player {number % 377}",
            "event": f"tournament {number % 40}",
            "result": f"{outcome.tournament:+d}",
        }
        if noted:
            for node in game.main_line():
                node.value = round(chance.uniform(-64, 64), 2)
                node.seconds = round(chance.uniform(0, 30), 3)
        yield game


def read(path: Path, name: str) -> dict[str, float]:
    """Read a file in this process, on one processor; return games and seconds."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    clock, work = perf_counter(), process_time()
    games = sum(1 for _ in read_games(path, name))
    return {
        "games": games,
        "clock_s": perf_counter() - clock,
        "work_s": process_time() - work,
    }


def measure(path: Path, name: str, repeats: int) -> dict[str, float]:
    """Return the best of some runs, each in a process of its own."""
    command = [sys.executable, __file__, "--read", str(path), "--formats", name]
    runs = []
    for _ in range(repeats):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        runs.append(json.loads(done.stdout))
    best = {key: min(run[key] for run in runs) for key in ("clock_s", "work_s")}
    return {"games": runs[0]["games"], **best}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--formats", nargs="+", choices=list(FORMATS), default=list(FORMATS))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.read:
        print(json.dumps(read(arguments.read, arguments.formats[0])))
        return
    if not arguments.json:
        print("format       games       bytes  us a game  games a minute  by processor time alone")
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.formats:
            path = Path(folder) / f"games{FORMATS[name].suffixes[0]}"
            write_games(path, random_games(arguments.games, name in _NOTED), name)
            found = measure(path, name, arguments.repeats)
            size = path.stat().st_size
            games = found["games"]
            assert games == arguments.games, (name, games)
            if arguments.json:
                print(json.dumps({"format": name, "bytes": size, **found}), flush=True)
                continue
            each_us = found["clock_s"] / games * 1e6
            by_clock, by_work = (games / found[key] * 60 for key in ("clock_s", "work_s"))
            print(
                f"{name:<10} {games:>7,} {size:>11,} {each_us:>10.1f} {by_clock:>15,.0f}"
                f" {by_work:>24,.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()

"""Compares the package's exact values with those of the plain solver, on positions of every sort.

    python bench/prove.py                       20,000 positions with 1 to 12 empty squares
    python bench/prove.py --builds              the same in each build of the core
    python bench/prove.py --obf FILE ...        the values that OBF files give instead

A value that differs is printed with its position, and the exit status is 1; the first one ends the
proof against the plain solver. There each position is solved under both rules of scoring: in a
fresh table, in the smallest, in one that has served ten thousand other searches, without a table,
by two threads, without sorted moves (up to 10 empty squares), and one in ten also alone, with all
its moves, its line, its outcome and its bounds.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Literal, NoReturn

import plain_solver
from obf_values import check_files
from varied_positions import varied_positions

from reversi import PASS, Board, Engine, Limit, cpu_info, parse_move, square_name

Rule = Literal["tournament", "discs"]
RULES: tuple[Rule, ...] = ("tournament", "discs")

CHUNK = 500
OTHER_SEARCHES = 10_000
# Without sorted moves each empty square more costs a multiple.
UNSORTED_EMPTIES = 10
ALONE_EACH = 10
FEW_NODES = 100


def fail(what: str, board: Board, got: object, expected: object) -> NoReturn:
    """End the program with the position that differs, and status 1."""
    sys.exit(f"MISMATCH ({what}, {cpu_info().build})\n  {board.obf()}\n  {got}, not {expected}")


def progress(done: int, total: int) -> None:
    """Show how far the proof is, on a terminal alone."""
    if sys.stderr.isatty():
        print(f"\r{done}/{total} ", end="" if done < total else "\n", file=sys.stderr, flush=True)


def used_engine(seed: int, max_empties: int) -> Engine:
    """Return an engine whose small table has served other searches and solves, both rules."""
    engine = Engine(hash_mb=4)
    # A seed apart: none of the positions to be proved is among these by design.
    boards = varied_positions(OTHER_SEARCHES, min(max_empties + 4, 16), seed + 1_000_000)
    for number, board in enumerate(boards):
        if number % 2:
            engine.solve(board, RULES[number // 2 % 2], limit=Limit(nodes=20_000))
        else:
            engine.search(board, Limit(depth=4))
    return engine


def check_many(
    engines: dict[str, Engine], boards: Sequence[Board], values: Sequence[int], rule: Rule
) -> int:
    """Compare each engine's values of many boards with the plain ones; return how many."""
    compared = 0
    for name, engine in engines.items():
        pairs = list(zip(boards, values, strict=True))
        if name == "unsorted":
            pairs = [pair for pair in pairs if pair[0].empties <= UNSORTED_EMPTIES]
        found = engine.solve_many([board for board, _ in pairs], rule)
        for (board, value), got in zip(pairs, found, strict=True):
            if got != value:
                fail(f"{name}, {rule}", board, got, value)
        compared += len(pairs)
    return compared


def check_alone(engine: Engine, board: Board, value: int, rule: Rule) -> None:
    """Compare all that a solve of one board can tell with what the plain solver says."""
    moves = plain_solver.move_values(board.own, board.opp, rule)
    expected = {square_name(sq): worth for sq, worth in moves.items()}
    best = {name for name, worth in expected.items() if worth == value}
    if PASS in board.legal_moves:
        best = {"pass"}
    every = engine.solve(board, rule, every_move=True)
    if (every.value, every.exact, set(every.best_moves)) != (value, True, best):
        fail(f"solve, {rule}", board, (every.value, every.best_moves), (value, best))
    if every.values != expected:
        fail(f"every move, {rule}", board, every.values, expected)
    one = engine.solve(board, rule, all_best=False)
    if one.value != value or not set(one.best_moves) <= best or bool(best) != bool(one.best_moves):
        fail(f"one best move, {rule}", board, (one.value, one.best_moves), (value, best))
    for solution in (every, one):
        if line_score(board, solution.pv, rule) != value:
            fail(f"line, {rule}", board, solution.pv, value)
    outcome = engine.solve(board, rule, outcome_only=True).outcome
    if outcome != ("win" if value > 0 else "loss" if value < 0 else "draw"):
        fail(f"outcome, {rule}", board, outcome, value)
    few = engine.solve(board, rule, limit=Limit(nodes=FEW_NODES))
    if not few.lower <= value <= few.upper:
        fail(f"bounds, {rule}", board, (few.lower, few.upper), value)


def line_score(board: Board, line: Sequence[str], rule: Rule) -> int | None:
    """Return how a line of play ends for the side that begins it; None where the game goes on."""
    after = board.copy()
    for move in line:
        after.push(parse_move(move))
    outcome = after.outcome()
    if outcome is None:
        return None
    return -int(board.turn) * (outcome.tournament if rule == "tournament" else outcome.discs)


def prove(count: int, max_empties: int, seed: int) -> None:
    """Compare all, and print what was compared."""
    began = perf_counter()
    engines = {
        "table": Engine(hash_mb=16),
        "smallest table": Engine(hash_mb=1),
        "used table": used_engine(seed, max_empties),
        "no table": Engine(hash_mb=1, use_hash=False),
        "two threads": Engine(hash_mb=16, threads=2),
        "unsorted": Engine(hash_mb=16, evaluator="classic", use_ordering=False),
    }
    alone = (engines["smallest table"], engines["used table"], engines["no table"])
    boards = list(varied_positions(count, max_empties, seed))
    compared = solved_alone = 0
    for start in range(0, count, CHUNK):
        chunk = boards[start : start + CHUNK]
        for rule in RULES:
            values = plain_solver.values([(board.own, board.opp) for board in chunk], rule)
            compared += check_many(engines, chunk, values, rule)
            for number in range(0, len(chunk), ALONE_EACH):
                engine = alone[number // ALONE_EACH % len(alone)]
                check_alone(engine, chunk[number], values[number], rule)
                solved_alone += 1
        progress(start + len(chunk), count)
    finished = sum(board.is_game_over() for board in boards)
    passes = sum(PASS in board.legal_moves for board in boards)
    print(
        f"{cpu_info().build}: {count} positions ({len(set(boards))} different, {passes} passes,"
        f" {finished} finished), 1 to {max_empties} empty squares, both rules: {compared} values of"
        f" {len(engines)} engines and {solved_alone} full solves agree with the plain solver,"
        f" {perf_counter() - began:.0f} s"
    )


def in_each_build(arguments: Sequence[str]) -> int:
    """Run this program once in each build of the core; return the first bad status."""
    info = cpu_info()
    for build in info.builds:
        if build in info.supported:
            environment = {**os.environ, "REVERSI_CPU": build}
            run = subprocess.run([sys.executable, __file__, *arguments], env=environment)
            if run.returncode:
                return run.returncode
    return 0


def main() -> int:
    """Read the command line, run the proof it asks for, and return the exit status."""
    parser = argparse.ArgumentParser(description="Compare exact values with the plain solver's.")
    parser.add_argument("--count", type=int, default=20_000, help="positions (default: 20000)")
    parser.add_argument(
        "--max-empties", type=int, help="empty squares at most (default: 12; of files, 20)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the positions (default: 1)")
    parser.add_argument("--obf", type=Path, nargs="+", metavar="FILE", help="check these instead")
    parser.add_argument("--builds", action="store_true", help="in each build of the core")
    wants = parser.parse_args()
    if wants.builds:
        return in_each_build([word for word in sys.argv[1:] if word != "--builds"])
    if wants.obf:
        return 0 if check_files(wants.obf, wants.max_empties or 20, progress) else 1
    prove(wants.count, wants.max_empties or 12, wants.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())

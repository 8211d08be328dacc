"""``reversi bench``: how fast the core is on this machine; below it, how well the search judges."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass
from time import perf_counter

import click

import reversi
from reversi import Board, Engine, Limit
from reversi.checks import EVALUATORS
from reversi.cli import judge, render, words
from reversi.cli.arguments import json_option

_PERFT_DEPTHS = (9, 10, 11)
_SEARCH_MS = 1500
# One game, a perfectly played draw, cut at three places of the middle game.
_GAME = "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1"
_SEARCH_PLIES = (8, 18, 28)
_SOLVE_EMPTIES = (10, 12, 14, 16)
_SOLVE_POSITIONS = 10
_SEED = 20


@dataclass(frozen=True, slots=True)
class Measurement:
    """One task and what it took."""

    task: str
    count: int
    unit: str
    elapsed_ms: float


@click.group("bench", invoke_without_command=True)
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Measure the core's speed on this machine.

    Perft, the searches, and the exact solver on boards from seeded random games; one thread each,
    less than a minute in all. The command below measures how well the search judges instead.

    \b
    Examples:
      reversi bench --json
      reversi bench judge hard.obf --depth 15
    """
    if ctx.invoked_subcommand is None:
        _measure(as_json)


command.add_command(judge.command)


def _measure(as_json: bool) -> None:
    measured: list[Measurement] = []
    with render.Working("measuring") as working:
        for depth in _PERFT_DEPTHS:
            working.say(f"perft({depth})")
            measured.append(_perft(depth))
        for evaluator in EVALUATORS:
            for ply in _SEARCH_PLIES:
                working.say(f"{evaluator} search after {ply} moves")
                measured.append(_search(ply, evaluator))
        for empties in _SOLVE_EMPTIES:
            working.say(f"solve at {empties} empty squares")
            measured.append(_solve(empties))
    build = reversi.cpu_info().build
    if as_json:
        tasks = [
            {**asdict(task), "per_second": task.count / task.elapsed_ms * 1000} for task in measured
        ]
        answer = {"version": reversi.__version__, "build": build, "tasks": tasks}
        render.json_line(answer)
        return
    drawn = render.table("task", "count", "unit", "time", "a second", left=("task", "unit"))
    for task in measured:
        drawn.add_row(
            task.task,
            words.count(task.count),
            task.unit,
            words.duration(task.elapsed_ms),
            words.speed(task.count, task.elapsed_ms),
        )
    render.out().print(f"reversi {reversi.__version__}, {build} core, one thread\n", drawn)


def _perft(depth: int) -> Measurement:
    board = Board()
    began = perf_counter()
    leaves = board.perft(depth)
    return Measurement(f"perft({depth})", leaves, "leaves", (perf_counter() - began) * 1000)


def _search(ply: int, evaluator: str) -> Measurement:
    board = Board.from_transcript(_GAME[: 2 * ply])
    with Engine(evaluator=evaluator) as engine:
        result = engine.search(board, Limit(time_ms=_SEARCH_MS))
    return Measurement(
        f"{evaluator} search after {ply} moves", result.nodes, "nodes", result.elapsed_ms
    )


def _solve(empties: int) -> Measurement:
    nodes, elapsed_ms = 0, 0.0
    rng = random.Random(_SEED)
    with Engine() as engine:
        for _ in range(_SOLVE_POSITIONS):
            engine.clear()
            solution = engine.solve(_random_board(rng, empties), all_best=False)
            nodes += solution.nodes
            elapsed_ms += solution.elapsed_ms
    task = f"solve {_SOLVE_POSITIONS} boards of {empties} empty squares"
    return Measurement(task, nodes, "nodes", elapsed_ms)


def _random_board(rng: random.Random, empties: int) -> Board:
    """Return a board of so many empty squares, with a move to make, from a random game."""
    while True:
        board = Board()
        while board.empties > empties and not board.is_game_over():
            moves = board.legal_moves
            board.push(moves[rng.randrange(len(moves))])
        if board.empties == empties and not board.is_game_over():
            return board

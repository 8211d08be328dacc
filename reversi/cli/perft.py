"""``reversi perft``: the number of move sequences of a length."""

from __future__ import annotations

from time import perf_counter

import click

from reversi import square_name
from reversi.cli import render, words
from reversi.cli.arguments import Integer, board_argument, json_option
from reversi.cli.boards import read_board


@click.command("perft")
@click.argument("depth", type=Integer(0, 60))
@board_argument(default="start")
@click.option("--divide", is_flag=True, help="Show the leaves behind each first move.")
@click.option("--no-pass-ply", is_flag=True, help="Let a pass consume no depth.")
@json_option
def command(depth: int, board: str, divide: bool, no_pass_ply: bool, as_json: bool) -> None:
    """Count the leaves DEPTH plies below BOARD (default: start).

    A pass is a ply and a finished game is counted once, unless --no-pass-ply.

    \b
    Example:
      reversi perft 9 --divide
    """
    position = read_board(board)
    with render.Working(f"perft({depth})"):
        began = perf_counter()
        if divide and depth > 0:
            parts = position.perft_divide(depth, not no_pass_ply)
            leaves = sum(parts.values()) if parts else 1
        else:
            parts = {}
            leaves = position.perft(depth, not no_pass_ply)
        seconds = perf_counter() - began
    if as_json:
        answer: dict[str, object] = {
            "depth": depth,
            "leaves": leaves,
            "elapsed_ms": seconds * 1000,
            "leaves_per_second": leaves / seconds,
        }
        if divide:
            answer["divide"] = {square_name(move): part for move, part in parts.items()}
        render.json_line(answer)
        return
    if parts:
        drawn = render.table("move", "leaves", left=("move",))
        for move, part in parts.items():
            drawn.add_row(square_name(move), f"{part:,}")
        render.out().print(drawn, "")
    speed = words.count(leaves / seconds)
    render.out().print(
        f"perft({depth}) = {leaves:,} leaves in {words.duration(seconds * 1000)}, {speed} a second"
    )

"""``reversi eval``: the terms of the classic evaluation of one position."""

from __future__ import annotations

from dataclasses import asdict

import click

import reversi
from reversi import BLACK, WHITE
from reversi.cli import render, words
from reversi.cli.arguments import board_argument, json_option
from reversi.cli.boards import read_board

_SUBTRACTED = ("frontier", "danger")
_VIEWS = {"black": BLACK, "white": WHITE}


@click.command("eval")
@board_argument()
@click.option(
    "--view",
    type=click.Choice(["black", "white", "side"]),
    default="side",
    show_default=True,
    help="In whose view: a colour's, or that of the side to move.",
)
@json_option
def command(board: str | None, view: str, as_json: bool) -> None:
    """Show the eight terms of the evaluation of BOARD.

    A minus sign before its name marks a term that the total subtracts: frontier and danger. The
    others are added.

    \b
    Example:
      reversi eval start --view black
    """
    position = read_board(board)
    viewer = _VIEWS.get(view, position.turn)
    terms = asdict(reversi.evaluate(position, viewer))
    if as_json:
        view = words.color_name(viewer)
        render.json_line({"view": view, **terms})
        return
    render.show_board(position)
    drawn = render.table("term", words.color_name(viewer), left=("term",))
    total = terms.pop("total")
    for name, value in terms.items():
        drawn.add_row(f"- {name}" if name in _SUBTRACTED else name, words.score(value))
    drawn.add_section()
    drawn.add_row("total", words.score(total), style="bold")
    render.out().print(drawn)

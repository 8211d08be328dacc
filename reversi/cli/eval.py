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

    The table shows what each term contributes; --json gives the terms as they are, of which
    frontier and danger are subtracted.

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
        drawn.add_row(name, words.score(-value if name in _SUBTRACTED else value))
    drawn.add_section()
    drawn.add_row("total", words.score(total), style="bold")
    render.out().print(drawn)

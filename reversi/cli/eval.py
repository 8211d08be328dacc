"""``reversi eval``: the learned evaluation of one position, and the terms of the classic one."""

from __future__ import annotations

from dataclasses import asdict

import click

import reversi
from reversi import BLACK, WHITE
from reversi.cli import render, words
from reversi.cli.arguments import board_argument, engine_of, json_option, weights_option
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
@weights_option
@json_option
def command(board: str | None, view: str, weights: str | None, as_json: bool) -> None:
    """Show both evaluations of BOARD.

    The learned one is the number of discs by which the game is expected to end. The classic one is
    the sum of eight terms, which tell people what is good and bad about a position. A minus sign
    before its name marks a term that the total subtracts: frontier and danger.

    \b
    Example:
      reversi eval start --view black
    """
    position = read_board(board)
    viewer = _VIEWS.get(view, position.turn)
    with engine_of("pattern", weights, hash_mb=1) as engine:
        value = engine.learned_value(position, viewer)
    terms = asdict(reversi.evaluate(position, viewer))
    if as_json:
        view = words.color_name(viewer)
        render.json_line({"view": view, "value": value, **terms})
        return
    render.show_board(position)
    drawn = render.table("term", words.color_name(viewer), left=("term",))
    total = terms.pop("total")
    for name, term in terms.items():
        drawn.add_row(f"- {name}" if name in _SUBTRACTED else name, words.score(term))
    drawn.add_section()
    drawn.add_row("total", words.score(total), style="bold")
    ended = position.outcome()
    if ended is not None:
        judgement = f"game over: {words.outcome(ended)}"
    elif value:
        verb = "win" if value > 0 else "lose"
        expected = f"{words.color_name(viewer)} is expected to {verb} by {abs(value):.2f} discs"
        judgement = f"learned: {expected}"
    else:
        judgement = "learned: a draw"
    render.out().print(drawn, "", judgement, sep="\n")

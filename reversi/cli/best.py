"""``reversi best``: the best move of a position, and the search as it deepens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

import click
from rich.console import Group
from rich.live import Live
from rich.spinner import Spinner

from reversi import Board, IllegalMoveError, SearchInfo, SearchResult
from reversi.cli import render, words
from reversi.cli.arguments import (
    Integer,
    board_argument,
    engine_of,
    evaluator_option,
    hash_option,
    json_option,
    limit_of,
    limit_options,
    selectivity_option,
    threads_option,
    weights_option,
)
from reversi.cli.boards import read_board
from reversi.levels import level_of


@click.command("best")
@board_argument()
@limit_options("time_ms", "depth", "nodes", "level")
@click.option("--moves", metavar="LIST", help="Choose among these moves only: f5,d6.")
@click.option(
    "--lines",
    type=Integer(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="Show the N best moves, each with its value and line.",
)
@evaluator_option
@selectivity_option
@weights_option
@click.option(
    "--exact-empties",
    type=Integer(0, 60),
    metavar="N",
    help="With the classic evaluator, search to the end from this many empty squares down.  "
    "[default: 14]",
)
@hash_option()
@threads_option
@json_option
def command(
    board: str | None,
    time_ms: int | None,
    depth: int | None,
    nodes: int | None,
    level: int | None,
    moves: str | None,
    lines: int,
    evaluator: str,
    selectivity: int | None,
    weights: str | None,
    exact_empties: int | None,
    hash_mb: int,
    threads: int,
    as_json: bool,
) -> None:
    """Show the best move of BOARD, and the search as it deepens.

    Thinks for 4 seconds unless --time-ms, --depth, --nodes or --level says otherwise. Scores are
    discs; those of the classic evaluator are on a scale of their own. A percentage behind a depth
    tells how sure the search is of what it left out, an exclamation mark that the game is solved;
    its disc difference is then behind the score.

    \b
    Examples:
      reversi best start --time-ms 1000
      reversi best "---------------------------OX------XO--------------------------- X" --json
    """
    position = read_board(board)
    allowed = None if moves is None else moves.replace(",", " ").split()
    limit = limit_of(time_ms, depth, nodes, level)
    if evaluator == "classic" and (lines > 1 or selectivity not in (None, 100)):
        raise click.UsageError("--lines and --selectivity go with --evaluator pattern")
    if lines > 1 and evaluator == "pattern" and level is not None and level_of(level).slack:
        raise click.UsageError(f"--lines does not go with --level {level}, which plays by chance")
    records: list[SearchInfo] = []
    if not as_json:
        render.show_board(position)
    with (
        engine_of(
            evaluator, weights, hash_mb=hash_mb, threads=threads, exact_empties=exact_empties
        ) as engine,
        _watched(records, visible=not as_json),
    ):
        try:
            result = engine.search(
                position,
                limit,
                allowed,
                multipv=lines,
                selectivity=selectivity,
                on_info=records.append,
            )
        except IllegalMoveError as error:
            raise click.BadParameter(str(error), param_hint="'--moves'") from None
        if result.depth and not records:  # several threads tell their common result alone
            records.append(render.record_of(position.turn, result))
    if as_json:
        render.json_line(asdict(result))
        return
    if lines > 1 and result.lines:
        render.out().print(render.lines_table(result.lines), "")
    render.out().print(_sentence(position, result))


@contextmanager
def _watched(records: list[SearchInfo], visible: bool) -> Iterator[None]:
    """Show the records as they come in on a terminal, and once they are all there in a pipe."""
    if not visible:
        with render.Working("thinking"):
            yield
        return
    if not render.out().is_terminal:
        with render.Working("thinking"):
            yield
        if records:
            render.out().print(render.search_table(records), "")
        return
    thinking = Spinner("line", "thinking")
    done = False
    with Live(
        console=render.out(),
        get_renderable=lambda: Group(
            render.search_table(records) if records else "", "" if done else thinking
        ),
        refresh_per_second=8,
    ):
        yield
        done = True


def _sentence(position: Board, result: SearchResult) -> str:
    side = words.color_name(position.turn)
    if result.game_over:
        ended = position.outcome()
        return f"no move: {words.outcome(ended)}" if ended else "no move: the game is over"
    if result.passed:
        return f"{side} has no legal move: pass"
    work = f"{words.count(result.nodes)} nodes in {words.duration(result.elapsed_ms)}"
    speed = f"{words.count(result.nps)} a second"
    if result.disc_diff is None:
        judgement = f"score {words.judgement(result)} at depth {words.depth(result)}"
    elif result.disc_diff == 0:
        judgement = "solved: a draw"
    else:
        verb = "wins" if result.disc_diff > 0 else "loses"
        judgement = f"solved: {side} {verb} by {abs(result.disc_diff)}"
    return f"best move {result.move}  ({judgement}; {work}, {speed})"

"""``reversi puzzle``: positions with a single best move, from files of games or from self-play."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice

import click
from rich.text import Text

from reversi import Engine, Game
from reversi.analysis import Puzzle, find_puzzles, self_play
from reversi.analysis.puzzles import DIFFICULTY, EMPTIES, MARGIN
from reversi.cli import render, words
from reversi.cli.arguments import Integer, hash_option, json_option
from reversi.cli.files import format_option
from reversi.cli.gamesource import Games
from reversi.cli.outputs import output_path
from reversi.cli.signals import ended_like_ctrl_c
from reversi.cli.skips import SKIPPED, Skips
from reversi.formats import obf


def _least_and_most(ctx: click.Context, parameter: click.Parameter, value: str) -> tuple[int, int]:
    """Return the two ends of ``12`` or ``10-14``; raises click.BadParameter for other texts."""
    found = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", value, re.ASCII)
    least, most = (0, 0) if found is None else (int(found[1]), int(found[2] or found[1]))
    if not 2 <= least <= most <= 60:
        reason = f"{value!r}; expected a number from 2 to 60, or two such as 10-14"
        raise click.BadParameter(reason, ctx, parameter)
    return least, most


@click.command("puzzle")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@format_option("--from", "given_format", "The format of the files.  [default: by ending]")
@click.option(
    "--empties",
    default=str(EMPTIES),
    callback=_least_and_most,
    show_default=True,
    metavar="N|LO-HI",
    help="With so many empty squares.",
)
@click.option(
    "--margin",
    type=Integer(1, 128),
    default=MARGIN,
    show_default=True,
    metavar="DISCS",
    help="The best move is better than all others by so much.",
)
@click.option(
    "--difficulty",
    type=Integer(1, 11),
    default=DIFFICULTY,
    show_default=True,
    metavar="N",
    help="A search has to look N plies ahead, or more, to settle on the best move.",
)
@click.option(
    "--count",
    type=Integer(min=1),
    default=10,
    show_default=True,
    metavar="K",
    help="Stop after so many.",
)
@click.option(
    "--seed",
    type=Integer(0, 2**64 - 1),
    default=0,
    show_default=True,
    metavar="S",
    help="Without files: another seed, other games.",
)
@click.option("--out", metavar="FILE", help="Write the puzzles to a file in OBF.")
@click.option("--overwrite", is_flag=True, help="Replace the file of --out if it exists.")
@click.option("--show", is_flag=True, help="Show boards, and the solutions only if asked for.")
@click.option("--solutions", is_flag=True, help="With --show: show the solutions too.")
@hash_option()
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    given_format: str | None,
    empties: tuple[int, int],
    margin: int,
    difficulty: int,
    count: int,
    seed: int,
    out: str | None,
    overwrite: bool,
    show: bool,
    solutions: bool,
    hash_mb: int,
    as_json: bool,
) -> None:
    """Find positions with a single best move, in the games of each FILE or in self-play.

    Each is proved: the exact value of every move is known. They come as they are found, as lines of
    OBF with all values, the best move first (reversi solve --all checks them), as JSON, or with
    --show as boards.

    The difficulty, 1 to 11, is how many plies a search must look ahead before it settles on the
    best move: 1 is seen at a glance. Mirrored and turned pictures of a puzzle come once. Up to 14
    empty squares some twenty are found in a second, at 20 one.

    \b
    Examples:
      reversi puzzle --show --count 3
      reversi puzzle --empties 10-14 --margin 6 --out puzzles.obf
      reversi puzzle archive.ggf --json | head -5
    """
    if solutions and not show:
        raise click.UsageError("--solutions goes with --show; OBF and JSON have all values")
    if show and as_json:
        raise click.UsageError("--show and --json exclude each other")
    if difficulty > empties[1]:
        raise click.UsageError(f"--difficulty {difficulty} needs --empties {difficulty} or more")
    path = output_path(out, obf.FORMAT.suffixes, "--out", overwrite)
    number = 0
    with ExitStack() as stack:
        stack.enter_context(ended_like_ctrl_c())
        skips = stack.enter_context(Skips())
        file = stack.enter_context(path.open("w", encoding="ascii")) if path else None
        engine = stack.enter_context(Engine(hash_mb=hash_mb))
        working = stack.enter_context(
            render.Working(
                "looking for puzzles", visible=not (as_json and render.out().is_terminal)
            )
        )
        if empties[1] > words.FEASIBLE_EMPTIES:
            working.warn_once(f"{empties[1]} empty squares may take hours; Ctrl-C ends it")
        found = find_puzzles(
            _games(files, given_format, skips) if files else self_play(seed),
            empties=empties,
            margin=margin,
            difficulty=difficulty,
            engine=engine,
        )
        for number, puzzle in enumerate(islice(found, count), start=1):
            working.say(f"{number} of {count} puzzles")
            if file:
                print(obf.dumps(puzzle.game()), file=file, flush=True)
            if as_json:
                render.json_line(puzzle.as_dict())
            elif show:
                _show(number, puzzle, solutions)
            elif not file:
                render.out().print(obf.dumps(puzzle.game()), soft_wrap=True)
    puzzles = "1 puzzle" if number == 1 else f"{number} puzzles"
    if path and not (as_json or show):
        render.out().print(f"{puzzles} written", soft_wrap=True)
    if number < count:
        render.err().print(f"reversi: the games have {puzzles}, and no more", soft_wrap=True)
    if skips.count:
        ctx.exit(SKIPPED)


def _games(files: Iterable[str], format: str | None, skips: Skips) -> Iterator[Game]:
    return (game for file in files for _number, game in Games(file, format, skips))


def _show(number: int, puzzle: Puzzle, solved: bool) -> None:
    """Print a puzzle for people: the board, what is asked, and the answer if wanted."""
    out = render.out()
    if number > 1:
        out.print()
    side = words.color_name(puzzle.board.turn)
    out.print(
        Text(f"puzzle {number}: {side} has one best move", "bold"),
        Text(f"{puzzle.margin} discs better than any other; difficulty {puzzle.difficulty}"),
        "",
        render.board(puzzle.board),
        sep="\n",
    )
    if solved:
        values = ", ".join(f"{move} {value:+d}" for move, value in puzzle.values.items())
        out.print(f"\nsolution {puzzle.best_move}  ({values})", soft_wrap=True)

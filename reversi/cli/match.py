"""``reversi match``: two engines against each other. The match is played in `reversi.match`,
and shown by `reversi.cli.standing`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import click

from reversi import Board, EngineError
from reversi.cli import render
from reversi.cli.arguments import Integer, json_option, limit_of, limit_options
from reversi.cli.signals import ended_like_ctrl_c
from reversi.cli.standing import Show
from reversi.formats import ggf
from reversi.formats.openings import read_openings
from reversi.match.archive import Archive
from reversi.match.engines import Spec, parse_spec
from reversi.match.openings import enough_openings
from reversi.match.series import Match, Series
from reversi.match.statistics import Sprt
from reversi.protocols.clock import TimeControl


def _spec(_ctx: click.Context, _parameter: click.Parameter, text: str) -> Spec:
    try:
        return parse_spec(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _even(_ctx: click.Context, _parameter: click.Parameter, number: int) -> int:
    if number % 2:
        raise click.BadParameter(f"{number} is odd; each opening is played twice")
    return number


def _clock(
    _ctx: click.Context, _parameter: click.Parameter, text: str | None
) -> TimeControl | None:
    if text is None:
        return None
    main, plus, increment = text.partition("+")
    try:
        seconds = float(main), float(increment if plus else "0")
    except ValueError:
        seconds = 0.0, 0.0
    # Up to a week; a NaN is neither.
    if not (0 < seconds[0] <= 604_800 and 0 <= seconds[1] <= 3600):
        raise click.BadParameter(f"{text!r}; expected seconds, such as 60 or 60+0.5")
    return TimeControl(main_ms=round(1000 * seconds[0]), increment_ms=round(1000 * seconds[1]))


def _sprt(_ctx: click.Context, _parameter: click.Parameter, text: str | None) -> Sprt | None:
    if text is None:
        return None
    numbers = text.split(",")
    try:
        elo0, elo1 = (float(number) for number in numbers)
        return Sprt(elo0, elo1)
    except ValueError:
        expected = "expected two differences in Elo, the lower one first, such as 0,10"
        raise click.BadParameter(f"{text!r}; {expected}") from None


@click.command("match")
@click.argument("first", metavar="A", callback=_spec)
@click.argument("second", metavar="B", callback=_spec)
@click.option(
    "--games",
    type=Integer(2, 10**7),
    default=100,
    show_default=True,
    metavar="N",
    callback=_even,
    help="How many games at most, an even number.",
)
@limit_options("time_ms", "level", "depth", "nodes")
@click.option(
    "--clock",
    "control",
    metavar="MAIN+INC",
    callback=_clock,
    help="Instead: seconds that each side has for a game, and more after each move.",
)
@click.option(
    "--plies",
    type=Integer(0, 40),
    default=8,
    show_default=True,
    metavar="N",
    help="Moves by chance that lead to each opening.",
)
@click.option(
    "--openings",
    "openings_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Take openings from a file instead: one a line, moves or a board.",
)
@click.option(
    "--seed",
    type=Integer(0, 2**64 - 1),
    default=1,
    show_default=True,
    metavar="S",
    help="Another gives other openings.",
)
@click.option("--jobs", type=Integer(1, 1024), metavar="N", help="Games at a time.  [one a core]")
@click.option(
    "--sprt",
    metavar="ELO0,ELO1",
    callback=_sprt,
    help="End as soon as it is 95 % sure whether A is better by ELO0 or ELO1.",
)
@click.option(
    "--save",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write each game to a file of GGF as it ends.",
)
@click.option("--resume", is_flag=True, help="Go on with the match in the file of --save.")
@json_option
def command(
    first: Spec,
    second: Spec,
    games: int,
    time_ms: int | None,
    level: int | None,
    depth: int | None,
    nodes: int | None,
    control: TimeControl | None,
    plies: int,
    openings_file: Path | None,
    seed: int,
    jobs: int | None,
    sprt: Sprt | None,
    save: Path | None,
    resume: bool,
    as_json: bool,
) -> None:
    """Play engine A against engine B, each opening twice with colours swapped.

    An engine is one of

    \b
      pattern or classic       with settings behind commas: level=10, time-ms=100, depth=8,
                               nodes=50000, threads=2, hash-mb=16, weights=FILE (pattern alone)
      nboard:COMMAND           a program that speaks NBoard, with its arguments
      gtp:COMMAND              a program that speaks GTP

    An engine's own limit comes before that of the match; without any, pattern and classic play at
    level 10 and programs as they like. NBoard can be told --level and --depth, GTP --time-ms of
    whole seconds, both --clock. A program that crashes, plays an illegal move, gives no answer or
    oversteps its time loses the game.

    Random openings are balanced within 4 discs. Games are the same for the same --seed, if depth,
    nodes or level limit them and one thread searches. Ctrl-C shows the result so far; with --save
    the match can go on later.

    \b
    Examples:
      reversi match pattern classic --time-ms 100 --games 200
      reversi match pattern,level=8 "nboard:edax -nboard" --save games.ggf
      reversi match pattern "gtp:./engine --gtp" --clock 60+0.5 --sprt 0,10 --games 2000
    """
    limit = limit_of(time_ms, depth, nodes, level)
    if limit is not None and control is not None:
        raise click.UsageError("--clock and limits of a move exclude each other")
    if resume and save is None:
        raise click.UsageError("--resume goes with --save FILE")
    if save is not None and save.suffix.lower() not in ggf.FORMAT.suffixes:
        endings = " ".join(ggf.FORMAT.suffixes)
        raise click.UsageError(f"--save {save}: expected a name that ends in {endings}")
    begins = f"openings of {plies} plies" if openings_file is None else f"openings {openings_file}"
    match = Match(first, second, limit, control, begins, seed)
    if jobs is None:
        jobs = max(1, (os.cpu_count() or 1) // max(first.threads, second.threads))
    with ExitStack() as stack:
        try:
            openings: Iterable[Board]
            if openings_file is None:
                openings = enough_openings(seed, plies, games // 2)
            else:
                openings = _from_file(openings_file, games)
            with render.Working("starting the engines"):
                tried = match.tried_players()
            for player in tried:
                stack.callback(player.close)
            archive = stack.enter_context(Archive.open(save, match.terms, resume)) if save else None
        except (EngineError, ValueError) as error:
            raise click.ClickException(str(error)) from None
        series = stack.enter_context(Series(match, openings, games, jobs, archive, sprt, tried))
        stack.enter_context(ended_like_ctrl_c())  # engines have sessions of their own
        Show(match, as_json, save).play(series)


def _from_file(path: Path, games: int) -> list[Board]:
    """Return the openings of a file. Raises ValueError where they are too few."""
    openings = read_openings(path)
    if len(openings) < games // 2:
        suffices = f"{len(openings)} openings are enough for {2 * len(openings)} games"
        raise ValueError(f"{path}: {suffices}; --games is {games}")
    return openings

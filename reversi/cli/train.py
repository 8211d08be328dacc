"""``reversi train``: the steps that make the evaluation's weights. The work is in
`reversi.training`, which needs the extra ``train`` and is imported only when a step runs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from reversi.cli import render, words
from reversi.cli.arguments import Decorator, Function, Integer, all_of
from reversi.errors import TrainingError, WeightsError

if TYPE_CHECKING:
    from reversi.training.folder import Folder

_EXTRA = ("numpy", "matplotlib")
_DEFAULTS: dict[str, dict[str, float]] = {
    "generate": {"depth": 1, "seed": 1, "shard_games": 2000},
    "label": {"depth": 6, "exact": 14, "sample": 0.5},
}
# Where there is no terminal for a bar, a line so often tells how far a step is.
_TOLD_EVERY_S = 60.0
# After a fit to 11 thousand positions (200 games) exact values of held-out ones were off by 8.3
# discs, after 97 thousand by 6.2, 456 thousand 5.3, 1.3 million (30,000 games) 4.7.
_FEW_LABELLED, _ENOUGH_LABELLED = 100_000, 1_000_000
# So many of each number of empty squares scatter by 10 %, as much as the model is off.
_ENOUGH_SEARCHED = 100
# The shallowest and nearest that tell all of the model's coefficients.
_PROBCUT_DEPTH, _PROBCUT_EXACT = 6, 13


@click.group("train", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Learn the weights of the evaluation, generation by generation.

    All steps work on one folder. Each can be broken off and run again: it goes on where it was.
    They need the extra `train`: pip install 'reversi-engine[train]'.

    \b
    Example, the first generation:
      reversi train generate data --generation 0 --games 100000
      reversi train label data --generation 0
      reversi train fit data --generation 0
      reversi train calibrate data --generation 0
      reversi train probcut data --generation 0
      reversi train report data
      reversi train export data --generation 0 eval.rvw
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _folder(function: Function) -> Function:
    return click.argument(
        "folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path)
    )(function)


def _generation(function: Function) -> Function:
    return click.option(
        "--generation", type=Integer(0, 255), required=True, metavar="G", help="Which generation."
    )(function)


def _threads(function: Function) -> Function:
    return click.option(
        "--threads",
        type=Integer(1, 1024),
        default=os.cpu_count() or 1,
        show_default=True,
        metavar="T",
        help="How many threads work.",
    )(function)


def _searched(positions: int, number_of: str, least_depth: int, depth_help: str) -> Decorator:
    """What searches of drawn positions depend on: ``--positions``, ``--depth``, ``--seed``,
    ``--threads``."""
    return all_of(
        click.option(
            "--positions",
            type=Integer(1, 10**6),
            default=positions,
            show_default=True,
            metavar="N",
            help=f"Positions of each number of {number_of}.",
        ),
        click.option(
            "--depth",
            type=Integer(least_depth, 20),
            default=8,
            show_default=True,
            metavar="D",
            help=depth_help,
        ),
        click.option(
            "--seed",
            type=Integer(0, 2**64 - 1),
            default=1,
            show_default=True,
            metavar="S",
            help="Another draws other positions.",
        ),
        _threads,
    )


@command.command("generate")
@_folder
@_generation
@click.option("--games", type=Integer(1, 2**31), metavar="N", help="How many games there shall be.")
@click.option("--depth", type=Integer(1, 60), metavar="D", help="Plies a move is chosen by.  [1]")
@click.option("--seed", type=Integer(0, 2**64 - 1), metavar="S", help="Another gives others.  [1]")
@click.option("--shard-games", type=Integer(1, 10**6), metavar="N", help="Games a file.  [2000]")
@_threads
def generate_command(folder: Path, generation: int, threads: int, **given: int | None) -> None:
    """Play games of the engine against itself.

    Generation 0 plays by the classic evaluation, one ply deep; each later one by the weights of
    the one before. Options that are left out are those that the generation was begun with.
    """
    with _step("games") as told:
        from reversi.training.generate import Settings, generate

        where = _open(folder)
        settings = _settings(where, generation, "generate", given)
        if settings["games"] is None:
            raise click.UsageError("--games is needed to begin a generation")
        folder.mkdir(parents=True, exist_ok=True)
        with where.alone():
            generate(where, generation, Settings(**settings), threads, told)
        shards = range(where.shards(generation))
        positions = sum(len(where.games(generation, shard)) for shard in shards)
        render.out().print(
            f"{where.generation(generation)}: {settings['games']} games,"
            f" {words.count(positions)} positions in {len(shards)} files"
        )


@command.command("label")
@_folder
@_generation
@click.option(
    "--depth",
    type=Integer(2, 60),
    metavar="D",
    help="Plies of the searches; half of them go one less.  [6]",
)
@click.option("--exact", type=Integer(0, 30), metavar="N", help="Exact at N empty or fewer.  [14]")
@click.option(
    "--sample",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="How many of the positions above get a search.  [0.5]",
)
@_threads
def label_command(folder: Path, generation: int, threads: int, **given: float | None) -> None:
    """Give the positions of a generation their values.

    Those with few empty squares get their exact value. The others get the outcome of their game
    in generation 0, and later the value of a search with the weights of the generation before.
    """
    with _step("files") as told:
        from reversi.training.label import Settings, label

        where = _open(folder)
        settings = _settings(where, generation, "label", given)
        with where.alone():
            label(where, generation, Settings(**settings), threads, told)
        render.out().print(f"{where.generation(generation)}: labelled")


@command.command("fit")
@_folder
@_generation
@click.option(
    "--with",
    "others",
    type=Integer(0, 255),
    multiple=True,
    metavar="GEN",
    help="Add the labels of an earlier generation; can be given several times.",
)
@click.option(
    "--epochs",
    type=Integer(1, 1000),
    metavar="N",
    help="How often each position is learned from.  [5]",
)
@click.option(
    "--outcomes/--no-outcomes",
    default=None,
    help="Whether outcomes of games are values too.  [only in generation 0]",
)
def fit_command(
    folder: Path,
    generation: int,
    others: tuple[int, ...],
    epochs: int | None,
    outcomes: bool | None,
) -> None:
    """Fit the weights to the labels.

    Outcomes stray from the values of their positions four times as far as searches do, so
    generations after 0 leave them out.
    """
    with _step("epochs") as told:
        from reversi.training.fit import EPOCHS, Settings, fit
        from reversi.training.tables import show_report

        where = _open(folder)
        if outcomes is None:
            outcomes = generation == 0
        settings = Settings(tuple(sorted(set(others))), outcomes, epochs or EPOCHS)
        with where.alone():
            report = fit(where, generation, settings, told)
    labelled = sum(one["n"] for one in report["examples"])
    if labelled < _FEW_LABELLED:
        _warn(
            f"fit: {labelled:,} labelled positions are too few for weights that play well;"
            f" {_ENOUGH_LABELLED:,} or more are reasonable"
        )
    show_report(report)


@command.command("calibrate")
@_folder
@_generation
@_searched(500, "discs", 2, "Plies of the searches, an even number.")
def calibrate_command(folder: Path, generation: int, threads: int, **given: int) -> None:
    """Set the constants of a generation's weights by deeper searches.

    The mean value at each number of discs, which labels of shallow searches know least in the
    opening, becomes that of searches. `probcut` comes after it.
    """
    if given["depth"] % 2:
        raise click.UsageError(f"--depth is {given['depth']}; expected an even number")
    with _step("numbers of discs") as told:
        from reversi.training.calibrate import Settings, calibrate
        from reversi.training.tables import show_calibration

        where = _open(folder)
        with where.alone():
            records = calibrate(where, generation, Settings(**given), threads, told)
    show_calibration(records)


@command.command("probcut")
@_folder
@_generation
@_searched(
    200,
    "empty squares",
    _PROBCUT_DEPTH,
    "Plies of the deepest searches; a quarter goes two deeper.",
)
@click.option(
    "--exact",
    type=Integer(_PROBCUT_EXACT, 24),
    default=18,
    show_default=True,
    metavar="N",
    help="Searches to the end at N empty or fewer.",
)
def probcut_command(folder: Path, generation: int, threads: int, **given: int) -> None:
    """Measure how far shallow searches stray from deep ones.

    By that the engine leaves out moves that a shallow search refutes (Multi-ProbCut). The result
    goes into the generation's file of weights; without it nothing is left out. It is to be run
    again after another `fit`.
    """
    with _step("bands") as told:
        from reversi.training.probcut import Settings, probcut
        from reversi.training.tables import show_probcut

        where = _open(folder)
        with where.alone():
            report = probcut(where, generation, Settings(**given), threads, told)
    least = min(report["positions"].values())
    if least < min(given["positions"], _ENOUGH_SEARCHED):
        _warn(
            f"probcut: {least} held-out positions of a number of empty squares are too few;"
            f" {_ENOUGH_SEARCHED} or more are reasonable, for which some 2,000 games are needed"
        )
    show_probcut(report)


@command.command("report")
@_folder
@click.option("--generation", type=Integer(0, 255), metavar="G", help="Which one.  [the last]")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the errors of all generations, and the last one's deviations, .png or .svg.",
)
def report_command(folder: Path, generation: int | None, plot: Path | None) -> None:
    """Show how far a generation's evaluation is off."""
    with _step():
        from reversi.training import tables

        where = _open(folder)
        fitted = where.generations()
        if not fitted or (generation is not None and generation not in fitted):
            which = "no generation" if generation is None else f"generation {generation} not"
            raise TrainingError(f"{folder}: {which} fitted yet")
        shown = fitted[-1] if generation is None else generation
        tables.show_report(where.report(shown))
        probcut = where.probcut(shown)
        if probcut is not None:
            tables.show_probcut(probcut)
        if len(fitted) > 1:
            tables.show_generations([where.report(number) for number in fitted])
        if plot is not None:
            tables.draw([where.report(number) for number in fitted], probcut, plot)


@command.command("export")
@_folder
@_generation
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def export_command(folder: Path, generation: int, file: Path) -> None:
    """Copy a generation's weights to FILE, with a FILE.json that says where they are from."""
    with _step():
        from reversi.training.provenance import export

        beside = export(_open(folder), generation, file)
        size = file.stat().st_size / 1e6
        render.out().print(f"{file}: {size:.1f} MB; {beside.name} says where it is from")


def _warn(text: str) -> None:
    render.err().print(f"reversi: {text}", soft_wrap=True)


def _open(folder: Path) -> Folder:
    from reversi.training.folder import Folder

    return Folder(folder)


def _settings(folder: Folder, generation: int, step: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return the options that were given, else those the step was begun with, else the usual."""
    recorded = folder.settings(generation, step) or {}
    usual: dict[str, Any] = {**_DEFAULTS[step], **recorded}
    return {name: usual.get(name) if value is None else value for name, value in given.items()}


@contextmanager
def _step(unit: str = "") -> Iterator[Callable[[float, float], None]]:
    """Run a step: show what is done of it, and turn what it raises into the command's errors."""
    missing = [name for name in _EXTRA if find_spec(name) is None]
    if missing:
        raise click.ClickException(
            f"{' and '.join(missing)} not installed: needs pip install 'reversi-engine[train]'"
        )
    console = render.err()
    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    task = progress.add_task(unit, total=None, start=True)

    lines = None if console.is_terminal else _Lines()

    def told(done: float, total: float) -> None:
        progress.update(task, completed=done, total=total)
        if lines is not None:
            lines.told(done, total)

    try:
        if unit:
            progress.start()
        yield told
    except (TrainingError, WeightsError) as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        progress.stop()
        if unit:
            line = click.get_current_context().command_path
            console.print(f"\nreversi: broken off; run `{line}` again as before to go on")
        raise
    finally:
        progress.stop()


class _Lines:
    # Says how far a step is, a line at a time.
    def __init__(self) -> None:
        self._step = click.get_current_context().info_name
        self._began: tuple[float, float] | None = None
        self._last = time.monotonic()

    def told(self, done: float, total: float) -> None:
        now = time.monotonic()
        if self._began is None:
            self._began = done, now
        before, began = self._began
        if now < self._last + _TOLD_EVERY_S or done <= before:
            return
        self._last = now
        left = words.duration(1000 * (now - began) * (total - done) / (done - before))
        render.err().print(f"{self._step}: {done / total:.0%} done, {left} left")

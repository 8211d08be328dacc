"""``reversi match``: two engines against each other. The match is played in `reversi.match`."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from reversi import Board, EngineError
from reversi.cli import render, words
from reversi.cli.arguments import Integer, json_option, limit_of, limit_options
from reversi.formats.openings import read_openings
from reversi.match.archive import Archive, ArchiveError, MatchGame
from reversi.match.engines import Spec, parse_spec
from reversi.match.openings import enough_openings
from reversi.match.series import Match, Series
from reversi.match.standing import Standing
from reversi.match.statistics import Estimate, Sprt
from reversi.protocols.clock import TimeControl

# Where there is no terminal for a bar, a line so often tells how far a match is.
_TOLD_EVERY_S = 60.0


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
    begins = f"openings of {plies} plies" if openings_file is None else f"openings {openings_file}"
    match = Match(first, second, limit, control, begins, seed)
    if jobs is None:
        jobs = max(1, (os.cpu_count() or 1) // max(first.threads, second.threads))
    with ExitStack() as stack:
        try:
            tried = match.tried_players()
            for player in tried:
                stack.callback(player.close)
            openings: Iterable[Board]
            if openings_file is None:
                openings = enough_openings(seed, plies, games // 2)
            else:
                openings = _from_file(openings_file, games)
            archive = stack.enter_context(Archive.open(save, match.terms, resume)) if save else None
        except (EngineError, ValueError) as error:
            raise click.ClickException(str(error)) from None
        series = stack.enter_context(Series(match, openings, games, jobs, archive, sprt, tried))
        _Show(match, as_json, save).play(series)


def _from_file(path: Path, games: int) -> list[Board]:
    """Return the openings of a file. Raises ValueError where they are too few."""
    openings = read_openings(path)
    if len(openings) < games // 2:
        suffices = f"{len(openings)} openings are enough for {2 * len(openings)} games"
        raise ValueError(f"{path}: {suffices}; --games is {games}")
    return openings


class _Show:
    """Shows a match while it is played, and what it came to."""

    def __init__(self, match: Match, as_json: bool, save: Path | None) -> None:
        self._names = match.first.text, match.second.text
        self._as_json = as_json
        self._save = save
        self._began = self._told = time.monotonic()

    def play(self, series: Series) -> None:
        """Play the match to its end."""
        console = render.err()
        progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        task = progress.add_task("", total=series.games)
        try:
            with series, progress:
                progress.update(task, completed=series.standing.games)
                for game in series.play():
                    standing = series.standing
                    progress.update(
                        task, completed=standing.games, description=_briefly(standing, series.ratio)
                    )
                    self._tell(game, standing, series)
        except KeyboardInterrupt:
            self._show(series)
            if self._save is not None:
                console.print("reversi: broken off; the same command with --resume goes on")
            raise
        except ArchiveError as error:
            raise click.ClickException(str(error)) from None
        self._show(series)

    def _tell(self, played: MatchGame, standing: Standing, series: Series) -> None:
        """Tell of a game to programs, and now and then of the match where there is no bar."""
        if self._as_json:
            result, headers = played.result, played.game.headers
            render.json_line(
                {
                    "round": headers["round"],
                    "black": headers["black"],
                    "white": headers["white"],
                    "result": headers["result"],
                    "discs": result.discs,
                    "points": 1 - result.points if played.swapped else result.points,
                    "fault": headers.get("ggf:fault"),
                    "moves": played.game.transcript(),
                }
            )
        now = time.monotonic()
        if not render.err().is_terminal and now >= self._told + _TOLD_EVERY_S:
            self._told = now
            render.err().print(
                f"match: {standing.games} of {series.games} games,"
                f" {_briefly(standing, series.ratio)}"
            )

    def _show(self, series: Series) -> None:
        """Show what the match came to."""
        standing, ratio = series.standing, series.ratio
        elapsed_ms = 1000 * (time.monotonic() - self._began)
        if self._as_json:
            render.json_line({"total": _record(self._names, standing, series, ratio, elapsed_ms)})
            return
        first, second = self._names
        rows = [("A", first), ("B", second), ("games", _won(standing))]
        if standing.score is not None:
            rows.append(("points", f"{standing.score:.1%} for A"))
        if standing.discs is not None:
            rows.append(("discs", f"{_with_interval(standing.discs, '+.2f')} a game"))
        if standing.elo is not None:
            rows.append(("Elo", _with_interval(standing.elo, "+.0f")))
            counts = " ".join(map(str, standing.pairs))
            rows.append(("pairs", f"{counts}  (A made 0, 1/2, 1, 1 1/2, 2 points)"))
        if series.sprt is not None and ratio is not None:
            rows.append(("SPRT", _test(series.sprt, ratio, series.verdict)))
        rows.append(("faults", _faults(standing)))
        rows.append(("time", words.duration(elapsed_ms)))
        render.out().print(render.facts(rows))


def _briefly(standing: Standing, ratio: float | None) -> str:
    text = f"{standing.wins}-{standing.draws}-{standing.losses}"
    if standing.elo is not None:
        text += f", Elo {_with_interval(standing.elo, '+.0f')}"
    return text if ratio is None else f"{text}, ratio {ratio:+.2f}"


def _won(standing: Standing) -> str:
    parts = f"{standing.wins} won, {standing.draws} drawn, {standing.losses} lost by A"
    return f"{standing.games}: {parts}"


def _with_interval(estimate: Estimate, form: str) -> str:
    text = f"{estimate.value:{form}}"
    if estimate.low is None or estimate.high is None:
        return text
    return f"{text} (95 %: {estimate.low:{form}} to {estimate.high:{form}})"


def _test(sprt: Sprt, ratio: float, verdict: str | None) -> str:
    low, high = sprt.bounds
    text = f"ratio {ratio:+.2f}, {low:+.2f} to {high:+.2f}: "
    if verdict is None:
        return f"{text}undecided between {sprt.elo0:+g} (H0) and {sprt.elo1:+g} Elo (H1)"
    elo = sprt.elo0 if verdict == "H0" else sprt.elo1
    return f"{text}{verdict} is accepted, A is better by {elo:+g} Elo"


def _faults(standing: Standing) -> str:
    parts = []
    for name, counted in zip("AB", standing.faults, strict=True):
        listed = ", ".join(f"{count} {kind}" for kind, count in sorted(counted.items()))
        if listed:
            parts.append(f"{name}: {listed}")
    return "; ".join(parts) or "none"


def _record(
    names: tuple[str, str],
    standing: Standing,
    series: Series,
    ratio: float | None,
    elapsed_ms: float,
) -> dict[str, object]:
    """Return the match for programs. Infinities, which JSON does not know, are null."""
    test = series.sprt
    return {
        "first": names[0],
        "second": names[1],
        "games": standing.games,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "score": standing.score,
        "pairs": standing.pairs,
        "discs": _fields(standing.discs),
        "elo": _fields(standing.elo),
        "sprt": None
        if test is None
        else {**asdict(test), "ratio": ratio, "verdict": series.verdict},
        "faults": [dict(sorted(counted.items())) for counted in standing.faults],
        "elapsed_ms": elapsed_ms,
    }


def _fields(estimate: Estimate | None) -> dict[str, float | None] | None:
    if estimate is None:
        return None
    return {
        name: value if value is not None and math.isfinite(value) else None
        for name, value in asdict(estimate).items()
    }

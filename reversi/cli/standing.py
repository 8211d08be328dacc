"""How a match looks while it is played, and what it came to: for people and as JSON."""

from __future__ import annotations

import math
import time
from dataclasses import asdict
from pathlib import Path

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from reversi.cli import render, words
from reversi.match.archive import ArchiveError, MatchGame
from reversi.match.referee import FAULT_HEADER
from reversi.match.series import Match, Series
from reversi.match.standing import Standing
from reversi.match.statistics import Estimate, Sprt

# Where there is no terminal for a bar, a line so often tells how far a match is.
_TOLD_EVERY_S = 60.0
# So many faults are told with their reasons; the file of the match has them all.
_MOST_FAULTS = 10


class Show:
    """Shows a match while it is played, and what it came to."""

    def __init__(self, match: Match, as_json: bool, save: Path | None) -> None:
        self._names = match.first.text, match.second.text
        self._as_json = as_json
        self._save = save
        self._faults = 0
        self._began = self._told = time.monotonic()

    def play(self, series: Series) -> None:
        """Play the match to its end."""
        console = render.err()
        progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            # On one terminal a bar and objects would be in each other's way.
            disable=not console.is_terminal or (self._as_json and render.out().is_terminal),
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
        """Tell of a game to programs, of a fault to people, and now and then how far the match is
        where there is no bar."""
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
                    "fault": headers.get(FAULT_HEADER),
                    "moves": played.game.transcript(),
                }
            )
        fault = played.game.headers.get(FAULT_HEADER)
        if fault is not None:
            self._faults += 1
            if self._faults <= _MOST_FAULTS:
                game = played.game.headers["round"]
                render.err().print(f"reversi: game {game}: {fault}", soft_wrap=True)
        now = time.monotonic()
        if not render.err().is_terminal and now >= self._told + _TOLD_EVERY_S:
            self._told = now
            brief = _briefly(standing, series.ratio)
            render.err().print(f"match: {standing.games} of {series.games} games, {brief}")

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
        listed = ", ".join(f"{kind} ({count})" for kind, count in sorted(counted.items()))
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

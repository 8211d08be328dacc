"""Reports for people: tables at the terminal, and drawings of the errors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reversi.cli import render, words
from reversi.errors import TrainingError
from reversi.training import deviations, spread

Report = dict[str, Any]


def show_report(report: Report) -> None:
    """Print the errors of one generation: by epoch, in all, and on held-out positions by phase."""
    console = render.out()
    console.print(f"generation {report['generation']}, errors in discs", style="bold")
    epochs = render.table("epoch", "positions", "RMSE", "seconds")
    for number, one in enumerate(report["epochs"], 1):
        row = (str(number), words.count(one["training"]), f"{one['rmse']:.3f}")
        epochs.add_row(*row, f"{one['seconds']:.0f}")
    console.print(epochs)
    console.print()
    total = render.table(
        "positions", "value", "n", "MAE", "RMSE", "bias", left=("positions", "value")
    )
    for one in report["total"]:
        total.add_row(one["set"], one["kind"], words.count(one["n"]), *_errors(one))
    console.print(total)
    console.print()
    by_phase = render.table("discs", "value", "held out", "MAE", "RMSE", "bias", left=("value",))
    for one in report["phases"]:
        if one["set"] == "held out":
            first = 4 + deviations.PHASE_DISCS * one["phase"]
            discs = f"{first}-{first + deviations.PHASE_DISCS - 1}"
            by_phase.add_row(discs, one["kind"], words.count(one["n"]), *_errors(one))
    console.print(by_phase)


def show_generations(reports: Sequence[Report]) -> None:
    """Print the errors on held-out positions, a line a generation and kind of value."""
    render.out().print()
    drawn = render.table("generation", "value", "held out", "MAE", "RMSE", "bias", left=("value",))
    for report in reports:
        for one in report["total"]:
            if one["set"] == "held out":
                row = (str(report["generation"]), one["kind"], words.count(one["n"]))
                drawn.add_row(*row, *_errors(one))
    render.out().print(drawn)


def show_calibration(records: Sequence[Report]) -> None:
    """Print by how much the constant of each number of discs moved."""
    drawn = render.table("discs", "positions", "moved", "standard error")
    for one in records:
        drawn.add_row(
            str(one["discs"]),
            words.count(one["n"]),
            f"{one['moved']:+.2f}",
            f"{one['standard_error']:.2f}",
        )
    render.out().print(drawn)


def show_probcut(report: Report) -> None:
    """Print what the shallow searches of a generation are off, and how well its model tells it."""
    console = render.out()
    positions = sum(report["positions"].values())
    console.print()
    console.print(
        f"generation {report['generation']}, deviation of a shallow search from a deep one, discs"
        f" (model below; {words.count(positions)} held-out positions)",
        style="bold",
    )
    used = _used(report)
    depths = sorted({one["depth"] for one in used if one["depth"] < one["empties"]})
    names = [f"{depth}/{spread.shallow_depth(depth)}" for depth in depths]
    drawn = render.table("empty", *names, "end")
    for empties in sorted({one["empties"] for one in used}):
        row = {
            one["depth"] if one["depth"] < empties else None: one
            for one in used
            if one["empties"] == empties
        }
        cells = [row.get(depth) for depth in (*depths, None)]
        for name, head in (("deviation", str(empties)), ("model", "")):
            drawn.add_row(
                head,
                *("-" if cell is None else f"{cell[name]:.2f}" for cell in cells),
                style="" if head else "dim",
            )
    console.print(drawn)
    console.print()
    steps = [f"{one['wanted']:.0%}" for one in report["searches"]["end"]["inside"]]
    inside = render.table("searches", "error", *steps, left=("searches",))
    for what, name in (("middle", "before the end"), ("end", "to the end")):
        found = report["searches"][what]
        shares = (f"{one['found']:.1%}" for one in found["inside"])
        inside.add_row(name, f"{found['error']:.1%}", *shares)
    console.print("model: mean error, and the share that lies within what shall hold", style="bold")
    console.print(inside)


def draw(reports: Sequence[Report], probcut: Report | None, path: Path) -> None:
    """Draw the mean absolute error on held-out positions over the number of discs, and beside it
    the deviations of shallow searches, if there are any, measured and by the model.

    Raises TrainingError for a kind of file that cannot be drawn.
    """
    from matplotlib.figure import Figure

    count = 1 if probcut is None else 2
    figure = Figure(figsize=(8 * count, 4.5), layout="constrained")
    axes = figure.add_subplot(1, count, 1)
    for report in reports:
        for kind in ("exact", "searched", "outcome"):
            line = [
                (one["discs"], one["mae"])
                for one in report["discs"]
                if one["set"] == "held out" and one["kind"] == kind
            ]
            if line:
                axes.plot(*zip(*line, strict=True), label=f"{report['generation']}, {kind}")
    axes.set_xlabel("discs on the board")
    axes.set_ylabel("mean absolute error, discs")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    if axes.lines:
        axes.legend(title="generation, value")
    if probcut is not None:
        _draw_probcut(probcut, figure.add_subplot(1, count, 2))
    try:
        figure.savefig(path, dpi=150)
    except ValueError as error:
        raise TrainingError(f"{path}: {error}") from error


def _draw_probcut(report: Report, axes: Any) -> None:
    used = _used(report)
    depths: list[int | None] = [None]
    depths += sorted({one["depth"] for one in used if 3 <= one["depth"] < one["empties"]})
    for number, depth in enumerate(depths):
        line = [
            one
            for one in used
            if (one["depth"] >= one["empties"] if depth is None else one["depth"] == depth)
            and (depth is None or one["depth"] < one["empties"])
        ]
        squares = [one["empties"] for one in line]
        color = f"C{number}"
        axes.plot(squares, [one["deviation"] for one in line], ".", color=color)
        name = "end" if depth is None else f"{depth}/{spread.shallow_depth(depth)}"
        axes.plot(squares, [one["model"] for one in line], color=color, label=name)
    axes.set_xlabel("empty squares")
    axes.set_ylabel("deviation, discs")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(title=f"generation {report['generation']}, plies", ncols=2)


def _used(report: Report) -> list[dict[str, Any]]:
    """The pairs of depths that a search compares."""
    return [
        one for one in report["measured"] if one["shallow"] == spread.shallow_depth(one["depth"])
    ]


def _errors(one: dict[str, Any]) -> tuple[str, str, str]:
    return f"{one['mae']:.3f}", f"{one['rmse']:.3f}", f"{one['bias']:+.3f}"

"""``reversi replay``: replays every game of archives, and counts what it finds."""

from __future__ import annotations

import click

from reversi import FormatError
from reversi.cli import render
from reversi.cli.arguments import json_option
from reversi.cli.files import Reading, format_option
from reversi.formats.counts import Counts

FAULTY = 1

# What a narrow terminal leaves out, the first one first, before any number is cut.
_DISPENSABLE = ("passes", "unfinished", "draws")


@click.command("replay")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@format_option("--from", "given_from", "The format of the files.  [default: by ending]")
@json_option
@click.pass_context
def command(
    ctx: click.Context, files: tuple[str, ...], given_from: str | None, as_json: bool
) -> None:
    """Replay every game of each FILE, and count games, moves, results and faults by kind.

    Every move is checked, and a stated result against the board where the game is over. The exit
    status is 1 if there are faults. Formats are those of convert; - reads standard input, and needs
    --from. With --json a line has the counts of a FILE, {"file": ..., "games": ...}, the last one
    those of all, {"total": {"games": ...}}.

    \b
    Examples:
      reversi replay archive.ggf
      reversi replay WTH_*.wtb --json
    """
    total = Counts()
    rows = []
    with Reading(files, given_from, visible=not (as_json and render.out().is_terminal)) as reading:
        for path, format in reading.files:
            counts = Counts(path)
            try:
                for game in reading.games(path, format, counts.add_fault):
                    counts.add(game)
            except FormatError as error:  # not a file of this format at all
                counts.add_fault(error)
            total.include(counts)
            rows.append(counts)
            if as_json:
                render.json_line({"file": path, **counts.record()})
    if not total.games and not total.fault_count:
        raise click.ClickException(f"{', '.join(files)}: no game found")
    if as_json:
        render.json_line({"total": total.record()})
    else:
        _show(rows, total)
    if total.fault_count:
        ctx.exit(FAULTY)


def _show(rows: list[Counts], total: Counts) -> None:
    """Print a row a file, and below it the first faults of each kind."""
    shown = rows if len(rows) == 1 else [*rows, total]
    cells = [_cells_of(counts) for counts in shown]
    styles = ["bold red" if counts.fault_count else None for counts in shown]
    drawn = render.fitted_table(list(cells[0]), cells, styles, _DISPENSABLE, left=("file",))
    render.out().print(drawn)
    for kind, faults in total.faults.items():
        render.out().print(f"\n{kind}: {faults.count:,}", style="bold")
        for text in faults.first:
            render.out().print(f"  {text}", soft_wrap=True)
        if faults.count > len(faults.first):
            render.out().print("  ...")


def _cells_of(counts: Counts) -> dict[str, str]:
    """Return a row's cells by column."""
    numbers = {
        "games": counts.games,
        "moves": counts.moves,
        "passes": counts.passes,
        "black": counts.black_wins,
        "draws": counts.draws,
        "white": counts.white_wins,
        "unfinished": counts.unfinished,
        "faults": counts.fault_count,
    }
    cells = {name: f"{number:,}" for name, number in numbers.items()}
    return {"file": counts.source or "all", **cells}

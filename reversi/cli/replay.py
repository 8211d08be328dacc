"""``reversi replay``: replays every game of archives, and counts what it finds."""

from __future__ import annotations

import click

from reversi import FormatError
from reversi.cli import render
from reversi.cli.arguments import json_option
from reversi.cli.files import Reading, format_option
from reversi.formats.tally import Tally

FAULTY = 1


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
    --from.

    \b
    Examples:
      reversi replay archive.ggf
      reversi replay WTH_*.wtb --json
    """
    total = Tally()
    rows = []
    with Reading(files, given_from, visible=not (as_json and render.out().is_terminal)) as reading:
        for path, format in reading.files:
            tally = Tally(path)
            try:
                for game in reading.games(path, format, tally.add_fault):
                    tally.add(game)
            except FormatError as error:  # not a file of this format at all
                tally.add_fault(error)
            total.include(tally)
            rows.append(tally)
            if as_json:
                render.json_line({"file": path, **tally.record()})
    if not total.games and not total.fault_count:
        raise click.ClickException(f"{', '.join(files)}: no game found")
    if as_json:
        render.json_line({"total": total.record()})
    else:
        _show(rows, total)
    if total.fault_count:
        ctx.exit(FAULTY)


def _show(rows: list[Tally], total: Tally) -> None:
    """Print a row a file, and below it the first faults of each kind."""
    columns = ("games", "moves", "passes", "black", "draws", "white", "unfinished", "faults")
    drawn = render.table("file", *columns, left=("file",))
    for tally in rows if len(rows) == 1 else [*rows, total]:
        drawn.add_row(
            tally.source or "all",
            *(
                f"{number:,}"
                for number in (
                    tally.games,
                    tally.moves,
                    tally.passes,
                    tally.black_wins,
                    tally.draws,
                    tally.white_wins,
                    tally.unfinished,
                    tally.fault_count,
                )
            ),
            style="bold red" if tally.fault_count else None,
        )
    render.out().print(drawn)
    for kind, faults in total.faults.items():
        render.out().print(f"\n{kind}: {faults.count:,}", style="bold")
        for text in faults.first:
            render.out().print(f"  {text}", soft_wrap=True)
        if faults.count > len(faults.first):
            render.out().print("  ...")

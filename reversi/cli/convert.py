"""``reversi convert``: games from one file format to another."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from reversi import FormatError, Game, write_games
from reversi.cli import render
from reversi.cli.files import STANDARD_STREAM, Reading, format_name, format_option
from reversi.cli.signals import ended_like_ctrl_c
from reversi.cli.skips import SKIPPED, Skips
from reversi.formats import FORMATS
from reversi.formats.base import Format, OnError, tell


@click.command("convert")
@click.argument("files", nargs=-1, metavar="IN... OUT")
@format_option("--from", "given_from", "The format of the files to read.  [default: by ending]")
@format_option("--to", "given_to", "The format to write.  [default: by ending]")
@click.option("--overwrite", is_flag=True, help="Replace OUT if it exists.")
@click.option("--strict", is_flag=True, help="Stop at the first game that cannot be converted.")
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    given_from: str | None,
    given_to: str | None,
    overwrite: bool,
    strict: bool,
) -> None:
    """Read the games of the files IN and write them to OUT, in another format.

    Formats are known by the files' endings: .txt and .xot (transcripts), .obf, .ggf, .wtb (WTHOR,
    with .jou and .trn beside it), .sgf, .json and .jsonl; .gz, .bz2 or .xz may come behind. For
    standard input or output write - and name the format.

    Every move is checked. A game that cannot be read, or that the other format cannot hold, is
    named and skipped, and the exit status is then 1. What a format has no place for (variations,
    values, comments) is left out.

    \b
    Examples:
      reversi convert archive.ggf games.sgf
      reversi convert WTH_1999.wtb WTH_2000.wtb both.ggf.gz
      head -1 games.txt | reversi convert - - --from transcript --to ggf
    """
    if len(files) < 2:
        raise click.UsageError("expected IN... OUT: the files to read and the one to write")
    *paths, out = files
    target = FORMATS[format_name(out, given_to, "--to")]
    to_stdout = out == STANDARD_STREAM
    visible = not (to_stdout and render.out().is_terminal)
    with (
        ended_like_ctrl_c(),
        Skips() as skips,
        Reading(paths, given_from, visible=visible) as reading,
    ):
        on_error = None if strict else skips.add
        games = _games(reading, target, skips, on_error)
        try:
            if to_stdout:
                count = target.write(sys.stdout.buffer, games)
            else:
                count = write_games(out, games, target.name, overwrite)
        except FileExistsError as error:
            message = f"{error.filename}: {error.strerror}; --overwrite replaces it"
            raise click.ClickException(message) from None
        except FormatError as error:
            raise click.ClickException(f"{out}: {error}") from None
    console = render.err() if to_stdout else render.out()
    left_out = f", {skips.count:,} skipped" if skips.count else ""
    games_written = "1 game written" if count == 1 else f"{count:,} games written"
    console.print(f"{games_written}{left_out}", soft_wrap=True)
    if skips.count:
        ctx.exit(SKIPPED)


def _games(
    reading: Reading, target: Format, skips: Skips, on_error: OnError | None
) -> Iterator[Game]:
    """Yield the games that can be written; raises click.ClickException where there are none."""
    found = False
    for path, format in reading.files:
        skips.number = 0
        try:
            for game in reading.games(path, format, on_error):
                skips.number += 1
                if _fits(game, target, path, skips.number, on_error):
                    found = True
                    yield game
        except FormatError as error:
            raise click.ClickException(str(error)) from None
    if not found:
        raise click.ClickException("no game found that could be written")


def _fits(game: Game, target: Format, path: str, number: int, on_error: OnError | None) -> bool:
    """Return whether a format can hold a game; tell of it if not."""
    try:
        if target.check is not None:
            target.check(game)
    except FormatError as error:
        tell(FormatError(error.reason, error.kind, path, number, error.place), on_error)
        return False
    return True

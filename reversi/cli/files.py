"""Files of games as commands read them: paths or ``-``, a format by name or by ending, and a bar
that shows how far the reading is. What is in a file is the business of the formats.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import click
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from reversi import FormatError, Game
from reversi.cli import render
from reversi.cli.arguments import Decorator
from reversi.formats import FORMATS, format_of, read_games
from reversi.formats.base import OnError

STANDARD_STREAM = "-"

_GAMES_A_STEP = 256  # of the bar: looking more often would cost as much as reading


def format_option(name: str, parameter: str, text: str) -> Decorator:
    """An option that names a format."""
    return click.option(name, parameter, type=click.Choice(list(FORMATS)), help=text)


def format_name(path: str, given: str | None, option: str) -> str:
    """Return the name of a file's format: the given one, or the one of its ending.

    Raises click.UsageError where neither says it.
    """
    if given is not None:
        return given
    if path == STANDARD_STREAM:
        raise click.UsageError(f"{option} has to say the format of '{STANDARD_STREAM}'")
    try:
        return format_of(path).name
    except FormatError as error:
        raise click.UsageError(f"{error}, or {option}") from None


class Reading:
    """The reading of some files, with a bar on the terminal that people watch."""

    def __init__(self, paths: Sequence[str], given: str | None, visible: bool = True) -> None:
        """``given`` is the format of all of them, None where their endings tell."""
        self.files = [(path, format_name(path, given, "--from")) for path in paths]
        sizes = [Path(path).stat().st_size for path in paths if path != STANDARD_STREAM]
        known = len(sizes) == len(paths)
        self._read_before = 0
        self._visible = visible and render.err().is_terminal
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[games]:,} games", markup=False),
            TimeRemainingColumn(),
            console=render.err(),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._games = 0
        self._task = self._progress.add_task("", total=sum(sizes) if known else None, games=0)

    def __enter__(self) -> Reading:
        if self._visible:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._visible:
            self._progress.stop()

    def games(self, path: str, format: str, on_error: OnError | None) -> Iterator[Game]:
        """Yield the games of one of the files, as `read_games` does."""
        self._progress.update(self._task, description=path)
        if path == STANDARD_STREAM:
            yield from self._watched(sys.stdin.buffer, format, on_error)
            return
        with Path(path).open("rb") as file:
            yield from self._watched(file, format, on_error)
            self._read_before += file.tell()

    def _watched(self, file: BinaryIO, format: str, on_error: OnError | None) -> Iterator[Game]:
        for game in read_games(file, format, on_error):
            self._games += 1
            if self._visible and self._games % _GAMES_A_STEP == 0:
                self._show(file)
            yield game

    def _show(self, file: BinaryIO) -> None:
        done = self._read_before + (file.tell() if file.seekable() else 0)
        self._progress.update(self._task, completed=done, games=self._games)

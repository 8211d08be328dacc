"""Where a GAME comes from: moves in the argument, a file of games, or standard input.

Owns the choice between these, and the numbers of the games; what a text means is the business of
the formats.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from reversi import FormatError, Game
from reversi.cli import render
from reversi.cli.files import STANDARD_STREAM, format_name
from reversi.formats import read_games
from reversi.formats.paste import parse_any

_LONGEST_NAME = 48


class Games:
    """The games that an argument stands for, each with its number from 1, as they are asked for.

    One that cannot be read is named on standard error and skipped; ``skipped`` counts them.
    """

    def __init__(self, argument: str, given_format: str | None) -> None:
        """``given_format`` names the format of a file, None where its ending tells."""
        self.skipped = 0
        self._argument = argument
        self._format = given_format

    def __iter__(self) -> Iterator[tuple[int, Game]]:
        number = 0
        try:
            for number, game in enumerate(self._read(), start=1):
                yield number + self.skipped, game
        except FormatError as error:
            raise click.ClickException(str(error)) from None
        if not number:
            raise click.ClickException(f"{self._argument}: no game found")

    def _read(self) -> Iterator[Game]:
        argument, format = self._argument, self._format
        if argument == STANDARD_STREAM and format is None:
            text = sys.stdin.buffer.read().decode("utf-8-sig", errors="replace")
            return iter(parse_any(text).games)
        if argument == STANDARD_STREAM:
            return read_games(sys.stdin.buffer, format, self._skip)
        if _is_file(argument):
            return read_games(argument, format_name(argument, format, "--from"), self._skip)
        return iter(_from_argument(argument))

    def _skip(self, error: FormatError) -> None:
        self.skipped += 1
        render.err().print(f"reversi: skipped: {error}", soft_wrap=True)


def _from_argument(text: str) -> tuple[Game, ...]:
    try:
        return parse_any(text).games
    except FormatError as error:
        # A short text is rather the misspelt name of a file than a game.
        if len(text) > _LONGEST_NAME:
            raise
        raise click.ClickException(f"no file {text!r}; as a GAME: {error}") from None


def _is_file(argument: str) -> bool:
    try:
        return Path(argument).exists()
    except OSError:  # a game's text can be longer than a file's name may be
        return False

"""Where a GAME comes from: moves in the argument, a file of games, or standard input.

Owns the choice between these, and the numbers of the games; what a text means is the business of
the formats.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from reversi import FormatError, Game
from reversi.cli.files import STANDARD_STREAM, format_name
from reversi.cli.skips import Skips
from reversi.formats import read_games
from reversi.formats.paste import parse_any

_LONGEST_NAME = 48
_LIKE_A_PATH = re.compile(r"\S*(?:[/\\]\S*|\.[A-Za-z]{2}\w*)")  # a folder, or an ending as of files


class Games:
    """The games that an argument stands for, each with its number from 1, as they are asked for.

    One that cannot be read is told to ``skips``.
    """

    def __init__(self, argument: str, given_format: str | None, skips: Skips) -> None:
        """``given_format`` names the format of a file, None where its ending tells."""
        self._skips = skips
        self._argument = argument
        self._format = given_format

    def __iter__(self) -> Iterator[tuple[int, Game]]:
        found = False
        self._skips.number = 0
        try:
            for game in self._read():
                found = True
                self._skips.number += 1
                yield self._skips.number, game
        except FormatError as error:
            raise click.ClickException(str(error)) from None
        if not found:
            raise click.ClickException(f"{self._argument}: no game found")

    def _read(self) -> Iterator[Game]:
        argument, format = self._argument, self._format
        if argument == STANDARD_STREAM and format is None:
            text = sys.stdin.buffer.read().decode("utf-8-sig", errors="replace")
            return iter(parse_any(text).games)
        if argument == STANDARD_STREAM:
            return read_games(sys.stdin.buffer, format, self._skips.add)
        if _is_file(argument):
            return read_games(argument, format_name(argument, format, "--from"), self._skips.add)
        return iter(_from_argument(argument))


def _from_argument(text: str) -> tuple[Game, ...]:
    try:
        return parse_any(text).games
    except FormatError as error:
        # A short text is rather the misspelt name of a file than a game.
        if len(text) > _LONGEST_NAME:
            raise
        if _LIKE_A_PATH.fullmatch(text):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), text) from None
        raise click.ClickException(f"no file {text!r}; as a GAME: {error}") from None


def _is_file(argument: str) -> bool:
    try:
        return Path(argument).exists()
    except OSError:  # a game's text can be longer than a file's name may be
        return False

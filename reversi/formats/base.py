"""What all readers and writers share: how a fault is told, and what a format is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, TypeAlias

from reversi.errors import FormatError
from reversi.game import Game

# Told of each game that cannot be read, which is then skipped; without one the fault is raised.
OnError: TypeAlias = Callable[[FormatError], object]


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: its name, the endings of its files, and what reads and writes it.

    ``read(file, source, on_error)`` yields the games of a binary file one by one, in constant
    memory; ``write(file, games)`` writes them and returns how many.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[BinaryIO, str | None, OnError | None], Iterator[Game]]
    write: Callable[[BinaryIO, Iterable[Game]], int]

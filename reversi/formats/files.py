"""Files of games: which formats there are, which one a file has, reading and writing by its name.

Owns compressed archives, which are read and written by the standard library, and the care that a
file is whole or not there. What is in a file is the business of the format's own room.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import BinaryIO, TypeAlias, cast

from reversi.errors import FormatError
from reversi.formats import ggf, jsonl, obf, sgf, transcript, wthor
from reversi.formats.base import Format, OnError, tell
from reversi.game import Game

__all__ = ["FORMATS", "format_of", "read_games", "write_games"]

FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        transcript.FORMAT,
        obf.FORMAT,
        ggf.FORMAT,
        wthor.FORMAT,
        sgf.FORMAT,
        jsonl.FORMAT,
    )
}

_Opener: TypeAlias = Callable[..., io.IOBase]
_COMPRESSED: dict[str, tuple[bytes, _Opener]] = {
    ".gz": (b"\x1f\x8b", gzip.open),
    ".bz2": (b"BZh", bz2.open),
    ".xz": (b"\xfd7zXZ\0", lzma.open),
}
_LONGEST_MARK = max(len(mark) for mark, _ in _COMPRESSED.values())


def format_of(path: str | PathLike[str]) -> Format:
    """Return the format that a file's ending names; ``.gz``, ``.bz2`` and ``.xz`` come on top.

    Raises FormatError for other endings.

    >>> format_of("old/games.ggf.gz").name
    'ggf'
    """
    suffix = _plain(Path(path)).suffix.lower()
    for one in FORMATS.values():
        if suffix in one.suffixes:
            return one
    endings = " ".join(suffix for one in FORMATS.values() for suffix in one.suffixes)
    reason = f"the ending {suffix!r} names no format; expected one of {endings}"
    raise FormatError(reason, "unsupported", str(path))


def _plain(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() in _COMPRESSED else path


def _format(path: str | PathLike[str] | None, name: str | None) -> Format:
    if name is not None:
        if name not in FORMATS:
            raise ValueError(f"no format {name!r}; expected one of {', '.join(FORMATS)}")
        return FORMATS[name]
    if path is None:
        raise ValueError("the format of a file without a name has to be stated")
    return format_of(path)


def read_games(
    file: str | PathLike[str] | BinaryIO,
    format: str | None = None,
    on_error: OnError | None = None,
) -> Iterator[Game]:
    """Yield the games of a file one by one, in constant memory, every move checked.

    ``file`` is a path, or a file open for reading bytes; ``format`` a name in ``FORMATS``, by
    default what the file's ending names. Compressed files (gzip, bz2, xz) are known by their first
    bytes. A game that cannot be read is told to ``on_error``, as a FormatError with file, game,
    place and kind, and skipped; without ``on_error`` the error is raised. Raises FormatError also
    for a file that is none of the format, ValueError for an unknown format, OSError.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "games.txt"
    ...     write_games(path, [Game.from_transcript("f5d6")])
    ...     [game.transcript() for game in read_games(path)]
    1
    ['f5d6']
    """
    if on_error is not None and not callable(on_error):
        raise TypeError(f"on_error is {on_error!r}; expected a function of a FormatError, or None")
    if isinstance(file, (str, PathLike)):
        return _read_path(Path(file), _format(file, format), on_error)
    if isinstance(file, io.TextIOBase) or not hasattr(file, "read"):
        raise TypeError(f"file is {file!r}; expected a path or a file open for reading bytes")
    name = getattr(file, "name", None)
    path = name if isinstance(name, str) else None
    return _read(file, path, _format(path, format), on_error)


def _read_path(path: Path, format: Format, on_error: OnError | None) -> Iterator[Game]:
    with path.open("rb") as file:
        yield from _read(file, str(path), format, on_error)


def _read(
    file: BinaryIO, source: str | None, format: Format, on_error: OnError | None
) -> Iterator[Game]:
    try:
        yield from format.read(_decompressed(file), source, on_error)
    except (EOFError, zlib.error, lzma.LZMAError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the system's; those of damaged data have no number
        ends = isinstance(error, EOFError)
        reason = "the compressed file ends too early" if ends else f"damaged: {error}"
        tell(FormatError(reason, "truncated" if ends else "syntax", source), on_error)


def _decompressed(file: BinaryIO) -> BinaryIO:
    """Return the file, or what reads the plain bytes of a compressed one."""
    if isinstance(file, io.BufferedReader):
        begin = file.peek(_LONGEST_MARK)
    elif file.seekable():
        begin = file.read(_LONGEST_MARK)
        file.seek(-len(begin), os.SEEK_CUR)
    else:
        return file
    for mark, opener in _COMPRESSED.values():
        if begin.startswith(mark):
            return cast(BinaryIO, opener(file))
    return file


def write_games(
    path: str | PathLike[str],
    games: Iterable[Game],
    format: str | None = None,
    overwrite: bool = False,
) -> int:
    """Write games to a file and return their number.

    ``format`` is a name in ``FORMATS``, by default what the file's ending names; with one of
    ``.gz``, ``.bz2`` and ``.xz`` behind it the file is compressed. What a format cannot hold, such
    as variations in GGF, is left out; a game that it cannot hold at all raises FormatError. The
    file appears once it is whole: after an error the one before is still there. WTHOR writes the
    files of names beside it. Raises FileExistsError unless told to ``overwrite``; OSError.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_games(Path(folder) / "two.ggf.gz", [Game(), Game()])
    2
    """
    games = _checked(games)
    chosen = _format(path, format)
    target = Path(os.path.realpath(path))
    opener = _COMPRESSED[target.suffix.lower()][1] if _plain(target) != target else open
    if target.exists() and not target.is_file():  # a device or a pipe, which cannot be replaced
        with opener(target, "wb") as file:
            return chosen.write(cast(BinaryIO, file), games)
    _refuse_existing(target, overwrite)
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(target.parent))
    folder = target.parent / f".writing-{os.urandom(8).hex()}"
    try:  # begun before the folder is there: an interrupt may come as soon as it is
        folder.mkdir(mode=0o700)
        made_as = folder / target.name
        with opener(made_as, "wb") as file:
            if not hasattr(file, "name"):  # .bz2 and .xz before Python 3.13
                file.name = str(made_as)  # type: ignore[attr-defined]  # names go beside it
            count = chosen.write(cast(BinaryIO, file), games)
        made = sorted(folder.iterdir())
        for one in made:
            _refuse_existing(target.parent / one.name, overwrite)
        for one in made:
            one.replace(target.parent / one.name)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return count


def _checked(games: Iterable[Game]) -> Iterator[Game]:
    """Return the games; raises TypeError for what is none, at the latest when it comes up."""
    if isinstance(games, Game):
        raise TypeError(f"games is {games!r}; expected several, such as [game]")

    def checked() -> Iterator[Game]:
        for number, game in enumerate(games, start=1):
            if not isinstance(game, Game):
                raise TypeError(f"game {number} is {game!r}; expected a Game")
            yield game

    return checked()


def _refuse_existing(path: Path, overwrite: bool) -> None:
    if path.exists() and not overwrite:
        raise FileExistsError(errno.EEXIST, "the file exists already", str(path))

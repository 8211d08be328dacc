"""Files that commands write, checked before the work that fills them. Writes nothing."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path

import click


def output_path(
    path: str | None, suffixes: Sequence[str], option: str, overwrite: bool
) -> Path | None:
    """Return the path of a file to write, None for none.

    Raises click.ClickException for another ending than those of ``suffixes``, for a folder that is
    not there or may not be written, and, unless told to ``overwrite``, for a file that is there.

    >>> output_path("page.html", [".html"], "--html", False).name
    'page.html'
    """
    if path is None:
        return None
    made = Path(path)
    if made.suffix.lower() not in suffixes:
        endings = " ".join(suffixes)
        raise click.UsageError(f"{option} {path}: expected a name that ends in {endings}")
    if not made.parent.is_dir():
        raise click.ClickException(f"{path}: there is no folder {str(made.parent)!r}")
    if made.exists() and not overwrite:
        raise click.ClickException(f"{path}: the file exists already; --overwrite replaces it")
    if not os.access(made if made.exists() else made.parent, os.W_OK):
        raise click.ClickException(f"{path}: {os.strerror(errno.EACCES)}")
    return made

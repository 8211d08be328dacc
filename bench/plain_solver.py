"""The plain solver of plain_solver.c in Python: compiled when it is first asked, called by ctypes.

It knows nothing of the package, so that the package's values can be checked against it.
"""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

Discs = tuple[int, int]
Rule = Literal["tournament", "discs"]

SOURCE = Path(__file__).with_suffix(".c")
OPTIONS = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")


def compiler() -> str | None:
    """Return the C compiler's path, by the environment's CC or as ``cc``; None where it is not."""
    return shutil.which(os.environ.get("CC", "cc"))


def values(positions: Sequence[Discs], rule: Rule) -> list[int]:
    """Return the exact values of positions, each (own, opp) in bits, in the view of the mover.

    With ``rule`` "tournament" the winner gets the empty squares. The lock of Python is not held.

    >>> values([(1, 2), (2, 1)], "tournament")
    [64, -64]
    """
    cells = b"".join(_cells(own, opp) for own, opp in positions)
    found = (ctypes.c_int * len(positions))()
    _library().plain_values(cells, len(positions), rule == "tournament", found)
    return list(found)


def move_values(own: int, opp: int, rule: Rule) -> dict[int, int]:
    """Return the exact value of each legal move by its square; of none where there is none.

    >>> move_values(1 | 1 << 63, 2 | 1 << 62, "discs")
    {2: 6, 61: 6}
    """
    squares, found = (ctypes.c_int * 64)(), (ctypes.c_int * 64)()
    cells = _cells(own, opp)
    count = _library().plain_move_values(cells, rule == "tournament", squares, found)
    return dict(zip(squares[:count], found[:count], strict=True))


def _cells(own: int, opp: int) -> bytes:
    return bytes([(own >> sq & 1) + 2 * (opp >> sq & 1) for sq in range(64)])


@functools.cache
def _library() -> ctypes.CDLL:
    program = compiler()
    if program is None:
        raise FileNotFoundError("no C compiler found; the plain solver needs one (CC or cc)")
    # It compiles in a moment: a copy of its own for each process can be neither stale nor foreign.
    with tempfile.TemporaryDirectory(prefix="reversi-plain-", ignore_cleanup_errors=True) as folder:
        target = Path(folder) / "plain_solver.so"
        subprocess.run([program, *OPTIONS, "-o", str(target), str(SOURCE)], check=True)
        library = ctypes.CDLL(str(target))
    numbers = ctypes.POINTER(ctypes.c_int)
    library.plain_values.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_int, numbers]
    library.plain_values.restype = None
    library.plain_move_values.argtypes = [ctypes.c_char_p, ctypes.c_int, numbers, numbers]
    library.plain_move_values.restype = ctypes.c_int
    return library

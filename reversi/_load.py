"""Chooses the build of the compiled core that runs here; the environment's REVERSI_CPU forces one.

The builds hold the same code compiled for a higher level of x86-64 each, and give equal results.
"""

from __future__ import annotations

import importlib
import os
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

try:
    from reversi import _cpu
except ImportError as error:
    raise ImportError(
        f"the compiled core cannot be loaded ({error}); in a source tree that was not built, run"
        " `pip install -e .` or leave its folder"
    ) from error

__all__ = ["CpuInfo", "core", "cpu_info"]

_MODULES = {
    "portable": "reversi._core",
    "x86-64-v2": "reversi._core_x86_64_v2",
    "x86-64-v3": "reversi._core_x86_64_v3",
    "x86-64-v4": "reversi._core_x86_64_v4",
}
_LEVELS = {"portable": 0, "x86-64-v2": 2, "x86-64-v3": 3, "x86-64-v4": 4}


@dataclass(frozen=True, slots=True)
class CpuInfo:
    """Which build of the core runs, which are installed and which this processor can run."""

    build: str
    builds: tuple[str, ...]
    supported: tuple[str, ...]
    forced: bool


def _choose() -> CpuInfo:
    level = _cpu.x86_64_level()
    builds = tuple(name for name, module in _MODULES.items() if find_spec(module))
    supported = tuple(name for name, needed in _LEVELS.items() if needed <= level)
    usable = [name for name in builds if name in supported]
    wanted = os.environ.get("REVERSI_CPU")
    if not wanted:
        return CpuInfo(usable[-1], builds, supported, forced=False)
    if wanted not in _MODULES:
        known = ", ".join(_MODULES)
        raise ImportError(f"REVERSI_CPU={wanted!r} is not a build of the core; known: {known}")
    if wanted not in supported:
        raise ImportError(
            f"REVERSI_CPU={wanted!r}: this processor cannot run it; it can run {', '.join(usable)}"
        )
    if wanted not in builds:
        raise ImportError(
            f"REVERSI_CPU={wanted!r} is not in this installation, which has {', '.join(builds)}"
        )
    return CpuInfo(wanted, builds, supported, forced=True)


def _is_command() -> bool:
    """Whether this process is the command, started by its name or as ``python -m reversi``."""
    # While a module is looked for, sys.argv[0] is "-m" alone.
    program = sys.orig_argv[-len(sys.argv) :][:1]
    return [Path(name.removeprefix("-m")).stem for name in program] == ["reversi"]


try:
    _INFO = _choose()
except ImportError as error:
    # The command has no code that runs before this and could say it.
    if not _is_command():
        raise
    print(f"reversi: error: {error}", file=sys.stderr)
    sys.exit(2)

if TYPE_CHECKING:
    from reversi import _core as core
else:
    core = importlib.import_module(_MODULES[_INFO.build])


def cpu_info() -> CpuInfo:
    """The build of the core that runs in this process, and the ones it was chosen from.

    >>> import reversi
    >>> reversi.cpu_info().build in reversi.cpu_info().builds
    True
    """
    return _INFO

"""What weights were made from: the code, the settings of every step, positions and errors."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path
from typing import Any

import reversi
from reversi.errors import TrainingError
from reversi.training.folder import Folder, write_json
from reversi.weights import read_header, read_weights, write_whole

# What decides about values and weights; wheels have it too.
_SOURCES = ("*.pyx", "*.pxi", "core/*.pxd", "training/*.py")


def of_code() -> dict[str, Any]:
    """Return the version of the package, the SHA-256 of the sources that decide about weights, and
    the commit of its source tree where it is in one."""
    commit = _commit()
    return {
        "package": f"reversi-engine {reversi.__version__}",
        **({} if commit is None else {"commit": commit}),
        "code_sha256": _code(),
    }


def of_data(folder: Folder, report: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of each generation so far and the examples that a fit was made with."""
    generation = report["generation"]
    return {
        "generation": generation,
        "generations": {
            str(number): {step: folder.settings(number, step) for step in ("generate", "label")}
            for number in range(generation + 1)
        },
        "fit": report["settings"],
        "examples": report["examples"],
    }


def export(folder: Folder, generation: int, path: Path) -> Path:
    """Copy a generation's weights to a file, and write where they are from into a JSON file beside
    it, whose path is returned.

    Raises TrainingError where the generation has no weights, WeightsError if they are damaged.
    """
    source = folder.weights_path(generation)
    if not source.exists():
        raise TrainingError(f"{source} is missing; run `reversi train fit` first")
    read_weights(source)  # finds any damage
    header, data = read_header(source), source.read_bytes()
    report = folder.report(generation)
    write_whole(path, lambda file: file.write(data))
    beside = path.with_name(f"{path.name}.json")
    write_json(
        beside,
        {
            "file": path.name,
            "sha256": header["sha256"],
            "network": header["network"],
            **header["provenance"],
            "exported_by": of_code(),
            "errors": report["total"],
            "errors_by_phase": report["phases"],
        },
    )
    return beside


def _code() -> str:
    package = Path(reversi.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(path for pattern in _SOURCES for path in package.glob(pattern)):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(package).as_posix()} {len(data)}\n".encode() + data)
    return digest.hexdigest()


def _commit() -> str | None:
    root = Path(reversi.__file__).parents[1]
    if not (root / ".git").exists():
        return None
    try:
        commit = _git(root, "rev-parse", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{commit}, with changes" if changed else commit


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()

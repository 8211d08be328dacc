"""What the tests of training share: steps that the command runs, and the positions of a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import reversi_command

import reversi
from reversi import Board

np = pytest.importorskip("numpy", reason="training needs the extra `train`")
pytest.importorskip("matplotlib", reason="training needs the extra `train`")

from reversi.training.folder import Folder  # noqa: E402

GENERATE = ("--games", "60", "--seed", "5", "--shard-games", "20", "--depth", "2")
LABEL = ("--exact", "8", "--depth", "2", "--sample", "0.5")
PROBCUT = ("--positions", "4", "--depth", "6", "--exact", "13")


def step(name: str, *arguments: str) -> str:
    """Run a step of training; the tests' few positions are warned of."""
    done = reversi_command("train", name, *arguments)
    assert done.returncode == 0
    warned = done.stderr.startswith(f"reversi: {name}: ") and "are too few" in done.stderr
    assert warned if name in ("fit", "probcut") else done.stderr == ""
    return done.stdout


def train(name: str, path: Path, generation: int, *options: str) -> str:
    return step(name, str(path), "--generation", str(generation), *options)


def every(path: Path, generation: int) -> tuple[np.ndarray, np.ndarray]:
    where = Folder(path)
    shards = range(where.shards(generation))
    return (
        np.concatenate([where.games(generation, shard) for shard in shards]),
        np.concatenate([where.labels(generation, shard) for shard in shards]),
    )


def reversi_value(row: np.void) -> int:
    value = reversi.solve(Board(int(row["own"]), int(row["opp"]))).value
    assert value is not None
    return value

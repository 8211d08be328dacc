"""The folder that a training run lives in: its files, its plan, and writing them whole or not.

A file under its own name is complete: it was written under another and renamed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reversi._load import core
from reversi.errors import TrainingError, WeightsError
from reversi.training.positions import LABEL, ROW, Rows
from reversi.weights import read_header, read_weights, write_whole

if sys.platform != "win32":
    import fcntl

_FORMAT = 1
_SHARD = re.compile(r"games-(\d{5,})\.npy")


class Folder:
    """A folder of generations, each of games, labels, weights and a report.

    Raises TrainingError where its plan is of another network or another format.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._plan()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let no other process work in the folder (POSIX only), and remove what killed ones left.

        The system drops the lock with the process. Raises TrainingError where another has it.
        """
        if not self.path.is_dir():  # the step will say what it misses
            yield
            return
        with (self.path / ".lock").open("a+") as lock:
            if sys.platform != "win32":
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError as error:
                    lock.seek(0)
                    raise TrainingError(
                        f"{self.path}: process {lock.read() or '?'} is at work there;"
                        f" one step at a time works in a folder"
                    ) from error
                lock.truncate(0)
                lock.write(str(os.getpid()))
                lock.flush()
                for pattern in (".plan.json.*unfinished", "gen-*/.*.unfinished"):
                    for left in self.path.glob(pattern):
                        left.unlink()
            yield

    # Where things lie

    @property
    def plan_path(self) -> Path:
        """The settings of every step."""
        return self.path / "plan.json"

    def generation(self, number: int) -> Path:
        """The folder of one generation."""
        return self.path / f"gen-{number}"

    def games_path(self, generation: int, shard: int) -> Path:
        """A shard of positions."""
        return self.generation(generation) / f"games-{shard:05d}.npy"

    def labels_path(self, generation: int, shard: int) -> Path:
        """The values of a shard's positions."""
        return self.generation(generation) / f"labels-{shard:05d}.npy"

    def weights_path(self, generation: int) -> Path:
        """What was learned from a generation."""
        return self.generation(generation) / "weights.rvw"

    def report_path(self, generation: int) -> Path:
        """How far its predictions are off."""
        return self.generation(generation) / "report.json"

    def fit_path(self, generation: int) -> Path:
        """The epochs of a fit that is under way."""
        return self.generation(generation) / "fit.npz"

    def probcut_path(self, generation: int) -> Path:
        """How far its shallow searches lie from deep ones."""
        return self.generation(generation) / "probcut.json"

    # What there is

    def shards(self, generation: int) -> int:
        """Return how many shards of games there are, one after the other from 0.

        Raises TrainingError where one is missing.
        """
        found = sorted(
            int(match[1])
            for path in self.generation(generation).glob("games-*.npy")
            if (match := _SHARD.fullmatch(path.name))
        )
        if found != list(range(len(found))):
            missing = min(set(range(len(found))) - set(found))
            raise TrainingError(f"{self.games_path(generation, missing)} is missing")
        return len(found)

    def generations(self) -> list[int]:
        """Return the generations that have a report."""
        found = (path.parent.name[4:] for path in self.path.glob("gen-*/report.json"))
        return sorted(int(number) for number in found if number.isdecimal())

    def games(self, generation: int, shard: int) -> Rows:
        """Return a shard of positions, an array of ROW."""
        return _load(self.games_path(generation, shard), ROW)

    def labels(self, generation: int, shard: int) -> Rows:
        """Return a shard of labels, an array of LABEL."""
        return _load(self.labels_path(generation, shard), LABEL)

    def report(self, generation: int) -> dict[str, Any]:
        """Return a generation's report."""
        return load_json(self.report_path(generation))

    def probcut(self, generation: int) -> dict[str, Any] | None:
        """Return what was measured for Multi-ProbCut; None if nothing was, or of other weights
        than those that are there now.
        """
        path = self.probcut_path(generation)
        if not path.exists():
            return None
        report = load_json(path)
        header = read_header(self.weights_path(generation))
        return report if report["weights"] == header["sha256"] else None

    def teacher(self, generation: int) -> core.Weights | None:
        """Return the weights that a generation's games and labels are made with: those of the one
        before; None for the first.
        """
        return read_weights(self._teacher_path(generation)) if generation else None

    def teacher_id(self, generation: int) -> str | None:
        """Return the checksum of those weights."""
        if generation == 0:
            return None
        checksum: str = read_header(self._teacher_path(generation))["sha256"]
        return checksum

    def _teacher_path(self, generation: int) -> Path:
        path = self.weights_path(generation - 1)
        if not path.exists():
            raise WeightsError(f"{path} is missing; generation {generation} needs it")
        return path

    # What was agreed

    def settings(self, generation: int, step: str) -> dict[str, Any] | None:
        """Return the settings that a step of a generation was begun with, None if it was not."""
        recorded = self._plan()["generations"].get(str(generation), {}).get(step)
        return None if recorded is None else dict(recorded)

    def agree(
        self,
        generation: int,
        step: str,
        settings: Mapping[str, Any],
        changeable: Collection[str] = (),
    ) -> None:
        """Write a step's settings into the plan, or compare them with those there.

        Raises TrainingError, which names the first that differs, unless it is ``changeable``.
        """
        plan = self._plan()
        recorded = plan["generations"].get(str(generation), {}).get(step)
        for name, value in (recorded or {}).items():
            if name not in changeable and settings.get(name) != value:
                raise TrainingError(
                    f"{self.plan_path}: generation {generation}, {step}: {name} is {value!r},"
                    f" not {settings.get(name)!r}; another setting needs another folder"
                )
        if recorded == dict(settings):
            return
        plan["generations"].setdefault(str(generation), {})[step] = dict(settings)
        self.generation(generation).mkdir(parents=True, exist_ok=True)
        write_json(self.plan_path, plan)

    def _plan(self) -> dict[str, Any]:
        network = f"{core.NETWORK_ID:016x}"
        if not self.plan_path.exists():
            return {"format": _FORMAT, "network": network, "generations": {}}
        plan = load_json(self.plan_path)
        for name, wanted in (("format", _FORMAT), ("network", network)):
            if plan.get(name) != wanted:
                raise TrainingError(
                    f"{self.plan_path}: {name} is {plan.get(name)!r}; this package has {wanted!r}"
                )
        return plan


def write_array(path: Path, rows: NDArray[Any]) -> None:
    """Write an array as .npy."""
    write_whole(path, lambda file: np.save(file, rows))


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write an object as JSON."""
    text = json.dumps(value, indent=1) + "\n"
    write_whole(path, lambda file: file.write(text.encode()))


def checksum(*arrays: Rows) -> str:
    """Return the SHA-256 of arrays' bytes."""
    digest = hashlib.sha256()
    for rows in arrays:
        digest.update(np.ascontiguousarray(rows).tobytes())
    return digest.hexdigest()


def load_json(path: Path) -> dict[str, Any]:
    """Return the object that a JSON file holds; raises TrainingError if it holds none."""
    try:
        loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise TrainingError(f"{path}: not JSON: {error}") from error
    return loaded


def _load(path: Path, dtype: np.dtype[np.void]) -> Rows:
    try:
        rows = np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise TrainingError(
            f"{path}: damaged: {error}; remove it and run the step again"
        ) from error
    if rows.dtype != dtype or rows.ndim != 1:
        raise TrainingError(f"{path}: holds {rows.dtype}; expected rows of {dtype}")
    loaded: Rows = rows
    return loaded

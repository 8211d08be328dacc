"""Labelled positions of one or several generations: what a network is fitted to.

Whole games are held out, one in twenty: their positions measure the fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reversi._load import core
from reversi.errors import TrainingError
from reversi.training.folder import Folder, checksum
from reversi.training.positions import (
    LABEL,
    NO_LABEL,
    OUTCOME,
    ROW,
    Rows,
    boards_of,
    depth_of,
    drawn,
    hashes,
    kind_name,
    mix,
)

HELD_OUT = 0.05


class Examples:
    """All labelled positions, each once; each array has an entry a position."""

    def __init__(
        self,
        rows: Rows,
        labels: Rows,
        generations: NDArray[np.uint8],
        held_out: NDArray[np.bool_],
    ) -> None:
        self._rows, self._labels, self._generations = rows, labels, generations
        self.held_out = held_out
        self.boards = boards_of(rows)
        self.values = labels["value"].astype(np.float32) / np.float32(core.UNIT)  # in discs
        self.kinds: NDArray[np.uint8] = labels["kind"]
        self.discs: NDArray[np.uint8] = rows["discs"]

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def checksum(self) -> str:
        """A sum over all of them, to know them again by."""
        return checksum(self._rows, self._labels)

    def counts(self) -> list[dict[str, Any]]:
        """Return how many examples there are of each generation and kind of label."""
        pairs = np.stack([self._generations, self.kinds], axis=1)
        different, counts = np.unique(pairs, axis=0, return_counts=True)
        return [
            {"generation": generation, "kind": kind_name(kind), "depth": depth_of(kind), "n": n}
            for (generation, kind), n in zip(different.tolist(), counts.tolist(), strict=True)
        ]


def load(folder: Folder, generations: Sequence[int], outcomes: bool = True) -> Examples:
    """Return the labelled positions of generations; of two labels the later generation's holds.
    Those whose label is a game's outcome can be left out.

    Raises TrainingError where there are none, or where a shard is without labels.
    """
    rows, labels = [np.empty(0, ROW)], [np.empty(0, LABEL)]
    numbers, held_out = [np.empty(0, np.uint8)], [np.empty(0, np.bool_)]
    for generation in sorted(set(generations), reverse=True):
        for some, values in _labelled(folder, generation, outcomes):
            rows.append(some)
            labels.append(values)
            numbers.append(np.full(len(some), generation, np.uint8))
            held_out.append(held_out_of(some, generation))
    every = np.concatenate(rows)
    if len(every) == 0:
        names = ", ".join(str(folder.generation(number)) for number in generations)
        raise TrainingError(f"no labelled positions in {names}")
    # Of equal ones `unique` gives the first.
    _, kept = np.unique(hashes(every["own"], every["opp"]), return_index=True)
    kept.sort()
    return Examples(
        every[kept],
        np.concatenate(labels)[kept],
        np.concatenate(numbers)[kept],
        np.concatenate(held_out)[kept],
    )


def held_out_of(rows: Rows, generation: int) -> NDArray[np.bool_]:
    """Return which of a generation's positions are held out: those of one game in twenty."""
    games = rows["game"].astype(np.uint64) + (np.uint64(generation) << np.uint64(32))
    return drawn(mix(games), HELD_OUT)


def _labelled(folder: Folder, generation: int, outcomes: bool) -> Iterator[tuple[Rows, Rows]]:
    for shard in range(folder.shards(generation)):
        path = folder.labels_path(generation, shard)
        if not path.exists():
            raise TrainingError(f"{path} is missing; run `reversi train label` first")
        rows, labels = folder.games(generation, shard), folder.labels(generation, shard)
        if len(rows) != len(labels):
            raise TrainingError(
                f"{path}: {len(labels)} labels; {folder.games_path(generation, shard).name} has"
                f" {len(rows)} positions"
            )
        known = labels["kind"] != NO_LABEL
        if not outcomes:
            known &= labels["kind"] != OUTCOME
        yield rows[known], labels[known]

"""Sets the constants of an evaluation by its own deeper searches.

Each number of discs has a row of its own, whose first number is a constant. Far from the end, what
labels say of it is many generations old: searches of six plies carry the truth six plies a
generation. From the last number of discs without exact labels to the first one, each constant is
moved so that the evaluation agrees in the mean with searches that end at numbers which are right by
then.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reversi._load import core
from reversi.errors import TrainingError
from reversi.training import provenance
from reversi.training.folder import Folder
from reversi.training.positions import ROW, Rows, boards_of, hashes, mix
from reversi.training.work import Progress, in_order, pieces
from reversi.weights import read_header, read_parts, write_weights

Record = dict[str, Any]

_START_DISCS = 4
_PIECE = 16
_MOST = 127  # a number of a row


@dataclass(frozen=True, slots=True)
class Settings:
    """What the constants depend on, besides the weights: positions of each number of discs, plies
    of the searches (even: the same side moves at their ends), and which positions are drawn."""

    positions: int = 500
    depth: int = 8
    seed: int = 1


def calibrate(
    folder: Folder, generation: int, settings: Settings, threads: int, progress: Progress
) -> list[Record]:
    """Move the constants in a generation's file of weights; return by how many discs each moved.

    The file is written once, at the end, without deviations: those are to be measured again.
    Raises TrainingError where the generation has no weights or no games, or where a constant would
    be larger than a row can hold.
    """
    path = folder.weights_path(generation)
    if not path.exists():
        raise TrainingError(f"{path} is missing; run `reversi train fit` first")
    rows, layers = (np.array(part) for part in read_parts(path))
    labels = folder.settings(generation, "label") or {}
    numbers = range(63 - int(labels.get("exact", 0)), _START_DISCS - 1, -1)
    chosen = _chosen(folder, generation, settings, numbers)
    records: list[Record] = []
    for discs in numbers:
        boards = boards_of(chosen[discs])
        if len(boards):
            weights = core.Weights(rows, layers)
            deep, static = (
                _values(weights, boards, depth, threads) for depth in (settings.depth, 0)
            )
            differences = (deep - static) / core.UNIT
            moved = float(differences.mean())
            constant = core.weight_classes() - 64 + discs
            found = int(rows[constant, 0]) + round(moved * core.UNIT / core.DIRECT)
            if abs(found) > _MOST:
                raise TrainingError(
                    f"{path}: the constant of {discs} discs would be"
                    f" {found * core.DIRECT / core.UNIT:+.2f} discs; a row holds"
                    f" {_MOST * core.DIRECT / core.UNIT:.2f} at most"
                )
            rows[constant, 0] = found
            error = float(differences.std()) / len(boards) ** 0.5
            records.append(
                {"discs": discs, "n": len(boards), "moved": moved, "standard_error": error}
            )
        progress(numbers[0] - discs + 1, len(numbers))
    source = {
        **read_header(path)["provenance"],
        "calibration": {**provenance.of_code(), **asdict(settings), "moved": records},
    }
    source.pop("probcut", None)
    write_weights(path, rows, layers, source)
    return records


def _values(
    weights: core.Weights, boards: NDArray[np.uint64], depth: int, threads: int
) -> NDArray[np.float64]:
    """Return the values of searches in 1/128 disc."""

    def value(bounds: tuple[int, int]) -> NDArray[np.int16]:
        part = boards[slice(*bounds)]
        found = np.empty(len(part), np.int16)
        core.label(weights, part, found, depth, 0)
        return found

    with closing(in_order(value, pieces(0, len(boards), _PIECE), threads)) as parts:
        return np.concatenate(list(parts)).astype(np.float64)


def _chosen(folder: Folder, generation: int, settings: Settings, numbers: range) -> dict[int, Rows]:
    """Return the positions of each number of discs, drawn of the generation's."""
    shards = range(folder.shards(generation))
    every = np.concatenate([np.empty(0, ROW), *(folder.games(generation, n) for n in shards)])
    if len(every) == 0:
        raise TrainingError(f"{folder.generation(generation)} has no games")
    seed = mix(np.array([settings.seed], np.uint64))
    every = every[np.argsort(mix(hashes(every["own"], every["opp"]) ^ seed), kind="stable")]
    return {discs: every[every["discs"] == discs][: settings.positions] for discs in numbers}

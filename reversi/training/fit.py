"""Fits a generation's network to its labels, by the core's gradient descent (core/learning.pxd).

One network learns the whole game, one position after another, all of them several times over in an
order of chance. The rate falls from the first position to the last.
"""

from __future__ import annotations

import io
import json
import time
import zipfile
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reversi._load import core
from reversi.errors import TrainingError
from reversi.training import deviations, examples, provenance
from reversi.training.examples import Examples
from reversi.training.folder import Folder, write_json
from reversi.training.work import Progress, pieces
from reversi.weights import write_weights, write_whole

Record = dict[str, Any]
Floats = NDArray[np.float32]

EPOCHS = 5
# Of the rows' steps, of the layers', and how fast rows decay. Half and twice each gave held-out
# errors as large or larger (13.6 million positions).
_RATES = (0.015, 0.001, 0.001)
# What a row's squares begin with: the first steps of small gradients stay below the rate.
_FIRST_SQUARE = 1e-4
# Positions between two looks at the progress; Ctrl-C waits for so many.
_PIECE = 1 << 17


@dataclass(frozen=True, slots=True)
class Settings:
    """What a fit depends on besides the labels: other generations', whether outcomes of games are
    values too, how often each position is learned from, and the seed of all chance."""

    others: tuple[int, ...] = ()
    outcomes: bool = True
    epochs: int = EPOCHS
    seed: int = 1


@dataclass(slots=True)
class Learned:
    """What `core.learn` changes."""

    rows: Floats
    squares: Floats
    layers: Floats  # and their two moments

    @classmethod
    def new(cls, seed: int) -> Learned:
        """All rows 0, which what is never seen stays, and layers of chance (He et al. 2015)."""
        shape = core.weight_classes(), core.CHANNELS
        chance = np.random.default_rng(seed)
        layers = np.zeros((3, core.LAYERS), np.float32)
        count = core.CHANNELS * core.HIDDEN
        # The first channel is none of the units' inputs.
        inputs = slice(core.HIDDEN, count)
        outputs = slice(count + core.HIDDEN, count + 2 * core.HIDDEN)
        spread = (2 / core.CHANNELS) ** 0.5
        layers[0, inputs] = chance.normal(0, spread, inputs.stop - inputs.start)
        layers[0, outputs] = chance.normal(0, 0.1, core.HIDDEN)
        squares = np.full(shape, _FIRST_SQUARE, np.float32)
        return cls(np.zeros(shape, np.float32), squares, layers)

    def rounded(self) -> tuple[NDArray[np.int8], NDArray[np.intc]]:
        """Rows and layers in whole numbers, as the core and a file hold them."""
        row_units, layer_units = core.learned_units()
        rows = np.rint(self.rows * np.array(row_units, np.float32))
        layers = np.rint(self.layers[0] * np.array(layer_units, np.float32))
        return rows.astype(np.int8), layers.astype(np.intc)


def fit(folder: Folder, generation: int, settings: Settings, progress: Progress) -> Record:
    """Write a generation's weights and report, and return the report.

    Epochs that a fit of the same labels and settings has done before it was broken off are kept.
    Raises TrainingError where there are no labels.
    """
    if any(number >= generation for number in settings.others):
        raise TrainingError(f"generation {max(settings.others)} does not come before {generation}")
    progress(0, settings.epochs)
    data = examples.load(folder, (generation, *settings.others), settings.outcomes)
    state = _State(folder, generation, data, settings)
    learned, epochs = state.load()
    for number in range(len(epochs), settings.epochs):
        epochs.append(_epoch(number, learned, data, settings, progress))
        state.save(learned, epochs)
    rows, layers = learned.rounded()
    sums = deviations.sums(data, predictions(core.Weights(rows, layers), data))
    report = {
        "generation": generation,
        "settings": asdict(settings),
        "examples": data.counts(),
        "epochs": epochs,
        "total": deviations.merged(sums, by=["set", "kind"]),
        "phases": deviations.merged(sums, by=["phase", "set", "kind"]),
        "discs": deviations.merged(sums, by=["discs", "set", "kind"]),
    }
    source = {**provenance.of_code(), **provenance.of_data(folder, report)}
    write_weights(folder.weights_path(generation), rows, layers, source)
    write_json(folder.report_path(generation), report)
    state.remove()
    return report


def predictions(weights: core.Weights, data: Examples) -> NDArray[np.float64]:
    """Return what weights say of all examples, in discs."""
    found = np.empty(len(data), np.int16)
    for start, stop in pieces(0, len(data), _PIECE):
        weights.evaluate_boards(data.boards[start:stop], found[start:stop])
    values: NDArray[np.float64] = found / np.float64(core.UNIT)
    return values


def _epoch(
    number: int, learned: Learned, data: Examples, settings: Settings, progress: Progress
) -> Record:
    began = time.perf_counter()
    training = np.flatnonzero(~data.held_out).astype(np.uint32)
    count = len(training)
    order = np.random.default_rng([settings.seed, number]).permutation(training)
    squared = 0.0
    for start, stop in pieces(0, count, _PIECE):
        squared += core.learn(
            learned.rows, learned.squares, learned.layers, data.boards, data.values,
            order[start:stop], _RATES, number * count + start, settings.epochs * count,
        )  # fmt: skip
        progress(number + stop / count, settings.epochs)
    return {
        "training": count,
        # Each position's error before it was learned from again.
        "rmse": round((squared / max(count, 1)) ** 0.5, 4),
        "seconds": round(time.perf_counter() - began, 2),
    }


class _State:
    # The epochs that are done, so that a fit can go on where it was broken off.
    def __init__(self, folder: Folder, generation: int, data: Examples, settings: Settings) -> None:
        self._path = folder.fit_path(generation)
        self._seed = settings.seed
        rates = {"rates": _RATES, "first_square": _FIRST_SQUARE}
        self._wanted = json.dumps({"data": data.checksum, **asdict(settings), **rates})

    def load(self) -> tuple[Learned, list[Record]]:
        """What was kept, if it is of this fit; a fresh start else."""
        try:
            with np.load(self._path, allow_pickle=False) as kept:
                if str(kept["wanted"]) == self._wanted:
                    learned = Learned(kept["rows"], kept["squares"], kept["layers"])
                    return learned, json.loads(str(kept["epochs"]))
        except (FileNotFoundError, EOFError, TypeError, ValueError, KeyError, zipfile.BadZipFile):
            pass
        return Learned.new(self._seed), []

    def save(self, learned: Learned, epochs: list[Record]) -> None:
        packed = io.BytesIO()
        np.savez(
            packed,
            wanted=self._wanted,
            epochs=json.dumps(epochs),
            rows=learned.rows,
            squares=learned.squares,
            layers=learned.layers,
        )
        write_whole(self._path, lambda file: file.write(packed.getvalue()))

    def remove(self) -> None:
        self._path.unlink(missing_ok=True)

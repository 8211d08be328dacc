"""Fits a generation's weights to its labels, phase by phase from the last to the first.

Each phase's weights are drawn towards those of the phase after it, so that what a phase has never
seen is taken from its neighbour. How strongly, its held-out positions choose.
"""

from __future__ import annotations

import shutil
import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reversi._load import core
from reversi.errors import TrainingError
from reversi.training import deviations, examples, provenance
from reversi.training.examples import Examples, Phase
from reversi.training.folder import Folder, load_json, write_json
from reversi.training.ridge import Ridge
from reversi.training.work import Progress
from reversi.weights import write_weights, write_whole

Weights = NDArray[np.float64]
Record = dict[str, Any]

RIDGES = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0)
_MOST = 32_767
# An example counts half as much if its value is so many discs from 0. What is decided matters less,
# and strays further: errors within 12 discs of 0 become 5 % smaller, all together 0.5 % larger (48
# discs: 2 % and nothing; 12 discs: 9 % and 6 %).
_HALF_DISCS = 24.0
# With fewer held-out positions chance would choose the ridge: the strongest is taken then.
_ENOUGH = 100


@dataclass(frozen=True, slots=True)
class Settings:
    """What a fit depends on besides the labels: other generations', the ridges to try, and whether
    outcomes of games are values too."""

    others: tuple[int, ...] = ()
    ridges: tuple[float, ...] = RIDGES
    outcomes: bool = True


def fit(folder: Folder, generation: int, settings: Settings, progress: Progress) -> Record:
    """Write a generation's weights and report, and return the report.

    Phases that a fit of the same labels and settings has done before it was broken off are kept.
    Raises TrainingError where there are no labels.
    """
    if any(number >= generation for number in settings.others):
        raise TrainingError(f"generation {max(settings.others)} does not come before {generation}")
    progress(0, core.PHASES)
    data = examples.load(folder, (generation, *settings.others), settings.outcomes)
    state = _State(folder, generation, data, settings)
    rows = np.zeros((core.PHASES, core.weight_classes()), np.int16)
    records: list[Record] = []
    after = np.zeros(core.weight_classes())
    for number in reversed(range(core.PHASES)):
        found = state.load(number)
        if found is None:
            found = _fit_phase(number, data.phase(number), _expected(number, after), settings)
            state.save(number, *found)
        after, record = found
        rows[number] = rounded(after)
        records.append(record)
        progress(len(records), core.PHASES)
    records.reverse()
    report = _report(generation, settings, data, records)
    source = {**provenance.of_code(), **provenance.of_data(folder, report)}
    write_weights(folder.weights_path(generation), rows, source)
    write_json(folder.report_path(generation), report)
    state.remove()
    return report


def _expected(number: int, after: Weights) -> Weights:
    """Return the weights to expect of a phase: those of the phase after it. Each number of discs
    has a weight of its own, which acts as a constant; a number's is expected to be that of two
    discs more, so that phases without positions are worth something as well."""
    first = core.weight_classes() - 64
    discs = [n for n in range(62) if core.phase(n) == number and core.phase(n + 2) == number + 1]
    expected = after.copy()
    for n in discs:
        expected[first + n] = after[first + n + 2]
    return expected


def rounded(weights: Weights) -> NDArray[np.int16]:
    """Return weights in discs as the file holds them.

    >>> rounded(np.array([0.5, -0.004, 1e9])).tolist()
    [64, -1, 32767]
    """
    return np.clip(np.rint(weights * core.UNIT), -_MOST, _MOST).astype(np.int16)


def _fit_phase(
    number: int, phase: Phase, after: Weights, settings: Settings
) -> tuple[Weights, Record]:
    began = time.perf_counter()
    weights, chosen, tried = after, None, {}
    training = ~phase.held_out
    count = int(training.sum())
    iterations = 0
    if count:
        values = phase.values[training]
        problem = Ridge(phase.features[training], values, after, _counts(values))
        measured = _Held(phase)
        guess = None
        # From the strongest, each from the one before: the way is short, and ends where the
        # held-out error begins to rise.
        for ridge in sorted(settings.ridges, reverse=True):
            solution = problem.solve(ridge, guess)
            guess = solution.weights
            iterations += solution.iterations
            tried[ridge] = measured.error(solution.weights)
            if chosen is not None and not tried[ridge] < tried[chosen]:
                break
            weights, chosen = solution.weights, ridge
            if len(phase) - count < _ENOUGH:
                break
    # Single precision, as a fit that goes on after a break reads it.
    weights = weights.astype(np.float32).astype(np.float64)
    record = {
        "phase": number,
        "training": count,
        "held_out": len(phase) - count,
        "ridge": chosen,
        "tried": {f"{ridge:g}": round(error, 5) for ridge, error in tried.items()},
        "iterations": iterations,
        "seconds": round(time.perf_counter() - began, 2),
        "seen": int(np.count_nonzero(np.bincount(phase.features[training].ravel()))),
        "sums": deviations.sums(phase, predictions(rounded(weights), phase.features)),
    }
    return weights, record


def _counts(values: Weights) -> Weights:
    """Return how much examples of these values count."""
    counts: Weights = 1.0 / (1.0 + (values / _HALF_DISCS) ** 2)
    return counts


def predictions(weights: NDArray[np.int16], features: NDArray[np.int32]) -> Weights:
    """Return what the core predicts with a phase's weights, in discs."""
    total = weights.astype(np.int32)[features].sum(axis=1, dtype=np.int64)
    values: Weights = np.clip(total / core.UNIT, -64.0, 64.0)
    return values


class _Held:
    # The held-out positions of a phase.
    def __init__(self, phase: Phase) -> None:
        self._features = phase.features[phase.held_out]
        self._values = phase.values[phase.held_out]
        self._counts = _counts(self._values)

    def error(self, weights: Weights) -> float:
        """Return the root of the mean squared error, as a fit counts it; 0 where nothing is held
        out."""
        if len(self._values) == 0:
            return 0.0
        errors = weights[self._features].sum(axis=1) - self._values
        return float(np.sqrt((self._counts * errors**2).sum() / self._counts.sum()))


def _report(generation: int, settings: Settings, data: Examples, records: list[Record]) -> Record:
    sums = [{"phase": record["phase"], **one} for record in records for one in record["sums"]]
    return {
        "generation": generation,
        "settings": asdict(settings),
        "examples": data.counts(),
        "total": deviations.merged(sums, by=["set", "kind"]),
        "phases": [
            {
                **{name: value for name, value in record.items() if name != "sums"},
                "errors": deviations.merged(record["sums"], by=["set", "kind"]),
            }
            for record in records
        ],
        "discs": deviations.merged(sums, by=["discs", "set", "kind"]),
    }


class _State:
    # The phases that are done, so that a fit can go on where it was broken off.
    def __init__(self, folder: Folder, generation: int, data: Examples, settings: Settings) -> None:
        self._path = folder.fit_path(generation)
        wanted = {"data": data.checksum, **asdict(settings)}
        wanted = {name: list(v) if isinstance(v, tuple) else v for name, v in wanted.items()}
        settings_path = self._path / "settings.json"
        if not settings_path.exists() or load_json(settings_path) != wanted:
            self.remove()
            self._path.mkdir(parents=True)
            write_json(settings_path, wanted)

    def load(self, number: int) -> tuple[Weights, Record] | None:
        # The record is written after the weights.
        if not self._record(number).exists():
            return None
        return np.load(self._weights(number)).astype(np.float64), load_json(self._record(number))

    def save(self, number: int, weights: Weights, record: Record) -> None:
        write_whole(self._weights(number), lambda file: np.save(file, weights.astype(np.float32)))
        write_json(self._record(number), record)

    def remove(self) -> None:
        if self._path.exists():
            shutil.rmtree(self._path)

    def _weights(self, number: int) -> Any:
        return self._path / f"phase-{number:02d}.npy"

    def _record(self, number: int) -> Any:
        return self._path / f"phase-{number:02d}.json"

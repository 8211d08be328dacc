"""Measures how far shallow searches lie from deep ones, for Multi-ProbCut (Buro 1997).

Held-out positions of a generation are searched with its weights, to every depth up to a limit and,
where few squares are empty, to the end of the game. `spread` makes a table of what is measured; it
goes into the file of weights.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from reversi._load import core
from reversi.errors import TrainingError
from reversi.training import provenance, spread
from reversi.training.examples import held_out_of
from reversi.training.folder import Folder, load_json, write_array, write_json
from reversi.training.positions import ROW, Rows, hashes, mix
from reversi.training.spread import NONE, Measured, Model, Values
from reversi.training.work import Progress, in_order
from reversi.weights import read_header, read_weights, write_deviations

Record = dict[str, Any]

# So many empty squares have the positions of each band: every number where the end of the game is
# measured, then every other one, even and odd ones in turn.
BANDS = (*range(10, 21), 23, 24, 27, 28, 31, 32, 35, 36, 39, 40, 43, 44, 47, 48, 51, 52, 55, 56)
# One position in so many is searched two plies deeper, which takes seven times as long.
_DEEPER, _DEEPER_ONE_IN = 2, 4
_TABLE_MB = 4


@dataclass(frozen=True, slots=True)
class Settings:
    """What the measurement depends on, besides the weights: positions of each band, plies, at how
    many empty squares or fewer the exact value is taken, and which positions are drawn."""

    positions: int = 200
    depth: int = 8
    exact: int = 18
    seed: int = 1


def probcut(
    folder: Folder, generation: int, settings: Settings, threads: int, progress: Progress
) -> Record:
    """Put the deviations of searches into a generation's file of weights; return their report.

    Bands that were measured before a break are kept. Raises TrainingError where the generation has
    no weights or no games, or too few positions are held out.
    """
    path = folder.weights_path(generation)
    if not path.exists():
        raise TrainingError(f"{path} is missing; run `reversi train fit` first")
    checksum = read_header(path)["sha256"]
    state = _State(folder, generation, {"weights": checksum, **asdict(settings)})
    bands = _bands(folder, generation, settings, state, threads, progress)
    measured = [
        one for empties, values in bands.items() for one in spread.measured(empties, values)
    ]
    model = spread.fit(measured, folder.generation(generation))
    found: Record = {
        "weights": checksum,
        "settings": asdict(settings),
        "positions": {str(empties): len(values) for empties, values in bands.items()},
        **model.record(),
        "searches": {
            kind: {
                "error": round(spread.error(model, measured, kind), 4),
                "inside": spread.coverage(model, bands, kind),
            }
            for kind in ("middle", "end")
        },
    }
    report = {"generation": generation, **found, "measured": _compared(measured, model)}
    source = {**read_header(path)["provenance"], "probcut": {**provenance.of_code(), **found}}
    write_deviations(path, model.table(), source)
    write_json(folder.probcut_path(generation), report)
    state.remove()
    return report


def _bands(
    folder: Folder,
    generation: int,
    settings: Settings,
    state: _State,
    threads: int,
    progress: Progress,
) -> dict[int, Values]:
    """Return the values of each band's positions, those not measured before measured now."""
    weights = read_weights(folder.weights_path(generation))
    kept = {empties: state.load(empties) for empties in BANDS}
    todo = any(values is None for values in kept.values())
    chosen = _chosen(folder, generation, settings) if todo else {}
    total = sum(_cost(empties, settings) for empties in BANDS)
    bands: dict[int, Values] = {}
    done = 0.0
    for empties, values in kept.items():
        if values is None:
            rows = chosen[empties]

            def measure(number: int, rows: Rows = rows) -> Values:
                deep = settings.depth + (_DEEPER if number % _DEEPER_ONE_IN == 0 else 0)
                own, opp = int(rows["own"][number]), int(rows["opp"][number])
                return values_of(weights, own, opp, deep, settings)

            parts = []
            with closing(in_order(measure, range(len(rows)), threads)) as found:
                for part in found:
                    parts.append(part)
                    now = done + _cost(empties, settings) * len(parts) / len(rows)
                    progress(len(BANDS) * now / total, len(BANDS))
            values = np.array(parts, np.int16).reshape(len(rows), _width(settings))
            state.save(empties, values)
        bands[empties] = values
        done += _cost(empties, settings)
        progress(len(BANDS) * done / total, len(BANDS))
    return bands


def _compared(measured: Sequence[Measured], model: Model) -> list[Record]:
    """Return the pairs of depths with what the model makes of them, in discs."""
    return [
        {
            **{name: round(value, 3) for name, value in asdict(one).items()},
            "model": round(model.deviation(one.empties, one.depth, one.shallow), 3),
        }
        for one in measured
    ]


def values_of(weights: core.Weights, own: int, opp: int, depth: int, settings: Settings) -> Values:
    """Return the values of the searches of a position by depth, and last its exact value, in 1/128
    disc; NONE where it is not searched so. The side to move has a move."""
    found = np.full(_width(settings), NONE, np.int16)
    empties = 64 - (own | opp).bit_count()
    # Each position has a table of its own, so that the threads and the order change nothing.
    searcher = core.Searcher(core.Table(_TABLE_MB), tournament=True, weights=weights)
    mask = core.moves(own, opp)
    moves = [sq for sq in range(64) if mask >> sq & 1]
    core.label(weights, np.array([[own, opp]], np.uint64), found[:1], 0, 0)
    value = int(found[0])
    for plies in range(1, min(depth, empties - 1) + 1):
        # The value two plies before is the better guess: odd and even depths differ.
        guess = int(found[max(plies - 2, 0)])
        best = searcher.search_strong(own, opp, moves, plies, 0, guess=guess, must_finish=True)
        assert best is not None
        move, value, _ = best[0]
        found[plies] = value
        moves.remove(move)
        moves.insert(0, move)
    if empties <= settings.exact:
        found[-1] = core.UNIT * searcher.prove(own, opp, guess=round(value / core.UNIT))[0]
    return found


def _width(settings: Settings) -> int:
    # Depth 0, all others, and the exact value.
    return settings.depth + _DEEPER + 2


def _cost(empties: int, settings: Settings) -> float:
    # About how many ms a position takes, as measured: a ply takes 2.7 times as long as the one
    # before, an empty square twice.
    plies = min(settings.depth, empties)
    exact = 0.04 * 2.0 ** (empties - 8) if empties <= settings.exact else 0.0
    return exact + 0.02 * 2.7**plies * min(1.0, empties / 40)


def _chosen(folder: Folder, generation: int, settings: Settings) -> dict[int, Rows]:
    """Return the positions of each band, drawn of those that are held out."""
    parts = []
    for shard in range(folder.shards(generation)):
        rows = folder.games(generation, shard)
        parts.append(rows[held_out_of(rows, generation) & np.isin(64 - rows["discs"], BANDS)])
    every: Rows = np.concatenate(parts) if parts else np.empty(0, ROW)
    if len(every) == 0:
        raise TrainingError(f"{folder.generation(generation)} has no held-out positions")
    seed = mix(np.array([settings.seed], np.uint64))
    order = np.argsort(mix(hashes(every["own"], every["opp"]) ^ seed), kind="stable")
    every = every[order]
    return {n: every[64 - every["discs"] == n][: settings.positions] for n in BANDS}


class _State:
    # The bands that are measured, so that the step can go on where it was broken off.
    def __init__(self, folder: Folder, generation: int, wanted: Record) -> None:
        self._path = folder.generation(generation) / "probcut"
        settings_path = self._path / "settings.json"
        if not settings_path.exists() or load_json(settings_path) != wanted:
            self.remove()
            self._path.mkdir(parents=True)
            write_json(settings_path, wanted)

    def load(self, empties: int) -> Values | None:
        path = self._band(empties)
        return np.load(path) if path.exists() else None

    def save(self, empties: int, values: Values) -> None:
        write_array(self._band(empties), values)

    def remove(self) -> None:
        if self._path.exists():
            shutil.rmtree(self._path)

    def _band(self, empties: int) -> Any:
        return self._path / f"empties-{empties:02d}.npy"

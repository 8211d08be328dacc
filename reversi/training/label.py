"""Gives a generation's positions their values: exact ones, searched ones or the game's outcome."""

from __future__ import annotations

import hashlib
from contextlib import closing
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from reversi._load import core
from reversi.errors import TrainingError
from reversi.training.folder import Folder, write_array
from reversi.training.positions import (
    EXACT,
    LABEL,
    NO_LABEL,
    OUTCOME,
    Rows,
    boards_of,
    drawn,
    hashes,
)
from reversi.training.work import Progress, in_order, pieces

# Positions a thread labels at a time: Ctrl-C waits for so many.
_PIECE = 128
# So many labels of the first shard tell whether the core still gives the same ones.
_COMPARED = 16


@dataclass(frozen=True, slots=True)
class Settings:
    """What labels depend on, besides the weights: plies, empty squares, a share of positions."""

    depth: int
    exact: int
    sample: float


def label(
    folder: Folder, generation: int, settings: Settings, threads: int, progress: Progress
) -> None:
    """Label the shards of games that have no labels yet.

    Positions of at most ``exact`` empty squares get their exact value. Of the others, in
    generation 0, all get their game's outcome; later a share gets the value of a search.
    Raises TrainingError if the plan has other settings or there are no games.
    """
    weights = folder.teacher(generation)
    shards = folder.shards(generation)
    if shards == 0:
        raise TrainingError(f"{folder.generation(generation)} has no games yet")

    def value(boards: NDArray[np.uint64]) -> NDArray[np.int16]:
        values = np.empty(len(boards), np.int16)
        core.label(weights, boards, values, settings.depth, settings.exact)
        return values

    rows = folder.games(generation, 0)
    worked = _worked(kinds_of(rows, settings, searched=weights is not None))
    some = rows[worked[:: max(1, len(worked) // _COMPARED)][:_COMPARED]]
    first = value(boards_of(some)).astype("<i2").tobytes()
    wanted = {
        **asdict(settings),
        "weights": folder.teacher_id(generation),
        "first_labels": hashlib.sha256(first).hexdigest()[:16],
    }
    folder.agree(generation, "label", wanted)
    todo = [n for n in range(shards) if not folder.labels_path(generation, n).exists()]
    progress(shards - len(todo), shards)
    for count, shard in enumerate(todo, start=shards - len(todo)):
        rows = folder.games(generation, shard)
        kinds = kinds_of(rows, settings, searched=weights is not None)
        worked = _worked(kinds)
        labels = np.zeros(len(rows), LABEL)
        labels["kind"] = kinds
        outcomes = kinds == OUTCOME
        labels["value"][outcomes] = core.UNIT * rows["outcome"][outcomes].astype(np.int16)
        boards = boards_of(rows[worked])
        tasks = (boards[first:stop] for first, stop in pieces(0, len(boards), _PIECE))
        values = []
        with closing(in_order(value, tasks, threads)) as parts:
            for part in parts:
                values.append(part)
                progress(count + _PIECE * len(values) / (len(boards) + _PIECE), shards)
        if values:
            labels["value"][worked] = np.concatenate(values)
        write_array(folder.labels_path(generation, shard), labels)
        progress(count + 1, shards)


def _worked(kinds: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Return where the labels are that the core has to work out."""
    return np.flatnonzero((kinds != OUTCOME) & (kinds != NO_LABEL))


def kinds_of(rows: Rows, settings: Settings, searched: bool) -> NDArray[np.uint8]:
    """Return the kind of label that each row gets; a function of its position alone."""
    if not searched:
        above = np.full(len(rows), OUTCOME, np.uint8)
    else:
        chosen = drawn(hashes(rows["own"], rows["opp"]), settings.sample)
        above = np.where(chosen, settings.depth, NO_LABEL).astype(np.uint8)
    return np.where(64 - rows["discs"] <= settings.exact, EXACT, above).astype(np.uint8)

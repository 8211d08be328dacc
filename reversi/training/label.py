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
    """What labels depend on, besides the weights: plies, empty squares, a share of positions.

    Half of the searches go one ply less deep than ``depth``: those of even depths come out too low
    for the side to move and those of odd ones too high, and the evaluation would learn either.
    """

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

    def value(piece: tuple[Rows, int]) -> NDArray[np.int16]:
        rows, depth = piece
        values = np.empty(len(rows), np.int16)
        core.label(weights, boards_of(rows), values, depth, settings.exact)
        return values

    rows = folder.games(generation, 0)
    first = b""
    for kind, places in _worked(kinds_of(rows, settings, searched=weights is not None)):
        some = rows[places[:: max(1, len(places) // _COMPARED)][:_COMPARED]]
        first += value((some, kind)).astype("<i2").tobytes()
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
        labels = np.zeros(len(rows), LABEL)
        labels["kind"] = kinds
        outcomes = kinds == OUTCOME
        labels["value"][outcomes] = core.UNIT * rows["outcome"][outcomes].astype(np.int16)
        parts = [
            (places[start:stop], kind)
            for kind, places in _worked(kinds)
            for start, stop in pieces(0, len(places), _PIECE)
        ]
        tasks = ((rows[places], kind) for places, kind in parts)
        with closing(in_order(value, tasks, threads)) as values:
            for done, ((places, _kind), found) in enumerate(zip(parts, values, strict=True), 1):
                labels["value"][places] = found
                progress(count + done / (len(parts) + 1), shards)
        write_array(folder.labels_path(generation, shard), labels)
        progress(count + 1, shards)


def _worked(kinds: NDArray[np.uint8]) -> list[tuple[int, NDArray[np.intp]]]:
    """Return the kinds of label that the core has to work out, and where each is."""
    return [
        (int(kind), np.flatnonzero(kinds == kind))
        for kind in np.unique(kinds)
        if kind not in (OUTCOME, NO_LABEL)
    ]


def kinds_of(rows: Rows, settings: Settings, searched: bool) -> NDArray[np.uint8]:
    """Return the kind of label that each row gets; a function of its position alone."""
    if not searched:
        above = np.full(len(rows), OUTCOME, np.uint8)
    else:
        words = hashes(rows["own"], rows["opp"])
        depths = settings.depth - (words & np.uint64(1)).astype(np.int64)
        above = np.where(drawn(words, settings.sample), depths, NO_LABEL).astype(np.uint8)
    return np.where(64 - rows["discs"] <= settings.exact, EXACT, above).astype(np.uint8)

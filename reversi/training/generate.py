"""Makes a generation's games: plays them, keeps each position once, writes them by shards."""

from __future__ import annotations

import hashlib
from contextlib import closing
from dataclasses import asdict, dataclass

import numpy as np

from reversi._load import core
from reversi.errors import TrainingError
from reversi.training.folder import Folder, write_array
from reversi.training.positions import ROW, Rows, Words, canonical, hashes
from reversi.training.work import Progress, in_order, pieces

# Games a thread plays at a time: Ctrl-C waits for so many.
_PIECE = 40


@dataclass(frozen=True, slots=True)
class Settings:
    """What a generation's games depend on, besides the weights they are played with."""

    games: int
    depth: int
    seed: int
    shard_games: int = 2000


def generate(
    folder: Folder, generation: int, settings: Settings, threads: int, progress: Progress
) -> None:
    """Play the games that are not there yet; breaking off changes nothing in the files.

    More games may be asked for than before, if the last shard is full. Raises TrainingError if the
    plan has other settings, WeightsError if the weights of the generation before cannot be read.
    """
    weights = folder.teacher(generation)
    _agree(folder, generation, settings, weights)
    done = folder.shards(generation)
    seen = np.empty(0, np.uint64)
    for shard in range(done):
        rows = folder.games(generation, shard)
        seen = np.concatenate([seen, hashes(rows["own"], rows["opp"])])
    seen.sort()

    def play(bounds: tuple[int, int]) -> Rows:
        first, stop = bounds
        packed = core.play_games(weights, settings.seed, first, stop - first, settings.depth)
        rows = np.frombuffer(packed, ROW).copy()
        rows["own"], rows["opp"] = canonical(rows["own"], rows["opp"])
        return rows

    starts = range(done * settings.shard_games, settings.games, settings.shard_games)
    shards = [(start, min(start + settings.shard_games, settings.games)) for start in starts]
    tasks = [piece for start, stop in shards for piece in pieces(start, stop, _PIECE)]
    progress(min(done * settings.shard_games, settings.games), settings.games)
    with closing(in_order(play, tasks, threads)) as played:
        for number, (start, stop) in enumerate(shards, start=done):
            parts = []
            for _first, last in pieces(start, stop, _PIECE):
                parts.append(next(played))
                progress(last, settings.games)
            rows, seen = _unseen(np.concatenate(parts), seen)
            write_array(folder.games_path(generation, number), rows)


def _agree(
    folder: Folder, generation: int, settings: Settings, weights: core.Weights | None
) -> None:
    # A core that plays otherwise would go on with games of another kind: the first one tells.
    first = core.play_games(weights, settings.seed, 0, 1, settings.depth)
    wanted = {
        **asdict(settings),
        "weights": folder.teacher_id(generation),
        "first_game": hashlib.sha256(first).hexdigest()[:16],
    }
    before = folder.settings(generation, "generate")
    if before is not None and before["games"] != settings.games:
        if settings.games < before["games"]:
            raise TrainingError(
                f"{folder.plan_path}: generation {generation} has {before['games']} games;"
                f" {settings.games} are fewer"
            )
        if before["games"] % before["shard_games"]:
            raise TrainingError(
                f"{folder.plan_path}: generation {generation} has {before['games']} games, and its"
                f" last shard is not full; only whole shards can be added to"
            )
    folder.agree(generation, "generate", wanted, changeable=("games",))


def _unseen(rows: Rows, seen: Words) -> tuple[Rows, Words]:
    """Return the rows whose positions come for the first time, and the hashes with theirs."""
    words = hashes(rows["own"], rows["opp"])
    unique, first = np.unique(words, return_index=True)
    places = np.searchsorted(seen, unique)
    known = np.zeros(len(unique), np.bool_)
    inside = places < len(seen)
    known[inside] = seen[places[inside]] == unique[inside]
    kept = np.sort(first[~known])
    return rows[kept], np.insert(seen, places[~known], unique[~known])

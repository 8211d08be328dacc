"""Where the games of a match begin: balanced positions by chance, or those of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

from reversi.board import Board
from reversi.engine import Engine
from reversi.limits import Limit

__all__ = ["enough_openings", "random_openings"]

# A search of so many plies expects at most so many discs for either side. Of positions after eight
# moves of chance a third is kept, and each costs some milliseconds.
_JUDGING_DEPTH = 8
_MOST_DISCS = 4.0
# After so many that are known or not balanced in a row there are no more: there are four first
# moves, all alike, and three second ones.
_PATIENCE = 10_000
# After six plies there are some hundreds.
_FEW_PLIES = 6


def enough_openings(seed: int, plies: int, count: int) -> Iterable[Board]:
    """Return so many of the `random_openings`: where there may be too few all of them at once.

    Raises ValueError where there are too few.

    >>> enough_openings(1, plies=1, count=2)
    Traceback (most recent call last):
    ValueError: after 1 plies there is 1 balanced opening; expected 2
    """
    openings = islice(random_openings(seed, plies), count)
    if plies > _FEW_PLIES:
        return openings
    found = list(openings)
    if len(found) < count:
        there = f"{'is' if len(found) == 1 else 'are'} {len(found)} balanced opening"
        plural = "" if len(found) == 1 else "s"
        raise ValueError(f"after {plies} plies there {there}{plural}; expected {count}")
    return found


def random_openings(seed: int, plies: int) -> Iterator[Board]:
    """Yield balanced positions after so many moves of chance, each with the moves behind it; no two
    are mirrored or turned pictures of each other. The same for the same seed; it ends where nearly
    all that there are were yielded.

    >>> first, second = next(random_openings(1, plies=8)), next(random_openings(2, plies=8))
    >>> first.empties, first.transcript() != second.transcript()
    (52, True)
    """
    random, seen = Random(seed), set[Board]()
    failed = 0
    with Engine(hash_mb=1) as judge:
        while failed < _PATIENCE:
            failed += 1
            board = Board()
            while len(board.move_stack) < plies and not board.is_game_over():
                board.push(random.choice(list(board.legal_moves)))
            picture = board.canonical()
            if picture in seen or board.is_game_over():
                continue
            seen.add(picture)
            if _is_balanced(judge, board):
                failed = 0
                yield board


def _is_balanced(judge: Engine, board: Board) -> bool:
    judge.clear()  # so that no judgement depends on those before
    found = judge.search(board, Limit(depth=_JUDGING_DEPTH))
    return found.value is not None and abs(found.value) <= _MOST_DISCS

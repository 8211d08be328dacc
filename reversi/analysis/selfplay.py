"""Positions from games of the engine against itself: endless, and the same for the same seed."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import count

from reversi import weights as weight_files
from reversi._load import core
from reversi.board import Board
from reversi.limits import check_integer
from reversi.squares import BLACK, WHITE

__all__ = ["self_play"]

# As core.play_games packs a position: discs of the side to move and of the other, the number of the
# game, of discs, the game's result for the side to move, two bytes that fill up.
_ROW = struct.Struct("<QQIBb2x")
# A game takes some 15 ms at this depth; so many are played at a time, and Ctrl-C waits for them.
_DEPTH, _GAMES = 4, 8


def self_play(seed: int = 0) -> Iterator[Board]:
    """Yield the positions of games that begin with moves of chance and go on with the engine's own,
    4 plies deep and a disc or two off the best at times: game by game, without end, those without a
    move left out. ``seed`` is 0 to 2 ** 64 - 1.

    >>> next(self_play(seed=1)).empties, next(self_play(seed=1)) == next(self_play(seed=1))
    (60, True)
    """
    check_integer("seed", seed, 0, 2**64 - 1)
    return _positions(seed)


def _positions(seed: int) -> Iterator[Board]:
    weights = weight_files.default_weights()
    for first in count(0, _GAMES):
        rows = core.play_games(weights, seed, first, _GAMES, _DEPTH)
        for own, opp, _game, discs, _result in _ROW.iter_unpack(rows):
            # The rows do not keep the colours: black is given the moves that it mostly has.
            black_to_move = discs % 2 == 0
            black, white = (own, opp) if black_to_move else (opp, own)
            yield Board.from_bitboards(black, white, BLACK if black_to_move else WHITE)

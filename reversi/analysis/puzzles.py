"""Finds puzzles: positions with a single best move, proved exactly. Knows no file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from reversi.analysis.checks import check_engine, check_positions
from reversi.board import Board
from reversi.engine import Engine
from reversi.game import Game
from reversi.limits import Limit, check_integer
from reversi.results import SearchInfo
from reversi.squares import BLACK

__all__ = ["DIFFICULTY", "EMPTIES", "MARGIN", "Puzzle", "find_puzzles"]

EMPTIES = 12
MARGIN = 4
# Of the positions with a single best move of self-play, the first ply of a search finds half; at
# difficulty 3 two fifths are left (12 empty squares, 124 positions).
DIFFICULTY = 3
# A search of one more ply takes twice the time, and few puzzles need it.
_DEEPEST = 10


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which one move is better than all others.

    ``board`` has no history; ``values`` are the exact values of all legal moves in discs, in the
    view of the side to move, the winner getting the empty squares: the best move first. The
    ``difficulty`` is how many plies a search must look ahead to find the best move and stay with
    it: 1 is seen at a glance, 11 is not seen by 10 plies.

    >>> board = Board.from_obf("XXXXXXXOXOOOOOXOXOOXOXXXXOXOXOXXOOXXOXXXXXXOXOXXXXXX-OOXXXX----O O")
    >>> puzzle = next(find_puzzles([board], empties=5))
    >>> puzzle.values, puzzle.margin, puzzle.difficulty >= 3
    ({'d8': -12, 'e7': -18, 'e8': -24}, 6, True)
    """

    board: Board
    values: dict[str, int] = field(hash=False)
    difficulty: int

    @property
    def best_move(self) -> str:
        """The solution."""
        return next(iter(self.values))

    @property
    def value(self) -> int:
        """What the best move is worth."""
        return self.values[self.best_move]

    @property
    def margin(self) -> int:
        """By how many discs the best move is better than the second best."""
        first, second, *_ = self.values.values()
        return first - second

    def game(self) -> Game:
        """Return the puzzle as the formats write it: a game that starts there, with the values of
        the moves in the header ``values``."""
        values = " ".join(f"{move}:{value:+d}" for move, value in self.values.items())
        return Game(self.board, {"values": values})

    def as_dict(self) -> dict[str, Any]:
        """Return the puzzle as JSON takes it; see docs/analysis.md."""
        return {
            "board": self.board.obf(),
            "empties": self.board.empties,
            "best_move": self.best_move,
            "value": self.value,
            "margin": self.margin,
            "difficulty": self.difficulty,
            "values": dict(self.values),
        }


def find_puzzles(
    positions: Iterable[Board | Game],
    *,
    empties: int | tuple[int, int] = EMPTIES,
    margin: int = MARGIN,
    difficulty: int = DIFFICULTY,
    engine: Engine | None = None,
) -> Iterator[Puzzle]:
    """Yield a puzzle for each position that is one, as they are found; of games, the positions of
    the main line.

    A puzzle has so many ``empties`` (2 to 60; a pair is the least and the most), at least two legal
    moves, one of them better than all others by ``margin`` discs (1 to 128) or more, and is of this
    ``difficulty`` (1 to 11, and not above the empty squares) at least. Mirrored and turned pictures
    of a puzzle and those with the colours exchanged come once. ``engine`` (default: one of its own)
    proves the value of every move: milliseconds up to 14 empty squares, a second at 20. Raises
    ValueError for values out of range, TypeError for one board or game alone.

    >>> from reversi.analysis import self_play
    >>> puzzle = next(find_puzzles(self_play(seed=1), empties=8))
    >>> puzzle.board.empties, puzzle.margin >= 4
    (8, True)
    """
    check_positions(positions)
    check_engine(engine)
    least, most = empties if isinstance(empties, tuple) else (empties, empties)
    check_integer("empties", least, 2, 60)
    check_integer("empties", most, least, 60)
    check_integer("margin", margin, 1, 128)
    check_integer("difficulty", difficulty, 1, min(most, _DEEPEST + 1))
    return _puzzles(positions, range(least, most + 1), margin, difficulty, engine)


def _puzzles(
    positions: Iterable[Board | Game],
    empties: range,
    margin: int,
    difficulty: int,
    given: Engine | None,
) -> Iterator[Puzzle]:
    found: set[Board] = set()
    with Engine() if given is None else nullcontext(given) as engine, Engine(hash_mb=1) as looker:
        for board in _boards(positions):
            if board.empties not in empties or len(board.legal_moves) < 2:
                continue
            picture = Board.from_bitboards(board.own, board.opp, BLACK).canonical()
            if picture in found:
                continue
            values = _values(engine, board, margin)
            if values is None:
                continue
            needed = _difficulty(looker, board, next(iter(values)))
            if needed >= difficulty:
                found.add(picture)
                yield Puzzle(
                    Board.from_bitboards(board.black, board.white, board.turn), values, needed
                )


def _boards(positions: Iterable[Board | Game]) -> Iterator[Board]:
    for position in positions:
        if isinstance(position, Game):
            yield from position.boards()
        elif isinstance(position, Board):
            yield position
        else:
            raise TypeError(f"a position is {position!r}; expected a Board or a Game")


def _values(engine: Engine, board: Board, margin: int) -> dict[str, int] | None:
    """Return the exact value of each move, the best first; None where it is no puzzle."""
    # Most positions have several best moves, which is found out sooner than all values.
    if len(engine.solve(board).best_moves) != 1:
        return None
    values = engine.solve(board, every_move=True).values
    first, second, *_ = values.values()
    return values if first - second >= margin else None


def _difficulty(looker: Engine, board: Board, best_move: str) -> int:
    """Return the first depth from which on a search holds the best move to be best."""
    looker.clear()  # what it knows of other positions would show
    steps: list[SearchInfo] = []
    # One ply short of the end at most: a search that may reach it leaves out the depths before.
    limit = Limit(depth=min(_DEEPEST, board.empties - 1))
    looker.search(board, limit, on_info=steps.append)
    missed = [step.depth for step in steps if step.move != best_move]
    return missed[-1] + 1 if missed else 1

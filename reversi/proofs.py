"""Exact proofs of a root, move by move, over the core's null windows. Knows no clock."""

from __future__ import annotations

from collections.abc import Sequence

from reversi._load import core
from reversi.board import Board

MOST = 64


class Proof:
    """What is proved of a root's moves, in discs in the view of its side to move. It grows with
    each question, and keeps what it has when a limit comes in between."""

    def __init__(self, searcher: core.Searcher, board: Board, moves: Sequence[int]) -> None:
        self._searcher = searcher
        self._children: dict[int, Board] = {}
        self.bounds = dict.fromkeys(moves, (-MOST, MOST))
        for move in moves:
            child = board.copy()
            child.push(move)
            self._children[move] = child

    @property
    def lower(self) -> int:
        """The least that the best move is worth."""
        return max(lower for lower, _ in self.bounds.values())

    @property
    def upper(self) -> int:
        """The most that the best move is worth."""
        return max(upper for _, upper in self.bounds.values())

    @property
    def outcome_known(self) -> bool:
        """Whether it is proved who wins."""
        lower, upper = self.lower, self.upper
        return lower > 0 or upper < 0 or lower == upper

    def best(self, order: Sequence[int], expected: float) -> int:
        """The move to play after what is proved, of `order`, the best first, by a search that
        expects so many discs: one that is proved better than the first, or, if the first loses
        against expectation, the next that may not."""
        best = order[0]
        for move in order[1:]:
            if self.bounds[move][0] > self.bounds[best][1]:
                best = move
        if self.bounds[best][1] < 0 <= expected:
            return next((move for move in order if self.bounds[move][1] >= 0), best)
        return best

    def decide(self, order: Sequence[int], guess: int) -> None:
        """Proves who wins, where the limits allow."""
        # A win needs one move; that there is none needs all of them.
        for value in (1, 0) if guess > 0 else (0, 1):
            for move in order:
                if self._searcher.stopped or self.outcome_known:
                    return
                if self.at_least(move, value):
                    break

    def solve(self, order: Sequence[int], guess: int, count: int = 1) -> list[int] | None:
        """Proves the exact values of the `count` best moves, and that no other is better; returns
        them, the best first. None where a limit came first."""
        found: list[int] = []
        for move in order:
            if len(found) < count:
                self.settle(move, guess)
            else:
                bar = self.bounds[found[count - 1]][0]
                if not self.at_least(move, bar + 1):
                    continue
                self.settle(move, bar + 2)
            if self._searcher.stopped:
                return None
            found.append(move)
            found.sort(key=lambda settled: -self.bounds[settled][0])
            guess = self.bounds[found[0]][0]
        return None if self._searcher.stopped else found[:count]

    def line(self, move: int) -> list[int]:
        """The line of best play behind a move whose value is proved, the move first."""
        child = self._children[move]
        return [move, *self._searcher.line(child.own, child.opp, -self.bounds[move][0])]

    def at_least(self, move: int, value: int) -> bool:
        """Whether a move is worth so much; False as well where a limit came first."""
        lower, upper = self.bounds[move]
        if lower < value <= upper:
            self._narrow(move, -value, 1 - value, 1 - value)
        return self.bounds[move][0] >= value

    def settle(self, move: int, guess: int) -> None:
        """Proves the exact value of a move, where the limits allow."""
        lower, upper = self.bounds[move]
        if lower < upper:
            self._narrow(move, -upper, -lower, -guess)

    def _narrow(self, move: int, alpha: int, beta: int, guess: int) -> None:
        child = self._children[move]
        low, high = self._searcher.prove(child.own, child.opp, alpha, beta, guess)
        lower, upper = self.bounds[move]
        self.bounds[move] = max(lower, -high), min(upper, -low)

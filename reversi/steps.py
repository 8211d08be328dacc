"""Iterative deepening over the search by the learned evaluation, and the way to the exact end.

A search deepens its middle game a ply at a time. Where the end of the game is near enough, and the
budget allows it, it goes on to the end: first leaving out the improbable, then less and less of it,
and at last nothing. Knows a search's limits and records; the engine around it owns the table, the
threads and the stop button.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from reversi._load import core
from reversi.board import Board
from reversi.limits import Limit, budget_ms
from reversi.plans import EXACT, LIKELY, PERCENT, SURE, SURER, Plan
from reversi.proofs import MOST, Proof
from reversi.results import Certainty, Line, SearchInfo
from reversi.squares import parse_move, square_name

# A step beside those of selectivity: the question who wins.
OUTCOME = -1

# Up to this depth a search leaves out nothing, and values all moves to order them.
FULL_DEPTH = 4
# The search goes on to the end where the middle game is so many plies short of it, or fewer: each
# ply of them multiplies the time by some 1.3. (At 20 and 25 empty squares gaps of 8 to 12 cost the
# same in sum.)
_END_GAP = 10
_END_GROWTH = 1.3
# With so many empty squares or fewer the exact end is the next step after the middle game.
_EXACT_AT_ONCE = 16
# An exact search takes so many times as long as one to the end at 73 %: 3 at 20 empty squares, 40
# at 25 (40 and 5 hard positions).
_EXACT_TIMES, _EXACT_GROWTH, _EXACT_EMPTIES = 3.0, 1.68, 20
# Where that is in doubt, steps come between: to know at least who wins up to so many empty squares,
# and before that to be surer. Without a limit they show how the search gets on.
_OUTCOME_FIRST, _SURER_FIRST, _DIRECT = 21, 25, 24


@dataclass(slots=True)
class Step:
    """One search of the root, and what it took."""

    depth: int
    selectivity: int
    nodes: int = 0
    elapsed_ms: float = 0.0


class Deepening:
    """One search of one root, step by step, by the first of the searchers; what the others visit,
    in other threads, counts as well. ``start`` is the search's first perf_counter()."""

    def __init__(
        self,
        searchers: Sequence[core.Searcher],
        board: Board,
        moves: Sequence[int],
        plan: Plan,
        limit: Limit,
        start: float,
        count: int = 1,
    ) -> None:
        self._searchers = searchers
        self._searcher = searchers[0]
        self._board = board
        self.plan = plan
        self._limit = limit
        self._start = start
        self._count = min(count, len(moves))
        self._empties = board.empties
        self.order = list(moves)
        self.proof = Proof(self._searcher, board, moves)
        self._last: SearchInfo | None = None
        self._took = Step(0, EXACT)
        # What helpers look at: the step under way, the value to expect; what tells them of a step.
        self.current = Step(1, EXACT)
        self.guess: int | None = None
        self.on_step: Callable[[Step], None] | None = None

    def run(self) -> Generator[SearchInfo, None, SearchInfo]:
        """Yields a record of each completed step; returns the last one with all that the search
        took, a step that it did not complete included."""
        for step in self._steps():
            nodes, began = self._nodes(), time.perf_counter()
            self.current = step
            if self.on_step:
                self.on_step(step)
            info = self._search(step)
            if info is None:
                break
            step.nodes = self._nodes() - nodes
            step.elapsed_ms = (time.perf_counter() - began) * 1000
            self._took, self._last = step, info
            yield info
        assert self._last is not None
        return self._timed(self._concluded(self._last))

    # --- Which step comes next -----------------------------------------------------------------

    def _steps(self) -> Iterator[Step]:
        """The steps, each chosen by what the one before it took."""
        plan, empties = self.plan, self._empties
        allowed = [s for s in range(len(PERCENT)) if empties <= plan.ends[s]]
        for depth in range(1, max(1, min(plan.depth, empties - 1)) + 1):
            yield Step(depth, EXACT if depth <= FULL_DEPTH else plan.middle)
            if allowed and self._can_end(depth):
                break
        if not allowed:
            return
        last = allowed[0]
        if last < LIKELY and empties > _EXACT_AT_ONCE:
            if plan.least == LIKELY:
                yield Step(empties, LIKELY)
            if last == EXACT:
                for selectivity in self._between():
                    yield Step(empties, selectivity)
        if not (self._last and self._last.exact):
            yield Step(empties, last)

    def _between(self) -> tuple[int, ...]:
        """The steps between the end at 73 %, or the middle game, and the exact end."""
        empties, room = self._empties, self._room()
        in_time = room >= 1.5 * _EXACT_TIMES * _EXACT_GROWTH ** (empties - _EXACT_EMPTIES)
        if in_time and (empties <= _DIRECT or room < math.inf):
            return ()
        steps: tuple[int, ...] = () if empties <= _OUTCOME_FIRST else (SURE,)
        if empties >= _SURER_FIRST:
            steps += (SURER,)
        steps = tuple(step for step in steps if step <= self.plan.least)
        return steps if in_time or self._count > 1 else (*steps, OUTCOME)

    def _can_end(self, depth: int) -> bool:
        """Whether the end of the game may be the next step, after one of this depth."""
        gap = self._empties - depth
        return gap <= _END_GAP and self._room() >= _END_GROWTH**gap

    def _room(self) -> float:
        """How many times what the last step took is left of the budget."""
        room = math.inf
        if self._limit.nodes is not None:
            room = (self._limit.nodes - self._nodes()) / max(1, self._took.nodes)
        if self._limit.time_ms is not None:
            left = budget_ms(self._limit.time_ms) - self._elapsed_ms()
            room = min(room, left / max(1.0, self._took.elapsed_ms))
        return room

    # --- A step ----------------------------------------------------------------------------------

    def _search(self, step: Step) -> SearchInfo | None:
        """Takes a step; None when a limit came first."""
        if step.depth == self._empties and step.selectivity <= EXACT:
            return self._prove(step.selectivity)
        board = self._board
        # Shallow searches value all moves, which costs nothing, to order them.
        count = len(self.order) if step.depth <= FULL_DEPTH else self._count
        found = self._searcher.search_strong(
            board.own,
            board.opp,
            self.order,
            step.depth,
            step.selectivity,
            count=count,
            guess=self.guess,
            must_finish=self._last is None,
        )
        if found is None:
            return None
        self.guess = found[0][1]
        self._put_first([move for move, _, _ in found])
        lines = tuple(
            Line(square_name(move), value / core.UNIT, tuple(map(square_name, line)))
            for move, value, line in found[: self._count]
        )
        # Weights without deviations leave nothing out, whatever was asked for.
        percent = PERCENT[step.selectivity] if self._searcher.selective else PERCENT[EXACT]
        certainty = Certainty("search", step.depth, percent)
        return self._record(lines, self.guess / core.UNIT, certainty)

    def _prove(self, selectivity: int) -> SearchInfo | None:
        """Proves who wins, or the exact values of the best moves."""
        guess = round((self.guess or 0) / core.UNIT)
        if selectivity == OUTCOME:
            self.proof.decide(self.order, guess)
            return self._proved() if self.proof.outcome_known else None
        best = self.proof.solve(self.order, guess, self._count)
        if best is None:
            return None
        self._put_first(best)
        return self._solved(best)

    def _put_first(self, moves: Sequence[int]) -> None:
        self.order = [*moves, *(move for move in self.order if move not in moves)]

    # --- Records ---------------------------------------------------------------------------------

    def _concluded(self, last: SearchInfo) -> SearchInfo:
        """The last record, after what was proved in a step that was not completed."""
        proof, best = self.proof, parse_move(last.move)
        nothing = (proof.lower, proof.upper) == (-MOST, MOST)
        if last.exact or (nothing and proof.best(self.order, last.value or 0.0) == best):
            return last
        return self._proved()

    def _proved(self) -> SearchInfo:
        """A record of the bounds that are proved."""
        last, proof = self._last, self.proof
        assert last is not None and last.value is not None and last.certainty is not None
        best, lower, upper = proof.best(self.order, last.value), proof.lower, proof.upper
        if lower == upper:
            # Of moves that may all be worth so much, one that is proved to be.
            best = next(m for m in (best, *self.order) if proof.bounds[m][0] == lower)
            self._put_first([best])
            return self._solved([best])
        self._put_first([best])
        name = square_name(best)
        known = next((line for line in last.lines if line.move == name), None)
        expected = last.value if known is None or known.value is None else known.value
        value = float(min(max(expected, lower), proof.bounds[best][1]))
        line = Line(name, value, (name,) if known is None else known.pv)
        lines = (line, *self._others([best], value))[: self._count]
        certainty = replace(last.certainty, kind="bound", lower=lower, upper=upper)
        return self._record(lines, value, certainty)

    def _solved(self, best: Sequence[int]) -> SearchInfo:
        """A record of the solved root; these best moves have exact values."""
        bounds, lines = self.proof.bounds, []
        assert bounds[best[0]][0] == bounds[best[0]][1]
        for move in best:
            pv = tuple(map(square_name, self.proof.line(move)))
            lines.append(Line(square_name(move), float(bounds[move][0]), pv))
        value = bounds[best[0]][0]
        lines += self._others(best, float(value))
        certainty = Certainty("exact", self._empties, 100, value, value)
        return self._record(tuple(lines[: self._count]), float(value), certainty)

    def _others(self, first: Sequence[int], most: float) -> list[Line]:
        """The last record's lines of other moves than the first, the best of them first: their
        values within what is proved of each, and `most`."""
        others = []
        for line in self._last.lines if self._last else ():
            move = parse_move(line.move)
            if move not in first:
                lower, upper = self.proof.bounds[move]
                value = float(min(max(line.value or 0.0, lower), upper, most))
                others.append((-value, replace(line, value=value)))
        return [line for _, line in sorted(others, key=lambda other: other[0])]

    def _record(self, lines: tuple[Line, ...], value: float, certainty: Certainty) -> SearchInfo:
        exact = certainty.kind == "exact"
        return self._timed(
            SearchInfo(
                side=self._board.turn,
                source="engine",
                move=lines[0].move,
                depth=certainty.depth,
                nodes=0,
                nps=0.0,
                elapsed_ms=0.0,
                score=core.terminal_score(int(value)) if exact else round(value * 100),
                pv=lines[0].pv,
                exact=exact,
                value=value,
                certainty=certainty,
                lines=lines,
            )
        )

    def _timed(self, info: SearchInfo) -> SearchInfo:
        elapsed, nodes = self._elapsed_ms(), self._nodes()
        return replace(info, nodes=nodes, nps=nodes / elapsed * 1000, elapsed_ms=elapsed)

    def _nodes(self) -> int:
        return sum(searcher.nodes for searcher in self._searchers)

    def _elapsed_ms(self) -> float:
        return (time.perf_counter() - self._start) * 1000

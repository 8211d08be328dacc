"""Helpers of a search by the learned evaluation: threads that search the same root beside it.

The table is all they share with the search that they help, which finds there what they have looked
at already (lazy SMP, as many engines do it). They answer nothing themselves.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Sequence

from reversi._load import core
from reversi.board import Board
from reversi.plans import EXACT
from reversi.proofs import Proof
from reversi.results import SearchInfo
from reversi.steps import FULL_DEPTH, OUTCOME, Deepening, Step

_IDLE_S = 0.001


def helped(
    deepening: Deepening, searchers: Sequence[core.Searcher], board: Board
) -> Generator[SearchInfo, None, SearchInfo]:
    """As the deepening's own run, with a thread for each of the searchers as long as it lasts."""
    helpers = [
        _Helper(deepening, searcher, board, number) for number, searcher in enumerate(searchers)
    ]
    threads = [threading.Thread(target=helper.work, daemon=True) for helper in helpers]

    def tell(step: Step) -> None:
        for helper in helpers:
            helper.turn_to(step)

    deepening.on_step = tell
    try:
        for thread in threads:
            thread.start()
        last = yield from deepening.run()
    finally:
        # The flag stays up: a helper that has not begun yet ends as it begins.
        for searcher in searchers:
            searcher.stop()
    for thread in threads:
        thread.join()
    for helper in helpers:
        if helper.error is not None:
            raise helper.error
    return last


class _Helper:
    """One thread's part."""

    def __init__(
        self, deepening: Deepening, searcher: core.Searcher, board: Board, number: int
    ) -> None:
        self._deepening = deepening
        self._searcher = searcher
        self._board = board
        self._number = number
        self._task = Step(0, EXACT)
        self._done: set[tuple[int, int]] = set()
        self.error: BaseException | None = None

    def turn_to(self, step: Step) -> None:
        """Ends what is no help any more for the step that begins now."""
        ends = step.depth == self._board.empties
        if self._task.depth < step.depth or (ends and self._task.selectivity != step.selectivity):
            self._searcher.interrupt()

    def work(self) -> None:
        """Searches until it is stopped, or a limit ends it."""
        try:
            while not self._searcher.told_to_stop:
                step = self._deepening.current
                task = self._next(step)
                if task is None:
                    time.sleep(_IDLE_S)
                    continue
                self._task = task
                self._help(task)
                if not self._searcher.stopped:
                    self._done.add((task.depth, task.selectivity))
                elif step is self._deepening.current:
                    return
        except BaseException as error:
            self.error = error

    def _next(self, step: Step) -> Step | None:
        """What to search now: in the middle game a ply more or two, in the end the same."""
        empties = self._board.empties
        if step.depth == empties:
            tasks = [Step(empties, step.selectivity)]
        else:
            first = step.depth + 1 + self._number % 2
            middle = self._deepening.plan.middle
            tasks = [
                Step(depth, EXACT if depth <= FULL_DEPTH else middle)
                for depth in range(first, empties)
            ]
        return next((t for t in tasks if (t.depth, t.selectivity) not in self._done), None)

    def _help(self, task: Step) -> None:
        order, guess = list(self._deepening.order), self._deepening.guess
        if task.depth == self._board.empties and task.selectivity <= EXACT:
            self._prove(order, round((guess or 0) / core.UNIT), task.selectivity)
            return
        board = self._board
        self._searcher.search_strong(
            board.own, board.opp, order, task.depth, task.selectivity, guess=guess
        )

    def _prove(self, order: list[int], guess: int, selectivity: int) -> None:
        """Proves of the other moves that they are no better than the first is held to be, beginning
        with another one in each thread, and then helps with the first."""
        proof = Proof(self._searcher, self._board, order)
        first, *others = order
        turn = self._number * len(others) // 8
        for move in others[turn:] + others[:turn]:
            if self._searcher.stopped:
                return
            if selectivity == OUTCOME:
                proof.at_least(move, 1 if guess > 0 else 0)
            else:
                least, most = self._deepening.proof.bounds[first]
                proof.at_least(move, 1 + (least if least == most else guess))
        if selectivity == OUTCOME:
            proof.at_least(first, 1 if guess > 0 else 0)
        else:
            proof.settle(first, guess)

"""Threads that work on a list of tasks, and what they tell of it.

The core lets go of the interpreter while it works, so plain threads use all cores.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

# Told how much is done, and of how much.
Progress = Callable[[float, float], object]

# So many tasks a thread may be done or wait ahead of the one whose result is wanted next.
_AHEAD = 8


def in_order(
    function: Callable[[Task], Result], tasks: Iterable[Task], threads: int
) -> Generator[Result, None, None]:
    """Yield the function's results in the order of the tasks, worked out by threads.

    When the caller leaves off, tasks that have begun are finished, and no more are.

    >>> list(in_order(abs, [-3, 2, -1], threads=2))
    [3, 2, 1]
    """
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for task in tasks:
                waiting.append(pool.submit(function, task))
                if len(waiting) > _AHEAD * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def pieces(start: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of pieces of a range, each of the size but the last.

    >>> list(pieces(3, 10, 4))
    [(3, 7), (7, 10)]
    """
    for first in range(start, stop, size):
        yield first, min(first + size, stop)

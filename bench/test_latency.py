"""How soon a running search ends: by Engine.stop from another thread, and by Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import statistics
import threading
from collections.abc import Callable
from time import perf_counter, sleep

import pytest
from positions import positions

from reversi import Board, Engine, Limit, SearchStopped

ROUNDS = 25
LONG = Limit(time_ms=60_000)
HARD = positions(36, 1)[0]

CALLS: dict[str, Callable[[Engine], object]] = {
    "search": lambda engine: engine.search(Board(), LONG),
    "search by two workers": lambda engine: engine.search(Board(), LONG, workers=2),
    "solve": lambda engine: engine.solve(HARD),
    "perft": lambda engine: Board().perft(14),
}


def report(name: str, latencies_ms: list[float], note: Callable[[str], None]) -> None:
    note(f"{name}: median {statistics.median(latencies_ms):.2f} ms, max {max(latencies_ms):.2f} ms")


@pytest.mark.parametrize("name", [name for name in CALLS if name != "perft"])
def test_stop(name: str, note: Callable[[str], None]) -> None:
    latencies = []
    for _ in range(ROUNDS):
        with Engine(hash_mb=16) as engine:
            pressed: list[float] = []

            def press(engine: Engine = engine, pressed: list[float] = pressed) -> None:
                sleep(0.05 + random.random() / 20)
                pressed.append(perf_counter())
                engine.stop()

            threading.Thread(target=press).start()
            with contextlib.suppress(SearchStopped):
                CALLS[name](engine)
            latencies.append((perf_counter() - pressed[0]) * 1000)
    report(name, latencies, note)


@pytest.mark.parametrize("name", list(CALLS))
def test_ctrl_c(name: str, note: Callable[[str], None]) -> None:
    latencies = []
    for _ in range(ROUNDS):
        pressed: list[float] = []

        def press(pressed: list[float] = pressed) -> None:
            sleep(0.05 + random.random() / 20)
            pressed.append(perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        with Engine(hash_mb=16) as engine:
            threading.Thread(target=press).start()
            with pytest.raises(KeyboardInterrupt):
                CALLS[name](engine)
            latencies.append((perf_counter() - pressed[0]) * 1000)
    report(name, latencies, note)

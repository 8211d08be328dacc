"""Ctrl-C in a real process, and stops from other threads: what runs ends, the engine goes on."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import brute
import pytest

import reversi
from reversi import Board, Engine, Limit, SearchStopped

# Far more than a search needs to notice, far less than any of these would run.
SOON_S = 5.0

CHILD = """
import signal
from reversi import *
# A parent in the background may have left SIGINT ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
engine = Engine(hash_mb=16)
classic = Engine(hash_mb=16, evaluator="classic")
endless = Engine(hash_mb=16, evaluator="classic", exact_endgame_empties=60)
plain = Engine(hash_mb=1, evaluator="classic", use_hash=False, use_ordering=False)
board, minutes = Board(), Limit(time_ms=600_000)
try:
    print("searching", flush=True)
    {call}
    print("finished")
except KeyboardInterrupt:
    print("interrupted")
print([used.search(board, Limit(depth=4)).move for used in (engine, plain)])
"""

CALLS = [
    "engine.search(board, minutes)",
    "engine.search(board, Limit(depth=60))",
    "engine.search(board, minutes, workers=2)",
    "Engine(hash_mb=1, threads=3).search(board, minutes)",
    "endless.search(board, minutes)",
    "plain.search(board, minutes)",
    "list(engine.analyse(board, minutes))",
    "classic.search(board, minutes, on_info=lambda info: None, trace=lambda entry: None)",
    "classic.search(board, minutes)",
    "classic.search(board, minutes, workers=2)",
    "engine.search(board, Limit(depth=60), multipv=5)",
    "engine.solve(board)",
    "plain.solve(board, 'discs')",
    "solve(board)",
    "engine.compare(board)",
    "search_best_move(board.cells(), True, 600_000)",
    "search_best_move(board.cells(), True, 600_000, evaluator='pattern')",
]

posix = pytest.mark.skipif(os.name != "posix", reason="sends SIGINT to one process")


@posix
@pytest.mark.parametrize("call", CALLS)
def test_ctrl_c(call: str) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD.replace("{call}", call)],
        cwd=Path(reversi.__file__).parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "searching\n"
        time.sleep(0.25)
        child.send_signal(signal.SIGINT)
        sent = time.monotonic()
        out, err = child.communicate(timeout=60)
        took = time.monotonic() - sent
    finally:
        child.kill()
    assert err == ""
    assert out == "interrupted\n" + str([_first_move()] * 2) + "\n"
    assert took < SOON_S


def _first_move() -> str | None:
    with Engine(hash_mb=1) as engine:
        return engine.search(Board(), Limit(depth=4)).move


@posix
def test_a_signal_whose_handler_returns_does_not_end_a_search() -> None:
    board = Board.from_obf(brute.obf(*brute.from_game(0, 40)))
    with Engine(hash_mb=1) as engine:
        undisturbed = engine.search(board, Limit(depth=18))
        engine.clear()
        rung: list[int] = []
        old = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
        signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
        try:
            disturbed = engine.search(board, Limit(depth=18))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, old)
    assert rung
    assert (disturbed.move, disturbed.score, disturbed.nodes) == (
        undisturbed.move,
        undisturbed.score,
        undisturbed.nodes,
    )


@posix
def test_what_a_signal_handler_raises_comes_out_of_the_search() -> None:
    def handler(number: int, frame: object) -> None:
        raise TimeoutError("rung")

    with Engine(hash_mb=1) as engine:
        old = signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        try:
            with pytest.raises(TimeoutError, match="rung"):
                engine.search(Board(), Limit(time_ms=60_000))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, old)
        assert engine.search(Board(), Limit(depth=4)).move == _first_move()


def test_ctrl_c_while_the_workers_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker is left behind: with a depth limit alone it would run for ever."""
    started: list[threading.Thread] = []
    start = threading.Thread.start

    def start_and_interrupt(thread: threading.Thread) -> None:
        started.append(thread)
        start(thread)
        if len(started) == 2:
            raise KeyboardInterrupt

    with Engine(hash_mb=1) as engine:
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(threading.Thread, "start", start_and_interrupt)
            engine.search(Board(), Limit(time_ms=600_000), workers=3)
        for thread in started:
            thread.join(SOON_S / len(started))
        assert not any(thread.is_alive() for thread in started)


@pytest.mark.parametrize("which", [0, 1])
def test_ctrl_c_inside_the_start_of_a_worker(which: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker runs, but has not said so: it does not yet count as alive."""
    started: list[threading.Thread] = []
    start = threading.Thread.start

    def interrupt(timeout: float | None = None) -> None:
        raise KeyboardInterrupt

    def start_and_interrupt(thread: threading.Thread) -> None:
        if len(started) == which:
            monkeypatch.setattr(thread._started, "wait", interrupt)  # type: ignore[attr-defined]
        started.append(thread)
        start(thread)

    with Engine(hash_mb=1) as engine:
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(threading.Thread, "start", start_and_interrupt)
            engine.search(Board(), Limit(time_ms=600_000), workers=3)
        time.sleep(0.1)
        for thread in started:
            thread.join(SOON_S / len(started))
        assert not any(thread.is_alive() for thread in started)


# Stops from another thread.


def stopped(engine: Engine, call: Callable[[], object]) -> object:
    """What the call returns or raises when its engine is stopped while it runs."""
    outcome: list[object] = []

    def run() -> None:
        try:
            outcome.append(call())
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    time.sleep(0.1)
    assert thread.is_alive(), outcome
    engine.stop()
    thread.join(SOON_S)
    assert not thread.is_alive()
    assert engine.search(Board(), Limit(nodes=1000)).nodes >= 1000
    return outcome[0]


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"use_hash": False},
        {"evaluator": "classic"},
        {"evaluator": "classic", "exact_endgame_empties": 60},
    ],
)
def test_a_stopped_search_returns_its_last_depth(workers: int, settings: dict[str, Any]) -> None:
    with Engine(hash_mb=4, **settings) as engine:
        result = stopped(
            engine, lambda: engine.search(Board(), Limit(time_ms=600_000), workers=workers)
        )
    assert isinstance(result, reversi.SearchResult)
    assert result.depth >= 1 and result.nodes > 0 and not result.exact
    assert result.move in ("d3", "c4", "f5", "e6")


def test_a_stopped_analysis_ends() -> None:
    with Engine(hash_mb=4) as engine:
        infos = stopped(engine, lambda: list(engine.analyse(Board(), Limit(depth=60))))
    assert isinstance(infos, list)
    assert [info.depth for info in infos] == list(range(1, len(infos) + 1))


@pytest.mark.parametrize("hashed", [True, False])
def test_a_stopped_solve_says_so(hashed: bool) -> None:
    with Engine(hash_mb=4, use_hash=hashed) as engine:
        assert isinstance(stopped(engine, lambda: engine.solve(Board())), SearchStopped)


def test_a_stopped_comparison_ends_in_its_exact_half() -> None:
    with Engine(hash_mb=4) as engine:
        assert isinstance(stopped(engine, lambda: engine.compare(Board())), SearchStopped)


def test_a_stopped_comparison_ends_in_its_middle_game_half() -> None:
    board = Board.from_obf(brute.obf(*brute.from_game(1, 19)))
    with Engine(hash_mb=16, evaluator="classic") as engine:
        engine.solve(board, all_best=False)  # with a warm table the exact half takes no time
        stopped(engine, lambda: engine.compare(board, Limit(time_ms=9_000)))


def test_a_stop_while_the_weights_are_loaded_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    load = reversi.weights.default_weights
    with Engine(hash_mb=4) as engine:

        def load_and_stop() -> object:
            engine.stop()
            return load()

        monkeypatch.setattr(reversi.weights, "default_weights", load_and_stop)
        assert engine.search(Board(), Limit(time_ms=600_000)).depth >= 1
    with Engine(hash_mb=4) as engine, pytest.raises(SearchStopped):
        engine.solve(Board())
    with Engine(hash_mb=4) as engine, pytest.raises(SearchStopped):
        engine.solve_many([Board()])


def test_one_stop_ends_all_searches_of_an_engine() -> None:
    def work() -> None:
        depths.append(engine.search(Board(), Limit(time_ms=600_000)).depth)

    depths: list[int] = []
    with Engine(hash_mb=4) as engine:
        threads = [threading.Thread(target=work, daemon=True) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(0.2)
        engine.stop()
        for thread in threads:
            thread.join(SOON_S)
        assert not any(thread.is_alive() for thread in threads)
    assert len(depths) == 3


def test_closing_an_engine_ends_its_searches() -> None:
    depths: list[int] = []
    engine = Engine(hash_mb=4)
    thread = threading.Thread(
        target=lambda: depths.append(engine.search(Board(), Limit(time_ms=600_000)).depth),
        daemon=True,
    )
    thread.start()
    time.sleep(0.1)
    engine.close()
    thread.join(SOON_S)
    assert not thread.is_alive() and depths[0] >= 1


def test_a_stop_without_a_search_does_nothing() -> None:
    with Engine(hash_mb=1) as engine:
        engine.stop()
        assert engine.search(Board(), Limit(depth=4)).depth == 4
        engine.stop()
        assert engine.solve(Board.from_obf(brute.obf(*brute.from_game(0, 8)))).nodes > 0

"""External engines, driven through real pipes: those that behave, and those that do not."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from pathlib import Path
from random import Random

import pytest
from commandline import ENVIRONMENT

import reversi
from reversi import PASS, Board, EngineError, EngineProcess, Game, Limit, square_name
from reversi.protocols.child import arguments_of
from reversi.protocols.clock import TimeControl

TOY = Path(__file__).with_name("toy_engine.py")
PROTOCOLS = ("nboard", "gtp")
# No toy engine needs so long, but for those that never answer.
SHORT_MS = 600
# X passes here, which no position of the usual start leads to so soon.
PASSES = "OOOXXXXOOOOOOOOOOOOOOXOXOOOOXOXXOOOOXX-XOOOOOXX-OOXXXOXXOOOOOOOO X"

posix = pytest.mark.skipif(os.name != "posix", reason="groups of processes and signals")


@pytest.fixture(autouse=True)
def _nothing_is_left(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])
    yield
    end = time.monotonic() + 5
    while (left := children()) or threading.active_count() > 1:
        assert time.monotonic() < end, (left, threading.enumerate())
        time.sleep(0.01)


def children() -> list[int]:
    """Return the processes that this one has begun and not reaped, zombies among them."""
    tasks = Path("/proc/self/task")
    if not tasks.exists():
        return []
    lists = [path.read_text() for path in tasks.glob("*/children")]
    return [int(pid) for pid in " ".join(lists).split()]


def toy(protocol: str, *fault: str, **options: object) -> EngineProcess:
    return EngineProcess([sys.executable, str(TOY), protocol, *fault], protocol, **options)


def refused(protocol: str, *fault: str, moves: int = 4) -> EngineError:
    """Return the error with which a game of some moves ends."""
    with (
        pytest.raises(EngineError) as caught,
        toy(protocol, *fault, move_timeout_ms=SHORT_MS) as engine,
    ):
        board = Board()
        for _ in range(moves):
            board.push(engine.choose(board).move)
    return caught.value


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_game_to_its_end(protocol):
    chooser, board = Random(3), Board()
    with toy(protocol) as engine:
        assert engine.name == {"nboard": "Toy 1.0", "gtp": "Toy"}[protocol]
        while not board.is_game_over():
            answer = engine.choose(board)
            assert answer.move == square_name(board.legal_moves[0])
            assert answer.value == (1.5 if protocol == "nboard" else None)
            assert 0 < answer.elapsed_ms < 10_000
            # Another move than its answer, now and then, and always one for the other side.
            for _ in range(2):
                if not board.is_game_over():
                    board.push(chooser.choice(list(board.legal_moves)))
    assert len(board.move_stack) > 50


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_moves_may_be_told_one_by_one(protocol):
    with toy(protocol) as engine:
        engine.new_game()
        assert engine.choose().move == "d3"
        engine.play("d3")
        engine.play("c3")
        assert engine.choose().move == square_name(Board.from_transcript("d3c3").legal_moves[0])
        with pytest.raises(reversi.IllegalMoveError, match="a1 is not legal"):
            engine.play("a1")
        engine.play("c4")
        assert engine.choose().move in (square_name(sq) for sq in range(64))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_it_follows_to_any_position(protocol):
    game = Game.from_transcript("f5d6c3d3c4")
    with toy(protocol) as engine:
        for board in (game.board, Board(), Board.from_transcript("f5f6"), game):
            position = board.board if isinstance(board, Game) else board
            assert engine.choose(board).move == square_name(position.legal_moves[0])
        game.undo()
        assert engine.choose(game).move == square_name(game.board.legal_moves[0])


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_positions_that_no_game_led_to(protocol):
    board = Board.from_obf(PASSES)
    with toy(protocol) as engine:
        assert engine.choose(board).move == "pass"
        board.push(PASS)
        assert engine.choose(board).move == "g5"


def test_an_engine_without_loadsgf_says_so():
    with toy("gtp", "no loadsgf") as engine:
        assert engine.choose(Board()).move == "d3"
        with pytest.raises(EngineError, match=f"has no loadsgf.* {PASSES}") as caught:
            engine.choose(Board.from_obf(PASSES))
    assert caught.value.kind == "refused"


CRASHED = r"exit status 3; the last of its .*: 'no memory / for the book'"
FLOODED = r"within 0.6 s; its last line was 'status thinking'"
ENDLESS = r"within 0.6 s; its last line was '[status]{150,220}'"
ILLEGAL = r"played a1; legal: c3 e3 c5; the board is ---.* O$"
NO_MOVE = r"'z9.*' is not a move; expected a1 to h8, or pass"


@pytest.mark.parametrize(
    ("protocol", "fault", "kind", "words"),
    [
        ("nboard", "crash", "crash", CRASHED),
        pytest.param("gtp", "signal", "crash", "SIGABRT", marks=posix),
        ("nboard", "hang", "timeout", "no answer to 'go' within 0.6 s"),
        ("gtp", "hang", "timeout", "no answer to 'genmove white' within 0.6 s"),
        ("nboard", "flood", "timeout", FLOODED),
        ("gtp", "flood", "timeout", FLOODED),
        ("nboard", "endless line", "timeout", ENDLESS),
        ("nboard", "garbage", "garbage", NO_MOVE),
        ("gtp", "garbage", "garbage", NO_MOVE),
        ("nboard", "binary", "garbage", "is not a move"),
        ("nboard", "illegal", "illegal move", ILLEGAL),
        ("gtp", "illegal", "illegal move", ILLEGAL),
        ("gtp", "endless answer", "garbage", r"has no end; it begins \['f5', 'and so on'\]"),
    ],
)
def test_what_an_engine_may_do_wrong(protocol, fault, kind, words):
    error = refused(protocol, fault)
    assert error.kind == kind
    assert error.engine.startswith("Toy")
    assert re.search(words, str(error))


@pytest.mark.parametrize(
    ("protocol", "fault"),
    [("nboard", "stderr flood"), ("gtp", "comments"), ("gtp", "no ids"), ("gtp", "resign")],
)
def test_what_is_no_fault(protocol, fault):
    with toy(protocol, fault) as engine:
        assert engine.choose(Board()).move == "d3"
        second = engine.choose(Board.from_transcript("d3")).move
        assert second == ("resign" if fault == "resign" else "c3")


def test_an_evaluation_that_is_no_number_says_nothing():
    with toy("nboard", "nan", "1") as engine:
        answer = engine.choose(Board())
    assert (answer.move, answer.value) == ("d3", None)


def test_a_refusal():
    with toy("gtp", "refuses") as engine, pytest.raises(EngineError) as caught:
        engine.choose(Board.from_transcript("d3c3"))
    assert caught.value.kind == "refused"
    assert caught.value.reason == "'play white c3' was refused: 'illegal move'"


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("mute", rf"python.*: does not speak {{}}: no answer to '.*' within {SHORT_MS / 1000} s"),
        ("dies", "ended with exit status 1; the last of its standard error: 'no licence'"),
    ],
)
def test_an_engine_that_does_not_begin(protocol, fault, words):
    with pytest.raises(EngineError, match=words.format(protocol)) as caught:
        toy(protocol, fault, start_timeout_ms=SHORT_MS if fault == "mute" else 10_000)
    assert caught.value.kind == "start"


@pytest.mark.parametrize(
    ("command", "options", "words"),
    [
        ("no-such-engine --nboard", {}, "no-such-engine: cannot start 'no-such-engine --nboard'"),
        ([sys.executable], {"cwd": "no-such-folder"}, "there is no folder 'no-such-folder'"),
        (str(Path(__file__)), {}, "cannot start .*: Permission denied"),
    ],
)
def test_a_program_that_cannot_be_started(command, options, words):
    if "denied" in words and os.name != "posix":
        pytest.skip("what may run is told by the name there")
    with pytest.raises(EngineError, match=words) as caught:
        EngineProcess(command, **options)
    assert caught.value.kind == "start"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: EngineProcess(""), "command is ''; expected a program and its arguments"),
        (lambda: EngineProcess([]), "command is \\[\\]"),
        (lambda: EngineProcess("edax 'book"), "no closing quotation"),
        (lambda: EngineProcess("edax", "uci"), "protocol is 'uci'; expected 'nboard' or 'gtp'"),
        (lambda: EngineProcess("edax", timeout_ms=0), "timeout_ms is 0; expected an integer, 1"),
    ],
)
def test_what_it_cannot_be_made_of(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_limits_that_a_protocol_can_tell():
    lines = []
    with toy("nboard", on_line=lines.append) as engine:
        engine.choose(Board(), Limit(depth=7))
        engine.choose(Board(), Limit(level=7))
        engine.choose(Board(), Limit(level=9))
        for limit in (Limit(time_ms=1000), Limit(nodes=5), Limit(level=3, time_ms=5)):
            with pytest.raises(ValueError, match="expected depth or level"):
                engine.choose(Board(), limit)
    assert [line for line in lines if "depth" in line] == ["status depth 7", "status depth 9"]
    assert "nodestats 1000 0.01" in lines
    with toy("gtp") as engine:
        assert engine.choose(Board(), Limit(time_ms=2500)).move == "d3"
        assert engine.choose(Board()).move == "d3"
        for limit in (Limit(time_ms=900), Limit(depth=5), Limit(level=3, time_ms=5000)):
            with pytest.raises(ValueError, match="expected time_ms=1000 or more"):
                engine.choose(Board(), limit)


def test_a_clock_reaches_the_engine(tmp_path):
    game = Game.from_transcript("d3c3")
    for node, seconds in zip(game.main_line(), (12.25, 3.0), strict=True):
        node.seconds = seconds
    control = TimeControl(main_ms=60_000, increment_ms=1000)
    log = tmp_path / "log"
    for protocol in PROTOCOLS:
        with toy(protocol, "logs", str(log)) as engine:
            engine.choose(game, control=control)
            game.push("c4", seconds=1.5)
            game.push("c5", seconds=0.25)
            engine.choose(game, control=control)
            engine.choose(game)
            limit = Limit(depth=3) if protocol == "nboard" else Limit(time_ms=2000)
            with pytest.raises(ValueError, match="expected one of them"):
                engine.choose(game, limit, control=control)
        game.undo()
        game.undo()
    nboard, gtp = log.read_text().split("quit\n")[:2]
    assert "TI[01:00.000/00:01.000]" in nboard
    assert "B[D3//12.25]W[C3//3.0]" in nboard
    assert "move C4//1.500\nmove C5//0.250\nping" in nboard
    assert [line.partition(" ")[2] for line in gtp.splitlines() if "time" in line] == [
        "time_settings 60 0 0", "time_left black 48 0", "time_left white 58 0",
        "time_left black 48 0", "time_left white 58 0", "time_settings 0 1 0",
    ]  # fmt: skip


def test_a_time_limit_puts_the_end_off():
    with toy("gtp", "slow", "1", move_timeout_ms=SHORT_MS) as engine:
        assert engine.choose(Board(), Limit(time_ms=1000)).elapsed_ms > 1100


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_cannot_be_asked(protocol):
    with toy(protocol) as engine:
        with pytest.raises(ValueError, match="the game is over"):
            engine.choose(Board.from_obf("X" * 64 + " O"))
        with pytest.raises(ValueError, match="no game was begun"):
            engine.choose()
        with pytest.raises(ValueError, match="f5 is played in no game"):
            engine.play("f5")
        with pytest.raises(TypeError, match="expected a Board or a Game"):
            engine.choose("f5d6")
    with pytest.raises(ValueError, match="was ended"):
        engine.choose(Board())


def test_a_text_is_split_as_a_shell_does():
    assert arguments_of(("edax", "a b")) == ["edax", "a b"]
    with toy("nboard", name="Anna") as engine:
        assert engine.name == "Anna"


# Whatever happens, nothing is left; the fixture looks.


def running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"  # of what it forked somebody else takes note


@posix
@pytest.mark.parametrize("end", ["close", "kill", "drop", "error", "crash"])
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")
def test_what_it_forks_ends_with_it(end):
    engine = toy("nboard", "forks" if end != "crash" else "forks and crashes")
    [forked] = Path(f"/proc/{engine.pid}/task/{engine.pid}/children").read_text().split()
    assert running(int(forked))
    if end == "error":
        with pytest.raises(KeyError), engine:
            raise KeyError
    elif end == "crash":
        with pytest.raises(EngineError, match="exit status 3"):
            engine.choose(Board())
    elif end == "drop":
        del engine
        gc.collect()
    else:
        getattr(engine, end)()
    deadline = time.monotonic() + 5
    while running(int(forked)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


@posix
def test_an_engine_that_ignores_quit_and_a_polite_signal():
    with toy("gtp", "ignores quit") as engine:
        engine.choose(Board())
    with pytest.raises(ProcessLookupError):
        os.kill(engine.pid, 0)


def test_kill_from_another_thread_ends_a_wait():
    with toy("nboard", "hang", "1", move_timeout_ms=60_000) as engine:
        threading.Timer(0.3, engine.kill).start()
        began = time.monotonic()
        with pytest.raises(EngineError, match="no answer to 'go'"):
            engine.choose(Board())
        assert time.monotonic() - began < 30


def test_memory_stays_bounded_under_a_flood():
    with toy("nboard", "endless line", move_timeout_ms=SHORT_MS) as engine:
        engine.choose(Board())
        tracemalloc.start()
        with pytest.raises(EngineError):
            engine.choose(Board())
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert most < 60_000_000


@posix
def test_a_copy_made_by_fork_leaves_the_engine_alone():
    with toy("nboard") as engine:
        copy = os.fork()
        if copy == 0:
            engine.kill()
            os._exit(0)
        assert os.waitpid(copy, 0)[1] == 0
        assert engine.choose(Board()).move == "d3"


ENDINGS = {
    "exit": ("", 0),
    "error": ("raise KeyError", 1),
    "ctrl-c": ("signal.raise_signal(signal.SIGINT)", 1),
}


@posix
@pytest.mark.parametrize(
    ("ending", "fault"), [("exit", ""), ("exit", "ignores quit"), ("error", ""), ("ctrl-c", "")]
)
def test_the_end_of_the_interpreter_ends_its_engines(ending, fault):
    code = f"""
import signal, sys
from reversi import Board, EngineProcess
signal.signal(signal.SIGINT, signal.default_int_handler)
engine = EngineProcess([sys.executable, {str(TOY)!r}, "nboard", {fault!r}])
print(engine.pid, engine.choose(Board()).move, flush=True)
{ENDINGS[ending][0]}
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    pid, move = done.stdout.split()
    assert move == "d3"
    assert bool(done.returncode) == bool(ENDINGS[ending][1])
    assert not running(int(pid))


@posix
def test_ctrl_c_while_an_engine_is_waited_for():
    code = f"""
import signal, sys
from reversi import Board, EngineProcess
signal.signal(signal.SIGINT, signal.default_int_handler)
with EngineProcess([sys.executable, {str(TOY)!r}, "gtp", "hang", "1"], "gtp") as engine:
    print(engine.pid, flush=True)
    engine.choose(Board())
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.DEVNULL)  # fmt: skip
    try:
        pid = int(child.stdout.readline())
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=30)
    finally:
        child.kill()
        child.wait()
    assert not running(pid)

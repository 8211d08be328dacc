"""`reversi nboard` as NBoard talks to it: through the pipes of a process of its own."""

from __future__ import annotations

import io
import math
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from commandline import (
    CHOICE,
    ENVIRONMENT,
    GAME_OVER,
    MUST_PASS,
    PASSES,
    PATIENCE_S,
    START,
    refusal,
)
from conversation import Program

from reversi import Board, Certainty, Engine, Game, Limit, parse_move, solve
from reversi.formats import ggf
from reversi.protocols import nboard
from reversi.protocols.nboard import NBoard

# X passes, and O has g5 and h6: not over.
NOT_OVER = "OOOXXXXOOOOOOOOOOOOOOXOXOOOOXOXXOOOOXX-XOOOOOXX-OOXXXOXXOOOOOOOO X"
WIPED_OUT = "e6f4e3f6g5d6e7f5c5"

# Far more than an end takes, far less than a search of level 60.
SOON_S = 5.0

SEARCH = re.compile(r"search ((?:[A-Ha-h][1-8]|PA)+) (-?\d+\.\d\d) 0 (\d+(?:%|%W|@\d+%)?) (\S.*)")
NODES = re.compile(r"nodestats \d+ \d+\.\d+")


class Gui:
    """NBoard's part of a conversation."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._pings = 0

    def tell(self, *commands: str) -> list[str]:
        """Send commands and a ping; return what comes before the pong."""
        self._pings += 1
        self.program.say(*commands, f"ping {self._pings}")
        return self.program.hear_until(f"pong {self._pings}")[:-1]

    def set_up(self, position: str | Game, depth: int = 6) -> None:
        game = position if isinstance(position, Game) else Game(Board.from_obf(position))
        self.tell()  # what follows an earlier answer
        assert self.tell(f"set game {ggf.dumps(game)}", f"set depth {depth}") == [
            f"set myname Reversi{depth}"
        ]

    def go(self) -> list[str]:
        """Return what comes up to the move."""
        self.program.say("go")
        return self.program.hear_until("===")

    def hint(self, count: int) -> list[str]:
        self.program.say(f"hint {count}")
        return self.program.hear_until("status Waiting")

    def lines_of_hint(self, count: int) -> list[tuple[str, ...]]:
        """Return moves, value, depth and certainty of each line of a hint."""
        self.tell()  # what follows an earlier answer
        first, *lines, last = self.hint(count)
        assert (first, last) == ("status Analysing", "status Waiting")
        assert NODES.fullmatch(lines[-1])
        found = []
        for line in lines:
            matched = SEARCH.fullmatch(line)
            assert matched or NODES.fullmatch(line), line
            if matched:
                found.append(matched.groups())
        return found


@pytest.fixture(scope="module")
def shared() -> Iterator[Gui]:
    with Program("nboard", "--hash-mb", "4") as program:
        gui = Gui(program)
        assert gui.tell("nboard 2") == ["set myname Reversi21"]
        yield gui
        program.say("quit")
        assert program.ends_with() == 0


@pytest.fixture
def gui(shared: Gui) -> Gui:
    """The same engine for all tests, at the start of a game."""
    shared.set_up(Game())
    return shared


def moved_to(answer: str) -> str:
    return answer.removeprefix("=== ").partition("/")[0]


# What it is told


def test_ping(gui):
    gui.program.say("ping 17", "ping 18")
    assert [gui.program.hear(), gui.program.hear()] == ["pong 17", "pong 18"]


def test_depth_is_the_level_and_shows_in_the_name(gui):
    assert gui.tell("set depth 12") == ["set myname Reversi12"]
    assert gui.tell("set depth 400") == ["set myname Reversi60"]
    assert gui.tell("set depth 0") == ["set myname Reversi0"]
    assert gui.tell("set depth", "set depth x", "set depth -1", "set depth ²", "set") == []


def test_contempt_learn_and_unknown_lines(gui):
    assert gui.tell("set contempt 1.5", "set contempt", "set colour blue") == []
    assert gui.tell("learn") == ["learned"]
    assert gui.tell("", "   ", "F5", "undo", "nboardx 2", "Go", "\x00\x01\x7f", "#", "pingx") == []
    gui.program.send(b"\xff\xfe\xc3(\n\r\n  learn \r\n")
    assert gui.tell() == ["learned"]


def test_a_game_is_set_at_its_end(gui):
    gui.set_up(Game.from_transcript("f5d6c3d3c4"))
    move = moved_to(gui.go()[-1])
    assert Board.from_transcript("f5d6c3d3c4").is_legal(move)


def test_a_game_with_a_pass_at_its_end(gui):
    """The pass has a value, as game servers write it; the other side is to move then."""
    obf = NOT_OVER.replace("X", "*")
    text = f"(;GM[Othello]PB[a]PW[b]TY[8]BO[8 {obf[:64]} *]B[PA//3.107];)"
    gui.tell()
    assert gui.tell(f"set game {text}", "set depth 10") == ["set myname Reversi10"]
    assert gui.go()[-1].startswith("=== G5/48.00/")


def test_a_game_that_cannot_be_read_leaves_the_one_before(gui):
    gui.set_up(NOT_OVER)
    [said] = gui.tell("set game (;GM[Othello]BO[8 nothing *];)")
    assert said.startswith("status Cannot read the game: ")
    assert len(gui.tell("set game", "set game f5d6", "set game (;GM[Go];)")) == 3
    assert gui.go() == ["=== PA"]


def test_moves_are_played(gui):
    assert gui.tell("move F5", "move d6/1.5", "move C3/-0.5/1.25", "move D3//0.5", "move c4/") == []
    assert Board.from_transcript("f5d6c3d3c4").is_legal(moved_to(gui.go()[-1]))


def test_notes_that_are_none_do_not_stop_a_move(gui):
    assert gui.tell("move f5/nan/nan", "move d6/inf/-5", "move c3/x/y", "move d3/1e999/") == []
    assert Board.from_transcript("f5d6c3d3").is_legal(moved_to(gui.go()[-1]))


@pytest.mark.parametrize("move", ["a1", "PA", "z9", "5f", "", "f5d6"])
def test_a_move_that_cannot_be_played_changes_nothing(gui, move):
    [said] = gui.tell(f"move {move}")
    assert said.startswith("status Cannot play the move: ")
    assert Board().is_legal(moved_to(gui.go()[-1]))


def test_passes_may_be_told_or_left_out(gui):
    for moves in (("move PA", "move G5"), ("move G5",), ("move pass", "move g5")):
        gui.set_up(NOT_OVER)
        assert gui.tell(*moves) == []
        # Black passes again, and white has h6.
        assert gui.go() == ["=== PA"]
        assert gui.tell("move PA") == []
        assert gui.go() == ["=== H6"]


# What it is asked


def test_go_answers_a_move_and_does_not_play_it(gui):
    status, *stats, answer = gui.go()
    assert status == "status Thinking"
    assert stats and all(map(NODES.fullmatch, stats))
    assert re.fullmatch(r"=== [A-H][1-8]/-?\d+\.\d\d/\d+\.\d\d", answer)
    assert gui.program.hear() == "status Waiting"
    assert gui.tell(f"move {moved_to(answer)}") == []
    again = moved_to(gui.go()[-1])
    board = Board()
    board.push(moved_to(answer))
    assert board.is_legal(again)


@pytest.mark.parametrize(
    ("position", "answer"),
    [(NOT_OVER, "PA"), (MUST_PASS, "PA"), (GAME_OVER, "PA"), (PASSES, "H8")],
)
def test_go_where_there_is_no_choice(gui, position, answer):
    gui.set_up(position)
    assert gui.go() == [f"=== {answer}"]
    assert gui.tell() == []


def test_go_and_hint_know_the_exact_end(gui):
    solution = solve(Board.from_obf(CHOICE))
    gui.set_up(CHOICE, depth=12)
    answer = gui.go()[-1]
    assert moved_to(answer).lower() in solution.best_moves
    assert float(answer.split("/")[1]) == solution.value
    gui.set_up(PASSES, depth=12)
    *_, (pv, value, depth, sure) = gui.lines_of_hint(1)
    assert (float(value), depth, sure) == (solve(Board.from_obf(PASSES)).value, "100%", "exact")
    # White begins, so that black's moves are those in upper case; the pass is among them.
    assert pv[:2].islower() and "PA" in pv


def test_hint_gives_the_best_moves_at_each_depth(gui):
    gui.set_up(CHOICE, depth=6)
    found = gui.lines_of_hint(3)
    values = {}
    for pv, value, depth, _sure in found:
        values.setdefault(depth, []).append((pv[:2], float(value)))
    assert len(values) > 1
    for lines in values.values():
        assert len({move for move, _ in lines}) == len(lines) == 3
        discs = [value for _, value in lines]
        assert discs == sorted(discs, reverse=True) and all(map(math.isfinite, discs))
    with Engine(hash_mb=1) as engine:
        exact = engine.solve(Board.from_obf(CHOICE), every_move=True)
    assert [value for _, value in values["100%"]] == list(exact.values.values())[:3]


def test_every_line_of_a_hint_can_be_played(gui):
    game = Game.from_transcript("f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2")
    gui.set_up(game, depth=8)
    for pv, *_ in gui.lines_of_hint(2):
        board = game.board
        for move in re.findall("..", pv):
            assert move == "PA" or move.isupper() == board.black_to_move
            board.push(parse_move(move))


@pytest.mark.parametrize(
    ("sure", "depth", "text", "passed"),
    [
        (Certainty("search", 12, 73), "12", "selectivity 73%", "selectivity 73%"),
        (Certainty("search", 60, 95), "60@95%", "selectivity 95%", "selectivity 95%"),
        (Certainty("bound", 60, 73, 2, 64), "100%W", "2..64", "-64..-2"),
        (Certainty("bound", 60, 73, -64, -1), "100%W", "-64..-1", "1..64"),
        (Certainty("bound", 20, 73, -64, 12), "20", "-64..12", "-12..64"),
        (Certainty("exact", 60, 100, 0, 0), "100%", "exact", "exact"),
    ],
)
def test_how_sure_a_line_is(sure, depth, text, passed):
    assert nboard._depth(sure, Board()) == depth
    assert (nboard._text(sure, False), nboard._text(sure, True)) == (text, passed)


def test_hint_without_a_number_is_one_move(gui):
    for text in ("hint", "hint x", "hint 0", "hint -3"):
        gui.program.say(text)
        lines = gui.program.hear_until("status Waiting")
        assert sum(line.startswith("search") for line in lines) == 6


def test_hint_where_only_a_pass_is_left(gui):
    gui.set_up(NOT_OVER, depth=10)
    found = gui.lines_of_hint(3)
    assert found[-1][1:3] == ("-48.00", "100%")
    assert all(pv.startswith("PA") for pv, *_ in found)


def test_hint_in_a_game_that_is_over(gui):
    gui.set_up(GAME_OVER)
    assert gui.tell("hint 3") == ["status The game is over"]
    gui.set_up(Game.from_transcript(WIPED_OUT))
    assert gui.tell("hint 3") == ["status The game is over"]


def test_low_levels_choose_by_chance_but_not_in_hints(gui):
    gui.set_up(Game(), depth=0)
    hints = [gui.lines_of_hint(2) for _ in range(2)]
    assert hints[0][-1][2] == hints[1][-1][2] == "5"
    assert Board().is_legal(moved_to(gui.go()[-1]))


def test_analyze_values_every_position_from_the_end(gui):
    game = Game.from_transcript(WIPED_OUT)
    gui.set_up(game)
    gui.program.say("analyze")
    first, *lines, last = gui.program.hear_until("status Waiting")
    assert (first, last) == ("status Analysing", "status Waiting")
    found = [line.split() for line in lines]
    assert [name for name, _, _ in found] == ["analysis"] * 10
    assert [int(made) for _, made, _ in found] == list(range(9, -1, -1))
    # White is to move, and has lost all; black's last move was worth as much.
    assert [float(value) for _, _, value in found[:2]] == [-64, 64]


def test_analyze_counts_passes(gui):
    game = Game(Board.from_obf(NOT_OVER))
    for move in ("pass", "g5", "pass", "h6"):
        game.push(move)
    gui.set_up(game, depth=10)
    gui.program.say("analyze")
    _, *lines, _ = gui.program.hear_until("status Waiting")
    value = game.outcome().tournament
    found = {int(line.split()[1]): float(line.split()[2]) for line in lines}
    assert list(found) == [4, 3, 2, 1, 0]
    side = game.final_board().turn
    assert found[4] == -side * value
    # Black is to move at 0 and 2, white at 1 and 3.
    assert (found[0], found[1], found[2], found[3]) == (value, -value, value, -value)


# Time


def test_the_game_s_clock_limits_a_move_but_not_a_hint():
    with Program("nboard", "--hash-mb", "4") as program:
        gui = Gui(program)
        game = Game.from_transcript("f5d6", headers={"time": "00:02"})
        game.root.children[0].seconds = 1.9
        gui.tell(f"set game {ggf.dumps(game)}", "set depth 60")
        began = time.monotonic()
        answer = gui.go()[-1]
        assert time.monotonic() - began < SOON_S
        assert float(answer.split("/")[2]) < 0.1 + 1
        program.say("hint 1")
        program.hear_until("search")
        time.sleep(0.5)
        assert any(line.startswith("search") for line in gui.tell())


@pytest.mark.parametrize("time_ms", ["0", "100"])
def test_a_time_for_each_move(time_ms):
    with Program("nboard", "--time-ms", time_ms, "--hash-mb", "4") as program:
        gui = Gui(program)
        gui.tell("set depth 60")
        began = time.monotonic()
        gui.go()
        assert gui.lines_of_hint(2)
        assert time.monotonic() - began < SOON_S


# Interruptions


@pytest.mark.parametrize("search", ["hint 4", "analyze"])
def test_a_command_ends_what_is_only_told(gui, search):
    gui.set_up(Game.from_transcript("f5d6"), depth=60)
    gui.program.say(search)
    gui.program.hear_until("status Analysing")
    time.sleep(0.1)
    began = time.monotonic()
    gui.program.say("learn")
    lines = gui.program.hear_until("learned")
    assert time.monotonic() - began < SOON_S
    assert lines[-2:] == ["status Waiting", "learned"]
    assert gui.tell() == []


@pytest.mark.parametrize("command", ["ping 7", "set depth 5", "move F5", "hint 1", "go"])
def test_a_command_ends_a_move_s_search_which_is_answered(gui, command):
    gui.set_up(Game(), depth=60)
    gui.program.say("go")
    gui.program.hear_until("nodestats")
    time.sleep(0.05)
    began = time.monotonic()
    gui.program.say(command)
    answer = gui.program.hear_until("===")[-1]
    assert time.monotonic() - began < SOON_S
    assert Board().is_legal(moved_to(answer))
    gui.program.say("set depth 1", "ping 8")
    gui.program.hear_until("pong 8")


def test_lines_that_are_no_commands_end_no_search(gui):
    gui.set_up(Game(), depth=14)
    alone = gui.lines_of_hint(1)
    gui.program.say("hint 1", "", "chatter", "   ")
    lines = gui.program.hear_until("status Waiting")
    assert sum(line.startswith("search") for line in lines) == len(alone)


def test_what_nobody_waits_for_any_more_is_left_out(gui):
    gui.set_up(Game(), depth=60)
    commands = [f"{name} {number}" for number in range(5000) for name in ("hint", "analyze")]
    began = time.monotonic()
    said = gui.tell(*commands)
    assert time.monotonic() - began < SOON_S
    # The first may have begun before the others were there.
    assert sum(line == "status Analysing" for line in said) <= 50


def test_thousands_of_commands_at_once(gui):
    moves = [line for move in ("f5", "d6", "c3", "d3") for line in (f"move {move}", "what?")]
    pings = [f"ping {number}" for number in range(20_000)]
    gui.program.say(*moves, *pings, "end")
    heard = [gui.program.hear() for _ in pings]
    assert heard == [f"pong {number}" for number in range(20_000)]
    assert Board.from_transcript("f5d6c3d3").is_legal(moved_to(gui.go()[-1]))


def test_very_long_lines(gui):
    gui.program.send(b"x" * 3_000_000 + b"\n" + b"move " + b"f" * 2_000_000 + b"\n")
    assert gui.program.hear().startswith("status Cannot play the move: ")
    long_name = ggf.dumps(Game.from_transcript("f5", headers={"black": "x" * 200_000}))
    assert gui.tell(f"set game {long_name}") == []
    assert Board.from_transcript("f5").is_legal(moved_to(gui.go()[-1]))


# Ends


@pytest.mark.parametrize("search", ["", "hint 3", "go", "analyze"])
def test_the_end_of_the_input_is_the_end(search):
    with Program("nboard", "--level", "60", "--hash-mb", "4") as program:
        program.say("nboard 2", search)
        program.hear()
        time.sleep(0.2)
        began = time.monotonic()
        program.process.stdin.close()
        rest = program.rest()
        assert program.ends_with() == 0
        assert time.monotonic() - began < SOON_S
        assert any(line.startswith("===") for line in rest) == (search == "go")


@pytest.mark.skipif(os.name != "posix", reason="a closed pipe is another error there")
def test_a_reader_that_has_gone_is_no_fault():
    """Its search ends with the first line that it cannot write."""
    with subprocess.Popen(
        [sys.executable, "-m", "reversi", "nboard", "--level", "60", "--hash-mb", "4"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as process:
        process.stdin.write(b"nboard 2\nhint 3\n")
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        # Its input stays open, and does not end it.
        assert process.wait(PATIENCE_S) == 141
        assert process.stderr.read() == b""


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT to one process")
@pytest.mark.parametrize("search", ["", "go"])
def test_ctrl_c_ends_it_in_silence(search):
    with Program("nboard", "--level", "60", "--hash-mb", "4") as program:
        program.say("nboard 2", search)
        program.hear()
        time.sleep(0.2)
        program.process.send_signal(signal.SIGINT)
        assert program.ends_with() == 130


def test_commands_from_a_file_are_answered_at_their_level():
    """All at once, with the end of the input behind them."""
    end, other = os.pipe()
    os.write(other, b"nboard 2\nset depth 8\nhint 1\ngo\nquit\nlearn\n")
    os.close(other)
    answers = io.BytesIO()
    with Engine(hash_mb=4) as engine:
        NBoard(engine, end, answers).run()
        best = engine.search(Board(), Limit(level=8))
    os.close(end)
    lines = answers.getvalue().decode().splitlines()
    depths = [line.split()[4] for line in lines if line.startswith("search")]
    assert depths == [str(depth) for depth in range(1, best.depth + 1)]
    assert [line for line in lines if line.startswith("===")]
    assert "learned" not in lines


# Whole games


@pytest.mark.parametrize("start", [START, PASSES, NOT_OVER])
def test_a_whole_game(gui, start):
    board = Board.from_obf(start)
    gui.set_up(start, depth=3)
    while not board.is_game_over():
        name = moved_to(gui.go()[-1])
        board.push(parse_move(name))
        gui.tell(f"move {name}/0.5/0.01")
    assert gui.tell("hint 1") == ["status The game is over"]


def test_a_classic_engine_tells_one_line_without_nan():
    with Program("nboard", "--evaluator", "classic", "--level", "5", "--hash-mb", "4") as program:
        gui = Gui(program)
        found = gui.lines_of_hint(3)
        assert [depth for _, _, depth, _ in found] == ["1", "2", "3", "4", "5"]
        gui.set_up(PASSES, depth=10)
        assert gui.lines_of_hint(2)[-1][2] == "100%"


def test_faults_of_the_options_are_one_line():
    assert "'--level'" in refusal("nboard", "--level", "61")
    assert "nothing.rvw" in refusal("nboard", "--weights", "nothing.rvw")
    assert refusal("nboard", "--evaluator", "classic", "--weights", "x.rvw")

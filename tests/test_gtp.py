"""`reversi gtp` as a controller talks to it: through the pipes of a process of its own."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from commandline import (
    ENVIRONMENT,
    GAME_OVER,
    MUST_PASS,
    PASSES,
    PATIENCE_S,
    START,
    answer,
    refusal,
)
from conversation import Program

import reversi
from reversi import BLACK, Board, Engine, Game, Limit, parse_move
from reversi.formats import sgf
from reversi.protocols.gtp import Gtp

# X passes, and O has g5 and h6: not over.
NOT_OVER = "OOOXXXXOOOOOOOOOOOOOOXOXOOOOXOXXOOOOXX-XOOOOOXX-OOXXXOXXOOOOOOOO X"
WIPED_OUT = "e6f4e3f6g5d6e7f5c5"
COMMANDS = (
    "protocol_version name version known_command list_commands quit boardsize clear_board komi play"
    " genmove reg_genmove undo time_settings time_left showboard loadsgf final_score list_games"
    " set_game gogui-rules_game_id gogui-rules_board gogui-rules_board_size gogui-rules_legal_moves"
    " gogui-rules_side_to_move gogui-rules_final_result"
)

# Far more than an end takes, far less than a search of level 60.
SOON_S = 5.0


class Controller:
    """The other end of GTP."""

    def __init__(self, program: Program, folder) -> None:
        self.program = program
        self._folder = folder

    def response(self) -> str:
        """Return the next response, whole but for the blank line at its end."""
        lines = [self.program.hear()]
        while line := self.program.hear():
            lines.append(line)
        return "\n".join(lines)

    def __call__(self, command: str) -> str:
        """Return the answer to a command that has to succeed."""
        self.program.say(command)
        response = self.response()
        assert response.startswith("="), f"{command}: {response}"
        return response[1:].strip(" ")

    def refused(self, command: str) -> str:
        """Return the error of a command that has to fail."""
        self.program.say(command)
        response = self.response()
        assert response.startswith("? "), f"{command}: {response}"
        return response[2:]

    def set_up(self, position: str | Game) -> None:
        game = position if isinstance(position, Game) else Game(Board.from_obf(position))
        file = self._folder / "position.sgf"
        file.write_text(sgf.dumps(game), encoding="utf-8")
        assert self(f"loadsgf {file}") == ""

    def board(self) -> Board:
        """Return the position that the engine has, by what it shows."""
        rows = self("gogui-rules_board").replace(" ", "").split("\n")[::-1]
        return Board.from_obf("".join(rows) + " " + self("gogui-rules_side_to_move")[0])


@pytest.fixture(scope="module")
def shared(tmp_path_factory) -> Iterator[Controller]:
    with Program("gtp", "--level", "6", "--hash-mb", "4") as program:
        yield Controller(program, tmp_path_factory.mktemp("gtp"))
        program.say("quit")
        assert program.ends_with() == 0


@pytest.fixture
def gtp(shared: Controller) -> Controller:
    """The same engine for all tests, at the start of a game and without a clock."""
    assert shared("clear_board") == ""
    assert shared("time_settings 0 1 0") == ""
    return shared


# The protocol


def test_who_it_is(gtp):
    assert gtp("protocol_version") == "2"
    assert gtp("name") == "Reversi"
    assert gtp("version") == reversi.__version__


def test_the_commands_it_knows(gtp):
    assert gtp("list_commands").split("\n") == COMMANDS.split()
    assert {gtp(f"known_command {name}") for name in COMMANDS.split()} == {"true"}
    assert gtp("known_command gogui-analyze_commands") == "false"
    assert gtp("known_command NAME") == "false"


@pytest.mark.parametrize(
    ("line", "response"),
    [
        ("7 name", "=7 Reversi"),
        ("name", "= Reversi"),
        ("  0007 \t name \t ", "=0007 Reversi"),
        ("na\x01m\x07e\x7f", "= Reversi"),
        ("1\tname\r", "=1 Reversi"),
        ("name # what are you called?", "= Reversi"),
        ("99999999999999999999 name", "=99999999999999999999 Reversi"),
        ("5 clear_board", "=5"),
        ("clear_board", "="),
        ("8 what", "?8 unknown command"),
        ("NAME", "? unknown command"),
        ("-1 name", "? unknown command"),
        ("12", "?12 unknown command"),
        ("12name", "? unknown command"),
        ("name name", "? syntax error"),
        ("3 play b", "?3 syntax error"),
        ("4 play b f5 f6", "?4 syntax error"),
    ],
)
def test_the_shape_of_responses(gtp, line, response):
    gtp.program.say(line)
    assert gtp.response() == response
    assert gtp("name") == "Reversi"  # an id is not kept


def test_lines_without_a_command_are_passed_over(gtp):
    gtp.program.say("", "   ", "\t", "# a comment", "  # 5 name", "\x00\x01", "1 name")
    assert gtp.response() == "=1 Reversi"


def test_garbage_is_an_unknown_command(gtp):
    gtp.program.send(b"\xff\xfe \xc3( \xe2\x98\x83\n2 name\n")
    assert (gtp.response(), gtp.response()) == ("? unknown command", "=2 Reversi")


def test_very_long_lines(gtp):
    gtp.program.send(b"play b f5" + b" " * 3_000_000 + b"\n3 name\n" + b"x" * 2_000_000 + b"\n")
    said = [gtp.response() for _ in range(3)]
    assert said == ["? line too long", "=3 Reversi", "? line too long"]
    assert gtp.board() == Board()


def test_thousands_of_commands_at_once(gtp):
    gtp.program.say(*(f"{number} known_command play" for number in range(20_000)))
    assert [gtp.response() for _ in range(20_000)] == [f"={n} true" for n in range(20_000)]


# The position


def test_boardsize_and_clear_board(gtp):
    gtp("play b f5")
    assert gtp("boardsize 8") == ""
    assert gtp.board() == Board()
    gtp("play b f5")
    assert [gtp.refused(f"boardsize {size}") for size in ("7", "10", "19")] == [
        "unacceptable size"
    ] * 3
    assert [gtp.refused(f"boardsize {size}") for size in ("x", "-8", "8.0")] == ["syntax error"] * 3
    assert gtp.board() == Board.from_transcript("f5")
    gtp("clear_board")
    assert gtp.board() == Board()


def test_komi_and_games(gtp):
    assert gtp("komi 6.5") == gtp("komi -3") == ""
    assert gtp.refused("komi x") == gtp.refused("komi nan") == "syntax error"
    assert gtp("list_games") == gtp("gogui-rules_game_id") == "Othello"
    assert gtp("set_game Othello") == ""
    assert gtp.refused("set_game Go").startswith("unknown game")


def test_play_in_any_case(gtp):
    for command in ("play b F5", "play White d6", "play BLACK c3", "play W D3"):
        assert gtp(command) == ""
    assert gtp.board() == Board.from_transcript("f5d6c3d3")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("b a1", "illegal move"),
        ("b e4", "illegal move"),
        ("b pass", "illegal move"),
        ("w f5", "illegal move"),
        ("w f6", "illegal move"),
        ("b i9", "illegal move"),
        ("b t19", "illegal move"),
        ("b 5f", "syntax error"),
        ("b resign", "syntax error"),
        ("b f", "syntax error"),
        ("red f5", "syntax error"),
    ],
)
def test_a_play_that_is_refused_changes_nothing(gtp, arguments, error):
    assert gtp.refused(f"play {arguments}") == error
    assert gtp.board() == Board()
    assert gtp.refused("undo") == "cannot undo"


def test_a_forced_pass_may_be_played_or_left_out(gtp):
    whole = Board.from_obf(NOT_OVER)
    for move in ("pass", "g5", "pass", "h6"):
        whole.push(move)
    for moves in (("b pass", "w g5", "b pass", "w h6"), ("w g5", "w h6")):
        gtp.set_up(NOT_OVER)
        assert gtp("gogui-rules_legal_moves") == "pass"
        assert gtp.refused("play w pass") == gtp.refused("play b g5") == "illegal move"
        for move in moves:
            assert gtp(f"play {move}") == ""
        assert gtp.board() == whole
        for _ in moves:
            gtp("undo")
        assert gtp.board() == Board.from_obf(NOT_OVER)
        assert gtp.refused("undo") == "cannot undo"


def test_passes_of_a_game_that_is_over_do_nothing(gtp):
    """Programs that know Go end a game by two of them."""
    gtp.set_up(GAME_OVER)
    for command in ("play b pass", "play w pass"):
        assert gtp(command) == ""
    assert gtp("genmove b") == gtp("genmove w") == "PASS"
    assert gtp.refused("play b a1") == "illegal move"
    assert gtp.board() == Board.from_obf(GAME_OVER)
    for _ in range(4):
        gtp("undo")
    assert gtp.refused("undo") == "cannot undo"


def test_undo_goes_back_to_the_start(gtp):
    moves = ("b f5", "w d6", "b c3")
    for move in moves:
        gtp(f"play {move}")
    move = gtp("genmove w")
    assert Board.from_transcript("f5d6c3").is_legal(move)
    for transcript in ("f5d6c3", "f5d6", "f5", ""):
        assert gtp("undo") == ""
        assert gtp.board() == Board.from_transcript(transcript)
    assert gtp.refused("undo") == "cannot undo"


def test_showboard_has_row_1_on_top(gtp):
    gtp("play b f5")
    assert gtp("showboard") == f"\n{Board.from_transcript('f5')}"


def test_the_rules_as_gogui_asks_for_them(gtp):
    """GoGui counts from below: what it calls f5 has to be f5 here, so row 8 comes first."""
    gtp("play b f5")
    rows = gtp("gogui-rules_board").split("\n")
    assert rows[3] == ". . . X X X . ." and rows[4] == ". . . O X . . ."
    assert gtp("gogui-rules_board_size") == "8"
    assert gtp("gogui-rules_side_to_move") == "white"
    assert gtp("gogui-rules_legal_moves") == "F4 D6 F6"
    gtp("play w d6")
    assert gtp("gogui-rules_side_to_move") == "black"


@pytest.mark.parametrize(
    ("game", "score", "result"),
    [
        (Game.from_transcript(WIPED_OUT), "B+64", "Black wins 13-0"),
        (Game(Board.from_obf(GAME_OVER)), "B+16", "Black wins 40-24"),
        (Game(Board.from_obf("O" * 60 + "---- X")), "W+64", "White wins 0-60"),
        (Game(Board.from_obf("X" * 32 + "O" * 32 + " X")), "0", "Draw 32-32"),
    ],
)
def test_scores_of_games_that_are_over(gtp, game, score, result):
    gtp.set_up(game)
    assert gtp("final_score") == score
    assert gtp("gogui-rules_final_result") == result
    assert gtp("gogui-rules_legal_moves") == ""


def test_a_game_that_is_not_over_has_no_score(gtp):
    for position in (START, NOT_OVER, MUST_PASS):
        gtp.set_up(position)
        assert gtp.refused("final_score") == "cannot score"
        assert gtp.refused("gogui-rules_final_result") == "cannot score"


def test_loadsgf(gtp, tmp_path):
    file = tmp_path / "a game with (spaces).sgf"
    file.write_text("(;GM[2]SZ[8];B[f5];W[d6](;B[c3];W[d3])(;B[c4]))(;GM[2];B[c4])")
    gtp(f"loadsgf {file}")
    assert gtp.board() == Board.from_transcript("f5d6c3d3")
    gtp("undo")
    assert gtp.board() == Board.from_transcript("f5d6c3")
    for number, transcript in (
        (1, ""),
        (2, "f5"),
        (4, "f5d6c3"),
        (5, "f5d6c3d3"),
        (99, "f5d6c3d3"),
    ):
        gtp(f"loadsgf {file} {number}")
        assert gtp.board() == Board.from_transcript(transcript)


def test_loadsgf_says_what_it_cannot_load(gtp, tmp_path):
    gtp("play b f5")
    missing = gtp.refused(f"loadsgf {tmp_path / 'nothing.sgf'}")
    assert missing == "cannot load file: No such file or directory"
    for text in ("", "hello", "(;GM[1];B[aa])", "(;GM[2];B[a1])", "(;GM[2];B[f5]"):
        file = tmp_path / "wrong.sgf"
        file.write_text(text)
        assert gtp.refused(f"loadsgf {file}").startswith("cannot load file: ")
    assert gtp.refused(f"loadsgf {tmp_path}").startswith("cannot load file: ")
    assert gtp.refused("loadsgf") == "syntax error"
    assert gtp.board() == Board.from_transcript("f5")


# Moves of the engine


def test_genmove_plays_and_reg_genmove_does_not(gtp):
    first = gtp("reg_genmove b")
    assert re.fullmatch("[A-H][1-8]", first)
    assert gtp.board() == Board()
    board = Board()
    board.push(gtp("genmove b"))
    assert gtp.board() == board
    board.push(gtp("genmove White"))
    assert gtp.board() == board


def test_genmove_for_the_side_that_is_not_to_move(gtp):
    for command in ("genmove", "reg_genmove"):
        assert gtp.refused(f"{command} w") == "illegal move"
        assert gtp.refused(f"{command} x") == "syntax error"
    gtp.set_up(NOT_OVER)
    assert gtp("reg_genmove w") == "G5"
    assert gtp("genmove b") == "PASS"
    gtp("undo")
    assert gtp("genmove w") == "G5"
    gtp("undo")
    assert gtp.board() == Board.from_obf(NOT_OVER)


def test_a_pass_is_the_answer_where_it_is_forced(gtp):
    gtp.set_up(MUST_PASS)
    assert gtp("genmove w") == "PASS"
    assert gtp("gogui-rules_side_to_move") == "black"


@pytest.mark.parametrize("start", [START, PASSES, NOT_OVER])
def test_a_whole_game(gtp, start):
    board = Board.from_obf(start)
    gtp.set_up(start)
    while not board.is_game_over():
        board.push(parse_move(gtp(f"genmove {board.turn.name.lower()}")))
    assert gtp.board().is_game_over()
    outcome = board.outcome()
    score = "0" if outcome.winner is None else f"{outcome.winner.name[0]}+{abs(outcome.tournament)}"
    assert gtp("final_score") == score


# Time


def test_faults_in_times(gtp):
    for arguments in ("", "1 2", "x 0 0", "-1 0 0", "60 0 nan", "inf 0 0", "1e306 0 0"):
        assert gtp.refused(f"time_settings {arguments}") == "syntax error"
    for arguments in ("b", "b 1", "red 1 0", "b -1 0", "b x 0", "b 1e308 0", "b 1 1e308"):
        assert gtp.refused(f"time_left {arguments}") == "syntax error"


def test_moves_keep_to_the_clock():
    with Program("gtp", "--level", "60", "--hash-mb", "4") as program:
        gtp = Controller(program, None)
        gtp("name")
        for settings in (
            ("time_settings 0 1 1",),
            ("time_left b 1 0",),
            ("time_settings 3600 0 0", "time_left b 1 0"),
            ("time_settings 3600 600 1", "time_left b 1 2"),
        ):
            gtp("clear_board")
            for command in settings:
                gtp(command)
            began = time.monotonic()
            gtp("genmove b")
            assert time.monotonic() - began < 2.0


def test_a_game_by_its_own_clock_does_not_overstep():
    """It is not told what is left, and both sides have a second for the game."""
    with Program("gtp", "--hash-mb", "4") as program:
        gtp = Controller(program, None)
        gtp("time_settings 1 0 0")
        used_s, board = 0.0, Board()
        while not board.is_game_over():
            began = time.monotonic()
            board.push(parse_move(gtp(f"genmove {board.turn.name.lower()}")))
            used_s += time.monotonic() - began
        assert used_s < 4.0


@pytest.mark.parametrize(
    ("told", "least_ms", "most_ms"),
    [("b 1 0", 1001, 2000), ("b 0 0", 0, 0), ("b 2 0", 2000, 2000), ("b 1 5", 1000, 1000)],
)
def test_whole_seconds_leave_the_part_of_one_that_is_known(told, least_ms, most_ms):
    """The engine has used a part of a second of two, as it knows."""
    end, other = os.pipe()
    os.write(other, f"time_settings 2 0 0\ngenmove b\ntime_left {told}\n".encode())
    os.close(other)
    with Engine(hash_mb=1) as engine:
        gtp = Gtp(engine, end, io.BytesIO(), level=1)
        gtp.run()
    os.close(end)
    assert least_ms <= gtp._clocks[BLACK].left_ms <= most_ms


def test_clear_board_gives_the_time_back():
    with Program("gtp", "--hash-mb", "4") as program:
        gtp = Controller(program, None)
        gtp("time_settings 3600 0 0")
        gtp("time_left b 0 0")
        gtp("genmove b")
        gtp("clear_board")
        program.say("1 genmove b")
        time.sleep(0.5)
        assert program.is_silent()
        program.say("2 name")
        assert gtp.response()[:2] == "=1"


def test_a_time_for_each_move():
    with Program("gtp", "--time-ms", "100", "--hash-mb", "4") as program:
        gtp = Controller(program, None)
        began = time.monotonic()
        gtp("genmove b")
        gtp("genmove w")
        assert time.monotonic() - began < SOON_S


# Interruptions and ends


@pytest.mark.parametrize("command", ["name", "undo", "what", "quit"])
def test_a_command_ends_a_search_which_is_answered_first(command):
    with Program("gtp", "--level", "60", "--hash-mb", "4") as program:
        gtp = Controller(program, None)
        gtp("name")
        program.say("1 genmove b")
        time.sleep(0.2)
        began = time.monotonic()
        program.say(f"2 {command}", "# nothing", "3 name", "quit")
        move = gtp.response().removeprefix("=1 ")
        assert Board().is_legal(move)
        assert gtp.response()[1] == "2"
        if command != "quit":
            assert gtp.response() == "=3 Reversi"
        assert time.monotonic() - began < SOON_S


def test_lines_without_a_command_end_no_search():
    with Program("gtp", "--time-ms", "500", "--hash-mb", "4") as program:
        gtp = Controller(program, None)
        gtp("name")
        began = time.monotonic()
        program.say("genmove b")
        time.sleep(0.1)
        program.say("", "# what?", "   ")
        gtp.response()
        assert time.monotonic() - began > 0.4


@pytest.mark.parametrize("search", ["name", "genmove b"])
def test_the_end_of_the_input_is_the_end(search):
    with Program("gtp", "--level", "60", "--hash-mb", "4") as program:
        program.say("name")
        assert program.hear() == "= Reversi"
        program.say(search)
        time.sleep(0.2)
        began = time.monotonic()
        program.process.stdin.close()
        rest = program.rest()
        assert program.ends_with() == 0
        assert time.monotonic() - began < SOON_S
        assert re.fullmatch(r"|= Reversi|= [A-H][1-8]", rest[1])


def test_an_input_without_an_end_of_line_is_handled():
    assert answer("gtp", given="1 name\n2 version") == f"=1 Reversi\n\n=2 {reversi.__version__}\n\n"


def test_quit_is_answered_and_what_follows_is_not():
    assert answer("gtp", given="1 quit\n2 name\n") == "=1\n\n"
    assert answer("gtp") == ""


@pytest.mark.skipif(os.name != "posix", reason="a closed pipe is another error there")
def test_a_reader_that_has_gone_is_no_fault():
    with subprocess.Popen(
        [sys.executable, "-m", "reversi", "gtp", "--hash-mb", "4"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as process:
        process.stdin.write(b"name\n")
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"name\n")
        process.stdin.flush()
        # Its input stays open, and does not end it.
        assert process.wait(PATIENCE_S) == 141
        assert process.stderr.read() == b""


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT to one process")
def test_ctrl_c_ends_it_in_silence():
    with Program("gtp", "--level", "60", "--hash-mb", "4") as program:
        program.say("name")
        program.hear()
        program.say("genmove b")
        time.sleep(0.2)
        program.process.send_signal(signal.SIGINT)
        assert program.ends_with() == 130


def test_commands_from_a_file_are_answered_at_their_level():
    """All at once, with the end of the input behind them."""
    end, other = os.pipe()
    os.write(other, b"genmove b\ngenmove w\nquit\n")
    os.close(other)
    answers = io.BytesIO()
    with Engine(hash_mb=4) as engine:
        Gtp(engine, end, answers, level=12).run()
    os.close(end)
    board = Board()
    with Engine(hash_mb=4) as engine:
        engine.search(board, Limit(depth=1))
        for _ in range(2):
            board.push(engine.search(board, Limit(level=12)).move)
    said = answers.getvalue().decode().split()
    assert [move.lower() for move in said if move != "="] == re.findall("..", board.transcript())


def test_faults_of_the_options_are_one_line():
    assert "'--level'" in refusal("gtp", "--level", "-1")
    assert "nothing.rvw" in refusal("gtp", "--weights", "nothing.rvw")
    assert refusal("gtp", "--evaluator", "classic", "--weights", "x.rvw")

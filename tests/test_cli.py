"""The command as a whole, and what it refuses: one line, status 2, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from commandline import CHOICE, ENVIRONMENT, GAME_OVER, START, WORKED, answer, records, refusal

import reversi
from reversi import Game
from reversi.cli import COMMANDS
from reversi.formats import ggf

# The command as a whole


def test_version_names_the_build_that_runs():
    build = reversi.cpu_info().build
    assert answer("--version") == f"reversi {reversi.__version__} ({build} core)\n"


def test_version_loads_no_table_library():
    code = (
        "import sys; from reversi.cli import main\n"
        "try: main(['--version'])\n"
        "finally: assert 'rich' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, check=True)


def test_the_package_itself_loads_neither_library():
    code = "import sys, reversi; assert not {'rich', 'click'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, check=True)


def test_without_arguments_it_shows_its_help():
    assert answer() == answer("--help")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name):
    text = answer(name, "--help")
    assert "Example" in text
    assert f"reversi {name}" in text.split("Example")[1]


@pytest.mark.parametrize("arguments", [["perft", "3"], ["perft", "3", "--json"]])
def test_a_pipe_that_is_closed_already_is_no_event(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "reversi", *arguments]
    done = subprocess.run(
        command, stdout=writer, stderr=subprocess.PIPE, env=ENVIRONMENT, check=False
    )
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 141


def test_a_pipe_that_closes_in_the_middle_is_no_event(tmp_path):
    file = tmp_path / "many.obf"
    file.write_text(f"{GAME_OVER}\n" * 20_000)  # far more than a pipe holds
    process = subprocess.Popen(
        [sys.executable, "-m", "reversi", "solve", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141


# Where a board comes from


def test_a_board_is_an_argument_a_file_or_standard_input(tmp_path):
    file = tmp_path / "board.obf"
    file.write_text(f"% a comment\n\n{WORKED}\n", encoding="utf-8")
    total = records("eval", WORKED)
    assert records("eval", str(file)) == total
    assert records("eval", given=f"{WORKED}\n") == total
    assert records("eval", "-", given=f"\ufeff{WORKED.lower()}") == total
    assert records("eval", "start") == records("eval", START)


def test_a_board_may_be_what_people_paste():
    total = records("eval", WORKED)
    cells, side = WORKED.split()
    rows = "\n".join([*(cells[at : at + 8] for at in range(0, 64, 8)), side, ""])
    assert records("eval", rows) == records("eval", given=rows) == total
    moves = "f5d6c3d3c4"
    game = Game.from_transcript(moves)
    total = records("eval", game.final_board().obf())
    for text in (moves, "1. F5 d6 2. C3 d3 3. C4", ggf.dumps(game), f"{START} {moves}"):
        assert records("eval", text) == records("eval", given=f"% games\n{text}\n") == total


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("f5d6z9", "move 3, line 2, column 5: "),
        ("--------\n---XXX--\n" * 4, "the side to move is missing"),
        ("f5d6\nc4\n", "this can be read in several ways: a transcript, 3 moves; or 2 transc"),
        ("1. f5 d6\n1. c4\n", "standard input: a second position; this command takes one"),
    ],
)  # fmt: skip
def test_what_people_paste_is_refused_in_its_own_words(text, error):
    assert error in refusal("eval", given=f"\n{text}")


@pytest.mark.parametrize("name", ["a.ggf", "a.sgf", "a.json", "a.wtb", "a.ggf.gz"])
def test_a_file_of_games_is_no_board(name, tmp_path):
    (tmp_path / name).write_text("(;")
    words = refusal("solve", name, cwd=tmp_path)
    assert words.startswith(f"{name}: a file of games by its ending; expected positions in OBF; ")
    assert words.endswith(f"reversi analyse {name}, or reversi convert {name} positions.obf")


@pytest.mark.parametrize("board", [START, WORKED, CHOICE])
def test_a_board_may_come_without_its_quotes(board):
    assert records("eval", *board.split()) == records("eval", board)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ("", "standard input: no position found"),
        ("% nothing\n\n", "standard input: no position found"),
        (f"{START}\n{START}\n", "standard input:2: a second position; this command takes one"),
        (f"%\n{START[:20]}?{START[21:]}", "standard input:2:21: '?'"),
        (START[:-1], "standard input:1:65: the side to move is missing"),
        (START[:-2], "standard input:1:65: the side to move is missing"),
        (START[:40], "standard input:1:41: "),
        (START + "X", "standard input:1:67: 'X'"),
        (f"{START}; d3:+2; z9:+1;", "standard input:1:76: 'z9' is not a move"),
        (f"{START}; d3:+2; 4d:+1;", "standard input:1:76: '4d' is not a move; did you mean 'd4'?"),
        (f"{START}; d3:+2; a1:+1;", "standard input:1:76: a1 is no legal move here"),
        (f"{START}; d3:+65;", "standard input:1:69: score 65; expected -64 to 64"),
        (f"{START}; d3;", "standard input:1:69: 'd3' is neither MOVE:score nor a score"),
        ("\x00\xff\x7fELF", "standard input:1:1: "),
    ],
)  # fmt: skip
def test_a_malformed_line_is_named_by_line_and_column(given, error):
    assert refusal("eval", given=given).startswith(error)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    file = tmp_path / "noise.bin"
    file.write_bytes(bytes(range(256)) * 4)
    assert refusal("solve", str(file)).startswith(f"{file}:1:1: ")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["best", "nowhere.obf"], "no file 'nowhere.obf'; as a BOARD: column 1: 'n'"),
        (["best", f"{START}; z9:3"], "BOARD: column 69: 'z9' is not a move"),
        (["best", "."], ".: Is a directory"),
        (["best", "start", "--depth", "0"], "Invalid value for '--depth'"),
        (["best", "start", "--time-ms", "-1"], "Invalid value for '--time-ms'"),
        (["best", "start", "--moves", "a1"], "Invalid value for '--moves': "),
        (["best", "start", "--moves", "f5,f5"], "Invalid value for '--moves': "),
        (["best", "start", "--moves", ""], "Invalid value for '--moves': "),
        (["best", "start", "--hash-mb", "0"], "Invalid value for '--hash-mb'"),
        (["best", "--colour"], "No such option"),
        (["eval", "start", "--view", "red"], "Invalid value for '--view'"),
        (["solve", "start", "--scoring", "komi"], "Invalid value for '--scoring'"),
        (["perft"], "Missing argument 'DEPTH'"),
        (["perft", "-1"], "Invalid value for 'DEPTH': -1 is not in the range 0<=x<=60"),
        (["perft", "61"], "Invalid value for 'DEPTH': 61 is not in the range 0<=x<=60"),
        (["perft", "many"], "Invalid value for 'DEPTH': 'many' is not a valid integer"),
        (["best", ""], "no BOARD given"),
        (["solve", " "], "no BOARD given"),
        (["best", "-XO X"], "as a BOARD: column 6: cells are missing: 4 symbols"),
        (["best", "---"], "as a BOARD: column 4: cells are missing: 3 symbols"),
        (["best", START[:40]], "as a BOARD: column 41: cells are missing: 40 symbols"),
        (["best", START[:-2]], "BOARD: column 65: the side to move is missing"),
        (["best", START[:-2], "--json", "X"], "Got unexpected extra argument (X)"),
        (["solve", "start", "--all", "--outcome"], "--all and --outcome exclude each other"),
        (["play", "--level", "61"], "Invalid value for '--level'"),
        (["best", "start", "--level", "-1"], "Invalid value for '--level'"),
        (["best", "start", "--lines", "0"], "Invalid value for '--lines'"),
        (["best", "start", "--selectivity", "80"], "Invalid value for '--selectivity'"),
        (["best", "start", "--evaluator", "none"], "Invalid value for '--evaluator'"),
        (["best", "start", "--exact-empties", "8"], "goes with --evaluator classic"),
        (["best", "start", "--evaluator", "classic", "--lines", "2"], "--lines and --selectivity"),
        (["best", "start", "--level", "4", "--lines", "3"], "--lines does not go with --level 4"),
        (["best", "start", "--weights", "none.rvw"], "none.rvw: No such file or directory"),
        (["best", "start", "--weights", __file__], "not a file of weights"),
        (["best", "start", "--evaluator", "classic", "--weights", __file__], "goes with"),
        (["bench", "judge"], "Missing argument 'FILE'"),
        (["bench", "judge", "none.obf"], "none.obf"),
        (["bench", "judge", START], "BOARD: no values to judge by; expected MOVE:score;"),
        (["bench", "judge", f"{START}; +2;"], "BOARD: no values to judge by"),
        (["play", "-"], "BOARD: standard input holds the commands here"),
        (["bst"], "No such command"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_line(arguments, error, tmp_path):
    assert error in refusal(*arguments, cwd=tmp_path)


def test_a_terminal_is_not_waited_for():
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "reversi", "best"],
        stdin=slave,
        capture_output=True,
        env=ENVIRONMENT,
        check=False,
    )
    os.close(master)
    os.close(slave)
    assert done.returncode == 2
    assert b"no BOARD given" in done.stderr

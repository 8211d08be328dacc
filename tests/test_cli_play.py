"""A game from a pipe and at a terminal, and long work at a terminal: real processes."""

from __future__ import annotations

import re
from itertools import takewhile

import pytest
from commandline import CHOICE, GAME_OVER, PASSES, WORKED, Terminal, reversi_command

import reversi
from reversi import Board


def play(*arguments: str, given: str = "") -> list[str]:
    """Return the lines of a game whose commands come from a pipe."""
    done = reversi_command("play", *arguments, given=given)
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout.splitlines()


def table_of(lines: list[str]) -> list[list[str]]:
    """Return number, side, source and what follows of each row of the table of moves."""
    head = next(number for number, line in enumerate(lines) if line.split()[:2] == ["#", "side"])
    rows = (line.split() for line in lines[head + 1 :])
    return list(takewhile(lambda row: row and row[0].isdigit(), rows))


# From a pipe


def test_a_game_from_a_pipe_shows_boards_prompts_and_answers():
    lines = play("--level", "1", given="f5\ntable\nquit\n")
    assert "    a  b  c  d  e  f  g  h" in lines
    assert "black> f5" in lines
    assert any(line.startswith("white plays ") for line in lines)
    assert lines.count("black> quit") == 1
    [person, engine] = table_of(lines)
    assert person[:4] == ["1", "black", "person", "f5"]
    assert engine[:3] == ["2", "white", "engine"]


def test_legal_moves_are_dots():
    lines = play(given="")
    assert " 4  -  -  ·  O  X  -  -  -" in [line.rstrip() for line in lines]
    assert sum(line.count("·") for line in lines) == 4


def test_the_engine_plays_itself_to_the_end_with_passes_and_a_table():
    lines = play("--color", "none", "--level", "1")
    [end] = [line for line in lines if line.startswith("game over: ")]
    assert "wins by" in end or "a draw" in end
    rows = table_of(lines)
    assert [int(row[0]) for row in rows] == list(range(1, len(rows) + 1))
    assert {row[2] for row in rows} == {"engine"}


def test_a_pass_is_announced_and_has_a_row():
    lines = play(PASSES, "--color", "both", given="h8\na8\ntable\nundo\nmoves\n")
    assert "white has no legal move and passes" in lines
    assert [row[1:4] for row in table_of(lines)] == [
        ["white", "person", "h8"],
        ["black", "person", "a8"],
        ["white", "person", "pass"],
    ]
    assert "made:  h8" in lines


def test_undo_takes_back_the_answer_too_and_only_what_was_played():
    lines = play("--level", "1", given="undo\nf5\nundo\nmoves\nquit\n")
    assert "there is nothing to take back" in lines
    assert "legal: d3 c4 f5 e6" in lines
    assert "made:  none" in lines


def test_two_persons_play_both_sides():
    lines = play("--color", "both", given="f5\nd6\nundo\nmoves\n")
    assert "white> d6" in lines
    assert "made:  f5" in lines


def test_a_person_who_plays_white_moves_second():
    lines = play("--color", "white", "--level", "1", given="undo\n")
    assert any(line.startswith("black plays ") for line in lines)
    assert "there is nothing to take back" in lines


def test_a_hint_changes_nothing():
    lines = play("--level", "2", given="hint\nmoves\n")
    assert any(re.match(r"hint: [a-h][1-8]  \(score [+-]?\d+", line) for line in lines)
    assert "made:  none" in lines


def test_a_hint_knows_no_chance():
    lines = play(WORKED, "--level", "0", given="hint\n" * 8)
    hints = [line.split()[1] for line in lines if line.startswith("hint: ")]
    with reversi.Engine(hash_mb=1) as engine:
        *_, best = engine.analyse(Board.from_obf(WORKED), reversi.Limit(level=0))
    assert hints == [best.move] * 8


def test_a_level_and_a_time_both_end_a_move():
    lines = play("--level", "7", "--time-ms", "500", given="level 5\n")
    assert lines[0].startswith("level 7: depth 7, exact from 14 empty squares, 0.5 s a move; help")
    assert "level 5: depth 5, exact from 10 empty squares, 0.5 s a move" in lines
    assert play("--time-ms", "500", given="")[0] == "0.5 s a move; help lists the commands"


def test_levels_are_told_as_the_evaluator_plays_them():
    lines = play("--evaluator", "classic", "--level", "12", given="level 0\nlevel\n")
    assert lines[0].startswith("level 12: depth 12, exact from 14 empty squares; help")
    assert "level 0: depth 1, exact from 0 empty squares" in lines
    assert "   3  depth 3, exact from 6 empty squares" in lines
    assert not any("chance" in line for line in lines)


def test_go_lets_the_engine_move_for_the_person():
    lines = play("--level", "1", given="go\ntable\nundo\nmoves\n")
    assert [row[2] for row in table_of(lines)] == ["engine", "engine"]
    assert "made:  none" in lines


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("5f", "'5f' is not a move; did you mean 'f5'?; help lists the commands"),
        ("a1", "a1 is not legal"),
        ("pass", "pass is not legal"),
        ("f5 d6", "one square or one command a line; help lists them"),
        ("level 61", "level '61'; expected 0 to 60"),
        ("level 7", "level 7: depth 7, exact from 14 empty squares"),
        ("level", "*  3  depth 6, exact from 6 empty squares, by chance"),
        ("help", "undo"),
        ("table", "no move was made yet"),
        ("resign", "black resigns; white wins"),
    ],
)
def test_each_command_answers(line, answer):
    lines = play(given=f"{line}\n")
    assert any(shown.startswith(answer) for shown in lines), lines


def test_a_finished_game_takes_no_move():
    lines = play(GAME_OVER, given="hint\ngo\nresign\nquit\n")
    assert (
        "game over: black wins by 16: black 40, white 24 (full board; tournament score 16)" in lines
    )
    assert lines.count("the game is over; undo, table, moves or quit") == 3


# At a terminal


def test_a_terminal_game_has_colors_and_ends_with_control_d():
    with Terminal("play", "--level", "1") as terminal:
        terminal.wait_for("black> ")
        assert "●" in terminal.shown
        assert "\x1b[" in terminal.shown
        terminal.type("f5")
        terminal.wait_for("white plays")
        terminal.wait_for("black> ")
        terminal.press_control_d()
        assert terminal.ends_with() == 0


def test_without_colors_the_discs_are_letters():
    with Terminal("play", NO_COLOR="1") as terminal:
        terminal.wait_for("black> ")
        assert "●" not in terminal.shown
        assert "O  X" in terminal.shown


def test_control_c_while_the_engine_thinks_hands_over_the_move():
    with Terminal("play", "--color", "white", "--time-ms", "600000") as terminal:
        terminal.wait_for("black thinks: ")
        terminal.interrupt()
        terminal.wait_for("stopped; play a move")
        terminal.wait_for("black> ")
        terminal.type("f5")
        terminal.wait_for("white> ")
        terminal.type("quit")
        assert terminal.ends_with() == 0
        assert "Traceback" not in terminal.shown


def test_control_c_at_the_prompt_ends_the_game():
    with Terminal("play") as terminal:
        terminal.wait_for("black> ")
        assert terminal.interrupt_until_it_ends() == 130
        assert "Traceback" not in terminal.shown


@pytest.mark.parametrize(
    ("arguments", "sign"),
    [
        (("best", "start", "--time-ms", "600000"), "black  "),
        (("solve", "start"), "60 empty squares may take hours; --time-ms ends it"),
        (("solve", "start"), "solving BOARD"),
        (("perft", "16"), "perft(16)"),
        (("compare", "start"), "60 empty squares may take hours; Ctrl-C ends it"),
        (("compare", "start"), "comparing BOARD"),
    ],
)
def test_control_c_ends_long_work_without_a_traceback(arguments, sign):
    with Terminal(*arguments) as terminal:
        terminal.wait_for(sign)
        terminal.interrupt()
        assert terminal.ends_with() == 130
        assert "Traceback" not in terminal.shown


def test_best_draws_the_board_and_the_table_at_a_terminal():
    with Terminal("best", "start", "--depth", "4") as terminal:
        terminal.wait_for("black (X) to move; black 2, white 2, 60 empty")
        terminal.wait_for("side")
        terminal.wait_for("best move ")
        assert terminal.ends_with() == 0


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (100, ["nodes", "nps", "elapsed", "line"]),
        (80, ["nodes", "nps", "elapsed", "line"]),
        (70, ["nodes", "elapsed", "line"]),
        (64, ["elapsed", "line"]),
        (45, ["elapsed"]),
    ],
)
def test_a_narrow_terminal_leaves_columns_out_and_cuts_no_number(columns, shown):
    asked = ("best", CHOICE, "--evaluator", "classic")
    with Terminal(*asked, COLUMNS=str(columns)) as terminal:
        terminal.wait_for("best move ")
        assert terminal.ends_with() == 0
        table = terminal.plain().split("side ")[-1].splitlines()
    assert table[0].split() == ["depth", "move", "score", *shown]
    score = reversi.search_best_move(Board.from_obf(CHOICE).cells(), reversi.WHITE).score
    assert f"{score} (" in table[1]

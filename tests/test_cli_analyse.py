"""``reversi analyse`` and ``reversi puzzle`` as people and programs use them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest
from commandline import ENVIRONMENT, Terminal, answer, records, reversi_command, started
from test_analysis import EARLY_END, GAME, ONE_PASS

from reversi import Game, cli
from reversi.formats import read_games, write_games
from reversi.formats.obf import parse_problem

QUICK = ("--depth", "2", "--exact-empties", "10", "--hash-mb", "1")


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.ggf"
    names = {"black": "Ann", "white": "Bob"}
    early = Game.from_transcript(EARLY_END, headers=names)
    write_games(path, [early, Game.from_transcript(GAME, headers=names)])
    return path


# analyse


def test_analyse_shows_moves_marks_and_a_summary():
    lines = answer("analyse", GAME, *QUICK).splitlines()
    assert lines[:3] == ["black - white", "white wins, 28 to 36", ""]
    head = "# side move value best best value loss depth line"
    assert lines[3].split() == head.split()
    rows = [line.split() for line in lines[4:66]]
    assert [row[0] for row in rows] == [str(number) for number in range(1, 63)]
    blunder = next(row for row in rows if row[:3] == ["56", "white", "b3"])
    assert blunder[3:9] == ["?", "+8", "h2", "+12", "4", "6!"]
    assert rows[-1] == ["62", "white", "a2", "+8", "1!", "a2"]
    assert rows[54][2] == "pass"
    text = "\n".join(lines[66:])
    assert "mean loss" in text and "exact: best move chosen" in text
    assert lines[-1] == "Solved from 10 empty squares on, searched to depth 2 before that."


def test_analyse_as_json_and_as_text_say_the_same():
    [found] = records("analyse", GAME, *QUICK)
    assert found["game"] == 1 and found["complete"] and found["transcript"] == GAME
    assert found["outcome"]["tournament"] == -8
    assert [len(found["moves"]), len(found["players"])] == [62, 2]
    last = found["moves"][-1]
    assert (last["move"], last["value"], last["loss"]) == ("a2", 8.0, 0.0)
    assert last["certainty"] == {
        "kind": "exact", "depth": 1, "selectivity": 100, "lower": 8, "upper": 8,
    }  # fmt: skip
    rows = answer("analyse", *QUICK, given=GAME).splitlines()[4:66]
    for move, row in zip(found["moves"], rows, strict=True):
        number, side, name, *rest = row.split()
        assert (int(number), side, name) == (move["number"], move["side"], move["move"])
        assert (rest[0] in ("?!", "?", "??")) == (move["mark"] is not None)


def test_analyse_takes_files_of_games_one_after_the_other(games):
    both = records("analyse", str(games), *QUICK)
    assert [found["game"] for found in both] == [1, 2]
    assert both[0]["headers"]["black"] == "Ann"
    assert [found["transcript"] for found in both] == [EARLY_END, GAME]
    text = answer("analyse", str(games), *QUICK)
    assert (
        text.startswith("Ann - Bob\nblack wins, 13 to 0 (+64)\n") and text.count("Ann - Bob") == 2
    )


def test_analyse_reads_standard_input(games):
    [found] = records("analyse", "-", *QUICK, given="1. F5 d6 2. C3")
    assert found["transcript"] == "f5d6c3" and found["outcome"] is None
    again = records("analyse", "-", "--from", "ggf", *QUICK, given=games.read_text())
    assert [one["transcript"] for one in again] == [EARLY_END, GAME]
    assert records("analyse", "1. F5 d6 2. C3", *QUICK) == [found]


def test_analyse_writes_its_files_for_a_reader_that_goes_away(games, tmp_path):
    page, saved = tmp_path / "game.html", tmp_path / "game.sgf"
    outputs = ("--game", "1", "--html", str(page), "--save", str(saved))
    command = [sys.executable, "-m", "reversi", "analyse", str(games), *QUICK, *outputs]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=ENVIRONMENT) as process:
        process.stdout.close()
    assert page.exists() and saved.exists()


def test_analyse_knows_that_the_board_is_not_over():
    [found] = records("analyse", *QUICK, given=f"{ONE_PASS}\nh6")
    assert [move["move"] for move in found["moves"]] == ["pass", "h6"]
    assert (found["moves"][0]["value"], found["moves"][0]["loss"]) == (-48.0, None)


def test_analyse_writes_page_graph_and_games(games, tmp_path):
    page, graph, save = (tmp_path / name for name in ("a.html", "a.svg", "a.sgf"))
    answer(
        "analyse", str(games), "--game", "2", *QUICK,
        "--html", str(page), "--graph", str(graph), "--save", str(save),
    )  # fmt: skip
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "Ann - Bob" in page.read_text(encoding="utf-8")
    assert graph.read_text(encoding="utf-8").startswith("<svg")
    [saved] = read_games(save)
    assert saved.transcript() == GAME and saved.headers["black"] == "Ann"
    assert [node.value for node in saved.main_line()][-2:] == [-8.0, 8.0]


@pytest.mark.parametrize(
    ("option", "name"), [("html", "a.html"), ("graph", "a.svg"), ("save", "a.sgf")]
)
def test_analyse_overwrites_only_when_told(option, name, tmp_path, capsys):
    path = tmp_path / name
    path.write_text("precious")
    asked = ("analyse", "f5d6", f"--{option}", str(path))
    # A search of this kind would take hours.
    words = refused(capsys, *asked, "--exact-empties", "60")
    assert words == f"reversi: error: {path}: the file exists already; --overwrite replaces it\n"
    assert path.read_text() == "precious"
    answer(*asked, "--depth", "2", "--exact-empties", "0", "--overwrite")
    assert path.read_text(encoding="utf-8").startswith(("<!doctype html>", "<svg", "(;"))


def test_analyse_skips_a_damaged_game_and_says_so(games):
    first, _, second = games.read_text().partition("\n")
    games.write_text(f"{first}\n(;GM[Othello]BO[8 x];)\n{second}")
    done = reversi_command("analyse", str(games), *QUICK, "--json")
    assert done.returncode == 1
    assert done.stderr.startswith(f"reversi: skipped: {games}: game 2: ")
    assert [json.loads(line)["game"] for line in done.stdout.splitlines()] == [1, 3]
    done = reversi_command("analyse", str(games), "--game", "2", *QUICK)
    assert done.returncode == 2 and "no game 2: it cannot be read" in done.stderr


def test_analyse_gives_no_number_to_what_stands_between_games(games):
    games.write_text(games.read_text().replace("\n", "\nno game\n", 1))
    done = reversi_command("analyse", str(games), *QUICK, "--json")
    assert done.returncode == 1
    assert [json.loads(line)["game"] for line in done.stdout.splitlines()] == [1, 2]


@pytest.mark.parametrize("command", ["analyse", "puzzle"])
def test_some_skipped_games_are_named_and_the_rest_is_counted(command, tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("f5f5\n" * 15 + "f5d6\n" + "f5f5\n" * 1219)
    options = (*QUICK[:2], "--exact-empties", "0") if command == "analyse" else ()
    done = reversi_command(command, str(path), *options)
    assert done.returncode == 1
    skipped = [line for line in done.stderr.splitlines() if ": skipped: " in line]
    assert len(skipped) == 21
    assert skipped[19].startswith(f"reversi: skipped: {path}: game 21: ")
    assert skipped[20] == "reversi: skipped: 1,214 more"


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the one line with which the command refuses, as `refusal` does, in this process."""
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    assert end.value.code == 2
    shown = capsys.readouterr()
    assert shown.out == "" and shown.err.count("\n") == 1
    return shown.err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["GAMES", "--game", "3"], "no game 3: the last one is 2"),
        (["GAMES", "--html", "a.html"], "--html and --graph show one game"),
        (["GAMES", "--html", "a.txt"], "expected a name that ends in .html"),
        (["GAMES", "--graph", "a.gif"], "expected a name that ends in .svg .png"),
        (["GAMES", "--save", "a.wtb"], "expected a name that ends in .ggf"),
        (["GAMES", "--save", "no/a.ggf"], "there is no folder 'no'"),
        (["GAMES", "--save", "GAMES"], "the file exists already; --overwrite"),
        (["nothing.ggf"], "nothing.ggf: No such file or directory"),
        (["no/games"], "no/games: No such file or directory"),
        (["nothing"], "no file 'nothing'; as a GAME: "),
        ([" "], "no GAME given; expected moves, a file, or - for standard input"),
        (["f5z9"], "move 2, column 3"),
        (["f5", "--level", "4"], "5<=x<=60"),
    ],
)
def test_analyse_refuses_before_it_searches(arguments, named, games, capsys):
    given = [str(games) if argument == "GAMES" else argument for argument in arguments]
    assert named in refused(capsys, "analyse", *given, "--exact-empties", "60")


def test_analyse_shows_what_there_is_after_control_c(tmp_path):
    page = tmp_path / "a.html"
    asked = ("analyse", GAME, "--level", "60", "--exact-empties", "18", "--html", str(page))
    with Terminal(*asked, COLUMNS="60") as terminal:
        terminal.wait_for("of 62")
        assert terminal.interrupt_until_it_ends() == 130
        shown = terminal.plain()
    assert "interrupted: moves " in shown and "62  white  a2" in shown
    assert "Traceback" not in shown
    assert "<tr" in page.read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_analyse_saves_what_there_is_when_it_is_ended(games, tmp_path, name):
    save = tmp_path / "a.ggf"
    asked = ("--depth", "2", "--exact-empties", "0", "--hash-mb", "1", "--json")
    games.write_text(games.read_text() * 500)
    process = started("analyse", str(games), *asked, "--save", str(save))
    try:
        assert json.loads(process.stdout.readline())["game"] == 1
        process.send_signal(getattr(signal, name))
        process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert 1 <= sum(1 for _ in read_games(save)) < 1000


def test_analyse_leaves_columns_out_where_it_is_narrow():
    with Terminal("analyse", GAME, *QUICK, COLUMNS="42", NO_COLOR="1") as terminal:
        assert terminal.ends_with() == 0
        shown = terminal.plain()
    rows = [line for line in shown.splitlines() if line.startswith((" 1 ", "62 "))]
    assert len(rows) == 2 and all(len(row.rstrip()) <= 42 for row in rows)
    head = next(line for line in shown.splitlines() if line.startswith(" # "))
    assert head.split() == ["#", "side", "move", "value", "best", "loss"]


# puzzle


def test_puzzle_prints_obf_that_solve_finds_right():
    lines = answer("puzzle", "--empties", "8-9", "--count", "3", "--seed", "5")
    problems = [parse_problem(line) for line in lines.splitlines()]
    assert len(problems) == 3
    assert all(8 <= problem.board.empties <= 9 for problem in problems)
    *each, total = records("solve", "--all", given=lines)
    assert [found["right"] for found in each] == [True] * 3 and total["total"]["wrong"] == 0
    assert all(len(found["best_moves"]) == 1 for found in each)


def test_puzzle_as_json_and_as_boards():
    asked = ("puzzle", "--empties", "8", "--count", "2")
    found = records(*asked)
    assert [list(puzzle) for puzzle in found] == [
        ["board", "empties", "best_move", "value", "margin", "difficulty", "values"]
    ] * 2
    for puzzle in found:
        values = list(puzzle["values"].values())
        assert values == sorted(values, reverse=True)
        assert values[0] - values[1] == puzzle["margin"] >= 4
        assert puzzle["difficulty"] >= 3
    hidden = answer(*asked, "--show")
    shown = answer(*asked, "--show", "--solutions")
    for number, puzzle in enumerate(found, start=1):
        assert f"puzzle {number}: " in hidden
        solution = f"solution {puzzle['best_move']}  ({puzzle['best_move']} {puzzle['value']:+d}"
        assert solution in shown and solution not in hidden
    assert "solution" not in hidden


def test_puzzle_searches_files_and_writes_one(games, tmp_path, capsys):
    out = tmp_path / "puzzles.obf"
    asked = ("puzzle", str(games), "--empties", "5-16", "--margin", "2", "--difficulty", "1")
    done = reversi_command(*asked, "--out", str(out))
    lines = out.read_text().splitlines()
    assert done.stdout == f"{len(lines)} puzzles written\n"
    assert done.stderr == f"reversi: the games have {len(lines)} puzzles, and no more\n"
    assert done.returncode == 0
    boards = {board.obf() for board in Game.from_transcript(GAME).boards()}
    assert len(lines) > 2 and all(line.partition(";")[0] in boards for line in lines)
    assert "--overwrite replaces it" in refused(capsys, *asked, "--out", str(out))
    reversi_command(*asked, "--count", "1", "--out", str(out), "--overwrite")
    assert out.read_text().splitlines() == lines[:1]


@pytest.mark.parametrize(
    ("wishes", "named"),
    [
        (["--empties", "1"], "expected a number from 2 to 60"),
        (["--empties", "9-8"], "expected a number from 2 to 60"),
        (["--empties", "few"], "'few'"),
        (["--margin", "0"], "'--margin'"),
        (["--difficulty", "5", "--empties", "4"], "needs --empties 5 or more"),
        (["--solutions"], "goes with --show"),
        (["--show", "--json"], "exclude each other"),
        (["--out", "a.txt"], "ends in .obf"),
        (["nothing.ggf"], "nothing.ggf: No such file"),
    ],
)
def test_puzzle_refuses(wishes, named, capsys):
    assert named in refused(capsys, "puzzle", *wishes)


def test_puzzle_ends_with_control_c():
    with Terminal("puzzle", "--empties", "14", "--count", "1000000") as terminal:
        terminal.wait_for("; ")
        assert terminal.interrupt_until_it_ends() == 130
        assert "Traceback" not in terminal.plain()


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
def test_puzzle_ends_in_a_whole_line_when_it_is_ended(tmp_path):
    out = tmp_path / "a.obf"
    process = started("puzzle", "--empties", "8", "--count", "1000000", "--json", "--out", str(out))
    try:
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert all(len(parse_problem(line).move_values) > 1 for line in out.read_text().splitlines())
    assert out.read_text().endswith(";\n")

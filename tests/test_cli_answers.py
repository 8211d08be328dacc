"""What each command answers, to people and to programs."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import networks
import pytest
from commandline import (
    CHOICE,
    GAME_OVER,
    MUST_PASS,
    PASSES,
    WORKED,
    answer,
    records,
    refusal,
    reversi_command,
)

import reversi
from reversi import Board, SearchResult, Solution, cli
from reversi._load import core
from reversi.cli import words
from reversi.cli.boards import Problem
from reversi.cli.solve import judge
from reversi.weights import write_weights

# best


def test_best_prints_a_row_a_depth_and_the_move():
    lines = answer("best", "start", "--depth", "5").splitlines()
    assert lines[0].split() == ["side", "depth", "move", "score", "nodes", "nps", "elapsed", "line"]
    depths = ["1", "2", "3", "4", "5@73%"]
    assert [line.split()[:2] for line in lines[1:6]] == [["black", depth] for depth in depths]
    move, score = lines[5].split()[2:4]
    assert lines[-1].startswith(f"best move {move}  (score {score} at depth 5@73%; ")
    classic = answer("best", "start", "--depth", "5", "--evaluator", "classic").splitlines()
    assert [line.split()[1] for line in classic[1:6]] == ["1", "2", "3", "4", "5"]


def test_best_as_json_has_the_fields_of_the_result():
    [found] = records("best", "start", "--depth", "5")
    assert list(found) == list(SearchResult.__dataclass_fields__)
    assert found["depth"] == 5
    assert found["move"] in ("c4", "d3", "e6", "f5")
    assert found["pv"][0] == found["move"]


def test_best_shows_as_many_lines_as_it_is_asked_for():
    [found] = records("best", WORKED, "--depth", "6", "--lines", "3")
    assert len(found["lines"]) == 3 and found["lines"][0]["move"] == found["move"]
    values = [line["value"] for line in found["lines"]]
    assert values == sorted(values, reverse=True) and values[0] == found["value"]
    text = answer("best", WORKED, "--depth", "6", "--lines", "3").splitlines()
    head = next(i for i, line in enumerate(text) if line.split() == ["move", "discs", "line"])
    for line, row in zip(found["lines"], text[head + 1 :], strict=False):
        assert row.split() == [line["move"], f"{line['value']:+.2f}", *line["pv"]]


def test_best_searches_as_surely_as_it_is_told():
    [found] = records("best", WORKED, "--depth", "6", "--selectivity", "95")
    assert found["certainty"] == {
        "kind": "search", "depth": 6, "selectivity": 95, "lower": None, "upper": None,
    }  # fmt: skip
    assert "depth 6@95%" in answer("best", WORKED, "--depth", "6", "--selectivity", "95")


def test_best_plays_at_a_level():
    [found] = records("best", WORKED, "--level", "7")
    assert (found["depth"], found["certainty"]["selectivity"]) == (7, 73)
    [found] = records("best", WORKED, "--level", "7", "--evaluator", "classic")
    assert (found["depth"], found["value"]) == (7, None)


@pytest.mark.parametrize("evaluator", ["pattern", "classic"])
def test_best_gives_the_same_answer_twice(evaluator):
    asked = ("best", WORKED, "--depth", "6", "--evaluator", evaluator)
    first, second = (records(*asked)[0] for _ in range(2))
    same = ("move", "score", "nodes", "pv")
    assert [first[name] for name in same] == [second[name] for name in same]


def test_best_keeps_to_a_limit_of_nodes():
    [found] = records("best", WORKED, "--nodes", "20000")
    assert 0 < found["nodes"] <= 25_000


def test_best_chooses_among_the_moves_it_is_given():
    assert records("best", "start", "--depth", "3", "--moves", "e6")[0]["move"] == "e6"
    chosen = {records("best", "start", "--depth", "3", "--moves", "d3, C4")[0]["move"]}
    assert chosen <= {"d3", "c4"}


def test_best_marks_a_solved_game_with_the_discs():
    [found] = records("best", PASSES)
    assert found["exact"]
    text = answer("best", PASSES)
    assert f"solved: white loses by {-found['disc_diff']}" in text
    assert f"({found['disc_diff']})" in text


def test_best_tells_a_pass_from_the_end_of_the_game():
    assert answer("best", MUST_PASS) == "white has no legal move: pass\n"
    assert "no move: black wins by 16: black 40, white 24" in answer("best", GAME_OVER)
    assert records("best", MUST_PASS)[0]["passed"]
    assert records("best", GAME_OVER)[0]["game_over"]


# eval


def test_eval_shows_the_terms_as_they_are_and_marks_what_is_subtracted():
    *table, empty, learned = answer("eval", WORKED, "--view", "white").splitlines()
    rows = [line.rsplit(None, 1) for line in table]
    assert rows[0] == ["term", "white"]
    shown = {name: int(value) for name, value in rows[1:]}
    assert shown == {
        "material": 48, "positional": 700, "mobility": 270, "corners": 800, "- frontier": 90,
        "parity": 0, "- danger": 220, "stable": 280, "total": 1788,
    }  # fmt: skip
    [terms] = records("eval", WORKED, "--view", "white")
    value = terms.pop("value")
    assert terms.pop("view") == "white"
    assert {name.removeprefix("- "): value for name, value in shown.items()} == terms
    assert value == reversi.learned_value(Board.from_obf(WORKED), reversi.WHITE)
    verb = "win" if value > 0 else "lose"
    assert learned == f"learned: white is expected to {verb} by {abs(value):.2f} discs"
    assert empty == ""


def test_eval_takes_the_view_of_a_color_or_of_the_side_to_move():
    totals = {view: records("eval", WORKED, "--view", view)[0] for view in ("black", "white")}
    assert totals["black"]["total"] == -1788
    assert totals["black"]["value"] == -totals["white"]["value"]
    assert records("eval", WORKED) == [totals["black"]]
    assert records("eval", WORKED[:-1] + "O", "--view", "side")[0]["view"] == "white"


def test_eval_tells_how_a_finished_game_ended():
    last = answer("eval", GAME_OVER, "--view", "white").splitlines()[-1]
    assert last.startswith("game over: black wins by 16: ")
    assert records("eval", GAME_OVER, "--view", "white")[0]["value"] == -16.0


def test_eval_solve_compare_and_play_take_other_weights(tmp_path):
    zeros = tmp_path / "zeros.rvw"
    write_weights(zeros, *networks.zeros(), {})
    own = ("--weights", str(zeros))
    assert records("eval", WORKED)[0]["value"] != 0 == records("eval", WORKED, *own)[0]["value"]
    assert answer("eval", WORKED, *own).endswith("learned: a draw\n")
    # At odd depths the other side has the tempo.
    assert f"score {-core.TEMPO / core.UNIT:.2f}" in answer(
        "play", *own, "--level", "5", given="hint\n"
    )
    for name in ("eval", "solve", "compare", "play"):
        refused = refusal(name, PASSES, "--weights", __file__)
        assert refused.startswith("Invalid value for '--weights'")
    value = records("solve", PASSES)[0]["value"]
    assert records("solve", PASSES, *own)[0]["value"] == value
    assert records("compare", PASSES, *own)[0]["exact_value"] == value


# solve


def test_solve_checks_a_file_against_its_own_values(tmp_path):
    value = records("solve", PASSES)[0]
    best = value["best_move"]
    file = tmp_path / "set.obf"
    file.write_text(f"{PASSES}; {best}:{value['value']};\n{PASSES}\n{PASSES}; {value['value']};\n")
    lines = answer("solve", str(file)).splitlines()
    assert lines[0].split()[:6] == ["line", "empty", "value", "best", "file", "check"]
    assert [line.split()[0] for line in lines[1:4]] == ["1", "2", "3"]
    assert lines[-1].startswith("3 positions: 2 right, 0 wrong, 1 unchecked; ")
    *each, total = records("solve", str(file))
    assert [record["right"] for record in each] == [True, None, True]
    assert [record["line"] for record in each] == [1, 2, 3]
    assert total["total"]["positions"] == 3
    assert total["total"]["nodes"] == sum(record["nodes"] for record in each)


def test_solve_ends_with_status_1_on_a_wrong_value(tmp_path):
    file = tmp_path / "set.obf"
    file.write_text(f"{PASSES}; +2;\n")
    done = reversi_command("solve", str(file))
    assert (done.returncode, done.stderr) == (1, "")
    assert "WRONG" in done.stdout
    assert "1 positions: 0 right, 1 wrong" in done.stdout


def test_solve_calls_a_move_wrong_only_if_the_file_knows_a_better_one():
    [found] = records("solve", CHOICE)
    best, value = found["best_move"], found["value"]
    other = next(
        reversi.square_name(move)
        for move in Board.from_obf(CHOICE).legal_moves
        if reversi.square_name(move) not in found["best_moves"]
    )
    for given, status in (
        (f"{other}:{value}", 0),
        (f"{best}:{value}; {other}:{value}", 0),
        (f"{best}:{value - 2}; {other}:{value}", 1),
        (f"{best}:{value + 2}; {other}:{value}", 1),
    ):
        assert reversi_command("solve", given=f"{CHOICE}; {given};").returncode == status


def test_solve_takes_either_scoring():
    board = Board.from_obf(PASSES)
    for scoring in ("tournament", "discs"):
        [found] = records("solve", PASSES, "--scoring", scoring)
        assert found["scoring"] == scoring
        assert found["value"] == reversi.solve(board, scoring=scoring).value
    text = answer("solve", f"{PASSES}; +64;", "--scoring", "discs")
    assert "given" not in text


def test_solve_shows_one_board_with_its_line():
    text = answer("solve", PASSES)
    assert "white loses by" in text
    assert "value" in text
    assert "best" in text


def test_solve_reads_lists_that_end_with_a_mark():
    [each, total] = records("solve", given=f"{MUST_PASS}; --:-127;\n")
    assert (each["best_move"], each["expected"], each["right"]) == ("pass", None, None)
    assert total["total"]["unchecked"] == 1


def test_solve_all_shows_every_move_best_first():
    board = Board.from_obf(CHOICE)
    [found] = records("solve", CHOICE, "--all")
    values = found["values"]
    assert list(values.values()) == sorted(values.values(), reverse=True)
    assert set(values) == {reversi.square_name(move) for move in board.legal_moves}
    assert max(values.values()) == found["value"]
    listed = ", ".join(f"{move} {value:+d}" for move, value in values.items())
    assert f"moves  {listed}" in answer("solve", CHOICE, "--all")
    assert answer("solve", "--all", given=CHOICE).splitlines()[1].endswith(listed)
    assert records("solve", CHOICE)[0]["values"] == {}


def test_solve_all_checks_every_move_that_a_line_lists():
    values = records("solve", CHOICE, "--all")[0]["values"]
    *_, (worst, low) = values.items()
    best, high = next(iter(values.items()))
    assert low < high
    for given, status in (
        (f"{best}:{high}; {worst}:{low}", 0),
        (f"{best}:{high}; {worst}:{low - 2}", 1),
    ):
        line = f"{CHOICE}; {given};"
        assert reversi_command("solve", "--all", given=line).returncode == status
        assert reversi_command("solve", given=line).returncode == 0


@pytest.mark.parametrize("board", [CHOICE, PASSES, MUST_PASS, GAME_OVER])
def test_solve_outcome_asks_only_who_wins(board):
    [exact] = records("solve", board)
    [found] = records("solve", board, "--outcome")
    value = exact["value"]
    assert found["outcome"] == ("win" if value > 0 else "loss" if value < 0 else "draw")
    assert found["lower"] <= value <= found["upper"]
    assert answer("solve", board, "--outcome").startswith(f"outcome  {found['outcome']}  (")
    # A move that reaches the outcome need not be a best one.
    table = answer("solve", "-", "--outcome", given=board)
    assert table.split()[:4] == ["line", "empty", "value", "move"]
    for given, right in ((value, True), (-1 if value >= 0 else 1, False)):
        line = f"{board}; {given};"
        done = reversi_command("solve", "--outcome", "--json", given=line)
        assert json.loads(done.stdout.splitlines()[0])["right"] is right
        assert done.returncode == (0 if right else 1)


def test_a_limit_leaves_bounds_and_the_line_unchecked():
    nothing = reversi_command("solve", "--nodes", "1", given=f"{WORKED}; +2;")
    assert (nothing.returncode, nothing.stderr) == (0, "")
    assert nothing.stdout.splitlines()[1].split()[2:5] == ["-64..+64", "-", "+2"]
    assert "0 right, 0 wrong, 1 unchecked" in nothing.stdout
    [found] = records("solve", WORKED, "--nodes", "1")
    assert (found["lower"], found["upper"], found["exact"]) == (-64, 64, False)
    assert "-64..+64  (undecided, the limit struck" in answer("solve", WORKED, "--nodes", "1")
    assert records("solve", CHOICE, "--time-ms", "60000", "--nodes", "1000000")[0]["exact"]


def test_bounds_that_contradict_a_line_are_wrong():
    problem = Problem(Board.from_obf(CHOICE), "set.obf", 1, {}, 6)
    found = reversi.solve(problem.board)

    def bounded(lower: int, upper: int) -> Solution:
        return replace(found, lower=lower, upper=upper, exact=False)

    assert judge(problem, bounded(-4, 12)) is None
    assert judge(problem, bounded(6, 8)) is None
    assert judge(problem, bounded(8, 64)) is False
    assert judge(problem, bounded(-64, 4)) is False
    assert judge(problem, bounded(2, 64), outcome_only=True) is True
    assert judge(problem, bounded(-64, 64), outcome_only=True) is None


def test_moves_that_a_limit_left_out_are_unchecked():
    board = Board.from_obf(CHOICE)
    with reversi.Engine(hash_mb=1) as engine:
        found = engine.solve(board, every_move=True)
    given = {reversi.parse_square(move): value for move, value in found.values.items()}
    problem = Problem(board, "set.obf", 1, given)
    best = next(iter(found.values))
    assert judge(problem, found) is True
    assert judge(problem, replace(found, values={best: found.values[best]})) is None


@pytest.mark.parametrize(
    ("command", "remedy"), [("solve", "--time-ms ends it"), ("compare", "Ctrl-C ends it")]
)
def test_a_long_solve_is_warned_of_once_and_also_in_a_pipe(command, remedy, monkeypatch, capsys):
    main = cli.reversi_command.main
    main([command, CHOICE, "--json"], standalone_mode=False)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(words, "FEASIBLE_EMPTIES", 5)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{CHOICE}\n" * 3))
    main([command, "--json"], standalone_mode=False)
    shown = capsys.readouterr()
    empties = Board.from_obf(CHOICE).empties
    assert shown.err == f"reversi: {empties} empty squares may take hours; {remedy}\n"
    assert len(shown.out.splitlines()) >= 4


def test_a_solve_with_a_limit_needs_no_warning():
    assert reversi_command("solve", "start", "--time-ms", "0").stderr == ""


def test_solve_answers_line_by_line_until_a_malformed_one(tmp_path):
    file = tmp_path / "set.obf"
    file.write_text(f"{GAME_OVER}\nnothing\n{GAME_OVER}\n")
    done = reversi_command("solve", str(file), "--json")
    assert json.loads(done.stdout)["value"] == 16
    assert done.stderr.startswith(f"reversi: error: {file}:2:1: 'n'")
    assert done.returncode == 2


# compare, perft, bench


def test_compare_shows_both_choices_and_sums_up_a_set(tmp_path):
    [one] = records("compare", PASSES, "--depth", "1")
    assert one["loss"] == one["exact_value"] - one["midgame_value"] >= 0
    file = tmp_path / "set.obf"
    file.write_text(f"{PASSES}\n{PASSES}\n")
    *each, last = records("compare", str(file), "--depth", "1")
    assert [record["loss"] for record in each] == [one["loss"]] * 2
    assert [group["empties"] for group in last["by_empties"]] == [one["empties"]]
    assert last["total"]["positions"] == 2
    assert last["total"]["mean_loss"] == one["loss"]
    lines = answer("compare", str(file)).splitlines()
    assert lines[0].split() == [
        "line",
        "empty",
        "midgame",
        "score",
        "value",
        "exact",
        "best",
        "loss",
    ]
    assert lines[-1].split()[:2] == ["all", "2"]


@pytest.mark.parametrize(
    ("arguments", "leaves"),
    [
        (["0"], 1),
        (["8"], 390216),
        (["9"], 3005288),
        (["9", "--no-pass-ply"], 3005320),
        (["1", WORKED], len(Board.from_obf(WORKED).legal_moves)),
    ],
)  # fmt: skip
def test_perft_counts_leaves(arguments, leaves):
    [found] = records("perft", *arguments)
    assert found["leaves"] == leaves
    assert f" = {leaves:,} leaves in " in answer("perft", *arguments)


@pytest.mark.parametrize("mode", [[], ["--no-pass-ply"]])
@pytest.mark.parametrize("board", ["start", PASSES, MUST_PASS, GAME_OVER])
def test_perft_divide_adds_up(board, mode):
    [whole] = records("perft", "5", board, *mode)
    [parts] = records("perft", "5", board, "--divide", *mode)
    assert parts["leaves"] == whole["leaves"]
    assert sum(parts["divide"].values()) in (whole["leaves"], 0)


def test_bench_measures_the_build_in_use():
    [found] = records("bench")
    assert found["build"] == reversi.cpu_info().build
    counts = {task["task"]: task["count"] for task in found["tasks"]}
    assert counts["perft(11)"] == 212258800
    assert all(task["per_second"] > 0 for task in found["tasks"])


def test_words_for_counts_and_scores():
    assert [words.count(n) for n in (0, 999, 1000, 999_949, 999_951, 3_400_000)] == [
        "0", "999", "1.0k", "999.9k", "1.0M", "3.4M",
    ]  # fmt: skip
    assert words.score(-10_640_000) == "-10640000 (-64)"

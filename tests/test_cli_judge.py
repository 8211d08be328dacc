"""How well the search judges: the figures, one by one, and the command on real positions."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from commandline import CHOICE, MUST_PASS, PASSES, answer, records, refusal

import reversi
from reversi import Board, Engine, Limit, parse_square
from reversi.cli.boards import Problem
from reversi.cli.judge import judgement, summary

KEYS = [
    "file", "depth", "selectivity", "evaluator", "positions", "best_move_percent", "top2_percent",
    "mae", "bias", "within3_percent", "within6_percent", "nodes", "elapsed_ms",
]  # fmt: skip


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two positions with the exact value of every move."""
    path = tmp_path_factory.mktemp("judge") / "set.obf"
    lines = []
    with Engine(hash_mb=4) as engine:
        for text in (CHOICE, PASSES):
            values = engine.solve(Board.from_obf(text), every_move=True).values
            lines.append(f"{text}; " + " ".join(f"{m}:{v:+d};" for m, v in values.items()))
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize(
    ("values", "chosen", "best", "top2"),
    [
        ([6, 2, 0], 0, True, True),
        ([6, 2, 0], 1, False, True),
        ([6, 2, 0], 2, False, False),
        ([6, 6, 4], 1, True, True),
        ([6, 6, 4], 2, False, False),
        ([6, 4, 4], 2, False, True),
        ([6], 0, True, True),
    ],
)
def test_a_choice_is_judged_by_the_moves_that_are_better(
    values: list[int], chosen: int, best: bool, top2: bool
) -> None:
    names = ["d3", "c4", "f5"][: len(values)]
    given = {parse_square(name): value for name, value in zip(names, values, strict=True)}
    problem = Problem(Board(), "set.obf", 1, given)
    with Engine(hash_mb=1) as engine:
        found = engine.search(Board(), Limit(depth=1), [names[chosen]])
    judged = judgement(problem, replace(found, value=3.5), counts_discs=True)
    assert (judged.best, judged.top2, judged.error) == (best, top2, 3.5 - values[0])
    assert judgement(problem, found, counts_discs=False).error is None


def test_a_move_that_the_file_does_not_list_is_no_good_one() -> None:
    problem = Problem(Board(), "set.obf", 1, {parse_square("d3"): 0})
    with Engine(hash_mb=1) as engine:
        found = engine.search(Board(), Limit(depth=1), ["f5"])
    judged = judgement(problem, found, counts_discs=True)
    assert (judged.best, judged.top2) == (False, False)


def test_the_figures_of_a_set() -> None:
    problem = Problem(Board(), "set.obf", 1, {parse_square("d3"): 0, parse_square("f5"): -2})
    with Engine(hash_mb=1) as engine:
        found = engine.search(Board(), Limit(depth=1), ["d3"])
    errors = [3.0, -3.5, 6.0, -7.5]
    judged = [judgement(problem, replace(found, value=error), True) for error in errors]
    judged[0] = replace(judged[0], best=False)
    figures = summary(judged)
    assert figures["positions"] == 4
    assert (figures["best_move_percent"], figures["top2_percent"]) == (75.0, 100.0)
    assert (figures["mae"], figures["bias"]) == (5.0, -0.5)
    assert (figures["within3_percent"], figures["within6_percent"]) == (25.0, 75.0)
    assert figures["nodes"] == 4 * found.nodes


def test_a_search_to_the_end_judges_without_an_error(file: Path) -> None:
    [found] = records("bench", "judge", str(file), "--depth", "60")
    assert list(found) == KEYS
    assert (found["positions"], found["best_move_percent"], found["mae"]) == (2, 100.0, 0.0)
    assert found["within3_percent"] == 100.0 and found["nodes"] > 0
    assert found["selectivity"] == 100


def test_json_may_be_asked_of_bench_or_of_judge(file: Path) -> None:
    outer = json.loads(answer("bench", "--json", "judge", str(file), "--depth", "1"))
    [inner] = records("bench", "judge", str(file), "--depth", "1")
    assert list(outer) == list(inner) and outer["mae"] == inner["mae"]


def test_a_shallow_search_errs(file: Path) -> None:
    [found] = records("bench", "judge", str(file), "--depth", "1", "--selectivity", "100")
    assert (found["depth"], found["selectivity"], found["evaluator"]) == (1, 100, "pattern")
    assert found["mae"] > 0
    assert records("bench", "judge", str(file), "--depth", "5")[0]["selectivity"] == 73
    text = answer("bench", "judge", str(file), "--depth", "1")
    assert f" {found['mae']:.2f}\n" in text and "among the top 2" in text


def test_the_classic_evaluator_is_judged_by_its_moves_alone(file: Path) -> None:
    [found] = records("bench", "judge", str(file), "--depth", "1", "--evaluator", "classic")
    assert found["mae"] is None and found["best_move_percent"] is not None
    assert "mean absolute error" not in answer(
        "bench", "judge", str(file), "--depth", "1", "--evaluator", "classic"
    )


def test_a_file_without_values_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "set.obf"
    path.write_text(f"{CHOICE}; h1:+38;\n{PASSES}\n")
    assert refusal("bench", "judge", str(path), "--depth", "1").startswith(f"{path}:2: no values")
    path.write_text(f"{MUST_PASS}; --:-127;\n")
    assert refusal("bench", "judge", str(path)).startswith(f"{path}:1: no values")


def test_measuring_the_speed_is_still_what_bench_does_alone() -> None:
    assert "judge" in answer("bench", "--help")
    assert reversi.cpu_info().build

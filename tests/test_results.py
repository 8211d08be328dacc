"""Results as values; the evaluation, the comparison and the table, which are known by theirs."""

import copy
import dataclasses
import pickle
from typing import Any

import brute
import pytest
import reference
from hypothesis import given
from reference import BLACK, WHITE, Position, to_text
from strategies import positions

from reversi import Board, Engine, Evaluation, Limit, compare, cpu_info, evaluate, parse_move
from reversi.results import Scoring

PASS = Board.from_obf("XO" + "-" * 62 + " O")
OVER = Board.from_obf("X" * 20 + "-" * 44 + " O")
FIELDS = [field.name for field in dataclasses.fields(Evaluation)]
SCORINGS: tuple[Scoring, Scoring] = ("tournament", "discs")


def few(seed: int, empties: int = 8) -> Board:
    return Board.from_obf(brute.obf(*brute.from_game(seed, empties)))


def results() -> list[Any]:
    """One of each, and some with other fields set."""
    with Engine(hash_mb=1) as engine:
        return [
            Limit(time_ms=100, depth=3),
            engine.search(Board(), Limit(depth=3), multipv=2),
            engine.search(few(0), Limit(depth=3)),
            engine.search(few(0), Limit(depth=60)),
            engine.search(PASS),
            engine.search(OVER),
            next(iter(engine.analyse(Board(), Limit(depth=1)))),
            engine.evaluate(Board()),
            engine.solve(few(0)),
            engine.solve(OVER),
            engine.compare(few(0)),
            engine.table_stats,
            cpu_info(),
        ]


@pytest.mark.parametrize("result", results(), ids=lambda result: type(result).__name__)
def test_a_result_is_a_frozen_value(result: Any) -> None:
    for field in dataclasses.fields(result):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(result, field.name, None)
    assert not hasattr(result, "__dict__")
    with pytest.raises((AttributeError, TypeError)):
        result.something_else = 1
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(result, protocol)) == result
    for twin in (copy.copy(result), copy.deepcopy(result), dataclasses.replace(result)):
        assert twin == result and hash(twin) == hash(result) and type(twin) is type(result)
    for field in dataclasses.fields(result):
        assert f"{field.name}={getattr(result, field.name)!r}" in repr(result)


def test_numbers_have_the_types_that_they_are_said_to_have() -> None:
    with Engine(hash_mb=1) as engine:
        for result in (engine.search(few(0)), engine.search(PASS), engine.search(OVER)):
            for name in ("row", "col", "score", "depth", "nodes"):
                assert type(getattr(result, name)) is int
            for name in ("elapsed_ms", "nps"):
                assert type(getattr(result, name)) is float
            for name in ("exact", "passed", "game_over"):
                assert type(getattr(result, name)) is bool
            assert type(result.disc_diff) in (int, type(None))


# Evaluation.


@given(positions())
def test_the_terms_are_those_of_the_slow_twin(position: Position) -> None:
    board = Board.from_obf(to_text(*position))
    for view in (BLACK, WHITE):
        found = evaluate(board, board.turn.__class__(view))
        expected = reference.terms(*position, view)
        total = reference.evaluate(*position, view)
        assert dataclasses.asdict(found) == {**expected, "total": total}


@given(positions())
def test_the_default_view_is_the_side_to_move(position: Position) -> None:
    board = Board.from_obf(to_text(*position))
    assert evaluate(board) == evaluate(board, board.turn)
    mine, theirs = evaluate(board, board.turn), evaluate(board, board.turn.opponent)
    assert [getattr(mine, name) for name in FIELDS] == [-getattr(theirs, name) for name in FIELDS]


@pytest.mark.parametrize("view", [0, 2, -2, "black", "X", 0.5])
def test_another_view_is_refused(view: Any) -> None:
    with pytest.raises(ValueError, match=f"{view!r}.*expected"):
        evaluate(Board(), view)
    with Engine(hash_mb=1) as engine, pytest.raises(ValueError, match="expected"):
        engine.evaluate(Board(), view)


def test_the_total_of_the_worked_example() -> None:
    terms = Evaluation(48, 700, 270, 800, 90, 0, 220, 280)
    assert terms.total == 1788
    assert (terms.material, terms.positional, terms.mobility, terms.corners) == (48, 700, 270, 800)
    assert (terms.frontier, terms.parity, terms.danger, terms.stable) == (90, 0, 220, 280)


# Comparison.


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("depth", [1, 6])
def test_the_middle_game_s_choice_beside_the_exact_one(scoring: Scoring, depth: int) -> None:
    worse = 0
    with (
        Engine(hash_mb=1, evaluator="classic") as engine,
        Engine(hash_mb=1, evaluator="classic", exact_endgame_empties=0) as midgame,
    ):
        for seed in range(30):
            position = brute.from_game(seed, 8)
            if not brute.children(*position):
                continue
            board = few(seed)
            found = engine.compare(board, Limit(depth=depth), scoring)
            slow = brute.Exact(scoring == "tournament")
            chosen = midgame.search(board, Limit(depth=depth))
            assert (found.midgame_move, found.midgame_score) == (chosen.move, chosen.score)
            assert found.empties == 8
            assert found.exact_value == slow.value(*position)
            assert parse_move(found.exact_move) in slow.best_moves(*position)
            assert found.midgame_value == slow.move_value(*position, parse_move(found.midgame_move))
            assert found.loss == found.exact_value - found.midgame_value >= 0
            assert found.disagree == (found.loss > 0)
            worse += found.disagree
    assert worse > 5 if depth == 1 else worse > 0


def test_the_default_comparison_is_with_depth_6_by_tournament_rule() -> None:
    for seed in range(4):
        assert compare(few(seed)) == compare(few(seed), Limit(depth=6), "tournament")


@pytest.mark.parametrize("scoring", SCORINGS)
def test_comparing_where_the_only_move_is_a_pass(scoring: Scoring) -> None:
    found = compare(PASS, scoring=scoring)
    assert (found.midgame_move, found.exact_move, found.loss) == ("pass", "pass", 0)
    assert found.exact_value == {"tournament": -64, "discs": -3}[scoring]


@pytest.mark.parametrize("cells", ["-" * 64, "X" * 64, "X" * 20 + "-" * 44])
def test_a_finished_game_is_not_compared(cells: str) -> None:
    with pytest.raises(ValueError, match="over"):
        compare(Board.from_obf(f"{cells} X"))


def test_comparing_by_another_scoring_is_refused() -> None:
    plain: Any = "plain"
    with pytest.raises(ValueError, match="expected 'tournament' or 'discs'"):
        compare(few(0), scoring=plain)


# The table's numbers.


def test_what_the_table_says_of_itself() -> None:
    with Engine(hash_mb=2) as engine:
        stats = engine.table_stats
        assert (stats.size_mb, stats.hits, stats.stores, stats.fill) == (2, 0, 0, 0.0)
        assert 2 * 2**20 // 16 * 0.99 <= stats.entries <= 2 * 2**20 // 16
        engine.search(Board(), Limit(depth=9))
        used = engine.table_stats
        assert used.hits > 0 and used.stores > 0 and 0 < used.fill <= 1
        engine.solve(few(0, 14))
        more = engine.table_stats
        assert more.hits > used.hits and more.stores > used.stores
        engine.clear()
        assert engine.table_stats == stats


def test_without_the_hash_the_table_stays_empty() -> None:
    with Engine(hash_mb=1, use_hash=False) as engine:
        engine.search(Board(), Limit(depth=6))
        engine.solve(few(0, 10))
        stats = engine.table_stats
    assert (stats.hits, stats.stores, stats.fill) == (0, 0, 0.0)

"""The levels of play: what they are, and that the low ones are human: beatable, and never silly."""

from __future__ import annotations

import random
from collections.abc import Generator
from dataclasses import replace
from itertools import pairwise

import brute
import pytest

from reversi import BLACK, PASS, Board, Certainty, Engine, Limit, SearchInfo, SearchResult
from reversi.levels import level_of
from reversi.limits import MAX_LEVEL
from reversi.steps import Deepening

CHANCE = range(5)


def game(empties: int, seed: int = 0) -> Board:
    return Board.from_obf(brute.obf(*brute.from_game(seed, empties)))


def seen(result: SearchResult) -> tuple[object, ...]:
    return result.move, result.score, result.nodes, result.certainty


# What they are.


def test_a_higher_level_sees_no_less() -> None:
    levels = [level_of(number) for number in range(MAX_LEVEL + 1)]
    for one, other in pairwise(levels):
        assert one.exact_empties <= other.exact_empties
        assert one.sure_empties <= other.sure_empties
        assert one.likely_empties <= other.likely_empties
        assert one.slack >= other.slack and one.warmth >= other.warmth
    for number, level in enumerate(levels):
        assert (level.slack > 0) == (level.warmth > 0) == (number in CHANCE)
        assert level.depth == number or number in CHANCE
        assert level.exact_empties <= level.sure_empties <= level.likely_empties
        assert level.exact_empties == 2 * number or number > 10
    assert levels[21].exact_empties == 24


@pytest.mark.parametrize("number", [5, 8, 11])
def test_a_level_is_a_depth_in_the_middle_game_and_a_range_at_the_end(number: int) -> None:
    level = level_of(number)
    with Engine(hash_mb=4) as engine:
        middle = engine.search(game(40), Limit(level=number)).certainty
        end = engine.search(game(min(level.exact_empties, 18)), Limit(level=number))
        assert middle is not None
        assert (middle.kind, middle.depth, middle.selectivity) == ("search", number, 73)
        assert end.exact
        if level.exact_empties < 18:
            assert not engine.search(game(level.exact_empties + 2), Limit(level=number)).exact


def test_between_the_ranges_the_end_is_likely_or_sure() -> None:
    level = level_of(12)
    with Engine(hash_mb=4) as engine:
        for empties, selectivity in ((level.likely_empties - 3, 95), (level.likely_empties, 73)):
            sure = engine.search(game(empties), Limit(level=12)).certainty
            assert sure is not None
            assert (sure.depth, sure.selectivity) == (empties, selectivity)


def test_other_limits_hold_beside_a_level() -> None:
    with Engine(hash_mb=4) as engine:
        assert engine.search(game(40), Limit(level=20, depth=4)).depth == 4
        assert engine.search(game(40), Limit(level=40, nodes=10_000)).nodes <= 11_024
        assert engine.search(game(40), Limit(level=60, time_ms=0)).elapsed_ms < 2050


def test_classic_levels_are_a_depth_and_a_range_too() -> None:
    with Engine(hash_mb=4, evaluator="classic") as engine:
        assert engine.search(game(40), Limit(level=0)).depth == 1
        assert engine.search(game(40), Limit(level=5)).depth == 5
        assert engine.search(game(10), Limit(level=5)).exact
        assert not engine.search(game(10), Limit(level=2)).exact


@pytest.mark.parametrize("level", [-1, 61, 2.5, "3"])
def test_another_level_is_refused(level: object) -> None:
    with pytest.raises(ValueError, match=r"level is .*expected an integer, 0 to 60"):
        Limit(level=level)  # type: ignore[arg-type]


def test_a_level_is_no_limit_for_a_solve() -> None:
    with Engine(hash_mb=1) as engine, pytest.raises(ValueError, match=r"level is 3.*expected"):
        engine.solve(game(6), limit=Limit(level=3))


# Chance.


def test_low_levels_never_play_a_silly_move() -> None:
    """No worse than their slack by a search of six plies; 300 positions."""
    other = 0
    with Engine(hash_mb=4, seed=1) as player, Engine(hash_mb=4) as judge:
        for number in range(300):
            board = game(10 + number % 46, number)
            if list(board.legal_moves) == [PASS] or board.is_game_over():
                continue
            level = number % len(CHANCE)
            chosen = player.search(board, Limit(level=level))
            judge.clear()
            lines = judge.search(board, Limit(depth=6), selectivity=100, multipv=64).lines
            values = {line.move: line.value or 0.0 for line in lines}
            loss = (lines[0].value or 0.0) - values[str(chosen.move)]
            assert loss <= level_of(level).slack + 1e-9, board.obf()
            assert chosen.value == values[str(chosen.move)]
            other += chosen.move != lines[0].move
    assert other > 60


@pytest.mark.parametrize(("weak", "strong"), [(0, 6), (1, 4)])
def test_a_low_level_loses_most_games_to_a_higher_one(weak: int, strong: int) -> None:
    lost, games = 0, 12
    with Engine(hash_mb=4, seed=2) as engine:
        for number in range(games):
            rng = random.Random(number)
            board = Board()
            for _ in range(6):
                board.push(rng.choice(list(board.legal_moves)))
            black = weak if number % 2 else strong
            while not board.is_game_over():
                if list(board.legal_moves) == [PASS]:
                    board.push(PASS)
                    continue
                level = black if board.turn is BLACK else weak + strong - black
                board.push(str(engine.search(board, Limit(level=level)).move))
            outcome = board.outcome()
            assert outcome is not None
            lost += outcome.discs < 0 if black == weak else outcome.discs > 0
    assert lost > games * 2 / 3


def test_a_seed_repeats_the_choices_and_another_does_not() -> None:
    def choices(seed: int | None) -> list[str | None]:
        with Engine(hash_mb=1, seed=seed) as engine:
            return [engine.search(game(50), Limit(level=0)).move for _ in range(20)]

    assert choices(1) == choices(1)
    assert len({tuple(choices(seed)) for seed in (1, 2, None, None)}) > 2
    assert len(set(choices(3))) > 1


def test_a_solved_position_is_played_without_chance() -> None:
    board = game(8)
    with Engine(hash_mb=1) as engine:
        best = engine.solve(board)
        found = [engine.search(board, Limit(level=4)) for _ in range(10)]
    assert all(result.exact and result.move in best.best_moves for result in found)


def test_a_choice_by_chance_has_one_record_and_its_own_line() -> None:
    infos: list[SearchInfo] = []
    with Engine(hash_mb=1, seed=4) as engine:
        for _ in range(10):
            infos.clear()
            found = engine.search(game(45), Limit(level=0), on_info=infos.append, multipv=3)
            assert [info.move for info in infos] == [found.move]
            assert [line.move for line in found.lines] == [found.move]
            assert found.pv[0] == found.move and found.value == found.lines[0].value
            assert found.score == round(100 * (found.value or 0.0))


def test_a_choice_by_chance_claims_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds of the position need not hold for another move than the best."""
    run = Deepening.run

    def proved(deepening: Deepening) -> Generator[SearchInfo, None, SearchInfo]:
        last = yield from run(deepening)
        assert last.certainty is not None
        return replace(last, certainty=replace(last.certainty, kind="bound", lower=2, upper=64))

    monkeypatch.setattr(Deepening, "run", proved)
    with Engine(hash_mb=1, seed=4) as engine:
        found = engine.search(game(45), Limit(level=0))
        by_level_5 = engine.search(game(45), Limit(level=5)).certainty
    assert found.certainty == Certainty("search", 6, 100)
    assert by_level_5 is not None and by_level_5.kind == "bound"


def test_an_analysis_knows_no_chance() -> None:
    with Engine(hash_mb=1) as one, Engine(hash_mb=1) as other:
        analysed = [list(engine.analyse(game(50), Limit(level=0))) for engine in (one, other)]
    moves = [[(info.move, info.value, info.nodes) for info in infos] for infos in analysed]
    assert moves[0] == moves[1] and len(moves[0]) == 6


def test_only_allowed_moves_are_chosen_by_chance() -> None:
    with Engine(hash_mb=1, seed=5) as engine:
        chosen = {engine.search(Board(), Limit(level=0), ["d3", "f5"]).move for _ in range(30)}
    assert chosen == {"d3", "f5"}

"""The plain solver of bench/ against the slow one here, and the package against the plain solver.

The plain one is fast enough for thousands of positions; `python bench/prove.py` compares those.
"""

import sys
from pathlib import Path

import brute
import pytest

from reversi import Board, Engine, square_name

sys.path.append(str(Path(__file__).parents[1] / "bench"))

import plain_solver
from obf_values import problems
from plain_solver import Rule
from varied_positions import varied_positions

pytestmark = pytest.mark.skipif(plain_solver.compiler() is None, reason="no C compiler")

POSITIONS = Path(plain_solver.__file__).with_name("positions")
RULES: tuple[Rule, ...] = ("tournament", "discs")
BOARDS = list(varied_positions(360, max_empties=10, seed=7))


def discs(boards: list[Board]) -> list[tuple[int, int]]:
    return [(board.own, board.opp) for board in boards]


@pytest.mark.parametrize("rule", RULES)
def test_plain_values_are_the_slow_ones(rule: Rule) -> None:
    positions = [(own, opp) for own, opp in discs(BOARDS) if brute.empties(own, opp) <= 7]
    positions += [brute.odd_board(seed, left=6) for seed in range(20)]
    slow = [brute.Exact(rule == "tournament").value(own, opp) for own, opp in positions]
    assert plain_solver.values(positions, rule) == slow


@pytest.mark.parametrize("rule", RULES)
def test_plain_move_values_are_the_slow_ones(rule: Rule) -> None:
    for own, opp in [brute.from_game(seed, left=6) for seed in range(20)]:
        exact = brute.Exact(rule == "tournament")
        slow = {sq: exact.move_value(own, opp, sq) for sq, _, _ in brute.children(own, opp)}
        assert plain_solver.move_values(own, opp, rule) == slow, brute.obf(own, opp)


@pytest.mark.parametrize("rule", RULES)
def test_the_package_finds_the_plain_values(rule: Rule) -> None:
    plain = plain_solver.values(discs(BOARDS), rule)
    with Engine(hash_mb=1) as engine:
        assert engine.solve_many(BOARDS, rule) == plain
    with Engine(hash_mb=1, use_hash=False) as engine:
        assert engine.solve_many(BOARDS, rule, threads=2) == plain


@pytest.mark.parametrize("rule", RULES)
def test_the_package_finds_the_plain_value_of_every_move(rule: Rule) -> None:
    with Engine(hash_mb=1) as engine:
        for board in BOARDS[:120]:
            plain = plain_solver.move_values(board.own, board.opp, rule)
            values = engine.solve(board, rule, every_move=True).values
            assert values == {square_name(sq): value for sq, value in plain.items()}, board


def test_the_kept_positions_and_their_best_moves() -> None:
    kept = [each for path in POSITIONS.glob("*.obf") for each in problems(path)]
    assert {each.board.empties for each in kept} == set(range(8, 21))
    assert len({each.board.canonical() for each in kept}) == len(kept) >= 200
    for each in kept:
        if each.board.empties <= 10:
            plain = plain_solver.move_values(each.board.own, each.board.opp, "tournament")
            best = {square_name(sq): value for sq, value in plain.items() if value == each.value}
            assert each.values == best and each.value == max(plain.values()), each.place


def test_without_a_compiler_the_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    plain_solver._library.cache_clear()
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(FileNotFoundError, match="no C compiler found"):
        plain_solver.values([(1, 2)], "discs")

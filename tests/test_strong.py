"""The search by the learned evaluation: against slow twins, and what its results promise."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import brute
import networks
import pytest
import reference

import reversi
from reversi import (
    BLACK,
    WHITE,
    Board,
    Certainty,
    Engine,
    Limit,
    SearchInfo,
    SearchResult,
    WeightsError,
    parse_move,
    parse_square,
    search_best_move,
)
from reversi._load import core
from reversi.deepening import finish
from reversi.levels import level_of
from reversi.plans import plan_of
from reversi.steps import Deepening
from reversi.weights import default_weights, write_weights

Kind = Callable[[int, int], brute.Discs]

PASS = Board.from_obf("XO" + "-" * 62 + " O")
OVER = Board.from_obf("X" * 20 + "-" * 44 + " O")
POSITIONS = Path(__file__).parents[1] / "bench" / "positions"
SELECTIVITIES = (100, 99, 95, 87, 73)


def board_of(position: brute.Discs, side: str = "X") -> Board:
    return Board.from_obf(brute.obf(*position, side))


def game(empties: int, seed: int = 0) -> Board:
    return board_of(brute.from_game(seed, empties))


def kept(empties: int, count: int) -> list[tuple[Board, int]]:
    """Kept positions with their exact values."""
    lines = (POSITIONS / f"endgame-{empties:02}.obf").read_text().splitlines()
    found = []
    for line in [line for line in lines if not line.startswith("%")][:count]:
        board, _, values = line.partition(";")
        found.append((Board.from_obf(board), max(map(int, re.findall(r"[+-]\d+", values)))))
    return found


def answer(result: SearchResult) -> tuple[object, ...]:
    """All of a result that does not depend on the clock."""
    return result.move, result.score, result.nodes, result.certainty, result.lines


def learned(own: int, opp: int, depth: int) -> int:
    """The slow twin: plain negamax to a depth, passes costing none, in 1/128 disc."""
    moves = brute.children(own, opp)
    if not moves:
        if not brute.children(opp, own):
            return core.UNIT * brute.final_score(own, opp, tournament=True)
        return -learned(opp, own, depth)
    if depth == 0:
        return min(64 * core.UNIT, default_weights().evaluate(own, opp) + core.TEMPO)
    return max(-learned(*child, depth - 1) for _, *child in moves)


# Values.


def test_no_value_is_larger_than_the_board() -> None:
    board = Board.from_transcript("d3c3b3b2b1a1c4c1c2d2d1e1a2a3f5")
    with Engine(hash_mb=1) as engine:
        for depth in (1, 2, 3):
            found = engine.search(board, Limit(depth=depth), multipv=64)
            assert all(-64 <= line.value <= 64 for line in found.lines)


@pytest.mark.parametrize("empties", [4, 9, 20, 40, 55])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_search_that_leaves_nothing_out_agrees_with_the_slow_twin(
    depth: int, empties: int
) -> None:
    for seed in range(3):
        position = brute.from_game(seed, empties)
        values = {
            sq: -learned(*child, depth - 1) / core.UNIT for sq, *child in brute.children(*position)
        }
        for use_hash in (True, False):
            with Engine(hash_mb=1, use_hash=use_hash) as engine:
                found = engine.search(
                    board_of(position), Limit(depth=depth), selectivity=100, multipv=64
                )
            assert {parse_square(line.move): line.value for line in found.lines} == values
            assert found.value == max(values.values()) == found.lines[0].value
            assert found.score == round(100 * max(values.values()))


def test_passes_near_the_leaves_cost_no_depth() -> None:
    tried = 0
    for seed in range(200):
        position = brute.odd_board(seed, 9)
        children = brute.children(*position)
        if not any(not brute.children(*child) for _, *child in children):
            continue
        for depth in (1, 2, 3):
            with Engine(hash_mb=1) as engine:
                found = engine.search(board_of(position), Limit(depth=depth), selectivity=100)
            best = max(-learned(*child, depth - 1) for _, *child in children)
            assert found.value == best / core.UNIT
        tried += 1
    assert tried > 10


@pytest.mark.parametrize("kind", [brute.from_game, brute.odd_board])
@pytest.mark.parametrize("empties", [1, 2, 5, 8, 9])
def test_a_solved_root(kind: Kind, empties: int) -> None:
    slow = brute.Exact(tournament=True)
    for seed in range(12):
        position = kind(seed, empties)
        if not brute.children(*position):
            continue
        board, value = board_of(position, "XO"[seed % 2]), slow.value(*position)
        with Engine(hash_mb=1) as engine:
            found = engine.search(board, Limit(time_ms=60_000))
            every = engine.search(board, Limit(depth=60), multipv=64)
        assert (found.exact, found.disc_diff, found.value) == (True, value, value)
        assert (type(found.disc_diff), type(found.value)) == (int, float)
        assert found.score == reference.terminal_score(value)
        assert found.certainty == Certainty("exact", empties, 100, value, value)
        assert found.depth == empties
        end = board.copy()
        for move in found.pv:
            end.push(move)
        outcome = end.outcome()
        assert outcome is not None and -board.turn * outcome.tournament == value
        assert {parse_square(line.move): line.value for line in every.lines} == {
            sq: slow.move_value(*position, sq) for sq, _, _ in brute.children(*position)
        }
        values = [line.value for line in every.lines]
        assert values == sorted(values, key=lambda each: -(each or 0.0))
        assert all(line.pv[0] == line.move for line in every.lines)


@pytest.mark.parametrize("empties", [17, 19, 20])
def test_larger_roots_are_solved_as_their_files_say(empties: int) -> None:
    for board, value in kept(empties, 3):
        with Engine(hash_mb=16) as engine:
            found = engine.search(board, Limit(depth=60))
        assert (found.exact, found.value) == (True, value)
        with Engine(hash_mb=16) as engine:
            three = engine.search(board, Limit(depth=60), multipv=3).lines
            assert three[0].value == value
            for line in three:
                child = board.copy()
                child.push(line.move)
                assert -engine.solve(child, all_best=False).value == line.value


@pytest.mark.parametrize("selectivity", SELECTIVITIES)
def test_the_end_is_searched_as_surely_as_asked_and_no_surer(selectivity: int) -> None:
    board, value = kept(18, 1)[0]
    with Engine(hash_mb=4) as engine:
        found = engine.search(board, Limit(depth=60), selectivity=selectivity)
    assert found.certainty is not None and found.value is not None
    assert (found.depth, found.certainty.selectivity) == (18, selectivity)
    assert found.exact == (selectivity == 100) == (found.certainty.kind == "exact")
    assert found.value == value if found.exact else abs(found.value - value) <= 8


def test_true_values_of_the_first_moves_are_those_of_each_alone() -> None:
    for seed in range(3):
        board = game(36, seed)
        with Engine(hash_mb=1, use_hash=False) as engine:
            found = engine.search(board, Limit(depth=5), multipv=4, selectivity=100)
            assert len(found.lines) == 4
            assert (found.move, found.value, found.pv) == (
                found.lines[0].move,
                found.lines[0].value,
                found.lines[0].pv,
            )
            for line in found.lines:
                alone = engine.search(board, Limit(depth=5), [line.move], selectivity=100)
                assert alone.value == line.value
            others = [
                sq
                for sq in board.legal_moves
                if sq not in [parse_move(line.move) for line in found.lines]
            ]
            rest = engine.search(board, Limit(depth=5), others, selectivity=100)
            assert (rest.value or 0.0) <= (found.lines[-1].value or 0.0)


# What proofs say when a limit strikes.


def test_bounds_hold_the_value_wherever_a_limit_strikes() -> None:
    kinds: dict[str, int] = {}
    for empties, count in ((13, 6), (18, 4), (20, 2)):
        for board, value in kept(empties, count):
            for nodes in (1000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000):
                with Engine(hash_mb=4) as engine:
                    found = engine.search(board, Limit(nodes=nodes))
                sure = found.certainty
                assert sure is not None and found.value is not None
                kinds[sure.kind] = kinds.get(sure.kind, 0) + 1
                assert found.exact == (sure.kind == "exact")
                assert type(found.value) is float and type(found.score) is int
                if found.exact:
                    assert sure == Certainty("exact", empties, 100, value, value)
                assert (sure.lower is None) == (sure.upper is None) == (sure.kind == "search")
                if sure.lower is None or sure.upper is None:
                    continue
                assert sure.lower <= value <= sure.upper
                assert sure.lower <= found.value <= sure.upper
                if sure.lower > 0 or found.exact:
                    child = board.copy()
                    child.push(found.move or "")
                    with Engine(hash_mb=4) as engine:
                        assert -engine.solve(child, all_best=False).value >= sure.lower
    assert min(kinds.get(kind, 0) for kind in ("exact", "bound", "search")) > 3, kinds


def test_who_wins_is_proved_before_the_value_where_time_is_short() -> None:
    proved = 0
    for board, value in kept(20, 2) + kept(19, 2):
        for nodes in range(100_000, 1_500_000, 100_000):
            with Engine(hash_mb=4) as engine:
                sure = engine.search(board, Limit(nodes=nodes)).certainty
            assert sure is not None
            if sure.kind == "bound" and sure.lower is not None and sure.upper is not None:
                proved += sure.lower > 0 or sure.upper < 0
                assert not (sure.lower > 0 >= value or sure.upper < 0 <= value)
    assert proved > 3


# Steps and limits.


def test_a_record_of_each_step() -> None:
    infos: list[SearchInfo] = []
    board = game(18)
    with Engine(hash_mb=1) as engine:
        result = engine.search(board, Limit(depth=60), on_info=infos.append)
    sure = [info.certainty for info in infos if info.certainty]
    assert [each.depth for each in sure] == [*range(1, 9), 18, 18]
    assert [each.selectivity for each in sure] == [100] * 4 + [73] * 5 + [100]
    assert [info.exact for info in infos] == [False] * 9 + [True]
    for info in infos:
        assert board.is_legal(info.move) and info.pv[0] == info.move
        assert (info.side, info.source) == (board.turn, "engine")
        if not info.exact:
            assert info.value is not None and info.score == round(100 * info.value)
    for name in ("nodes", "elapsed_ms"):
        numbers = [getattr(info, name) for info in infos]
        assert numbers == sorted(numbers) and numbers[0] > 0
    assert (infos[-1].move, infos[-1].value, infos[-1].lines) == (
        result.move,
        result.value,
        result.lines,
    )


def test_a_depth_limit_is_kept() -> None:
    for empties in (20, 40):
        for depth in (1, 3, 6):
            with Engine(hash_mb=1) as engine:
                result = engine.search(game(empties), Limit(depth=depth))
                assert (result.depth, result.exact) == (depth, False)
    with Engine(hash_mb=1) as engine:
        assert engine.search(game(12), Limit(depth=11)).depth == 11
        assert engine.search(game(12), Limit(depth=12)).exact
        assert [info.depth for info in engine.analyse(game(40), Limit(depth=6))] == [*range(1, 7)]


@pytest.mark.parametrize("nodes", [1, 100, 5_000, 200_000])
def test_a_node_limit_is_kept(nodes: int) -> None:
    """Depth 1 is always completed; the last ply, and an endgame of seven, in one go."""
    for board in (Board(), game(40), game(20)):
        with Engine(hash_mb=1) as engine:
            result = engine.search(board, Limit(nodes=nodes))
        assert result.depth >= 1 and 0 < result.nodes <= nodes + 20_000


def test_a_time_limit_is_used_and_kept() -> None:
    with Engine(hash_mb=1) as engine:
        assert 100 <= engine.search(Board(), Limit(time_ms=130)).elapsed_ms < 2100
        assert engine.search(game(10), Limit(time_ms=600_000)).elapsed_ms < 60_000


@pytest.mark.parametrize("limit", [Limit(depth=8), Limit(nodes=30_000), Limit(nodes=1)])
@pytest.mark.parametrize("multipv", [1, 3])
def test_the_same_call_gives_the_same_result(limit: Limit, multipv: int) -> None:
    for empties in (14, 22, 40):
        answers = []
        for _ in range(2):
            with Engine(hash_mb=1) as engine:
                answers.append(answer(engine.search(game(empties), limit, multipv=multipv)))
        assert answers[0] == answers[1]


def test_the_choice_is_among_the_allowed_moves() -> None:
    with Engine(hash_mb=1) as engine:
        result = engine.search(Board(), Limit(depth=5), ["d3", "f5"], multipv=5)
        assert {line.move for line in result.lines} == {"d3", "f5"}
        board = game(8)
        for sq in board.legal_moves:
            alone = engine.search(board, Limit(depth=60), [sq])
            child = board.copy()
            child.push(sq)
            assert alone.exact and alone.value == -engine.solve(child).value


def test_positions_without_a_move() -> None:
    with Engine(hash_mb=1) as engine:
        passed, over = engine.search(PASS), engine.search(OVER)
        assert (passed.passed, passed.move, passed.certainty) == (True, "pass", None)
        assert (passed.value, passed.lines) == (None, ())
        # The winner gets the empty squares.
        assert (over.game_over, over.disc_diff, over.value, over.score) == (
            True, -64, -64.0, -10_640_000,
        )  # fmt: skip
        assert over.certainty == Certainty("exact", 0, 100, -64, -64)


def test_classic_results_count_discs_only_once_solved() -> None:
    with Engine(hash_mb=1, evaluator="classic") as engine:
        solved, middle = engine.search(game(8)), engine.search(game(40), Limit(depth=3))
    assert solved.value == solved.disc_diff and solved.lines[0].value == solved.value
    assert solved.certainty is not None and solved.certainty.kind == "exact"
    assert (middle.value, middle.certainty) == (None, Certainty("search", 3, 100))
    assert [(line.move, line.pv) for line in middle.lines] == [(middle.move, middle.pv)]


# What it is asked.


@pytest.mark.parametrize("selectivity", [0, 50, 101, "73", 73.5])
def test_another_selectivity_is_refused(selectivity: Any) -> None:
    with Engine(hash_mb=1) as engine, pytest.raises(ValueError, match=r"selectivity is .*expected"):
        engine.search(Board(), Limit(depth=1), selectivity=selectivity)


@pytest.mark.parametrize("multipv", [0, -1, 1.5, "2"])
def test_another_number_of_lines_is_refused(multipv: Any) -> None:
    with Engine(hash_mb=1) as engine:
        for call in (engine.search, engine.analyse):
            with pytest.raises(ValueError, match=r"multipv is .*expected"):
                call(Board(), Limit(depth=1), multipv=multipv)


def test_each_evaluator_refuses_what_only_the_other_has() -> None:
    with Engine(hash_mb=1) as engine, pytest.raises(ValueError, match="evaluator='classic'"):
        engine.search(Board(), Limit(depth=1), trace=print)
    with Engine(hash_mb=1, evaluator="classic") as engine:
        for wish in ({"multipv": 2}, {"selectivity": 73}):
            with pytest.raises(ValueError, match="evaluator='classic'"):
                engine.search(Board(), Limit(depth=1), **wish)
        assert engine.search(Board(), Limit(depth=1), selectivity=100, multipv=1).depth == 1
    with pytest.raises(ValueError, match=r"weights is 'any\.rvw'; expected None"):
        Engine(hash_mb=1, evaluator="classic", weights="any.rvw")


def test_the_one_call_takes_either_evaluator() -> None:
    cells = Board().cells()
    assert search_best_move(cells, True, 0).value is None
    found = search_best_move(cells, True, 0, evaluator="pattern")
    assert found.value is not None and found.certainty is not None
    assert found.move in ("d3", "c4", "f5", "e6")
    with pytest.raises(ValueError, match="evaluator is 'both'"):
        search_best_move(cells, True, 0, evaluator="both")


# Weights.


@pytest.fixture(scope="module")
def zeros(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of weights that judges every position as even."""
    path = tmp_path_factory.mktemp("weights") / "zeros.rvw"
    write_weights(path, *networks.zeros(), {})
    return path


def test_an_engine_may_have_weights_of_its_own(zeros: Path) -> None:
    with Engine(hash_mb=1, weights=zeros) as even, Engine(hash_mb=1, weights=str(zeros)) as same:
        found = even.search(Board(), Limit(depth=4))
        assert found.value == core.TEMPO / core.UNIT
        assert answer(found) == answer(same.search(Board(), Limit(depth=4)))
        assert even.learned_value(game(40)) == 0.0
        for board, value in kept(17, 2):
            assert even.solve(board).value == value == even.search(board, Limit(depth=60)).value


def test_a_file_without_weights_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "none.rvw"
    with pytest.raises(FileNotFoundError):
        Engine(hash_mb=1, weights=path)
    path.write_bytes(b"nothing of that kind\n")
    with pytest.raises(WeightsError, match=r"none\.rvw"):
        Engine(hash_mb=1, weights=path)


def test_the_learned_value_is_in_the_view_asked_for() -> None:
    for board in (game(40), game(20, 1), PASS, OVER):
        value = reversi.learned_value(board)
        assert value == reversi.learned_value(board, board.turn)
        assert value == -reversi.learned_value(board, board.turn.opponent)
        with Engine(hash_mb=1) as engine:
            assert engine.learned_value(board) == value
    assert reversi.learned_value(OVER, BLACK) == 64.0
    turned = PASS.copy()
    turned.push("pass")
    assert reversi.learned_value(PASS, WHITE) == reversi.learned_value(turned, WHITE)
    with pytest.raises(ValueError, match="view is 'black'"):
        reversi.learned_value(Board(), "black")  # type: ignore[arg-type]


# Solves.


@pytest.mark.parametrize("scoring", ["tournament", "discs"])
def test_weights_change_no_exact_value(scoring: Any) -> None:
    for empties in (14, 16, 18):
        for board, value in kept(empties, 3):
            with (
                Engine(hash_mb=4) as learned,
                Engine(hash_mb=4, evaluator="classic") as classic,
            ):
                one, other = learned.solve(board, scoring), classic.solve(board, scoring)
                assert (one.value, sorted(one.best_moves)) == (
                    other.value,
                    sorted(other.best_moves),
                )
                assert scoring == "discs" or one.value == value
                assert learned.solve(board, scoring, outcome_only=True).outcome == other.outcome
                boards = [board, game(6), game(15)]
                assert learned.solve_many(boards, scoring) == classic.solve_many(boards, scoring)


def test_both_ways_to_score_share_a_table_with_searches() -> None:
    board, value = kept(16, 1)[0]
    with Engine(hash_mb=4, evaluator="classic") as classic:
        discs = classic.solve(board, "discs").value
    with Engine(hash_mb=4) as engine:
        for _ in range(2):
            assert engine.solve(board, "discs").value == discs
            assert engine.search(board, Limit(depth=60)).value == value
            assert engine.solve(board).value == value


# Several threads.


@pytest.mark.parametrize("workers", [2, 3, 8])
def test_helpers_change_no_exact_value(workers: int) -> None:
    for empties in (9, 17, 19):
        for board, value in kept(empties, 2):
            with Engine(hash_mb=4, threads=workers) as engine:
                found = engine.search(board, Limit(depth=60))
            assert (found.exact, found.value) == (True, value)


def test_helpers_leave_the_records_to_the_main_search() -> None:
    infos: list[SearchInfo] = []
    with Engine(hash_mb=4) as engine:
        found = engine.search(game(40), Limit(depth=8), workers=2, on_info=infos.append)
        alone = engine.search(game(40), Limit(depth=8), multipv=2)
    assert [info.depth for info in infos] == [*range(1, 9)]
    assert found.depth == 8 and found.nodes >= infos[-1].nodes > 0
    assert found.nps == pytest.approx(found.nodes / found.elapsed_ms * 1000)
    assert len(alone.lines) == 2


def test_helpers_keep_to_time_and_nodes() -> None:
    with Engine(hash_mb=1, threads=3) as engine:
        assert 100 <= engine.search(Board(), Limit(time_ms=130)).elapsed_ms < 2100
        assert engine.search(Board(), Limit(nodes=90_000)).nodes <= 90_000 + 3 * 20_000


# What is asked, and what is proved, near the end.


@pytest.mark.parametrize("selectivity", SELECTIVITIES)
def test_no_step_is_less_sure_than_asked(selectivity: int) -> None:
    board = kept(18, 1)[0][0]
    for limit in (Limit(depth=60), Limit(time_ms=60_000), Limit(level=11), Limit(level=8)):
        with Engine(hash_mb=4) as engine:
            taken = [
                info.certainty for info in engine.analyse(board, limit, selectivity=selectivity)
            ]
        sure = [step for step in taken if step is not None]
        assert min(step.selectivity for step in sure) >= selectivity
        ends = [step for step in sure if step.depth == board.empties]
        assert {step.selectivity for step in ends} == (set() if limit.level == 8 else {selectivity})
    for nodes in (1000, 30_000, 100_000, 300_000):
        with Engine(hash_mb=4) as engine:
            found = engine.search(board, Limit(nodes=nodes), selectivity=selectivity)
        assert found.certainty is not None
        assert found.certainty.selectivity >= selectivity


@pytest.mark.parametrize("selectivity", SELECTIVITIES)
def test_a_level_sees_the_end_as_surely_as_asked(selectivity: int) -> None:
    """From as many empty squares on as it would see it at 73 %."""
    plan = plan_of(Limit(level=21), selectivity)
    asked = SELECTIVITIES.index(selectivity)
    assert plan.ends == {
        step: level_of(21).likely_empties if step == asked else -1 for step in range(5)
    }
    assert plan.least == plan.middle == asked
    assert plan_of(Limit(level=21, depth=20), selectivity).ends[asked] == 20
    assert set(plan_of(Limit(level=21), selectivity, to_the_end=False).ends.values()) == {-1}


def test_a_limit_takes_no_line_away() -> None:
    kinds: set[str] = set()
    for board, value in kept(13, 4) + kept(16, 3):
        for count in (2, 3):
            for nodes in range(2000, 80_000, 6000):
                with Engine(hash_mb=4) as engine:
                    found = engine.search(board, Limit(nodes=nodes), multipv=count)
                assert found.certainty is not None
                kinds.add(found.certainty.kind)
                names = [line.move for line in found.lines]
                assert len(set(names)) == len(names) == min(count, len(board.legal_moves))
                values = [line.value or 0.0 for line in found.lines]
                assert values == sorted(values, reverse=True)
                assert (found.move, found.value) == (names[0], values[0])
                assert not found.exact or found.value == value
    assert kinds == {"search", "bound", "exact"}


def deepening(board: Board, engine: Engine, count: int) -> Deepening:
    """One that has searched six plies of the middle game."""
    [searcher] = engine._searchers(1, tournament=True, weights=engine._learned())
    limit, moves = Limit(depth=6), list(board.legal_moves)
    begun = Deepening([searcher], board, moves, plan_of(limit, None), limit, 0.0, count)
    finish(begun.run())
    return begun


def test_each_line_keeps_to_what_is_proved_of_its_move() -> None:
    with Engine(hash_mb=1) as engine:
        begun = deepening(game(20), engine, 3)
        first, second, third, *rest = begun.order
        begun.proof.bounds.update({first: (-64, 2), second: (-64, -30), third: (-6, -6)})
        begun.proof.bounds.update(dict.fromkeys(rest, (-64, 64)))
        info = begun._proved()
    assert info.certainty is not None
    assert (info.certainty.kind, info.certainty.lower, info.certainty.upper) == ("bound", -6, 64)
    values = {parse_move(line.move): line.value or 0.0 for line in info.lines}
    assert list(values) == [first, third, second]
    assert -6 <= values[first] <= 2 and values[third] == -6 and values[second] <= -30
    assert all(type(line.value) is float for line in info.lines)


def test_a_value_that_is_proved_belongs_to_the_move_that_has_it() -> None:
    with Engine(hash_mb=1) as engine:
        begun = deepening(game(20), engine, 2)
        first, second, *rest = begun.order
        # The first may be worth 4, the second is.
        begun.proof.bounds.update({first: (-64, 4), second: (4, 4)})
        begun.proof.bounds.update(dict.fromkeys(rest, (-64, 2)))
        info = begun._proved()
        assert (info.exact, info.value, parse_move(info.move)) == (True, 4.0, second)
        assert [parse_move(line.move) for line in info.lines] == [second, first]
        with pytest.raises(AssertionError):
            begun._solved([first])

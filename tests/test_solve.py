"""Ways to ask for an exact value: of every move, as an outcome, within limits, of many boards at
once; how they are stopped, and what they refuse. Values are those of the plain solver in brute."""

import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import brute
import numpy
import pytest

import reversi
from reversi import BLACK, PASS, WHITE, Board, Engine, Limit, SearchStopped, parse_square
from reversi.results import Scoring

SCORINGS: tuple[Scoring, Scoring] = ("tournament", "discs")
SOON_S = 5.0
PASSING = Board.from_obf("X" * 62 + "O- O")
OVER = Board.from_obf("X" * 40 + "O" * 24 + " X")


def board_of(position: brute.Discs) -> Board:
    return Board.from_obf(brute.obf(*position))


def positions(count: int, empties: int) -> list[brute.Discs]:
    """Ends of games, and every third one a board that no game reaches."""
    drawn = (brute.odd_board, brute.from_game, brute.from_game)
    return [drawn[seed % 3](seed, empties) for seed in range(count)]


def thousand(empties: int) -> list[Board]:
    """Many more boards than a thread takes at a time, from few games: drawing them is slow."""
    return [board_of(brute.from_game(seed, empties)) for seed in range(50)] * 20


def outcome_of(value: int) -> str:
    return "win" if value > 0 else "loss" if value < 0 else "draw"


# The value of every move.


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("empties", [1, 4, 9])
def test_every_move_has_the_value_of_the_position_after_it(empties: int, scoring: Scoring) -> None:
    slow = brute.Exact(scoring == "tournament")
    with Engine(hash_mb=1) as engine, Engine(hash_mb=1) as other:
        for position in positions(30, empties):
            board = board_of(position)
            found = engine.solve(board, scoring, every_move=True)
            moves = [move for move in board.legal_moves if move != PASS]
            assert {parse_square(name) for name in found.values} == set(moves)
            for name, value in found.values.items():
                assert value == slow.move_value(*position, parse_square(name))
                child = board.copy()
                child.push(name)
                assert value == -other.solve(child, scoring).value
            ordered = list(found.values.values())
            assert ordered == sorted(ordered, reverse=True)
            if moves:
                assert found.value == ordered[0]
                best = [name for name, value in found.values.items() if value == found.value]
                assert sorted(found.best_moves) == sorted(best)


def test_without_being_asked_for_no_move_has_a_value() -> None:
    with Engine(hash_mb=1) as engine:
        assert engine.solve(board_of(brute.from_game(0, 8))).values == {}


@pytest.mark.parametrize("board", [PASSING, OVER])
def test_where_there_is_no_square_to_play_there_are_no_values(board: Board) -> None:
    with Engine(hash_mb=1) as engine:
        found = engine.solve(board, every_move=True)
        assert (found.values, found.exact) == ({}, True)
        assert engine.solve(board, outcome_only=True).outcome == outcome_of(found.value)


# The outcome alone.


@pytest.mark.parametrize("scoring", SCORINGS)
def test_the_outcome_is_the_sign_of_the_value(scoring: Scoring) -> None:
    slow = brute.Exact(scoring == "tournament")
    seen: dict[str, int] = {}
    with Engine(hash_mb=1) as engine:
        for empties in range(1, 9):
            for position in positions(40, empties):
                value = slow.value(*position)
                found = engine.solve(board_of(position), scoring, outcome_only=True)
                assert found.outcome == outcome_of(value)
                assert found.lower <= value <= found.upper
                assert found.exact == (found.lower == found.upper)
                if found.best_move not in (None, "pass"):
                    reached = slow.move_value(*position, parse_square(found.best_move))
                    assert outcome_of(reached) == found.outcome
                seen[found.outcome] = seen.get(found.outcome, 0) + 1
    assert min(seen[outcome] for outcome in ("win", "draw", "loss")) >= 3


@pytest.mark.parametrize("use_hash", [True, False])
def test_the_move_reaches_the_outcome_wherever_a_limit_strikes(use_hash: bool) -> None:
    slow = brute.Exact(True)
    seen = dict.fromkeys(("win", "draw", "loss", None), 0)
    for seed in range(24):
        position = brute.from_game(seed, 10)
        board = board_of(position)
        for nodes in (30, 100, 300, 1000, 3000, 10_000):
            with Engine(hash_mb=1, use_hash=use_hash) as engine:
                found = engine.solve(board, outcome_only=True, limit=Limit(nodes=nodes))
            if found.best_move is None:
                # Without a table the move that proved it has to be found again in time.
                assert found.outcome is None or not use_hash
            else:
                reached = slow.move_value(*position, parse_square(found.best_move))
                assert outcome_of(reached) == found.outcome
            seen[found.outcome] += 1
    assert all(seen.values())


def test_the_outcome_costs_less_than_the_value() -> None:
    nodes = {True: 0, False: 0}
    for asked in nodes:
        for seed in range(10):
            with Engine(hash_mb=1) as engine:
                board = board_of(brute.from_game(seed, 14))
                nodes[asked] += engine.solve(board, outcome_only=asked, all_best=False).nodes
    assert nodes[True] < nodes[False]


# Limits.


@pytest.mark.parametrize("scoring", SCORINGS)
def test_bounds_hold_the_value_wherever_a_limit_strikes(scoring: Scoring) -> None:
    slow = brute.Exact(scoring == "tournament")
    struck = narrowed = exact = 0
    for seed in range(6):
        position = brute.from_game(seed, 10)
        board, value = board_of(position), slow.value(*position)
        for nodes in (1, 30, 100, 300, 1000, 3000, 10_000, 100_000):
            with Engine(hash_mb=1) as engine:
                found = engine.solve(board, scoring, every_move=True, limit=Limit(nodes=nodes))
            assert found.lower <= value <= found.upper
            assert found.exact == (found.lower == found.upper)
            assert found.lower <= found.value <= found.upper
            assert abs(found.value) <= min(abs(found.lower), abs(found.upper)) or (
                found.lower <= 0 <= found.upper and found.value == 0
            )
            for name, worth in found.values.items():
                assert worth == slow.move_value(*position, parse_square(name))
            struck += not found.exact
            narrowed += not found.exact and (found.lower, found.upper) != (-64, 64)
            exact += found.exact
        assert found.exact
    assert struck and narrowed and exact


def test_a_solve_within_its_limit_is_the_one_without() -> None:
    for seed in range(5):
        board = board_of(brute.from_game(seed, 12))
        with Engine(hash_mb=1) as one, Engine(hash_mb=1) as two:
            free = one.solve(board)
            limited = two.solve(board, limit=Limit(nodes=10_000_000, time_ms=60_000))
        assert (limited.value, limited.best_moves, limited.pv) == (
            free.value,
            free.best_moves,
            free.pv,
        )
        assert limited.nodes == free.nodes and limited.exact


def test_a_limit_of_nodes_is_kept_within_a_poll() -> None:
    with Engine(hash_mb=1) as engine:
        for nodes in (1, 1000, 100_000):
            assert nodes <= engine.solve(Board(), limit=Limit(nodes=nodes)).nodes <= nodes + 5000


def test_a_limit_of_time_ends_a_solve_without_an_error() -> None:
    with Engine(hash_mb=1) as engine:
        found = engine.solve(Board(), limit=Limit(time_ms=100), outcome_only=True)
        assert not found.exact and found.lower <= 0 <= found.upper
        assert (found.outcome, found.best_move, found.pv) == (None, None, ())
        assert 50 <= found.elapsed_ms < SOON_S * 1000
        board = board_of(brute.from_game(1, 8))
        assert engine.solve(board, limit=Limit(time_ms=60_000)).exact


def test_what_a_limit_left_behind_does_no_harm() -> None:
    """A table that holds the halves of broken proofs gives the same values."""
    with Engine(hash_mb=1) as engine:
        for seed in range(10):
            position = brute.from_game(seed, 9)
            board = board_of(position)
            for nodes in (50, 200, 1000):
                engine.solve(board, limit=Limit(nodes=nodes), every_move=True)
            assert engine.solve(board).value == brute.Exact(True).value(*position)


@pytest.mark.parametrize("limit", [Limit(depth=8), Limit(depth=8, nodes=1000)])
def test_a_limit_of_depth_is_refused(limit: Limit) -> None:
    with Engine(hash_mb=1) as engine, pytest.raises(ValueError, match=r"depth is 8.*expected"):
        engine.solve(Board(), limit=limit)


# Stops.


def stopped(engine: Engine, call: Callable[[], object]) -> None:
    """The call raises SearchStopped when its engine is stopped, and the engine works on."""
    raised: list[BaseException | None] = []

    def run() -> None:
        try:
            call()
            raised.append(None)
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    time.sleep(0.15)
    assert thread.is_alive(), raised
    engine.stop()
    thread.join(SOON_S)
    assert not thread.is_alive()
    assert isinstance(raised[0], SearchStopped)
    assert engine.solve(board_of(brute.from_game(0, 6))).exact


@pytest.mark.parametrize(
    "asked", [{}, {"every_move": True}, {"outcome_only": True}, {"limit": Limit(time_ms=600_000)}]
)
def test_a_stopped_solve(asked: dict[str, Any]) -> None:
    with Engine(hash_mb=1) as engine:
        stopped(engine, lambda: engine.solve(Board(), **asked))


@pytest.mark.parametrize("limit", [Limit(time_ms=600_000), Limit(depth=1)])
def test_a_comparison_stopped_in_either_half(limit: Limit) -> None:
    with Engine(hash_mb=1) as engine:
        stopped(engine, lambda: engine.compare(Board(), limit))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stopped_solve_of_many(threads: int) -> None:
    with Engine(hash_mb=1) as engine:
        stopped(engine, lambda: engine.solve_many([Board()] * 3, threads=threads))


# Many boards.


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_many_boards_have_their_values_in_their_order(threads: int, scoring: Scoring) -> None:
    many = [brute.from_game(seed, 1 + seed % 7) for seed in range(300)]
    slow = brute.Exact(scoring == "tournament")
    boards = [board_of(position) for position in many] + [PASSING, OVER]
    expected = [slow.value(*position) for position in many]
    expected += [reversi.solve(board, scoring).value for board in (PASSING, OVER)]
    assert any(list(board.legal_moves) == [PASS] for board in boards[:-2])
    assert reversi.solve_many(boards, scoring, 1, threads=threads) == expected
    with Engine(hash_mb=1, threads=threads) as engine:
        assert engine.solve_many(boards, scoring) == expected
        assert engine.solve_many(tuple(boards), scoring, threads=4 - threads) == expected


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_no_boards_have_no_values(threads: int) -> None:
    told: list[tuple[int, int]] = []
    assert reversi.solve_many([], threads=threads, on_progress=lambda *at: told.append(at)) == []
    assert told == []


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_progress_grows_to_the_total(threads: int) -> None:
    boards = thousand(5)
    told: list[tuple[int, int]] = []
    with Engine(hash_mb=1) as engine:
        engine.solve_many(boards, threads=threads, on_progress=lambda *at: told.append(at))
    done = [number for number, _ in told]
    assert done == sorted(done) and len(done) > 3
    assert {total for _, total in told} == {1000} and done[-1] == 1000


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("error", [LookupError("no more"), KeyboardInterrupt()])
def test_what_a_listener_raises_comes_out(threads: int, error: BaseException) -> None:
    boards = thousand(6)

    def listen(done: int, total: int) -> None:
        raise error

    before = threading.active_count()
    with Engine(hash_mb=1) as engine:
        with pytest.raises(type(error)) as caught:
            engine.solve_many(boards, threads=threads, on_progress=listen)
        assert caught.value is error
        assert threading.active_count() == before
        assert len(engine.solve_many(boards, threads=threads)) == 1000


def test_a_listener_may_use_the_engine() -> None:
    boards, values = thousand(6), []
    with Engine(hash_mb=1) as engine:

        def listen(done: int, total: int) -> None:
            values.append(engine.solve(boards[0]).value)

        assert engine.solve_many(boards, on_progress=listen)[0] == values[0]


@pytest.mark.parametrize("empties", [1, 6, 9])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_listener_may_stop_the_engine(threads: int, empties: int) -> None:
    told: list[int] = []
    with Engine(hash_mb=1) as engine:

        def listen(done: int, total: int) -> None:
            told.append(done)
            engine.stop()

        with pytest.raises(SearchStopped):
            engine.solve_many(thousand(empties), threads=threads, on_progress=listen)
    assert told[-1] < 1000


# What is refused.

CELLS: Any = Board().cells()


@pytest.mark.parametrize("wrong", [CELLS, "start", None, 7, Board])
def test_what_is_no_board_is_a_type_error(wrong: Any) -> None:
    with Engine(hash_mb=1) as engine:
        calls: list[Callable[[], object]] = [
            lambda: engine.search(wrong, Limit(depth=1)),
            lambda: engine.analyse(wrong, Limit(depth=1)),
            lambda: engine.solve(wrong),
            lambda: engine.solve_many([Board(), wrong]),
            lambda: engine.compare(wrong),
            lambda: reversi.solve(wrong),
            lambda: reversi.solve_many([wrong]),
            lambda: reversi.compare(wrong),
        ]
        for call in calls:
            with pytest.raises(TypeError, match=r"board is .*; expected a Board"):
                call()


@pytest.mark.parametrize("wrong", [1000, 0, "1s"])
def test_what_is_no_limit_is_a_type_error(wrong: Any) -> None:
    with Engine(hash_mb=1) as engine:
        calls: list[Callable[[], object]] = [
            lambda: engine.search(PASSING, wrong),
            lambda: engine.analyse(PASSING, wrong),
            lambda: engine.solve(PASSING, limit=wrong),
            lambda: engine.compare(PASSING, wrong),
        ]
        for call in calls:
            with pytest.raises(TypeError, match=rf"limit is {wrong!r}; expected a Limit"):
                call()


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2"])
def test_threads_out_of_range_are_refused(threads: Any) -> None:
    with Engine(hash_mb=1) as engine, pytest.raises(ValueError, match=r"threads is .*expected"):
        engine.solve_many([PASSING], threads=threads)


@pytest.mark.parametrize("wrong", ["plain", None, 1])
def test_another_scoring_is_refused(wrong: Any) -> None:
    with Engine(hash_mb=1) as engine:
        for call in (engine.solve, lambda board, how: engine.solve_many([board], how)):
            with pytest.raises(ValueError, match="expected 'tournament' or 'discs'"):
                call(PASSING, wrong)


# Whose turn it is in search_best_move.


@pytest.mark.parametrize(
    ("turn", "moves"),
    [(turn, ("d3", "c4", "f5", "e6")) for turn in (True, BLACK, numpy.bool_(True))]
    + [(turn, ("e3", "f4", "c5", "d6")) for turn in (False, WHITE, numpy.bool_(False))],
)
def test_the_side_to_move_is_a_truth_value_or_a_color(turn: Any, moves: tuple[str, ...]) -> None:
    assert reversi.search_best_move(CELLS, turn, 0).move in moves


@pytest.mark.parametrize("turn", [1, 0, -1, "black", "", None, numpy.int64(1)])
def test_any_other_side_to_move_is_refused(turn: Any) -> None:
    with pytest.raises(TypeError, match=r"is_black_turn is .*; expected True, False or a Color"):
        reversi.search_best_move(CELLS, turn, 0)


def test_a_win_that_a_limit_cuts_short_has_its_winning_move() -> None:
    cut = 0
    for seed in range(12):
        board = Board.from_obf(brute.obf(*brute.from_game(seed, 14)))
        with Engine(hash_mb=1) as engine:
            whole = engine.solve(board)
        for share in (0.3, 0.6, 0.9):
            with Engine(hash_mb=1) as engine:
                found = engine.solve(board, limit=Limit(nodes=int(whole.nodes * share)))
            if found.exact or found.lower <= 0:
                continue
            cut += 1
            assert found.best_move is not None
            child = board.copy()
            child.push(found.best_move)
            with Engine(hash_mb=1) as engine:
                assert -engine.solve(child).value >= found.lower
    assert cut > 3


def test_few_boards_are_shared_between_the_threads() -> None:
    boards = [Board.from_obf(brute.obf(*brute.from_game(seed, 15))) for seed in range(6)]
    seen: list[str] = []
    with Engine(hash_mb=4) as engine:
        values = engine.solve_many(
            boards,
            threads=2,
            on_progress=lambda done, total: seen.append(threading.current_thread().name),
        )
        assert values == [engine.solve(board).value for board in boards]
    assert len(seen) == 6 and len(set(seen)) == 2


def test_no_worker_outlives_an_interrupted_call() -> None:
    """This thread has nothing left to do and waits for the other when Ctrl-C comes."""
    hard = Board.from_transcript("f5d6c3d3c4f4f6f3e6e7")
    easy = Board.from_obf(brute.obf(*brute.from_game(0, 4)))
    before = threading.active_count()
    timer = threading.Timer(0.5, signal.raise_signal, (signal.SIGINT,))
    with Engine(hash_mb=1) as engine:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            engine.solve_many([hard, easy, easy, hard], threads=2)
        timer.join()
        deadline = time.monotonic() + 5
        while threading.active_count() > before and time.monotonic() < deadline:
            time.sleep(0.01)
        assert threading.active_count() == before

"""Several threads on one engine and on several, and the workers that share one classic search."""

import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import brute
import pytest

from reversi import Board, Engine, Limit, SearchInfo, SearchResult, Solution, parse_move

T = TypeVar("T")

Classic = partial(Engine, evaluator="classic")

BOARDS = [Board.from_obf(brute.obf(*brute.from_game(0, empties))) for empties in (50, 38, 26, 18)]
ENDGAMES = [Board.from_obf(brute.obf(*brute.from_game(seed, 13))) for seed in range(4)]


def in_threads(calls: Sequence[Callable[[], T]]) -> list[T]:
    """What the calls return, each in a thread of its own, all at once."""
    found: dict[int, T] = {}
    ready = threading.Barrier(len(calls))

    def run(i: int) -> None:
        ready.wait()
        found[i] = calls[i]()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [found[i] for i in range(len(calls))]


def answer(result: SearchResult) -> tuple[object, ...]:
    return result.move, result.score, result.depth, result.exact, result.disc_diff


def proof(solution: Solution) -> tuple[object, ...]:
    return solution.value, solution.best_moves


def test_threads_on_one_engine_find_what_one_thread_finds() -> None:
    with Classic(hash_mb=1) as engine:
        expected = [answer(engine.search(board, Limit(depth=6))) for board in BOARDS]
        for _ in range(3):
            engine.clear()
            calls = [partial(engine.search, b, Limit(depth=6)) for b in BOARDS * 2]
            assert [answer(result) for result in in_threads(calls)] == expected * 2


def test_threads_solving_on_one_engine_find_what_one_thread_finds() -> None:
    with Engine(hash_mb=1) as engine:
        expected = [proof(engine.solve(board)) for board in ENDGAMES]
        for _ in range(3):
            engine.clear()
            calls = [partial(engine.solve, b) for b in ENDGAMES * 2]
            assert [proof(solution) for solution in in_threads(calls)] == expected * 2


def test_searches_and_solves_under_both_rules_share_one_engine() -> None:
    board = ENDGAMES[0]
    with Engine(hash_mb=1) as alone:
        found = alone.search(board, Limit(depth=60))
        values = [alone.solve(board, "tournament").value, alone.solve(board, "discs").value]
    with Engine(hash_mb=1) as engine:
        calls: list[Callable[[], object]] = [
            lambda: engine.search(board, Limit(depth=60)).score,
            lambda: engine.solve(board, "tournament").value,
            lambda: engine.solve(board, "discs").value,
        ]
        for _ in range(5):
            assert in_threads(calls) == [found.score, *values]


def test_threads_with_engines_of_their_own_do_not_touch_each_other() -> None:
    """Even the node counts are those of a thread alone."""

    def work(board: Board) -> tuple[object, ...]:
        with Engine(hash_mb=1) as engine:
            result = engine.search(board, Limit(depth=6))
            return *answer(result), result.nodes, result.pv

    expected = [work(board) for board in BOARDS]
    assert in_threads([partial(work, b) for b in BOARDS * 2]) == expected * 2


def test_other_threads_run_while_one_searches() -> None:
    """The search gives up the GIL: a thread that only counts gets on with it."""
    ticks = 0
    with Engine(hash_mb=1) as engine:
        searching = threading.Thread(target=lambda: engine.search(Board(), Limit(time_ms=430)))
        searching.start()
        while searching.is_alive():
            ticks += 1
            time.sleep(0.002)
    assert ticks > 10


def test_an_engine_may_be_made_used_and_dropped_in_any_thread() -> None:
    made = in_threads([lambda: Engine(hash_mb=1)])[0]
    assert made.search(Board(), Limit(depth=3)).depth == 3
    in_threads([made.close])


# Workers.


@pytest.mark.parametrize("workers", [2, 3, 100])
@pytest.mark.parametrize("depth", [1, 3, 6])
def test_workers_find_the_score_of_one(workers: int, depth: int) -> None:
    """Of moves with equal scores they may choose another one."""
    for board in BOARDS[:3] + ENDGAMES:
        with Classic(hash_mb=1) as engine:
            one = engine.search(board, Limit(depth=depth), workers=1)
        with Classic(hash_mb=1) as engine:
            many = engine.search(board, Limit(depth=depth), workers=workers)
            assert answer(many)[1:] == answer(one)[1:]
            assert many.move is not None and many.pv[0] == many.move
            alone = engine.search(board, Limit(depth=depth), [many.move])
            assert alone.score == one.score
            if many.exact:
                end = board.copy()
                for move in many.pv:
                    end.push(move)
                assert end.is_game_over()


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_find_the_move_of_one_where_one_is_best(workers: int) -> None:
    compared = 0
    for board in BOARDS[:3]:
        with Classic(hash_mb=1) as engine:
            one = engine.search(board, Limit(depth=5))
            others = [move for move in board.legal_moves if move != parse_move(one.move or "")]
            if engine.search(board, Limit(depth=5), others).score < one.score:
                assert engine.search(board, Limit(depth=5), workers=workers).move == one.move
                compared += 1
    assert compared > 1


@pytest.mark.parametrize("workers", [2, 3])
def test_moves_are_shared_out_round_robin_and_nodes_add_up(workers: int) -> None:
    """Without a table between them workers are searches of their shares alone."""
    for board in BOARDS[:3]:
        moves = list(board.legal_moves)
        with Classic(hash_mb=1, use_hash=False) as engine:
            shares = [
                engine.search(board, Limit(depth=5), moves[i::workers]) for i in range(workers)
            ]
            merged = engine.search(board, Limit(depth=5), workers=workers)
            again = engine.search(board, Limit(depth=5), workers=workers)
        assert merged.nodes == sum(share.nodes for share in shares) == again.nodes
        assert merged.score == max(share.score for share in shares)
        assert answer(merged) == answer(again)
        assert merged.nps == pytest.approx(merged.nodes / merged.elapsed_ms * 1000)


def test_workers_choose_among_the_allowed_moves() -> None:
    with Classic(hash_mb=1, threads=2) as engine:
        for allowed in (["d3"], ["d3", "f5"], ["e6", "c4", "d3"]):
            assert engine.search(Board(), Limit(depth=4), allowed).move in allowed


def test_the_engine_s_threads_are_the_default_number_of_workers() -> None:
    board = BOARDS[1]
    with (
        Classic(hash_mb=1, use_hash=False, threads=3) as three,
        Classic(hash_mb=1, use_hash=False) as one,
    ):
        expected = one.search(board, Limit(depth=4), workers=3).nodes
        assert three.search(board, Limit(depth=4)).nodes == expected
        alone = one.search(board, Limit(depth=4)).nodes
        assert three.search(board, Limit(depth=4), workers=1).nodes == alone


def test_workers_report_their_end() -> None:
    infos: list[SearchInfo] = []
    with Classic(hash_mb=1, threads=2) as engine:
        result = engine.search(BOARDS[1], Limit(depth=5), on_info=infos.append)
    assert len(infos) == 1
    found = infos[0]
    assert (found.move, found.score, found.depth) == (result.move, result.score, result.depth)
    assert (found.nodes, found.pv, found.side) == (result.nodes, result.pv, BOARDS[1].turn)


def test_workers_keep_to_the_time() -> None:
    with Classic(hash_mb=1) as engine:
        result = engine.search(Board(), Limit(time_ms=130), workers=3)
    assert 100 <= result.elapsed_ms < 2100
    assert result.depth >= 1


def test_a_thread_switch_at_every_step_changes_nothing() -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with Classic(hash_mb=1) as engine:
            expected = [answer(engine.search(board, Limit(depth=4))) for board in BOARDS]
            calls = [partial(engine.search, b, Limit(depth=4)) for b in BOARDS * 3]
            assert [answer(result) for result in in_threads(calls)] == expected * 3
    finally:
        sys.setswitchinterval(before)

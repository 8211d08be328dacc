"""The engine's own calls: limits, records, traces, comparison, evaluation, table, closing."""

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import brute
import pytest

import reversi
from reversi import Board, Engine, Limit, SearchInfo, square_name
from reversi._load import core

Classic = partial(Engine, evaluator="classic")
PASS = Board.from_obf("XO" + "-" * 62 + " O")
OVER = Board.from_obf("X" * 20 + "-" * 44 + " O")
KEYS = {"ply", "empties", "depth", "alpha", "beta", "side", "best_move", "score"}


def resident_mb() -> float:
    """The process's memory that is there."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 2**20


def middle_game(empties: int, seed: int = 0) -> Board:
    return Board.from_obf(brute.obf(*brute.from_game(seed, empties)))


def without_times(infos: list[SearchInfo]) -> list[tuple[object, ...]]:
    return [(i.depth, i.move, i.score, i.nodes, i.pv, i.exact, i.side) for i in infos]


# Limits and settings.


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"time_ms": None},
        {"time_ms": -1},
        {"depth": 0},
        {"depth": -3},
        {"nodes": 0},
        {"nodes": -1},
        {"depth": 5, "nodes": 0},
        {"depth": 5, "time_ms": -1},
    ],
)
def test_limits_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Limit(**wrong)


@pytest.mark.parametrize("name", ["time_ms", "depth", "nodes"])
@pytest.mark.parametrize("value", ["5", [5], 2.5, float("nan"), float("inf")])
def test_limits_of_a_wrong_type_are_refused(name: str, value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        Limit(**{name: value})


@pytest.mark.parametrize("name", ["time_ms", "nodes"])
@pytest.mark.parametrize("value", [10**12, 9_223_372_036_700, 10**13, 2**64 - 1, 2**64, 10**30])
def test_a_limit_may_be_as_large_as_it_likes(name: str, value: int) -> None:
    """It then bounds nothing; a limit that is too large is refused when it is made, if at all."""
    try:
        limit = Limit(**{name: value, "depth": 4})
    except ValueError:
        return
    with Engine(hash_mb=1) as engine:
        assert engine.search(Board(), limit).depth == 4


def test_a_depth_of_60_and_more_is_no_error() -> None:
    with Engine(hash_mb=1) as engine:
        assert engine.search(middle_game(16), Limit(depth=60)).depth == 16
        assert engine.search(middle_game(16), Limit(depth=10**30)).depth == 16
        assert engine.search(Board(), Limit(depth=60, nodes=10_000)).nodes <= 11_024


def test_the_first_limit_that_is_reached_ends_the_search() -> None:
    with Engine(hash_mb=1) as engine:
        assert engine.search(Board(), Limit(time_ms=60_000, depth=3, nodes=10**9)).depth == 3
        assert engine.search(Board(), Limit(time_ms=60_000, depth=60, nodes=5000)).nodes < 7000
        assert engine.search(Board(), Limit(time_ms=0, depth=60)).elapsed_ms < 2050


@pytest.mark.parametrize("hash_mb", [0, -1, 131_073, 2**31, 2**64])
def test_a_hash_size_out_of_range_is_refused(hash_mb: int) -> None:
    with pytest.raises(ValueError, match=str(hash_mb)):
        Engine(hash_mb=hash_mb)


@pytest.mark.parametrize("hash_mb", ["1", None, 1.5, float("nan")])
def test_a_hash_size_that_is_no_integer_is_refused(hash_mb: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        Engine(hash_mb=hash_mb)


@pytest.mark.parametrize(
    "wrong",
    [
        {"threads": 0},
        {"threads": -1},
        {"evaluator": "learned"},
        {"evaluator": ""},
        {"exact_endgame_empties": -1},
        {"exact_endgame_empties": 61},
        {"use_ordering": False},
    ],
)
def test_settings_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(wrong.values()))!r}.*expected"):
        Engine(hash_mb=1, **wrong)


@pytest.mark.parametrize("workers", [0, -1])
def test_fewer_than_one_worker_is_refused(workers: int) -> None:
    with Engine(hash_mb=1) as engine, pytest.raises(ValueError, match=str(workers)):
        engine.search(Board(), Limit(depth=1), workers=workers)


# Records.


def test_a_record_of_each_depth() -> None:
    infos: list[SearchInfo] = []
    board = middle_game(40)
    with Engine(hash_mb=1) as engine:
        result = engine.search(board, Limit(depth=6), on_info=infos.append)
    assert [info.depth for info in infos] == [1, 2, 3, 4, 5, 6]
    for info in infos:
        assert (info.side, info.source, info.exact) == (board.turn, "engine", False)
        assert info.pv[0] == info.move and board.is_legal(info.move)
        assert info.nps == pytest.approx(info.nodes / info.elapsed_ms * 1000)
    for name in ("nodes", "elapsed_ms"):
        numbers = [getattr(info, name) for info in infos]
        assert numbers == sorted(numbers) and numbers[0] > 0
    last = infos[-1]
    assert (last.move, last.score, last.pv) == (result.move, result.score, result.pv)


def test_analysing_yields_the_same_records() -> None:
    for board in (middle_game(40), middle_game(17), middle_game(12)):
        infos: list[SearchInfo] = []
        with Engine(hash_mb=1) as one, Engine(hash_mb=1) as other:
            one.search(board, Limit(depth=5), on_info=infos.append)
            analysed = list(other.analyse(board, Limit(depth=5)))
        assert without_times(analysed) == without_times(infos)
        assert infos


def test_analysing_only_allowed_moves() -> None:
    with Engine(hash_mb=1) as engine:
        infos = list(engine.analyse(Board(), Limit(depth=3), ["f5", (2, 3)]))
        assert {info.move for info in infos} <= {"f5", "d3"}
        with pytest.raises(ValueError, match="a1"):
            list(engine.analyse(Board(), Limit(depth=3), ["a1"]))


def test_analysing_where_nothing_can_be_played_yields_nothing() -> None:
    with Engine(hash_mb=1) as engine:
        assert list(engine.analyse(PASS, Limit(depth=3))) == []
        assert list(engine.analyse(OVER, Limit(depth=3))) == []


def test_leaving_an_analysis_early_leaves_the_engine_usable() -> None:
    with Engine(hash_mb=1) as engine:
        for info in engine.analyse(Board(), Limit(depth=60)):
            if info.depth == 3:
                break
        analysis = engine.analyse(Board(), Limit(depth=60))
        next(analysis)
        assert hasattr(analysis, "close")
        analysis.close()
        with pytest.raises(StopIteration):
            next(analysis)
        assert engine.search(Board(), Limit(depth=4)).depth == 4


def test_stopping_between_two_records_ends_an_analysis() -> None:
    with Engine(hash_mb=1) as engine:
        depths = []
        for info in engine.analyse(Board(), Limit(depth=60)):
            depths.append(info.depth)
            if info.depth == 3:
                engine.stop()
        assert depths == [1, 2, 3]
        assert engine.search(Board(), Limit(depth=4)).depth == 4


def test_an_analysis_keeps_to_the_position_it_began_with() -> None:
    board = middle_game(17)
    with Engine(hash_mb=1) as other, Engine(hash_mb=1) as engine:
        expected = [info.move for info in other.analyse(board.copy(), Limit(depth=60))]
        moves = []
        for info in engine.analyse(board, Limit(depth=60)):
            moves.append(info.move)
            if len(moves) == 1:
                board.push(info.move)
    assert moves == expected


def test_what_a_listener_raises_comes_out() -> None:
    def listen(info: SearchInfo) -> None:
        raise KeyError(info.depth)

    with Engine(hash_mb=1) as engine:
        with pytest.raises(KeyError, match="1"):
            engine.search(Board(), Limit(depth=60), on_info=listen)
        assert engine.search(Board(), Limit(depth=4)).depth == 4


def test_a_listener_may_stop_the_search_or_use_the_engine() -> None:
    with Engine(hash_mb=1) as engine:
        inner = []

        def listen(info: SearchInfo) -> None:
            inner.append(engine.search(Board(), Limit(depth=2)).depth)
            if info.depth == 3:
                engine.stop()

        assert engine.search(middle_game(40), Limit(depth=60), on_info=listen).depth == 3
        assert inner == [2, 2, 2]


# Traces.


def test_a_trace_of_the_root() -> None:
    entries: list[dict[str, Any]] = []
    board = middle_game(40)
    with Classic(hash_mb=1) as engine:
        infos = list(engine.analyse(board, Limit(depth=5)))
        engine.clear()
        engine.search(board, Limit(depth=5), trace=entries.append)
    assert all(entry.keys() == KEYS for entry in entries)
    assert [e["depth"] for e in entries] == [1, 2, 3, 4, 5]
    assert [e["best_move"] for e in entries] == [info.move for info in infos]
    assert [e["score"] for e in entries] == [info.score for info in infos]
    for entry in entries:
        assert (entry["ply"], entry["empties"], entry["side"]) == (0, 40, board.turn)
        assert entry["alpha"] < entry["score"] < entry["beta"]


def test_a_trace_of_some_plies() -> None:
    entries: list[dict[str, Any]] = []
    board = middle_game(40)
    with Classic(hash_mb=1, use_hash=False) as engine:
        result = engine.search(board, Limit(depth=5), trace=entries.append, trace_ply=2)
        assert result.nodes == engine.search(board, Limit(depth=5)).nodes
    assert {entry["ply"] for entry in entries} == {0, 1, 2}
    for entry in entries:
        assert entry["side"] == (board.turn if entry["ply"] % 2 == 0 else board.turn.opponent)
        assert entry["empties"] == 40 - entry["ply"]
        assert 0 <= entry["depth"] <= 5 - entry["ply"]
        assert -(10**9) <= entry["alpha"] < entry["beta"] <= 10**9
    deepest = [e for e in entries if e["ply"] == 1 and e["depth"] == 4]
    assert len(deepest) >= len(board.legal_moves)


def test_a_trace_through_a_pass_costs_no_depth() -> None:
    entries: list[dict[str, Any]] = []
    board, move = next(
        (Board.from_obf(brute.obf(*position)), square_name(sq))
        for position in (brute.odd_board(seed, 8) for seed in range(200))
        for sq, own, opp in brute.children(*position)
        if not brute.children(own, opp) and brute.children(opp, own)
    )
    with Classic(hash_mb=1, exact_endgame_empties=0) as engine:
        engine.search(board, Limit(depth=3), [move], trace=entries.append, trace_ply=2)
    passing, after = ([e for e in entries if e["ply"] == ply][-1] for ply in (1, 2))
    assert (passing["side"], after["side"]) == (board.turn.opponent, board.turn)
    assert passing["empties"] == after["empties"] == board.empties - 1
    assert passing["depth"] == after["depth"] == 2
    assert passing["best_move"] == "pass" and passing["score"] == -after["score"]


def test_a_trace_through_logging(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="reversi")
    with Classic(hash_mb=1) as engine:
        engine.search(Board(), Limit(depth=3))
        assert not caplog.records
        engine.search(Board(), Limit(depth=3), trace=logging.getLogger("reversi").debug)
    assert len(caplog.records) == 3
    assert "best_move" in caplog.records[0].getMessage()


def test_what_a_tracer_raises_comes_out_at_once() -> None:
    def trace(entry: dict[str, Any]) -> None:
        raise LookupError(f"depth {entry['depth']}")

    with Classic(hash_mb=1) as engine:
        for ply in (0, 3):
            with pytest.raises(LookupError, match=r"depth [01]"):
                engine.search(Board(), Limit(depth=60), trace=trace, trace_ply=ply)
        assert engine.search(Board(), Limit(depth=4)).depth == 4


# The table.


def test_a_table_that_does_not_fit_in_memory_is_a_memory_error() -> None:
    pytest.importorskip("resource")
    code = (
        "import resource, reversi\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))\n"
        "try: reversi.Engine(hash_mb=4096)\n"
        "except MemoryError as error: print(error)\n"
        "print(reversi.Engine(hash_mb=16).search(reversi.Board(), reversi.Limit(depth=3)).depth)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(reversi.__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    message, depth = done.stdout.splitlines()
    assert "4096 MB" in message and depth == "3"


# Closing.


def test_a_closed_engine_answers_nothing() -> None:
    engine = Engine(hash_mb=1)
    engine.close()
    engine.close()
    engine.stop()
    for call in (
        lambda: engine.search(Board(), Limit(depth=1)),
        lambda: engine.search(Board(), Limit(depth=1), workers=2),
        lambda: list(engine.analyse(Board(), Limit(depth=1))),
        lambda: engine.solve(middle_game(4)),
        lambda: engine.compare(middle_game(4)),
        lambda: engine.clear(),
        lambda: engine.table_stats,
    ):
        with pytest.raises(ValueError, match="closed"):
            call()


def test_leaving_the_context_closes_the_engine() -> None:
    with pytest.raises(KeyError), Engine(hash_mb=1) as engine:
        assert engine.search(Board(), Limit(depth=1)).depth == 1
        raise KeyError
    with pytest.raises(ValueError, match="closed"):
        engine.search(Board(), Limit(depth=1))


@pytest.mark.parametrize("evaluation", [reversi.evaluate, reversi.learned_value])
def test_evaluations_refuse_what_is_no_board(evaluation: Callable[[Any], object]) -> None:
    with pytest.raises(TypeError, match=r"board is None; expected a Board"):
        evaluation(None)


def test_a_table_that_is_touched_keeps_what_it_holds() -> None:
    table = core.Table(4)
    board = middle_game(14)
    first = core.Searcher(table, tournament=True)
    value = first.prove(board.own, board.opp)
    fill = table.fill
    table.touch(10**10)
    second = core.Searcher(table, tournament=True)
    assert second.prove(board.own, board.opp) == value
    assert table.fill >= fill > 0 and second.nodes < first.nodes


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_search_by_time_has_its_tables_memory_from_the_start() -> None:
    with Engine(hash_mb=200) as engine:
        before = resident_mb()
        engine.search(Board(), Limit(depth=1))
        assert resident_mb() < before + 50
        engine.search(middle_game(7), Limit(time_ms=50))  # leaves no time for it
        assert resident_mb() < before + 50
        for _ in range(50):  # each waits for a part at most
            engine.search(middle_game(7), Limit(time_ms=80))
        assert resident_mb() > before + 190

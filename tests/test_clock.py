"""How a clock runs, and how its time is dealt out."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reversi.protocols.clock import Clock, TimeControl

LONG_MS = 10**7


def spent(control: TimeControl, *moves_ms: float) -> Clock:
    clock = Clock(control)
    for move_ms in moves_ms:
        clock.spend(move_ms)
    return clock


@pytest.mark.parametrize(
    ("text", "main_s", "increment_s", "extra_s"),
    [
        ("05:00//02:00", 300, 0, 120),
        ("15:00", 900, 0, 0),
        ("1:00:00//00:02:00", 3600, 0, 120),
        ("5:00/0:12", 300, 12, 0),
        (" 5:00 / 0:12 / 2:00 ", 300, 12, 120),
        ("0/0:10", 0, 10, 0),
        ("5", 300, 0, 0),
        ("0:00.5", 0.5, 0, 0),
        ("05:00,24:1//02:00,20:1", 300, 0, 120),
    ],
)
def test_times_of_ggf(text, main_s, increment_s, extra_s):
    assert TimeControl.from_ggf(text) == TimeControl(
        1000 * main_s, 1000 * increment_s, 1000 * extra_s
    )


@pytest.mark.parametrize(
    "text", ["", "?", "-", "00:00", "//", "5:00/x", "1:2:3:4", "5:00////", "-5:00", "nan", "1e9"]
)
def test_what_is_no_time_of_ggf_is_no_clock(text):
    assert TimeControl.from_ggf(text) is None


def test_main_time_runs_out():
    clock = spent(TimeControl(10_000), 4000, 6000)
    assert (clock.left_ms, clock.expired) == (0, False)
    clock.spend(1)
    assert clock.expired


def test_an_increment_comes_after_each_move_that_was_in_time():
    clock = spent(TimeControl(10_000, increment_ms=1000), 4000, 7000)
    assert (clock.left_ms, clock.expired) == (1000, False)
    assert spent(TimeControl(10_000, increment_ms=1000), 10_001).expired


def test_increments_alone_are_a_time_for_each_move():
    control = TimeControl(0, increment_ms=1000)
    assert 600 < Clock(control).think_ms(40) <= 1000
    clock = spent(control, 400, 1500)
    assert (clock.left_ms, clock.expired) == (1100, False)
    assert spent(control, 1001).expired


def test_extra_time_comes_once():
    control = TimeControl(10_000, extra_ms=5000)
    assert spent(control, 12_000).left_ms == 3000
    assert not spent(control, 12_000, 3000).expired
    assert spent(control, 12_000, 3001).expired


def test_canadian_byo_yomi_is_renewed_when_its_moves_are_made():
    control = TimeControl(1000, period_ms=6000, period_moves=3)
    clock = spent(control, 2000)
    assert (clock.left_ms, clock.moves) == (5000, 2)
    clock.spend(1000)
    clock.spend(4000)
    assert (clock.left_ms, clock.moves, clock.expired) == (6000, 3, False)
    assert spent(control, 2000, 5001).expired


def test_japanese_byo_yomi_is_renewed_by_each_move():
    control = TimeControl(0, period_ms=1000)
    clock = spent(control, 900, 1000)
    assert (clock.left_ms, clock.moves, clock.expired) == (1000, 1, False)
    assert spent(control, 1001).expired


def test_what_another_program_says_is_left_counts():
    clock = spent(TimeControl(10_000), 20_000)
    clock.set_left(5000, 2)
    assert (clock.left_ms, clock.moves, clock.expired) == (5000, 2, False)


controls = st.builds(
    TimeControl,
    main_ms=st.floats(0, LONG_MS),
    increment_ms=st.floats(0, 60_000),
    extra_ms=st.floats(0, 600_000),
    period_ms=st.floats(0, 600_000),
    period_moves=st.integers(1, 25),
)


@given(controls, st.lists(st.floats(0, 2), max_size=30), st.integers(1, 60))
def test_a_move_never_gets_more_than_there_is(control, factors, empties):
    """Whatever was spent before, by moves shorter and longer than they should have been."""
    clock = Clock(control)
    for factor in factors:
        clock.spend(factor * clock.think_ms(empties))
    thinking_ms = clock.think_ms(empties)
    assert thinking_ms >= 0
    expired = clock.expired
    clock.spend(thinking_ms)
    assert clock.expired == expired


@given(controls, st.integers(0, 20))
def test_a_game_by_the_clock_is_never_lost_on_time(control, lag_ms):
    """With some delay that the engine does not see, as long as there is time to begin with."""
    clock = Clock(control)
    assume(clock.left_ms >= 3000)
    assume(control.period_ms == 0 or control.period_ms >= 100 * control.period_moves)
    for empties in range(60, 0, -2):
        limit = clock.limit(empties)
        assert limit.time_ms is not None
        used_ms = max(50, limit.time_ms - 30) if limit.nodes is None else limit.nodes / 500
        clock.spend(used_ms + lag_ms)
    assert not clock.expired


@given(controls, st.integers(1, 60))
def test_more_time_is_never_less_thinking(control, empties):
    clock = Clock(control)
    before = clock.think_ms(empties)
    clock.set_left(clock.left_ms + 1000, clock.moves)
    assert clock.think_ms(empties) >= before


def test_an_exact_search_gets_its_time_where_half_of_it_is_enough():
    clock = Clock(TimeControl(300_000))
    assert clock.think_ms(26) > 300_000 / 9 + 10_000
    assert clock.think_ms(30) < 300_000 / 9


def test_in_byo_yomi_each_move_gets_its_share():
    clock = Clock(TimeControl(0, period_ms=10_000, period_moves=5))
    assert 1900 < clock.think_ms(50) < 2000


def test_little_time_is_counted_in_nodes():
    clock = Clock(TimeControl(500))
    limit = clock.limit(40)
    assert (limit.time_ms, limit.level) == (0, None)
    assert limit.nodes is not None and limit.nodes < 25_000
    assert Clock(TimeControl(0)).limit(40).nodes == 1


def test_a_level_and_a_bound_go_with_the_clock():
    limit = Clock(TimeControl(300_000)).limit(40, level=12, most_ms=700)
    assert (limit.time_ms, limit.level, limit.nodes) == (700, 12, None)
    assert Clock(TimeControl(300_000)).limit(40, most_ms=20).nodes == 10_000

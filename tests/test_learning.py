"""Learning a network: the core's steps against their definition, in double precision."""

from __future__ import annotations

from typing import Any

import networks
import numpy as np
import pytest
from networks import BIASES, OUTPUTS, UNITS

from reversi._load import core

RATES = (0.05, 0.002, 0.001)
ROW_UNITS, LAYER_UNITS = (np.array(units) for units in core.learned_units())
LIMITS = 127 / ROW_UNITS
MOST = 2047 / 128
Learned = tuple[np.ndarray, np.ndarray, np.ndarray]


def positions(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions of games, and values of which some are far off, some near."""
    rows = np.frombuffer(core.play_games(None, 4, 0, count // 50 + 1, 1), "<u8").reshape(-1, 3)
    rng = np.random.default_rng(2)
    boards = np.ascontiguousarray(rng.permutation(rows[:, :2])[:count])
    return boards, rng.normal(0, 20, count).astype(np.float32).clip(-64, 64)


def fresh(seed: int, kind: Any = np.float32) -> Learned:
    rng = np.random.default_rng(seed)
    layers = np.zeros((3, core.LAYERS))
    layers[0, UNITS] = rng.normal(0, 0.4, UNITS.stop)
    layers[0, OUTPUTS] = rng.normal(0, 0.3, core.HIDDEN)
    layers[0, BIASES] = rng.normal(0, 0.1, core.HIDDEN)
    # Some inputs and a unit are clipped from the first step on.
    layers[0, BIASES.start] = 20
    rows = rng.normal(0, 0.08, networks.SHAPE).clip(-LIMITS, LIMITS)
    return rows.astype(kind), np.full(networks.SHAPE, 1e-4, kind), layers.astype(kind)


def defined(
    learned: Learned, classes: np.ndarray, values: np.ndarray, done: int, total: int
) -> float:
    """One position after another, by the definition; the sum of the squared errors. The first
    channel is none of the units' inputs, whatever their weights for it are."""
    rows, squares, layers = learned
    row_rate, layer_rate, decay = RATES
    numbers, first, second = layers
    gradient, inside, squared = np.zeros(core.LAYERS), 0, 0.0
    for n, (some, value) in enumerate(zip(classes, values, strict=True), done):
        rate = max(0.01, 0.5 + 0.5 * np.cos(np.pi * n / total))
        hidden = numbers[UNITS].reshape(core.CHANNELS, core.HIDDEN)
        sums = rows[some].sum(axis=0)
        inputs = (sums + 0.5).clip(0, 1)
        units = (inputs[1:] @ hidden[1:] + numbers[BIASES]).clip(0, MOST)
        error = sums[0] + units @ numbers[OUTPUTS] + numbers[networks.CONSTANT] - value / 16
        squared += (16 * error) ** 2
        error = np.clip(error, -1, 1)
        back = np.where((units > 0) & (units < MOST), error * numbers[OUTPUTS], 0)
        step = np.zeros((core.CHANNELS, core.HIDDEN))
        step[1:] = np.outer(inputs[1:], back)
        gradient += np.concatenate([step.ravel(), back, error * units, [error]])
        of_row = np.where((inputs > 0) & (inputs < 1), hidden @ back, 0)
        of_row[0] = error
        # A class that comes twice is moved twice.
        for each in some:
            move = of_row + decay * rows[each]
            squares[each] += move**2
            moved = rows[each] - row_rate * rate * move / np.sqrt(squares[each])
            rows[each] = moved.clip(-LIMITS, LIMITS)
        inside += 1
        if inside == 64 or n == done + len(values) - 1:
            mean = gradient / inside
            first += 0.1 * (mean - first)
            second += 0.001 * (mean**2 - second)
            t = n // 64 + 1
            numbers -= (
                layer_rate * rate * (first / (1 - 0.9**t))
                / (np.sqrt(second / (1 - 0.999**t)) + 1e-8)
            )  # fmt: skip
            gradient, inside = np.zeros(core.LAYERS), 0
    return squared


def learn(learned: Learned, boards: np.ndarray, values: np.ndarray, **bounds: int) -> float:
    count, done = len(values), bounds.get("done", 0)
    order = np.arange(bounds.get("start", 0), bounds.get("stop", count), dtype=np.uint32)
    return core.learn(*learned, boards, values, order, RATES, done, bounds.get("total", count))


def parts_of(learned: Learned) -> list[np.ndarray]:
    """Of the layers each kind of number for itself, and each kind of its moments: their sizes
    differ, and so do their steps."""
    rows, squares, layers = learned
    kinds = (UNITS, BIASES, OUTPUTS, slice(networks.CONSTANT, None))
    channels = [part[:, k] for part in (rows, squares) for k in (slice(0, 1), slice(1, None))]
    return channels + [numbers[kind] for numbers in layers for kind in kinds]


@pytest.mark.parametrize(("done", "total"), [(0, 200), (6400, 6600)])
def test_the_steps_are_those_of_their_definition(done: int, total: int) -> None:
    # Three batches and a smaller one; at the end of a long learning the rate falls no more.
    boards, values = positions(200)
    found, wanted, before = fresh(1), fresh(1, np.float64), fresh(1, np.float64)
    squared = learn(found, boards, values, done=done, total=total)
    classes = networks.classes_of(boards)
    assert squared == pytest.approx(defined(wanted, classes, values, done, total), rel=1e-4)
    for mine, twin, old in zip(*map(parts_of, (found, wanted, before)), strict=True):
        change = np.abs(twin - old).max()
        assert change > 0
        assert np.abs(mine - twin).max() < 0.005 * change


def test_what_is_never_seen_stays_as_it_was() -> None:
    boards, values = positions(50)
    rows, squares, layers = fresh(1)
    learn((rows, squares, layers), boards, values)
    unseen = np.setdiff1d(np.arange(len(rows)), networks.classes_of(boards))
    assert (rows[unseen] == fresh(1)[0][unseen]).all()
    assert (squares[unseen] == np.float32(1e-4)).all()
    assert (layers[0, : core.HIDDEN] == fresh(1)[2][0, : core.HIDDEN]).all()


def test_what_is_learned_keeps_within_what_a_network_holds() -> None:
    boards, values = positions(400)
    order = np.arange(400, dtype=np.uint32)
    rows, squares, layers = fresh(1)
    layers[0, : core.HIDDEN] = 0
    for n in range(3):
        core.learn(
            rows, squares, layers, boards, values, order, (1.0, 500.0, 0.0), 400 * n, 1200
        )  # fmt: skip
    for numbers, most in (
        (rows[:, 0], 127 / 512),
        (rows[:, 1:], 127 / 128),
        (layers[0, UNITS], networks.UNITS_MAX / 64),
        (layers[0, BIASES], 1000),
        (layers[0, OUTPUTS], networks.OUTPUTS_MAX / 1024),
    ):
        assert np.abs(numbers).max() == np.float32(most)
    core.Weights(*whole(rows, layers))


def whole(rows: np.ndarray, layers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The network in whole numbers."""
    return (
        np.rint(rows * ROW_UNITS).astype(np.int8),
        np.rint(layers[0] * LAYER_UNITS).astype(np.int32),
    )


def test_pieces_of_whole_batches_are_as_good_as_one() -> None:
    boards, values = positions(300)
    whole, parts = fresh(3), fresh(3)
    squared = learn(whole, boards, values)
    first = learn(parts, boards, values, stop=128, total=300)
    assert first + learn(parts, boards, values, start=128, done=128, total=300) == (
        pytest.approx(squared)
    )
    for one, other in zip(whole, parts, strict=True):
        assert np.array_equal(one, other)


def test_positions_are_learned() -> None:
    boards, values = positions(400)
    rows, squares, layers = fresh(5)
    layers[0, : core.HIDDEN] = 0
    errors = [
        learn((rows, squares, layers), boards, values, done=400 * n, total=4000) for n in range(10)
    ]
    assert errors[-1] < errors[0] / 10
    found = np.zeros(400, np.int16)
    core.Weights(*whole(rows, layers)).evaluate_boards(boards, found)
    # In whole numbers as well.
    assert ((found / core.UNIT - values) ** 2).sum() < errors[0] / 10


def test_learning_refuses_what_does_not_fit() -> None:
    boards, values = positions(10)
    rows, squares, layers = learned = fresh(1)
    order = np.arange(10, dtype=np.uint32)
    height, width = networks.SHAPE
    with pytest.raises(ValueError, match=f"rows of shape 3 x 16; expected {height} x {width}"):
        core.learn(rows[:3], squares, layers, boards, values, order, RATES, 0, 10)
    with pytest.raises(ValueError, match="squares of shape 3 x 16"):
        core.learn(rows, squares[:3], layers, boards, values, order, RATES, 0, 10)
    with pytest.raises(ValueError, match=f"layers of shape 2 x {core.LAYERS}; expected 3"):
        core.learn(rows, squares, layers[:2], boards, values, order, RATES, 0, 10)
    with pytest.raises(ValueError, match="boards of 2 columns, 9 values; expected 2, 10"):
        core.learn(*learned, boards, values[:9], order, RATES, 0, 10)
    with pytest.raises(ValueError, match=r"order\[9\] is 10; expected 0 to 9"):
        core.learn(*learned, boards, values, order + np.uint32(1), RATES, 0, 10)
    for done in (5, -1):
        with pytest.raises(ValueError, match=f"{done} and 10 positions of 10"):
            core.learn(*learned, boards, values, order, RATES, done, 10)
    wrong = boards.copy()
    wrong[3] = 3, 2
    with pytest.raises(ValueError, match="b1 holds discs of both colours"):
        core.learn(*learned, wrong, values, order, RATES, 0, 10)
    assert core.learn(*learned, boards, values, order[:0], RATES, 0, 10) == 0.0
    for mine, old in zip(learned, fresh(1), strict=True):
        assert np.array_equal(mine, old)

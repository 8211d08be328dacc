"""Networks for tests, and the learned evaluation by its definition."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import reference
from reference import EMPTY, Position

from reversi._load import core

Rows = Any
Layers = Any

SHAPE = (core.weight_classes(), core.CHANNELS)
UNITS = slice(0, core.CHANNELS * core.HIDDEN)
# The first channel is no input: the units' weights of it are 0.
INPUTS = slice(core.HIDDEN, UNITS.stop)
BIASES = slice(UNITS.stop, UNITS.stop + core.HIDDEN)
OUTPUTS = slice(BIASES.stop, BIASES.stop + core.HIDDEN)
CONSTANT = OUTPUTS.stop
# How far from 0 the numbers of layers may be.
UNITS_MAX, BIASES_MAX, OUTPUTS_MAX = 127, 1 << 24, 16383
VALUE_MAX = 64 * core.UNIT


def zeros() -> tuple[Rows, Layers]:
    """A network that judges every position as even."""
    return np.zeros(SHAPE, np.int8), np.zeros(core.LAYERS, np.int32)


def chance(seed: int, outputs: int = 100) -> tuple[Rows, Layers]:
    """A network of chance, whose inputs and units are clipped now and then, at both ends; with
    large outputs its values are too."""
    rng = np.random.default_rng(seed)
    rows, layers = rng.integers(-9, 10, SHAPE).astype(np.int8), zeros()[1]
    layers[INPUTS] = rng.integers(-127, 128, INPUTS.stop - INPUTS.start)
    layers[BIASES] = rng.integers(-200_000, 200_001, core.HIDDEN)
    layers[OUTPUTS] = rng.integers(-outputs, outputs + 1, core.HIDDEN)
    layers[CONSTANT] = 77
    return rows, layers


def farthest(seed: int) -> tuple[Rows, Layers]:
    """A network of numbers that are as far from 0 as they may be, of either sign by chance; half of
    the biases are 0, else they alone decided about the units."""
    rng = np.random.default_rng(seed)
    rows, layers = rng.choice([-128, 127], SHAPE).astype(np.int8), zeros()[1]
    layers[INPUTS] = rng.choice([-UNITS_MAX, UNITS_MAX], INPUTS.stop - INPUTS.start)
    layers[BIASES] = rng.choice([-BIASES_MAX, 0, 0, BIASES_MAX], core.HIDDEN)
    layers[OUTPUTS] = rng.choice([-OUTPUTS_MAX, OUTPUTS_MAX], core.HIDDEN)
    return rows, layers


def uncut(rows: Rows, layers: Layers, classes: list[int], integers: Any = np.int64) -> int:
    """The value of a position that has these classes, in 1/128 disc, were there no largest one.
    ``integers``: of NumPy, or ``object``, those of Python, which have no limits."""
    sums = rows[classes].astype(integers).sum(axis=0)
    inputs = np.clip(sums + 64, 0, 127)
    layers = layers.astype(integers)
    units = inputs @ layers[UNITS].reshape(core.CHANNELS, core.HIDDEN) + layers[BIASES]
    active = np.clip(units >> 6, 0, 2047)
    return int(4 * sums[0] + layers[CONSTANT] + ((active @ layers[OUTPUTS]) >> 6))


def defined(rows: Rows, layers: Layers, classes: list[int]) -> int:
    """The value of a position that has these classes, in 1/128 disc."""
    return min(max(uncut(rows, layers, classes), -VALUE_MAX), VALUE_MAX)


def classes_of(boards: Any) -> Any:
    """The classes of boards (own, opp), as the core finds them."""
    found = np.zeros((len(boards), core.FEATURES), np.int32)
    core.features(np.ascontiguousarray(boards), found)
    return found


def defined_classes(position: Position) -> list[int]:
    """The classes of a position. Those of a kind are numbered by the least content of each, read as
    a number in ternary, the first square the last digit: 0 opponent, 1 empty, 2 own. Those of the
    corner blocks are numbers to base 6: 0 to 3 empty, nobody, the side to move, the other or both
    may move there; 4 own, 5 opponent."""
    cells, turn = position
    movable = [set(reference.moves(cells, side)) for side in (turn, -turn)]
    contents = (
        (kind, sum((cells[sq] * turn + 1) * 3**j for j, sq in enumerate(squares)))
        for kind, squares in core.patterns()
    )
    found = [_first(kind) + int(_numbers(kind)[content]) for kind, content in contents]
    digits = [
        {EMPTY: (sq in movable[0]) + 2 * (sq in movable[1]), turn: 4, -turn: 5}[cells[sq]]
        for sq in range(64)
    ]
    blocks = [
        sum(digits[sq] * 6**j for j, sq in enumerate(squares)) for squares in core.corner_blocks()
    ]
    counts = [len(squares) for squares in movable]
    counts += [
        sum(
            cells[sq] == side and any(cells[near] == EMPTY for near in reference.NEIGHBOURS[sq])
            for sq in range(64)
        )
        for side in (turn, -turn)
    ]
    counts.append(min(64 - cells.count(EMPTY), 63))
    first = _first(1 + max(kind for kind, _ in core.patterns()))
    found += [first + block for block in blocks]
    return found + [first + 6**6 + 64 * which + count for which, count in enumerate(counts)]


@cache
def _numbers(kind: int) -> Any:
    """The number of each content of a kind of pattern among its classes."""
    squares = next(squares for other, squares in core.patterns() if other == kind)
    content = np.arange(3 ** len(squares))
    least = content
    for i in range(8):
        picture = [core.transform_move(sq, i) for sq in squares]
        if set(picture) == set(squares):
            digits = (content // 3**j % 3 * 3 ** squares.index(sq) for j, sq in enumerate(picture))
            least = np.minimum(least, sum(digits))
    return np.unique(least, return_inverse=True)[1]


@cache
def _first(kind: int) -> int:
    """How many classes the kinds before have."""
    return sum(int(_numbers(before).max()) + 1 for before in range(kind))

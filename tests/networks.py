"""Networks for tests, and the learned evaluation by its definition."""

from __future__ import annotations

from typing import Any

import numpy as np

from reversi._load import core

Rows = Any
Layers = Any

SHAPE = (core.weight_classes(), core.CHANNELS)
UNITS = slice(0, core.CHANNELS * core.HIDDEN)
BIASES = slice(UNITS.stop, UNITS.stop + core.HIDDEN)
OUTPUTS = slice(BIASES.stop, BIASES.stop + core.HIDDEN)
CONSTANT = core.LAYERS - 1


def zeros() -> tuple[Rows, Layers]:
    """A network that judges every position as even."""
    return np.zeros(SHAPE, np.int8), np.zeros(core.LAYERS, np.int32)


def chance(seed: int, spread: int = 9) -> tuple[Rows, Layers]:
    """A network of chance, whose inputs are clipped now and then, at both ends."""
    rng = np.random.default_rng(seed)
    layers = np.zeros(core.LAYERS, np.int32)
    layers[UNITS] = rng.integers(-60, 61, layers[UNITS].shape)
    layers[BIASES] = rng.integers(-4000, 4001, core.HIDDEN)
    layers[OUTPUTS] = rng.integers(-600, 601, core.HIDDEN)
    layers[CONSTANT] = 77
    return rng.integers(-spread, spread + 1, SHAPE).astype(np.int8), layers


def extreme(sign: int) -> tuple[Rows, Layers]:
    """A network of the largest numbers that are allowed, all of one sign or of both."""
    layers = np.zeros(core.LAYERS, np.int32)
    layers[UNITS] = 127
    layers[BIASES] = 1 << 24
    layers[OUTPUTS] = 16383 * sign
    layers[CONSTANT] = -(1 << 24)
    return np.full(SHAPE, 127 * sign, np.int8), layers


def defined(rows: Rows, layers: Layers, classes: list[int]) -> int:
    """The value of a position that has these classes, in 1/128 disc, in whole numbers of Python."""
    sums = [sum(int(rows[each, k]) for each in classes) for k in range(core.CHANNELS)]
    inputs = [min(max(each + 64, 0), 127) for each in sums]
    hidden = layers[UNITS].reshape(core.CHANNELS, core.HIDDEN)
    total = 0
    for j in range(core.HIDDEN):
        unit = sum(int(hidden[k, j]) * inputs[k] for k in range(core.CHANNELS))
        unit = (unit + int(layers[BIASES][j])) >> 6
        total += min(max(unit, 0), 2047) * int(layers[OUTPUTS][j])
    value = core.DIRECT * sums[0] + int(layers[CONSTANT]) + (total >> 6)
    return min(max(value, -64 * core.UNIT), 64 * core.UNIT)

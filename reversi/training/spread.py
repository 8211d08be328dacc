"""A smooth model of how far a shallow search lies from a deep one, and the table made of it.

Log-linear in the logarithms of the depths, with few coefficients: what is measured scatters by a
tenth, and most depths that a search reaches are too deep to measure. Searches to the end of the
game have a model of their own, since of the two values one has no error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reversi._load import core
from reversi.errors import TrainingError
from reversi.weights import DEVIATIONS

Values = NDArray[np.int16]
Numbers = NDArray[np.float64]

# What stands for a search that was not made.
NONE = -32768
# The shares of a normal distribution within so many standard deviations: the steps of selectivity
# at which a search cuts.
STEPS = ((0.73, 1.094), (0.87, 1.5), (0.95, 2.0), (0.99, 2.594))
# The three steps that 200 positions can tell.
_FITTED = STEPS[:3]
# Empty squares of the root and of the shallow search's leaves outside of which nothing is measured:
# the model's parabola would run away.
_ROOTS, _LEAVES = (10, 56), (6, 55)
# How far the model is off the measurements beyond their scatter (logarithm), which is about 1 / n.
_MISFIT = 0.15
# No search of two plies is cut, and the evaluation strays from it otherwise than a search from a
# deeper one: it would bend the model.
_LEFT_OUT = 2
# A search to the end is compared with searches up to so many plies from the one that is used: ten
# numbers of empty squares alone would not tell the coefficients.
_NEAR = 2
# A margin that no value exceeds: no search is cut.
_NEVER = 65535

# Of the terms tried these foretold best what was left out of the fit: of depths 11 to 13, fitted up
# to 10, the deviations came out 10 % too small, by the root's empty squares in place of the leaves'
# 16 %.
_MIDDLE = (
    "1",
    "(empties-shallow)/60",
    "((empties-shallow)/60)^2",
    "log(depth-shallow)",
    "log(shallow+1)",
    "empties/60*log(depth-shallow)",
)
_TERMS = {
    # Of one ply and the evaluation alone, between which the side to move changes.
    "first": ("1", "empties/60", "(empties/60)^2"),
    "middle": _MIDDLE,
    "end": ("1", "log(depth-shallow)", "log(shallow+1)"),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """What the values of a band say of two depths; in discs. ``n``: how many positions;
    ``bias``: the mean of the deep values less the shallow ones."""

    empties: int
    depth: int
    shallow: int
    n: int
    deviation: float
    root_mean_square: float
    bias: float

    @property
    def kind(self) -> str:
        """Which part of the model is fitted to it."""
        return _kind(self.empties, self.depth)

    @property
    def used(self) -> bool:
        """Whether a search compares just these depths."""
        return self.shallow == shallow_depth(self.depth)


@dataclass(frozen=True, slots=True)
class Model:
    """Coefficients of the logarithm of the deviation in discs, by kind of search: a ``first`` ply,
    those that stop in the ``middle`` of the game, and those that reach its ``end``; the bounds are
    of all deviations."""

    factors: Mapping[str, tuple[float, ...]]
    least: float
    most: float

    def deviation(self, empties: int, depth: int, shallow: int | None = None) -> float:
        """Return the deviation, in discs, of a search of ``depth`` from one of ``shallow``, which
        is the one that Multi-ProbCut uses unless given.
        """
        if shallow is None:
            shallow = shallow_depth(depth)
        kind = _kind(empties, depth)
        terms = _terms(np.array([[empties, depth, shallow]]), kind)[0]
        return float(np.clip(np.exp(terms @ self.factors[kind]), self.least, self.most))

    def table(self) -> NDArray[np.uint16]:
        """Return the deviations in 1/128 disc by empty squares and depth, as core.Weights takes
        them. At depth 1 it is from the evaluation alone; where there is no such search, none.
        """
        found = np.full((DEVIATIONS, DEVIATIONS), _NEVER, np.uint16)
        for empties in range(DEVIATIONS):
            for depth in range(1, empties + 1):
                found[empties, depth] = round(core.UNIT * self.deviation(empties, depth))
        return found

    def record(self) -> dict[str, Any]:
        """Return the coefficients by the names of their terms."""
        return {
            "log_deviation": {
                kind: {
                    name: round(factor, 6)
                    for name, factor in zip(names, self.factors[kind], strict=True)
                }
                for kind, names in _TERMS.items()
            },
            "least": round(self.least, 5),
            "most": round(self.most, 5),
        }


def shallow_depth(depth: int) -> int:
    """Return how deep Multi-ProbCut searches instead: 0, the evaluation, at depth 1."""
    shallow: int = core.shallow_depth(depth)
    return shallow if shallow < depth else 0


def deviation(differences: Numbers) -> float:
    """Return the number that holds what a normal distribution's standard deviation holds: 73 % of
    the differences lie within 1.1 times it, and so on. The wildest one in twenty do not move it.

    >>> bool(0.97 < deviation(np.random.default_rng(1).normal(size=10_000)) < 1.03)
    True
    """
    shares, multiples = np.array(_FITTED).T
    return float((np.quantile(np.abs(differences), shares) / multiples).mean())


def measured(empties: int, values: Values) -> list[Measured]:
    """Return what a band's values say of each pair of depths that the model is fitted to."""
    return [
        Measured(
            empties,
            depth,
            shallow,
            len(differences),
            deviation(differences),
            float(np.sqrt((differences**2).mean())),
            float(differences.mean()),
        )
        for depth, shallow, differences in _pairs(empties, values)
    ]


def fit(found: Sequence[Measured], where: object) -> Model:
    """Return the model with the least squared errors of the logarithm, a pair with few positions
    counting less. Raises TrainingError, which names ``where``, if there are too few.
    """
    factors: dict[str, tuple[float, ...]] = {}
    for kind, names in _TERMS.items():
        some = [
            one
            for one in found
            if one.kind == kind and one.depth != _LEFT_OUT and one.deviation > 0
        ]
        if len(some) <= len(names):
            raise TrainingError(
                f"{where}: {len(some)} pairs of depths measured for the model's {kind!r}; expected"
                f" more than {len(names)}"
            )
        terms = _terms(np.array([(one.empties, one.depth, one.shallow) for one in some]), kind)
        logs = np.log([one.deviation for one in some])
        weigh = np.array([(_MISFIT**2 + 1 / one.n) ** -0.5 for one in some])
        solved = np.linalg.lstsq(terms * weigh[:, None], logs * weigh, rcond=None)[0]
        factors[kind] = tuple(round(float(factor), 6) for factor in solved)
    used = [one.deviation for one in found if one.depth != _LEFT_OUT and one.deviation > 0]
    return Model(factors, least=min(used) / 2, most=max(used) * 2)


def error(model: Model, found: Sequence[Measured], kind: str) -> float:
    """Return the root mean square of the logarithm of model over measurement, of the depths that a
    search compares; each weighed by its positions."""
    some = [
        one
        for one in found
        if one.used and one.kind == kind and one.depth != _LEFT_OUT and one.deviation > 0
    ]
    logs = [np.log(model.deviation(one.empties, one.depth) / one.deviation) for one in some]
    return float(np.sqrt(np.average(np.square(logs), weights=[one.n for one in some])))


def coverage(model: Model, bands: Mapping[int, Values], kind: str) -> list[dict[str, float]]:
    """Return which share of the positions lies within each step's multiple of the model's
    deviation, over all depths that a search cuts at."""
    multiples = [
        np.abs(differences) / model.deviation(empties, depth)
        for empties, values in bands.items()
        for depth, shallow, differences in _pairs(empties, values)
        if depth != _LEFT_OUT and shallow == shallow_depth(depth) and _kind(empties, depth) == kind
    ]
    every = np.concatenate(multiples) if multiples else np.empty(0)
    return [
        {"wanted": share, "found": round(float((every <= times).mean()), 4) if len(every) else 0.0}
        for share, times in STEPS
    ]


def _pairs(empties: int, values: Values) -> Iterator[tuple[int, int, Numbers]]:
    """Yield two depths, the deeper first, and the differences of their values in discs; the end of
    the game is the last column."""
    last = values.shape[1] - 1
    for depth in (*range(1, min(last, empties)), empties):
        ends = depth == empties
        shallow = shallow_depth(depth)
        for other in range(shallow - _NEAR * ends, shallow + _NEAR * ends + 1, 2):
            if not 0 <= other < min(last, depth):
                continue
            deep, near = values[:, last if ends else depth], values[:, other]
            both = (deep != NONE) & (near != NONE)
            if both.any():
                yield depth, other, (deep[both].astype(float) - near[both]) / core.UNIT


def _kind(empties: int, depth: int) -> str:
    return "end" if depth >= empties else "first" if depth == 1 else "middle"


def _terms(searches: NDArray[np.int64], kind: str) -> Numbers:
    """Return the model's terms, a row for each (empties, depth, shallow)."""
    empties, depth, shallow = searches.T
    root = np.clip(empties, *_ROOTS) / 60
    leaf = np.clip(empties - shallow, *_LEAVES) / 60
    apart, near = np.log(depth - shallow), np.log(shallow + 1)
    one = np.ones_like(root)
    if kind == "first":
        return np.stack([one, root, root**2], axis=1)
    if kind == "end":
        return np.stack([one, apart, near], axis=1)
    return np.stack([one, leaf, leaf**2, apart, near, root * apart], axis=1)

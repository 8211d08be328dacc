"""How far predictions are off: sums by number of discs, kind of label and whether held out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reversi.training.examples import Examples
from reversi.training.positions import kind_name

Record = dict[str, Any]

SETS = ("held out", "training")
KINDS = ("exact", "searched", "outcome")
PHASE_DISCS = 2


def phase(discs: int) -> int:
    """The phase of the game that a position with so many discs is counted to, 0 to 29."""
    return (discs - 4) // PHASE_DISCS


def sums(examples: Examples, predictions: NDArray[np.float64]) -> list[Record]:
    """Return sums of the errors (prediction less value, in discs) of each group of examples."""
    errors = predictions - examples.values
    kinds = np.array([KINDS.index(kind_name(kind)) for kind in range(256)], np.int16)
    group = examples.discs.astype(np.int16) * 2 + ~examples.held_out
    group = group * len(KINDS) + kinds[examples.kinds]
    totals = [np.bincount(group)] + [
        np.bincount(group, some) for some in (errors, np.abs(errors), errors**2)
    ]
    return [
        {
            "discs": number // (2 * len(KINDS)),
            "phase": phase(number // (2 * len(KINDS))),
            "set": SETS[number // len(KINDS) % 2],
            "kind": KINDS[number % len(KINDS)],
            "n": int(totals[0][number]),
            "sum": float(totals[1][number]),
            "sum_abs": float(totals[2][number]),
            "sum_squares": float(totals[3][number]),
        }
        for number in np.flatnonzero(totals[0]).tolist()
    ]


def merged(records: Iterable[Record], by: Sequence[str]) -> list[Record]:
    """Return count, MAE, RMSE and bias of the groups that agree in the fields named in ``by``.

    >>> one = {"discs": 60, "set": "training", "kind": "exact", "n": 2, "sum": 1.0,
    ...        "sum_abs": 3.0, "sum_squares": 5.0}
    >>> merged([one, {**one, "discs": 61}], by=["kind"])
    [{'kind': 'exact', 'n': 4, 'mae': 1.5, 'rmse': 1.5811, 'bias': 0.5}]
    """
    totals: dict[tuple[Any, ...], list[float]] = {}
    for record in records:
        total = totals.setdefault(tuple(record[name] for name in by), [0, 0.0, 0.0, 0.0])
        for i, name in enumerate(("n", "sum", "sum_abs", "sum_squares")):
            total[i] += record[name]
    return [
        {
            **dict(zip(by, group, strict=True)),
            "n": n,
            "mae": round(sum_abs / n, 4),
            "rmse": round((sum_squares / n) ** 0.5, 4),
            "bias": round(bias / n, 4),
        }
        for group, (n, bias, sum_abs, sum_squares) in totals.items()
    ]

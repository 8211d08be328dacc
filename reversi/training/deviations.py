"""How far predictions are off: sums by number of discs, kind of label and whether held out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reversi.training.examples import Phase
from reversi.training.positions import kind_name

Record = dict[str, Any]

SETS = ("held out", "training")
KINDS = ("exact", "searched", "outcome")


def sums(examples: Phase, predictions: NDArray[np.float64]) -> list[Record]:
    """Return sums of the errors (prediction less value, in discs) of each group of examples."""
    errors = predictions - examples.values
    names = np.array([kind_name(kind) for kind in range(256)])[examples.kinds]
    records = []
    for discs in np.unique(examples.discs).tolist():
        for of_set, held_out in zip(SETS, (True, False), strict=True):
            for kind in KINDS:
                group = (
                    (examples.discs == discs) & (examples.held_out == held_out) & (names == kind)
                )
                some = errors[group]
                if len(some):
                    records.append(
                        {
                            "discs": discs,
                            "set": of_set,
                            "kind": kind,
                            "n": len(some),
                            "sum": float(some.sum()),
                            "sum_abs": float(np.abs(some).sum()),
                            "sum_squares": float((some**2).sum()),
                        }
                    )
    return records


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

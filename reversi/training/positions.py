"""Records of positions and labels, and what is done with many at once: symmetries, hashes.

The same functions for one board are the core's; tests compare the two.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]
Rows: TypeAlias = NDArray[np.void]

# As core.play_games packs them: discs of the side to move and of the other, the game's number, how
# many discs, and how the game ended for the side to move, the winner getting the empty squares.
ROW = np.dtype(
    [
        ("own", "<u8"),
        ("opp", "<u8"),
        ("game", "<u4"),
        ("discs", "u1"),
        ("outcome", "i1"),
        ("unused", "<u2"),
    ]
)

# A value in 1/128 disc in the view of the side to move, and where it is from: EXACT, a depth of
# search in plies, NO_LABEL or OUTCOME.
LABEL = np.dtype([("value", "<i2"), ("kind", "u1")])
EXACT, NO_LABEL, OUTCOME = 0, 254, 255

_BYTE_SWAPS = (
    (0x5555555555555555, 1),
    (0x3333333333333333, 2),
    (0x0F0F0F0F0F0F0F0F, 4),
)
_DIAGONAL_SWAPS = ((0x00AA00AA00AA00AA, 7), (0x0000CCCC0000CCCC, 14), (0x00000000F0F0F0F0, 28))


def transform(discs: Words, i: int) -> Words:
    """Return symmetry ``i`` (0 to 7) of each set of squares, as core.transform does.

    >>> [int(x) for x in transform(np.array([1, 2], np.uint64), 1)] == [1 << 56, 1 << 57]
    True
    """
    if i & 1:
        discs = discs.byteswap()
    if i & 2:
        for mask, shift in _BYTE_SWAPS:
            low, by = np.uint64(mask), np.uint64(shift)
            discs = (discs >> by & low) | ((discs & low) << by)
    if i & 4:
        for mask, shift in _DIAGONAL_SWAPS:
            by = np.uint64(shift)
            moved = (discs ^ (discs >> by)) & np.uint64(mask)
            discs = discs ^ moved ^ (moved << by)
    return discs


def canonical(own: Words, opp: Words) -> tuple[Words, Words]:
    """Return the smallest of each position's eight pictures, own discs compared first."""
    own = own.astype(np.uint64)
    opp = opp.astype(np.uint64)
    first, second = own, opp
    for i in range(1, 8):
        a, b = transform(own, i), transform(opp, i)
        smaller = (a < first) | ((a == first) & (b < second))
        first = np.where(smaller, a, first)
        second = np.where(smaller, b, second)
    return first, second


def hashes(own: Words, opp: Words) -> Words:
    """Return a hash of each position. Among ten million two are equal once in 400,000 sets; the
    second of them then counts as the first one again, and is left out.
    """
    return mix(mix(own.astype(np.uint64)) ^ opp.astype(np.uint64))


def mix(words: Words) -> Words:
    """Return the words stirred: SplitMix64 (Steele, Lea and Flood 2014), a bijection."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def drawn(words: Words, share: float) -> NDArray[np.bool_]:
    """Return which of the hashes a share of them is drawn: the same ones every time.

    >>> int(drawn(np.arange(1000, dtype=np.uint64), 0.3).sum())
    300
    """
    return mix(words) >> np.uint64(11) < np.uint64(int(share * (1 << 53)))


def kind_name(kind: int) -> str:
    """Return the name of a kind of label.

    >>> kind_name(0), kind_name(6), kind_name(255)
    ('exact', 'searched', 'outcome')
    """
    return {EXACT: "exact", OUTCOME: "outcome"}.get(kind, "searched")


def depth_of(kind: int) -> int | None:
    """Return the plies that a searched label was searched, None for the others."""
    return kind if kind_name(kind) == "searched" else None


def boards_of(rows: Rows) -> Words:
    """Return the positions of rows as the core takes them: an array of (own, opp)."""
    return np.ascontiguousarray(np.stack([rows["own"], rows["opp"]], axis=1), dtype=np.uint64)

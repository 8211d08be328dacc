"""The pieces of training: symmetries and hashes, what is drawn and kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import words
from training_kit import np

from reversi import Board
from reversi._load import core
from reversi.training import generate, label, positions

Pair = tuple[int, int]
some_words = st.lists(words, min_size=1, max_size=20)
disjoint = st.lists(
    st.tuples(words, words).map(lambda pair: (pair[0] & ~pair[1], pair[1])), min_size=1, max_size=9
)


def arrays(pairs: list[Pair]) -> tuple[np.ndarray, np.ndarray]:
    own, opp = zip(*pairs, strict=True)
    return np.array(own, np.uint64), np.array(opp, np.uint64)


# Symmetries and hashes


@given(some_words, st.integers(0, 7))
def test_transforms_are_the_cores(discs: list[int], i: int) -> None:
    found = positions.transform(np.array(discs, np.uint64), i)
    assert found.tolist() == [core.transform(one, i) for one in discs]


@given(disjoint)
def test_canonical_is_the_boards(pairs: list[Pair]) -> None:
    own, opp = positions.canonical(*arrays(pairs))
    smallest = [Board(black, white).canonical() for black, white in pairs]
    assert own.tolist() == [board.own for board in smallest]
    assert opp.tolist() == [board.opp for board in smallest]


@given(disjoint)
def test_different_positions_hash_differently(pairs: list[Pair]) -> None:
    assert len(set(positions.hashes(*arrays(pairs)).tolist())) == len(set(pairs))


@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 1.0])
def test_so_many_are_drawn(share: float) -> None:
    drawn = positions.drawn(np.arange(100_000, dtype=np.uint64), share)
    assert abs(drawn.mean() - share) < 0.005


# What is drawn and kept


@given(st.lists(disjoint, min_size=1, max_size=4))
def test_each_position_is_kept_once(shards: list[list[Pair]]) -> None:
    seen, known = np.empty(0, np.uint64), set()
    for pairs in shards:
        rows = np.zeros(len(pairs), positions.ROW)
        rows["own"], rows["opp"] = arrays(pairs)
        kept, seen = generate._unseen(rows, seen)
        expected = list(dict.fromkeys(pair for pair in pairs if pair not in known))
        assert list(zip(kept["own"].tolist(), kept["opp"].tolist(), strict=True)) == expected
        known.update(pairs)
        assert sorted(seen.tolist()) == seen.tolist()
    assert len(seen) == len(known)


def test_a_sample_belongs_to_its_position_alone() -> None:
    rows = np.frombuffer(core.play_games(None, 1, 0, 20, 1), positions.ROW)
    settings = label.Settings(depth=4, exact=10, sample=0.3)
    kinds = label.kinds_of(rows, settings, searched=True)
    parts = [label.kinds_of(rows[n : n + 1], settings, searched=True)[0] for n in range(len(rows))]
    assert kinds.tolist() == parts
    assert set(kinds.tolist()) == {positions.EXACT, 3, 4, positions.NO_LABEL}

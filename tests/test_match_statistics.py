"""What is computed of a match, against values by hand and by other ways."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reversi.match.statistics import (
    PAIR_SCORES,
    Estimate,
    Sprt,
    elo_estimate,
    elo_of,
    log_likelihood_ratio,
    mean_of,
    score_of,
)

counts = st.lists(st.integers(0, 200), min_size=5, max_size=5)


@pytest.mark.parametrize(
    ("score", "elo"),
    [(0.5, 0.0), (0.75, 190.85), (0.25, -190.85), (0.6, 70.44), (0.64, 99.95), (0.9, 381.70)],
)
def test_elo_of_a_score(score, elo):
    assert elo_of(score) == pytest.approx(elo, abs=0.005)
    assert score_of(elo) == pytest.approx(score, abs=1e-4)


def test_elo_of_all_and_of_nothing():
    assert (elo_of(1.0), elo_of(0.0)) == (math.inf, -math.inf)
    assert math.copysign(1, elo_of(0.5)) == 1


@given(st.lists(st.integers(-64, 64), min_size=2, max_size=50))
def test_the_mean_by_its_sums_is_the_mean_by_its_values(values):
    centre = sum(values) / len(values)
    deviation = math.sqrt(sum((x - centre) ** 2 for x in values) / (len(values) - 1))
    found = mean_of(len(values), sum(values), sum(x * x for x in values))
    assert found.value == pytest.approx(centre)
    if deviation > 0:
        half = 1.959964 * deviation / math.sqrt(len(values))
        assert found.low == pytest.approx(centre - half, abs=1e-3)
        assert found.high == pytest.approx(centre + half, abs=1e-3)
    else:
        assert (found.low, found.high) == (None, None)


def test_an_interval_by_hand():
    # Ten pairs at 1/2 and ten at 1: mean 3/4, variance 20/19/16, its error 0.0574, 1.96 of them
    # 0.1124; Elo of 0.6376 and 0.8624.
    found = elo_estimate([0, 0, 10, 0, 10])
    assert found.value == pytest.approx(190.85, abs=0.01)
    assert found.low == pytest.approx(400 * math.log10(0.63758 / 0.36242), abs=0.1)
    assert found.high == pytest.approx(400 * math.log10(0.86242 / 0.13758), abs=0.1)


def test_where_too_little_is_known():
    assert elo_estimate([0, 0, 0, 0, 0]) is None
    assert elo_estimate([0, 0, 0, 1, 0]) == Estimate(elo_of(0.75))
    assert elo_estimate([0, 0, 7, 0, 0]) == Estimate(0.0)
    assert elo_estimate([0, 0, 0, 0, 5]) == Estimate(math.inf)


def test_pairs_that_even_out_are_surer_than_their_games():
    """What pairs are for: the same points, less strewn."""
    even, strewn = elo_estimate([0, 0, 100, 0, 0]), elo_estimate([50, 0, 0, 0, 50])
    assert even.low is None
    assert strewn.high - strewn.low > 100
    alike, apart = elo_estimate([0, 25, 50, 25, 0]), elo_estimate([25, 0, 50, 0, 25])
    assert alike.value == apart.value == 0
    assert alike.high < apart.high


def test_the_interval_holds_the_truth_as_often_as_it_says():
    random, held = Random(1), 0
    chances = [0.05, 0.2, 0.4, 0.25, 0.1]
    truth = elo_of(sum(p * x for p, x in zip(chances, PAIR_SCORES, strict=True)))
    for _ in range(2000):
        drawn = random.choices(range(5), chances, k=200)
        found = elo_estimate([drawn.count(i) for i in range(5)])
        held += found.low <= truth <= found.high
    assert 0.935 < held / 2000 < 0.965


# The sequential test


@pytest.mark.parametrize(("lost", "won"), [(40, 60), (10, 90), (55, 45)])
def test_with_two_classes_it_is_the_ratio_of_bernoulli(lost, won):
    # With only 0 and 1 in a pair the likelihoods are those of a coin.
    low, high = score_of(0), score_of(40)
    by_hand = won * math.log(high / low) + lost * math.log((1 - high) / (1 - low))
    assert log_likelihood_ratio([lost, 0, 0, 0, won], 0, 40) == pytest.approx(by_hand, abs=0.02)


@given(counts, st.floats(-30, 30), st.floats(1, 40))
def test_it_is_nearly_the_normal_one(pairs, elo0, width):
    """Close to the middle: N (s1 - s0) (2 mean - s0 - s1) / (2 variance)."""
    total = sum(pairs)
    shares = [count / total if total else 0.0 for count in pairs]
    mean = sum(p * x for p, x in zip(shares, PAIR_SCORES, strict=True))
    variance = sum(p * (x - mean) ** 2 for p, x in zip(shares, PAIR_SCORES, strict=True))
    low, high = score_of(elo0), score_of(elo0 + width)
    if total < 30 or abs(mean - (low + high) / 2) > 0.03 or variance < 0.02:
        return
    normal = total * (high - low) * (2 * mean - low - high) / (2 * variance)
    exact = log_likelihood_ratio(pairs, elo0, elo0 + width)
    assert exact == pytest.approx(normal, rel=0.2, abs=0.2)


@given(counts, st.floats(-100, 100), st.floats(0.5, 100))
def test_the_other_player_sees_it_the_other_way_round(pairs, elo0, width):
    ratio = log_likelihood_ratio(pairs, elo0, elo0 + width)
    mirrored = log_likelihood_ratio(pairs[::-1], -elo0 - width, -elo0)
    assert ratio == pytest.approx(-mirrored, abs=1e-6)
    assert math.isfinite(ratio)
    assert (ratio == 0) or any(pairs)


@given(counts)
def test_a_better_pair_speaks_for_the_higher_hypothesis(pairs):
    better = [*pairs[:4], pairs[4] + 1]
    worse = [pairs[0] + 1, *pairs[1:]]
    low, high = (log_likelihood_ratio(each, 0, 20) for each in (worse, better))
    assert low < high


def test_bounds_and_verdicts():
    test = Sprt(0, 10)
    assert test.bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    assert test.verdict([0, 0, 10, 0, 0]) is None
    assert test.verdict([0, 0, 200, 40, 0]) == "H1"
    assert test.verdict([0, 40, 200, 0, 0]) == "H0"
    assert test.verdict([0, 0, 0, 0, 0]) is None
    for pair in ((10, 10), (10, 0), (0, math.inf), (math.nan, 5), (-2001, 0)):
        with pytest.raises(ValueError, match="expected elo0 < elo1, both from -2000 to 2000"):
            Sprt(*pair)
    assert math.isfinite(Sprt(-2000, 2000).ratio([0, 0, 3, 0, 0]))


@pytest.mark.parametrize(("elo", "wrong"), [(0, "H1"), (40, "H0")])
def test_it_errs_as_seldom_as_it_says(elo, wrong):
    """Matches by chance, of which the truth is one of the hypotheses: at most 5 % go wrong."""
    random, test = Random(2), Sprt(0, 40)
    # A symmetric set of chances, tilted until its mean is right (by the exponential family).
    tilt, step = 0.0, 4.0
    while step > 1e-6:
        weights = [
            w * math.exp(tilt * x) for w, x in zip((1, 3, 6, 3, 1), PAIR_SCORES, strict=True)
        ]
        mean = sum(w * x for w, x in zip(weights, PAIR_SCORES, strict=True)) / sum(weights)
        tilt += step if mean < score_of(elo) else -step
        step /= 2
    errors = 0
    for _ in range(100):
        pairs = [0] * 5
        while (verdict := test.verdict(pairs)) is None:
            for drawn in random.choices(range(5), weights, k=4):
                pairs[drawn] += 1
        errors += verdict == wrong
    assert errors <= 12

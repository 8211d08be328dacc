"""What the games of a match say about two players. Pure functions of numbers; knows no game.

An opening is played twice with colours swapped, and the two games depend on each other: what counts
as one observation is the pair. Its points for the first player, 0, 1/2, 1, 1 1/2 or 2, are counted
in five classes (the "pentanomial" model), in this order wherever ``pairs`` is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = [
    "Estimate",
    "Sprt",
    "elo_estimate",
    "elo_of",
    "log_likelihood_ratio",
    "mean_of",
    "score_of",
]

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
# Half the width of a 95 % interval of the normal distribution, in standard errors.
_Z95 = 1.959963984540054
# A class that was not seen is given this weight: without it no hypothesis could put the mean beyond
# the classes that were.
_UNSEEN = 1e-3
# At which one point in 100,000 games is expected.
_MOST_ELO = 2000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval; ``low`` and ``high`` are None where too little is known."""

    value: float
    low: float | None = None
    high: float | None = None


def elo_of(score: float) -> float:
    """Return the difference in Elo at which a player is expected to make this share of the points,
    0 to 1; infinite at the ends.

    >>> round(elo_of(0.75), 2), elo_of(0.5), elo_of(1.0)
    (190.85, 0.0, inf)
    """
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else 400 * math.log10(score / (1 - score)) + 0.0


def score_of(elo: float) -> float:
    """Return the share of the points that is expected at a difference in Elo.

    >>> round(score_of(190.85), 4), score_of(0)
    (0.75, 0.5)
    """
    return 1 / (1 + 10 ** (-elo / 400))


def mean_of(count: int, total: float, squares: float) -> Estimate:
    """Return the mean of ``count`` independent values of which the sum and the sum of squares are
    known, with the interval of the normal approximation; none for a single value, and where all
    are alike. ``count`` is 1 or more.

    >>> mean_of(2, 1.0 + 3.0, 1.0 + 9.0)  # doctest: +ELLIPSIS
    Estimate(value=2.0, low=0.04..., high=3.95...)
    """
    centre = total / count
    around = squares - count * centre**2
    if count < 2 or around <= 1e-9 * squares:
        return Estimate(centre)
    half = _Z95 * math.sqrt(around / (count - 1) / count)
    return Estimate(centre, centre - half, centre + half)


def elo_estimate(pairs: Sequence[int]) -> Estimate | None:
    """Return the first player's Elo less the second's, from pairs of games; None without any.

    The interval is that of the mean score of a pair, by the normal approximation with the variance
    of the five classes, turned into Elo. There is none where all pairs ended alike.
    Source: M. Van den Bergh, "Comments on Normalized Elo" (2021), on the pentanomial model.

    >>> elo_estimate([0, 0, 10, 0, 10])  # doctest: +ELLIPSIS
    Estimate(value=190.8..., low=98.1..., high=318.8...)
    """
    count = sum(pairs)
    if not count:
        return None
    scored = list(zip(PAIR_SCORES, pairs, strict=True))
    total = sum(score * number for score, number in scored)
    observed = mean_of(count, total, sum(score**2 * number for score, number in scored))
    if observed.low is None or observed.high is None:
        return Estimate(elo_of(observed.value))
    return Estimate(elo_of(observed.value), elo_of(observed.low), elo_of(observed.high))


def log_likelihood_ratio(pairs: Sequence[int], elo0: float, elo1: float) -> float:
    """Return how much better the pairs agree with ``elo1`` than with ``elo0``: the logarithm of the
    ratio of the two greatest likelihoods.

    The probabilities of the five classes are not known, only their mean under each hypothesis: the
    likelihood is that of the most likely probabilities with this mean.
    Sources: X. Li, J. Liu, Z. Ying, "Generalized sequential probability ratio test for separate
    families of hypotheses" (2014); M. Van den Bergh, "A practical introduction to the GSPRT".

    >>> round(log_likelihood_ratio([0, 20, 40, 20, 0], 0, 10), 2)
    -0.26
    >>> log_likelihood_ratio([0, 0, 0, 0, 0], 0, 10)
    0.0
    """
    total = sum(pairs)
    if not total:
        return 0.0
    weights = [count or _UNSEEN for count in pairs]
    shares = [weight / sum(weights) for weight in weights]
    less, more = (_most_likely(shares, score_of(elo)) for elo in (elo0, elo1))
    ratios = zip(shares, less, more, strict=True)
    return total * math.fsum(share * math.log(q / p) for share, p, q in ratios)


def _most_likely(shares: Sequence[float], score: float) -> list[float]:
    """Return the probabilities with this mean under which the shares are the most likely.

    By Lagrange they are share / (1 + t * (its score - mean)) for the t that gives the mean, of
    which the left side of the equation falls throughout: bisection.
    """
    low, high = -1 / (1 - score), 1 / score
    for _ in range(100):
        middle = (low + high) / 2
        terms = (
            share * (own - score) / (1 + middle * (own - score))
            for share, own in zip(shares, PAIR_SCORES, strict=True)
        )
        if math.fsum(terms) > 0:
            low = middle
        else:
            high = middle
    return [
        share / (1 + (low + high) / 2 * (own - score))
        for share, own in zip(shares, PAIR_SCORES, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test whether the first player is better by ``elo1`` (H1) or by ``elo0`` (H0).

    ``alpha`` is the risk to accept H1 where H0 is true, ``beta`` the other one. Raises ValueError
    unless ``elo0 < elo1``, and for differences beyond 2000.
    Source: A. Wald, "Sequential tests of statistical hypotheses" (1945).

    >>> test = Sprt(0, 10)
    >>> [round(bound, 3) for bound in test.bounds], test.verdict([0, 0, 200, 40, 0])
    ([-2.944, 2.944], 'H1')
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -_MOST_ELO <= self.elo0 < self.elo1 <= _MOST_ELO:
            raise ValueError(
                f"elo0 is {self.elo0:g} and elo1 {self.elo1:g}; expected elo0 < elo1,"
                f" both from -{_MOST_ELO} to {_MOST_ELO}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[int]) -> float:
        """Return the `log_likelihood_ratio` of the pairs."""
        return log_likelihood_ratio(pairs, self.elo0, self.elo1)

    def verdict(self, pairs: Sequence[int]) -> Literal["H0", "H1"] | None:
        """Return the hypothesis that is accepted, None as long as neither is."""
        ratio, (least, most) = self.ratio(pairs), self.bounds
        return "H0" if ratio <= least else "H1" if ratio >= most else None

"""What the games of a match have come to so far, in the view of the first player."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from reversi.match.archive import MatchGame
from reversi.match.statistics import Estimate, elo_estimate, mean_of

__all__ = ["Standing"]


@dataclass(slots=True)
class Standing:
    """The games counted, and each pair's points once both of its games are there.

    ``faults`` counts for the first and the second player by what they did; ``pairs`` are the
    numbers of pairs with 0, 1/2, 1, 1 1/2 and 2 points for the first player.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    faults: tuple[Counter[str], Counter[str]] = field(
        default_factory=lambda: (Counter(), Counter())
    )
    # Of discs the number of games, their sum, and the number, the sum and the squares of the pairs'
    # sums: so a match of any length takes no memory, but for the pairs with one game so far.
    _discs: list[int] = field(default_factory=lambda: [0] * 5)
    _halves: dict[int, tuple[float, int | None]] = field(default_factory=dict)

    def copy(self) -> Standing:
        """Return one that counts on its own."""
        return Standing(
            self.wins,
            self.draws,
            self.losses,
            self.pairs.copy(),
            (self.faults[0].copy(), self.faults[1].copy()),
            self._discs.copy(),
            self._halves.copy(),
        )

    def add(self, game: MatchGame) -> None:
        """Count a game."""
        result = game.result
        points = 1 - result.points if game.swapped else result.points
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        discs = result.discs
        if discs is not None:
            discs = -discs if game.swapped else discs
            self._discs[0] += 1
            self._discs[1] += discs
        if result.fault is not None:
            self.faults[points == 1][result.fault] += 1
        if game.pair in self._halves:
            self._add_pair(self._halves.pop(game.pair), points, discs)
        else:
            self._halves[game.pair] = points, discs

    def _add_pair(self, other: tuple[float, int | None], points: float, discs: int | None) -> None:
        self.pairs[int(2 * (other[0] + points))] += 1
        if discs is not None and other[1] is not None:
            both = discs + other[1]
            self._discs[2] += 1
            self._discs[3] += both
            self._discs[4] += both**2

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """The first player's share of the points, 0 to 1; None before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    @property
    def discs(self) -> Estimate | None:
        """The discs by which the first player wins a game in the mean, of the games that were
        played to the end, with the interval that its pairs tell; None where there is none."""
        games, total, pairs, of_pairs, squares = self._discs
        if not games:
            return None
        value = total / games
        known = mean_of(pairs, of_pairs / 2, squares / 4) if pairs else Estimate(value)
        if known.low is None or known.high is None:
            return Estimate(value)
        half = (known.high - known.low) / 2
        return Estimate(value, value - half, value + half)

    @property
    def elo(self) -> Estimate | None:
        """The difference in Elo, by the complete pairs; None without one."""
        return elo_estimate(self.pairs)

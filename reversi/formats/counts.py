"""What an archive comes to: games, moves, passes, results, and faults by kind. Reads no file."""

from __future__ import annotations

from dataclasses import dataclass, field

from reversi.errors import FormatError
from reversi.formats.stated import contradicts
from reversi.game import Game
from reversi.squares import PASS

__all__ = ["Counts", "Faults"]

_KEPT_FAULTS = 3  # of each kind, in words


@dataclass(slots=True)
class Faults:
    """How many faults of one kind there are, and the first of them in words."""

    count: int = 0
    first: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Counts:
    """Counts of games that were read. ``moves`` include the passes; ``unfinished`` games are not
    over by the rules. A game that states another result than its board counts as a game, and as a
    fault of the kind ``result``.

    >>> counts = Counts("games.ggf")
    >>> counts.add(Game.from_transcript("f5d6", headers={"result": "+6"}))
    >>> counts.games, counts.moves, counts.unfinished, counts.faults
    (1, 2, 1, {})
    """

    source: str | None = None
    games: int = 0
    moves: int = 0
    passes: int = 0
    black_wins: int = 0
    draws: int = 0
    white_wins: int = 0
    unfinished: int = 0
    faults: dict[str, Faults] = field(default_factory=dict)
    _number: int = field(default=0, init=False, repr=False)  # of the last game, read or not

    @property
    def fault_count(self) -> int:
        """The number of faults of all kinds."""
        return sum(faults.count for faults in self.faults.values())

    def add(self, game: Game) -> None:
        """Count the next game."""
        self._number += 1
        self.games += 1
        moves = game.moves
        self.moves += len(moves)
        self.passes += moves.count(PASS)
        final = game.final_board()
        if not final.is_game_over():
            self.unfinished += 1
            return
        difference = final.black.bit_count() - final.white.bit_count()
        self.black_wins += difference > 0
        self.draws += difference == 0
        self.white_wins += difference < 0
        if contradicts(game, final):
            reason = f"the result is {game.headers['result']}; the moves lead to {difference:+d}"
            if final.empties and difference:
                reason += f", and {final.empties} squares are empty"
            self._note(FormatError(reason, "result", self.source, self._number))

    def add_fault(self, error: FormatError) -> None:
        """Count a game that could not be read."""
        self._number = max(self._number, error.game or 0)
        self._note(error)

    def include(self, other: Counts) -> None:
        """Count what another one has counted as well."""
        self.games += other.games
        self.moves += other.moves
        self.passes += other.passes
        self.black_wins += other.black_wins
        self.draws += other.draws
        self.white_wins += other.white_wins
        self.unfinished += other.unfinished
        for kind, faults in other.faults.items():
            ours = self.faults.setdefault(kind, Faults())
            ours.count += faults.count
            ours.first = (ours.first + faults.first)[:_KEPT_FAULTS]

    def record(self) -> dict[str, object]:
        """Return the counts by name, with the number and the first faults of each kind.

        >>> Counts().record()["faults"]
        {}
        """
        return {
            "games": self.games,
            "moves": self.moves,
            "passes": self.passes,
            "black_wins": self.black_wins,
            "draws": self.draws,
            "white_wins": self.white_wins,
            "unfinished": self.unfinished,
            "faults": {
                kind: {"count": faults.count, "first": faults.first}
                for kind, faults in self.faults.items()
            },
        }

    def _note(self, error: FormatError) -> None:
        faults = self.faults.setdefault(error.kind, Faults())
        faults.count += 1
        if len(faults.first) < _KEPT_FAULTS:
            faults.first.append(str(error))

"""What an analysis says: of a move, of a player, of a game. Searches nothing, draws nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

from reversi.board import Outcome
from reversi.game import Game
from reversi.limits import Limit
from reversi.results import Certainty
from reversi.squares import BLACK, WHITE, Color

__all__ = ["MARK_DISCS", "MARK_SIGNS", "GameAnalysis", "Mark", "MoveAnalysis", "Player", "Tally"]

Mark: TypeAlias = Literal["blunder", "mistake", "inaccuracy"]

# From what loss in discs on a move is marked, the worst first. Exact values are even: 2 discs are
# an inaccuracy, 4 and 6 a mistake, 8 and more a blunder.
MARK_DISCS: dict[Mark, float] = {"blunder": 8.0, "mistake": 4.0, "inaccuracy": 2.0}
# The signs of chess, which people know.
MARK_SIGNS: dict[Mark, str] = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """A move of the main line beside the best one. Values are discs, in the view of the side that
    moves, the winner getting the empty squares.

    ``number`` counts the game's moves from 1, passes among them; ``empties`` and ``choices`` are
    the empty squares and the legal moves before it. ``value`` is what the move is worth,
    ``best_value`` what the best is worth (never less), ``loss`` the difference; both values are of
    one search or both are exact, as their ``certainty`` says. ``best_moves`` are all best ones
    where the game is solved, and else those that the search found, ``line`` is best play from the
    first of them on. A pass has no loss (None); where there is one legal move it is 0.

    >>> from reversi import Engine, analyse_game
    >>> game = Game.from_transcript("e6f4e3f6g5d6e7f5c5")
    >>> with Engine(hash_mb=1) as engine:
    ...     analysis = analyse_game(game, Limit(depth=1), engine=engine)
    >>> analysis.moves[-1].move, analysis.moves[-1].value, analysis.moves[-1].loss
    ('c5', 64.0, 0.0)
    """

    number: int
    side: Color
    move: str
    empties: int
    choices: int
    value: float
    certainty: Certainty
    best_value: float
    best_certainty: Certainty
    best_moves: tuple[str, ...]
    line: tuple[str, ...]
    loss: float | None

    @property
    def mark(self) -> Mark | None:
        """``"blunder"`` from 8 discs of loss on, ``"mistake"`` from 4, ``"inaccuracy"`` from 2."""
        loss = 0.0 if self.loss is None else self.loss
        return next((mark for mark, discs in MARK_DISCS.items() if loss >= discs), None)

    @property
    def exact(self) -> bool:
        """Whether both values are exact."""
        return self.certainty.kind == self.best_certainty.kind == "exact"

    def as_dict(self) -> dict[str, Any]:
        """Return all that is known of the move as JSON takes it; see docs/analysis.md."""
        return {**asdict(self), "side": _name(self.side), "mark": self.mark}


@dataclass(frozen=True, slots=True)
class Tally:
    """What the moves of one side come to. ``moves`` are all but passes, ``choices`` those where
    there was more than one legal move; of these ``best_share`` (0.0 to 1.0) were best, and
    ``mean_loss`` is their loss in discs, both None where there was no choice.
    """

    moves: int
    choices: int
    best_share: float | None
    mean_loss: float | None
    total_loss: float
    inaccuracies: int
    mistakes: int
    blunders: int

    @classmethod
    def of(cls, moves: Iterable[MoveAnalysis]) -> Tally:
        """Return the tally of some moves of one side.

        >>> Tally.of([]).best_share is None
        True
        """
        made = [move for move in moves if move.loss is not None]
        losses = [move.loss or 0.0 for move in made if move.choices > 1]
        marks = [move.mark for move in made]
        return cls(
            moves=len(made),
            choices=len(losses),
            best_share=losses.count(0.0) / len(losses) if losses else None,
            mean_loss=sum(losses) / len(losses) if losses else None,
            total_loss=sum(losses),
            inaccuracies=marks.count("inaccuracy"),
            mistakes=marks.count("mistake"),
            blunders=marks.count("blunder"),
        )


@dataclass(frozen=True, slots=True)
class Player:
    """How one side played: ``whole`` counts its moves that were analysed, ``exact`` those of them
    whose loss is proved. ``name`` is from the game's headers, empty where they have none."""

    side: Color
    name: str
    whole: Tally
    exact: Tally

    def as_dict(self) -> dict[str, Any]:
        """Return the player as JSON takes it; see docs/analysis.md."""
        return {**asdict(self), "side": _name(self.side)}


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """The analysed moves of a game's main line, the first one first, and how they were searched.

    ``game`` is a copy of the game. Where an analysis was broken off, ``moves`` are the last ones of
    the game: it goes from the end to the beginning.

    >>> GameAnalysis(Game(), (), Limit(level=21), 20).complete
    True
    """

    game: Game = field(hash=False)
    moves: tuple[MoveAnalysis, ...]
    limit: Limit
    exact_empties: int

    @property
    def complete(self) -> bool:
        """Whether each move of the main line was analysed."""
        return len(self.moves) == len(self.game)

    @property
    def outcome(self) -> Outcome | None:
        """How the main line ends by the rules; None where the game is not over there."""
        return self.game.outcome()

    @property
    def players(self) -> tuple[Player, Player]:
        """How black and white played."""
        return self._player(BLACK), self._player(WHITE)

    @property
    def marked(self) -> tuple[MoveAnalysis, ...]:
        """The inaccuracies, mistakes and blunders."""
        return tuple(move for move in self.moves if move.mark)

    def annotated(self) -> Game:
        """Return a copy of the game with the value of each analysed move on its node, so that it
        can be saved.

        >>> GameAnalysis(Game(), (), Limit(level=21), 20).annotated() == Game()
        True
        """
        game = self.game.copy()
        values = {move.number: move.value for move in self.moves}
        for number, node in enumerate(game.main_line(), start=1):
            node.value = values.get(number, node.value)
        return game

    def as_dict(self) -> dict[str, Any]:
        """Return the analysis as JSON takes it; docs/analysis.md says what each key is.

        >>> GameAnalysis(Game(), (), Limit(level=21), 20).as_dict()["transcript"]
        ''
        """
        ended = self.outcome
        return {
            "headers": dict(self.game.headers),
            "start": self.game.start.obf(),
            "transcript": self.game.transcript(),
            "outcome": None if ended is None else _outcome_dict(ended),
            "limit": asdict(self.limit),
            "exact_empties": self.exact_empties,
            "complete": self.complete,
            "moves": [move.as_dict() for move in self.moves],
            "players": [player.as_dict() for player in self.players],
        }

    def _player(self, side: Color) -> Player:
        own = [move for move in self.moves if move.side == side]
        name = self.game.headers.get(_name(side), "")
        return Player(side, name, Tally.of(own), Tally.of(move for move in own if move.exact))


def curve(moves: Iterable[MoveAnalysis]) -> Iterator[tuple[int, float, bool]]:
    """Yield what the game was worth after each analysed move, and before the first of them: how
    many moves were made, the value in discs in black's view, and whether it is exact.

    >>> list(curve([]))
    []
    """
    for at, move in enumerate(moves):
        sign = 1 if move.side == BLACK else -1
        if at == 0:
            yield move.number - 1, sign * move.best_value, move.best_certainty.kind == "exact"
        yield move.number, sign * move.value, move.certainty.kind == "exact"


def _name(side: Color) -> str:
    return side.name.lower()


def _outcome_dict(ended: Outcome) -> dict[str, Any]:
    return {
        **asdict(ended),
        "winner": None if ended.winner is None else _name(ended.winner),
        "termination": ended.termination.value,
    }

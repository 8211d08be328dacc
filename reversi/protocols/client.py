"""What the two protocols have in common, from the side of whoever drives an engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias

from reversi.board import Board
from reversi.limits import Limit
from reversi.protocols.child import Patience
from reversi.protocols.clock import Clock, TimeControl
from reversi.squares import Color

__all__ = ["Client", "Clocks", "Played"]

# A move, and the seconds it took where they are known.
Played: TypeAlias = tuple[int, float | None]
Clocks: TypeAlias = Mapping[Color, Clock]


class Client(Protocol):
    """A conversation with an engine; each of its methods raises EngineError where that fails."""

    # What the engine calls itself, where it has said so.
    name: str | None
    # Whether the engine has the move on its board that it answered.
    plays_its_answer: bool

    def greet(self, patience: Patience) -> None:
        """Wait until the engine is ready."""

    @staticmethod
    def check_limit(limit: Limit | None) -> None:
        """Raise ValueError for a limit that the protocol cannot tell."""

    def set_up(self, start: Board, played: Sequence[Played], control: TimeControl | None) -> None:
        """Tell a game so far and its time control."""

    def play(self, played: Played, black: bool) -> None:
        """Tell a move."""

    def choose(
        self, limit: Limit | None, clocks: Clocks | None, patience: Patience, black: bool
    ) -> tuple[str, float | None, float]:
        """Return the engine's move as it writes it, its value in discs, and the milliseconds."""

    def quit(self) -> None:
        """Ask the engine to leave."""

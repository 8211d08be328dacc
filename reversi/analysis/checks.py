"""What the analyses accept; each refusal says what came and what was expected."""

from __future__ import annotations

from collections.abc import Iterable

from reversi.board import Board
from reversi.engine import Engine
from reversi.game import Game


def check_engine(engine: object) -> None:
    """Raises TypeError for what is neither an engine nor None."""
    if engine is not None and not isinstance(engine, Engine):
        raise TypeError(f"engine is {engine!r}; expected an Engine, or None for one of its own")


def check_positions(positions: object) -> None:
    """Raises TypeError for what cannot hold boards and games; these are looked at one by one."""
    # A single board would be taken for a sequence of squares.
    if isinstance(positions, Board | Game) or not isinstance(positions, Iterable):
        raise TypeError(
            f"positions is {positions!r}; expected several Boards or Games, such as [game]"
        )

"""A move in a game's tree and what is noted of it. Knows no rule: the tree adds moves."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from reversi.squares import square_name

__all__ = ["Node"]


class Node:
    """A move in a game's tree, and what is noted of it. The root of the tree has no move.

    ``children`` are the moves that were tried after it, the main one first; they are added by
    `Game.push` and `Game.add`, which know whether they are legal. ``comment`` is a text, empty
    where nothing was said; ``value`` and ``seconds`` are explained below.

    >>> from reversi import Game
    >>> game = Game.from_transcript("f5d6")
    >>> game.root.children[0].comment = "tiger or rose?"
    >>> [node.name for node in game.main_line()]
    ['f5', 'd6']
    """

    __slots__ = ("_seconds", "_value", "children", "comment", "move", "parent")

    def __init__(self, move: int | None, parent: Node | None) -> None:
        self.move = move
        self.parent = parent
        self.children: list[Node] = []
        self._value: float | None = None
        self._seconds: float | None = None
        self.comment = ""

    @property
    def value(self) -> float | None:
        """What the game is expected to end with, in discs, in the view of the side that moved.

        None where it is not known. At the root it is the view of the side that does not move
        next. Setting it to what is no finite number raises ValueError.
        """
        return self._value

    @value.setter
    def value(self, value: float | None) -> None:
        self._value = None if value is None else _checked(value, "a value")

    @property
    def seconds(self) -> float | None:
        """The time that the move took; None where it is not known.

        Setting it to what is no finite number raises ValueError.
        """
        return self._seconds

    @seconds.setter
    def seconds(self, seconds: float | None) -> None:
        self._seconds = None if seconds is None else _checked(seconds, "a time")

    @property
    def name(self) -> str:
        """The move's name, ``'f5'`` or ``'pass'``; empty for the root."""
        return "" if self.move is None else square_name(self.move)

    @property
    def is_main(self) -> bool:
        """Whether the move stands on the main line."""
        node = self
        while node.parent is not None:
            if node.parent.children[0] is not node:
                return False
            node = node.parent
        return True

    def path(self) -> list[Node]:
        """Return the nodes from the first move to this one."""
        nodes = []
        node: Node | None = self
        while node is not None and node.parent is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def line(self) -> Iterator[Node]:
        """Yield the nodes of the main continuation after this one."""
        node = self
        while node.children:
            node = node.children[0]
            yield node

    def tree(self) -> Iterator[Node]:
        """Yield all nodes below this one, each before its children."""
        waiting = self.children[::-1]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def noted(self) -> tuple[object, ...]:
        """Return all that the node says, for comparing trees."""
        return self.move, self._value, self._seconds, self.comment, len(self.children)

    def __repr__(self) -> str:
        return f"<Node {self.name or 'root'}, {len(self.children)} next>"


def _checked(number: float, name: str) -> float:
    if not isfinite(number):
        raise ValueError(f"{name} of {number!r}; expected a finite number, or None")
    return float(number)

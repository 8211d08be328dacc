"""A move in a game's tree and what is noted of it. Knows no rule: `Game` adds moves."""

from __future__ import annotations

from collections.abc import Iterator

from reversi.squares import square_name

__all__ = ["Node"]


class Node:
    """A move in a game's tree, and what is noted of it. The root of the tree has no move.

    ``value`` is what the game is expected to end with, in discs, in the view of the side that made
    the move; ``seconds`` the time it took; both None where they are not known. ``children`` are
    the moves that were tried after it, the main one first; moves are added by `Game.push` and
    `Game.add`, which know whether they are legal.

    >>> from reversi import Game
    >>> game = Game.from_transcript("f5d6")
    >>> game.root.children[0].comment = "tiger or rose?"
    >>> [node.name for node in game.main_line()]
    ['f5', 'd6']
    """

    __slots__ = ("children", "comment", "move", "parent", "seconds", "value")

    def __init__(self, move: int | None, parent: Node | None) -> None:
        self.move = move
        self.parent = parent
        self.children: list[Node] = []
        self.value: float | None = None
        self.seconds: float | None = None
        self.comment = ""

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
        return self.move, self.value, self.seconds, self.comment, len(self.children)

    def __repr__(self) -> str:
        return f"<Node {self.name or 'root'}, {len(self.children)} next>"

"""The moves of a game as a tree, and a place in it. Knows no headers, no text and no file.

A game that was only read keeps its main line as a few bytes, checked by the core; the tree is made
when something asks for it, so that archives of millions of games are read at full speed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import SupportsIndex, TypeAlias, cast

from reversi._load import core
from reversi.board import Board
from reversi.errors import IllegalMoveError
from reversi.node import Node
from reversi.squares import PASS, Color, parse_move

__all__ = ["Tree"]

# A node as `Tree.__getstate__` keeps it: its parent's number among the nodes, None for the root,
# and what it says. A list of nodes is pickled without the recursion that a tree would take.
_Row: TypeAlias = tuple[int | None, int | None, float | None, float | None, str]


class Tree:
    """Main line and variations from a start board, with a place in them; the base of `Game`."""

    def __init__(self, start: Board | None = None) -> None:
        self._start = Board() if start is None else _without_history(start)
        # The main line as long as there is no tree, with the value and the seconds of each move if
        # a reader found any.
        self._line = b""
        self._notes: Sequence[tuple[float | None, float | None]] = ()
        self._root: Node | None = None
        # The place, None for the end of a line without a tree; the board there, once asked for;
        # and the moves that were undone on the way, the last one at the end.
        self._node: Node | None = None
        self._board: Board | None = None
        self._undone: list[Node] = []

    def _extend(self, moves: bytes, places: Iterable[str]) -> None:
        """Make these moves the main line of a game that has none yet."""
        self._line, played = core.replay(self._start, moves)
        if played < len(moves):
            board = self.board
            if moves[played] != PASS and PASS in board.legal_moves:
                board.push(PASS)
            where = [*places][played] if places else f"move {played + 1}"
            try:
                board.push(moves[played])
            except IllegalMoveError as error:
                raise IllegalMoveError(f"{where}: {error}") from None

    # --- The main line ------------------------------------------------------------------------

    @property
    def start(self) -> Board:
        """The board before the first move, a copy."""
        return self._start.copy()

    @property
    def moves(self) -> list[int]:
        """The moves of the main line, 0 to 64, passes among them."""
        if self._root is None:
            return list(self._line)
        return [node.move for node in self._root.line() if node.move is not None]

    def __len__(self) -> int:
        """The number of moves of the main line, passes among them."""
        return len(self._line) if self._root is None else sum(1 for _ in self._root.line())

    def __bool__(self) -> bool:
        return True

    def main_line(self) -> Iterator[Node]:
        """Yield the nodes of the main line, the first move first."""
        return self.root.line()

    # --- Looking ------------------------------------------------------------------------------

    @property
    def root(self) -> Node:
        """The node before the first move."""
        if self._root is None:
            self._root = node = Node(None, None)
            for move in self._line:
                child = Node(move, node)
                node.children.append(child)
                node = child
            self._node = node
            for one, note in zip(self._root.line(), self._notes, strict=False):
                one.value, one.seconds = note
            self._line, self._notes = b"", ()
        return self._root

    @property
    def node(self) -> Node:
        """The last move played, or the root: the game's place."""
        root = self.root
        return root if self._node is None else self._node

    @property
    def board(self) -> Board:
        """The position at the game's place, with its history; a copy, to be changed freely."""
        return self._position().copy()

    @property
    def turn(self) -> Color:
        """The side to move at the game's place."""
        return self._position().turn

    @property
    def legal_moves(self) -> core.LegalMoves:
        """The legal moves at the game's place, as `Board.legal_moves` gives them."""
        return self._position().legal_moves

    def board_at(self, node: Node) -> Board:
        """Return the position after a node's move, with its history.

        Raises ValueError for a node that is not in this game.

        >>> from reversi import Game
        >>> game = Game.from_transcript("f5d6")
        >>> game.board_at(game.root.children[0]).transcript()
        'f5'
        """
        self._check_mine(node)
        return _played(self.start, node)

    def has_notes(self) -> bool:
        """Return whether a move has a value, a time or a comment, or there are variations.

        >>> from reversi import Game
        >>> Game.from_transcript("f5d6").has_notes()
        False
        """
        if self._root is None:
            return bool(self._notes)
        return any(
            len(node.children) > 1 or node.noted()[1:4] != (None, None, "")
            for node in (self._root, *self._root.tree())
        )

    # --- Going ----------------------------------------------------------------------------------

    def undo(self) -> Node | None:
        """Take back the last move and return it; None at the start. The tree keeps it.

        >>> from reversi import Game
        >>> Game().undo() is None
        True
        """
        node = self.node
        if node.parent is None:
            return None
        self._position().pop()
        self._node = node.parent
        self._undone.append(node)
        return node

    def redo(self, variation: int | None = None) -> Node | None:
        """Play the move that was undone last, or else the main continuation, and return it.

        With a number, 0 for the main one, that continuation is played. None where there is none.

        >>> from reversi import Game
        >>> game = Game.from_transcript("f5d6")
        >>> game.undo().name, game.redo().name, game.redo()
        ('d6', 'd6', None)
        """
        children = self.node.children
        number = variation or 0
        if variation is None and self._undone:
            node = self._undone.pop()
        elif 0 <= number < len(children):
            node = children[number]
            self._undone.clear()
        else:
            return None
        assert node.move is not None
        self._position().push(node.move)
        self._node = node
        return node

    def go_to(self, node: Node) -> None:
        """Make a node of this game its place; ValueError for one that is not in it.

        >>> from reversi import Game
        >>> game = Game.from_transcript("f5d6")
        >>> game.go_to(game.root)
        >>> game.board == Board()
        True
        """
        self._check_mine(node)
        self._node = node
        self._board = None
        self._undone.clear()

    def go_to_end(self) -> None:
        """Go on along the main continuation to its end.

        >>> from reversi import Game
        >>> game = Game.from_transcript("f5d6")
        >>> game.go_to(game.root)
        >>> game.go_to_end()
        >>> game.board.transcript()
        'f5d6'
        """
        while self.redo(0) is not None:
            pass

    # --- Changing -----------------------------------------------------------------------------

    def push(
        self,
        move: SupportsIndex | str,
        value: float | None = None,
        seconds: float | None = None,
        comment: str = "",
    ) -> Node:
        """Play a move at the game's place and go on from it; a known one is taken up again.

        What is given is noted of the move. Raises as `Board.push` and the node do, and changes
        nothing then.

        >>> from reversi import Game
        >>> game = Game()
        >>> game.push("f5", value=0.5).value
        0.5
        """
        number = parse_move(move)
        at = self.node
        made = Node(number, at)
        made.value, made.seconds = value, seconds  # refused, if at all, before anything changes
        self._position().push(number)
        node = next((child for child in at.children if child.move == number), made)
        if node is made:
            at.children.append(made)
        if value is not None:
            node.value = value
        if seconds is not None:
            node.seconds = seconds
        if comment:
            node.comment = comment
        self._node = node
        self._undone.clear()
        return node

    def add(self, at: Node, move: SupportsIndex | str) -> Node:
        """Add a move after a node, without going there; a known one is returned as it is.

        Raises as `Board.push` does, and ValueError for a node that is not in this game.

        >>> from reversi import Game
        >>> game = Game.from_transcript("f5d6")
        >>> game.add(game.root, "c4").is_main
        False
        """
        number = parse_move(move)
        self._check_mine(at)
        for child in at.children:
            if child.move == number:
                return child
        _played(self.start, at).push(number)
        node = Node(number, at)
        at.children.append(node)
        return node

    def promote(self, node: Node) -> None:
        """Make a variation the main one wherever its line leaves the main line.

        Raises ValueError for a node that is not in this game.

        >>> from reversi import Game
        >>> game = Game.from_transcript("f5d6")
        >>> game.promote(game.add(game.root, "c4"))
        >>> game.transcript()
        'c4'
        """
        self._check_mine(node)
        for one in node.path():
            assert one.parent is not None
            one.parent.children.remove(one)
            one.parent.children.insert(0, one)

    def remove(self, node: Node) -> None:
        """Remove a move and all that follows; the place goes back before it if it was there.

        Raises ValueError for the root and for a node that is not in this game.

        >>> from reversi import Game
        >>> game = Game.from_transcript("f5d6c3")
        >>> game.remove(game.root.children[0].children[0])
        >>> game.transcript(), game.board.transcript()
        ('f5', 'f5')
        """
        self._check_mine(node)
        if node.parent is None:
            raise ValueError("the root of a game cannot be removed")
        if node in self.node.path():
            self.go_to(node.parent)
        self._undone.clear()
        node.parent.children.remove(node)
        node.parent = None  # so that no one takes it for a node of this game

    # --- Beneath ------------------------------------------------------------------------------

    def _position(self) -> Board:
        """Return the board at the game's place itself, which moves with it."""
        if self._board is None:
            self._board = self.start
            if self._root is None:
                for move in self._line:
                    self._board.push(move)
            else:
                self._board = _played(self._board, self.node)
        return self._board

    def _check_mine(self, node: Node) -> None:
        top = node
        while top.parent is not None:
            top = top.parent
        if top is not self.root:
            raise ValueError(f"{node!r} is not in this game")

    def __getstate__(self) -> dict[str, object]:
        state = {**self.__dict__, "_board": None, "_undone": []}
        if self._root is not None:
            nodes = [self._root, *self._root.tree()]
            numbers: dict[Node | None, int] = {node: number for number, node in enumerate(nodes)}
            rows: list[_Row] = [
                (numbers.get(node.parent), node.move, node.value, node.seconds, node.comment)
                for node in nodes
            ]
            state |= {"_root": rows, "_node": numbers[self.node]}
        return state

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        if state["_root"] is not None:
            nodes: list[Node] = []
            for parent, move, value, seconds, comment in cast(list[_Row], state["_root"]):
                above = None if parent is None else nodes[parent]
                node = Node(move, above)
                node.value, node.seconds, node.comment = value, seconds, comment
                if above is not None:
                    above.children.append(node)
                nodes.append(node)
            self._root, self._node = nodes[0], nodes[cast(int, state["_node"])]


def _without_history(board: Board) -> Board:
    return Board.from_bitboards(board.black, board.white, board.turn)


def _played(board: Board, node: Node) -> Board:
    """Play on a start board the moves that lead to a node, and return it."""
    for one in node.path():
        assert one.move is not None
        board.push(one.move)
    return board

"""A game: a tree of moves from a start board, with headers and notes. Knows no file, no engine.

A game that was only read keeps its main line as a few bytes, checked by the core; the tree is made
when something asks for it, so that archives of millions of games are read at full speed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, SupportsIndex

from reversi._load import core
from reversi.board import Board, Outcome
from reversi.errors import IllegalMoveError
from reversi.node import Node
from reversi.squares import PASS, SQUARE_NAMES, Color, parse_move, read_moves

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Game"]


class Game:
    """Moves from a start board (the usual one by default), main line and variations, and headers.

    The game has a place, where `push` plays and `undo` takes back; ``board`` is the position there
    with the moves that led to it. A game that was read stands at the end of its main line. Passes
    are moves of their own. ``headers`` are texts; the readers use the names ``black``, ``white``,
    ``place``, ``event``, ``round``, ``date``, ``time``, ``black_rating``, ``white_rating``, and
    ``result``: black's discs less white's, such as ``+6``, with ``:r`` behind it if resigned,
    ``:t`` if lost on time, ``:s`` if agreed. Equality compares all but the place.

    >>> game = Game(headers={"black": "Ann"})
    >>> game.push("f5").name, game.push("d6").name, game.undo().name
    ('f5', 'd6', 'd6')
    >>> game.push("f6").is_main  # a variation beside d6
    False
    >>> game.transcript(), len(game)
    ('f5d6', 2)
    """

    def __init__(
        self, start: Board | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        self._start = Board() if start is None else _without_history(start)
        self.headers: dict[str, str] = dict(headers or {})
        # The main line as long as there is no tree, with the value and the seconds of each move if
        # a reader found any.
        self._line = b""
        self._notes: Sequence[tuple[float | None, float | None]] = ()
        self._root: Node | None = None
        self._node: Node | None = None
        self._board: Board | None = self._start.copy()

    @classmethod
    def from_moves(
        cls,
        moves: Iterable[SupportsIndex | str],
        start: Board | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Self:
        """Return the game of these moves, numbers or names; forced passes may be left out.

        Raises InvalidMoveError for what is no move, IllegalMoveError for a move that is not legal,
        naming its number.

        >>> Game.from_moves([37, "d6"]).transcript()
        'f5d6'
        """
        game = cls(start, headers)
        game._extend(bytes([parse_move(move) for move in moves]), ())
        return game

    @classmethod
    def from_transcript(
        cls, text: str, start: Board | None = None, headers: Mapping[str, str] | None = None
    ) -> Self:
        """Return the game of a transcript, read as `Board.from_transcript` reads it.

        >>> Game.from_transcript("1. F5 d6 2. C3").transcript()
        'f5d6c3'
        """
        read = list(read_moves(text))
        game = cls(start, headers)
        game._extend(bytes([move for _where, move in read]), [where for where, _move in read])
        return game

    @classmethod
    def from_board(cls, board: Board) -> Self:
        """Return the game that a board has behind it.

        >>> Game.from_board(Board.from_transcript("f5d6")).transcript()
        'f5d6'
        """
        start = board.copy()
        for _ in board.move_stack:
            start.pop()
        return cls.from_moves(board.move_stack, start)

    def _extend(self, moves: bytes, places: Iterable[str]) -> None:
        """Make these moves the main line of a game that has none yet."""
        self._line, played = core.replay(self._start, moves)
        self._board = None
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

    def transcript(self, passes: bool = False) -> str:
        """Return the main line as ``'f5d6c3'``; with `passes` also each pass, as ``pa``.

        >>> Game.from_transcript("F5 D6").transcript()
        'f5d6'
        """
        names = (*SQUARE_NAMES, "pa" if passes else "")
        return "".join([names[move] for move in self.moves])

    def main_line(self) -> Iterator[Node]:
        """Yield the nodes of the main line, the first move first."""
        return self.root.line()

    def boards(self) -> Iterator[Board]:
        """Yield the positions of the main line, the start first, each with its history.

        >>> [board.empties for board in Game.from_transcript("f5d6").boards()]
        [60, 59, 58]
        """
        board = self.start
        yield board.copy()
        for move in self.moves:
            board.push(move)
            yield board.copy()

    def final_board(self) -> Board:
        """Return the board at the end of the main line.

        >>> Game.from_transcript("f5d6").final_board().empties
        58
        """
        board = self.start
        for move in self.moves:
            board.push(move)
        return board

    def outcome(self) -> Outcome | None:
        """Return how the main line ends by the rules, None where the game is not over there.

        >>> Game.from_transcript("e6f4e3f6g5d6e7f5c5").outcome().tournament
        64
        """
        return self.final_board().outcome()

    # --- The tree -----------------------------------------------------------------------------

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

    def _position(self) -> Board:
        if self._board is None:
            self._board = self.start
            moves = self._line if self._root is None else [n.move for n in self.node.path()]
            for move in moves:
                assert move is not None
                self._board.push(move)
        return self._board

    def board_at(self, node: Node) -> Board:
        """Return the position after a node's move, with its history.

        >>> game = Game.from_transcript("f5d6")
        >>> game.board_at(game.root.children[0]).transcript()
        'f5'
        """
        board = self.start
        for one in node.path():
            assert one.move is not None
            board.push(one.move)
        return board

    def push(
        self,
        move: SupportsIndex | str,
        value: float | None = None,
        seconds: float | None = None,
        comment: str = "",
    ) -> Node:
        """Play a move at the game's place and go on from it; a known one is taken up again.

        Raises as `Board.push` does, and changes nothing then.

        >>> game = Game()
        >>> game.push("f5", value=0.5).value
        0.5
        """
        number = parse_move(move)
        at = self.node
        self._position().push(number)
        node = next((child for child in at.children if child.move == number), None)
        if node is None:
            node = Node(number, at)
            at.children.append(node)
        if value is not None:
            node.value = value
        if seconds is not None:
            node.seconds = seconds
        if comment:
            node.comment = comment
        self._node = node
        return node

    def add(self, at: Node, move: SupportsIndex | str) -> Node:
        """Add a move after a node, without going there; a known one is returned as it is.

        Raises as `Board.push` does.

        >>> game = Game.from_transcript("f5d6")
        >>> game.add(game.root, "c4").is_main
        False
        """
        number = parse_move(move)
        for child in at.children:
            if child.move == number:
                return child
        self.board_at(at).push(number)
        node = Node(number, at)
        at.children.append(node)
        return node

    def undo(self) -> Node | None:
        """Take back the last move and return it; None at the start. The tree keeps it.

        >>> Game().undo() is None
        True
        """
        node = self.node
        if node.parent is None:
            return None
        self._position().pop()
        self._node = node.parent
        return node

    def redo(self, variation: int = 0) -> Node | None:
        """Play the main continuation, or another one, and return it; None where there is none.

        >>> game = Game.from_transcript("f5d6")
        >>> game.undo().name, game.redo().name, game.redo()
        ('d6', 'd6', None)
        """
        children = self.node.children
        if not 0 <= variation < len(children):
            return None
        node = children[variation]
        assert node.move is not None
        self._position().push(node.move)
        self._node = node
        return node

    def go_to(self, node: Node) -> None:
        """Make a node of this game its place; ValueError for one of another.

        >>> game = Game.from_transcript("f5d6")
        >>> game.go_to(game.root)
        >>> game.board == Board()
        True
        """
        top = node
        while top.parent is not None:
            top = top.parent
        if top is not self.root:
            raise ValueError(f"{node!r} is not in this game")
        self._node = node
        self._board = None

    def go_to_end(self) -> None:
        """Go on along the main continuation to its end.

        >>> game = Game.from_transcript("f5d6")
        >>> game.go_to(game.root)
        >>> game.go_to_end()
        >>> game.board.transcript()
        'f5d6'
        """
        while self.redo() is not None:
            pass

    def promote(self, node: Node) -> None:
        """Make a variation the main one wherever its line leaves the main line.

        >>> game = Game.from_transcript("f5d6")
        >>> game.promote(game.add(game.root, "c4"))
        >>> game.transcript()
        'c4'
        """
        for one in node.path():
            assert one.parent is not None
            one.parent.children.remove(one)
            one.parent.children.insert(0, one)

    def remove(self, node: Node) -> None:
        """Remove a move and all that follows; the place goes back before it if it was there.

        Raises ValueError for the root.

        >>> game = Game.from_transcript("f5d6c3")
        >>> game.remove(game.root.children[0].children[0])
        >>> game.transcript(), game.board.transcript()
        ('f5', 'f5')
        """
        if node.parent is None:
            raise ValueError("the root of a game cannot be removed")
        if node in self.node.path():
            self.go_to(node.parent)
        node.parent.children.remove(node)

    def has_notes(self) -> bool:
        """Return whether a move has a value, a time or a comment, or there are variations.

        >>> Game.from_transcript("f5d6").has_notes()
        False
        """
        if self._root is None:
            return bool(self._notes)
        nodes = [self._root, *self._root.tree()]
        return any(node.comment for node in nodes) or any(
            len(node.children) > 1 or node.value is not None or node.seconds is not None
            for node in nodes
        )

    def copy(self) -> Self:
        """Return a game with the same tree, headers and place.

        >>> game = Game.from_transcript("f5d6")
        >>> game.copy() == game
        True
        """
        made = type(self)(self._start, self.headers)
        made._line, made._notes, made._board = self._line, self._notes, None
        if self._root is not None:
            copies: dict[Node | None, Node] = {}
            for node in (self._root, *self._root.tree()):
                copied = Node(node.move, copies.get(node.parent))
                copied.value, copied.seconds = node.value, node.seconds
                copied.comment = node.comment
                if copied.parent is not None:
                    copied.parent.children.append(copied)
                copies[node] = copied
            made._root, made._node = copies[self._root], copies[self.node]
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        if self._start != other._start or self.headers != other.headers:
            return False
        if self._root is None and other._root is None:
            return self._line == other._line and [*self._notes] == [*other._notes]
        ours = [node.noted() for node in (self.root, *self.root.tree())]
        return ours == [node.noted() for node in (other.root, *other.root.tree())]

    __hash__ = None  # type: ignore[assignment]  # a game can be changed

    def __repr__(self) -> str:
        players = " - ".join(self.headers.get(side, "?") for side in ("black", "white"))
        return f"<Game {players}, {len(self)} moves>"


def _without_history(board: Board) -> Board:
    return Board.from_bitboards(board.black, board.white, board.turn)

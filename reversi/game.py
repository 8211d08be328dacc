"""A game: its headers, and what its main line comes to. Knows no file and no engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, SupportsIndex

from reversi.board import Board, Outcome
from reversi.squares import SQUARE_NAMES, parse_move, read_moves
from reversi.tree import Tree

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Game"]


class Game(Tree):
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
        super().__init__(start)
        self.headers: dict[str, str] = dict(headers or {})

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

    def transcript(self, passes: bool = False) -> str:
        """Return the main line as ``'f5d6c3'``; with `passes` also each pass, as ``pa``.

        >>> Game.from_transcript("F5 D6").transcript()
        'f5d6'
        """
        names = (*SQUARE_NAMES, "pa" if passes else "")
        return "".join([names[move] for move in self.moves])

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

    def copy(self) -> Self:
        """Return a game with the same tree, headers and place.

        >>> game = Game.from_transcript("f5d6")
        >>> game.copy() == game
        True
        """
        made = type(self).__new__(type(self))
        made.__setstate__(self.__getstate__())
        made.headers = dict(self.headers)
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

"""The position, the rules and a game's history in Python's words. Knows no clock and no search.

The compiled base class holds the discs and plays the moves; this room adds what people read and
write: cells, OBF, transcripts, grids, pictures, outcomes, pickles.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, SupportsIndex

from reversi._load import core
from reversi.errors import IllegalMoveError, InvalidBoardError
from reversi.picture import svg
from reversi.squares import (
    BLACK,
    PASS,
    SQUARE_NAMES,
    WHITE,
    Color,
    parse_square,
    read_moves,
    square_name,
)

if TYPE_CHECKING:
    from typing_extensions import Self

_OBF_CELLS = {**dict.fromkeys("XxBb*", -1), **dict.fromkeys("OoWw", 1), **dict.fromkeys("-.", 0)}
_SYMBOLS = {-1: "X", 0: "-", 1: "O"}


class Termination(Enum):
    """Why a game is over.

    >>> Termination.WIPEOUT.value
    'wipeout'
    """

    FULL_BOARD = "full board"
    WIPEOUT = "wipeout"
    NO_MOVES = "no moves"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended; both scores are in black's view.

    `discs` is the plain difference, black's discs less white's, -64 to 64; `tournament` is the
    same with the empty squares given to the winner; `winner` is None for a draw.

    >>> Board.from_transcript("e6f4e3f6g5d6e7f5c5").outcome()  # doctest: +NORMALIZE_WHITESPACE
    Outcome(winner=<Color.BLACK: -1>, black_discs=13, white_discs=0, discs=13, tournament=64,
            termination=<Termination.WIPEOUT: 'wipeout'>)
    """

    winner: Color | None
    black_discs: int
    white_discs: int
    discs: int
    tournament: int
    termination: Termination


class Board(core.BoardBase):
    """A position with the moves that led to it; the start position by default.

    Equality and hash compare discs and the side to move, not the history. The attributes that the
    compiled base adds: ``black``, ``white``, ``own``, ``opp`` and ``empty`` (bitboards: bit
    number = square), ``empties`` (their number), ``black_to_move``, ``legal_moves``,
    ``move_stack`` and ``zobrist``.

    >>> board = Board()
    >>> board.push("f5")
    >>> board.legal_moves
    <LegalMoves f4 d6 f6>
    >>> board.pop()
    37
    """

    __slots__ = ()

    @classmethod
    def from_bitboards(cls, black: int, white: int, turn: Color = BLACK) -> Self:
        """Return the board with these discs; each is a 64-bit word, bit number = square.

        Raises InvalidBoardError if the words share a bit or have more than 64.

        >>> Board.from_bitboards(1 << 28 | 1 << 35, 1 << 27 | 1 << 36) == Board()
        True
        """
        return cls(black, white, Color(turn) is BLACK)

    @classmethod
    def from_cells(cls, cells: Iterable[SupportsIndex], turn: Color = BLACK) -> Self:
        """Return the board of 64 values, a1, b1 to h8: -1 black, 1 white, 0 empty.

        Lists, tuples, arrays and other flat buffers of integers will do. Raises
        InvalidBoardError that names the offending index.

        >>> Board.from_cells([0] * 27 + [1, -1] + [0] * 6 + [-1, 1] + [0] * 27) == Board()
        True
        """
        try:
            values = list(cells)
        except (TypeError, NotImplementedError):
            raise InvalidBoardError(f"a board is 64 cells in a row, not {cells!r}") from None
        if len(values) != 64:
            raise InvalidBoardError(f"a board has 64 cells, got {len(values)}")
        black = white = 0
        for index, value in enumerate(values):
            try:
                number = operator.index(value)
            except TypeError:
                number = None
            if number == -1:
                black |= 1 << index
            elif number == 1:
                white |= 1 << index
            elif number != 0:
                raise InvalidBoardError(
                    f"cell {index} ({SQUARE_NAMES[index]}) is {value!r};"
                    " expected -1 (black), 1 (white) or 0 (empty)"
                )
        return cls.from_bitboards(black, white, turn)

    @classmethod
    def from_obf(cls, text: str) -> Self:
        """Return the board of one line of OBF: 64 cells from a1 to h8, then the side to move.

        Black is any of ``Xx*Bb``, white ``OoWw``, empty ``-`` or ``.``; white space is skipped,
        and so is everything from the first ``;``. Raises InvalidBoardError that names the column.

        >>> Board.from_obf("---------------------------OX------XO--------------------------- X")
        Board.from_obf('---------------------------OX------XO--------------------------- X')
        """
        if not isinstance(text, str):
            raise InvalidBoardError(f"a board in OBF is text, not {text!r}")
        position = text.partition(";")[0]
        symbols = [(column, symbol) for column, symbol in enumerate(position, 1) if symbol.strip()]
        for number, (column, symbol) in enumerate(symbols):
            if number < 64 and symbol not in _OBF_CELLS:
                expected = f"X (black), O (white) or - (empty) for {SQUARE_NAMES[number]}"
            elif number == 64 and not _OBF_CELLS.get(symbol):
                expected = "X or O, the side to move, after 64 cells"
            elif number > 64:
                expected = "';' or the end after 64 cells and the side to move"
            else:
                continue
            raise InvalidBoardError(f"column {column}: {symbol!r}; expected {expected}")
        if len(symbols) < 65:
            what = "the side to move is missing" if len(symbols) == 64 else "cells are missing"
            raise InvalidBoardError(f"{what}: {len(symbols)} symbols of 64 cells and a side")
        values = [_OBF_CELLS[symbol] for _, symbol in symbols]
        return cls.from_cells(values[:64], Color(values[64]))

    @classmethod
    def from_transcript(cls, text: str, start: Self | None = None) -> Self:
        """Return the board after the moves of a transcript, with its history.

        Moves are squares in either case, with or without spaces; numbers such as ``12.`` are
        dropped. A side that cannot move passes by itself, and a written pass (``pa``, ``ps``,
        ``pass``, ``--``, ``@@@@``) is taken where it is forced. `start` is the board before the
        first move; it is not changed. Raises InvalidMoveError for what is no move and
        IllegalMoveError for a move that is not allowed, naming its number and place.

        >>> Board.from_transcript("1. F5 d6 2. C3").transcript()
        'f5d6c3'
        >>> Board.from_transcript("f5f6 g6")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        reversi.errors.IllegalMoveError: move 3, column 6: g6 is not legal for black; expected ...
        """
        board = cls() if start is None else start.copy()
        for where, move in read_moves(text):
            if move != PASS and PASS in board.legal_moves:
                board.push(PASS)
            if move not in board.legal_moves:
                names = " ".join(square_name(legal) for legal in board.legal_moves)
                raise IllegalMoveError(
                    f"{where}: {square_name(move)} is not legal for {board.turn.name.lower()};"
                    f" expected {names or 'nothing, the game is over'}"
                )
            board.push(move)
        return board

    @property
    def turn(self) -> Color:
        """The side to move; ``board.turn is BLACK`` at the start.

        >>> Board().turn
        <Color.BLACK: -1>
        """
        return BLACK if self.black_to_move else WHITE

    def obf(self) -> str:
        """Return the board as OBF writes it: 64 of ``X``, ``O`` and ``-``, a space, the side.

        >>> Board().obf()
        '---------------------------OX------XO--------------------------- X'
        """
        return "".join([_SYMBOLS[cell] for cell in self.cells()]) + " " + self.turn.symbol

    def transcript(self, passes: bool = False) -> str:
        """Return the moves that led here as ``'f5d6c3'``; with `passes` also each pass, as ``pa``.

        >>> Board.from_transcript("F5 d6 C3").transcript()
        'f5d6c3'
        """
        names = (*SQUARE_NAMES, "pa" if passes else "")
        return "".join([names[move] for move in self.move_stack])

    def cells(self) -> list[int]:
        """Return the 64 cells, a1, b1 to h8: -1 black, 1 white, 0 empty.

        >>> Board().cells()[27:29]
        [1, -1]
        """
        black, white = self.black, self.white
        return [(white >> sq & 1) - (black >> sq & 1) for sq in range(64)]

    def __getitem__(self, square: SupportsIndex | str) -> int:
        """Return what is on a square, by number or name: -1 black, 1 white, 0 empty.

        Raises InvalidMoveError for a text that is no square, IndexError for a number that is none.

        >>> board = Board()
        >>> board["d4"], board[28], board[0]
        (1, -1, 0)
        """
        sq = parse_square(square) if isinstance(square, str) else operator.index(square)
        if not 0 <= sq < 64:
            raise IndexError(f"square {sq} is out of range; expected 0 to 63")
        return (self.white >> sq & 1) - (self.black >> sq & 1)

    def count(self, color: Color) -> int:
        """Return the number of discs of a colour, 0 to 64.

        >>> Board.from_transcript("f5").count(BLACK)
        4
        """
        return self._discs(color).bit_count()

    def stable_discs(self, color: Color) -> int:
        """Return the bitboard of a colour's discs that no sequence of moves can turn.

        The rule is sufficient, not necessary: on each of its four axes the disc stands in a full
        line, at the edge, or next to a stable disc of its own colour.

        >>> Board.from_bitboards(black=0b111, white=1 << 4).stable_discs(BLACK)
        7
        """
        return self.stable(Color(color) is BLACK)

    def symmetries(self) -> tuple[Self, ...]:
        """Return the board's eight mirrored and turned pictures, itself first, without history.

        >>> len(set(Board().symmetries())), len(set(Board.from_transcript("f5").symmetries()))
        (2, 8)
        """
        return tuple(self.transformed(i) for i in range(8))

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while one side or the other can move.

        >>> Board().outcome() is None
        True
        """
        if not self.is_game_over():
            return None
        black, white = self.count(BLACK), self.count(WHITE)
        winner = BLACK if black > white else WHITE if white > black else None
        if self.empties == 0:
            termination = Termination.FULL_BOARD
        elif bool(self.black) != bool(self.white):
            termination = Termination.WIPEOUT
        else:
            termination = Termination.NO_MOVES
        prize = 0 if winner is None else -winner * self.empties
        return Outcome(winner, black, white, black - white, black - white + prize, termination)

    def perft_divide(self, depth: int, pass_is_ply: bool = True) -> dict[int, int]:
        """Return for each legal move the number of lines of `depth` plies that begin with it.

        A pass is move 64; the numbers add up to ``perft(depth, pass_is_ply)`` unless the game is
        over. Raises ValueError if `depth` is below 1.

        >>> Board().perft_divide(4)
        {19: 61, 26: 61, 37: 61, 44: 61}
        """
        if depth < 1:
            raise ValueError(f"perft_divide needs a depth of at least 1, got {depth}")
        board = self.copy()
        leaves = {}
        for move in self.legal_moves:
            board.push(move)
            below = depth if move == PASS and not pass_is_ply else depth - 1
            leaves[move] = board.perft(below, pass_is_ply)
            board.pop()
        return leaves

    def __str__(self) -> str:
        return self._grid(_SYMBOLS)

    def unicode(self) -> str:
        """Return the board as a grid of round discs, with coordinates and the side to move.

        >>> print(Board().unicode().splitlines()[4])
        4 · · · ○ ● · · ·
        """
        return self._grid({-1: "●", 0: "·", 1: "○"})

    def _repr_svg_(self) -> str:
        return svg(self, _status(self, {BLACK: "black", WHITE: "white"}))

    def __repr__(self) -> str:
        return f"{type(self).__name__}.from_obf({self.obf()!r})"

    def __reduce__(self) -> tuple[object, ...]:
        start = self.copy()
        for _ in self.move_stack:
            start.pop()
        return _replay, (type(self), start.black, start.white, int(start.turn), self.move_stack)

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def _discs(self, color: Color) -> int:
        return self.black if Color(color) is BLACK else self.white

    def _grid(self, symbols: dict[int, str]) -> str:
        cells = [symbols[cell] for cell in self.cells()]
        rows = [f"{row + 1} {' '.join(cells[8 * row : 8 * row + 8])}" for row in range(8)]
        return "\n".join(["  a b c d e f g h", *rows, _status(self, symbols)])


def _replay(cls: type[Board], black: int, white: int, turn: int, moves: list[int]) -> Board:
    """Rebuild a pickled board: the discs before the first move, and the moves."""
    board = cls.from_bitboards(black, white, Color(turn))
    for move in moves:
        board.push(move)
    return board


def _status(board: Board, names: dict[int, str]) -> str:
    outcome = board.outcome()
    if outcome is None:
        return f"{names[board.turn]} {'must pass' if PASS in board.legal_moves else 'to move'}"
    score = f"{outcome.black_discs}-{outcome.white_discs}"
    return f"draw {score}" if outcome.winner is None else f"{names[outcome.winner]} wins {score}"

"""Positions as clients name and see them. The rules are the board's."""

from __future__ import annotations

from reversi import (
    PASS,
    Board,
    Game,
    InvalidBoardError,
    InvalidMoveError,
    Outcome,
    parse_move,
    square_name,
)
from reversi.formats.base import UnplayableError, game_of
from reversi.web.answers import OutcomeAnswer, PositionAnswer, side_name
from reversi.web.faults import Fault
from reversi.web.requests import Position


def read_game(position: Position) -> Game:
    """The game that led to a position; raises Fault that names the board or the move at fault."""
    start = None
    if position.start is not None:
        try:
            start = Board.from_obf(position.start)
        except InvalidBoardError as error:
            raise Fault(422, "board", str(error), "position.start") from None
    moves = []
    for index, name in enumerate(position.moves):
        try:
            moves.append(parse_move(name))
        except InvalidMoveError as error:
            raise Fault(422, "move", str(error), f"position.moves[{index}]") from None
    try:
        return game_of(bytes(moves), start)
    except UnplayableError as error:
        where = f"position.moves[{error.index}]"
        raise Fault(422, "illegal_move", error.reason, where) from None


def read_board(position: Position) -> Board:
    """The board of a position, with its history."""
    return read_game(position).final_board()


def describe(board: Board) -> PositionAnswer:
    """A position as clients see it."""
    legal = board.legal_moves
    moves = board.move_stack
    white = board.white.bit_count()
    outcome = board.outcome()
    return PositionAnswer(
        obf=board.obf(),
        black=board.black.bit_count(),
        white=white,
        empties=board.empties,
        turn=side_name(board.turn),
        legal=[square_name(move) for move in legal],
        flips={square_name(m): _squares(board.flipped(m)) for m in legal if m != PASS},
        last=square_name(moves[-1]) if moves else None,
        moves=[square_name(move) for move in moves],
        # Sides alternate, passes among them.
        sides=[
            side_name(board.turn if (len(moves) - number) % 2 == 0 else board.turn.opponent)
            for number in range(len(moves))
        ],
        over=outcome is not None,
        outcome=None if outcome is None else _outcome(outcome),
    )


def _squares(discs: int) -> list[str]:
    return [square_name(square) for square in range(64) if discs >> square & 1]


def _outcome(outcome: Outcome) -> OutcomeAnswer:
    return OutcomeAnswer(
        winner=None if outcome.winner is None else side_name(outcome.winner),
        discs=outcome.discs,
        tournament=outcome.tournament,
        termination=outcome.termination.value,
    )

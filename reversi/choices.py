"""The root's moves: which of them a search may choose from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import SupportsIndex, TypeAlias

from reversi.board import Board
from reversi.errors import IllegalMoveError, InvalidMoveError
from reversi.squares import parse_move

Move: TypeAlias = SupportsIndex | str | tuple[int, int]


def allowed(board: Board, allowed_moves: Iterable[Move] | None) -> list[int]:
    """The moves to choose from, checked one by one, in the caller's order."""
    legal = board.legal_moves
    if allowed_moves is None:
        return list(legal)
    chosen: list[int] = []
    faults: list[str] = []
    for given in allowed_moves:
        try:
            move = as_move(given)
        except InvalidMoveError as error:
            faults.append(f"{given!r} ({error})")
            continue
        if move not in legal:
            faults.append(f"{given!r} (not legal here)")
        elif move in chosen:
            faults.append(f"{given!r} (given twice)")
        else:
            chosen.append(move)
    if faults:
        raise IllegalMoveError(f"allowed_moves that cannot be played: {', '.join(faults)}")
    if legal.mask and not chosen:
        raise IllegalMoveError("allowed_moves is empty, but there are legal moves")
    return chosen or list(legal)


def as_move(given: Move) -> int:
    """The move that a number, a name or a pair of row and column stands for."""
    if not isinstance(given, (tuple, list)):
        return parse_move(given)
    if len(given) != 2 or not all(isinstance(n, SupportsIndex) for n in given):
        raise InvalidMoveError("expected (row, col)")
    row, col = (int(n) for n in given)
    if not (0 <= row < 8 and 0 <= col < 8):
        raise InvalidMoveError("row and col are 0 to 7")
    return row * 8 + col

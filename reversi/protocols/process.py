"""An engine that is a program of its own: started, told positions, asked for moves, reaped.

How to speak with it, the rooms of the protocols know; how to keep a process, `Child`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, SupportsIndex

from reversi.board import Board
from reversi.errors import EngineError, InvalidMoveError
from reversi.game import Game
from reversi.limits import Limit, check_integer
from reversi.protocols.child import Child, Patience, arguments_of
from reversi.protocols.client import Client, Clocks
from reversi.protocols.clock import Clock, TimeControl
from reversi.protocols.gtp_client import GtpClient
from reversi.protocols.nboard_client import NBoardClient
from reversi.squares import BLACK, WHITE, Color, parse_move, square_name

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Answer", "EngineProcess", "check_limit"]

_CLIENTS: dict[str, type[NBoardClient] | type[GtpClient]] = {
    "nboard": NBoardClient,
    "gtp": GtpClient,
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What an external engine plays: a square's name, ``"pass"`` or ``"resign"``.

    ``value`` is what it expects the game to end with, in discs in its own view, or None where it
    does not say; ``elapsed_ms`` the time from the question to the answer.

    >>> Answer("f5", 0.5, 12.0).move
    'f5'
    """

    move: str
    value: float | None
    elapsed_ms: float


def check_limit(protocol: Literal["nboard", "gtp"], limit: Limit | None) -> None:
    """Raise ValueError for a limit of a move that an engine cannot be told by its protocol.

    >>> check_limit("nboard", Limit(depth=8))
    """
    _CLIENTS[protocol].check_limit(limit)


class EngineProcess:
    """An external engine that speaks ``protocol``: ``"nboard"`` or ``"gtp"``.

    ``command`` is its program with arguments, as a list or as one would type them; ``name`` what it
    is called (default: as it says itself, or the program's name); ``cwd`` the folder it runs in.
    ``start_timeout_ms`` is how long it may take to start, ``timeout_ms`` to answer what needs no
    thought, and beyond a time that it was given for a move; ``move_timeout_ms`` how long a move may
    take that has no limit of time. ``on_line`` is called with every other line that it writes
    (``status``, ``search`` and the like), as they are read while an answer is awaited.

    To be used as a context manager: the process and the group of processes that it began are ended
    with it, also when it hangs, after any EngineError, and at the end of the interpreter. Not to be
    used from two threads at once, except `kill`. Raises ValueError for a protocol or a command that
    is none, `EngineError` where the engine does not start or greet.

    >>> import sys
    >>> command = [sys.executable, "-m", "reversi", "nboard", "--level", "1"]
    >>> with EngineProcess(command) as engine:
    ...     answer = engine.choose(Board.from_transcript("f5"))
    >>> answer.move in ("d6", "f4", "f6")
    True
    """

    def __init__(
        self,
        command: Sequence[str | os.PathLike[str]] | str,
        protocol: Literal["nboard", "gtp"] = "nboard",
        *,
        name: str | None = None,
        timeout_ms: int = 10_000,
        start_timeout_ms: int = 30_000,
        move_timeout_ms: int = 600_000,
        cwd: str | os.PathLike[str] | None = None,
        on_line: Callable[[str], object] | None = None,
    ) -> None:
        arguments = arguments_of(command)
        if protocol not in _CLIENTS:
            raise ValueError(f"protocol is {protocol!r}; expected 'nboard' or 'gtp'")
        check_integer("timeout_ms", timeout_ms, 1)
        check_integer("start_timeout_ms", start_timeout_ms, 1)
        check_integer("move_timeout_ms", move_timeout_ms, 1)
        self._timeout_s = timeout_ms / 1000
        self._move_timeout_s = move_timeout_ms / 1000
        # The game as we see it, and what the engine knows of it (None where unsure): it is told
        # late, and may have played its answer already.
        self._board: Board | None = None
        self._known: Board | None = None
        self._control: TimeControl | None = None
        self._child = Child(arguments, name or Path(arguments[0]).name, cwd)
        self._client: Client = _CLIENTS[protocol](self._child, self._timeout_s, on_line)
        try:
            self._client.greet(Patience(start_timeout_ms / 1000))
        except EngineError as error:
            reason = f"does not speak {protocol}: {error.reason}"
            raise EngineError(error.engine, "start", reason, error.output) from None
        except BaseException:
            self._child.kill()
            raise
        if name is None and self._client.name:
            self._child.name = self._client.name

    @property
    def name(self) -> str:
        """What the engine is called."""
        return self._child.name

    @property
    def pid(self) -> int:
        """The number of the engine's process."""
        return self._child.pid

    @property
    def is_alive(self) -> bool:
        """Whether the engine was not ended: by `close`, by `kill` or by an EngineError."""
        return self._child.is_alive

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.kill()

    def close(self) -> None:
        """Ask the engine to leave, and end it where it does not: within three seconds at most."""
        if self._child.is_alive:
            with suppress(EngineError):
                self._client.quit()
        self._child.close()

    def kill(self) -> None:
        """End the engine at once; from any thread. Who waits for its answer gets an EngineError."""
        self._child.kill()

    def new_game(self, start: Board | None = None) -> None:
        """Begin a game at a position (default: the usual start); the moves that led there count.

        Raises EngineError where the engine fails, or cannot be told of such a position.
        """
        self._check_alive()
        self._board = board = Board() if start is None else start.copy()
        self._known = None
        self._catch_up(board, [None] * len(board.move_stack))

    def play(self, move: SupportsIndex | str) -> None:
        """Tell a move, of either side, pass included. Raises as `Board.push` does, and EngineError;
        ValueError where no game was begun."""
        self._check_alive()
        if self._board is None:
            raise ValueError(f"{square_name(parse_move(move))} is played in no game; see new_game")
        self._board.push(move)
        self._catch_up(self._board, [None] * len(self._board.move_stack))

    def choose(
        self,
        position: Board | Game | None = None,
        limit: Limit | None = None,
        *,
        control: TimeControl | None = None,
    ) -> Answer:
        """Return the engine's move in a position, which it is told first as far as it is new to it:
        a board with the moves that led there, a game at its place, or by default what `new_game`
        and `play` have led to.

        ``limit`` is the engine's own by default. NBoard can be told ``level`` or ``depth``, both as
        its depth; GTP ``time_ms`` of whole seconds. ``control`` is a time control instead: what is
        left by it, and by the seconds that the game's moves took. Raises ValueError for other
        limits and for a game that is over, EngineError where the engine fails or its answer is no
        legal move.
        """
        self._check_alive()
        self._client.check_limit(limit)
        if limit is not None and control is not None:
            raise ValueError(f"limit is {limit} and control is {control}; expected one of them")
        board, seconds = self._wanted(position)
        if board.is_game_over():
            raise ValueError(f"the game is over, there is no move to choose: {board.obf()}")
        self._board = board
        self._catch_up(board, seconds, control)
        self._known = None  # whatever happens now, until there is an answer
        clocks = None if control is None else _clocks(control, _start(board).turn, seconds)
        thinking_s = self._move_timeout_s
        if limit is not None and limit.time_ms is not None:
            thinking_s = limit.time_ms / 1000 + self._timeout_s
        elif control is not None and clocks is not None:
            rest_ms = control.extra_ms + control.period_ms + max(0, clocks[board.turn].left_ms)
            thinking_s = rest_ms / 1000 + self._timeout_s
        patience = Patience(thinking_s)
        text, value, elapsed_ms = self._client.choose(limit, clocks, patience, board.black_to_move)
        if text == "resign":
            return Answer(text, None, elapsed_ms)
        try:
            move = parse_move(text)
        except InvalidMoveError as error:
            raise self._child.fault("garbage", f"answered {text[:40]!r}: {error}") from None
        if move not in board.legal_moves:
            names = " ".join(square_name(legal) for legal in board.legal_moves)
            reason = f"played {square_name(move)}; legal: {names}; the board is {board.obf()}"
            raise self._child.fault("illegal move", reason)
        self._known = board.copy()
        if self._client.plays_its_answer:
            self._known.push(move)
        return Answer(square_name(move), value, elapsed_ms)

    def _wanted(self, position: Board | Game | None) -> tuple[Board, list[float | None]]:
        """Return the board that is meant, and the seconds that its moves took."""
        if isinstance(position, Game):
            return position.board, [node.seconds for node in position.node.path()]
        board = self._board if position is None else position
        if board is None:
            raise ValueError("no position is given, and no game was begun; see new_game")
        if not isinstance(board, Board):
            raise TypeError(f"position is {position!r}; expected a Board or a Game")
        return board.copy(), [None] * len(board.move_stack)

    def _catch_up(
        self, board: Board, seconds: Sequence[float | None], control: TimeControl | None = None
    ) -> None:
        """Tell the moves that lead from what the engine knows to a board, or its whole game."""
        known, moves = self._known, board.move_stack
        old = [] if known is None else known.move_stack
        played = list(zip(moves, seconds, strict=True))
        self._known = None
        if (
            known is None
            or moves[: len(old)] != old
            or _start(known) != _start(board)
            or self._control != control
        ):
            self._client.set_up(_start(board), played, control)
            self._control = control
        else:
            for one in played[len(old) :]:
                self._client.play(one, known.black_to_move)
                known.push(one[0])
        self._known = board.copy()

    def _check_alive(self) -> None:
        if not self._child.is_alive:
            raise ValueError(f"{self.name} was ended")


def _start(board: Board) -> Board:
    start = board.copy()
    for _ in board.move_stack:
        start.pop()
    return start


def _clocks(control: TimeControl, turn: Color, seconds: Sequence[float | None]) -> Clocks:
    """Return both clocks after moves that took so long."""
    clocks = {BLACK: Clock(control), WHITE: Clock(control)}
    for one in seconds:
        clocks[turn].spend(1000 * (one or 0.0))
        turn = turn.opponent
    return clocks

"""The engine as GTP controllers talk to it: version 2 of the Go Text Protocol, for Othello.

Knows the protocol's commands; the engine searches. Row 1 is the top row, as everywhere in Othello.
Source: Gunnar Farnebaeck, Specification of the Go Text Protocol, version 2, draft 2 (2002); GoGui's
manual for the commands with gogui in their names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import BinaryIO

from reversi import __version__
from reversi.board import Board
from reversi.engine import Engine
from reversi.errors import FormatError, InvalidMoveError
from reversi.formats import sgf
from reversi.limits import Limit
from reversi.protocols.clock import Clock, TimeControl
from reversi.protocols.lines import MAX_LINE, LineReader, LineWriter
from reversi.squares import BLACK, PASS, WHITE, Color, parse_move, square_name

__all__ = ["Gtp"]

DEFAULT_LEVEL = 21

# A search that other commands waited for as it began takes no longer. It is not ended by them: they
# may come from a file, which wants good moves.
_PATIENCE_MS = 5000

# Larger numbers are mistakes: this is 30 years of seconds.
_LARGEST = 1e9

_NAME, _GAME = "Reversi", "Othello"
_COLORS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_NUMBERED = re.compile(r"(\d*)(?:\s+|$)(.*)", re.ASCII)
# A point that a larger board would have is an illegal move, anything else is no move at all.
_POINT = re.compile(r"[a-z]\d\d?", re.ASCII | re.IGNORECASE)


class _FailureError(Exception):
    """What a command is refused with."""


class Gtp:
    """Answers the commands of a GTP controller with an engine, which stays the caller's to close.

    Commands are read from a file descriptor and answered on a binary file. ``level`` (0 to 60) is
    the strength and ``time_ms`` the most that a move takes; without either, and without a clock,
    level 21.

    >>> import io, os
    >>> end, other = os.pipe()
    >>> _ = os.write(other, b"1 play b f5\\n2 play b d6\\nquit\\n"), os.close(other)
    >>> answers = io.BytesIO()
    >>> with Engine(hash_mb=1) as engine:
    ...     Gtp(engine, end, answers).run()
    >>> answers.getvalue()
    b'=1\\n\\n?2 illegal move\\n\\n=\\n\\n'
    """

    def __init__(
        self,
        engine: Engine,
        descriptor: int,
        file: BinaryIO,
        level: int | None = None,
        time_ms: int | None = None,
    ) -> None:
        self._engine = engine
        self._level = level
        self._time_ms = time_ms
        self._control: TimeControl | None = None
        self._clear()
        # Each with the least and the most arguments that it takes.
        self._commands: dict[str, tuple[Callable[..., str], int, int]] = {
            "protocol_version": (lambda: "2", 0, 0),
            "name": (lambda: _NAME, 0, 0),
            "version": (lambda: __version__, 0, 0),
            "known_command": (self._known_command, 1, 1),
            "list_commands": (lambda: "\n".join(self._commands), 0, 0),
            "quit": (lambda: "", 0, 0),
            "boardsize": (self._boardsize, 1, 1),
            "clear_board": (self._clear, 0, 0),
            "komi": (self._komi, 1, 1),
            "play": (self._play, 2, 2),
            "genmove": (self._genmove, 1, 1),
            "reg_genmove": (self._reg_genmove, 1, 1),
            "undo": (self._undo, 0, 0),
            "time_settings": (self._time_settings, 3, 3),
            "time_left": (self._time_left, 3, 3),
            "showboard": (lambda: f"\n{self._board}", 0, 0),
            "loadsgf": (self._loadsgf, 1, 64),
            "final_score": (self._final_score, 0, 0),
            "list_games": (lambda: _GAME, 0, 0),
            "set_game": (self._set_game, 1, 1),
            "gogui-rules_game_id": (lambda: _GAME, 0, 0),
            "gogui-rules_board": (self._rules_board, 0, 0),
            "gogui-rules_board_size": (lambda: "8", 0, 0),
            "gogui-rules_legal_moves": (self._rules_legal_moves, 0, 0),
            "gogui-rules_side_to_move": (lambda: self._board.turn.name.lower(), 0, 0),
            "gogui-rules_final_result": (self._rules_final_result, 0, 0),
        }
        self._lines = LineReader(descriptor, lambda line: bool(_cleaned(line)))
        self._writer = LineWriter(file)

    def run(self) -> None:
        """Answer until ``quit``, or the end of the input.

        Raises BrokenPipeError where nobody reads the answers any more.
        """
        # Loads the weights, so that the first move takes no longer than the others.
        self._engine.search(Board(), Limit(depth=1))
        while (line := self._lines.next()) is not None:
            text = _cleaned(line)
            if not text:
                continue
            numbered = _NUMBERED.match(text)
            number, text = numbered.groups() if numbered else ("", text)
            name, *arguments = text.split() or [""]
            try:
                if len(line) >= MAX_LINE:
                    raise _FailureError("line too long")
                sign, answer = "=", self._answer(name, arguments)
            except _FailureError as failure:
                sign, answer = "?", str(failure)
            space = " " if answer and not answer.startswith("\n") else ""
            self._writer.write(f"{sign}{number}{space}{answer}\n")
            if name == "quit" and sign == "=":
                return

    def _answer(self, name: str, arguments: list[str]) -> str:
        if name not in self._commands:
            raise _FailureError("unknown command")
        command, least, most = self._commands[name]
        if not least <= len(arguments) <= most:
            raise _FailureError("syntax error")
        return command(*arguments)

    def _known_command(self, name: str) -> str:
        return "true" if name in self._commands else "false"

    # --- The position ----------------------------------------------------------------------------

    def _clear(self) -> str:
        return self._begin(Board())

    def _begin(self, board: Board) -> str:
        """Take a board up, with its history, and start the clocks."""
        self._board = board
        # How many moves `undo` takes back: two where a pass was left out, none where the game was
        # over and a pass was played all the same.
        self._steps = [1] * len(board.move_stack)
        return self._start_clocks()

    def _start_clocks(self) -> str:
        self._clocks: dict[Color, Clock] = {}
        if self._control is not None:
            self._clocks = {side: Clock(self._control) for side in (BLACK, WHITE)}
        return ""

    def _boardsize(self, size: str) -> str:
        if not (size.isascii() and size.isdigit()):
            raise _FailureError("syntax error")
        if size.lstrip("0") != "8":
            raise _FailureError("unacceptable size")
        return self._clear()

    def _komi(self, komi: str) -> str:
        _number(komi, least=-math.inf)
        return ""

    def _set_game(self, name: str) -> str:
        if name.lower() != _GAME.lower():
            raise _FailureError(f"unknown game; expected {_GAME}")
        return self._clear()

    def _play(self, color: str, vertex: str) -> str:
        return self._make(self._board_for(_color(color)), _move(vertex))

    def _board_for(self, side: Color) -> Board:
        """The position with this side to move: after a pass where the other side has to pass."""
        board = self._board.copy()
        if board.turn is not side and not board.is_game_over():
            if PASS not in board.legal_moves:
                raise _FailureError("illegal move")
            board.push(PASS)
        return board

    def _make(self, board: Board, move: int) -> str:
        """Play a move on the board, which then is the position."""
        if not (move == PASS and board.is_game_over()):
            if move not in board.legal_moves:
                raise _FailureError("illegal move")
            board.push(move)
        self._steps.append(len(board.move_stack) - len(self._board.move_stack))
        self._board = board
        return ""

    def _undo(self) -> str:
        if not self._steps:
            raise _FailureError("cannot undo")
        for _ in range(self._steps.pop()):
            self._board.pop()
        return ""

    def _loadsgf(self, *words: str) -> str:
        """The position at the end of the file's first game, or before a move by its number."""
        path, before = list(words), None
        if len(path) > 1 and path[-1].isascii() and path[-1].isdigit():
            before = max(0, int(path.pop()[:9]) - 1)
        try:
            with Path(" ".join(path)).open("rb") as file:
                game = next(sgf.read(file), None)
        except (OSError, FormatError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise _FailureError(f"cannot load file: {' '.join(str(reason).split())}") from None
        if game is None:
            raise _FailureError("cannot load file: it holds no game")
        board = game.start
        for move in game.moves[:before]:
            board.push(move)
        return self._begin(board)

    # --- Moves of the engine ---------------------------------------------------------------------

    def _genmove(self, color: str) -> str:
        began = perf_counter()
        side = _color(color)
        board = self._board_for(side)
        move = self._choose(board, side)
        self._make(board, move)
        if side in self._clocks:
            self._clocks[side].spend(1000 * (perf_counter() - began))
        return square_name(move).upper()

    def _reg_genmove(self, color: str) -> str:
        side = _color(color)
        return square_name(self._choose(self._board_for(side), side)).upper()

    def _choose(self, board: Board, side: Color) -> int:
        """The engine's move; a command that comes meanwhile ends its search."""
        moves = list(board.legal_moves) or [PASS]
        if len(moves) == 1:
            return moves[0]
        with self._lines.searching(self._engine.stop):
            found = self._engine.search(board, self._limit(board, side))
        return parse_move(found.pv[0])

    def _limit(self, board: Board, side: Color) -> Limit:
        most_ms = self._time_ms
        if self._lines.waiting(1):
            most_ms = _PATIENCE_MS if most_ms is None else min(most_ms, _PATIENCE_MS)
        if side in self._clocks:
            return self._clocks[side].limit(board.empties, self._level, most_ms)
        level = self._level
        if level is None and self._time_ms is None:
            level = DEFAULT_LEVEL
        return Limit(level=level, time_ms=most_ms)

    def _time_settings(self, main: str, period: str, stones: str) -> str:
        main_s, period_s, moves = _number(main), _number(period), int(_number(stones))
        self._control = None
        # A period without stones is GTP's word for no limit; without any time there is none either.
        if (main_s or period_s) and (moves or not period_s):
            self._control = TimeControl(
                1000 * main_s, period_ms=1000 * period_s, period_moves=max(1, moves)
            )
        return self._start_clocks()

    def _time_left(self, color: str, left: str, stones: str) -> str:
        """Set a clock; unless the time told, in whole seconds mostly, is what the clock has but for
        a part of a second, which counts where little is left."""
        side, left_ms, moves = _color(color), 1000 * _number(left), int(_number(stones))
        clock = self._clocks.setdefault(side, Clock(TimeControl(left_ms)))
        if moves != clock.moves or not left_ms <= clock.left_ms < left_ms + 1000:
            clock.set_left(left_ms, moves)
        return ""

    # --- What controllers ask --------------------------------------------------------------------

    def _final_score(self) -> str:
        outcome = self._board.outcome()
        if outcome is None:
            raise _FailureError("cannot score")
        if outcome.winner is None:
            return "0"
        return f"{outcome.winner.name[0]}+{abs(outcome.tournament)}"

    def _rules_board(self) -> str:
        """Row 8 comes first: GoGui counts from below, and so its names of squares are ours."""
        cells = ["X.O"[1 + cell] for cell in self._board.cells()]
        return "\n".join(" ".join(cells[row : row + 8]) for row in range(56, -1, -8))

    def _rules_legal_moves(self) -> str:
        names = (square_name(move) for move in self._board.legal_moves)
        return " ".join(name if name == "pass" else name.upper() for name in names)

    def _rules_final_result(self) -> str:
        outcome = self._board.outcome()
        if outcome is None:
            raise _FailureError("cannot score")
        discs = f"{outcome.black_discs}-{outcome.white_discs}"
        if outcome.winner is None:
            return f"Draw {discs}"
        return f"{outcome.winner.name.capitalize()} wins {discs}"


def _cleaned(line: str) -> str:
    """A line without its comment and what is no text, empty where nothing is left."""
    text = _CONTROL.sub("", line.partition("#")[0])
    return text.replace("\t", " ").strip()


def _color(text: str) -> Color:
    if text.lower() not in _COLORS:
        raise _FailureError("syntax error")
    return _COLORS[text.lower()]


def _move(text: str) -> int:
    try:
        return parse_move(text)
    except InvalidMoveError:
        wrong = "illegal move" if _POINT.fullmatch(text) else "syntax error"
        raise _FailureError(wrong) from None


def _number(text: str, least: float = 0.0) -> float:
    """A number of seconds, stones or points; NaN is none."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not (number >= least and abs(number) <= _LARGEST):
        raise _FailureError("syntax error")
    return number

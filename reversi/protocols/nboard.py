"""The engine as NBoard talks to it: version 2 of the NBoard protocol.

Knows the protocol's commands and what the GUI expects of each; the engine searches.
Source: Chris Welty's description of the protocol, which comes with NBoard.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import BinaryIO

from reversi.board import Board
from reversi.engine import Engine
from reversi.errors import FormatError, IllegalMoveError, InvalidMoveError
from reversi.formats import ggf
from reversi.game import Game
from reversi.limits import MAX_LEVEL, Limit
from reversi.protocols.clock import Clock, TimeControl
from reversi.protocols.lines import LineReader, LineWriter
from reversi.results import Certainty, Line, SearchInfo, SearchResult
from reversi.squares import BLACK, PASS, Color, parse_move, square_name

__all__ = ["NBoard"]

DEFAULT_LEVEL = 21

_NAME = "Reversi"
# A search that other commands wait for takes no longer, where NBoard has not said that it has gone
# on: commands that all come at once, from a file, are answered well, and soon.
_PATIENCE_MS = 1000
# Where so many wait, NBoard has gone on as well.
_MOST_WAITING = 20
# The levels below choose by chance, which is no good in a hint.
_LEAST_HINT_LEVEL = 5


class NBoard:
    """Answers NBoard's commands with an engine, which stays the caller's to close.

    Commands are read from a file descriptor and answered on a binary file. ``level`` (0 to 60,
    by default 21) is the strength until NBoard sets one by ``set depth``, ``time_ms`` the most that
    a move takes.

    >>> import io, os
    >>> end, other = os.pipe()
    >>> _ = os.write(other, b"nboard 2\\nset depth 8\\nping 1\\nquit\\n"), os.close(other)
    >>> answers = io.BytesIO()
    >>> with Engine(hash_mb=1) as engine:
    ...     NBoard(engine, end, answers).run()
    >>> answers.getvalue().decode().splitlines()
    ['set myname Reversi21', 'set myname Reversi8', 'pong 1']
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
        self._level = DEFAULT_LEVEL if level is None else level
        self._time_ms = time_ms
        self._game = Game()
        self._commands = {
            "nboard": self._greet,
            "set": self._set,
            "move": self._move,
            "hint": self._hint,
            "go": self._go,
            "ping": self._ping,
            "learn": self._learn,
            "analyze": self._analyze,
        }
        self._lines = LineReader(descriptor, self._is_command)
        self._writer = LineWriter(file)

    def run(self) -> None:
        """Answer until ``quit``, or the end of the input.

        Raises BrokenPipeError where nobody reads the answers any more.
        """
        # Loads the weights, so that the first move takes no longer than the others.
        self._engine.search(Board(), Limit(depth=1))
        while (line := self._lines.next()) is not None:
            name = _name_of(line)
            if name == "quit":
                return
            if name in self._commands:
                self._commands[name](line.strip()[len(name) :].strip())

    def _is_command(self, line: str) -> bool:
        return _name_of(line) in ("quit", *self._commands)

    # --- What NBoard tells -----------------------------------------------------------------------

    def _greet(self, _version: str) -> None:
        self._writer.write(f"set myname {_NAME}{self._level}")

    def _set(self, text: str) -> None:
        """``set contempt`` is accepted: draws have no other worth for this engine."""
        name = _name_of(text)
        value = text[len(name) :].strip()
        if name == "depth":
            self._set_depth(value)
        elif name == "game":
            self._set_game(value)

    def _set_depth(self, text: str) -> None:
        if text.isascii() and text.isdigit():
            self._level = min(int(text[:9]), MAX_LEVEL)
            self._greet("")

    def _set_game(self, text: str) -> None:
        try:
            self._game = ggf.parse(text)
        except FormatError as error:
            self._status(f"Cannot read the game: {error}")

    def _move(self, text: str) -> None:
        name, *notes = text.split("/")
        numbers = [_number(note) for note in notes[:2]] + [None, None]
        try:
            move = parse_move(name.strip())
            if move != PASS and PASS in self._game.legal_moves:
                board = self._game.board
                board.push(PASS)
                if move in board.legal_moves:
                    self._game.push(PASS)
            seconds = numbers[1] if numbers[1] is None else max(0.0, numbers[1])
            self._game.push(move, numbers[0], seconds)
        except (InvalidMoveError, IllegalMoveError) as error:
            self._status(f"Cannot play the move: {error}")

    def _ping(self, text: str) -> None:
        # Whatever ran has been stopped by this command, and has written its last line.
        self._writer.write(f"pong {text}")

    def _learn(self, _text: str) -> None:
        # There is no book to add the game to.
        self._writer.write("learned")

    # --- What NBoard asks ------------------------------------------------------------------------

    def _hint(self, text: str) -> None:
        board = self._game.board
        if board.is_game_over():
            self._status("The game is over")
        elif not self._is_unwanted():
            self._status("Analysing")
            count = int(text[:9]) if text.isascii() and text.isdigit() else 1
            self._examine(board, max(1, count), self._hint_limit(self._most_ms()))
            self._status("Waiting")

    def _examine(self, board: Board, count: int, limit: Limit) -> None:
        """Tell the best moves as the search deepens."""
        passes = PASS in board.legal_moves
        if passes:
            board.push(PASS)
        if passes or self._engine.evaluator == "classic":
            count = 1
        told: list[SearchInfo] = []

        def tell(info: SearchInfo) -> None:
            told.append(info)
            self._tell(board, info, passes)

        with self._lines.searching(self._engine.stop):
            last = self._engine.search(board, limit, multipv=count, on_info=tell)
        if not told or last.certainty != told[-1].certainty:
            # A step that was not completed has proved something of the best move.
            self._tell(board, replace(last, lines=last.lines[:1]), passes)

    def _tell(self, board: Board, found: SearchInfo | SearchResult, passed: bool) -> None:
        """Write the lines of a search of this board, which comes after a pass where `passed`."""
        sure = found.certainty
        assert sure is not None
        for line in found.lines:
            value, pv = _discs(line, found.score), _moves(board.turn, line.pv)
            if passed:
                value, pv = -value, f"PA{pv}"
            depth, text = _depth(sure, board), _text(sure, passed)
            self._writer.write(f"search {pv} {_eval(value)} 0 {depth} {text}")
            if sure.kind == "bound":  # which is proved of the best move alone
                sure = replace(sure, kind="search", lower=None, upper=None)
        self._tell_nodes(found)

    def _tell_nodes(self, found: SearchInfo | SearchResult) -> None:
        self._writer.write(f"nodestats {found.nodes} {found.elapsed_ms / 1000:.3f}")

    def _go(self, _text: str) -> None:
        began = perf_counter()
        board = self._game.board
        moves = list(board.legal_moves)
        if len(moves) < 2:
            self._writer.write(f"=== {_moves(BLACK, [square_name(*moves or [PASS])])}")
            return
        self._status("Thinking")
        limit = self._go_limit(board)
        with self._lines.searching(self._engine.stop):
            found = self._engine.search(board, limit, on_info=self._tell_nodes)
        value = _eval(_discs(found.lines[0], found.score))
        name = _moves(BLACK, found.pv[:1])
        self._writer.write(f"=== {name}/{value}/{perf_counter() - began:.2f}")
        self._status("Waiting")

    def _analyze(self, _text: str) -> None:
        """Value every position of the game, the last one first: the table then knows the end."""
        board = self._game.board
        if self._is_unwanted():
            return
        self._status("Analysing")
        positions = len(board.move_stack) + 1
        most_ms = self._most_ms()
        limit = self._hint_limit(most_ms and most_ms // positions)
        with self._lines.searching(self._engine.stop) as search:
            for made in range(positions - 1, -1, -1):
                value = self._value(board, limit)
                if search.stopped:
                    break
                self._writer.write(f"analysis {made} {_eval(value)}")
                if made:
                    board.pop()
        self._status("Waiting")

    def _hint_limit(self, most_ms: int | None) -> Limit:
        """A hint is by the level, whatever the clock says."""
        return Limit(level=max(self._level, _LEAST_HINT_LEVEL), time_ms=most_ms)

    def _value(self, board: Board, limit: Limit) -> float:
        """The value of a position in discs, in the view of the side to move."""
        outcome = board.outcome()
        if outcome is not None:
            return -board.turn * outcome.tournament
        if PASS in board.legal_moves:
            child = board.copy()
            child.push(PASS)
            return -self._value(child, limit)
        found = self._engine.search(board, limit)
        return _discs(found.lines[0], found.score)

    # --- How long --------------------------------------------------------------------------------

    def _is_unwanted(self) -> bool:
        """Whether NBoard has gone on: it then says ping, or a lot."""
        waiting = self._lines.waiting(_MOST_WAITING)
        return len(waiting) == _MOST_WAITING or any(_name_of(line) == "ping" for line in waiting)

    def _most_ms(self) -> int | None:
        """The most that a search may take, None for any time."""
        times = [] if self._time_ms is None else [self._time_ms]
        waiting = self._lines.waiting(_MOST_WAITING)
        if waiting:
            times.append(_PATIENCE_MS // len(waiting))
        return min(times, default=None)

    def _go_limit(self, board: Board) -> Limit:
        if self._is_unwanted():
            return Limit(depth=1)
        clock, most_ms = self._clock(board.turn), self._most_ms()
        if clock is None:
            return Limit(level=self._level, time_ms=most_ms)
        return clock.limit(board.empties, self._level, most_ms)

    def _clock(self, side: Color) -> Clock | None:
        """The clock of a side, from the game's time control and the times of its moves."""
        control = TimeControl.from_ggf(self._game.headers.get("time", ""))
        if control is None:
            return None
        clock, turn = Clock(control), self._game.start.turn
        for node in self._game.node.path():
            if turn is side:
                clock.spend(1000 * (node.seconds or 0.0))
            turn = turn.opponent
        return clock

    def _status(self, text: str) -> None:
        self._writer.write(f"status {' '.join(text.split())}")


def _name_of(line: str) -> str:
    """The first word of a line, empty where there is none."""
    return next(iter(line.split(maxsplit=1)), "")


def _number(text: str) -> float | None:
    """What a move's note says; None for what is no number."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _moves(side: Color, moves: Sequence[str]) -> str:
    """Moves run together, black's in upper case, white's in lower case: ``F5d6C3``."""
    text = ""
    for move in moves:
        name = "PA" if move == "pass" else move
        text += name.upper() if side is BLACK or name == "PA" else name
        side = side.opponent
    return text


def _discs(line: Line, score: int) -> float:
    """A line's value; the classic evaluation has none, and a hundredth of its score stands in."""
    return score / 100 if line.value is None else line.value


def _eval(value: float) -> str:
    """A value to two decimals; nothing that rounds to zero is negative."""
    return f"{round(value, 2) + 0.0:.2f}"


def _depth(sure: Certainty, board: Board) -> str:
    """How far a search of a board has looked, with the two marks that NBoard knows."""
    if sure.kind == "exact":
        return "100%"
    if (sure.lower or 0) > 0 or (sure.upper or 0) < 0:
        return "100%W"
    return f"{sure.depth}@{sure.selectivity}%" if sure.depth == board.empties else f"{sure.depth}"


def _text(sure: Certainty, passed: bool) -> str:
    """How sure a search is, in words; in the other side's view where it has `passed`."""
    if sure.lower is None or sure.upper is None:
        return f"selectivity {sure.selectivity}%"
    if sure.kind == "exact":
        return "exact"
    return f"{-sure.upper}..{-sure.lower}" if passed else f"{sure.lower}..{sure.upper}"

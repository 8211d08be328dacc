"""The Go Text Protocol, version 2, as Othello programs speak it, from the side of the controller.

Owns no process and checks no move.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from reversi.board import Board
from reversi.formats import sgf
from reversi.game import Game
from reversi.limits import Limit
from reversi.protocols.child import Child, Patience
from reversi.protocols.client import Clocks, Played
from reversi.protocols.clock import TimeControl
from reversi.squares import BLACK, square_name

__all__ = ["GtpClient"]

_RESPONSE = re.compile(r"([=?])(\d*)\s*(.*)")
# list_commands is the longest answer that is asked for.
_MOST_LINES = 1000


class GtpClient:
    """Talks to an engine by GTP. ``timeout_s`` is how long any answer but a move may take, and
    ``on_line`` gets the lines that answer nothing."""

    # Whether the engine has the move on its board that it answered.
    plays_its_answer = True

    def __init__(
        self, child: Child, timeout_s: float, on_line: Callable[[str], object] | None
    ) -> None:
        self._child = child
        self._timeout_s = timeout_s
        self._on_line = on_line
        self._id = 0
        self._commands: frozenset[str] = frozenset()
        self._settings = ""
        self.name: str | None = None

    def greet(self, patience: Patience) -> None:
        """Wait until the engine is ready, and ask what it knows."""
        self.name = " ".join(self._ask("name", patience).split()) or None
        self._commands = frozenset(self._ask("list_commands", patience).split())
        if "boardsize" in self._commands:
            self._ask("boardsize 8", patience)

    @staticmethod
    def check_limit(limit: Limit | None) -> None:
        """Raise ValueError for a limit that the protocol cannot tell."""
        if limit is None:
            return
        others = (limit.depth, limit.nodes, limit.level) != (None,) * 3
        if others or limit.time_ms is None or limit.time_ms < 1000:
            raise ValueError(
                f"limit is {limit}; expected time_ms=1000 or more: GTP knows whole seconds a move"
                f" and no other limit"
            )

    def set_up(self, start: Board, played: Sequence[Played], control: TimeControl | None) -> None:
        """Tell a game so far, from its first position, and its time control."""
        self._ask("clear_board")
        if start != Board():
            self._load(Game(start))
        black = start.black_to_move
        for one in played:
            self.play(one, black)
            black = not black
        if control is not None:
            # An increment has no word here, and byo-yomi would allow more than the clock does: the
            # engine learns of what came back by time_left.
            self._set_time(control.main_ms, control.period_ms, control.period_moves)

    def play(self, played: Played, black: bool) -> None:
        """Tell a move."""
        self._ask(f"play {_color(black)} {square_name(played[0])}")

    def choose(
        self, limit: Limit | None, clocks: Clocks | None, patience: Patience, black: bool
    ) -> tuple[str, None, float]:
        """Return the move that the engine answers and plays, and the milliseconds it took."""
        if limit is not None and limit.time_ms is not None:
            self._set_time(0, limit.time_ms, 1)
        elif clocks is None and self._settings:
            self._set_time(0, 1000, 0)  # which means: no limit
        for side, clock in clocks.items() if clocks else ():
            left_s = max(0, int(clock.left_ms // 1000))
            self._ask(f"time_left {_color(side is BLACK)} {left_s} {clock.moves}")
        began = time.perf_counter()
        move = self._ask(f"genmove {_color(black)}", patience)
        return move.strip().lower(), None, 1000 * (time.perf_counter() - began)

    def _set_time(self, main_ms: float, period_ms: float, moves: int) -> None:
        """Tell a time control in whole seconds, if the engine does not have it."""
        period_s = int(period_ms // 1000)
        settings = f"{int(main_ms // 1000)} {period_s} {moves if period_s else 0}"
        if settings != self._settings:
            self._ask(f"time_settings {settings}")
            self._settings = settings

    def quit(self) -> None:
        """Ask the engine to leave."""
        self._ask("quit")

    def _load(self, position: Game) -> None:
        """Tell a position that no game from the usual start led to, by a file of SGF."""
        if "loadsgf" not in self._commands:
            board = position.start.obf()
            raise self._child.fault("refused", f"has no loadsgf, to be told of the board {board}")
        import tempfile  # which costs more than all else here, and is seldom needed

        with tempfile.TemporaryDirectory(prefix="reversi-") as folder:
            file = Path(folder) / "position.sgf"
            file.write_text(sgf.dumps(position), encoding="utf-8")
            self._ask(f"loadsgf {file}")

    def _ask(self, command: str, patience: Patience | None = None) -> str:
        """Return the text of the answer to a command, which has to come within the usual time."""
        self._id += 1
        self._child.send(f"{self._id} {command}")
        what = f"answer to {command!r}"
        patience = patience or Patience(self._timeout_s)
        while True:
            line = self._child.read_line(patience, what)
            response = _RESPONSE.match(line)
            # An engine that leaves the numbers out answers in the order of the questions.
            if response and response[2] in ("", str(self._id)):
                break
            if self._on_line is not None and line.strip():
                self._on_line(line)
        lines = [response[3]]
        while line := self._child.read_line(patience, f"end of the {what}").strip():
            lines.append(line)
            if len(lines) > _MOST_LINES:
                raise self._child.fault("garbage", f"the {what} has no end; it begins {lines[:2]}")
        if response[1] == "?":
            raise self._child.fault("refused", f"{command!r} was refused: {lines[0]!r}")
        return "\n".join(lines)


def _color(black: bool) -> str:
    return "black" if black else "white"

"""The NBoard protocol, version 2, from the side of the GUI. Owns no process and checks no move."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Sequence

from reversi.board import Board
from reversi.formats import ggf
from reversi.game import Game
from reversi.limits import Limit
from reversi.protocols.child import Child, Patience
from reversi.protocols.client import Clocks, Played
from reversi.protocols.clock import TimeControl
from reversi.squares import PASS, SQUARE_NAMES

__all__ = ["NBoardClient", "ggf_time"]

_ANSWER = re.compile(r"===\s*([^\s/]+)(?:/([^/\s]*))?")
_MY_NAME = re.compile(r"set\s+myname\s+(.+)")


class NBoardClient:
    """Talks to an engine by NBoard. ``timeout_s`` is how long it may take to answer a ping, and
    ``on_line`` gets the lines that answer nothing."""

    # Whether the engine has the move on its board that it answered.
    plays_its_answer = False

    def __init__(
        self, child: Child, timeout_s: float, on_line: Callable[[str], object] | None
    ) -> None:
        self._child = child
        self._timeout_s = timeout_s
        self._on_line = on_line
        self._pings = 0
        self._depth: int | None = None
        self.name: str | None = None

    def greet(self, patience: Patience) -> None:
        """Wait until the engine is ready; most say their name by then."""
        self._child.send("nboard 2")
        self._settle(patience)

    @staticmethod
    def check_limit(limit: Limit | None) -> None:
        """Raise ValueError for a limit that the protocol cannot tell."""
        if limit and (limit.time_ms is not None or limit.nodes is not None):
            raise ValueError(
                f"limit is {limit}; expected depth or level: NBoard knows no other limit of a move"
            )

    def set_up(self, start: Board, played: Sequence[Played], control: TimeControl | None) -> None:
        """Tell a game so far; by its time control and the times of its moves also the clocks."""
        game = Game.from_moves([move for move, _ in played], start)
        for node, (_, seconds) in zip(game.main_line(), played, strict=True):
            node.seconds = seconds
        if control is not None:
            game.headers["time"] = ggf_time(control)
        self._child.send(f"set game {ggf.dumps(game).strip()}")
        self._settle()

    def play(self, played: Played, _black: bool) -> None:
        """Tell a move, and the time it took."""
        move, seconds = played
        name = "PA" if move == PASS else SQUARE_NAMES[move].upper()
        self._child.send(f"move {name}" + ("" if seconds is None else f"//{seconds:.3f}"))

    def choose(
        self, limit: Limit | None, _clocks: Clocks | None, patience: Patience, _black: bool
    ) -> tuple[str, float | None, float]:
        """Return the move that the engine answers, its value, and the milliseconds it took."""
        if limit is not None:
            depth = limit.depth if limit.level is None else limit.level
            if depth != self._depth:
                self._child.send(f"set depth {depth}")
                self._depth = depth
        self._settle()
        began = time.perf_counter()
        self._child.send("go")
        line = self._wait_for("===", patience, "answer to 'go'")
        elapsed_ms = 1000 * (time.perf_counter() - began)
        found = _ANSWER.match(line)
        if found is None:
            raise self._child.fault("garbage", f"answered {line[:80]!r}; expected '=== MOVE'")
        return found[1], _number(found[2]), elapsed_ms

    def quit(self) -> None:
        """Ask the engine to leave."""
        self._child.send("quit")

    def _settle(self, patience: Patience | None = None) -> None:
        """Wait until the engine has done all that it was told before."""
        self._pings += 1
        self._child.send(f"ping {self._pings}")
        patience = patience or Patience(self._timeout_s)
        pong = f"pong {self._pings}"
        while self._wait_for("pong", patience, f"answer to 'ping {self._pings}'").strip() != pong:
            pass

    def _wait_for(self, beginning: str, patience: Patience, what: str) -> str:
        while True:
            line = self._child.read_line(patience, what).strip()
            if line.startswith(beginning):
                return line
            named = _MY_NAME.fullmatch(line)
            if named:
                self.name = named[1].strip()
            elif self._on_line is not None and line:
                self._on_line(line)


def _number(text: str | None) -> float | None:
    """Return an evaluation; what is none says nothing, and the move is good without it."""
    try:
        value = float(text or "nan")
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def ggf_time(control: TimeControl) -> str:
    """Return a time control as GGF writes it: main/increment/extra.

    >>> ggf_time(TimeControl(main_ms=65_000, increment_ms=500))
    '01:05.000/00:00.500'
    """
    parts = (control.main_ms, control.increment_ms, control.extra_ms)
    return "/".join(
        f"{int(ms // 60_000):02d}:{ms % 60_000 / 1000:06.3f}" if ms else "" for ms in parts
    ).rstrip("/")

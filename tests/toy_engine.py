"""A small engine for the tests of those that drive engines: python toy_engine.py PROTOCOL [FAULT].

It plays the first legal move. FAULT is what it does wrong, in place of its second move or at the
start; AFTER, a number behind it, is the number of the move at which it does so.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

from reversi import Board, square_name
from reversi.formats import ggf, sgf

PROTOCOL, FAULT, AFTER = [*sys.argv[1:], *["", "2"][len(sys.argv) - 2 :]]


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def hang() -> None:
    while True:
        time.sleep(60)


def lines() -> Iterator[str]:
    """Yield what it is told; where it logs, AFTER is the file."""
    for line in sys.stdin:
        if FAULT == "logs":
            with open(AFTER, "a") as log:  # noqa: PTH123
                log.write(line)
        yield line


class Engine:
    def __init__(self) -> None:
        self.board = Board()
        self.chosen = 0

    def choose(self) -> str:
        """Return the move in words, or do what is wrong."""
        self.chosen += 1
        if FAULT == "forks and crashes":
            os._exit(3)
        if FAULT != "logs" and self.chosen == int(AFTER):
            if FAULT == "crash":
                print("no memory\nfor the book", file=sys.stderr, flush=True)
                os._exit(3)
            if FAULT == "signal":
                os.kill(os.getpid(), signal.SIGABRT)
            if FAULT == "hang":
                hang()
            if FAULT == "flood":
                while True:
                    say("status thinking\n" * 1000)
            if FAULT == "endless line":
                while True:
                    say("status" * 10_000)
            if FAULT == "stderr flood":
                for _ in range(20_000):
                    print("thinking hard", file=sys.stderr)
            if FAULT == "garbage":
                return "z9/+?"
            if FAULT == "binary":
                sys.stdout.buffer.write(bytes(range(256)) * 3 + b"\n")
                return "\x00\xff"
            if FAULT == "illegal":
                return next(square_name(sq) for sq in range(64) if not self.board.is_legal(sq))
            if FAULT == "resign":
                return "resign"
            if FAULT == "slow":
                time.sleep(1.2)
            if FAULT == "nan":
                return square_name(self.board.legal_moves[0]) + "/nan/x"
        move = square_name(self.board.legal_moves[0])
        return move if PROTOCOL == "gtp" else f"{'PA' if move == 'pass' else move.upper()}/1.50/0.1"


def nboard(engine: Engine) -> None:
    say("set myname Toy 1.0\nstatus ready\n")
    for line in lines():
        name, _, rest = line.strip().partition(" ")
        if name == "ping":
            say(f"pong {rest}\n")
        elif name == "set" and rest.startswith("game "):
            engine.board = ggf.parse(rest.removeprefix("game ")).final_board()
        elif name == "set" and rest.startswith("depth "):
            say(f"status depth {rest.split()[1]}\n")
        elif name == "move":
            engine.board.push(rest.split("/")[0])
        elif name == "go":
            say("status thinking\nsearch F5 0.5 0 7\nnodestats 1000 0.01\n")
            say(f"=== {engine.choose()}\n")
        elif name == "quit" and FAULT != "ignores quit":
            return


def gtp(engine: Engine) -> None:
    for line in lines():
        number, name, *rest = line.split()
        answer, mark = "", "="
        if name == "name":
            answer = "Toy"
        elif name == "list_commands":
            answer = "name\nlist_commands\nboardsize\nclear_board\nplay\ngenmove\nquit"
            answer += "\nloadsgf\ntime_settings" if FAULT != "no loadsgf" else ""
        elif name == "clear_board":
            engine.board = Board()
        elif name == "loadsgf":
            with open(rest[0]) as file:  # noqa: PTH123
                engine.board = sgf.parse(file.read()).final_board()
        elif name == "play":
            if FAULT == "refuses" and rest[1] == "c3":
                mark, answer = "?", "illegal move"
            else:
                engine.board.push(rest[1])
        elif name == "genmove":
            answer = engine.choose()
            if FAULT == "no ids":
                number = ""
            if FAULT == "endless answer":
                while True:
                    say(f"={number} f5\n" + "and so on\n" * 100)
            if not FAULT or answer in map(square_name, engine.board.legal_moves):
                engine.board.push(answer)
        say(f"\n{'# a comment' if FAULT == 'comments' else ''}\n{mark}{number} {answer}\n\n")
        if name == "quit" and FAULT != "ignores quit":
            return


if FAULT.startswith("forks"):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
if FAULT == "mute":
    hang()
if FAULT == "dies":
    sys.exit("no licence")
if FAULT == "ignores quit":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
{"nboard": nboard, "gtp": gtp}[PROTOCOL](Engine())
if FAULT == "ignores quit":
    hang()

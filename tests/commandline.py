"""Runs the command as a shell does: a process of its own, with pipes or at a terminal."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import reversi

START = "---------------------------OX------XO--------------------------- X"
# Values from the project's reference: the worked example, and a board where passes decide.
WORKED = "OO--XO--XOOXX-----OOXOX--OOXXO----XOXOX----XOOO----X---O-------- X"
PASSES = "XOOXXXXXXOOXXOXXXOXXOXXXXOOOOXXXXOOOOXXX-OOXOXXXOOOOXXXX-XXXXXX- O"
CHOICE = "OXXX-XO-XOXXXXXX--OXOXOXOOOOXXOXOOOXXXXXOOOOOOXXXXOOOXXX--OOX-XO O"
MUST_PASS = "X" * 62 + "O- O"
GAME_OVER = "X" * 40 + "O" * 24 + " X"


PATIENCE_S = 60

# The tests decide themselves about colours.
_COLORS = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in _COLORS},
    "PYTHONPATH": str(Path(reversi.__file__).parents[1]),
    "PYTHONUTF8": "1",
}


def reversi_command(
    *arguments: str, given: str | None = "", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "reversi", *arguments],
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        cwd=cwd,
        timeout=2 * PATIENCE_S,
        check=False,
    )


def answer(*arguments: str, given: str = "") -> str:
    done = reversi_command(*arguments, given=given)
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


def records(*arguments: str, given: str = "") -> list[dict]:
    return [json.loads(line) for line in answer(*arguments, "--json", given=given).splitlines()]


def refusal(*arguments: str, given: str = "", cwd: Path | None = None) -> str:
    """Return the one line with which the command refuses its input."""
    done = reversi_command(*arguments, given=given, cwd=cwd)
    assert done.returncode == 2
    assert done.stderr.startswith("reversi: error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("reversi: error: ").rstrip("\n")


def started(*arguments: str) -> subprocess.Popen[str]:
    """Start the command with pipes, to be sent signals."""
    # A shell in the background leaves SIGINT ignored, and children inherit that.
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    return subprocess.Popen(
        [sys.executable, "-c", f"{code}; from reversi.cli import main; main()", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )


class Terminal:
    """A process at a terminal of its own: what it shows, and keys for it."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        pty = pytest.importorskip("pty")  # Windows has none
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "reversi", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={
                **ENVIRONMENT,
                "TERM": "xterm-256color",
                "COLUMNS": "100",
                "LINES": "40",
                **environment,
            },
            start_new_session=True,
        )
        os.close(slave)
        self.shown = ""
        self._read_to = 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)

    def wait_for(self, text: str) -> None:
        """Wait until the text is shown after what was waited for before."""
        end = time.monotonic() + PATIENCE_S
        while text not in self.plain()[self._read_to :]:
            assert time.monotonic() < end, f"{text!r} was not shown: {self.plain()}"
            assert self._read(), f"ended without showing {text!r}: {self.plain()}"
        self._read_to = self.plain().index(text, self._read_to) + len(text)

    def type(self, line: str) -> None:
        os.write(self._master, line.encode() + b"\n")

    def press_control_d(self) -> None:
        os.write(self._master, b"\x04")

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def interrupt_until_it_ends(self) -> int:
        """Press Ctrl-C once a second: the line editor may miss one that comes with its prompt."""
        end = time.monotonic() + PATIENCE_S
        self.interrupt()
        pressed = time.monotonic()
        while self._read():
            now = time.monotonic()
            assert now < end, f"has not ended: {self.plain()}"
            if now > pressed + 1:
                self.interrupt()
                pressed = now
        return self.process.wait(PATIENCE_S)

    def ends_with(self) -> int:
        end = time.monotonic() + PATIENCE_S
        while self._read():
            assert time.monotonic() < end, f"has not ended: {self.plain()}"
        return self.process.wait(PATIENCE_S)

    def plain(self) -> str:
        """Return all that was shown, without colours and moves of the cursor."""
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.shown)

    def _read(self) -> bool:
        if not select.select([self._master], [], [], 1)[0]:
            return True
        try:
            data = os.read(self._master, 65536)
        except OSError:  # Linux reports the end of the other side so
            return False
        self.shown += data.decode(errors="replace")
        return bool(data)

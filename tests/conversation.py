"""A program at the other end of two pipes, as a GUI has it: lines for it, and its lines."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import sys
import threading

from commandline import ENVIRONMENT, PATIENCE_S


class Program:
    """``reversi`` with these arguments. What it writes on standard error is an error here."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "reversi", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            start_new_session=True,
        )
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def _read(self) -> None:
        for line in self.process.stdout:
            self._lines.put(line.decode().rstrip("\n"))
        self._lines.put(None)

    def say(self, *lines: str) -> None:
        """Send lines, all at once."""
        self.send("".join(f"{line}\n" for line in lines).encode())

    def send(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def hear(self) -> str:
        """Wait for the next line."""
        line = self._lines.get(timeout=PATIENCE_S)
        assert line is not None, f"has left: {self.process.stderr.read()!r}"
        return line

    def hear_until(self, beginning: str) -> list[str]:
        """Return the lines up to the first that begins so, with it."""
        lines = [self.hear()]
        while not lines[-1].startswith(beginning):
            lines.append(self.hear())
        return lines

    def is_silent(self) -> bool:
        """Whether nothing has come that was not heard."""
        return self._lines.empty()

    def rest(self) -> list[str]:
        """Return the lines up to the end of the output."""
        return list(iter(lambda: self._lines.get(timeout=PATIENCE_S), None))

    def ends_with(self) -> int:
        """Wait until it has left, in silence, and return its exit status.

        An empty line is silence: Ctrl-C leaves one, for the terminal's sake.
        """
        status = self.process.wait(PATIENCE_S)
        assert self.process.stderr.read().strip() == b""
        return status

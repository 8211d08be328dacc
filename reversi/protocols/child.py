"""A program that runs beside us and is talked to by lines. Knows no protocol and no rule.

Two threads read what the program writes, so that it never waits for us, and keep a bounded part of
it. Whatever happens, the program and the group of processes that it began are ended and reaped:
by `Child.close`, when the `Child` is dropped, or when the interpreter ends.
"""

from __future__ import annotations

import os
import select
import shlex
import signal
import subprocess
import sys
import time
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Condition, Thread
from typing import IO

from reversi.errors import EngineError

__all__ = ["Child", "Patience", "arguments_of"]

# What is kept of a line, and how many lines wait until they are read: some megabytes at most.
_LONGEST_LINE = 16_384
_MOST_LINES = 1000
_CHUNK = 65_536
# Of its standard error only the end is of interest.
_LAST_LINES = 5
_SHOWN_OF_A_LINE = 200
# How often is looked whether a pipe's end is still wanted or its writer still there.
_LOOK_S = 0.25
# How long a program may take to leave: after the end of its input, and after a polite signal.
_LEAVING_S = 1.0
_TERMINATING_S = 0.5


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an answer is waited for, from now on.

    >>> Patience(seconds=60.0).left_s() > 59
    True
    """

    seconds: float
    began: float = field(default_factory=time.monotonic)

    def left_s(self) -> float:
        """Return the seconds that are left."""
        return self.began + self.seconds - time.monotonic()


def arguments_of(command: Sequence[str | os.PathLike[str]] | str) -> list[str]:
    """Return a command as a list; a text is split as a shell splits it, quotes and all.

    Raises ValueError for an empty one, and for a quote that is not closed.

    >>> arguments_of("edax -nboard 'my book.dat'")
    ['edax', '-nboard', 'my book.dat']
    """
    if isinstance(command, str):
        try:
            arguments = shlex.split(command, posix=os.name == "posix")
        except ValueError as error:
            raise ValueError(f"command {command!r}: {str(error).lower()}") from None
    else:
        arguments = [os.fspath(argument) for argument in command]
    if not arguments or not arguments[0]:
        raise ValueError(f"command is {command!r}; expected a program and its arguments")
    return arguments


class Child:
    """A running program. ``name`` is what errors call it; ``cwd`` the folder it runs in.

    It has a session of its own where systems know that, so that Ctrl-C at the terminal is ours
    alone. Raises EngineError of the kind ``"start"`` where it cannot be started.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        name: str,
        cwd: str | os.PathLike[str] | None = None,
    ) -> None:
        self.name = name
        try:
            process = _start(arguments, cwd)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            if cwd is not None and not Path(cwd).is_dir():
                reason = f"there is no folder {str(cwd)!r}"
            message = f"cannot start {shlex.join(arguments)!r}: {reason}"
            raise EngineError(name, "start", message) from None
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._input = process.stdin
        self._output = _Stream(process.stdout, waits=True)
        self._errors = _Stream(process.stderr, waits=False)
        self._streams = (self._output, self._errors)
        self._finalizer = weakref.finalize(
            self, _end, process, self._streams, 0.0, owner=os.getpid()
        )
        for stream in self._streams:
            stream.start()

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    def send(self, line: str) -> None:
        """Write a line to its standard input; raises EngineError where it has ended."""
        try:
            self._input.write(f"{line}\n".encode())
            self._input.flush()
        except (OSError, ValueError):
            raise self._ended(f"'{line[:40]}' could not be sent") from None

    def read_line(self, patience: Patience, what: str) -> str:
        """Return the next line of its standard output, without the end of the line.

        ``what`` names in errors what is waited for. Raises EngineError of the kind ``"timeout"`` or
        ``"crash"``.
        """
        while (left_s := patience.left_s()) > 0:  # also where there is output without end
            line = self._output.next(min(left_s, _LOOK_S))
            if line is not None:
                return line
            # A process that it began may keep the pipe open for it.
            if self._output.ended or _has_ended(self._process):
                raise self._ended(f"no {what}")
        seen = self._output.last
        lately = f"; its last line was {seen[:_SHOWN_OF_A_LINE]!r}" if seen else ""
        raise self.fault("timeout", f"no {what} within {patience.seconds:.1f} s{lately}")

    def fault(self, kind: str, reason: str) -> EngineError:
        """Return the error that says what the program did; it is of no use any more, and ended."""
        self.kill()
        return EngineError(self.name, kind, reason, self._errors.rest())

    def _ended(self, what: str) -> EngineError:
        # Its last output may be a moment older than its end.
        _wait(self._process, _LEAVING_S)
        self.kill()
        status = self._process.returncode
        return EngineError(self.name, "crash", f"{what}: {_manner(status)}", self._errors.rest())

    def close(self) -> None:
        """End the program: it sees the end of its input, and is killed where it does not leave."""
        if self._finalizer.detach() is not None:
            _end(self._process, self._streams, _LEAVING_S, owner=os.getpid())

    def kill(self) -> None:
        """End the program at once; may be called from any thread."""
        self._finalizer()

    @property
    def is_alive(self) -> bool:
        """Whether it was not ended; a program that crashed counts until that is noticed."""
        return self._finalizer.alive


class _Stream:
    """The lines that come out of a pipe, read by a thread; knows nothing of the `Child`."""

    def __init__(self, pipe: IO[bytes], waits: bool) -> None:
        """``waits``: the writer has to wait where too many lines are unread; else the oldest go."""
        self._pipe = pipe
        self._waits = waits
        self._lines: deque[bytes] = deque(maxlen=None if waits else _LAST_LINES)
        self._changed = Condition()
        self._closed = False
        self.ended = False
        self.last = ""
        self._thread = Thread(target=self._read, name="engine output", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def next(self, seconds: float) -> str | None:
        """Return the next line; None where none comes within a time, or none will."""
        end = time.monotonic() + seconds
        with self._changed:
            while not self._lines:
                left_s = end - time.monotonic()
                if self.ended or left_s <= 0:
                    return None
                self._changed.wait(left_s)
            line = self._lines.popleft()
            self._changed.notify_all()
        self.last = line.decode(errors="replace").rstrip("\r")
        return self.last

    def rest(self) -> list[str]:
        """Return the lines that were not read, without the empty ones."""
        with self._changed:
            texts = [line.decode(errors="replace").strip() for line in self._lines]
        return [text[:_SHOWN_OF_A_LINE] for text in texts if text]

    def close(self) -> None:
        """Read no more. The thread ends soon: the pipe's other end is closed, or it looks."""
        if self._thread.ident is None:
            return  # it could not be started
        if not self._waits:
            self._thread.join(2 * _LOOK_S)  # the last words are worth it
        with self._changed:
            self._closed = self.ended = True
            self._changed.notify_all()
        self._thread.join(4 * _LOOK_S)

    def _read(self) -> None:
        unfinished = b""
        with self._pipe as pipe:
            while self._has_something(pipe):
                try:
                    data = os.read(pipe.fileno(), _CHUNK)
                except OSError:
                    break
                if not data:
                    break
                *lines, unfinished = (unfinished + data).split(b"\n")
                if len(unfinished) > _LONGEST_LINE:
                    lines.append(unfinished)
                    unfinished = b""
                self._keep([line[:_LONGEST_LINE] for line in lines])
        self._keep([unfinished] if unfinished else [])
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    def _has_something(self, pipe: IO[bytes]) -> bool:
        """Wait until there is something to read, or the end; False if nobody wants it any more."""
        if sys.platform == "win32":  # a pipe cannot be asked there
            return not self._closed
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        while not self._closed:
            if poll.poll(1000 * _LOOK_S):
                return True
        return False

    def _keep(self, lines: list[bytes]) -> None:
        with self._changed:
            while self._waits and len(self._lines) > _MOST_LINES and not self._closed:
                self._changed.wait()
            self._lines.extend(lines)
            self._changed.notify_all()


def _start(arguments: Sequence[str], cwd: str | os.PathLike[str] | None) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    if sys.platform == "win32":
        group = subprocess.CREATE_NEW_PROCESS_GROUP
        return subprocess.Popen(
            arguments, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, creationflags=group
        )
    return subprocess.Popen(
        arguments, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, start_new_session=True
    )


def _end(
    process: subprocess.Popen[bytes], streams: Sequence[_Stream], patience_s: float, *, owner: int
) -> None:
    """End a program and its group, and reap it; polite first where there is patience."""
    if os.getpid() != owner:  # a copy made by fork has no say
        return
    if patience_s > 0:
        _close_quietly(process.stdin)
        _wait(process, patience_s)
    if not _has_ended(process):
        _signal_group(process, "SIGTERM")
        _wait(process, _TERMINATING_S)
    _signal_group(process, "SIGKILL")  # also whatever it left behind
    process.wait()
    _close_quietly(process.stdin)
    for stream in streams:
        stream.close()


def _close_quietly(pipe: IO[bytes] | None) -> None:
    with suppress(OSError):
        if pipe is not None:
            pipe.close()


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Tell without reaping it where that is possible: until then its group's number is its own."""
    if sys.platform != "win32" and process.returncode is None and hasattr(os, "waitid"):
        with suppress(ChildProcessError):
            flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, process.pid, flags) is not None
    return process.poll() is not None


def _wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not _has_ended(process) and time.monotonic() < end:
        time.sleep(0.002)


def _signal_group(process: subprocess.Popen[bytes], name: str) -> None:
    with suppress(OSError):  # nobody is left
        if sys.platform == "win32":
            tree = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            subprocess.run(tree, capture_output=True, check=False)
        else:
            os.killpg(process.pid, getattr(signal, name))


def _manner(status: int | None) -> str:
    """Return in words how a program ended."""
    if status is None or status == -getattr(signal, "SIGKILL", 9):
        return "it closed its output or was killed"
    if status >= 0:
        return f"it ended with exit status {status}"
    try:
        return f"it was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"it was ended by signal {-status}"

"""The lines that a program gets and gives, one of the two ends of a protocol. Knows no protocol.

Input is read in a thread of its own, so that a command ends the search that runs at the moment.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import BinaryIO

__all__ = ["MAX_LINE", "LineReader", "LineWriter", "Search"]

# A longer line is cut: the longest that mean something are games, of some kilobytes.
MAX_LINE = 1 << 20
# How much may wait to be handled; then reading waits as well, and whoever writes.
_MAX_WAITING = 1 << 24
_LINE_OVERHEAD = 64
_CHUNK = 1 << 16
# A search that is told to stop as it begins may miss it, and is told again.
_AGAIN_S = 0.005


class Search:
    """What runs until a command comes; ``stopped`` says that one has come."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self.stop = stop
        self.stopped = False


class LineReader:
    """The lines of a file descriptor, read from the moment on that this is made.

    ``is_command`` says of a line whether it ends a search; the others wait for their turn. The end
    of the input ends a search, too. Lines are handed out as text without their ends, cut after
    `MAX_LINE` bytes; what is not UTF-8 is replaced.

    >>> end, other = os.pipe()
    >>> _ = os.write(other, b"ping 1\\r\\nquit\\n"), os.close(other)
    >>> reader = LineReader(end, bool)
    >>> reader.next(), reader.next(), reader.next()
    ('ping 1', 'quit', None)
    """

    def __init__(self, descriptor: int, is_command: Callable[[str], bool]) -> None:
        self._descriptor = descriptor
        self._is_command = is_command
        self._waiting: deque[str] = deque()
        self._size = 0
        self._ended = False
        self._search: Search | None = None
        self._changed = threading.Condition()
        # A daemon, since nothing ends a read from outside; it holds no lock while it reads.
        threading.Thread(target=self._read, daemon=True).start()

    def next(self) -> str | None:
        """Wait for the next line; None at the end of the input."""
        with self._changed:
            while not self._waiting:
                if self._ended:
                    return None
                self._changed.wait()
            line = self._waiting.popleft()
            self._size -= len(line) + _LINE_OVERHEAD
            self._changed.notify_all()
            return line

    def waiting(self, most: int) -> list[str]:
        """Return the commands that are there, not yet handed out, and ``""`` for the end of the
        input; the first `most` of them."""
        with self._changed:
            commands = filter(self._is_command, self._waiting)
            return list(islice(chain(commands, [""] * self._ended), most))

    @contextmanager
    def searching(self, stop: Callable[[], None]) -> Iterator[Search]:
        """As long as this lasts, a command that comes calls `stop`, from another thread.

        It does so until this is over. Lines that were waiting before it began do nothing.
        """
        search = Search(stop)
        with self._changed:
            self._search = search
        try:
            yield search
        finally:
            with self._changed:
                self._search = None
                self._changed.notify_all()

    def _read(self) -> None:
        begun, cut = b"", False
        while chunk := self._chunk():
            *lines, rest = (begun + chunk).split(b"\n")
            for line in lines:
                if not cut:
                    self._take(line)
                cut = False
            begun = b"" if cut else rest
            if len(begun) > MAX_LINE:
                self._take(begun)
                begun, cut = b"", True
        if begun:
            self._take(begun)
        with self._changed:
            self._ended = True
            self._changed.notify_all()
            self._interrupt()

    def _chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, _CHUNK)
        except OSError:  # what cannot be read has ended: a terminal that was closed, for one
            return b""

    def _take(self, line: bytes) -> None:
        text = line[:MAX_LINE].decode("utf-8", "replace").rstrip("\r")
        with self._changed:
            while self._size > _MAX_WAITING:
                self._changed.wait()
            self._waiting.append(text)
            self._size += len(text) + _LINE_OVERHEAD
            self._changed.notify_all()
            if self._is_command(text):
                self._interrupt()

    def _interrupt(self) -> None:
        """Stop the search that runs now, until it has ended. The lock is held."""
        search = self._search
        while search is not None and search is self._search:
            search.stopped = True
            search.stop()
            self._changed.wait(_AGAIN_S)


class LineWriter:
    """Writes lines to a binary file, each at once.

    Raises BrokenPipeError where the reader has gone.

    >>> import io
    >>> file = io.BytesIO()
    >>> LineWriter(file).write("pong 1")
    >>> file.getvalue()
    b'pong 1\\n'
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, text: str) -> None:
        """Write a text and the end of its line."""
        self._file.write(text.encode("utf-8", "replace") + b"\n")
        self._file.flush()

"""A server as people run it: a process of its own, `reversi web`, on a port that is free."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec

import pytest
from commandline import ENVIRONMENT, PATIENCE_S

_EXTRA = ("fastapi", "uvicorn")


def need_the_extra(*others: str) -> None:
    """Skip the tests of a file where what the server needs, or these modules, are missing."""
    missing = [name for name in (*_EXTRA, *others) if find_spec(name) is None]
    if missing:
        reason = f"needs {', '.join(missing)}: pip install -e '.[test]'"
        pytest.skip(reason, allow_module_level=True)


@dataclass
class Server:
    """A running server."""

    address: str
    process: subprocess.Popen[str]

    @property
    def place(self) -> tuple[str, int]:
        """Host and port."""
        host, port = self.address.removeprefix("http://").rstrip("/").rsplit(":", 1)
        return host, int(port)


@contextmanager
def running(*arguments: str, **environment: str) -> Iterator[Server]:
    """Run a server with these arguments as long as the block lasts."""
    command = [sys.executable, "-m", "reversi", "web"]
    if "--port" not in arguments:
        command += ["--port", "0"]
    if "BROWSER" not in environment:
        command += ["--no-browser"]
    process = subprocess.Popen(
        [*command, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**ENVIRONMENT, "PYTHONUNBUFFERED": "1", **environment},
    )
    try:
        assert process.stdout and process.stderr
        line = process.stdout.readline()
        found = re.match(r"http://\S+", line)
        assert found, f"no address in {line!r}: {process.stderr.read()}"
        yield Server(found[0], process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE_S)

"""Running the server: its address, the browser, and the end by Ctrl-C."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn

from reversi import learned_value
from reversi.board import Board
from reversi.web.app import create_app
from reversi.web.searches import Searches
from reversi.web.settings import Settings

PORT = 8000
# Where the usual port is taken, one of so many after it is used.
_PORTS = 20
_TAKEN = (errno.EADDRINUSE, errno.EACCES)  # Windows says the second, too


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens; without a port the first free one from 8000 on. Raises OSError."""
    ports = range(PORT, PORT + _PORTS) if port is None else (port,)
    for number in ports:
        try:
            return _listen(host, number)
        except OSError as error:
            if error.errno not in _TAKEN or number == ports[-1]:
                raise
    raise AssertionError


def _listen(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    except UnicodeError:  # a name that cannot be asked for, with a part that is empty or too long
        raise OSError(errno.EINVAL, "no name of a host") from None
    family, kind, protocol, _, address = found[0]
    # By the protocol asyncio knows that answers are to be sent at once (40 ms sooner).
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # elsewhere it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def address_of(listener: socket.socket) -> str:
    """The address of the page, as this machine's browser reaches it."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def serve(listener: socket.socket, settings: Settings, on_ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C; `on_ready` is called once requests are answered. Raises
    KeyboardInterrupt."""
    app = create_app(settings)
    learned_value(Board())  # loads the weights, which the first search would wait for
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=1,
    )
    _Server(config, app.state.searches, on_ready).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Tells when it is ready, and ends its searches when it is told to end."""

    def __init__(
        self, config: uvicorn.Config, searches: Searches, on_ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._searches = searches
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self._searches.close()

"""What every request and answer passes: who may ask, how much, and what browsers are told.

Knows no path of the API.
"""

from __future__ import annotations

import asyncio
import logging
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reversi.web.faults import Fault
from reversi.web.settings import BODY_MAX, BODY_S, Settings

_log = logging.getLogger("reversi.web")

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class Guard:
    """Refuses what cannot be meant for this server, reads bodies up to their limits, and puts
    the security headers on every answer."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._loopback = settings.loopback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def send_guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        try:
            self._check(scope)
            receive = await _body_read(scope, receive)
            await self._app(scope, receive, send_guarded)
        except Fault as fault:
            await fault.answer()(scope, receive, send_guarded)
        except Exception:
            _log.exception("%s %s failed", scope["method"], scope["path"])
            if started:
                raise
            failure = Fault(500, "internal", "the server failed; its own output tells why")
            await failure.answer()(scope, receive, send_guarded)

    def _check(self, scope: Scope) -> None:
        """Raises Fault for another host's name, and for another site's page."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self._loopback and not _is_loopback(host):
            message = f"the host is {host!r}; this server is for its own machine: use 127.0.0.1"
            raise Fault(403, "host", message)
        if scope["method"] in ("GET", "HEAD"):
            return
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            raise Fault(403, "origin", f"a page of {origin!r} may not use this server")


def _is_loopback(host: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname
        return name == "localhost" or ip_address(name or "").is_loopback
    except ValueError:
        return False


async def _body_read(scope: Scope, receive: Receive) -> Receive:
    """Reads the body, and returns what gives it once more; raises Fault where it is too long, and
    where it does not come."""
    length = Headers(scope=scope).get("content-length", "0")
    if length.isdecimal() and int(length) > BODY_MAX:
        raise _too_long()
    try:
        waiting = [await asyncio.wait_for(_whole_body(receive), BODY_S)]
    except asyncio.TimeoutError:
        message = f"the body has not come within {BODY_S} seconds"
        raise Fault(408, "timeout", message, headers={"connection": "close"}) from None

    async def receive_again() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_again


async def _whole_body(receive: Receive) -> Message:
    """The last message, with all of the body: it says that no more comes, or that the client has
    gone."""
    body = bytearray()
    message: Message = {"more_body": True}
    while message.get("more_body"):
        message = await receive()
        body += message.get("body", b"")
        if len(body) > BODY_MAX:
            raise _too_long()
    return {**message, "body": bytes(body)}


def _too_long() -> Fault:
    message = f"the body has more than {BODY_MAX} bytes"
    return Fault(413, "body", message, headers={"connection": "close"})

"""The page's files, compressed and with tags that tell a browser what it has already.

The page brings along what the server says of itself, so that it need not ask before it is of use.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from reversi.web.about import describe_server

_ROOT = Path(__file__).parent / "static"
# Registries of types differ from machine to machine, and browsers take no other for modules.
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_PAGE = _ROOT / "index.html"
_PLACE = b"{{server}}"  # where the page has the server's description
# A name is looked up here, and no path made of one that is not there.
_FILES = {
    path.relative_to(_ROOT).as_posix(): path
    for path in _ROOT.rglob("*")
    if path.suffix in _TYPES and path != _PAGE
}


@dataclass(frozen=True, slots=True)
class _File:
    """A file as it is sent."""

    plain: bytes
    packed: bytes
    tag: str
    media_type: str


def pages() -> list[BaseRoute]:
    """The routes of the page and its files."""
    return [
        Route("/", _front, name="page"),
        Route("/static/{name:path}", _static, name="static"),
    ]


async def _front(request: Request) -> Response:
    about = describe_server(request.app.state.settings).model_dump_json()
    # Inside an element no "<" may be taken for a tag.
    return _send(request, _PAGE, about.replace("<", r"\u003c"))


async def _static(request: Request) -> Response:
    path = _FILES.get(request.path_params["name"])
    if path is None:
        raise HTTPException(404)
    return _send(request, path)


def _send(request: Request, path: Path, about: str = "") -> Response:
    file = _read(path, path.stat().st_mtime_ns, about)
    headers = {"etag": file.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    body = file.plain
    if "gzip" in request.headers.get("accept-encoding", ""):
        body = file.packed
        headers["content-encoding"] = "gzip"
    return Response(body, headers=headers, media_type=file.media_type)


@lru_cache(maxsize=256)
def _read(path: Path, _changed: int, about: str) -> _File:
    plain = path.read_bytes()
    if path == _PAGE:
        plain = plain.replace(_PLACE, about.encode())
    # Weak: the same tag stands for the file as it is and for the packed one.
    tag = f'W/"{sha256(plain).hexdigest()[:20]}"'
    return _File(plain, gzip.compress(plain, mtime=0), tag, _TYPES[path.suffix])

"""The errors of the API: what is wrong, where and of which kind, as JSON. Checks nothing itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from reversi.web.settings import BODY_MAX, BODY_S


class ErrorBody(BaseModel):
    """What is wrong: in words for people, where in the body, and of which kind for programs."""

    message: str
    where: Annotated[str | None, Field(examples=["position.moves[3]"])]
    kind: Annotated[str, Field(examples=["illegal_move"])]


class ErrorAnswer(BaseModel):
    """A request that cannot be answered."""

    error: ErrorBody


_REFUSALS = {
    400: "The body is no JSON.",
    403: "The host or the origin is another one.",
    408: f"The body has not come within {BODY_S} seconds.",
    413: f"The body has more than {BODY_MAX:,} bytes.",
    415: "The body is not sent as `application/json`.",
    422: "The body holds a value that cannot be used.",
    429: "As many searches run as may at once; `Retry-After` tells when to try again.",
    503: "The server is ending.",
}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """These statuses as they stand in the API's description."""
    return {status: {"model": ErrorAnswer, "description": _REFUSALS[status]} for status in statuses}


# What can be wrong with any body.
REFUSED = refusals(400, 403, 408, 413, 415, 422)
# And with any search.
SEARCH_REFUSED = REFUSED | refusals(429, 503)


class Fault(Exception):  # noqa: N818  (what is wrong with a request, not with the program)
    """A request that cannot be answered."""

    def __init__(
        self,
        status: int,
        kind: str,
        message: str,
        where: str | None = None,
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.message = message
        self.where = where
        self.headers = dict(headers or {})
        self.more = dict(more or {})

    def body(self) -> dict[str, Any]:
        """The fault as clients get it."""
        error = {"message": self.message, "where": self.where, "kind": self.kind}
        return {"error": {name: _printable(text) for name, text in error.items()}, **self.more}

    def answer(self) -> JSONResponse:
        """The response that tells it."""
        return JSONResponse(self.body(), self.status, self.headers)


def _printable(text: str | None) -> str | None:
    """Text that can be sent: half a surrogate pair, which JSON can hold, cannot."""
    return text and text.encode("utf-8", "backslashreplace").decode()


def add_fault_handlers(app: FastAPI) -> None:
    """Make an app tell all its errors so."""
    app.add_exception_handler(Fault, _tell_fault)
    app.add_exception_handler(RequestValidationError, _tell_invalid)
    app.add_exception_handler(HTTPException, _tell_http)


def _tell_fault(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Fault)
    return error.answer()


def _tell_http(request: Request, error: Exception) -> JSONResponse:
    """What the framework itself refuses: no such path, no such method, a body that is no JSON."""
    assert isinstance(error, HTTPException)
    if error.status_code == 400:
        return Fault(400, "json", f"the body is no JSON: {_unread(error.__cause__)}").answer()
    kind = {404: "not_found", 405: "method"}.get(error.status_code, "request")
    message = str(error.detail)
    if message == HTTPStatus(error.status_code).phrase:
        message = f"{message}: {request.method} {request.url.path}"
    return Fault(error.status_code, kind, message, headers=error.headers).answer()


def _unread(error: BaseException | None) -> str:
    """Why a body could not be read, where the mistake is not one of JSON's grammar."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not {error.encoding.upper()}"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return "a number in it has too many digits"


def _tell_invalid(_request: Request, error: Exception) -> JSONResponse:
    """The first thing in a body that does not fit."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if (first["type"], first["loc"]) == ("missing", ("body",)):
        return Fault(400, "json", "the body is empty; expected JSON").answer()
    if first["type"] == "json_invalid":
        reason = first.get("ctx", {}).get("error", "a mistake in it")
        message = f"the body is no JSON: {reason} (character {first['loc'][-1]})"
        return Fault(400, "json", message).answer()
    where = _path(first["loc"][1:])
    received = "" if first["type"] == "missing" else f"; got {_short(first.get('input'))}"
    message = f"{where or 'the body'}: {first['msg'].removeprefix('Value error, ')}{received}"
    return Fault(422, "request", message, where or None).answer()


def _path(location: Sequence[int | str]) -> str:
    """``position.moves[3]`` for where pydantic found a mistake."""
    path = ""
    for step in location:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    return path


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."

"""Answers of searches: at the end, or as a stream of events. A search ends when its client goes."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any, TypeVar

from fastapi import Request, Response
from pydantic import BaseModel
from starlette.types import Message, Receive, Scope, Send

from reversi import SearchStopped
from reversi.web.faults import ErrorAnswer, Fault
from reversi.web.searches import Search, stopped

T = TypeVar("T")

_log = logging.getLogger("reversi.web")


async def answer_of(search: Search[T], request: Request) -> T:
    """The search's answer; raises Fault where it has none because it was stopped."""
    watch = _watch(search, request.receive)
    try:
        return await search.answer()
    except SearchStopped:
        raise stopped() from None
    finally:
        watch.cancel()
        search.stop()


class EventStream(Response):
    """A search as server-sent events: ``info`` for each record, then ``result`` or ``error``.

    The data of each is JSON in one line. A comment comes at once, so that the client knows that
    it has been heard.
    """

    media_type = "text/event-stream"

    def __init__(self, search: Search[BaseModel]) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._search = search

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        search = self._search
        watch = _watch(search, receive)
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await send(_part(": searching\n\n"))
            async for record in search.records():
                assert isinstance(record, BaseModel)
                await send(_part(_event("info", record.model_dump_json())))
                # The first steps come all at once; others have their turn between them.
                await asyncio.sleep(0)
                if watch.done():
                    return
            await send(_part(await self._last()))
            await send({"type": "http.response.body"})
        finally:
            watch.cancel()
            search.stop()

    async def _last(self) -> str:
        try:
            return _event("result", (await self._search.answer()).model_dump_json())
        except Exception:
            _log.exception("a search failed")
            fault = Fault(500, "internal", "the search failed; the server's own output tells why")
            return _event("error", json.dumps(fault.body()))


def event_stream(info: type[BaseModel], result: type[BaseModel]) -> dict[int | str, dict[str, Any]]:
    """A stream of such events as it stands in the API's description."""
    models: dict[str, type[BaseModel]] = {"info": info, "result": result, "error": ErrorAnswer}
    events = [
        {
            "type": "object",
            "properties": {"event": {"const": name}, "data": _json_text(model)},
            "required": ["event", "data"],
        }
        for name, model in models.items()
    ]
    return {200: {"content": {"text/event-stream": {"itemSchema": {"oneOf": events}}}}}


def _json_text(model: type[BaseModel]) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {"type": "string", "contentMediaType": "application/json", "contentSchema": schema}


def _watch(search: Search[T], receive: Receive) -> asyncio.Task[None]:
    """A task that waits until the client goes away, and then ends the search."""

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        search.stop()

    return asyncio.create_task(watch())


def _part(text: str) -> Message:
    return {"type": "http.response.body", "body": text.encode(), "more_body": True}


def _event(name: str, data: str) -> str:
    return f"event: {name}\ndata: {data}\n\n"

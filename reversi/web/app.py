"""The app: its paths, its guard and its description put together."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import Depends, FastAPI
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from reversi import __version__
from reversi.web import analysis_routes, board_routes, file_routes, search_routes
from reversi.web.answers import AnalysisAnswer, ProgressAnswer
from reversi.web.faults import add_fault_handlers
from reversi.web.guard import Guard
from reversi.web.listing import listing
from reversi.web.pages import pages
from reversi.web.requests import check_media_type
from reversi.web.searches import Searches
from reversi.web.settings import Settings

_DESCRIPTION = "Positions, searches and games of Reversi (Othello), for programs in any language."


class _App(FastAPI):
    """Puts the models of events, which the framework does not see, into the description."""

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            description = super().openapi()
            models: list[tuple[type[BaseModel], JsonSchemaMode]] = [
                (ProgressAnswer, "serialization"),
                (AnalysisAnswer, "serialization"),
            ]
            place = "#/components/schemas/{model}"
            _, definitions = models_json_schema(models, ref_template=place)
            description["components"]["schemas"] |= definitions["$defs"]
        assert self.openapi_schema is not None
        return self.openapi_schema


def create_app(settings: Settings | None = None) -> FastAPI:
    """The page and the API as an ASGI application.

    >>> create_app().title
    'reversi'
    """
    settings = Settings() if settings is None else settings
    app = _App(
        title="reversi",
        version=__version__,
        description=_DESCRIPTION,
        docs_url=None,
        redoc_url=None,
    )
    app.state.settings = settings
    app.state.searches = Searches(settings.searches)
    app.state.reading = asyncio.Lock()  # one pasted text after the other
    add_fault_handlers(app)
    for routes in (board_routes, search_routes, analysis_routes, file_routes):
        app.include_router(routes.router, dependencies=[Depends(check_media_type)])
    app.router.routes += [*pages(), listing(app)]
    app.add_middleware(Guard, settings=settings)
    return app

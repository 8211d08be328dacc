"""The app: its paths, its guard and its description put together."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from reversi import __version__
from reversi.web import board_routes, search_routes
from reversi.web.answers import ErrorAnswer
from reversi.web.faults import add_fault_handlers
from reversi.web.guard import Guard
from reversi.web.pages import pages
from reversi.web.searches import Searches
from reversi.web.settings import Settings

_DESCRIPTION = "Positions, searches and games of Reversi (Othello), for programs in any language."
_ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorAnswer, "description": "The body is no JSON."},
    413: {"model": ErrorAnswer, "description": "The body is too long."},
    415: {"model": ErrorAnswer, "description": "The body is not sent as `application/json`."},
    422: {"model": ErrorAnswer, "description": "Values that cannot be used."},
}


def create_app(settings: Settings | None = None) -> FastAPI:
    """The page and the API as an ASGI application.

    >>> create_app().title
    'reversi'
    """
    settings = Settings() if settings is None else settings
    app = FastAPI(
        title="reversi",
        version=__version__,
        description=_DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        responses=_ERRORS,
    )
    app.state.settings = settings
    app.state.searches = Searches(settings.searches)
    add_fault_handlers(app)
    app.include_router(board_routes.router)
    app.include_router(search_routes.router)
    app.router.routes += pages()
    app.add_middleware(Guard, settings=settings)
    return app

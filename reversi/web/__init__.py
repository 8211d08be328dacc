"""The page and its JSON API, served by FastAPI and uvicorn: the extra ``web``.

Holds no rule and no search: positions are the board's business, searches the engine's.
"""

from reversi.web.app import create_app
from reversi.web.settings import Settings

__all__ = ["Settings", "create_app"]

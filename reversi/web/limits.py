"""What a request asks for, beside what this server allows. Each refusal says which it is."""

from __future__ import annotations

from reversi import Limit as SearchLimit
from reversi.levels import level_of
from reversi.web.faults import Fault
from reversi.web.requests import Limit
from reversi.web.settings import Settings


def read_limit(limit: Limit, settings: Settings) -> SearchLimit:
    """The engine's limit; raises Fault for none, and for more time than there is for anyone."""
    if limit.time_ms is not None and limit.time_ms > settings.time_ms:
        message = f"time_ms is {limit.time_ms}; expected {settings.time_ms} at the most"
        raise Fault(422, "limit", message, "limit.time_ms")
    try:
        return SearchLimit(
            time_ms=limit.time_ms, level=limit.level, depth=limit.depth, nodes=limit.nodes
        )
    except ValueError as error:
        raise Fault(422, "limit", str(error), "limit") from None


def check_threads(threads: int, settings: Settings) -> None:
    """Raises Fault for more threads than a search may have."""
    if threads > settings.threads:
        message = f"threads is {threads}; expected {settings.threads} at the most"
        raise Fault(422, "limit", message, "threads")


def plays_by_chance(limit: SearchLimit) -> bool:
    """Whether a search with this limit is one of the levels that choose by chance."""
    return limit.level is not None and level_of(limit.level).slack > 0

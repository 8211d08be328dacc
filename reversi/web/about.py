"""What the server says of itself, to clients that ask and to its own page."""

from __future__ import annotations

from reversi import Board, __version__, cpu_info
from reversi.levels import level_of
from reversi.limits import MAX_LEVEL
from reversi.web.answers import LevelAnswer, ServerAnswer
from reversi.web.positions import describe
from reversi.web.settings import MOVES_MAX, SOLVE_EMPTIES_MAX, Settings


def describe_server(settings: Settings) -> ServerAnswer:
    """The server and its limits, as clients and the page see them."""
    levels = [(number, level_of(number)) for number in range(MAX_LEVEL + 1)]
    return ServerAnswer(
        name="reversi",
        version=__version__,
        build=cpu_info().build,
        threads_max=settings.threads,
        time_ms_max=settings.time_ms,
        time_ms_usual=settings.time_ms_usual,
        searches_max=settings.searches,
        moves_max=MOVES_MAX,
        solve_empties_max=SOLVE_EMPTIES_MAX,
        levels=[
            LevelAnswer(
                level=number,
                depth=level.depth,
                exact_empties=level.exact_empties,
                chance=level.slack > 0,
            )
            for number, level in levels
        ],
        start=describe(Board()),
    )

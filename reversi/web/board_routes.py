"""The paths that need no search: the server itself, positions, evaluations."""

from __future__ import annotations

from fastapi import APIRouter, Request

from reversi import Board, __version__, cpu_info, evaluate, learned_value
from reversi.levels import level_of
from reversi.limits import MAX_LEVEL
from reversi.web.answers import (
    ClassicTerms,
    EvaluationAnswer,
    LevelAnswer,
    PositionAnswer,
    ServerAnswer,
)
from reversi.web.faults import REFUSED, refusals
from reversi.web.positions import describe, read_board
from reversi.web.requests import PositionRequest
from reversi.web.settings import MOVES_MAX, SOLVE_EMPTIES_MAX, Settings

router = APIRouter(tags=["positions"])


@router.get("/api", responses=refusals(403))
async def server(request: Request) -> ServerAnswer:
    """What runs here, and how much it allows."""
    return describe_server(request.app.state.settings)


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


@router.post("/api/position", responses=REFUSED)
async def position(body: PositionRequest) -> PositionAnswer:
    """A position: its discs, legal moves and what they turn, the moves made, the end."""
    return describe(read_board(body.position))


@router.post("/api/evaluate", responses=REFUSED)
async def evaluation(body: PositionRequest) -> EvaluationAnswer:
    """Both evaluations of a position, without a search."""
    board = read_board(body.position)
    return EvaluationAnswer(
        classic=ClassicTerms.model_validate(evaluate(board)), learned=learned_value(board)
    )

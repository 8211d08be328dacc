"""The paths that need no search: the server itself, positions, evaluations."""

from __future__ import annotations

from fastapi import APIRouter, Request

from reversi import evaluate, learned_value
from reversi.web.about import describe_server
from reversi.web.answers import ClassicTerms, EvaluationAnswer, PositionAnswer, ServerAnswer
from reversi.web.faults import REFUSED, refusals
from reversi.web.positions import describe, read_board
from reversi.web.requests import PositionRequest

router = APIRouter(tags=["positions"])


@router.get("/api", responses=refusals(403))
async def server(request: Request) -> ServerAnswer:
    """What runs here, and how much it allows."""
    return describe_server(request.app.state.settings)


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

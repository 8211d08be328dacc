"""The paths that search: the best move, the exact end."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from reversi import Engine, SearchInfo
from reversi.checks import check_wishes
from reversi.web.answers import SearchAnswer, SolveAnswer, search_answer
from reversi.web.faults import SEARCH_REFUSED, Fault
from reversi.web.limits import check_threads, plays_by_chance, read_limit
from reversi.web.positions import read_board
from reversi.web.requests import Limit, SearchRequest, SolveLimit, SolveRequest
from reversi.web.searches import Search, Searches
from reversi.web.settings import SOLVE_EMPTIES_MAX, Settings
from reversi.web.streams import EventStream, answer_of, event_stream

router = APIRouter(tags=["searches"])


@router.post("/api/search", responses=SEARCH_REFUSED)
async def search(body: SearchRequest, request: Request) -> SearchAnswer:
    """The best move of a position."""
    return await answer_of(await _begin_search(body, request), request)


@router.post(
    "/api/search/stream",
    responses=SEARCH_REFUSED | event_stream(SearchAnswer, SearchAnswer),
    response_class=Response,
)
async def search_stream(body: SearchRequest, request: Request) -> EventStream:
    """The best move of a position, and before it an `info` for each step of the search."""
    return EventStream(await _begin_search(body, request))


async def _begin_search(body: SearchRequest, request: Request) -> Search[SearchAnswer]:
    board = read_board(body.position)
    settings: Settings = request.app.state.settings
    limit = read_limit(body.limit or Limit(time_ms=settings.time_ms_usual), settings)
    check_threads(body.threads, settings)
    try:
        check_wishes(body.evaluator, body.multipv, None, None)
    except ValueError as error:
        raise Fault(422, "limit", str(error), "multipv") from None
    if body.multipv > 1 and plays_by_chance(limit):
        message = f"multipv is {body.multipv}; expected 1 with level {limit.level}, a chance level"
        raise Fault(422, "limit", message, "multipv")

    def work(search: Search[Any]) -> SearchAnswer:
        def on_info(info: SearchInfo) -> None:
            search.tell(search_answer(info, board.turn))

        found = search.engine.search(board, limit, multipv=body.multipv, on_info=on_info)
        return search_answer(found, board.turn)

    engine = Engine(threads=body.threads, evaluator=body.evaluator)
    searches: Searches = request.app.state.searches
    return await searches.begin(engine, work, settings.time_ms)


@router.post("/api/solve", responses=SEARCH_REFUSED)
async def solve(body: SolveRequest, request: Request) -> SolveAnswer:
    """The exact value at the end of the game, with the best moves and a line."""
    board = read_board(body.position)
    settings: Settings = request.app.state.settings
    if body.limit is None and board.empties > SOLVE_EMPTIES_MAX:
        message = (
            f"{board.empties} squares are empty; expected {SOLVE_EMPTIES_MAX} at the most, or a"
            " limit"
        )
        raise Fault(422, "limit", message, "limit")
    wished = body.limit or SolveLimit()
    time_ms = settings.time_ms if wished.time_ms is None else wished.time_ms
    limit = read_limit(Limit(time_ms=time_ms, nodes=wished.nodes), settings)

    def work(search: Search[Any]) -> SolveAnswer:
        solution = search.engine.solve(board, body.scoring, every_move=body.every_move, limit=limit)
        return SolveAnswer.model_validate(solution)

    searches: Searches = request.app.state.searches
    return await answer_of(await searches.begin(Engine(), work), request)

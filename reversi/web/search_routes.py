"""The paths that search: the best move, the exact end."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from reversi import Engine, SearchInfo
from reversi import Limit as SearchLimit
from reversi.checks import check_wishes
from reversi.levels import level_of
from reversi.web.answers import SearchAnswer, SolveAnswer, search_answer
from reversi.web.faults import REFUSED, Fault, refusals
from reversi.web.positions import read_board
from reversi.web.requests import Limit, SearchRequest, SolveLimit, SolveRequest
from reversi.web.searches import Search, Searches, Tell
from reversi.web.settings import SOLVE_EMPTIES_MAX, Settings
from reversi.web.streams import EventStream, answer_of, event_stream

router = APIRouter(tags=["searches"])

_USUAL_MS = 4000
_REFUSED = REFUSED | refusals(429, 503)


@router.post("/api/search", responses=_REFUSED)
async def search(body: SearchRequest, request: Request) -> SearchAnswer:
    """The best move of a position."""
    return await answer_of(await _begin_search(body, request), request)


@router.post(
    "/api/search/stream",
    responses=_REFUSED | event_stream(SearchAnswer),
    response_class=Response,
)
async def search_stream(body: SearchRequest, request: Request) -> EventStream:
    """The best move of a position, and before it an `info` for each step of the search."""
    return EventStream(await _begin_search(body, request))


async def _begin_search(body: SearchRequest, request: Request) -> Search[SearchAnswer]:
    board = read_board(body.position)
    settings: Settings = request.app.state.settings
    limit = read_limit(body.limit or Limit(time_ms=min(_USUAL_MS, settings.time_ms)), settings)
    check_threads(body.threads, settings)
    try:
        check_wishes(body.evaluator, body.multipv, None, None)
    except ValueError as error:
        raise Fault(422, "limit", str(error), "multipv") from None
    by_chance = limit.level is not None and level_of(limit.level).slack > 0
    if body.multipv > 1 and by_chance:
        message = f"multipv is {body.multipv}; expected 1 with level {limit.level}, a chance level"
        raise Fault(422, "limit", message, "multipv")

    def work(engine: Engine, tell: Tell) -> SearchAnswer:
        def on_info(info: SearchInfo) -> None:
            tell(search_answer(info, board.turn))

        found = engine.search(board, limit, multipv=body.multipv, on_info=on_info)
        return search_answer(found, board.turn)

    engine = Engine(threads=body.threads, evaluator=body.evaluator)
    searches: Searches = request.app.state.searches
    return await searches.begin(engine, work, settings.time_ms)


@router.post("/api/solve", responses=_REFUSED)
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

    def work(engine: Engine, _tell: Tell) -> SolveAnswer:
        solution = engine.solve(board, body.scoring, every_move=body.every_move, limit=limit)
        return SolveAnswer.model_validate(solution)

    searches: Searches = request.app.state.searches
    return await answer_of(await searches.begin(Engine(), work), request)


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

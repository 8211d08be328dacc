"""The path that analyses a whole game, move by move from its end."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from fastapi import APIRouter, Request, Response

from reversi import Engine, Game, GameAnalysis, Limit, SearchStopped
from reversi.analysis.results import MoveAnalysis
from reversi.analysis.review import DEFAULT_LIMIT, analyse_moves
from reversi.web.answers import AnalysisAnswer, MoveAnswer, ProgressAnswer
from reversi.web.faults import SEARCH_REFUSED, Fault
from reversi.web.limits import check_threads, plays_by_chance, read_limit
from reversi.web.positions import read_game
from reversi.web.requests import AnalyseRequest
from reversi.web.searches import Search, Searches
from reversi.web.settings import Settings
from reversi.web.streams import EventStream, event_stream

router = APIRouter(tags=["searches"])


@router.post(
    "/api/analyse/stream",
    responses=SEARCH_REFUSED | event_stream(ProgressAnswer, AnalysisAnswer),
    response_class=Response,
)
async def analyse_stream(body: AnalyseRequest, request: Request) -> EventStream:
    """Each move of a game beside the best one: an `info` for each as it is analysed, the last move
    of the game first, then all of them together."""
    game = read_game(body.position)
    settings: Settings = request.app.state.settings
    limit = DEFAULT_LIMIT if body.limit is None else read_limit(body.limit, settings)
    check_threads(body.threads, settings)
    if plays_by_chance(limit):
        message = f"level is {limit.level}; expected 5 to 60: lower ones play by chance"
        raise Fault(422, "limit", message, "limit.level")

    def work(search: Search[Any]) -> AnalysisAnswer:
        return _analyse(search, game, limit, body.exact_empties)

    searches: Searches = request.app.state.searches
    engine = Engine(threads=body.threads)
    return EventStream(await searches.begin(engine, work, settings.time_ms))


def _analyse(search: Search[Any], game: Game, limit: Limit, exact_empties: int) -> AnalysisAnswer:
    """The analysis of a game, or of its last moves where the search was stopped."""
    total = len(game)
    moves: list[MoveAnalysis] = []
    with suppress(SearchStopped):
        for move in analyse_moves(game, limit, exact_empties=exact_empties, engine=search.engine):
            if search.stopping:
                break
            moves.append(move)
            answer = MoveAnswer.model_validate(move.as_dict())
            search.tell(ProgressAnswer(done=len(moves), total=total, move=answer))
    analysis = GameAnalysis(game, tuple(reversed(moves)), limit, exact_empties)
    return AnalysisAnswer.model_validate(analysis.as_dict())

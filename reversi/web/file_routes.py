"""The paths that read and write games as text."""

from __future__ import annotations

import asyncio
from io import BytesIO

from fastapi import APIRouter, Request

from reversi import AmbiguousError, FormatError, Game, Node, Pasted, parse_any
from reversi.formats import FORMATS
from reversi.web.answers import (
    ExportAnswer,
    GameAnswer,
    ImportAnswer,
    ImportErrorAnswer,
    NoteAnswer,
)
from reversi.web.faults import REFUSED, Fault
from reversi.web.positions import read_game
from reversi.web.requests import ExportRequest, ImportRequest
from reversi.web.settings import GAMES_MAX, TEXT_MAX

router = APIRouter(tags=["games"])


@router.post("/api/import", responses=REFUSED | {422: {**REFUSED[422], "model": ImportErrorAnswer}})
async def import_text(body: ImportRequest, request: Request) -> ImportAnswer:
    """The games in a pasted text, whatever it is: transcript, board, OBF, GGF, SGF or JSON."""
    if len(body.text) > TEXT_MAX:
        message = f"the text has {len(body.text)} characters; expected {TEXT_MAX} at the most"
        raise Fault(422, "limit", message, "text")
    # One after the other: while twelve were read at once, other requests were answered in 241 ms
    # (median), while one was, in 16.
    async with request.app.state.reading:
        return await asyncio.to_thread(_read, body.text)


def _read(text: str) -> ImportAnswer:
    try:
        return _answer(parse_any(text))
    except AmbiguousError as error:
        readings = [_answer(reading).model_dump() for reading in error.readings]
        more = {"readings": readings}
        raise Fault(422, "ambiguous", str(error), "text", more=more) from None
    except FormatError as error:
        raise Fault(422, "format", str(error), "text") from None


def _answer(pasted: Pasted) -> ImportAnswer:
    return ImportAnswer.model_validate(
        {
            "format": pasted.format,
            "description": pasted.description,
            "total": len(pasted.games),
            "games": [_game(game) for game in pasted.games[:GAMES_MAX]],
        }
    )


def _game(game: Game) -> GameAnswer:
    nodes = list(game.main_line())
    return GameAnswer(
        start=game.start.obf(),
        moves=[node.name for node in nodes],
        headers=game.headers,
        notes=[_note(node) for node in nodes],
    )


def _note(node: Node) -> NoteAnswer | None:
    if node.value is None and node.seconds is None and not node.comment:
        return None
    return NoteAnswer.model_validate(node)


@router.post("/api/export", responses=REFUSED)
def export(body: ExportRequest) -> ExportAnswer:
    """A game as text in one of the formats."""
    game = read_game(body.position)
    game.headers.update(body.headers)
    chosen = FORMATS[body.format]
    file = BytesIO()
    try:
        if chosen.check is not None:
            chosen.check(game)
        chosen.write(file, [game])
    except FormatError as error:
        raise Fault(422, "format", str(error), "headers") from None
    return ExportAnswer(text=file.getvalue().decode(), file_name=f"game{chosen.suffixes[0]}")

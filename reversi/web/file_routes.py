"""The paths that read and write games as text."""

from __future__ import annotations

from io import BytesIO

from fastapi import APIRouter

from reversi import FormatError
from reversi.formats import FORMATS
from reversi.web.answers import ExportAnswer
from reversi.web.faults import REFUSED, Fault
from reversi.web.positions import read_game
from reversi.web.requests import ExportRequest

router = APIRouter(tags=["games"])


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

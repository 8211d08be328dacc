"""What clients may ask for: the bodies of requests, with the limits that hold for everyone."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from reversi.analysis.review import EXACT_EMPTIES
from reversi.limits import MAX_LEVEL
from reversi.web.faults import Fault
from reversi.web.settings import MOVES_MAX, SOLVE_EMPTIES_MAX, TIME_MS_USUAL

_MOVE = "^([a-h][1-8]|pass)$"


def _whole(text: str) -> str:
    """The text; raises ValueError for half a surrogate pair, which JSON can hold and no file."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"character {error.start} is half of a pair") from None
    return text


Text = Annotated[str, AfterValidator(_whole)]
Evaluator = Literal["pattern", "classic"]


async def check_media_type(request: Request) -> None:
    """Raises Fault for a body that is not sent as JSON."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if request.method == "POST" and media_type != "application/json":
        message = f"the content type is {media_type!r}; expected 'application/json'"
        raise Fault(415, "content_type", message)


class _Body(BaseModel):
    """Types are taken as they are: ``"8"`` is no number. Fields that nobody knows are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Position(_Body):
    """A start board and the moves made from it."""

    start: Annotated[
        str | None,
        Field(
            max_length=200,
            description="The board before the first move in OBF; the usual one if left out.",
            json_schema_extra={"pattern": "^[-XO]{64} [XO]$"},
        ),
    ] = None
    moves: Annotated[
        list[Annotated[str, Field(max_length=8, json_schema_extra={"pattern": _MOVE})]],
        Field(
            max_length=MOVES_MAX,
            description="Squares and passes (`pass`); forced passes may be left out.",
            examples=[["f5", "d6", "c3"]],
        ),
    ] = []


class Limit(_Body):
    """When a search ends: at the first of these, of which one at least is given."""

    time_ms: Annotated[int | None, Field(ge=0, description="Thinking time.")] = None
    level: Annotated[
        int | None, Field(ge=0, le=MAX_LEVEL, description="Strength; below 5 by chance.")
    ] = None
    depth: Annotated[int | None, Field(ge=1, le=60, description="Plies.")] = None
    nodes: Annotated[int | None, Field(ge=1, description="Positions.")] = None


class PositionRequest(_Body):
    """A position."""

    position: Position = Position()


class SearchRequest(PositionRequest):
    """A position to be searched."""

    limit: Annotated[
        Limit | None,
        Field(
            description=f"If left out: {TIME_MS_USUAL} ms, or what the server allows.",
            examples=[{"time_ms": 1000}],
        ),
    ] = None
    evaluator: Annotated[
        Evaluator, Field(description="Learned from games, or eight terms added up.")
    ] = "pattern"
    threads: Annotated[int, Field(ge=1)] = 1
    multipv: Annotated[
        int, Field(ge=1, le=64, description="How many moves get a value and a line of their own.")
    ] = 1


class SolveLimit(_Body):
    """When a solve ends with what is proved by then: at the first of these."""

    time_ms: Annotated[int | None, Field(ge=0)] = None
    nodes: Annotated[int | None, Field(ge=1)] = None


class SolveRequest(PositionRequest):
    """A position to be solved."""

    limit: Annotated[
        SolveLimit | None,
        Field(description=f"Required above {SOLVE_EMPTIES_MAX} empty squares."),
    ] = None
    scoring: Annotated[
        Literal["tournament", "discs"],
        Field(description="The winner gets the empty squares, or discs alone count."),
    ] = "tournament"
    every_move: Annotated[bool, Field(description="Give the value of each move.")] = False


class AnalyseRequest(PositionRequest):
    """A game to be analysed."""

    limit: Annotated[
        Limit | None,
        Field(
            description="What a move may take; level 21 and 4000 ms if left out.",
            examples=[{"level": 10}],
        ),
    ] = None
    exact_empties: Annotated[
        int,
        Field(ge=0, le=SOLVE_EMPTIES_MAX, description="Solve from so many empty squares on."),
    ] = EXACT_EMPTIES
    threads: Annotated[int, Field(ge=1)] = 1


class ImportRequest(_Body):
    """A game or position, pasted as text."""

    text: Annotated[Text, Field(examples=["1. f5 d6 2. c3 d3"])]


class ExportRequest(PositionRequest):
    """A game to be written."""

    format: Literal["transcript", "obf", "ggf", "sgf", "json"]
    headers: Annotated[
        dict[Text, Text],
        Field(max_length=50, examples=[{"black": "Ann", "white": "Bo"}]),
    ] = {}

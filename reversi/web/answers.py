"""What the API answers: the bodies of responses, and how they are made of what the engine gives."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from reversi import BLACK, Color, SearchInfo, SearchResult
from reversi import Certainty as CertaintyFound

Side = Literal["black", "white"]
Discs = Annotated[float, Field(description="Discs, in the view of the side to move.")]


def side_name(color: Color) -> Side:
    """``"black"`` or ``"white"``."""
    return "black" if color is BLACK else "white"


class ErrorBody(BaseModel):
    """What is wrong."""

    message: str
    where: Annotated[str | None, Field(examples=["position.moves[3]"])]
    kind: Annotated[str, Field(examples=["illegal_move"])]


class ErrorAnswer(BaseModel):
    """A request that cannot be answered."""

    error: ErrorBody


class LevelAnswer(BaseModel):
    """A level of play."""

    level: int
    depth: int
    exact_empties: int


class ServerAnswer(BaseModel):
    """The server and its limits."""

    name: str
    version: str
    build: Annotated[str, Field(description="The build of the core that runs.")]
    threads_max: int
    time_ms_max: int
    searches_max: int
    moves_max: int
    solve_empties_max: int
    levels: list[LevelAnswer]


class OutcomeAnswer(BaseModel):
    """How a game ended, in black's view."""

    winner: Side | None
    discs: int
    tournament: Annotated[int, Field(description="The empty squares given to the winner.")]
    termination: Annotated[str, Field(examples=["full board"])]


class PositionAnswer(BaseModel):
    """A position, what is legal in it and how it came about."""

    obf: str
    black: int
    white: int
    empties: int
    turn: Side
    legal: list[str]
    flips: Annotated[
        dict[str, list[str]], Field(description="For each legal square the discs that it turns.")
    ]
    last: str | None
    moves: Annotated[list[str], Field(description="All moves made, with the forced passes.")]
    sides: Annotated[list[Side], Field(description="Whose move each of them was.")]
    over: bool
    outcome: OutcomeAnswer | None


class ClassicTerms(BaseModel):
    """The eight terms of the classic evaluation, in the view of the side to move."""

    material: int
    positional: int
    mobility: int
    corners: int
    frontier: int
    parity: int
    danger: int
    stable: int
    total: int


class EvaluationAnswer(BaseModel):
    """Both evaluations of a position."""

    classic: ClassicTerms
    learned: Discs


class CertaintyAnswer(BaseModel):
    """How sure a value is."""

    kind: Literal["exact", "bound", "search"]
    depth: int
    selectivity: Annotated[int, Field(description="Percent; 100: nothing was left out.")]
    lower: int | None
    upper: int | None


class LineAnswer(BaseModel):
    """A move, its value and the line expected after it."""

    move: str
    value: Discs | None
    pv: list[str]


class SearchAnswer(BaseModel):
    """The best move found, or one completed step on the way to it."""

    move: Annotated[str | None, Field(description="A square, `pass`, or null: the game is over.")]
    side: Side
    source: Literal["engine"]
    depth: int
    nodes: int
    nps: float
    elapsed_ms: float
    score: Annotated[
        int, Field(description="Hundredths of a disc; solved: 10,000,000 and 10,000 a disc.")
    ]
    value: Discs | None
    exact: bool
    certainty: CertaintyAnswer | None
    pv: list[str]
    lines: list[LineAnswer]
    passed: bool
    game_over: bool


def search_answer(found: SearchInfo | SearchResult, side: Color) -> SearchAnswer:
    """The answer for a search's result, or for one of its steps."""
    return SearchAnswer(
        move=found.move,
        side=side_name(side),
        source="engine",
        depth=found.depth,
        nodes=found.nodes,
        nps=found.nps,
        elapsed_ms=found.elapsed_ms,
        score=found.score,
        value=found.value,
        exact=found.exact,
        certainty=_certainty(found.certainty),
        pv=list(found.pv),
        lines=[LineAnswer(move=x.move, value=x.value, pv=list(x.pv)) for x in found.lines],
        passed=isinstance(found, SearchResult) and found.passed,
        game_over=isinstance(found, SearchResult) and found.game_over,
    )


def _certainty(found: CertaintyFound | None) -> CertaintyAnswer | None:
    if found is None:
        return None
    return CertaintyAnswer(
        kind=found.kind,
        depth=found.depth,
        selectivity=found.selectivity,
        lower=found.lower,
        upper=found.upper,
    )

"""What the API answers: the bodies of responses, and how they are made of what the engine gives."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from reversi import BLACK, Color, SearchInfo, SearchResult
from reversi.web.faults import ErrorAnswer

Side = Literal["black", "white"]
Discs = Annotated[float, Field(description="Discs, in the view of the side to move.")]


def side_name(color: Color) -> Side:
    """``"black"`` or ``"white"``."""
    return "black" if color is BLACK else "white"


class _Answer(BaseModel):
    """A body that can be made of what the engine gives."""

    model_config = ConfigDict(from_attributes=True)


class LevelAnswer(_Answer):
    """A level of play."""

    level: int
    depth: int
    exact_empties: int
    chance: Annotated[bool, Field(description="Whether it plays by chance.")]


class OutcomeAnswer(_Answer):
    """How a game ended, in black's view."""

    winner: Side | None
    discs: int
    tournament: Annotated[int, Field(description="The empty squares given to the winner.")]
    termination: Annotated[str, Field(examples=["full board"])]


class PositionAnswer(_Answer):
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


class ServerAnswer(_Answer):
    """The server and its limits."""

    name: str
    version: str
    build: Annotated[str, Field(description="The build of the core that runs.")]
    threads_max: int
    time_ms_max: int
    time_ms_usual: Annotated[int, Field(description="The time of a search without a limit.")]
    searches_max: int
    moves_max: int
    solve_empties_max: int
    levels: list[LevelAnswer]
    start: Annotated[PositionAnswer, Field(description="The position that games begin with.")]


class ClassicTerms(_Answer):
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


class EvaluationAnswer(_Answer):
    """Both evaluations of a position."""

    classic: ClassicTerms
    learned: Discs


class CertaintyAnswer(_Answer):
    """How sure a value is."""

    kind: Literal["exact", "bound", "search"]
    depth: int
    selectivity: Annotated[int, Field(description="Percent; 100: nothing was left out.")]
    lower: int | None
    upper: int | None


class LineAnswer(_Answer):
    """A move, its value and the line expected after it."""

    move: str
    value: Discs | None
    pv: list[str]


class SearchAnswer(_Answer):
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
    named = {"side": side_name(side), "source": "engine"}
    return SearchAnswer.model_validate(
        {"passed": False, "game_over": False} | asdict(found) | named
    )


class SolveAnswer(_Answer):
    """What is proved of the end of the game."""

    value: Annotated[int, Field(description="What lies nearest 0 between the bounds.")]
    exact: bool
    lower: int
    upper: int
    outcome: Literal["win", "draw", "loss"] | None
    best_move: str | None
    best_moves: list[str]
    pv: list[str]
    values: Annotated[dict[str, int], Field(description="Each move's exact value, if asked for.")]
    scoring: Literal["tournament", "discs"]
    nodes: int
    elapsed_ms: float


class MoveAnswer(_Answer):
    """A move of a game beside the best one; values in the view of the side that moves."""

    number: int
    side: Side
    move: str
    empties: Annotated[int, Field(description="Empty squares before the move.")]
    choices: Annotated[int, Field(description="Legal moves before it.")]
    value: float
    certainty: CertaintyAnswer
    best_value: float
    best_certainty: CertaintyAnswer
    best_moves: list[str]
    line: Annotated[list[str], Field(description="Best play from the best move on.")]
    loss: Annotated[float | None, Field(description="What the move costs; null for a pass.")]
    mark: Literal["blunder", "mistake", "inaccuracy"] | None


class ProgressAnswer(_Answer):
    """A move that has just been analysed: the last one of the game comes first."""

    done: int
    total: int
    move: MoveAnswer


class TallyAnswer(_Answer):
    """What the moves of a side come to."""

    moves: int
    choices: int
    best_share: float | None
    mean_loss: float | None
    total_loss: float
    inaccuracies: int
    mistakes: int
    blunders: int


class PlayerAnswer(_Answer):
    """How a side played: all its moves, and those whose loss is proved."""

    side: Side
    whole: TallyAnswer
    exact: TallyAnswer


class AnalysisAnswer(_Answer):
    """A game that was analysed; of one that was broken off the last moves."""

    complete: bool
    exact_empties: int
    outcome: OutcomeAnswer | None
    moves: list[MoveAnswer]
    players: list[PlayerAnswer]


class ExportAnswer(_Answer):
    """A game as text."""

    text: str
    file_name: str


class NoteAnswer(_Answer):
    """What is noted of a move: its value in the view of the side that made it."""

    value: float | None
    seconds: float | None
    comment: str


class GameAnswer(_Answer):
    """The main line of a game."""

    start: str
    moves: Annotated[list[str], Field(description="With the forced passes.")]
    headers: dict[str, str]
    notes: Annotated[list[NoteAnswer | None], Field(description="One for each move.")]


class ImportAnswer(_Answer):
    """What a text was taken for, and the games in it."""

    format: Literal["transcript", "obf", "ggf", "sgf", "json", "board"]
    description: Annotated[str, Field(examples=["a transcript, 4 moves"])]
    total: int
    games: Annotated[list[GameAnswer], Field(description="The first of them.")]


class ImportErrorAnswer(ErrorAnswer):
    """A text that cannot be read, or in several ways: then all of them are here."""

    readings: list[ImportAnswer] = Field(default_factory=list)

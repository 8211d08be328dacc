"""What the engine's calls accept; each refusal says what came and what was expected."""

from __future__ import annotations

from typing import Any

from reversi._load import core
from reversi.board import Board
from reversi.errors import SearchStopped
from reversi.limits import Limit, check_integer
from reversi.plans import PERCENT

EVALUATORS = ("pattern", "classic")


def check_settings(
    threads: object,
    evaluator: object,
    exact_endgame_empties: object,
    use_ordering: object,
    weights: object,
) -> None:
    """Raises ValueError for settings of an engine that are out of range or contradict."""
    check_integer("threads", threads, 1)
    check_integer("exact_endgame_empties", exact_endgame_empties, 0, 60)
    if evaluator not in EVALUATORS:
        raise ValueError(f"evaluator is {evaluator!r}; expected 'pattern' or 'classic'")
    if evaluator == "pattern" and not use_ordering:
        raise ValueError(f"use_ordering is {use_ordering!r}; expected True, or evaluator='classic'")
    if evaluator == "classic" and weights is not None:
        raise ValueError(f"weights is {weights!r}; expected None: the classic evaluator has none")


def check_board(board: object) -> None:
    """Raises TypeError for what is no board."""
    if not isinstance(board, Board):
        raise TypeError(f"board is {board!r}; expected a Board (Board.from_cells makes one)")


def check_search(board: object, limit: object) -> None:
    """Raises TypeError for what is no board or no limit."""
    check_board(board)
    if not isinstance(limit, Limit):
        raise TypeError(f"limit is {limit!r}; expected a Limit, such as Limit(time_ms=1000)")


def check_wishes(evaluator: str, multipv: object, selectivity: object, trace: Any) -> None:
    """Raises ValueError for what a search by this evaluator does not offer."""
    check_integer("multipv", multipv, 1)
    if evaluator == "pattern":
        if selectivity not in (None, *PERCENT):
            steps = ", ".join(map(str, PERCENT))
            raise ValueError(f"selectivity is {selectivity!r}; expected one of {steps}, or None")
        if trace is not None:
            raise ValueError("a trace is given; expected evaluator='classic', which has one")
    elif multipv != 1:
        raise ValueError(f"multipv is {multipv!r}; expected 1 with evaluator='classic'")
    elif selectivity not in (None, 100):
        raise ValueError(f"selectivity is {selectivity!r}; expected 100 with evaluator='classic'")


_ANY_LIMIT = Limit(nodes=1)


def check_solve(board: object, scoring: object, limit: Limit | None) -> None:
    """Raises for what cannot be solved, or not so."""
    check_search(board, _ANY_LIMIT if limit is None else limit)
    if scoring not in ("tournament", "discs"):
        raise ValueError(f"scoring is {scoring!r}; expected 'tournament' or 'discs'")
    if limit and (limit.depth is not None or limit.level is not None):
        name, value = ("depth", limit.depth) if limit.depth is not None else ("level", limit.level)
        raise ValueError(f"{name} is {value}; a solve goes to the end, expected time_ms or nodes")


def check_not_stopped(*searchers: core.Searcher) -> None:
    """Raises SearchStopped where the engine's stop() ended one of the searches."""
    if any(searcher.stopped and searcher.told_to_stop for searcher in searchers):
        raise SearchStopped("the search was stopped before it had an answer")

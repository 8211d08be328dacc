"""A fast Reversi (Othello) engine, exact endgame solver and board library.

>>> import reversi
>>> board = reversi.Board()
>>> board.push("f5")
>>> len(board.legal_moves)
3
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

from reversi import squares as _squares
from reversi._load import CpuInfo, cpu_info
from reversi.board import Board, Outcome, Termination
from reversi.calls import compare, learned_value, search_best_move, solve, solve_many
from reversi.engine import Engine
from reversi.errors import (
    EngineError,
    FormatError,
    IllegalMoveError,
    InvalidBoardError,
    InvalidMoveError,
    SearchStopped,
    WeightsError,
)
from reversi.evaluation import evaluate
from reversi.game import Game
from reversi.limits import Limit, budget_ms
from reversi.node import Node
from reversi.results import (
    Certainty,
    Comparison,
    Evaluation,
    Line,
    SearchInfo,
    SearchResult,
    Solution,
    TableStats,
)
from reversi.squares import *  # noqa: F403  (A1 to H8, PASS, the colours and the names)

if _TYPE_CHECKING:
    from reversi.analysis import GameAnalysis, MoveAnalysis, analyse_game
    from reversi.formats import read_games, write_games
    from reversi.formats.paste import AmbiguousError, Pasted, parse_any
    from reversi.protocols.process import Answer, EngineProcess

__version__ = "0.1.0"

__all__ = [
    "AmbiguousError",
    "Answer",
    "Board",
    "Certainty",
    "Comparison",
    "CpuInfo",
    "Engine",
    "EngineError",
    "EngineProcess",
    "Evaluation",
    "FormatError",
    "Game",
    "GameAnalysis",
    "IllegalMoveError",
    "InvalidBoardError",
    "InvalidMoveError",
    "Limit",
    "Line",
    "MoveAnalysis",
    "Node",
    "Outcome",
    "Pasted",
    "SearchInfo",
    "SearchResult",
    "SearchStopped",
    "Solution",
    "TableStats",
    "Termination",
    "WeightsError",
    "analyse_game",
    "budget_ms",
    "compare",
    "cpu_info",
    "evaluate",
    "learned_value",
    "parse_any",
    "read_games",
    "search_best_move",
    "solve",
    "solve_many",
    "write_games",
]
__all__ += _squares.__all__

# Loaded when one of them is asked for: together they take as long as all the rest.
_LATER = {
    "reversi.analysis": ("GameAnalysis", "MoveAnalysis", "analyse_game"),
    "reversi.formats": ("read_games", "write_games"),
    "reversi.formats.paste": ("AmbiguousError", "Pasted", "parse_any"),
    "reversi.protocols.process": ("Answer", "EngineProcess"),
}
_ROOMS = {name: room for room, names in _LATER.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _ROOMS:
        raise AttributeError(f"module 'reversi' has no attribute {name!r}")
    value = globals()[name] = getattr(_import_module(_ROOMS[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])

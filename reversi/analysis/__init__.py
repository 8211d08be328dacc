"""Judging games move by move, and finding puzzles in them: what an engine makes of a game."""

from reversi.analysis.results import GameAnalysis, MoveAnalysis, Player, Tally
from reversi.analysis.review import analyse_game, analyse_moves

__all__ = [
    "GameAnalysis",
    "MoveAnalysis",
    "Player",
    "Tally",
    "analyse_game",
    "analyse_moves",
]

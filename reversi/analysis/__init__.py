"""Judging games move by move, and finding puzzles in them: what an engine makes of a game."""

from reversi.analysis.graph import graph_svg
from reversi.analysis.page import html_page
from reversi.analysis.plot import write_png
from reversi.analysis.puzzles import Puzzle, find_puzzles
from reversi.analysis.results import GameAnalysis, MoveAnalysis, Player, Tally
from reversi.analysis.review import analyse_game, analyse_moves
from reversi.analysis.selfplay import self_play

__all__ = [
    "GameAnalysis",
    "MoveAnalysis",
    "Player",
    "Puzzle",
    "Tally",
    "analyse_game",
    "analyse_moves",
    "find_puzzles",
    "graph_svg",
    "html_page",
    "self_play",
    "write_png",
]

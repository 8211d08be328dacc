"""What the tests of file formats share: random games by number, and the board that must pass."""

from __future__ import annotations

from itertools import count, islice
from random import Random

from reversi import PASS, Board, Game

# Not over: black passes, then white has g5 and h6. Other programs take it for a finished game.
MUST_PASS = Board.from_obf("OOOXXXXOOOOOOOOOOOOOOXOXOOOOXOXXOOOOXX-XOOOOOXX-OOXXXOXXOOOOOOOO X")


def random_game(seed: int, plies: int = 200, start: Board | None = None) -> Game:
    """The random game of a number, to its end or broken off, with headers and the right result."""
    chance = Random(seed)
    board = Board() if start is None else start.copy()
    while board.legal_moves and plies:
        board.push(chance.choice(list(board.legal_moves)))
        plies -= 1
    game = Game.from_board(board)
    game.headers = {"black": f"Black {seed % 7}", "white": f"White {seed % 5}"}
    outcome = board.outcome()
    if outcome is not None:
        game.headers["result"] = f"{outcome.tournament:+d}"
    return game


def with_notes(game: Game, seed: int) -> Game:
    """The same game with a value and a time for each move."""
    chance = Random(seed)
    for node in game.main_line():
        node.value = chance.choice([None, 0.5, -48.0, chance.uniform(-64, 64)])
        node.seconds = chance.choice([None, 3.107, chance.uniform(0, 100)])
    return game


def passing_game(number: int = 0) -> Game:
    """A random game in which a side passes, as one in three does."""
    games = (random_game(seed) for seed in count())
    return next(islice((game for game in games if PASS in game.moves), number, None))

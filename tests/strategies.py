"""What hypothesis draws: positions as `reference` knows them, a list of cells and a side."""

from random import Random

import reference
from hypothesis import strategies as st
from reference import BLACK, EMPTY, WHITE, Position

# Integers from a wide range are mostly small; a seed makes words with half of their bits set.
words = st.integers(0, 2**64 - 1) | st.integers(0, 2**32).map(lambda n: Random(n).getrandbits(64))
sides = st.sampled_from([BLACK, WHITE])


@st.composite
def games(draw: st.DrawFn, min_plies: int = 0, max_plies: int = 70) -> list[int]:
    """The moves, forced passes among them, of a random game that may have been broken off."""
    plies = draw(st.integers(min_plies, max_plies))
    choices = draw(st.lists(st.integers(0, 999), min_size=plies, max_size=plies))
    cells, turn = reference.START, BLACK
    moves: list[int] = []
    for choice in choices:
        legal = reference.legal(cells, turn)
        if not legal:
            break
        moves.append(legal[choice % len(legal)])
        cells, turn = reference.play(cells, turn, moves[-1])
    return moves


@st.composite
def game_positions(draw: st.DrawFn, min_plies: int = 0, max_plies: int = 70) -> Position:
    """A position of a random game, finished games included."""
    cells, turn = reference.START, BLACK
    for move in draw(games(min_plies, max_plies)):
        cells, turn = reference.play(cells, turn, move)
    return cells, turn


@st.composite
def odd_boards(draw: st.DrawFn) -> Position:
    """Any two sets of squares that share none: mostly boards that no game leads to."""
    one, other, colors = draw(words), draw(words), draw(words)
    occupied = draw(st.sampled_from([one & other, one, one | other, one | other | draw(words)]))
    return reference.from_bits(occupied & colors, occupied & ~colors), draw(sides)


@st.composite
def crowded_boards(draw: st.DrawFn, min_empties: int = 0, max_empties: int = 8) -> Position:
    """Discs of random colours but for a few empty squares: many passes and early ends."""
    squares = st.integers(0, 63)
    holes = draw(st.sets(squares, min_size=min_empties, max_size=max_empties))
    one, other = draw(words), draw(words)
    colors = draw(st.sampled_from([one, one & other, one | other]))
    cells = reference.from_bits(colors, ~colors & (2**64 - 1))
    return [EMPTY if sq in holes else cells[sq] for sq in range(64)], draw(sides)


@st.composite
def endgames(draw: st.DrawFn, min_empties: int = 0, max_empties: int = 8) -> Position:
    """A position of a random game with few empty squares left, or where the game ended before."""
    empties = draw(st.integers(min_empties, max_empties))
    chooser = draw(st.randoms(use_true_random=False))
    cells, turn = reference.START, BLACK
    while cells.count(EMPTY) > empties and (legal := reference.legal(cells, turn)):
        cells, turn = reference.play(cells, turn, chooser.choice(legal))
    return cells, turn


def few_empties(min_empties: int = 0, max_empties: int = 8) -> st.SearchStrategy[Position]:
    return st.one_of(endgames(min_empties, max_empties), crowded_boards(min_empties, max_empties))


def positions() -> st.SearchStrategy[Position]:
    """Boards from games, boards from nowhere and nearly full ones."""
    return st.one_of(game_positions(), odd_boards(), crowded_boards())

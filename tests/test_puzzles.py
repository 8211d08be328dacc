"""Puzzles: proved again by solves of their own, each once, and the same for the same seed."""

from __future__ import annotations

import re
from itertools import islice, pairwise

import pytest

from reversi import BLACK, Board, Engine, Game, Limit, square_name
from reversi.analysis import Puzzle, find_puzzles, self_play
from reversi.formats import obf

# One best move by 6 discs, which a search of 4 plies finds: d8 -12, e7 -18, e8 -24.
ONE = Board.from_obf("XXXXXXXOXOOOOOXOXOOXOXXXXOXOXOXXOOXXOXXXXXXOXOXXXXXX-OOXXXX----O O")
# Three moves of the same value are best.
THREE = Board.from_transcript(
    "d3e3f6c3f4f5e2d6c6f3c2d2d7e6f7f2c4c7d1d8e1c1b1e7g4g8f1g5h6h4h5h7g6b6b7c5f8e8c8g2g3g7h8b5a7a6"
)


@pytest.fixture(scope="module")
def puzzles() -> list[Puzzle]:
    return list(islice(find_puzzles(self_play(seed=3), empties=(8, 11)), 8))


def values_of(board: Board) -> dict[str, int]:
    """The exact value of each move by a solve of each position after it."""
    values = {}
    for move in board.legal_moves:
        child = board.copy()
        child.push(move)
        with Engine(hash_mb=1) as engine:
            values[square_name(move)] = -engine.solve(child).value
    return values


def test_each_puzzle_is_proved(puzzles):
    for puzzle in puzzles:
        first, second, *_ = sorted(values_of(puzzle.board).values(), reverse=True)
        assert puzzle.values == values_of(puzzle.board)
        assert list(puzzle.values.values()) == sorted(puzzle.values.values(), reverse=True)
        assert puzzle.value == puzzle.values[puzzle.best_move] == first
        assert puzzle.margin == first - second >= 4
        assert 8 <= puzzle.board.empties <= 11
        assert puzzle.board.move_stack == []


def test_the_difficulty_is_what_a_search_needs(puzzles):
    assert all(3 <= puzzle.difficulty <= 11 for puzzle in puzzles)
    for puzzle in puzzles:
        depth = min(10, puzzle.board.empties - 1)
        with Engine(hash_mb=1) as engine:
            steps = list(engine.analyse(puzzle.board, Limit(depth=depth)))
        right = [step.move == puzzle.best_move for step in steps]
        assert all(right[puzzle.difficulty - 1 :]) and not right[puzzle.difficulty - 2]


def swapped(board):
    return Board.from_bitboards(board.white, board.black, board.turn.opponent)


def test_no_puzzle_comes_twice(puzzles):
    pictures = [
        picture
        for puzzle in puzzles
        for board in (puzzle.board, swapped(puzzle.board))
        for picture in board.symmetries()
    ]
    assert len(list(find_puzzles(pictures[:16], empties=(2, 20)))) <= 1
    again = [ONE, *ONE.symmetries(), swapped(ONE), *swapped(ONE).symmetries()]
    assert len(list(find_puzzles(again, empties=5))) == 1
    assert len({board.canonical() for board in (puzzle.board for puzzle in puzzles)}) == 8


def test_the_same_seed_finds_the_same_puzzles(puzzles):
    again = list(islice(find_puzzles(self_play(seed=3), empties=(8, 11)), 3))
    assert again == puzzles[:3]
    [other] = islice(find_puzzles(self_play(seed=4), empties=(8, 11)), 1)
    assert other not in puzzles


def test_the_main_line_of_a_game_is_searched():
    game = Game(ONE)
    game.push("d8")
    assert [puzzle.board for puzzle in find_puzzles([game], empties=5)] == [ONE]
    assert list(find_puzzles([game], empties=4, difficulty=4)) == []
    [found] = find_puzzles([Game(), game, game, ONE], empties=(2, 10))
    assert (found.best_move, found.value, found.margin) == ("d8", -12, 6)
    assert found.as_dict()["values"] == {"d8": -12, "e7": -18, "e8": -24}


def test_what_is_no_puzzle():
    one_move = Board.from_obf("O" * 62 + "X- X")
    over = Board.from_obf("X" * 40 + "O" * 24 + " X")
    assert sorted(values_of(THREE).values())[-3:] == [-4, -4, -4]
    assert list(find_puzzles([THREE, one_move, over], empties=(2, 20), difficulty=1)) == []
    assert list(find_puzzles([ONE], empties=5, margin=8)) == []
    assert list(find_puzzles([ONE], empties=5, margin=6, difficulty=5)) == []
    assert list(find_puzzles([ONE], empties=6)) == []


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        ({"empties": 1}, "empties is 1"),
        ({"empties": (9, 8)}, "empties is 8; expected an integer, 9 to 60"),
        ({"margin": 0}, "margin is 0"),
        ({"difficulty": 12}, "difficulty is 12"),
        ({"empties": 4, "difficulty": 5}, "difficulty is 5; expected an integer, 1 to 4"),
    ],
)
def test_wishes_out_of_range(wish, named):
    with pytest.raises(ValueError, match=named):
        find_puzzles([], **wish)


def test_what_is_no_position_is_named():
    with pytest.raises(TypeError, match="a position is 'f5d6'; expected a Board or a Game"):
        list(find_puzzles(["f5d6"]))


@pytest.mark.parametrize("alone", [ONE, Game.from_board(ONE), 5])
def test_positions_come_in_numbers(alone):
    words = f"positions is {alone!r}; expected several Boards or Games"
    with pytest.raises(TypeError, match=f"^{re.escape(words)}"):
        find_puzzles(alone)


def test_another_engine_is_named():
    with pytest.raises(TypeError, match="engine is 5; expected an Engine, or None"):
        find_puzzles([ONE], engine=5)


def test_a_puzzle_is_written_with_its_values():
    [puzzle] = find_puzzles([ONE], empties=5)
    line = obf.dumps(puzzle.game())
    assert line == f"{ONE.obf()}; D8:-12; E7:-18; E8:-24;"
    assert obf.parse_problem(line).expected == puzzle.value


def test_self_play_goes_on_without_end_and_keeps_to_the_rules():
    boards = list(islice(self_play(seed=7), 1300))
    starts = [i for i, board in enumerate(boards) if board.empties == 60]
    assert len(starts) >= 20 and starts[0] == 0
    assert all(board.legal_moves.mask for board in boards)
    for before, after in pairwise(boards):
        if after.empties != 60:
            children = []
            for move in before.legal_moves:
                child = before.copy()
                child.push(move)
                children.append({child.own, child.opp})
            assert {after.own, after.opp} in children
    assert all((board.turn is BLACK) == (board.empties % 2 == 0) for board in boards)
    with pytest.raises(ValueError, match="seed is -1"):
        self_play(-1)

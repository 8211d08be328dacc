"""The learned evaluation and the search over it, against slow twins that know their definition."""

from __future__ import annotations

import itertools
import random
from typing import Any

import networks
import numpy as np
import pytest
import reference
from hypothesis import given
from reference import Position, own_and_opp
from strategies import few_empties, game_positions, odd_boards

from reversi import Board
from reversi._load import core

PATTERNS = core.patterns()
NETWORK = networks.chance(7)
WEIGHTS = core.Weights(*NETWORK)


def features(position: Position) -> list[int]:
    boards = np.array([own_and_opp(*position)], np.uint64)
    return [int(each) for each in networks.classes_of(boards)[0]]


def evaluated(position: Position) -> int:
    """The evaluation as it is defined."""
    return networks.defined(*NETWORK, features(position))


def some_boards() -> Any:
    """The boards (own, opp) of a few games."""
    rows = np.frombuffer(core.play_games(None, 1, 0, 8, 1), "<u8").reshape(-1, 3)
    return np.ascontiguousarray(rows[:, :2])


def negamax(position: Position, depth: int) -> int:
    """The search's value by definition: no table, no window, no order."""
    cells, turn = position
    moves = reference.legal(cells, turn)
    if not moves:
        own, opp = own_and_opp(cells, turn)
        return core.final_score(own, opp, True) * core.UNIT
    if moves == [64]:
        return -negamax(reference.play(cells, turn, 64), depth)
    if depth == 0:
        return min(64 * core.UNIT, evaluated(position) + core.TEMPO)
    return max(-negamax(reference.play(cells, turn, move), depth - 1) for move in moves)


def board_of(position: Position) -> Board:
    own, opp = own_and_opp(*position)
    return Board(own, opp) if position[1] == reference.BLACK else Board(opp, own, False)


def test_patterns_are_as_many_as_they_should_be_and_cover_the_board() -> None:
    assert 45 <= len(PATTERNS) + len(core.corner_blocks()) <= 65
    assert {sq for _, squares in PATTERNS for sq in squares} == set(range(64))
    assert all(len(set(squares)) == len(squares) for _, squares in PATTERNS)


def test_patterns_of_a_kind_are_all_pictures_of_one_another() -> None:
    for kind, squares in PATTERNS:
        pictures = {frozenset(core.transform_move(sq, i) for sq in squares) for i in range(8)}
        assert pictures == {frozenset(other) for k, other in PATTERNS if k == kind}


def test_corner_blocks_are_pictures_of_one_another_place_by_place() -> None:
    blocks = core.corner_blocks()
    assert {tuple(core.transform_move(sq, i) for sq in blocks[0]) for i in range(8)} == set(blocks)
    assert len(blocks) == 8 and set(blocks[0]) == {0, 1, 2, 8, 9, 10}


def test_every_class_is_of_a_content_or_a_count() -> None:
    last = networks.defined_classes(([reference.BLACK] * 64, reference.BLACK))[-1]
    assert last == core.weight_classes() - 1


@given(game_positions() | odd_boards())
def test_classes_are_those_of_contents_up_to_symmetry_and_of_counts(position: Position) -> None:
    assert features(position) == networks.defined_classes(position)


# The network


@given(game_positions() | odd_boards())
def test_the_evaluation_is_the_networks(position: Position) -> None:
    own, opp = own_and_opp(*position)
    assert WEIGHTS.evaluate(own, opp) == evaluated(position)


def test_inputs_and_units_of_chance_are_clipped_now_and_then() -> None:
    # Else the test above would not see how they are.
    rows, layers = NETWORK
    sums = rows[networks.classes_of(some_boards())].astype(int).sum(axis=1)
    hidden = layers[networks.UNITS].reshape(core.CHANNELS, core.HIDDEN)
    units = (np.clip(sums + 64, 0, 127) @ hidden + layers[networks.BIASES]) >> 6
    for clipped in (sums < -64, sums > 63, units < 0, units > 2047):
        assert 0.02 < clipped.mean() < 0.7


def test_no_value_is_beyond_the_boards() -> None:
    boards = some_boards()
    rows, layers = networks.chance(8, outputs=2500)
    classes = networks.classes_of(boards)
    layers[networks.CONSTANT] -= np.median([networks.uncut(rows, layers, some) for some in classes])
    found = np.zeros(len(boards), np.int16)
    core.Weights(rows, layers).evaluate_boards(boards, found)
    assert found.tolist() == [networks.defined(rows, layers, some) for some in classes]
    for clipped in (found == -64 * core.UNIT, found == 64 * core.UNIT):
        assert 0.02 < clipped.mean() < 0.7


SIGNS = [127, -128], [127, -128], [127, -127], [1 << 24, 0, -(1 << 24)], [16383, -16383]


@pytest.mark.parametrize(("direct", "row", "unit", "bias", "output"), [*itertools.product(*SIGNS)])
def test_no_sum_of_the_largest_numbers_overflows(
    direct: int, row: int, unit: int, bias: int, output: int
) -> None:
    rows, layers = networks.zeros()
    rows[:], rows[:, 0] = row, direct
    layers[networks.INPUTS], layers[networks.BIASES] = unit, bias
    layers[networks.OUTPUTS] = output
    check_about_zero(rows, layers, some_boards()[7:8])


@pytest.mark.parametrize("seed", range(8))
def test_no_sum_of_large_numbers_of_chance_overflows(seed: int) -> None:
    check_about_zero(*networks.farthest(seed), some_boards()[seed::60])


def check_about_zero(rows: Any, layers: Any, boards: Any) -> None:
    """The evaluation by a network whose constant is such that its value lies near 0, where no limit
    hides it."""
    for board, classes in zip(boards.tolist(), networks.classes_of(boards), strict=True):
        layers[networks.CONSTANT] = 0
        constant = 1000 - networks.uncut(rows, layers, classes, object)
        layers[networks.CONSTANT] = max(-(1 << 24), min(constant, 1 << 24))
        wanted = networks.uncut(rows, layers, classes, object)
        # Only the largest sum of all is out of the constant's reach.
        assert wanted == 1000 or abs(wanted) > 64 * core.UNIT
        wanted = max(-64 * core.UNIT, min(wanted, 64 * core.UNIT))
        assert core.Weights(rows, layers).evaluate(*board) == wanted


def test_many_boards_are_evaluated_as_one_is() -> None:
    boards = some_boards()
    found = np.zeros(len(boards), np.int16)
    WEIGHTS.evaluate_boards(boards, found)
    assert found.tolist() == [WEIGHTS.evaluate(own, opp) for own, opp in boards.tolist()]
    with pytest.raises(ValueError, match=f"3 values; expected 2, {len(boards)}"):
        WEIGHTS.evaluate_boards(boards, np.zeros(3, np.int16))
    with pytest.raises(ValueError, match="boards of 1 columns"):
        WEIGHTS.evaluate_boards(np.zeros((3, 1), np.uint64), np.zeros(3, np.int16))
    boards[5] = 3, 2
    with pytest.raises(ValueError, match="b1 holds discs of both colours"):
        WEIGHTS.evaluate_boards(boards, found)


@given(game_positions() | odd_boards())
def test_the_evaluation_is_equal_over_the_symmetries(position: Position) -> None:
    own, opp = own_and_opp(*position)
    for i in range(8):
        assert WEIGHTS.evaluate(core.transform(own, i), core.transform(opp, i)) == (
            WEIGHTS.evaluate(own, opp)
        )


@given(game_positions(max_plies=48))
def test_the_indices_follow_the_moves(position: Position) -> None:
    # A search of one ply evaluates children whose indices came from their parent's.
    board = board_of(position)
    moves = list(board.legal_moves)
    if not moves or moves == [64]:
        return
    searcher = core.Searcher(None, tournament=True, weights=WEIGHTS)
    found = searcher.search_strong(board.own, board.opp, moves, 1, count=len(moves))
    assert found is not None
    cells, turn = position
    wanted = {move: -negamax(reference.play(cells, turn, move), 0) for move in moves}
    assert {move: value for move, value, _ in found} == wanted


@pytest.mark.parametrize("hashed", [False, True])
@pytest.mark.parametrize("depth", [2, 3])
def test_the_search_finds_the_value_of_its_definition(depth: int, hashed: bool) -> None:
    rng = random.Random(depth)
    for _ in range(12):
        cells, turn = reference.START, reference.BLACK
        for _ in range(rng.randrange(4, 52)):
            moves = reference.legal(cells, turn)
            if not moves:
                break
            cells, turn = reference.play(cells, turn, rng.choice(moves))
        moves = reference.legal(cells, turn)
        if not moves or moves == [64]:
            continue
        own, opp = own_and_opp(cells, turn)
        table = core.Table(1) if hashed else None
        searcher = core.Searcher(table, tournament=True, weights=WEIGHTS)
        found = searcher.search_strong(own, opp, moves, depth)
        assert found is not None
        assert found[0][1] == negamax((cells, turn), depth)


@given(few_empties(max_empties=9))
def test_a_search_to_the_end_finds_the_exact_value(position: Position) -> None:
    own, opp = own_and_opp(*position)
    moves = [move for move in reference.legal(*position) if move != 64]
    if not moves:
        return
    exact = core.Searcher(None, tournament=True).prove(own, opp)[0]
    searcher = core.Searcher(core.Table(1), tournament=True, weights=WEIGHTS)
    found = searcher.search_strong(own, opp, moves, 64 - (own | opp).bit_count())
    assert found is not None and found[0][1] == exact * core.UNIT


@pytest.mark.parametrize("tournament", [True, False])
def test_weights_change_no_exact_value(tournament: bool) -> None:
    # Weights of chance order the moves badly, which costs time and nothing else.
    rng = random.Random(3)
    for _ in range(12):
        board = Board()
        while board.empties > 16 and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        plain = core.Searcher(core.Table(4), tournament=tournament)
        learned = core.Searcher(core.Table(4), tournament=tournament, weights=WEIGHTS)
        guess = rng.randrange(-64, 65)
        assert learned.prove(board.own, board.opp, guess=guess) == plain.prove(board.own, board.opp)


def test_the_best_moves_have_their_true_values() -> None:
    board = Board.from_transcript("f5d6c3d3c4f4f6f3e6e7")
    moves = list(board.legal_moves)
    alone = {}
    for move in moves:
        found = core.Searcher(None, weights=WEIGHTS).search_strong(board.own, board.opp, [move], 4)
        assert found is not None
        alone[move] = found[0][1]
    best = core.Searcher(None, weights=WEIGHTS).search_strong(
        board.own, board.opp, moves, 4, count=3
    )
    assert best is not None
    assert [value for _, value, _ in best] == sorted(alone.values(), reverse=True)[:3]
    assert all(alone[move] == value for move, value, _ in best)


def test_weights_of_another_shape_are_refused() -> None:
    rows, layers = NETWORK
    height, width = networks.SHAPE
    with pytest.raises(ValueError, match=f"rows of shape 2 x 3; expected {height} x {width}"):
        core.Weights(np.zeros((2, 3), np.int8), layers)
    with pytest.raises(ValueError, match=f"layers of 3 numbers; expected {core.LAYERS}"):
        core.Weights(rows, layers[:3])
    with pytest.raises(ValueError, match="expected 65 x 65"):
        core.Weights(rows, layers, deviations=np.zeros((2, 2), np.uint16))


@pytest.mark.parametrize(
    ("place", "value", "most"),
    [
        (core.HIDDEN - 1, 1, 0),
        (core.HIDDEN, 128, 127),
        (networks.UNITS.stop - 1, -128, 127),
        (networks.BIASES.start, (1 << 24) + 1, 1 << 24),
        (networks.OUTPUTS.start, -16384, 16383),
        (networks.CONSTANT, 1 << 30, 1 << 24),
    ],
)
def test_layers_beyond_their_limits_are_refused(place: int, value: int, most: int) -> None:
    layers = NETWORK[1].copy()
    layers[place] = value
    said = f"number {place} of the layers is {value}; expected {-most} to {most}$"
    with pytest.raises(ValueError, match=said):
        core.Weights(NETWORK[0], layers)


def test_a_search_without_weights_says_so() -> None:
    board = Board()
    with pytest.raises(ValueError, match="needs weights"):
        core.Searcher(None).search_strong(board.own, board.opp, list(board.legal_moves), 2)
    with pytest.raises(ValueError, match="board 0 has more than 12 empty squares"):
        core.label(
            None, np.array([[board.own, board.opp]], np.uint64), np.zeros(1, np.int16), 2, 12
        )


def test_labels_and_games_depend_on_their_arguments_alone() -> None:
    one = core.play_games(WEIGHTS, 5, 10, 4, 2)
    assert one == core.play_games(WEIGHTS, 5, 10, 2, 2) + core.play_games(WEIGHTS, 5, 12, 2, 2)
    assert one != core.play_games(WEIGHTS, 6, 10, 4, 2)
    rows = np.frombuffer(one, "<u8").reshape(-1, 3)
    boards = np.ascontiguousarray(rows[:, :2])
    whole = np.zeros(len(boards), np.int16)
    core.label(WEIGHTS, boards, whole, 2, 8)
    alone = np.zeros(1, np.int16)
    for i in range(0, len(boards), 17):
        core.label(WEIGHTS, boards[i : i + 1], alone, 2, 8)
        assert alone[0] == whole[i]


def test_weights_without_deviations_leave_nothing_out() -> None:
    board = Board.from_transcript("f5d6c3d3c4f4f6f3e6e7")
    moves = list(board.legal_moves)
    sure, likely = (core.Searcher(None, weights=WEIGHTS) for _ in range(2))
    assert not WEIGHTS.selective and not sure.selective
    assert sure.search_strong(board.own, board.opp, moves, 5, 0) == likely.search_strong(
        board.own, board.opp, moves, 5, 4
    )
    assert sure.nodes == likely.nodes
    narrow = core.Weights(*NETWORK, deviations=np.full((65, 65), 64, np.uint16))
    assert core.Searcher(None, weights=narrow).selective

"""The compiled core's bit tricks against the slow twin, on boards of every kind."""

import reference
from hypothesis import given
from hypothesis import strategies as st
from reference import BLACK, EMPTY, PASS, Position, bits_of, own_and_opp, squares_of
from strategies import crowded_boards, few_empties, games, odd_boards, positions, words

from reversi._load import core
from reversi.board import Board


@given(positions())
def test_moves(position: Position) -> None:
    own, opp = own_and_opp(*position)
    expected = reference.moves(*position)
    assert squares_of(core.moves(own, opp)) == expected
    assert squares_of(core.moves_scalar(own, opp)) == expected


@given(positions())
def test_flips_of_every_empty_square(position: Position) -> None:
    cells, turn = position
    own, opp = own_and_opp(cells, turn)
    for sq in range(64):
        if cells[sq] == EMPTY:
            expected = sorted(reference.flips(cells, turn, sq))
            assert squares_of(core.flips(own, opp, sq)) == expected
            assert squares_of(core.flips_scalar(own, opp, sq)) == expected


@given(words)
def test_the_flips_of_the_last_empty_square_are_counted(colors: int) -> None:
    for sq in range(64):
        own = colors & ~(1 << sq)
        cells = reference.from_bits(black=own, white=~(own | 1 << sq) & (2**64 - 1))
        assert core.count_last_flips(own, sq) == len(reference.flips(cells, BLACK, sq))


@given(few_empties(max_empties=20))
def test_final_scores_by_both_rules(position: Position) -> None:
    own, opp = own_and_opp(*position)
    for tournament in (False, True):
        expected = reference.final_score(*position, tournament)
        assert core.final_score(own, opp, tournament) == expected


@given(words)
def test_the_eight_transforms_are_the_mirrored_and_turned_boards(bits: int) -> None:
    pictures = [
        sum(1 << reference.symmetric_square(sq, mirrored, turns) for sq in squares_of(bits))
        for mirrored in (False, True)
        for turns in range(4)
    ]
    assert sorted(core.transform(bits, i) for i in range(8)) == sorted(pictures)
    assert core.transform(bits, 0) == bits


def test_moves_are_transformed_as_their_squares() -> None:
    for i in range(8):
        for sq in range(64):
            assert 1 << core.transform_move(sq, i) == core.transform(1 << sq, i)
        assert core.transform_move(PASS, i) == PASS


@given(positions())
def test_stable_discs(position: Position) -> None:
    cells, turn = position
    own, opp = own_and_opp(cells, turn)
    assert squares_of(core.stable_discs(own, opp)) == reference.stable(cells, turn)
    assert squares_of(core.stable_discs(opp, own)) == reference.stable(cells, -turn)


@given(crowded_boards(max_empties=20))
def test_stable_discs_of_crowded_boards(position: Position) -> None:
    cells, turn = position
    own, opp = own_and_opp(cells, turn)
    assert squares_of(core.stable_discs(own, opp)) == reference.stable(cells, turn)


@given(crowded_boards(max_empties=4))
def test_no_line_of_play_turns_a_stable_disc(position: Position) -> None:
    cells, turn = position
    for color in (turn, -turn):
        own, opp = bits_of(cells, color), bits_of(cells, -color)
        for sq in squares_of(core.stable_discs(own, opp)):
            assert_never_turned(sq, cells, turn)


def assert_never_turned(sq: int, cells: list[int], turn: int) -> None:
    for move in reference.legal(cells, turn):
        after, other = reference.play(cells, turn, move)
        assert after[sq] == cells[sq]
        assert_never_turned(sq, after, other)


@given(positions())
def test_the_evaluation_term_by_term(position: Position) -> None:
    cells, turn = position
    own, opp = own_and_opp(cells, turn)
    names = ("material", "positional", "mobility", "corners", "frontier", "parity", "danger")
    expected = reference.terms(cells, turn, view=turn)
    assert dict(zip((*names, "stable"), core.evaluate(own, opp), strict=True)) == expected


@given(positions(), st.integers(0, 3), st.booleans())
def test_perft(position: Position, depth: int, pass_is_ply: bool) -> None:
    own, opp = own_and_opp(*position)
    expected = reference.perft(*position, depth, pass_is_ply)
    assert core.perft(own, opp, depth, pass_is_ply) == expected


@given(few_empties(max_empties=5), st.booleans())
def test_perft_to_the_end_of_the_game(position: Position, pass_is_ply: bool) -> None:
    own, opp = own_and_opp(*position)
    expected = reference.perft(*position, 12, pass_is_ply)
    assert core.perft(own, opp, 12, pass_is_ply) == expected


@given(odd_boards(), odd_boards())
def test_keys_tell_positions_apart(one: Position, other: Position) -> None:
    def key(position: Position) -> int:
        cells, turn = position
        return core.zobrist_key(bits_of(cells, -1), bits_of(cells, 1), turn == BLACK)

    assert 0 <= key(one) < 2**64
    assert (key(one) == key(other)) == (one == other)


@given(words, words)
def test_keys_tell_the_side_to_move(one: int, other: int) -> None:
    black, white = one & ~other, other & ~one
    if black | white:
        assert core.zobrist_key(black, white, True) != core.zobrist_key(black, white, False)
        assert core.zobrist_key(black, white, True) != core.zobrist_key(white, black, False)


def test_every_disc_has_its_own_key() -> None:
    keys = {core.zobrist_key(1 << sq, 0, True) for sq in range(64)}
    keys |= {core.zobrist_key(0, 1 << sq, True) for sq in range(64)}
    assert len(keys) == 128


@given(games(min_plies=1))
def test_the_key_of_a_game_is_the_key_of_its_board(moves: list[int]) -> None:
    board = Board()
    for move in moves:
        board.push(move)
        assert board.zobrist == core.zobrist_key(board.black, board.white, board.black_to_move)

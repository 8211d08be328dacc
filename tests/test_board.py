"""The board as a value: what it says, how it is read and written, copied, undone and ended."""

import array
import copy
import doctest
import pickle
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from reference import Position
from strategies import few_empties, games, positions

from reversi import board as board_room
from reversi.board import Board, Outcome, Termination
from reversi.errors import IllegalMoveError, InvalidBoardError, InvalidMoveError
from reversi.squares import BLACK, PASS, SQUARE_NAMES, WHITE, Color, square_name

START = "---------------------------OX------XO--------------------------- X"
# Black has no move here and white has some: no game comes to a pass sooner.
FORCED_PASS = Board.from_transcript("d3c3b3b2f5a3a1c1")
OPENING = "f5d6c3d3c4f4f6"


class Tournament(Board):
    """A user's own kind of board."""


def board_of(position: Position) -> Board:
    cells, turn = position
    return Board.from_cells(cells, Color(turn))


def replayed(moves: list[int]) -> Board:
    board = Board()
    for move in moves:
        board.push(move)
    return board


def snapshot(board: Board) -> tuple[int, int, bool, list[int]]:
    return board.black, board.white, board.black_to_move, board.move_stack


# What a board says of itself.


def test_the_start() -> None:
    board = Board()
    assert board.obf() == START
    assert board.turn is BLACK
    assert board.black_to_move
    assert list(board.legal_moves) == [19, 26, 37, 44]
    assert (board.count(BLACK), board.count(WHITE), board.empties) == (2, 2, 60)
    assert (board.own, board.opp) == (board.black, board.white)
    assert board.empty == ~(board.black | board.white) & (2**64 - 1)
    assert board.move_stack == []
    assert not board.is_game_over()


@given(positions())
def test_a_board_says_what_its_cells_say(position: Position) -> None:
    cells, turn = position
    board = board_of(position)
    assert board.cells() == [board[sq] for sq in range(64)] == cells
    assert [board[name] for name in SQUARE_NAMES] == cells
    assert board.turn == turn
    assert (board.black, board.white) == (
        reference.bits_of(cells, BLACK),
        reference.bits_of(cells, WHITE),
    )
    assert (board.own, board.opp) == reference.own_and_opp(cells, turn)
    for color in Color:
        assert board.count(color) == cells.count(color)
        stable = reference.squares_of(board.stable_discs(color))
        assert stable == reference.stable(cells, color)
    assert board.empties == cells.count(0)
    assert board.is_game_over() == reference.is_over(cells)
    assert list(board.legal_moves) == reference.legal(cells, turn)
    assert board.perft(2) == reference.perft(cells, turn, 2)


def test_a_number_beyond_the_board_is_no_place_to_look() -> None:
    for number in (-1, 64):
        with pytest.raises(IndexError, match=f"square {number} is out of range"):
            Board()[number]
    with pytest.raises(InvalidMoveError, match="did you mean 'f5'"):
        Board()["5f"]


def test_only_black_and_white_have_discs_to_count() -> None:
    for ask in (Board().count, Board().stable_discs):
        with pytest.raises(ValueError, match="0 is not a valid Color"):
            ask(0)  # type: ignore[arg-type]


# Moves.


@given(games())
def test_a_game_goes_and_comes_back_step_by_step(moves: list[int]) -> None:
    board = Board()
    cells, turn = reference.START, reference.BLACK
    before = []
    for move in moves:
        before.append(snapshot(board))
        assert list(board.legal_moves) == reference.legal(cells, turn)
        if move != PASS:
            turned = sorted(reference.flips(cells, turn, move))
            assert reference.squares_of(board.flipped(move)) == turned
        board.push(move)
        cells, turn = reference.play(cells, turn, move)
        assert (board.cells(), board.turn) == (cells, turn)
    assert board.move_stack == moves
    for move in reversed(moves):
        assert board.pop() == move
        assert snapshot(board) == before.pop()
    assert board == Board()


@given(positions())
def test_a_move_is_taken_if_it_is_legal_and_changes_nothing_if_not(position: Position) -> None:
    cells, turn = position
    legal = reference.legal(cells, turn)
    board = board_of(position)
    for move in range(65):
        assert board.is_legal(move) == board.is_legal(square_name(move)) == (move in legal)
        assert (move in board.legal_moves) == (move in legal)
        if move in legal:
            board.push(move)
            assert (board.cells(), board.turn) == reference.play(cells, turn, move)
            board.pop()
        else:
            with pytest.raises(IllegalMoveError, match=f"^{square_name(move)} is not legal"):
                board.push(move)
        assert snapshot(board) == snapshot(board_of(position))


@pytest.mark.parametrize("move", ["z9", "5f", "", 65, -1, 2**64, None, 3.0, b"f5"])
def test_what_is_no_move_changes_nothing(move: object) -> None:
    board = Board.from_transcript(OPENING)
    before = snapshot(board)
    with pytest.raises(InvalidMoveError, match=re.escape(repr(move))):
        board.push(move)  # type: ignore[arg-type]
    assert snapshot(board) == before


def test_the_two_kinds_of_wrong_moves_can_be_told_apart() -> None:
    assert not issubclass(IllegalMoveError, InvalidMoveError)
    assert not issubclass(InvalidMoveError, IllegalMoveError)
    assert issubclass(IllegalMoveError, ValueError)
    assert issubclass(InvalidMoveError, ValueError)


def test_a_move_may_be_a_name() -> None:
    board = Board()
    board.push("F5")
    board.push("d6")
    assert board.move_stack == [37, 43]


def test_a_forced_pass_is_the_one_legal_move() -> None:
    board = FORCED_PASS.copy()
    assert board.legal_moves.mask == 0
    assert list(board.legal_moves) == [PASS]
    assert repr(board.legal_moves) == "<LegalMoves pass>"
    assert board.is_legal(PASS)
    assert not board.is_game_over()
    discs, turn = (board.black, board.white), board.turn
    board.push("pass")
    assert (board.black, board.white) == discs
    assert board.turn is turn.opponent
    assert board.pop() == PASS
    assert board == FORCED_PASS


def test_nothing_can_be_played_after_the_end() -> None:
    board = Board.from_transcript("e6f4e3f6g5d6e7f5c5")
    assert len(board.legal_moves) == 0
    assert not board.legal_moves
    for move in range(65):
        with pytest.raises(IllegalMoveError):
            board.push(move)


def test_there_is_nothing_to_undo_at_the_start() -> None:
    for board in (Board(), Board.from_obf(START)):
        with pytest.raises(IndexError):
            board.pop()


def test_legal_moves_are_a_sequence() -> None:
    moves = Board().legal_moves
    assert [moves[i] for i in range(4)] == [19, 26, 37, 44] == sorted(moves)
    assert (moves[-1], len(moves), bool(moves)) == (44, 4, True)
    assert "f5" in moves
    assert 37 in moves
    assert "a1" not in moves
    assert PASS not in moves
    assert "nonsense" not in moves
    with pytest.raises(IndexError):
        moves[4]
    assert moves == Board().legal_moves
    assert moves != Board.from_transcript("f5").legal_moves
    assert moves.mask == sum(1 << sq for sq in moves)
    assert repr(moves) == "<LegalMoves d3 c4 f5 e6>"


def test_legal_moves_do_not_follow_the_board() -> None:
    board = Board()
    moves = board.legal_moves
    board.push("f5")
    assert list(moves) == [19, 26, 37, 44]


# Values.


def test_the_history_does_not_count_in_comparisons() -> None:
    one = Board.from_transcript("f5d6c3d3c4")
    other = Board.from_obf(one.obf())
    assert one == other
    assert hash(one) == hash(other)
    assert one.move_stack != other.move_stack
    assert len({one, other, Board()}) == 2


def test_the_side_to_move_counts_in_comparisons() -> None:
    board = Board.from_transcript("f5")
    assert board != Board.from_bitboards(board.black, board.white, BLACK)
    assert board != Board.from_bitboards(board.white, board.black, BLACK), "colours exchanged"


def test_a_board_equals_nothing_but_boards() -> None:
    assert Board() != START
    assert Board() != None  # noqa: E711
    assert Board() not in [0, "", ()]


@pytest.mark.parametrize("duplicate", [Board.copy, copy.copy, copy.deepcopy])
def test_a_copy_goes_its_own_way(duplicate: Callable[[Board], Board]) -> None:
    board = Board.from_transcript(OPENING)
    twin = duplicate(board)
    assert snapshot(twin) == snapshot(board)
    twin.pop()
    twin.pop()
    assert board.move_stack == Board.from_transcript(OPENING).move_stack
    assert board == Board.from_transcript(OPENING)
    assert twin == Board.from_transcript(OPENING[:-4])


@given(games(), st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_a_pickle_keeps_the_game(moves: list[int], protocol: int) -> None:
    board = replayed(moves)
    twin = pickle.loads(pickle.dumps(board, protocol))
    assert type(twin) is Board
    assert snapshot(twin) == snapshot(board)
    for move in reversed(moves):
        assert twin.pop() == move
    assert twin == Board()


@given(positions())
def test_a_pickle_keeps_an_odd_board(position: Position) -> None:
    board = board_of(position)
    assert snapshot(pickle.loads(pickle.dumps(board))) == snapshot(board)


def test_a_pickle_names_no_build_of_the_core() -> None:
    pickled = pickle.dumps(Board.from_transcript(OPENING), protocol=4)
    assert b"reversi.board" in pickled
    assert b"_core" not in pickled


def test_a_board_of_one_s_own_class_stays_one() -> None:
    board = Tournament.from_transcript(OPENING)
    kept = [
        board,
        board.copy(),
        copy.deepcopy(board),
        pickle.loads(pickle.dumps(board)),
        board.canonical(),
        *board.symmetries(),
        Tournament.from_obf(board.obf()),
        Tournament.from_cells(board.cells()),
        Tournament.from_bitboards(board.black, board.white),
    ]
    assert {type(one) for one in kept} == {Tournament}
    assert repr(board) == f"Tournament.from_obf('{board.obf()}')"


@given(positions())
def test_the_symmetries_are_the_mirrored_and_turned_boards(position: Position) -> None:
    cells, turn = position
    pictures = []
    for mirrored in (False, True):
        for turns in range(4):
            picture = [0] * 64
            for sq in range(64):
                picture[reference.symmetric_square(sq, mirrored, turns)] = cells[sq]
            pictures.append(picture)
    board = board_of(position)
    assert board.symmetries()[0] == board
    assert sorted(one.cells() for one in board.symmetries()) == sorted(pictures)
    assert {one.turn for one in board.symmetries()} == {turn}


@given(positions())
def test_symmetric_boards_share_one_canonical_form(position: Position) -> None:
    symmetries = board_of(position).symmetries()
    forms = {one.canonical() for one in symmetries}
    assert len(forms) == 1
    assert forms <= set(symmetries)


def test_a_transformed_board_has_no_history() -> None:
    for one in (
        *Board.from_transcript(OPENING).symmetries(),
        Board.from_transcript("f5").canonical(),
    ):
        assert one.move_stack == []


@pytest.mark.parametrize("i", [-1, 8])
def test_there_are_eight_symmetries(i: int) -> None:
    with pytest.raises(ValueError, match=str(i)):
        Board().transformed(i)


# Cells, bitboards and OBF.


@pytest.mark.parametrize(
    "kind",
    [list, tuple, lambda cells: array.array("b", cells), lambda cells: array.array("q", cells)],
)
def test_cells_may_be_any_flat_row_of_integers(kind: Callable[[list[int]], list[int]]) -> None:
    board = Board.from_transcript(OPENING)
    assert Board.from_cells(kind(board.cells()), WHITE) == board
    assert Board.from_cells(memoryview(array.array("b", board.cells())), WHITE) == board


@pytest.mark.parametrize("length", [0, 8, 63, 65, 100])
def test_a_board_has_64_cells(length: int) -> None:
    with pytest.raises(InvalidBoardError, match=f"64 cells, got {length}"):
        Board.from_cells([0] * length)


@pytest.mark.parametrize("value", [2, -2, 255, None, "X", 0.0, [0] * 8])
@pytest.mark.parametrize("index", [0, 37, 63])
def test_a_wrong_cell_is_named(index: int, value: object) -> None:
    cells: list[object] = [0] * 64
    cells[index] = value
    expected = f"cell {index} ({square_name(index)}) is {value!r}; expected -1"
    with pytest.raises(InvalidBoardError, match=re.escape(expected)):
        Board.from_cells(cells)  # type: ignore[arg-type]


def test_rows_of_cells_are_no_cells() -> None:
    with pytest.raises(InvalidBoardError, match="64 cells, got 8"):
        Board.from_cells([[0] * 8] * 8)  # type: ignore[list-item]


def test_overlapping_bitboards_are_refused() -> None:
    with pytest.raises(InvalidBoardError, match="f5"):
        Board.from_bitboards(black=1 << 37 | 1, white=1 << 37 | 2)


@pytest.mark.parametrize("bits", [-1, 2**64, 2**100, 1.0, None])
def test_a_bitboard_has_64_bits(bits: object) -> None:
    for black, white in ((bits, 0), (0, bits)):
        with pytest.raises(InvalidBoardError, match=re.escape(repr(bits))):
            Board.from_bitboards(black, white)  # type: ignore[arg-type]


@given(positions())
def test_a_board_leads_back_to_itself(position: Position) -> None:
    board = board_of(position)
    assert board.obf() == reference.to_text(*position)
    assert Board.from_obf(board.obf()) == board
    assert Board.from_bitboards(board.black, board.white, board.turn) == board
    assert eval(repr(board)) == board


@pytest.mark.parametrize(
    "text",
    [
        START,
        START + "; F5:+0; D3:+0",
        START + ";",
        START.replace(" ", ""),
        "\n".join([START[i : i + 8] for i in range(0, 64, 8)]) + "\n\tX\n",
        START.replace("-", ".").replace("X", "*").replace("O", "w"),
        START.replace("X", "b").replace("O", "o"),
        START.replace("X", "B").replace("O", "W").lower(),
    ],
)
def test_obf_may_be_written_in_many_ways(text: str) -> None:
    assert Board.from_obf(text) == Board()


def test_the_side_in_obf() -> None:
    for symbol, color in [
        *zip("XxBb*", [BLACK] * 5, strict=True),
        *zip("OoWw", [WHITE] * 4, strict=True),
    ]:
        assert Board.from_obf(START[:-1] + symbol).turn is color


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (START[:64], "the side to move is missing: 64 symbols"),
        (START[:64] + "; B4:+2", "the side to move is missing: 64 symbols"),
        (START[1:], "the side to move is missing: 64 symbols"),
        ("", "0 symbols"),
        ("-" * 63, "63 symbols"),
        (
            "-" * 10 + "?" + "-" * 53 + " X",
            "column 11: '?'; expected X (black), O (white) or - (empty) for c2",
        ),
        ("  " + "-" * 64 + " -", "column 68: '-'; expected X or O"),
        (START[:64] + " Z", "column 66: 'Z'; expected X or O"),
        (START + " F5:+3", "column 68: 'F'; expected ';' or the end"),
    ],
)
def test_a_fault_in_obf_is_placed(text: str, message: str) -> None:
    with pytest.raises(InvalidBoardError, match=re.escape(message)):
        Board.from_obf(text)


# Transcripts.


@given(games())
def test_a_transcript_leads_back_to_the_game(moves: list[int]) -> None:
    board = replayed(moves)
    assert snapshot(Board.from_transcript(board.transcript(passes=True))) == snapshot(board)
    while board.move_stack and board.move_stack[-1] == PASS:
        board.pop()
    assert snapshot(Board.from_transcript(board.transcript())) == snapshot(board)


def test_a_transcript_writes_passes_only_on_request() -> None:
    board = FORCED_PASS.copy()
    board.push(PASS)
    board.push(board.legal_moves[0])
    name = square_name(board.move_stack[-1])
    assert board.transcript() == FORCED_PASS.transcript() + name
    assert board.transcript(passes=True) == FORCED_PASS.transcript() + "pa" + name


def test_a_transcript_may_go_on_from_a_board() -> None:
    start = Board.from_transcript("f5d6")
    before = snapshot(start)
    board = Board.from_transcript("c3d3c4", start)
    assert board == Board.from_transcript("f5d6c3d3c4")
    assert board.move_stack == Board.from_transcript("f5d6c3d3c4").move_stack
    assert snapshot(start) == before


def test_a_transcript_may_start_with_another_first_move() -> None:
    for first in ("f5", "d3", "c4", "e6"):
        assert Board.from_transcript(first).transcript() == first


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a1", "move 1, column 1: a1 is not legal for black; expected d3 c4 f5 e6"),
        ("f5 f5", "move 2, column 4: f5 is not legal for white; expected f4 d6 f6"),
        ("1. f5 pass", "move 2, column 7: pass is not legal for white; expected f4 d6 f6"),
        ("f5\nd6\nh8", "move 3, line 3, column 1: h8 is not legal for black; expected"),
        (
            "e6f4e3f6g5d6e7f5c5 a1",
            "move 10, column 20: a1 is not legal for white; expected nothing",
        ),
    ],
)
def test_an_illegal_move_in_a_transcript_is_placed(text: str, message: str) -> None:
    with pytest.raises(IllegalMoveError, match=re.escape(message)):
        Board.from_transcript(text)


def test_a_word_that_is_no_move_in_a_transcript_is_placed() -> None:
    with pytest.raises(
        InvalidMoveError, match="move 2, column 3: '6d' is not a move; did you mean"
    ):
        Board.from_transcript("f56d")


def test_a_pass_is_read_only_where_it_is_forced() -> None:
    text = FORCED_PASS.transcript()
    written = Board.from_transcript(text + "PA")
    assert written.move_stack == [*FORCED_PASS.move_stack, PASS]
    with pytest.raises(IllegalMoveError, match="pass is not legal for white"):
        Board.from_transcript(text + "PA--")


# The end of the game.


@pytest.mark.parametrize(
    ("obf", "outcome"),
    [
        ("X" * 33 + "O" * 31 + " X", Outcome(BLACK, 33, 31, 2, 2, Termination.FULL_BOARD)),
        ("X" * 32 + "O" * 32 + " O", Outcome(None, 32, 32, 0, 0, Termination.FULL_BOARD)),
        ("O" * 64 + " O", Outcome(WHITE, 0, 64, -64, -64, Termination.FULL_BOARD)),
        ("O" * 13 + "-" * 51 + " X", Outcome(WHITE, 0, 13, -13, -64, Termination.WIPEOUT)),
        ("-" * 63 + "X X", Outcome(BLACK, 1, 0, 1, 64, Termination.WIPEOUT)),
        ("X" * 8 + "-" * 48 + "O" * 8 + " X", Outcome(None, 8, 8, 0, 0, Termination.NO_MOVES)),
        ("X" + "-" * 54 + "O" * 9 + " X", Outcome(WHITE, 1, 9, -8, -62, Termination.NO_MOVES)),
        ("X" * 3 + "-" * 60 + "O X", Outcome(BLACK, 3, 1, 2, 62, Termination.NO_MOVES)),
    ],
)
def test_how_games_end(obf: str, outcome: Outcome) -> None:
    assert Board.from_obf(obf).outcome() == outcome


@given(few_empties())
def test_an_outcome_has_both_scores(position: Position) -> None:
    cells, _ = position
    outcome = board_of(position).outcome()
    if not reference.is_over(cells):
        assert outcome is None
        return
    assert outcome is not None
    assert outcome.discs == reference.final_score(cells, BLACK, tournament=False)
    assert outcome.tournament == reference.final_score(cells, BLACK, tournament=True)
    assert (outcome.black_discs, outcome.white_discs) == (cells.count(BLACK), cells.count(WHITE))
    leader = {1: BLACK, 0: None, -1: WHITE}
    assert outcome.winner is leader[(outcome.discs > 0) - (outcome.discs < 0)]


# Perft by move.


@given(positions(), st.integers(1, 3))
def test_divided_perft_adds_up(position: Position, depth: int) -> None:
    board = board_of(position)
    leaves = board.perft_divide(depth)
    assert list(leaves) == list(board.legal_moves)
    for move, count in leaves.items():
        assert count == reference.perft(*reference.play(*position, move), depth - 1)
    if not board.is_game_over():
        assert sum(leaves.values()) == board.perft(depth)
    assert snapshot(board) == snapshot(board_of(position))


def test_divided_perft_needs_a_ply_to_divide() -> None:
    with pytest.raises(ValueError, match="at least 1, got 0"):
        Board().perft_divide(0)


# Pictures.


def test_the_board_as_text() -> None:
    assert str(Board.from_transcript("f5")).splitlines() == [
        "  a b c d e f g h",
        "1 - - - - - - - -",
        "2 - - - - - - - -",
        "3 - - - - - - - -",
        "4 - - - O X - - -",
        "5 - - - X X X - -",
        "6 - - - - - - - -",
        "7 - - - - - - - -",
        "8 - - - - - - - -",
        "O to move",
    ]


def test_the_board_in_unicode() -> None:
    rows = Board.from_transcript("f5").unicode().splitlines()
    assert rows[0] == "  a b c d e f g h"
    assert rows[4:6] == ["4 · · · ○ ● · · ·", "5 · · · ● ● ● · ·"]
    assert rows[-1] == "○ to move"


@pytest.mark.parametrize(
    ("board", "status"),
    [
        (FORCED_PASS, "X must pass"),
        (Board.from_obf("X" * 33 + "O" * 31 + " X"), "X wins 33-31"),
        (Board.from_obf("X" * 32 + "O" * 32 + " X"), "draw 32-32"),
    ],
)
def test_the_last_line_says_how_the_game_stands(board: Board, status: str) -> None:
    assert str(board).splitlines()[-1] == status


@given(games())
def test_the_picture_shows_every_disc_and_every_legal_move(moves: list[int]) -> None:
    board = replayed(moves)
    drawing = ET.fromstring(board._repr_svg_())
    radii = [circle.get("r") for circle in drawing.iter("{http://www.w3.org/2000/svg}circle")]
    # Each disc is drawn with its shadow and its rim.
    assert radii.count("16") == 2 * (board.count(BLACK) + board.count(WHITE))
    assert radii.count("5") == board.legal_moves.mask.bit_count()
    assert radii.count("4") == (1 if board.move_stack else 0)
    texts = [text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:16] == [*"abcdefgh", *"12345678"]
    assert texts[16:18] == [str(board.count(BLACK)), str(board.count(WHITE))]


def test_the_same_board_gives_the_same_picture_and_others_do_not() -> None:
    board = Board.from_transcript(OPENING)
    assert board._repr_svg_() == Board.from_transcript(OPENING)._repr_svg_()
    assert board._repr_svg_() != Board.from_obf(board.obf())._repr_svg_(), "the last move is marked"
    assert board._repr_svg_() != Board()._repr_svg_()


def test_pictures_in_one_page_do_not_disturb_each_other() -> None:
    picture = Board()._repr_svg_()
    assert not re.search(r"\bid=|\bclass=|<style", picture)


def test_the_examples_in_the_docstrings_hold() -> None:
    failed, attempted = doctest.testmod(board_room)
    assert attempted > 0
    assert failed == 0

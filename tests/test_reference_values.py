"""Values that independent programs found or that were published: perft, odd boards, whole games."""

import json
from pathlib import Path

import pytest
import reference

from reversi._load import core
from reversi.board import Board, Outcome, Termination
from reversi.squares import BLACK, PASS, WHITE, parse_square, square_name

PERFT = json.loads((Path(__file__).parent / "data" / "perft.json").read_text())
# What every build counts in about a second; the table goes further.
DEEPEST = 11

GAME_WITH_23_PASSES = (
    "F5d6C4g5D7c7H5d8B8b7B6a7b5A6a5b4B3c6E8f8C8a8e7a4b2A2c2D2d1e2F2c5c3a1a3e6d3f6F7f1g2H2e3F4b1g1c1"
    "e1g8g7f3h1h3h4h6"
)
PERFECT_DRAW = (
    "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1F7E2G3H4F1E1F2G1B1F8G8B3H3B2H5B7A3A4"
    "A1A2C1H2H1G2B8A8G7H8H7H6"
)
EVALUATION_1788 = {
    "material": 48,
    "positional": 700,
    "mobility": 270,
    "corners": 800,
    "frontier": 90,
    "parity": 0,
    "danger": 220,
    "stable": 280,
}


def names(board: Board) -> list[str]:
    return [square_name(move) for move in board.legal_moves]


def total(terms: tuple[int, ...]) -> int:
    material, positional, mobility, corners, frontier, parity, danger, stable = terms
    return positional + mobility + corners - frontier + material + parity - danger + stable


@pytest.mark.parametrize("convention", ["pass is a ply", "pass is no ply"])
@pytest.mark.parametrize("depth", range(DEEPEST + 1))
def test_perft_from_the_start(convention: str, depth: int) -> None:
    start = Board.from_obf(PERFT["position"])
    assert start == Board()
    leaves = core.perft(start.own, start.opp, depth, convention == "pass is a ply")
    assert leaves == PERFT[convention][str(depth)]


def test_board_perft_counts_a_pass_as_a_ply() -> None:
    assert Board().perft(9) == PERFT["pass is a ply"]["9"] != PERFT["pass is no ply"]["9"]


@pytest.mark.parametrize("depth", range(6))
def test_the_slow_twin_counts_the_same(depth: int) -> None:
    expected = PERFT["pass is a ply"][str(depth)]
    assert reference.perft(reference.START, reference.BLACK, depth) == expected


# The evaluation.


@pytest.mark.parametrize(
    ("moves", "turn", "view", "empties", "obf"),
    [
        (
            "c4c3f5f4d3d6d7f6c2b2g6d2e2h7a2a1g3f1g5b1e3b4c5f3e1e6",
            BLACK,
            WHITE,
            34,
            "OO--XO--XOOXX-----OOXOX--OOXXO----XOXOX----XOOO----X---O-------- X",
        ),
        (
            "d3c5f6e3e2f2f3g7b6g2h8a7g4c3h1g3c4g1f1c2b5g5b7c6h5a8h3b4b2b3a3h4",
            BLACK,
            BLACK,
            28,
            "-----XXX-XO-XOX-XXXXXXOX-OOXO-XO-OOOX-OX-OO--X--OO----X-O------X X",
        ),
    ],
)
def test_the_worked_example(moves: str, turn: int, view: int, empties: int, obf: str) -> None:
    board = Board.from_transcript(moves)
    assert board.obf() == obf
    assert (board.turn, board.empties) == (turn, empties)
    own, opp = (board.black, board.white) if view == BLACK else (board.white, board.black)
    assert core.evaluate(own, opp) == tuple(EVALUATION_1788.values())
    assert total(core.evaluate(own, opp)) == 1788
    assert total(core.evaluate(opp, own)) == -1788
    assert reference.terms(board.cells(), board.turn, view) == EVALUATION_1788


@pytest.mark.parametrize(
    ("moves", "value"),
    [("", 0), ("f5", 72), ("f5d6", 90), ("f5d6c3d3c4", 462), ("f5f6e6f4e3", 174)],
)
def test_the_evaluation_of_openings_in_black_s_view(moves: str, value: int) -> None:
    board = Board.from_transcript(moves)
    assert total(core.evaluate(board.black, board.white)) == value
    assert reference.evaluate(board.cells(), board.turn, reference.BLACK) == value


@pytest.mark.parametrize(("square", "value"), [("a1", 1200), ("b2", -800)])
def test_the_square_weight_of_a_lone_disc(square: str, value: int) -> None:
    assert core.evaluate(1 << parse_square(square), 0)[1] == value


# Odd boards.


def test_nothing_wraps_round_the_edge() -> None:
    board = Board.from_bitboards(black=1 << parse_square("h1"), white=1 << parse_square("g1"))
    assert names(board) == ["f1"]


@pytest.mark.parametrize("cells", ["-" * 64, "X" * 20 + "-" * 44, "O" * 20 + "-" * 44, "XO" * 32])
@pytest.mark.parametrize("side", ["X", "O"])
def test_boards_without_a_move_for_either_side(cells: str, side: str) -> None:
    board = Board.from_obf(f"{cells} {side}")
    assert list(board.legal_moves) == []
    assert board.is_game_over()


def test_a_disc_that_mixed_colors_seem_to_hold_is_not_stable() -> None:
    board = Board.from_obf("XXXXXXXXXXXXOXXXXXXOX-X-XXOXOX-OXXXOXXX-XXXXOXOXXXXXOOXOOX-XOXXX O")
    b8 = 1 << parse_square("b8")
    assert board["b8"] == BLACK
    assert board.flipped(parse_square("c8")) & b8
    assert not board.stable_discs(BLACK) & b8


def test_35_legal_moves() -> None:
    board = Board.from_obf("-X-------OXOOOO--OX-XX----O---OX-X--OXX--OXXXXO--OXO-OO--------- X")
    assert len(board.legal_moves) == 35


@pytest.mark.parametrize(
    ("obf", "move", "flips"),
    [
        ("-OOOOOOXOO------O-O-----O--O----O---O---O----O--O-----O-X------X X", "a1", 18),
        ("X--X--X--O-O-O----OOO---XOO-OOOX--OOO----O-O-O--X--O--O----X---X X", "d4", 19),
    ],
)
def test_moves_that_turn_many_discs(obf: str, move: str, flips: int) -> None:
    board = Board.from_obf(obf)
    own, opp = board.own.bit_count(), board.opp.bit_count()
    assert board.flipped(parse_square(move)).bit_count() == flips
    board.push(move)
    assert (board.opp.bit_count(), board.own.bit_count()) == (own + flips + 1, opp - flips)


def test_the_slow_twin_spends_no_depth_on_passes() -> None:
    cells, turn = reference.from_text(
        "XOOXXXXXXOOXXOXXXOXXOXXXXOOOOXXXXOOOOXXX-OOXOXXXOOOOXXXX-XXXXXX- O"
    )
    assert reference.exact_value(cells, turn, tournament=True) == -30


# Whole games.


def test_a_shortest_game() -> None:
    board = Board.from_transcript("e6f4e3f6g5d6e7f5c5")
    assert len(board.move_stack) == 9
    assert board.outcome() == Outcome(BLACK, 13, 0, 13, 64, Termination.WIPEOUT)


def test_the_228_shortest_games() -> None:
    ends: list[tuple[int, int]] = []

    def walk(own: int, opp: int, plies: int) -> None:
        moves = core.moves(own, opp)
        if plies == 9 or not moves:
            if not moves and not core.moves(opp, own):
                assert plies == 9
                ends.append((opp, own))
            return
        for sq in reference.squares_of(moves):
            turned = core.flips(own, opp, sq)
            walk(opp & ~turned, own | turned | 1 << sq, plies + 1)

    walk(Board().own, Board().opp, 0)
    assert len(ends) == 228
    assert {(black.bit_count(), white.bit_count()) for black, white in ends} == {(13, 0)}
    assert len(set(ends)) == 140


def test_a_short_game_that_is_no_wipe_out() -> None:
    board = Board.from_transcript("f5f4c3e6f7g6g4e8g8g5h5")
    assert board.outcome() == Outcome(BLACK, 14, 1, 13, 62, Termination.NO_MOVES)


def test_a_game_with_23_passes() -> None:
    board = Board.from_transcript(GAME_WITH_23_PASSES)
    sides = [BLACK if ply % 2 == 0 else WHITE for ply in range(len(board.move_stack))]
    passes = [side for side, move in zip(sides, board.move_stack, strict=True) if move == PASS]
    assert passes == [BLACK] * 23
    assert board.empties == 5
    assert board.outcome() == Outcome(WHITE, 0, 59, -59, -64, Termination.WIPEOUT)


def test_a_perfect_draw() -> None:
    board = Board.from_transcript(PERFECT_DRAW)
    assert len(board.move_stack) == 60
    assert PASS not in board.move_stack
    assert board.outcome() == Outcome(None, 32, 32, 0, 0, Termination.FULL_BOARD)

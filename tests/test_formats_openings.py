"""Lists of openings: transcripts, XOT, boards, and errors that name the line."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import games

from reversi.board import Board
from reversi.errors import FormatError
from reversi.formats.openings import parse_opening, read_openings
from reversi.game import Game

XOT = "F5d6C3d3C4f4F6f3"
START = Board().obf()
MUST_PASS = "OOOXXXXOOOOOOOOOOOOOOXOXOOOOXOXXOOOOXX-XOOOOOXX-OOXXXOXXOOOOOOOO X"
OVER = "X" * 64 + " X"


def file_of(folder: Path, text: str | bytes) -> Path:
    path = folder / "openings.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_list_of_every_kind(tmp_path: Path) -> None:
    position = Board.from_transcript("f5d6c3")
    text = "\n".join(
        [
            "% eight moves a line",
            XOT,
            "",
            "1. f5 d6 2. c3",
            f"{START} f5d6",
            f"  # {XOT}",
            position.obf(),
            f"{position.obf()}; d3:+1; f4:-2;",
            MUST_PASS,
            MUST_PASS + "g5",
        ]
    )
    xot, numbered, after_board, bare, with_values, must_pass, passed = read_openings(
        file_of(tmp_path, text)
    )
    assert xot == Board.from_transcript(XOT)
    assert (xot.transcript(), xot.empties, xot.black_to_move) == (XOT.lower(), 52, True)
    assert numbered == bare == with_values == position
    assert numbered.transcript() == "f5d6c3"
    assert bare.transcript() == ""
    assert after_board.transcript() == "f5d6"
    assert must_pass == Board.from_obf(MUST_PASS)
    assert passed.transcript(passes=True) == "pag5"


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_any_line_ending_and_a_byte_order_mark(tmp_path: Path, ending: str) -> None:
    path = file_of(tmp_path, b"\xef\xbb\xbf" + f"f5d6{ending}c4c3".encode())
    assert [board.transcript() for board in read_openings(path)] == ["f5d6", "c4c3"]


@pytest.mark.parametrize(
    ("line", "kind", "message"),
    [
        ("f5a1", "illegal move", "move 2, column 3: a1 is not legal"),
        ("5fd6", "syntax", "did you mean 'f5'"),
        ("f5d6\t!", "syntax", "move 3, column 6: '!' is not a move"),
        (START[:64], "board", "the side to move is missing"),
        (START[:64] + "b4", "board", "expected"),
        (START[:64] + " f5", "board", "column 66: 'f'; expected X or O, the side to move"),
        (START[:40], "board", "cells are missing: 40 symbols"),
        (OVER, "board", "the game is over; expected an opening"),
        ("\x00\x01", "syntax", "is not a move"),
    ],
)
def test_a_fault_names_file_and_line(tmp_path: Path, line: str, kind: str, message: str) -> None:
    path = file_of(tmp_path, f"{XOT}\n\n{line}\n{XOT}")
    with pytest.raises(FormatError) as caught:
        read_openings(path)
    error = caught.value
    assert (error.source, error.kind) == (str(path), kind)
    assert str(error).startswith(f"{path}: line 3")
    assert message in str(error)
    assert "\n" not in str(error)


def test_a_file_without_openings_is_an_error(tmp_path: Path) -> None:
    for text in ("", "\n\n", "% nothing\n"):
        with pytest.raises(FormatError, match="no opening in the file"):
            read_openings(file_of(tmp_path, text))
    with pytest.raises(FileNotFoundError):
        read_openings(tmp_path / "none.txt")


@given(games(max_plies=20), st.booleans())
@settings(max_examples=40)
def test_any_game_is_an_opening(moves: list[int], upper: bool) -> None:
    game = Game.from_moves(moves)
    text = game.transcript(passes=True)
    if moves and game.outcome() is None:
        assert parse_opening(text.upper() if upper else text) == game.board
        half = len(moves) // 2
        start = list(game.boards())[half]
        rest = Game.from_moves(moves[half:], start).transcript(passes=True)
        assert parse_opening(f"{start.obf()} {rest}") == game.board

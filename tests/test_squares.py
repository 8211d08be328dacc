"""Squares, colours and moves by name and number."""

import doctest
import re

import pytest

from reversi import errors, squares
from reversi.errors import InvalidMoveError
from reversi.squares import (
    BLACK,
    PASS,
    SQUARE_NAMES,
    WHITE,
    Color,
    parse_move,
    parse_square,
    read_moves,
    square_name,
)


class Number:
    """What numpy's integers are: no int, but good as an index."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


@pytest.mark.parametrize(
    ("name", "sq"),
    [("a1", 0), ("h1", 7), ("d4", 27), ("e4", 28), ("f5", 37), ("a8", 56), ("h8", 63)],
)
def test_squares_are_numbered_row_by_row_from_the_top(name: str, sq: int) -> None:
    assert parse_square(name) == sq
    assert square_name(sq) == name
    assert getattr(squares, name.upper()) == sq


def test_every_square_has_a_constant_and_a_name_that_leads_back() -> None:
    assert len(set(SQUARE_NAMES)) == 64
    for sq, name in enumerate(SQUARE_NAMES):
        assert getattr(squares, name.upper()) == sq
        assert name.upper() in squares.__all__
        assert square_name(sq) == name
        for text in (name, name.upper()):
            assert parse_square(text) == parse_move(text) == parse_move(sq) == sq


@pytest.mark.parametrize("text", ["pass", "PASS", "pa", "PA", "ps", "--", "@@@@"])
def test_a_pass_has_several_names(text: str) -> None:
    assert parse_move(text) == PASS == 64


def test_a_pass_is_written_pass() -> None:
    assert square_name(PASS) == "pass"


def test_a_pass_is_no_square() -> None:
    with pytest.raises(InvalidMoveError, match="'pass' is not a square"):
        parse_square("pass")


def test_a_move_may_be_any_integer_type() -> None:
    assert parse_move(Number(37)) == 37
    assert type(parse_move(Number(37))) is int
    assert square_name(Number(37)) == "f5"  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["5f", "5F", " f5", "f5 "])
def test_a_slip_gets_a_hint(text: str) -> None:
    for parse in (parse_square, parse_move):
        with pytest.raises(InvalidMoveError, match=re.escape(f"{text!r} is not a ")) as caught:
            parse(text)
        assert "did you mean 'f5'?" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "z9",
        "a0",
        "a9",
        "i1",
        "f",
        "5",
        "f55",
        "f5d6",
        "55",
        "\N{FULLWIDTH LATIN SMALL LETTER A}1",
        "-",
    ],
)
def test_other_texts_are_no_moves(text: str) -> None:
    for parse in (parse_square, parse_move):
        with pytest.raises(InvalidMoveError, match="a1 to h8") as caught:
            parse(text)
        assert repr(text) in str(caught.value)


@pytest.mark.parametrize("number", [-1, 65, 1000, -(2**70)])
def test_other_numbers_are_no_moves(number: int) -> None:
    for name in (parse_move, square_name):
        with pytest.raises(InvalidMoveError, match=f"{number} is not a move; expected 0 to 63"):
            name(number)


@pytest.mark.parametrize("value", [None, 3.0, b"f5", [37], object()])
def test_other_types_are_no_moves(value: object) -> None:
    for parse in (parse_move, parse_square, square_name):
        with pytest.raises(InvalidMoveError, match=type(value).__name__):
            parse(value)  # type: ignore[arg-type]


def test_the_colors_are_the_numbers_of_their_discs() -> None:
    assert (BLACK, WHITE) == (-1, 1)
    assert BLACK.opponent is WHITE
    assert WHITE.opponent is BLACK
    assert [color.symbol for color in (BLACK, WHITE)] == ["X", "O"]
    assert list(Color) == [BLACK, WHITE]


@pytest.mark.parametrize(
    "text",
    ["f5d6c3", "F5D6C3", "f5 d6\tc3\n", "1. F5 d6 2. C3", "1.f5d62.c3", "F5d6C3", "f5\nd\n6 c3"],
)
def test_a_transcript_may_be_written_in_many_ways(text: str) -> None:
    assert [move for _, move in read_moves(text)] == [37, 43, 18]


def test_passes_are_read_from_a_transcript_too() -> None:
    assert [move for _, move in read_moves("f5pad6PASSc3--@@@@ps")] == [
        37,
        64,
        43,
        64,
        18,
        64,
        64,
        64,
    ]


def test_an_empty_transcript_has_no_moves() -> None:
    assert list(read_moves(" \n ")) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5f", "move 1, column 1: '5f' is not a move; did you mean 'f5'?"),
        ("f5d6 9c", "move 3, column 6: '9c' is not a move; expected a1 to h8, or a pass"),
        ("f5d6c", "move 3, column 5: 'c' is not a move; expected a1 to h8, or a pass"),
        ("f5\nd6 x", "move 3, line 2, column 4: 'x' is not a move; expected a1 to h8, or a pass"),
        ("f5,d6", "move 2, column 3: ',d' is not a move; expected a1 to h8, or a pass"),
        ("12 f5", "move 1, column 1: '12' is not a move; expected a1 to h8, or a pass"),
    ],
)
def test_a_fault_in_a_transcript_is_placed(text: str, message: str) -> None:
    with pytest.raises(InvalidMoveError) as caught:
        list(read_moves(text))
    assert str(caught.value) == message


@pytest.mark.parametrize("module", [squares, errors])
def test_the_examples_in_the_docstrings_hold(module: object) -> None:
    failed, attempted = doctest.testmod(module)  # type: ignore[arg-type]
    assert attempted > 0
    assert failed == 0

"""OBF: positions as problems and as games, faults, files."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest
from formats_kit import MUST_PASS, random_game
from gametrees import check_damaged, damages, game_trees
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reversi import PASS, Board, FormatError, Game, square_name
from reversi.formats import obf
from reversi.formats.obf import parse_problem

SPEC = (
    "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X;"
    " H5:+6; G6:-2; F6:-4; H6:-10;"
)
START = Board().obf()


def read(text: str, faults: list[FormatError] | None = None) -> list[Game]:
    on_error = None if faults is None else faults.append
    return list(obf.read(BytesIO(text.encode()), "old.obf", on_error))


def test_a_problem_has_the_values_of_its_moves() -> None:
    problem = parse_problem(SPEC, "old.obf", 7)
    assert {square_name(move): value for move, value in problem.move_values.items()} == {
        "h5": 6, "g6": -2, "f6": -4, "h6": -10,
    }  # fmt: skip
    assert (problem.expected, problem.bare_value, problem.place) == (6, None, "old.obf:7")


def test_a_position_is_a_game_without_moves() -> None:
    game = obf.parse(SPEC)
    assert game.start == Board.from_obf(SPEC)
    assert game.moves == []
    assert game.headers == {"values": "h5:+6 g6:-2 f6:-4 h6:-10"}
    assert obf.dumps(game) == SPEC
    bare = obf.parse(f"{START}; +4;")
    assert bare.headers == {"value": "+4"}
    assert obf.dumps(bare) == f"{START}; +4;"


@pytest.mark.parametrize(
    "text",
    [
        START,
        f"{START};",
        f"  {START} ; ",
        START.replace(" ", ""),
        " ".join(START),
        START.replace("X", "x").replace("O", "o"),
        START.replace("X", "B").replace("O", "W"),
        START.replace("X", "*").replace("O", "w").replace("-", "."),
        f"{START}; --:-127;",
    ],
)
def test_ways_to_write_the_same_position(text: str) -> None:
    assert obf.parse(text) == Game()
    assert read(f"\ufeff{text}\r\n") == [Game()]


def test_comments_and_blank_lines_are_skipped() -> None:
    assert len(read(f"% title\n\n{START}\n  % more\n{SPEC}")) == 2
    assert read("") == []


def test_the_board_that_must_pass_survives_with_the_value_of_the_pass() -> None:
    game = obf.parse(f"{MUST_PASS.obf()}; PS:-48;")
    assert game.headers == {"values": "pass:-48"}
    assert str(game.board).endswith("must pass")
    assert obf.parse(obf.dumps(game)) == game


def test_a_game_is_written_as_its_last_position() -> None:
    game = Game.from_transcript("f5d6", headers={"value": "+4"})
    assert obf.dumps(game) == game.final_board().obf()
    game = Game(MUST_PASS)
    game.push(PASS)
    assert obf.dumps(game) == f"{MUST_PASS.obf()[:-1]}O"


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", "board", "column 1: cells are missing: 0 symbols of 64 cells and a side"),
        (START[:-2], "board", "column 65: the side to move is missing: 64 symbols"),
        (START[:30], "board", "column 31: cells are missing: 30 symbols"),
        (f"{START[:-2]} B4:+2;", "board", "column 67: '4'; expected ';' or the end"),
        (START.replace("OX", "O?"), "board", "column 29: '?'; expected X (black), O (white) or"),
        (f"{START}X", "board", "column 67: 'X'; expected ';' or the end after 64 cells and the"),
        (f"{START}; d3:+2; a1:+1;", "illegal move", "column 76: a1 is no legal move here"),
        (f"{START}; pa:+1;", "illegal move", "column 69: pa is no legal move here"),
        (f"{START}; z9:+1;", "syntax", "column 69: 'z9' is not a move; expected a1 to h8, or pass"),
        (f"{START}; d3:+65;", "syntax", "column 69: score 65; expected -64 to 64"),
        (f"{START}; d3:+2.5;", "syntax", "column 69: 'd3:+2.5' is neither MOVE:score nor a score"),
        (f"{START}; d3:{5000 * '1'};", "syntax", "'... is neither MOVE:score nor a score"),
        (f"{START}; -127;", "syntax", "column 69: score -127; expected -64 to 64"),
    ],
)
def test_faults(text: str, kind: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        obf.parse(text)
    assert message in str(caught.value)
    assert (caught.value.kind, caught.value.source) == (kind, None)
    faults: list[FormatError] = []
    assert len(read(f"{START}\n{text or '?'}\n{START}", faults)) == 2
    assert len(faults) == 1
    assert str(faults[0]).startswith("old.obf: game 2: line 2, column ")
    assert faults[0].kind == kind


@pytest.mark.parametrize("headers", [{"value": "good"}, {"values": "a1:+2"}, {"value": "+65"}])
def test_headers_that_are_no_values_are_refused(headers: dict[str, str]) -> None:
    for refusing in (obf.check, obf.dumps):
        with pytest.raises(FormatError, match="the headers value and values: "):
            refusing(Game(headers=headers))
    obf.check(Game.from_transcript("f5", headers=headers))


def test_real_positions_with_values_survive_a_file() -> None:
    games = [Game(random_game(seed, plies=40).final_board()) for seed in range(20)]
    for number, game in enumerate(games):
        moves = [square_name(move) for move in game.start.legal_moves]
        game.headers["values"] = " ".join(f"{move}:{number - 9:+d}" for move in moves)
    file = BytesIO()
    assert obf.write(file, games) == 20
    assert list(obf.read(BytesIO(file.getvalue()))) == games


@given(game_trees(notes=False))
@settings(max_examples=60)
@example(Game(MUST_PASS))
def test_the_last_position_of_any_game_survives(game: Game) -> None:
    assert obf.parse(obf.dumps(game)) == Game(game.final_board())


@given(game_trees(notes=False), damages())
@settings(max_examples=80)
def test_a_damaged_file_gives_faults_or_positions(
    game: Game, damage: Callable[[bytes], bytes]
) -> None:
    file = BytesIO()
    obf.write(file, [obf.parse(SPEC), game, obf.parse(SPEC)])
    check_damaged(obf.read, damage(file.getvalue()))


@given(st.binary() | st.text(alphabet="XxO-.* ;:+14d3\n%").map(str.encode))
@settings(max_examples=60)
def test_no_bytes_break_the_reader(data: bytes) -> None:
    check_damaged(obf.read, data)


def test_no_line_takes_long() -> None:
    faults: list[FormatError] = []
    for piece in ("-", " ", ";", "; ", "d3:+1;", "d3:", ":", "1"):
        assert read(f"{START};{piece * (200_000 // len(piece))}\n" + piece * 50_000, faults) in (
            [],
            [Game()],
            [Game(headers={"values": "d3:+1"})],
        )
    assert faults

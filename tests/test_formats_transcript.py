"""Transcripts: the ways to write one, boards before the moves, faults, files."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from io import BytesIO

import pytest
from formats_kit import MUST_PASS, passing_game, random_game
from gametrees import check_damaged, damages, game_trees
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reversi import PASS, Board, FormatError, Game, square_name
from reversi.formats import transcript
from reversi.formats.base import MAX_GAME_BYTES

START = Board().obf()


def read(text: str, faults: list[FormatError] | None = None) -> list[Game]:
    on_error = None if faults is None else faults.append
    return list(transcript.read(BytesIO(text.encode()), "old.txt", on_error))


@pytest.mark.parametrize(
    "text",
    [
        "f5d6c3",
        "F5D6C3",
        " f5 d6\tc3 ",
        "F5d6C3",
        "1. F5 d6 2. C3",
        "1.f5 2.d6 3.c3",
        f"{START} f5d6c3",
        f"{START}f5d6c3",
        f"{START[:-2]}X f5 d6 c3",
        f"{START.replace('X', '*').replace('O', 'w').replace('-', '.')} f5d6c3",
        " ".join(START) + " F5D6C3",
    ],
)
def test_ways_to_write_the_same_game(text: str) -> None:
    game = Game.from_transcript("f5d6c3")
    assert transcript.parse(text) == game
    assert read(f"\ufeff{text}\r\n") == [game]


def test_a_transcript_may_have_several_lines() -> None:
    rows = "\n".join(START[at : at + 8] for at in range(0, 64, 8))
    assert transcript.parse(f"{rows}\nX\nF5 D6\nC3\n").transcript() == "f5d6c3"
    with pytest.raises(FormatError, match="line 11, column 2: d7 is not legal"):
        transcript.parse(f"{rows}\nX\nF5 D6\n D7\n")


@pytest.mark.parametrize("first", ["f5", "c4", "d3", "e6"])
def test_no_game_is_turned(first: str) -> None:
    assert transcript.parse(first).transcript() == first


@pytest.mark.parametrize("name", ["PA", "PS", "pa", "pass", "--", "@@@@"])
def test_a_pass_may_be_written_or_left_out(name: str) -> None:
    game = Game.from_moves(passing_game().moves)
    assert transcript.parse("".join(map(square_name, game.moves)).replace("pass", name)) == game
    assert transcript.dumps(game) == game.transcript()
    assert transcript.parse(transcript.dumps(game)) == game


def test_the_board_that_must_pass_survives_with_and_without_the_pass() -> None:
    game = Game(MUST_PASS)
    assert transcript.dumps(game) == MUST_PASS.obf()
    assert str(transcript.parse(transcript.dumps(game)).board).endswith("must pass")
    game.push(PASS)
    assert transcript.dumps(game) == f"{MUST_PASS.obf()} pa"
    assert transcript.parse(transcript.dumps(game)) == game
    assert transcript.parse(f"{MUST_PASS.obf()} g5").moves == [PASS, 38]


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", "syntax", "no moves and no board; expected moves such as f5d6c3"),
        (" \n", "syntax", "no moves and no board"),
        ("5f", "syntax", "move 1, column 1: '5f' is not a move; did you mean 'f5'?"),
        ("f5d6c9", "syntax", "move 3, column 5: 'c9' is not a move; expected a1 to h8, or a pass"),
        ("f5d6c", "syntax", "move 3, column 5: 'c' is not a move"),
        ("f5d6 hello", "syntax", "move 3, column 6: 'he' is not a move"),
        ("f5f5", "illegal move", "move 2, column 3: f5 is not legal: the square holds a disc"),
        ("f5pa", "illegal move", "move 2, column 3: pass is not legal: the side to move has a mo"),
        (f"{START} f5f5", "illegal move", "move 2, column 70: f5 is not legal"),
        (START[:-2], "board", "the side to move is missing"),
        (f"{START[:-2]} f5d6", "board", "column 66: 'f'; expected X or O, the side to move"),
        (f"{START[:-2]} b4b5", "board", "column 67: '4'; expected ';' or the end"),
        (f"{START[:40]} f5", "board", "column 42: 'f'; expected X (black), O (white) or - (emp"),
        ("f5" * 6000, "too long", "too long: 12000 characters; expected at most 10000"),
    ],
)
def test_faults(text: str, kind: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        transcript.parse(text)
    assert message in str(caught.value)
    assert caught.value.kind == kind
    assert len(str(caught.value)) < 250


def test_a_file_has_one_game_a_line_and_comments() -> None:
    text = f"% from 1999\n# two\n\nf5d6\n  \n{START} c4\r\nD3"
    assert [game.transcript() for game in read(text)] == ["f5d6", "c4", "d3"]
    assert read("") == []


def test_faults_name_game_and_line_and_are_skipped() -> None:
    faults: list[FormatError] = []
    text = f"f5d6\n\nf5 f6 g6\n9\n{START[:-2]}\n{'f5' * MAX_GAME_BYTES}\nc4\n{'f5' * 6000}"
    assert [game.transcript() for game in read(text, faults)] == ["f5d6", "c4"]
    assert [str(fault) for fault in faults[1:]] == [
        "old.txt: game 3: move 1, line 4, column 1: '9' is not a move; "
        "expected a1 to h8, or a pass",
        "old.txt: game 4: line 5: the side to move is missing: 64 symbols of 64 cells and a side",
        "old.txt: line 6: too long: more than 1000000 bytes in a line",
        "old.txt: game 6: line 8: too long: 12000 characters; expected at most 10000",
    ]
    assert str(faults[0]).startswith("old.txt: game 2: move 3, line 3, column 7: g6 is not legal")
    with pytest.raises(FormatError) as caught:
        read(text)
    assert str(caught.value) == str(faults[0])


def test_games_without_moves_are_written_as_their_board() -> None:
    file = BytesIO()
    games = [Game(), Game.from_transcript("f5"), Game(MUST_PASS)]
    assert transcript.write(file, games) == 3
    assert list(transcript.read(BytesIO(file.getvalue()))) == games


@given(game_trees())
@settings(max_examples=100)
@example(Game(MUST_PASS))
def test_the_main_line_of_any_game_survives(game: Game) -> None:
    wanted = Game.from_moves(game.moves, game.start)
    assert transcript.parse(transcript.dumps(game)) == wanted
    file = BytesIO()
    transcript.write(file, [game, game])
    assert list(transcript.read(BytesIO(file.getvalue()))) == [wanted, wanted]


@given(game_trees(notes=False), damages())
@settings(max_examples=100)
def test_a_damaged_file_gives_faults_or_legal_games(
    game: Game, damage: Callable[[bytes], bytes]
) -> None:
    file = BytesIO()
    transcript.write(file, [game, random_game(1), Game(MUST_PASS)])
    check_damaged(transcript.read, damage(file.getvalue()))


@given(st.binary() | st.text(alphabet="f5d6XxO-.* 1\n%").map(str.encode))
@settings(max_examples=60)
def test_no_bytes_break_the_reader(data: bytes) -> None:
    check_damaged(transcript.read, data)


@pytest.mark.parametrize("piece", ["f5", "1. ", "-", "--", " ", "X ", "é", "\x00"])
def test_no_repetition_takes_long(piece: str) -> None:
    with pytest.raises(FormatError):
        transcript.parse(piece * 9_900)


def test_a_long_file_takes_the_memory_of_one_game() -> None:
    line = (transcript.dumps(random_game(1, plies=30)) + "\n").encode()

    class Endless(BytesIO):
        """A file of 20,000 games that is not held in memory itself."""

        left = 20_000

        def readline(self, size: int | None = -1) -> bytes:
            assert size is not None and size > 0
            self.left -= 1
            return line if self.left >= 0 else b""

    tracemalloc.start()
    games = sum(1 for _ in transcript.read(Endless()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert games == 20_000
    assert peak < 200_000

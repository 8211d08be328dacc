"""What people paste: every way to write a game or a board, what is ambiguous, what is nothing."""

import pickle
from collections.abc import Callable
from io import StringIO

import pytest
from gametrees import damages, game_trees, with_plain_line_ends
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import Position
from rich.console import Console
from strategies import games, positions

import reversi
from reversi import AmbiguousError, Board, Color, FormatError, Game, Pasted, parse_any
from reversi.cli import render
from reversi.formats import ggf, jsonl, obf, sgf, transcript
from reversi.formats.grid import read_grid
from reversi.squares import BLACK, PASS, WHITE, square_name

MOVES = "f5d6c3d3c4f4f6"
GAME = Game.from_transcript(MOVES, headers={"black": "Ann", "white": "Bob"})
BOARD = GAME.final_board()
LEGAL = [square_name(move) for move in BOARD.legal_moves]
CELLS, SIDE = BOARD.obf().split()
ROWS = [CELLS[at : at + 8] for at in range(0, 64, 8)]
MUST_PASS = Board.from_obf("OOOXXXXOOOOOOOOOOOOOOXOXOOOOXOXXOOOOXX-XOOOOOXX-OOXXXOXXOOOOOOOO X")
OVER = Board.from_transcript("e6f4e3f6g5d6e7f5c5")


def board_of(position: Position) -> Board:
    cells, turn = position
    return Board.from_cells(cells, Color(turn))


def fault_of(text: str, turn: Color | None = None) -> FormatError:
    with pytest.raises(FormatError) as caught:
        parse_any(text, turn)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 350
    return caught.value


# --- Transcripts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        MOVES,
        MOVES.upper(),
        "F5d6C3d3C4f4F6",
        "f5 d6 c3 d3 c4 f4 f6",
        "  f5 d6\tc3\n\n d3 c4\r\nf4 f6 \n",
        "f5d6c3\nd3c4f4\nf6",
        "f5d6c3d\n3c4f4f6",
        "1. F5 d6 2. C3 d3 3. C4 f4 4. F6",
        "1. F5 d6\n2. C3 d3\n3. C4 f4\n4. F6",
        "1.f5 2.d6 3.c3 4.d3 5.c4 6.f4 7.f6",
        "1 f5 d6\n2 c3 d3\n3 c4 f4\n4 f6",
        "1) f5 2) d6 3) c3 4) d3 5) c4 6) f4 7) f6",
        "f5, d6, c3, d3, c4, f4, f6",
        "['f5', 'd6', 'c3', 'd3', 'c4', 'f4', 'f6']",
        '["f5", "d6", "c3", "d3", "c4", "f4", "f6"]',
        "% an opening\nf5d6c3\n# and on\nd3c4f4f6",
        "\ufeff" + MOVES,
    ],
)
def test_ways_to_write_a_transcript(text: str) -> None:
    pasted = parse_any(text)
    assert (pasted.format, pasted.description) == ("transcript", "a transcript, 7 moves")
    assert pasted.games == (Game.from_transcript(MOVES),)
    assert (pasted.board, pasted.board.transcript()) == (BOARD, MOVES)


@pytest.mark.parametrize(
    "text",
    ["f5d6c3\nf5f6e6", "1. f5 d6 2. c3\n1. f5 f6 2. e6", "\n% two\nf5 d6 c3\n\nF5 f6 E6\n"],
)
def test_several_transcripts_stand_one_a_line(text: str) -> None:
    pasted = parse_any(text)
    assert (pasted.format, pasted.description) == ("transcript", "2 transcripts")
    assert [game.transcript() for game in pasted.games] == ["f5d6c3", "f5f6e6"]
    for ask in (lambda: pasted.game, lambda: pasted.board):
        with pytest.raises(ValueError, match="2 transcripts; expected one"):
            ask()


def test_moves_are_never_turned_to_begin_with_f5() -> None:
    assert parse_any("c4e3").game.transcript() == "c4e3"
    assert parse_any("d3").game.transcript() == "d3"


def test_lines_that_are_one_game_or_two() -> None:
    # d3 goes on from f5f6 and begins a game as well; f7 only goes on.
    error = fault_of("f5f6\nd3")
    assert isinstance(error, AmbiguousError)
    assert error.reason.endswith("a transcript, 3 moves; or 2 transcripts")
    assert [len(reading.games) for reading in error.readings] == [1, 2]
    assert len(parse_any("f5f6\nf7").games) == 1


def test_numbers_tell_one_game_from_two() -> None:
    assert len(parse_any("1. f5 f6\n2. d3").games) == 1
    assert len(parse_any("1. f5 f6\n1. d3").games) == 2


# --- Boards ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"{CELLS} {SIDE}",
        f"{CELLS}{SIDE}",
        f"{CELLS}\n{SIDE}",
        "\n".join([*ROWS, SIDE]),
        "\r\n".join([*ROWS, SIDE, ""]),
        "\n".join([" ".join(row) for row in [*ROWS, SIDE]]),
        "\n".join(ROWS) + f"\n\n{SIDE} to move\n",
        f"{SIDE} to move\n" + "\n".join(ROWS),
        "Turn: white\n" + "\n".join(ROWS),
        "White to play:\n" + "\n".join(ROWS),
        "/".join(ROWS) + " w",
        "|".join(ROWS) + "|o",
        "\n".join(f"|{'|'.join(row)}|" for row in ROWS) + "\nside to move: O".replace("side ", ""),
        "\n".join(f"{number} {row} {number}" for number, row in enumerate(ROWS, 1)) + "\nwhite",
        "ABCDEFGH\n" + "\n".join(f"{number}|{row}" for number, row in enumerate(ROWS, 1)) + "\nO",
        str(BOARD),
        BOARD.unicode(),
        f"{BOARD}\n",
        CELLS.replace("X", "x").replace("O", "o").replace("-", ".") + " o",
        CELLS.replace("X", "*") + " O",
        CELLS.replace("X", "b").replace("O", "w") + " w",
        "\n".join(ROWS).replace("X", "●").replace("O", "○").replace("-", "·") + "\n○",
    ],
)
def test_ways_to_write_a_board(text: str) -> None:
    pasted = parse_any(text)
    assert pasted.format in ("board", "obf")
    assert pasted.description.endswith(", white to move, 11 discs")
    assert (pasted.board, pasted.game.moves) == (BOARD, [])
    assert parse_any(text, WHITE) == pasted
    assert "white is to move by the text; expected black" in str(fault_of(text, BLACK))


def test_a_board_as_the_command_shows_it() -> None:
    for board in (Board(), BOARD, MUST_PASS):
        file = StringIO()
        Console(file=file).print(render.board(board))
        # Without colours, legal moves are dots, or stars where there are no others.
        shown = file.getvalue()
        assert parse_any(shown.replace("*", "·")).board == board
        if "*" in shown and "X" in shown:
            assert "both stand for black" in str(fault_of(shown))


@given(positions(), st.integers(0, 4))
@settings(max_examples=80)
def test_any_board_in_any_shape(position: Position, shape: int) -> None:
    board = board_of(position)
    obf = board.obf()
    rows = "\n".join(obf[at : at + 8] for at in range(0, 64, 8))
    text = [obf, f"{rows}\n{obf[-1]}", str(board), board.unicode(), f"{board}".replace("- ", ". ")][
        shape
    ]
    if board.is_game_over() and shape > 1:
        # Where the game is over the printed board tells the result, and no side.
        assert isinstance(fault_of(text), AmbiguousError)
        assert parse_any(text, board.turn).board == board
    else:
        assert parse_any(text).board == board


def test_a_board_that_must_pass_is_not_over() -> None:
    for text in (MUST_PASS.obf(), str(MUST_PASS), MUST_PASS.unicode()):
        pasted = parse_any(text)
        assert "black must pass, 62 discs" in pasted.description
        assert list(pasted.board.legal_moves) == [PASS]
    assert "the game is over, 13 discs" in parse_any(OVER.obf()).description


def test_a_board_with_moves_behind_it() -> None:
    start = Board.from_transcript("f5d6")
    whole = start.obf()
    rows = "\n".join([whole[at : at + 8] for at in range(0, 64, 8)])
    for text in (
        f"{whole} c3d3",
        f"{whole}c3d3",
        f"{whole}\nc3 d3",
        f"{whole}\n1. c3 d3",
        f"{rows}\n{whole[-1]}\nc3d3",
        f"{start}\n\n2. C3 d3\n",
    ):
        pasted = parse_any(text)
        assert pasted.format == "transcript"
        assert pasted.description == "a transcript, 2 moves, from a board of 6 discs"
        assert pasted.game == Game.from_moves(["c3", "d3"], start)
    assert parse_any(f"{MUST_PASS.obf()}g5").game.moves == [PASS, 38]
    # Not a board and a game: the moves belong to the board, though they could begin a game.
    assert parse_any(f"{Board().obf()}\nf5d6").games == (Game.from_transcript("f5d6"),)


def test_a_side_that_is_missing_is_never_guessed() -> None:
    for text in (CELLS, "\n".join(ROWS), str(OVER), "\n".join(str(BOARD).splitlines()[:9])):
        error = fault_of(text)
        assert isinstance(error, AmbiguousError)
        assert error.kind == "ambiguous"
        assert "the side to move is missing" in error.reason
        assert "turn=BLACK or turn=WHITE" in error.reason
        assert [reading.board.turn for reading in error.readings] == [BLACK, WHITE]
        for turn in Color:
            assert parse_any(text, turn).board.turn is turn
            assert parse_any(text, int(turn)).board.turn is turn  # type: ignore[arg-type]


def test_a_move_is_not_taken_for_the_side() -> None:
    # B4 is a move of either side, and no black to move.
    error = fault_of(f"{MUST_PASS.obf()[:64]} g5")
    assert isinstance(error, AmbiguousError)
    start = Board().obf()[:64]
    for moves in ("f5", "f5d6", "\nf5"):
        error = fault_of(start + moves)
        assert isinstance(error, AmbiguousError)
        assert [reading.games[0].start.turn for reading in error.readings] == [BLACK]
        assert parse_any(start + moves, BLACK).game.start == Board()
    b4 = Board.from_transcript("c4c3d3c5")
    assert b4.is_legal("b4")
    assert isinstance(fault_of(b4.obf()[:64] + "b4"), AmbiguousError)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n".join(ROWS)[:-1], "cells are missing: 63 of 64"),
        ("\n".join(ROWS).replace("X", "0", 1), "line 3, column 3: "),
        (
            "\n".join(ROWS).replace("X", "0", 1),
            "'0'; expected X (black), O (white) or - (empty) for c3",
        ),
        (str(BOARD).replace("\n3 ", "\n4 "), "line 4, column 1: "),
        (str(BOARD).replace("\n3 ", "\n4 "), "row 4 is out of its order"),
        (str(BOARD).replace("1 - ", "1 "), "row 1 has no 8 cells"),
        (str(BOARD).replace("1 - ", "1 - - "), "'-' after the 8 cells of row 1"),
        (str(BOARD).replace("X", "*", 1), "'X' and '*' both stand for black here"),
        (
            "black to move\n" + "\n".join(ROWS) + "\nO",
            "white is to move; before the board it was black",
        ),
        (f"{CELLS} {SIDE}; e3:+2;", "e3 is no legal move here"),
        (f"{CELLS} {SIDE} a1", "a1 is not legal"),
    ],
)
def test_boards_with_faults(text: str, message: str) -> None:
    assert message in str(fault_of(text))


# --- Formats --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "format", "description", "number"),
    [
        (ggf.dumps(GAME), "ggf", "a GGF game, 7 moves, black Ann, white Bob", 1),
        (f"1 {ggf.dumps(GAME)}\n", "ggf", "a GGF game, 7 moves, black Ann, white Bob", 1),
        (f"2 {ggf.dumps(GAME)}{ggf.dumps(GAME)}", "ggf", "2 GGF games", 2),
        (sgf.dumps(GAME), "sgf", "an SGF game, 7 moves, black Ann, white Bob", 1),
        ("(;B[f5])", "sgf", "an SGF game, 1 move", 1),
        (sgf.dumps(GAME) * 3, "sgf", "3 SGF games", 3),
        (jsonl.dumps(GAME), "json", "a JSON game, 7 moves, black Ann, white Bob", 1),
        (f"[{jsonl.dumps(GAME)}]", "json", "a JSON game, 7 moves, black Ann, white Bob", 1),
        (f"{jsonl.dumps(GAME)}\n" * 2, "json", "2 JSON games", 2),
        (BOARD.obf(), "obf", "a position in OBF, white to move, 11 discs", 1),
        (
            f"{BOARD.obf()}; {LEGAL[0]}:+2; {LEGAL[1]}:-1;",
            "obf",
            "a position in OBF, white to move, 11 discs",
            1,
        ),
        (f"% a list\n{BOARD.obf()}\n\n{OVER.obf()};+64;", "obf", "2 positions in OBF", 2),
    ],
)
def test_formats(text: str, format: str, description: str, number: int) -> None:
    for surrounded in (text, f"\n  {text}\n\n"):
        pasted = parse_any(surrounded)
        assert (pasted.format, pasted.description) == (format, description)
        assert len(pasted.games) == number
        assert pasted.games[0].final_board() in (BOARD, Board.from_transcript("f5"))


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        (ggf.dumps(GAME)[:-8], "truncated", "as GGF: "),
        (sgf.dumps(GAME)[:-9], "truncated", "as SGF: a value that begins here has no ']'"),
        (jsonl.dumps(GAME)[:-3], "truncated", "as JSON: "),
        (ggf.dumps(GAME).replace("D6", "A1"), "illegal move", "as GGF: a1 is not legal"),
        ("(;GM[1]SZ[19];B[qd])", "unsupported", "as SGF: GM is '1', not Othello"),
        ("(;", "truncated", "recognised as none of these: GGF, SGF; the nearest is SGF: "),
        ("{}", "syntax", "as JSON: no 'moves'"),
        ("[]", "truncated", "as JSON: no game; expected one"),
    ],
)
def test_faults_of_formats(text: str, kind: str, message: str) -> None:
    error = fault_of(text)
    assert error.kind == kind
    assert message in str(error)


@given(game_trees(), st.sampled_from([sgf, jsonl]))
@settings(max_examples=40)
def test_any_game_is_recognised_with_all_that_it_has(game: Game, format) -> None:
    game = with_plain_line_ends(game)
    assert parse_any(format.dumps(game)).game == game


@given(games(min_plies=1), st.sampled_from([transcript, ggf]))
@settings(max_examples=40)
def test_any_moves_are_recognised(moves: list[int], format) -> None:
    game = Game.from_moves(moves)
    assert parse_any(format.dumps(game)).game == game


# --- Nothing --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", "truncated", "nothing to read; expected a game or a board"),
        (" \n\ufeff", "truncated", "nothing to read"),
        (
            "hello",
            "syntax",
            "move 1, column 1: recognised as none of these: OBF, a board, a transcript;"
            " the nearest is a transcript: 'he' is not a move",
        ),
        ("f5d6 5f", "syntax", "move 3, column 6: "),
        ("f5d6 5f", "syntax", "did you mean 'f5'?"),
        ("f5d6a1", "illegal move", "the nearest is a transcript: a1 is not legal: black would"),
        ("f5d6pa", "illegal move", "pass is not legal"),
        ("f5" * 20_000, "too long", "the nearest is a transcript: too long"),
        ("[1, 2]", "syntax", "'1' is not a move"),
        ("0x810000000 0x1008000000", "unsupported", "never guessed"),
        (
            "0000000810000000 0000001008000000",
            "unsupported",
            "Board.from_bitboards(black, white, turn)",
        ),
        ("\x14\x1a\x0b\x1e\x01\x00\x00\x00", "unsupported", "read_games(path)"),
    ],
)
def test_what_is_not_recognised(text: str, kind: str, message: str) -> None:
    error = fault_of(text)
    assert error.kind == kind
    assert message in str(error)


def test_sixteen_characters_of_moves_are_no_bitboards() -> None:
    lists = parse_any("f5d6c3d3c4f4f6f3\nf5d6c3d3c4b3d2e2")
    assert lists.description == "2 transcripts"


def test_only_texts_are_read() -> None:
    for thing in (b"f5d6", None, 5, Board()):
        with pytest.raises(TypeError, match="expected a text, not"):
            parse_any(thing)  # type: ignore[arg-type]


def test_what_is_told_can_be_kept() -> None:
    error = fault_of(CELLS)
    assert isinstance(error, AmbiguousError)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.readings) == (str(error), error.readings)
    pasted = parse_any(MOVES)
    assert pickle.loads(pickle.dumps(pasted)) == pasted
    with pytest.raises(AttributeError):
        pasted.format = "obf"  # type: ignore[misc]
    assert reversi.parse_any is parse_any
    assert isinstance(pasted, Pasted)


# --- Damage ---------------------------------------------------------------------------------------


def texts_of(game: Game) -> list[str]:
    return [
        transcript.dumps(game),
        ggf.dumps(game),
        sgf.dumps(game),
        jsonl.dumps(game),
        obf.dumps(Game(game.final_board())),
        str(game.final_board()),
        game.final_board().unicode(),
    ]


@given(game_trees(notes=False), st.integers(0, 6), damages())
@settings(max_examples=150)
def test_a_damaged_text_gives_a_fault_or_legal_games(
    game: Game, number: int, damage: Callable[[bytes], bytes]
) -> None:
    check(damage(texts_of(game)[number].encode()).decode(errors="replace"))


@given(st.text(max_size=80) | st.text('XO-xo.*bw●○·12345678abcdefgh /|\n;:[](){}"', max_size=150))
@settings(max_examples=200)
def test_no_text_breaks_the_reader(text: str) -> None:
    check(text)


def check(text: str) -> None:
    try:
        pasted = parse_any(text)
    except AmbiguousError as error:
        assert error.readings
        found = [game for reading in error.readings for game in reading.games]
    except FormatError as error:
        assert "\n" not in str(error)
        return
    else:
        found = [*pasted.games]
    assert found
    for game in found:
        assert Game.from_moves(game.moves, game.start).moves == game.moves


@pytest.mark.parametrize(
    "bit", ["-", "X ", "\n", "1 ", "% \n", ",", "(", "(;", "[", '{"', "a ", "--\n"]
)
def test_a_long_text_of_one_kind_is_refused_in_the_time_of_reading_it(bit: str) -> None:
    assert fault_of(bit * (60_000 // len(bit))).reason


@given(positions())
@settings(max_examples=30)
def test_a_grid_says_where_it_ends(position: Position) -> None:
    board = board_of(position)
    text = f"{board}\nf5"
    grid = read_grid(text)
    assert (grid.cells, text[grid.end :]) == (board.cells(), "\nf5")
    assert grid.turn is (None if board.is_game_over() else board.turn)

"""SGF: every variant that users' files have, every fault, round trips and damaged files."""

import tracemalloc
from collections.abc import Callable
from io import BytesIO

import pytest
from gametrees import check_damaged, damages, game_trees, with_plain_line_ends
from hypothesis import given, settings
from hypothesis import strategies as st

from reversi.board import Board
from reversi.errors import FormatError
from reversi.formats import sgf
from reversi.formats.base import MAX_GAME_BYTES
from reversi.game import Game
from reversi.node import Node
from reversi.squares import BLACK, PASS, WHITE

HEAD = "(;FF[4]GM[2]SZ[8]"
SPEC = HEAD + "PB[Ann]PW[Bob]AB[d5][e4]AW[d4][e5]PL[B]RE[B+6];B[f5];W[d6];B[c3])"
# White has no move after these, and black has none after those.
BLACK_PASSES = "d3c3b3b2f5a3a1c1"
MUST_PASS = Board.from_obf("OOOXXXXOOOOOOOOOOOOOOXOXOOOOXOXXOOOOXX-XOOOOOXX-OOXXXOXXOOOOOOOO X")


def written(moves: str) -> str:
    """Return the nodes of a transcript without passes, sides taking turns."""
    game = Game.from_transcript(moves)
    text, turn = "", game.start.turn
    for move in game.moves:
        if move != PASS:
            name = "abcdefgh"[move % 8] + str(move // 8 + 1)
            text += f";{'B' if turn is BLACK else 'W'}[{name}]"
        turn = turn.opponent
    return text


def fault_of(text: str) -> FormatError:
    with pytest.raises(FormatError) as caught:
        sgf.parse(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250
    with pytest.raises(FormatError) as read:
        list(sgf.read(BytesIO(text.encode()), "old.sgf"))
    assert str(read.value).startswith("old.sgf: ")
    assert read.value.kind == caught.value.kind
    return caught.value


# --- Variants -----------------------------------------------------------------------------------


def test_the_strict_form() -> None:
    game = sgf.parse(SPEC)
    assert game.transcript() == "f5d6c3"
    assert game.headers == {"black": "Ann", "white": "Bob", "result": "+6"}
    assert game.start == Board()
    assert game.board == game.final_board()


@pytest.mark.parametrize(
    "text",
    [
        HEAD + ";B[f5];W[d6];B[c3])",
        "(;GM[2];B[f5];W[d6];B[c3])",
        "(;B[f5];W[d6];B[c3])",
        "(;SZ[8:8]GM[ 2 ];B[F5];W[D6];B[C3])",
        HEAD + "B[f5];W[d6];B[c3])",
        HEAD + ";B[fe];W[df];B[cc])",
        "\n ( ; GM [2] \r\n ; B [f5] ;\tW[d6]\n;B\n[c3] ) \n",
        "(;GaMe[2]SiZe[8];Black[f5];White[d6];Black[c3])",
        HEAD + ";B[f5]BL[300]OB[2]N[good]TR[a1][b2];W[d6]LB[a1:A][b2:B]BM[1];B[c3])",
        HEAD + ";B[f5];N[no move here];W[d6];B[c3];TW[])",
        "\ufeff" + HEAD + ";B[f5];W[d6];B[c3])",
    ],
)
def test_ways_to_write_the_same_game(text: str) -> None:
    assert next(sgf.read(BytesIO(text.encode()))).transcript() == "f5d6c3"
    if not text.startswith("\ufeff"):
        assert sgf.parse(text) == Game.from_transcript("f5d6c3")


@pytest.mark.parametrize("name", ["", "tt", "PA", "pass", "--", " "])
def test_a_pass_has_many_names_and_may_be_left_out(name: str) -> None:
    before, after = written(BLACK_PASSES), ";W[e3]"
    for text in (f"{before};B[{name}]{after}", before + after):
        game = sgf.parse(f"{HEAD}{text})")
        assert game == Game.from_transcript(BLACK_PASSES + "e3")
        assert PASS in game.moves
    last = sgf.parse(f"{HEAD}{before};B[{name}])")
    assert last.moves[-1] == PASS
    assert last.turn is WHITE


def test_variations_are_kept_and_the_first_is_the_main_line() -> None:
    game = sgf.parse(HEAD + ";B[f5](;W[d6];B[c3](;W[d3])(;W[g5]))(;W[f6])(;W[f4];B[e3]))")
    assert game.transcript() == "f5d6c3d3"
    f5 = game.root.children[0]
    assert [child.name for child in f5.children] == ["d6", "f6", "f4"]
    assert [child.name for child in f5.children[0].children[0].children] == ["d3", "g5"]
    assert game.node.name == "d3"
    assert sgf.parse(HEAD + "(;B[f5])(;B[c4]))").moves == [37]


def test_a_pass_left_out_in_a_variation_is_put_in() -> None:
    game = sgf.parse(f"{HEAD}{written(BLACK_PASSES)}(;W[e3])(;W[f6])(;B[];W[f6]))")
    assert [node.move for node in game.root.tree()].count(PASS) == 1


def test_one_variation_twice_is_one_with_the_notes_of_both() -> None:
    game = sgf.parse(HEAD + "(;B[f5]C[one])(;B[f5]C[two];W[d6]))")
    assert game.transcript() == "f5d6"
    assert game.root.children[0].comment == "one\ntwo"


def test_notes() -> None:
    game = sgf.parse(
        HEAD + "C[a game\\: of two \\[friends\\] \\\\ and a \\\nsoft break]V[0.5]"
        ";B[f5]V[1.5]SECONDS[2.25]C[x];W[d6]V[1.5];C[more]V[+.5];B[c3]V[-2])"
    )
    assert game.root.comment == "a game: of two [friends] \\ and a soft break"
    f5, d6, c3 = game.main_line()
    # Black's view in the file, the mover's here; at the start that of the side that waits.
    assert (game.root.value, f5.value, d6.value, c3.value) == (-0.5, 1.5, -0.5, -2)
    assert (f5.seconds, f5.comment, d6.comment) == (2.25, "x", "more")


def test_headers() -> None:
    game = sgf.parse(
        "(;GM[2]PB[A\nB]BR[1800]WR[2d]PC[Kyoto]EV[Open]RO[2]DT[2026-11-30]TM[300]OT[5x30]"
        "GN[final]GC[two\nlines]XX[unknown]HEADER[x\\:y:z\\]])"
    )
    assert game.headers == {
        "black": "A B",
        "black_rating": "1800",
        "white_rating": "2d",
        "place": "Kyoto",
        "event": "Open",
        "round": "2",
        "date": "2026-11-30",
        "time": "300",
        "sgf:ot": "5x30",
        "sgf:gn": "final",
        "sgf:gc": "two\nlines",
        "x:y": "z]",
    }


@pytest.mark.parametrize(
    ("said", "result"),
    [
        ("B+6", "+6"),
        ("W+2.0", "-2"),
        ("W+6.5", "-6.5"),
        ("0", "+0"),
        ("Draw", "+0"),
        ("B+R", "B+R"),
        ("Void", "Void"),
        ("?", None),
        ("", None),
    ],
)
def test_results(said: str, result: str | None) -> None:
    assert sgf.parse(f"(;GM[2]RE[{said}])").headers.get("result") == result


def test_what_is_written_of_results_is_what_other_programs_read() -> None:
    for result, said in (("+6", "B+6"), ("-2:t", "W+T"), ("+8:r", "B+R"), ("+0", "0"), ("x", "x")):
        text = sgf.dumps(Game(headers={"result": result}))
        assert f"RE[{said}]" in text
        assert sgf.parse(text).headers == {"result": result}


# --- Boards -------------------------------------------------------------------------------------


def test_a_board_that_is_set_up() -> None:
    game = sgf.parse(sgf.dumps(Game.from_moves(["g5"], MUST_PASS)))
    assert game.start == MUST_PASS
    assert game.transcript(passes=True) == "pag5"
    squares = sgf.parse("(;GM[2]AB[a1:c2][d4:e4]AW[h8][d5:e5]PL[White])").start
    assert squares == Board.from_obf(
        "XXX-----XXX----------------" + "XX------OO" + "-" * 26 + "O" + " O"
    )


def test_the_side_to_move_is_said_by_PL_or_by_the_first_move() -> None:  # noqa: N802
    board = "AB[d4][e4][f4]AW[d5][e5][f5]"
    for side, move in (("B", "e6"), ("W", "e3")):
        assert (
            sgf.parse(f"(;GM[2]{board}PL[{side}])").turn
            is sgf.parse(f"(;GM[2]{board};{side}[{move}])").start.turn
        )
    assert sgf.parse("(;GM[2];W[f4])").start.turn is WHITE
    error = fault_of(f"(;GM[2]{board})")
    assert (error.kind, error.reason) == (
        "board",
        "the side to move is missing; expected PL[B] or PL[W] with the board",
    )


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ("AB[a1]", "says nothing of d4 e4 d5 e5; expected them in AB, AW or, for an empty"),
        ("AB[d4][e4]AW[d5]", "says nothing of e5;"),
        ("AB[d4][e4]AW[d5][e5][d4]", "AW sets up d4 a second time"),
        ("AB[tt]", "'tt' is no square to set up"),
        ("AB[a1:tt]", "'a1:tt' is no square to set up"),
        ("AB[z1]", "'z1' is not a move"),
    ],
)
def test_boards_that_are_none(setup: str, message: str) -> None:
    assert message in str(fault_of(f"(;GM[2]{setup}PL[B])"))


def test_a_board_without_discs_survives() -> None:
    for board in (Board.from_bitboards(0, 0), Board.from_bitboards(1, 0, WHITE)):
        assert sgf.parse(sgf.dumps(Game(board))).start == board


# --- Faults -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", "truncated", "line 1, column 1: the text ends; expected '(;'"),
        ("(;GM[2];B[f5]", "truncated", "line 1, column 14: the text ends; expected 1 more ')'"),
        ("(;GM[2];B[f5](;W[d6]", "truncated", "expected 2 more ')'"),
        (
            "(;GM[2]C[oh;B[f5])",
            "truncated",
            "line 1, column 13: C runs into 'B[f5'; expected a ']' before that",
        ),
        ("(;GM[2]PB[Ann\nPW[Bob];B[f5])", "truncated", "line 2, column 2: PB runs into 'W[Bob'"),
        ("(;GM[2]C[oh)", "truncated", "line 1, column 9: a value that begins here has no ']'"),
        ("(;GM[2]\n;B[f5]\n;W[d9])", "syntax", "line 3, column 4: 'd9' is not a move"),
        ("(;GM[2];B[5f])", "syntax", "did you mean 'f5'"),
        ("(;GM[2];B[f5];W[f5])", "illegal move", "line 1, column 17: f5 is not legal"),
        ("(;GM[2];B[f5];B[d6])", "illegal move", "a move of black; white is to move"),
        ("(;GM[2];B[f5];W[])", "illegal move", "pass is not legal"),
        ("(;GM[2]PL[W];B[f5])", "illegal move", "a move of black; white is to move"),
        ("(;GM[1]SZ[19];B[qd])", "unsupported", "GM is '1', not Othello; expected GM[2]"),
        ("(;GM[2]SZ[10])", "unsupported", "SZ is '10', not an 8x8 board; expected SZ[8]"),
        ("(;GM[2];B[f5]AB[a1])", "unsupported", "AB after the first node"),
        ("(;GM[2];PL[W])", "unsupported", "PL after the first node"),
        ("(;GM[2]B[f5]W[d6])", "syntax", "a node with two moves"),
        ("(;GM[2];B[f5][d6])", "syntax", "B has 2 values; expected one"),
        ("(;GM[2]PB[a]PB[b])", "syntax", "PB has 2 values; expected one"),
        ("(;GM[2];B[f5]V[good])", "syntax", "V is 'good'; expected a number such as -2.5"),
        ("(;GM[2];B[f5]V[nan])", "syntax", "expected a number"),
        ("(;GM[2];B[f5]V[1e999])", "syntax", "expected a number"),
        ("(;GM[2];B[f5]SECONDS[inf])", "syntax", "expected a number"),
        ("(;GM[2]PL[x])", "syntax", "PL is 'x'; expected PL[B] or PL[W]"),
        ("(;GM[2]HEADER[x])", "syntax", "HEADER is 'x'; expected name:text"),
        ("(;GM[2];b[f5])", "syntax", "'b'; expected ';' or a property's capitals"),
        ("(GM[2];B[f5])", "syntax", "'GM'; expected ';'"),
        ("(;GM[2];[f5])", "syntax", "a value without the name of a property"),
        ("(;GM[2](;B[f5]);W[d6])", "syntax", "';'; expected '(' or ')'"),
        ("(;GM[2]())", "syntax", "')'; expected ';'"),
        ("((;GM[2]))", "syntax", "'('; expected ';'"),
        ("(;GM[2];B)", "syntax", "'B)'; expected '(', ')', ';' or a property and its value"),
        ("f5d6c3", "syntax", "'f5d6c3'; expected '(', ')', ';' or"),
    ],
)
def test_faults(text: str, kind: str, message: str) -> None:
    if text:
        error = fault_of(text)
    else:
        with pytest.raises(FormatError) as caught:
            sgf.parse(text)
        error = caught.value
    assert error.kind == kind
    assert message in str(error)


def test_a_second_game_in_a_text_of_one_is_a_fault() -> None:
    with pytest.raises(FormatError, match=r"line 2, column 1: '\(' after the end of the game"):
        sgf.parse(f"{SPEC}\n{SPEC}")


@pytest.mark.parametrize("text", ["(" * 300_000, "(;" * 20_000, "(;" * 900 + ")" * 900])
def test_deep_brackets_need_no_deep_stack(text: str) -> None:
    if text.endswith(")"):
        assert sgf.parse(text).moves == []
    else:
        assert fault_of(text).kind in ("truncated", "syntax")


# --- Files --------------------------------------------------------------------------------------


def test_several_games_and_a_damaged_one() -> None:
    text = f"{SPEC}{SPEC}\n\n{HEAD};B[a1])\n{SPEC}"
    faults: list[FormatError] = []
    games = list(sgf.read(BytesIO(text.encode()), "old.sgf", faults.append))
    assert len(games) == 3
    assert [str(fault) for fault in faults] == [
        "old.sgf: game 3: line 3, column 21: a1 is not legal: black would turn no disc;"
        " legal: d3 c4 f5 e6"
    ]
    with pytest.raises(FormatError, match=r"old\.sgf: game 3: "):
        list(sgf.read(BytesIO(text.encode()), "old.sgf"))


@pytest.mark.parametrize(
    "damaged",
    [
        HEAD + ";B[f5];W[d6]",
        HEAD + "C[never closed;B[f5];W[d6])",
        HEAD + ";B[f5];W[d6]))",
        "garbage",
        HEAD + ";B[f5\\];W[d6])",
        "(;" + "x" * MAX_GAME_BYTES,
    ],
)
def test_a_damaged_game_takes_no_other_with_it(damaged: str) -> None:
    text = f"{SPEC}\n{damaged}\n{SPEC}\n{SPEC}\n"
    faults: list[FormatError] = []
    games = list(sgf.read(BytesIO(text.encode()), "old.sgf", faults.append))
    assert [game for game in games if len(game) == 3] == [sgf.parse(SPEC)] * 3
    assert len(faults) == 1
    assert "line 2" in str(faults[0]) or "game 2: line 3, column 1: the text ends" in str(faults[0])


def test_a_comment_may_look_like_a_game() -> None:
    game = Game.from_transcript("f5d6")
    game.node.comment = "look:\n(;GM[2]FF[4];B[f5])\n(;GM[2"
    game.headers["x"] = "\n(;GM[2"
    assert list(sgf.read(BytesIO(sgf.dumps(game).encode() * 2))) == [game, game]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_encodings(encoding: str) -> None:
    data = HEAD.encode() + "PB[Jürgen])".encode(encoding)
    assert next(sgf.read(BytesIO(data))).headers["black"] == "Jürgen"


def test_a_long_file_takes_the_memory_of_one_game() -> None:
    class Endless:
        """A file of many games that is never in memory as a whole."""

        def __init__(self) -> None:
            self.left = 200
            self.line = (SPEC.replace("Ann", "A" * 5000) * 3 + "\n").encode()

        def readline(self, size: int) -> bytes:
            assert len(self.line) <= size
            self.left -= 1
            return self.line if self.left >= 0 else b""

    tracemalloc.start()
    assert sum(1 for _ in sgf.read(Endless())) == 600
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 600_000  # the file has three million


def test_one_line_of_many_games() -> None:
    assert len(list(sgf.read(BytesIO(SPEC.encode() * 1000)))) == 1000


# --- Any game -----------------------------------------------------------------------------------


@given(game_trees())
@settings(max_examples=60)
def test_any_game_survives(game: Game) -> None:
    game = with_plain_line_ends(game)
    assert sgf.parse(sgf.dumps(game)) == game


@given(st.lists(game_trees(), max_size=3))
@settings(max_examples=15)
def test_any_games_survive_in_a_file(games: list[Game]) -> None:
    games = [with_plain_line_ends(game) for game in games]
    file = BytesIO()
    assert sgf.write(file, games) == len(games)
    assert list(sgf.read(BytesIO(file.getvalue()))) == games


@given(game_trees(), damages())
@settings(max_examples=120)
def test_a_damaged_file_gives_faults_or_legal_games(
    game: Game, damage: Callable[[bytes], bytes]
) -> None:
    file = BytesIO()
    sgf.write(file, [game, game])
    check_damaged(sgf.read, damage(file.getvalue()))


@given(st.binary(max_size=60) | st.text("()[];\\:BWGMABPLV2f5d6 \n", max_size=60).map(str.encode))
@settings(max_examples=120)
def test_no_text_breaks_the_reader(data: bytes) -> None:
    check_damaged(sgf.read, data)


def test_the_root_of_a_game_is_a_node_like_others() -> None:
    game = Game()
    game.root.value, game.root.seconds, game.root.comment = 1.5, 60.0, "ready"
    assert sgf.parse(sgf.dumps(game)) == game
    assert isinstance(sgf.parse(sgf.dumps(game)).root, Node)

"""GGF: every variant that archives have, every fault, round trips and damaged files."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from io import BytesIO

import pytest
from formats_kit import MUST_PASS, passing_game, random_game, with_notes
from gametrees import check_damaged, damages, game_trees
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reversi import PASS, Board, FormatError, Game
from reversi.formats import ggf, ggf_reader
from reversi.formats.base import MAX_GAME_BYTES
from reversi.formats.stated import read_result

START = "BO[8 ---------------------------O*------*O--------------------------- *]"
ROWS = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
HEAD = "(;GM[Othello]PC[GGS/os]DT[2003.12.14_12:00:00.EST]PB[ann]PW[bob]RB[2197.01]RW[2476.02]"
SPEC = HEAD + "TI[05:00//02:00]TY[8]RE[+6.000]" + START + "B[F5//2.449]W[D6/0.00]B[C3/-1.5/3];)"
PLAIN = f"(;GM[Othello]{START}B[F5]W[D6]B[C3];)"


def read(text: str, faults: list[FormatError] | None = None) -> list[Game]:
    on_error = None if faults is None else faults.append
    return list(ggf.read(BytesIO(text.encode()), "old.ggf", on_error))


def fault_of(text: str) -> FormatError:
    """The fault of one game: the same one alone and in a file."""
    with pytest.raises(FormatError) as caught:
        ggf.parse(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250
    if text.startswith("(;G"):
        with pytest.raises(FormatError) as in_file:
            read(text)
        assert str(in_file.value) == f"old.ggf: game 1: {caught.value}"
        assert in_file.value.kind == caught.value.kind
    return caught.value


def noted(game: Game) -> list[tuple[str, float | None, float | None, str]]:
    return [(node.name, node.value, node.seconds, node.comment) for node in game.main_line()]


# --- Variants -------------------------------------------------------------------------------------


def test_the_form_of_the_servers() -> None:
    game = ggf.parse(SPEC)
    assert game.start == Board()
    assert game.headers == {
        "place": "GGS/os", "date": "2003.12.14_12:00:00.EST", "black": "ann", "white": "bob",
        "black_rating": "2197.01", "white_rating": "2476.02", "time": "05:00//02:00", "type": "8",
        "result": "+6",
    }  # fmt: skip
    assert noted(game) == [
        ("f5", None, 2.449, ""), ("d6", 0.0, None, ""), ("c3", -1.5, 3.0, ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        f"(;GM[Othello]{ROWS}B[F5]W[D6]B[C3];)",
        f"(;GM[Othello]{START.lower().replace('bo[', 'BO[')}B[f5]W[d6]B[c3];)",
        f"1 {PLAIN}",
        f"\ufeff 2\t{PLAIN}\r\n",
        "( ; GM [Othello]\n" + START + "\r\n B[F5]\n\nW [D6] B[ C3 ] ; )",
        f"(;GM[othello]{START}B[F5/]W[D6//]B[C3/ / ];)",
        f"(;GM[Reversi]{START}B[F5]W[D6]B[C3])",
        f"(;{START}B[F5]W[D6]B[C3];)",
        f"(;GM[Othello]PB[]RE[?]PW[]{START}B[F5]W[D6]B[C3];)",
        PLAIN.replace("*]", "X]").replace("O*", "WB").replace("*O", "XO"),
    ],
)
def test_ways_to_write_the_same_game(text: str) -> None:
    assert ggf.parse(text) == Game.from_transcript("f5d6c3")
    assert read(text) == [Game.from_transcript("f5d6c3")]


@pytest.mark.parametrize("name", ["PA", "pa", "PASS", "ps", "--", "@@@@"])
def test_a_pass_has_many_names_and_may_be_left_out(name: str) -> None:
    game = passing_game()
    text = ggf.dumps(game)
    assert "[PA]" in text
    assert ggf.parse(text.replace("[PA]", f"[{name}]")) == game
    assert ggf.parse(text.replace("B[PA]", "").replace("W[PA]", "")) == game


def test_notes_keep_their_moves_where_passes_are_left_out() -> None:
    game = with_notes(passing_game(), seed=1)
    for node in game.main_line():
        if node.move == PASS:
            node.value = node.seconds = None
    without = ggf.dumps(game).replace("B[PA]", "").replace("W[PA]", "")
    assert ggf.parse(without) == game


def test_a_pass_with_a_time_as_the_last_move_hands_the_turn_over() -> None:
    start = Game(MUST_PASS)
    text = ggf.dumps(start).replace(";)", "B[PA//3.107];)")
    game = ggf.parse(text)
    assert noted(game) == [("pass", None, 3.107, "")]
    assert [*game.board.legal_moves] == [38, 47]  # g5 and h6
    assert ggf.dumps(game) == text
    assert read(text) == [game]


def test_the_board_that_must_pass_is_not_over() -> None:
    game = ggf.parse(ggf.dumps(Game(MUST_PASS)))
    assert str(game.board).endswith("must pass")
    game.push("pass", value=-48)
    again = ggf.parse(ggf.dumps(game))
    assert again == game
    assert again.outcome() is None
    assert [node.value for node in again.main_line()] == [-48.0]


def test_a_game_may_end_before_the_board_is_full() -> None:
    short = random_game(3, plies=20)
    assert ggf.parse(ggf.dumps(short)) == short
    wiped_out = Game.from_transcript("e6f4e3f6g5d6e7f5c5", headers={"result": "+64"})
    assert ggf.parse(ggf.dumps(wiped_out)).outcome() == wiped_out.outcome()


@pytest.mark.parametrize(
    ("said", "result"),
    [
        ("+6.000", "+6"),
        ("-2.000:t", "-2:t"),
        ("+64.000:r", "+64:r"),
        ("0:s", "+0:s"),
        ("-0.000", "+0"),
        ("6", "+6"),
        ("+2.500", "+2.5"),
        ("?", None),
        ("", None),
        ("black wins", "black wins"),
        ("nan", "nan"),
    ],
)
def test_results(said: str, result: str | None) -> None:
    game = ggf.parse(f"(;GM[Othello]RE[{said}]{START};)")
    assert game.headers.get("result") == result
    assert ggf.parse(ggf.dumps(game)) == game


def test_results_are_written_as_the_servers_do() -> None:
    for result, said in (("+6", "+6.000"), ("-2:t", "-2.000:t"), ("+0", "+0.000"), ("?!", "?!")):
        assert f"RE[{said}]" in ggf.dumps(Game(headers={"result": result}))


def test_any_date_will_do() -> None:
    for date in ("1071421200", "2003.12.14_12:00:00.EST", "Sun Dec 14 12:00:00 2003", "?"):
        assert ggf.parse(SPEC.replace("2003.12.14_12:00:00.EST", date)).headers["date"] == date


def test_tags_of_its_own_are_kept() -> None:
    game = ggf.parse(f"(;GM[Othello]KO[-2.5]XY[a\\]b]{START}B[F5]CI[1];)")
    assert game.headers == {"ggf:ko": "-2.5", "ggf:xy": "a]b", "ggf:ci": "1"}
    assert ggf.parse(ggf.dumps(game)) == game


def test_headers_that_would_be_read_as_something_else_are_left_out() -> None:
    names = ["ggf:b", "ggf:w", "ggf:bo", "ggf:c", "ggf:gm", "ggf:pb", "ggf:x y", "ggf:", "other"]
    assert ggf.dumps(Game(headers=dict.fromkeys(names, "F5"))) == ggf.dumps(Game())


def test_values_may_be_long() -> None:
    game = Game(headers={"black": "x" * 5000, "place": "é" * 300})
    assert ggf.parse(ggf.dumps(game)) == game


@pytest.mark.parametrize(
    ("written", "comment"),
    [
        ("C[good]", "good"),
        ("C[see [1\\] there]", "see [1] there"),
        ("C[see [1] there]", "see [1] there"),
        ("C[a smile :\\] ;)]", "a smile :] ;)"),
        ("C[a [b [c] d] e]", "a [b [c] d] e"),
        ("C[odd [ one]", "odd [ one"),
        ("C[one] C[two]", "one\ntwo"),
        ("C[(; here]", "(; here"),
        ("C[c:\\dir \\\\]", "c:\\dir \\"),
    ],
)
def test_comments_belong_to_the_move_before(written: str, comment: str) -> None:
    text = f"(;GM[Othello]C[root]{START}B[F5]W[D6]{written}B[C3];)"
    for game in (ggf.parse(text), *read(text)):
        assert [node.comment for node in game.main_line()] == ["", comment, ""]
        assert game.root.comment == "root"
        assert ggf.parse(ggf.dumps(game)) == game


def test_a_comment_stays_with_its_move_where_a_pass_is_put_in() -> None:
    game = passing_game()
    after = [*game.main_line()][game.moves.index(PASS) + 1]
    after.comment = "forced"
    text = ggf.dumps(game).replace("B[PA]", "").replace("W[PA]", "")
    assert ggf.parse(text) == game


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_encodings(encoding: str) -> None:
    text = PLAIN.replace("GM", "PB[Jos\xe9]GM")
    [game] = ggf.read(BytesIO(text.encode(encoding)))
    assert game.headers["black"] == "José"


def test_several_games_a_line_and_counts_in_front() -> None:
    text = f"1 {PLAIN}\n2 {PLAIN}{SPEC}\n\n2 {PLAIN} {SPEC}"
    assert [game.headers.get("black") for game in read(text)] == [None, None, "ann", None, "ann"]


def test_only_the_main_line_is_written() -> None:
    game = Game.from_transcript("f5d6")
    game.add(game.root, "c4")
    assert ggf.parse(ggf.dumps(game)) == Game.from_transcript("f5d6")


@pytest.mark.parametrize("number", [1e-7, -2.5e300, 0.1 + 0.2, -0.0, 5e-324])
def test_numbers_survive_and_have_no_exponent(number: float) -> None:
    game = Game()
    game.push("f5", value=number, seconds=number)
    text = ggf.dumps(game)
    assert "e" not in text.partition("B[")[2]
    assert ggf.parse(text) == game


# --- Faults ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", "syntax", "line 1, column 1: '' is no game; expected '(;GM[Othello]'"),
        ("f5d6", "syntax", "line 1, column 1: 'f5d6' is no game; expected '(;GM[Othello]'"),
        (SPEC[:-2], "truncated", ": the game breaks off; expected ';)' at its end"),
        (SPEC[:-1], "truncated", ": the game breaks off; expected ';)' at its end"),
        (SPEC[:-3], "truncated", ": the bracket of B[ is not closed"),
        (SPEC[:55], "truncated", ": the bracket of PB[ is not closed"),
        ("(;GM[Othello", "truncated", "line 1, column 5: the bracket of GM[ is not closed"),
        ("(;GM[Chess];)", "unsupported", "line 1, column 3: the game is 'Chess'; expected 'Oth"),
        ("(;GM[Othello];)", "board", "line 1, column 3: no BO[..]; expected the start board"),
        (f"(;GM[Othello]B[F5]{START};)", "board", "column 14: B[F5] before BO[..]; expected the s"),
        (f"(;GM[Othello]{START}{START};)", "board", "a second BO[..]; expected one start board"),
        (f"(;GM[Othello]PB[a]PB[b]{START};)", "syntax", "column 19: a second PB[..]; expected one"),
        (PLAIN.replace("8 ", "10 "), "unsupported", "a board of size 10; expected 8"),
        (PLAIN.replace("8 ", ""), "board", "is no board; expected 8, 64 cells and a side"),
        (PLAIN.replace(" *]", "]"), "board", "the side to move is missing"),
        (PLAIN.replace("-O*-", "-O?-"), "board", "'?'; expected X (black), O (white) or - (empty)"),
        (PLAIN.replace("-O*-", "-O-"), "board", "64 cells"),
        (PLAIN.replace(" *]", " *;]"), "board", "is no board"),
        (PLAIN.replace("D6", "5f"), "syntax", "move 2, line 1, column 91: '5f' is not a move; di"),
        (PLAIN.replace("D6", "Z9"), "syntax", "move 2, line 1, column 91: 'Z9' is not a move; ex"),
        (PLAIN.replace("D6", ""), "syntax", "move 2, line 1, column 91: '' is not a move; expect"),
        (PLAIN.replace("D6", "D7"), "illegal move", "move 2, line 1, column 91: d7 is not legal: "),
        (PLAIN.replace("D6", "PA"), "illegal move", "move 2, line 1, column 91: pass is not legal"),
        (
            PLAIN.replace("W[D6", "B[D6"),
            "illegal move",
            "column 91: a move of black; white is to m",
        ),
        (PLAIN.replace("B[F5", "W[F5"), "illegal move", "move 1, line 1, column 86: a move of whi"),
        (PLAIN.replace("D6", "D6/nan"), "syntax", "'nan' is no value; expected a number"),
        (PLAIN.replace("D6", "D6/good"), "syntax", "'good' is no value; expected a number"),
        (PLAIN.replace("D6", "D6/1_0"), "syntax", "'1_0' is no value; expected a number"),
        (PLAIN.replace("D6", "D6//inf"), "syntax", "'inf' is no number of seconds; expected a nu"),
        (PLAIN.replace("D6", "D6/1e999"), "syntax", "'1e999' is no value; expected a number"),
        (PLAIN.replace("D6", "D6/" + 400 * "9"), "syntax", "'... is no value; expected a number"),
        (PLAIN.replace("D6", "D6/+-1"), "syntax", "'+-1' is no value; expected a number"),
        (PLAIN.replace("D6", "D6/1/2/3"), "syntax", "'D6/1/2/3'; expected MOVE/value/seconds"),
        (PLAIN.replace("D6]", "D6]!"), "syntax", "column 96: '!B[C3];)'; expected a tag such as B"),
        (PLAIN + PLAIN, "syntax", "behind a game; expected '(;GM[Othello]' or the end"),
        (PLAIN + " x", "syntax", "'x' behind a game; expected '(;GM[Othello]' or the end"),
    ],
)
def test_faults(text: str, kind: str, message: str) -> None:
    if text == PLAIN + PLAIN:
        with pytest.raises(FormatError) as caught:
            ggf.parse(text)
        fault = caught.value
    else:
        fault = fault_of(text)
    assert message in str(fault)
    assert fault.kind == kind


def test_a_pass_that_is_not_forced_after_the_end_is_a_fault() -> None:
    game = random_game(0)
    side = "BW"[game.final_board().turn == 1]
    fault = fault_of(ggf.dumps(game).replace(";)", f"{side}[PA];)"))
    assert fault.kind == "illegal move"


@pytest.mark.parametrize(
    "damaged",
    [
        PLAIN[:-1],
        PLAIN[:-2],
        PLAIN[:90],
        PLAIN[:50],
        PLAIN[:20],
        PLAIN.replace("D6", "D8"),
        PLAIN.replace("*O", "**O"),
        PLAIN.replace("8 ", "10 "),
        PLAIN.replace(";GM", "GM"),
        PLAIN.replace("(;GM", "GM"),
        PLAIN.replace("D6]", "D6]]"),
        PLAIN.replace("B[F5]", "C[never closed "),
        "nonsense",
    ],
)
def test_a_damaged_game_takes_no_other_with_it(damaged: str) -> None:
    faults: list[FormatError] = []
    text = f"1 {PLAIN}\n1 {damaged}\n2 {SPEC}{PLAIN}\n"
    assert read(text, faults) == [ggf.parse(PLAIN), ggf.parse(SPEC), ggf.parse(PLAIN)]
    [fault] = faults
    assert str(fault).startswith("old.ggf: game ")
    assert "line 2, column " in str(fault) or "line 3, column 1:" in str(fault)
    with pytest.raises(FormatError, match="game") as raised:
        read(text)
    assert str(raised.value) == str(fault)


def test_faults_name_line_and_column_in_the_file() -> None:
    faults: list[FormatError] = []
    read(f"{PLAIN}\n2 {PLAIN}(;GM[Othello]\n{START}B[F5]W[F5];)\n{PLAIN}?", faults)
    assert [str(fault) for fault in faults] == [
        "old.ggf: game 3: move 2, line 3, column 78: f5 is not legal: the square holds a disc",
        f"old.ggf: game 4: line 4, column {len(PLAIN) + 1}: '?' behind a game; "
        "expected '(;GM[Othello]' or the end",
    ]


def test_a_game_without_end_is_given_up_and_the_next_one_read() -> None:
    endless = f"(;GM[Othello]{START}C[" + "no end " * (2 * MAX_GAME_BYTES // 7)
    for text in (f"{PLAIN}\n{endless}\n{PLAIN}", f"{endless}\n{PLAIN}", f"{PLAIN}\n{endless}"):
        faults: list[FormatError] = []
        assert set(map(len, read(text, faults))) == {3}
        assert [fault.kind for fault in faults] == ["too long"]
        assert f"line {1 + text.startswith(PLAIN)}" in str(faults[0])


@pytest.mark.parametrize(
    "piece",
    [
        "(",
        "(;",
        "(;A[",
        "(;GM[",
        "(;A[]",
        "C[[",
        "(;GM[Othello]C[[",
        "A[]",
        "\\",
        " ",
        "\n",
        "]",
        "\x00",
    ],
)
def test_no_repetition_takes_long(piece: str) -> None:
    """Searches that start again at every piece would take minutes here."""
    faults: list[FormatError] = []
    text = piece * (100_000 // len(piece))
    assert read(text, faults) == []
    assert read(f"(;GM[Othello]{START}{text}", []) == []
    with pytest.raises(FormatError):
        ggf.parse(text)


# --- Whole files ----------------------------------------------------------------------------------


def test_a_long_file_takes_the_memory_of_one_game() -> None:
    line = (ggf.dumps(with_notes(random_game(1, 8), 1)) + "\n").encode()

    class Endless(BytesIO):
        """A file of 20,000 games that is not held in memory itself."""

        left = 20_000

        def read(self, size: int | None = -1) -> bytes:
            assert size is not None and size > 0
            count = min(max(size // len(line), 1), self.left)
            self.left -= count
            return line * count

    tracemalloc.start()
    games = sum(1 for _ in ggf.read(Endless()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert games == 20_000
    assert peak < 3_000_000


def test_chunks_may_end_anywhere() -> None:
    text = f"1 {PLAIN}\n1 {SPEC}\n".encode() * 3

    class Slow(BytesIO):
        """A file that gives few bytes at a time, as a pipe may."""

        def read(self, size: int | None = -1) -> bytes:
            return super().read(7)

    assert list(ggf.read(Slow(text))) == [ggf.parse(PLAIN), ggf.parse(SPEC)] * 3


def as_ggf_holds(game: Game) -> Game:
    """The main line with its notes, and the headers that GGF has tags for."""
    made = Game.from_moves(game.moves, game.start)
    made.root.comment = game.root.comment
    for ours, theirs in zip(made.main_line(), game.main_line(), strict=True):
        ours.value, ours.seconds, ours.comment = theirs.value, theirs.seconds, theirs.comment
    known = {*ggf_reader.HEADERS.values(), "ggf:ko"}
    made.headers = {name: text for name, text in game.headers.items() if name in known and text}
    if made.headers.get("result") == "?":
        del made.headers["result"]
    if "result" in made.headers:
        result = made.headers["result"]
        made.headers["result"] = read_result(result) or result
    return made


@given(game_trees())
@settings(max_examples=150)
@example(Game(MUST_PASS))
def test_any_game_survives(game: Game) -> None:
    wanted = as_ggf_holds(game)
    assert ggf.parse(ggf.dumps(game)) == wanted
    file = BytesIO()
    assert ggf.write(file, [game, game]) == 2
    assert list(ggf.read(BytesIO(file.getvalue()))) == [wanted, wanted]


@given(st.integers(0, 10**6), st.integers(0, 70))
@settings(max_examples=60)
def test_both_ways_to_read_a_game_agree(seed: int, plies: int) -> None:
    game = with_notes(random_game(seed, plies), seed)
    text = ggf.dumps(game)
    slow, end = ggf_reader._any_game(text)
    assert ggf_reader._USUAL.match(text) is not None
    assert ggf_reader.read_game(text) == (slow, end) == (game, len(text))


@given(game_trees(), damages())
@settings(max_examples=200)
def test_a_damaged_file_gives_faults_or_legal_games(
    game: Game, damage: Callable[[bytes], bytes]
) -> None:
    file = BytesIO()
    ggf.write(file, [game, with_notes(random_game(1, 12), 1), random_game(2, 8)])
    check_damaged(ggf.read, damage(file.getvalue()))


@given(st.binary() | st.text(alphabet="(;GMBOW[]8 -*O/.F5\\\n").map(str.encode))
@settings(max_examples=100)
def test_no_bytes_break_the_reader(data: bytes) -> None:
    check_damaged(ggf.read, data)

"""JSON: objects, lines and arrays, every fault, round trips and damaged files."""

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from gametrees import check_damaged, damages, game_trees
from hypothesis import given, settings
from hypothesis import strategies as st

from reversi.board import Board
from reversi.errors import FormatError
from reversi.formats import jsonl
from reversi.formats.base import MAX_GAME_BYTES
from reversi.game import Game
from reversi.squares import PASS, WHITE

MUST_PASS = "OOOXXXXOOOOOOOOOOOOOOXOXOOOOXOXXOOOOXX-XOOOOOXX-OOXXXOXXOOOOOOOO X"
# Black has no move after these.
BLACK_PASSES = "d3c3b3b2f5a3a1c1"
GAME = '{"headers": {"black": "Ann"}, "moves": ["f5", "d6", "c3"]}'


def parsed(**document: Any) -> Game:
    return jsonl.parse(json.dumps(document))


def read(text: str | bytes, faults: list[FormatError] | None = None) -> list[Game]:
    data = text if isinstance(text, bytes) else text.encode()
    return list(
        jsonl.read(BytesIO(data), "games.json", faults.append if faults is not None else None)
    )


# --- What is written ------------------------------------------------------------------------------


def test_the_strict_form() -> None:
    game = Game(Board.from_obf(MUST_PASS), {"black": "Ann", "result": "+6"})
    game.root.comment = "a pass comes first"
    game.push(PASS)
    game.push("g5", value=-4.5, seconds=2)
    game.undo()
    game.push("h6", comment="or this")
    assert json.loads(jsonl.dumps(game)) == {
        "headers": {"black": "Ann", "result": "+6"},
        "start": MUST_PASS,
        "moves": ["pass", "g5"],
        "notes": [
            {"ply": 0, "comment": "a pass comes first"},
            {"ply": 2, "value": -4.5, "seconds": 2.0},
        ],
        "variations": [
            {"after": 1, "moves": ["h6"], "notes": [{"ply": 2, "comment": "or this"}]},
        ],
    }
    assert jsonl.parse(jsonl.dumps(game)) == game


def test_nothing_is_written_of_what_a_game_does_not_have() -> None:
    assert jsonl.dumps(Game()) == '{"moves": []}'
    assert jsonl.dumps(Game(headers={"black": "黒"})) == '{"headers": {"black": "黒"}, "moves": []}'
    file = BytesIO()
    assert jsonl.write(file, [Game.from_transcript("f5"), Game()]) == 2
    assert file.getvalue() == b'{"moves": ["f5"]}\n{"moves": []}\n'


# --- What is read ---------------------------------------------------------------------------------


def test_moves_are_names_in_either_case_or_a_transcript() -> None:
    game = Game.from_transcript("f5d6c3")
    assert parsed(moves=["F5", "d6", "C3"]) == parsed(moves="1. F5 d6 2. C3") == game


def test_a_pass_may_be_left_out_and_is_not_counted_then() -> None:
    moves = [node.name for node in Game.from_transcript(BLACK_PASSES + "e3").main_line()]
    without = [name for name in moves if name != "pass"]
    noted = parsed(moves=without, notes=[{"ply": 9, "comment": "here"}])
    assert noted.moves == Game.from_transcript(BLACK_PASSES + "e3").moves
    assert noted.node.comment == "here"
    for after in ([*without[:8]], [*without[:8], "pass"]):
        game = parsed(
            moves=after, variations=[{"after": 8, "moves": ["f6"]}, {"after": 8, "moves": ["e3"]}]
        )
        assert [child.name for child in [*game.root.line()][8].children] == ["f6", "e3"]


def test_variations_of_variations() -> None:
    game = parsed(
        moves=["f5", "d6"],
        variations=[
            {"after": 0, "moves": ["c4", "c3"], "variations": [{"after": 1, "moves": ["e3"]}]},
            {
                "after": 1,
                "moves": ["f6"],
                "notes": [{"ply": 2, "value": 1}, {"ply": 0, "value": 3}],
            },
            {"after": 1, "moves": ["f4"]},
        ],
    )
    assert [child.name for child in game.root.children] == ["f5", "c4"]
    assert [child.name for child in game.root.children[0].children] == ["d6", "f6", "f4"]
    assert [child.name for child in game.root.children[1].children] == ["c3", "e3"]
    assert (game.root.children[0].children[1].value, game.root.value) == (1, 3)
    assert game.board.transcript() == "f5d6"


@pytest.mark.parametrize(
    "text",
    [
        f"{GAME}\n{GAME}\n",
        f"\n\n{GAME}\r\n\r\n{GAME}",
        f"{GAME}{GAME}",
        f"[{GAME}, {GAME}]",
        json.dumps([json.loads(GAME)] * 2, indent=2),
        json.dumps([json.loads(GAME)] * 2, indent=0),
        f"\ufeff[\n{GAME},\n{GAME}\n]\n",
    ],
)
def test_lines_and_arrays(text: str) -> None:
    assert read(text) == [jsonl.parse(GAME)] * 2


def test_a_file_may_hold_one_object_or_none() -> None:
    assert read(json.dumps(json.loads(GAME), indent=4)) == [jsonl.parse(GAME)]
    assert read("") == read("[]") == read("\n") == []


def test_brackets_and_quotes_in_texts() -> None:
    game = Game(headers={"black": '}{"\\', "x": "\\"})
    assert read(jsonl.dumps(game) * 3) == [game] * 3


# --- Faults ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", "truncated", "line 1, column 1: no JSON"),
        ('{"moves": ["f5"', "truncated", "line 1, column 16: no JSON"),
        ('{"moves": ["f5', "truncated", "line 1, column 12: no JSON: Unterminated string"),
        ('{"moves": ["f5"]}}', "syntax", "line 1, column 18: no JSON: Extra data"),
        ('{\n"moves": [f5]}', "syntax", "line 2, column 11: no JSON"),
        ('{"moves": [], "moves": ["f5"]}', "syntax", "the key 'moves' stands twice"),
        ("[" * 100_000, "syntax", "nested too deeply"),
        ("[1]", "syntax", "[1] is no object with 'moves'"),
        ("{}", "syntax", "no 'moves'; expected it in the object"),
        (
            '{"moves": [], "mvoes": []}',
            "syntax",
            "an unknown key, 'mvoes'; expected headers, start",
        ),
    ],
)
def test_what_is_no_object_of_a_game(text: str, kind: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        jsonl.parse(text)
    assert caught.value.kind == kind
    assert message in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("keys", "kind", "message"),
    [
        ({"moves": 5}, "syntax", "moves: 5; expected a list of moves"),
        ({"moves": "5f"}, "syntax", "moves: move 1, column 1: '5f' is not a move; did you mean"),
        ({"moves": ["f5", 43]}, "syntax", "moves[1]: 43; expected a name such as 'f5'"),
        ({"moves": ["f5", "z9"]}, "syntax", "moves[1]: 'z9' is not a move"),
        ({"moves": ["f5", "f5"]}, "illegal move", "moves[1]: f5 is not legal"),
        ({"moves": ["pass"]}, "illegal move", "moves[0]: pass is not legal"),
        ({"start": 5}, "board", "start: a board in OBF is text"),
        ({"start": "XO"}, "board", "start: cells are missing"),
        ({"start": MUST_PASS, "moves": ["f5"]}, "illegal move", "moves[0]: f5 is not legal"),
        ({"headers": []}, "syntax", "headers: []; expected an object of texts"),
        ({"headers": {"black": 5}}, "syntax", "headers['black']: 5; expected a text"),
        ({"notes": {}}, "syntax", "notes: {}; expected a list of notes"),
        ({"notes": [5]}, "syntax", "notes[0]: 5 is no object with 'ply'"),
        ({"notes": [{"value": 1}]}, "syntax", "notes[0]: no 'ply'"),
        ({"notes": [{"ply": 0, "say": 1}]}, "syntax", "notes[0]: an unknown key, 'say'"),
        ({"notes": [{"ply": 2}]}, "syntax", "notes[0].ply: 2; expected a whole number from 0 to 1"),
        ({"notes": [{"ply": True}]}, "syntax", "notes[0].ply: True; expected a whole number"),
        ({"notes": [{"ply": 1}, {"ply": 1}]}, "syntax", "notes[1]: a second note of ply 1"),
        (
            {"notes": [{"ply": 1, "value": "+2"}]},
            "syntax",
            "notes[0].value: '+2'; expected a finite",
        ),
        ({"notes": [{"ply": 1, "value": float("nan")}]}, "syntax", "NaN is no number of JSON"),
        ({"notes": [{"ply": 1, "seconds": 10**400}]}, "syntax", "notes[0].seconds: inf; expected"),
        ({"notes": [{"ply": 1, "comment": 5}]}, "syntax", "notes[0].comment: 5; expected a text"),
        ({"variations": 5}, "syntax", "variations: 5; expected a list of variations"),
        ({"variations": [[]]}, "syntax", "variations[0]: [] is no object with 'moves'"),
        (
            {"variations": [{"moves": ["c4"]}]},
            "syntax",
            "variations[0].after: None; expected a whole",
        ),
        ({"variations": [{"after": 0, "moves": []}]}, "syntax", "a variation without moves"),
        (
            {"variations": [{"after": 1, "moves": ["d6", "a1"]}]},
            "illegal move",
            "variations[0].moves[1]: a1 is not legal",
        ),
        (
            {
                "variations": [
                    {"after": 0, "moves": ["c4"], "variations": [{"after": 0, "moves": [0]}]}
                ]
            },
            "syntax",
            "variations[0].variations[0].moves[0]: 0; expected a name",
        ),
    ],
)
def test_faults_say_where_they_are(keys: dict[str, Any], kind: str, message: str) -> None:
    text = json.dumps({"moves": ["f5"], **keys})
    with pytest.raises(FormatError) as caught:
        jsonl.parse(text)
    assert caught.value.kind == kind
    assert message in str(caught.value)
    with pytest.raises(FormatError) as in_file:
        read(f"{GAME}\n{text}")
    assert str(in_file.value).startswith("games.json: game 2: line 2")
    assert message in str(in_file.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"[{GAME}", "line 1: the text ends; expected ',' or ']' after a game"),
        (f"[{GAME},", "line 1: the text ends; expected '{'"),
        (f"[{GAME},\n]", "line 2: ']'; expected '{'"),
        (f"[{GAME}]\n]", "line 2: ']'; expected nothing after the array"),
        (f"{GAME},", "line 1: ','; expected '{', the start of a game"),
        (f"{GAME}\nf5d6", "line 2: 'f5d6'; expected '{', the start of a game"),
        ("[[]]", "line 1: '[[]]'; expected '{', the start of a game, or ']'"),
        ('"f5"', "line 1: '\"f5\"'; expected '{', the start of a game, or '['"),
    ],
)
def test_what_stands_between_games_is_checked(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text)
    assert str(caught.value).startswith(f"games.json: {message}")


@pytest.mark.parametrize(
    "damaged",
    [
        GAME[:-1],
        GAME[:-2],
        GAME[:20],
        GAME.replace('"Ann"', '"Ann'),
        GAME.replace('"f5"', '"f5'),
        GAME + "}",
        "garbage",
        '{"' + "x" * MAX_GAME_BYTES,
        GAME.replace("f5", "a1"),
    ],
)
def test_a_damaged_game_takes_no_other_with_it(damaged: str) -> None:
    faults: list[FormatError] = []
    games = read(f"{GAME}\n{damaged}\n{GAME}\n{GAME}\n", faults)
    assert [game.transcript() for game in games[-2:]] == ["f5d6c3"] * 2
    assert len(faults) == 1
    assert "line 2" in str(faults[0]) or "line 3, column 1" in str(faults[0])


# --- Any game -------------------------------------------------------------------------------------


@given(game_trees())
@settings(max_examples=60)
def test_any_game_survives(game: Game) -> None:
    assert jsonl.parse(jsonl.dumps(game)) == game


@given(st.lists(game_trees(), max_size=3), st.sampled_from([None, 0, 2]))
@settings(max_examples=20)
def test_any_games_survive_in_a_file(games: list[Game], indent: int | None) -> None:
    file = BytesIO()
    assert jsonl.write(file, games) == len(games)
    assert read(file.getvalue()) == games
    array = [json.loads(line) for line in file.getvalue().decode().split("\n") if line]
    assert read(json.dumps(array, indent=indent)) == games


@given(game_trees(), damages())
@settings(max_examples=120)
def test_a_damaged_file_gives_faults_or_legal_games(
    game: Game, damage: Callable[[bytes], bytes]
) -> None:
    file = BytesIO()
    jsonl.write(file, [game, game])
    check_damaged(jsonl.read, damage(file.getvalue()))


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 70)
    | st.floats()
    | st.sampled_from(["f5", "pass", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["headers", "start", "moves", "notes", "variations", "ply", "after", "value"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.binary(max_size=40) | _json.map(json.dumps).map(str.encode))
@settings(max_examples=200)
def test_no_text_breaks_the_reader(data: bytes) -> None:
    check_damaged(jsonl.read, data)


def test_a_start_for_white_survives() -> None:
    board = Board()
    game = Game(Board.from_bitboards(board.black, board.white, WHITE))
    assert jsonl.parse(jsonl.dumps(game)) == game

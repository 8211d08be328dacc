"""The API as programs use it, positions and games as text: a real server, real HTTP."""

from __future__ import annotations

import pytest
from commandline import GAME_OVER, MUST_PASS, START
from webserver import need_the_extra

import reversi
from reversi import PASS, Board, square_name

need_the_extra("httpx")
import httpx  # noqa: E402
from webapi import ask, random_game  # noqa: E402

pytest_plugins = ("apifixtures",)


@pytest.mark.parametrize("seed", range(12))
def test_a_position_is_the_boards(client: httpx.Client, seed: int) -> None:
    board = random_game(seed)
    squares = [square_name(move) for move in board.move_stack if move != PASS]
    told = ask(client, "/api/position", position={"moves": squares})
    replayed = Board()
    sides = []
    for move in board.move_stack:
        sides.append(replayed.turn.name.lower())
        replayed.push(move)
    if board.move_stack and board.move_stack[-1] == PASS:
        # A pass at the end is not left out: nobody asked for it.
        board.pop()
        sides.pop()
    assert Board.from_obf(told["obf"]) == board
    assert told["moves"] == [square_name(move) for move in board.move_stack]
    assert told["sides"] == sides
    assert told["last"] == (told["moves"][-1] if told["moves"] else None)
    assert told["turn"] == board.turn.name.lower()
    assert told["legal"] == [square_name(move) for move in board.legal_moves]
    assert (told["black"], told["white"]) == (
        board.count(reversi.BLACK),
        board.count(reversi.WHITE),
    )
    assert told["empties"] == board.empties
    assert told["over"] == board.is_game_over()
    for move in told["legal"]:
        after = board.copy()
        after.push(move)
        turned = [
            square_name(square)
            for square in range(64)
            if board[square] and board[square] != after[square]
        ]
        assert told["flips"].get(move, []) == turned


def test_a_position_from_a_start_board(client: httpx.Client) -> None:
    told = ask(client, "/api/position", position={"start": MUST_PASS})
    assert (told["legal"], told["flips"], told["over"]) == (["pass"], {}, False)
    told = ask(client, "/api/position", position={"start": MUST_PASS, "moves": ["h8"]})
    assert (told["moves"], told["sides"]) == (["pass", "h8"], ["white", "black"])
    assert told["outcome"] == {
        "winner": "black",
        "discs": 64,
        "tournament": 64,
        "termination": "full board",
    }


def test_the_end_of_a_game(client: httpx.Client) -> None:
    told = ask(client, "/api/position", position={"start": GAME_OVER})
    assert (told["legal"], told["over"], told["outcome"]["discs"]) == ([], True, 16)
    moves = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]
    outcome = ask(client, "/api/position", position={"moves": moves})["outcome"]
    assert (outcome["discs"], outcome["tournament"], outcome["winner"]) == (13, 64, "black")
    assert outcome["termination"] == "wipeout"


def test_the_usual_start_is_the_default(client: httpx.Client) -> None:
    for body in ({}, {"position": {}}, {"position": {"start": None, "moves": []}}):
        assert ask(client, "/api/position", **body)["obf"] == START


def test_the_evaluations(client: httpx.Client) -> None:
    board = Board.from_transcript("f5d6c3d3c4")
    moves = [square_name(move) for move in board.move_stack]
    told = ask(client, "/api/evaluate", position={"moves": moves})
    classic = reversi.evaluate(board)
    assert told["classic"] == {name: getattr(classic, name) for name in told["classic"]}
    assert len(told["classic"]) == 9
    assert told["learned"] == reversi.learned_value(board)


# --- Games as text --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["transcript", "obf", "ggf", "sgf", "json"])
def test_what_was_written_can_be_read(client: httpx.Client, name: str) -> None:
    moves = ["f5", "d6", "c3", "d3"]
    headers = {"black": "Ann 中", "white": "<Bo>"}
    body = {"position": {"moves": moves}, "headers": headers, "format": name}
    written = ask(client, "/api/export", **body)
    assert written["file_name"].startswith("game.")
    read = ask(client, "/api/import", text=written["text"])
    [game] = read["games"]
    assert (read["format"], read["total"]) == (name, 1)
    if name == "obf":
        position = ask(client, "/api/position", position={"moves": moves})
        assert (game["start"], game["moves"]) == (position["obf"], [])
    else:
        assert (game["start"], game["moves"]) == (START, moves)
    if name not in ("obf", "transcript"):
        assert game["headers"] == headers


def test_notes_of_a_pasted_game(client: httpx.Client) -> None:
    text = f"(;GM[Othello]BO[8 {START[:64].replace('X', '*')} *]B[F5/1.5/2]W[D6//3]B[C3];)"
    [game] = ask(client, "/api/import", text=text)["games"]
    assert game["notes"] == [
        {"value": 1.5, "seconds": 2, "comment": ""},
        {"value": None, "seconds": 3, "comment": ""},
        None,
    ]


def test_a_text_that_can_be_read_in_several_ways(client: httpx.Client) -> None:
    answer = client.post("/api/import", json={"text": START[:64]})
    assert answer.status_code == 422
    told = answer.json()
    assert (told["error"]["kind"], told["error"]["where"]) == ("ambiguous", "text")
    starts = [reading["games"][0]["start"] for reading in told["readings"]]
    assert starts == [START, START[:-1] + "O"]


def test_of_many_games_the_first_are_given(client: httpx.Client) -> None:
    told = ask(client, "/api/import", text="f5d6\n" * 150)
    assert (told["total"], len(told["games"])) == (150, 100)

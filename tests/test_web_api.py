"""The API as programs use it: a real server, real HTTP."""

from __future__ import annotations

import gzip
import json
import re
import socket
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from commandline import CHOICE, GAME_OVER, MUST_PASS, PATIENCE_S, START
from webserver import Server, need_the_extra, running

import reversi
from reversi import PASS, Board, Engine, Game, Limit, square_name

need_the_extra("httpx")
httpx = pytest.importorskip("httpx")

SEARCHES = 2


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running("--searches", str(SEARCHES), "--max-threads", "2", "--max-time-ms", "20000") as it:
        yield it


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, timeout=PATIENCE_S) as it:
        yield it


def ask(client: httpx.Client, path: str, **body: Any) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(answer: httpx.Response, status: int, kind: str, where: str | None = None) -> str:
    """Check an error and return its message."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    assert answer.json().keys() == {"error"}
    error = answer.json()["error"]
    assert (error["kind"], error["where"]) == (kind, where), error
    assert error.keys() == {"message", "where", "kind"}
    return error["message"]


def events(text: str) -> list[tuple[str, Any]]:
    """The events of a stream, and that nothing else but the first comment is in it."""
    comment, *parts = text.removesuffix("\n\n").split("\n\n")
    assert comment.startswith(":")
    found = []
    for part in parts:
        event, data = part.split("\n")
        found.append((event.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def as_json(value: object) -> Any:
    return json.loads(json.dumps(value))


# --- Positions -------------------------------------------------------------------------------


def random_game(seed: int) -> Board:
    random, board = Random(seed), Board()
    for _ in range(random.randint(0, 70)):
        if board.is_game_over():
            break
        board.push(random.choice(list(board.legal_moves)))
    return board


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


# --- Searches --------------------------------------------------------------------------------


def without_times(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in ("nps", "elapsed_ms")}


@pytest.mark.parametrize("evaluator", ["pattern", "classic"])
def test_a_search_is_the_engines(client: httpx.Client, evaluator: str) -> None:
    board = Board.from_transcript("f5d6c3d3c4")
    records = []
    with Engine(evaluator=evaluator) as engine:
        result = engine.search(board, Limit(depth=8), on_info=records.append)
    body = {
        "position": {"moves": [square_name(move) for move in board.move_stack]},
        "limit": {"depth": 8},
        "evaluator": evaluator,
    }
    told = ask(client, "/api/search", **body)
    for name in ("move", "depth", "nodes", "score", "value", "exact"):
        assert told[name] == getattr(result, name)
    assert (told["pv"], told["side"], told["source"]) == (list(result.pv), "white", "engine")
    assert told["lines"] == [
        {"move": line.move, "value": line.value, "pv": list(line.pv)} for line in result.lines
    ]
    assert told["certainty"]["depth"] == 8
    streamed = events(client.post("/api/search/stream", json=body).text)
    assert [name for name, _ in streamed] == ["info"] * len(records) + ["result"]
    assert without_times(streamed[-1][1]) == without_times(told)
    assert [info["nodes"] for _, info in streamed[:-1]] == [record.nodes for record in records]
    assert streamed[0][1].keys() == told.keys()


def test_the_same_request_gets_the_same_answer(client: httpx.Client) -> None:
    body = {"limit": {"depth": 9}}
    first = ask(client, "/api/search", **body)
    ask(client, "/api/search", position={"moves": ["f5"]}, limit={"depth": 10})
    assert without_times(ask(client, "/api/search", **body)) == without_times(first)


def test_values_of_all_moves(client: httpx.Client) -> None:
    told = ask(client, "/api/search", position={"start": CHOICE}, limit={"level": 20}, multipv=64)
    solved = ask(client, "/api/solve", position={"start": CHOICE}, every_move=True)
    assert {line["move"]: line["value"] for line in told["lines"]} == solved["values"]
    assert told["exact"]


def test_levels_play_by_chance_below_five(client: httpx.Client) -> None:
    levels = client.get("/api").json()["levels"]
    assert [level["level"] for level in levels] == list(range(61))
    assert [level["chance"] for level in levels] == [True] * 5 + [False] * 56
    moves = {ask(client, "/api/search", limit={"level": 0})["move"] for _ in range(30)}
    assert len(moves) > 1


def test_a_pass_and_the_end_need_no_search(client: httpx.Client) -> None:
    told = ask(client, "/api/search", position={"start": MUST_PASS})
    assert (told["move"], told["passed"], told["game_over"]) == ("pass", True, False)
    told = ask(client, "/api/search", position={"start": GAME_OVER})
    assert (told["move"], told["passed"], told["game_over"]) == (None, False, True)
    assert told["value"] == 16
    for start in (MUST_PASS, GAME_OVER):
        answer = client.post("/api/search/stream", json={"position": {"start": start}})
        assert [name for name, _ in events(answer.text)] == ["result"]


def test_a_search_with_threads(client: httpx.Client) -> None:
    told = ask(client, "/api/search", limit={"depth": 9}, threads=2)
    assert told["depth"] == 9


def test_an_exact_solve(client: httpx.Client) -> None:
    told = ask(client, "/api/solve", position={"start": CHOICE}, every_move=True)
    solution = reversi.solve(Board.from_obf(CHOICE))
    assert (told["value"], told["exact"]) == (solution.value, True)
    assert told["lower"] == told["upper"] == solution.value
    assert told["best_moves"] == list(solution.best_moves)
    assert max(told["values"].values()) == solution.value
    discs = ask(client, "/api/solve", position={"start": CHOICE}, scoring="discs")
    assert discs["value"] == reversi.solve(Board.from_obf(CHOICE), scoring="discs").value


def test_a_solve_with_a_limit_gives_bounds(client: httpx.Client) -> None:
    told = ask(client, "/api/solve", limit={"nodes": 1000})
    assert (told["exact"], told["lower"], told["upper"], told["outcome"]) == (False, -64, 64, None)


def test_a_search_that_takes_too_long_is_ended() -> None:
    with running("--max-time-ms", "300") as server:
        began = time.monotonic()
        body = {"limit": {"depth": 60}}
        told = httpx.post(server.address + "api/search", json=body, timeout=PATIENCE_S).json()
        assert 0 < told["depth"] < 60
        told = httpx.post(server.address + "api/solve", json={"limit": {}}, timeout=PATIENCE_S)
        assert not told.json()["exact"]
        assert time.monotonic() < began + PATIENCE_S / 2
        limit = client_error(server, {"limit": {"time_ms": 301}})
        assert limit == ("limit", "limit.time_ms")


def client_error(server: Server, body: dict[str, Any]) -> tuple[str, str]:
    error = httpx.post(server.address + "api/search", json=body).json()["error"]
    return error["kind"], error["where"]


def test_the_analysis_of_a_game(client: httpx.Client) -> None:
    game = Game.from_transcript("f5d6c3d3c4")
    moves = [node.name for node in game.main_line()]
    body = {"position": {"moves": moves}, "limit": {"depth": 3}}
    told = events(client.post("/api/analyse/stream", json=body).text)
    with Engine() as engine:
        analysis = reversi.analyse_game(game, Limit(depth=3), engine=engine).as_dict()
    assert [name for name, _ in told] == ["info"] * 5 + ["result"]
    assert [info["done"] for _, info in told[:-1]] == [1, 2, 3, 4, 5]
    result = told[-1][1]
    assert [info["move"] for _, info in told[:-1]] == result["moves"][::-1]
    assert result["complete"]
    assert result["moves"] == as_json(analysis["moves"])
    for player, expected in zip(result["players"], analysis["players"], strict=True):
        assert player == {name: as_json(expected[name]) for name in player}


def test_an_analysis_that_takes_too_long_keeps_what_it_has() -> None:
    with running("--max-time-ms", "1500") as server:
        moves = [square_name(move) for move in random_game(3).move_stack][:30]
        body = {"position": {"moves": moves}, "limit": {"time_ms": 300}, "exact_empties": 0}
        answer = httpx.post(server.address + "api/analyse/stream", json=body, timeout=PATIENCE_S)
        told = events(answer.text)
        result = told[-1][1]
        assert 0 < len(result["moves"]) < 30
        assert not result["complete"]
        assert result["moves"][-1]["number"] == len(moves)
        assert [info["move"] for _, info in told[:-1]] == result["moves"][::-1]


# --- Games as text ---------------------------------------------------------------------------


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


# --- Clients that go away, and too many of them -----------------------------------------------


class Caller:
    """A client that holds its connection by hand."""

    def __init__(self, server: Server, path: str, body: object) -> None:
        data = json.dumps(body).encode()
        self.socket = socket.create_connection(server.place, PATIENCE_S)
        self.socket.sendall(
            f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            f"content-length: {len(data)}\r\n\r\n".encode()
        )
        self.socket.sendall(data)
        self.heard = b""

    def hear(self, text: bytes) -> None:
        """Wait until a text has come."""
        while text not in self.heard:
            part = self.socket.recv(65536)
            assert part, self.heard
            self.heard += part

    def go(self) -> None:
        self.socket.close()


LONG = {"limit": {"time_ms": 20_000}, "position": {"moves": ["f5", "d6", "c3"]}}


@pytest.mark.parametrize(
    "path", ["/api/search", "/api/search/stream", "/api/solve", "/api/analyse/stream"]
)
def test_a_search_ends_when_its_client_goes(
    server: Server, client: httpx.Client, path: str
) -> None:
    quick = {"limit": {"depth": 1}}
    callers = [Caller(server, path, LONG) for _ in range(SEARCHES)]
    if path == "/api/search/stream":
        for caller in callers:
            caller.hear(b"event: info")
    wait_until_full(client)
    for caller in callers:
        caller.go()
    # Both places at once, within the quarter of a second that a request waits for one.
    streams = [client.build_request("POST", "/api/search", json=quick) for _ in range(SEARCHES)]
    for request in streams:
        assert client.send(request).status_code == 200


def wait_until_full(client: httpx.Client) -> httpx.Response:
    end = time.monotonic() + PATIENCE_S
    while True:
        answer = client.post("/api/search", json={"limit": {"depth": 1}})
        if answer.status_code == 429:
            return answer
        assert time.monotonic() < end, "the places were never full"


def test_more_searches_than_may_run_are_refused(server: Server, client: httpx.Client) -> None:
    callers = [Caller(server, "/api/search/stream", LONG) for _ in range(SEARCHES)]
    answer = wait_until_full(client)
    assert "searches are running" in refused(answer, 429, "busy")
    assert int(answer.headers["retry-after"]) > 0
    # Only searches wait for places.
    assert ask(client, "/api/position")["obf"] == START
    for path in ("/api/search/stream", "/api/solve"):
        refused(client.post(path, json={"limit": {"nodes": 1}}), 429, "busy")
    for caller in callers:
        caller.go()


def test_progress_comes_while_the_search_runs(server: Server) -> None:
    caller = Caller(server, "/api/search/stream", LONG)
    caller.hear(b'"depth":3')
    assert b"event: result" not in caller.heard
    caller.go()


# --- What cannot be used ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "body", "kind", "where", "words"),
    [
        (
            "position",
            {"position": {"moves": ["f5", "a1"]}},
            "illegal_move",
            "position.moves[1]",
            "a1",
        ),
        ("position", {"position": {"moves": ["f5", "z9"]}}, "move", "position.moves[1]", "'z9'"),
        (
            "position",
            {"position": {"moves": ["pass"]}},
            "illegal_move",
            "position.moves[0]",
            "pass",
        ),
        ("position", {"position": {"start": "XO"}}, "board", "position.start", "cells are missing"),
        (
            "position",
            {"position": {"start": "Q" * 64 + " X"}},
            "board",
            "position.start",
            "column 1",
        ),
        ("position", {"position": {"start": 3}}, "request", "position.start", "got 3"),
        ("position", {"position": {"moves": "f5d6"}}, "request", "position.moves", "'f5d6'"),
        ("position", {"position": {"moves": [37]}}, "request", "position.moves[0]", "37"),
        ("position", {"position": {"moves": ["f5"] * 121}}, "request", "position.moves", "120"),
        ("position", {"moves": ["f5"]}, "request", "moves", "not permitted"),
        ("position", [], "request", None, "the body"),
        ("evaluate", {"position": {"fen": ""}}, "request", "position.fen", "not permitted"),
        ("search", {"limit": {}}, "limit", "limit", "no limit given"),
        ("search", {"limit": {"time_ms": 20001}}, "limit", "limit.time_ms", "20000"),
        ("search", {"limit": {"time_ms": -1}}, "request", "limit.time_ms", "-1"),
        ("search", {"limit": {"time_ms": "100"}}, "request", "limit.time_ms", "'100'"),
        ("search", {"limit": {"depth": 8.5}}, "request", "limit.depth", "8.5"),
        ("search", {"limit": {"depth": True}}, "request", "limit.depth", "True"),
        ("search", {"limit": {"level": 61}}, "request", "limit.level", "61"),
        ("search", {"threads": 3}, "limit", "threads", "expected 2"),
        ("search", {"threads": 0}, "request", "threads", "0"),
        ("search", {"multipv": 65}, "request", "multipv", "65"),
        ("search", {"multipv": 2, "evaluator": "classic"}, "limit", "multipv", "classic"),
        ("search", {"multipv": 2, "limit": {"level": 3}}, "limit", "multipv", "level 3"),
        ("search", {"evaluator": "nnue"}, "request", "evaluator", "'nnue'"),
        ("search/stream", {"limit": {"level": 61}}, "request", "limit.level", "61"),
        ("search/stream", {"threads": 3}, "limit", "threads", "expected 2"),
        ("solve", {}, "limit", "limit", "60 squares are empty; expected 24"),
        ("solve", {"limit": {"depth": 3}}, "request", "limit.depth", "not permitted"),
        ("solve", {"scoring": "both"}, "request", "scoring", "'both'"),
        ("analyse/stream", {"limit": {"level": 4}}, "limit", "limit.level", "5 to 60"),
        ("analyse/stream", {"exact_empties": 25}, "request", "exact_empties", "25"),
        ("import", {"text": "what?"}, "format", "text", "recognised as none"),
        ("import", {"text": "f5" * 100_001}, "limit", "text", "200000"),
        ("export", {"format": "wthor"}, "request", "format", "'wthor'"),
        ("export", {"format": "obf", "headers": {"value": "?"}}, "format", "headers", "'?'"),
    ],
)
def test_values_that_cannot_be_used(
    client: httpx.Client, path: str, body: Any, kind: str, where: str | None, words: str
) -> None:
    assert words in refused(client.post(f"/api/{path}", json=body), 422, kind, where)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "the body is empty; expected JSON"),
        (b"{", "character 1"),
        (b'{"position": }', "character 13"),
        (b'{"limit": NaN', "character 13"),
        (b'"\xff"', "byte 1 is not UTF-8"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b"1" * 5000, "a number in it has too many digits"),
    ],
    ids=["nothing", "half", "gap", "no end", "no text", "deep", "large"],
)
def test_a_body_that_is_no_json(client: httpx.Client, body: bytes, words: str) -> None:
    headers = {"content-type": "application/json"}
    answer = client.post("/api/position", content=body, headers=headers)
    assert words in refused(answer, 400, "json")


def test_halves_of_surrogate_pairs_come_back_as_text(client: httpx.Client) -> None:
    headers = {"content-type": "application/json"}
    for body in (b'{"\\ud800": 1}', b'{"position": {"moves": ["\\ud800"]}}'):
        answer = client.post("/api/position", content=body, headers=headers)
        assert answer.status_code == 422
        assert "ud800" in answer.json()["error"]["message"]


def test_other_content_types(client: httpx.Client) -> None:
    for media_type in ("text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"):
        answer = client.post("/api/position", content=b"{}", headers={"content-type": media_type})
        refused(answer, 415, "content_type")
    headers = {"content-type": "application/json; charset=utf-8"}
    assert client.post("/api/position", content=b"{}", headers=headers).status_code == 200


def test_bodies_that_are_too_long(server: Server, client: httpx.Client) -> None:
    body = b'{"position": {"start": "' + b"x" * 1_000_000 + b'"}}'
    headers = {"content-type": "application/json"}
    refused(client.post("/api/position", content=body, headers=headers), 413, "body")
    with socket.create_connection(server.place, PATIENCE_S) as caller:
        # Refused by its length alone, before any of it is sent.
        caller.sendall(
            b"POST /api/position HTTP/1.1\r\nhost: localhost\r\n"
            b"content-type: application/json\r\ncontent-length: 99999999\r\n\r\n"
        )
        assert caller.recv(1000).startswith(b"HTTP/1.1 413 ")
    with socket.create_connection(server.place, PATIENCE_S) as caller:
        caller.sendall(
            b"POST /api/position HTTP/1.1\r\nhost: localhost\r\n"
            b"content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        # No more than is too much: what nobody reads any more would reset the connection.
        for size in (*[0x10000] * 15, 17_000):
            caller.sendall(b"%x\r\n" % size + b" " * size + b"\r\n")
        assert caller.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_paths_and_methods_that_are_not_there(client: httpx.Client) -> None:
    refused(client.get("/api/nothing"), 404, "not_found")
    answer = client.get("/api/search")
    assert "GET /api/search" in refused(answer, 405, "method")
    assert answer.headers["allow"] == "POST"
    refused(client.delete("/api"), 405, "method")


# --- Browsers ------------------------------------------------------------------------------------


def test_every_answer_has_the_security_headers(client: httpx.Client) -> None:
    answers = [
        client.get("/"),
        client.get("/static/docs.css"),
        client.get("/docs"),
        client.get("/api"),
        client.get("/nothing"),
        client.post("/api/position", json={}),
        client.post("/api/position", content=b"{"),
        client.post("/api/search/stream", json={"limit": {"depth": 1}}),
        client.get("/", headers={"host": "elsewhere.example"}),
    ]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy and "http" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "camera=()" in answer.headers["permissions-policy"]
        assert "set-cookie" not in answer.headers
        assert "server" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers
    assert all(answer.headers["cache-control"] == "no-store" for answer in answers[3:])


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost:8000", "LOCALHOST", "[::1]:9", "127.1.2.3"]
)
def test_names_of_this_machine(client: httpx.Client, host: str) -> None:
    assert client.get("/api", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "10.0.0.1", "", "[::1"])
def test_other_names_are_refused(client: httpx.Client, host: str) -> None:
    refused(client.get("/api", headers={"host": host}), 403, "host")
    refused(client.post("/api/position", json={}, headers={"host": host}), 403, "host")


def test_pages_of_other_sites_are_refused(server: Server, client: httpx.Client) -> None:
    own = server.address.rstrip("/")
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", own.replace("127", "128")):
        answer = client.post("/api/position", json={}, headers={"origin": origin})
        refused(answer, 403, "origin")
    assert client.post("/api/position", json={}, headers={"origin": own}).status_code == 200
    preflight = client.options("/api/position", headers={"origin": "http://evil.example"})
    assert preflight.status_code == 403


def test_all_names_are_good_where_all_may_ask() -> None:
    with running("--host", "0.0.0.0") as server:
        assert server.address.startswith("http://127.0.0.1:")
        answer = httpx.get(server.address + "api", headers={"host": "games.example"})
        assert answer.status_code == 200


# --- Files ---------------------------------------------------------------------------------------


def test_files_are_packed_and_asked_for_again(client: httpx.Client) -> None:
    plain = client.get("/static/docs.css", headers={"accept-encoding": "identity"})
    assert plain.headers["content-type"] == "text/css; charset=utf-8"
    assert "content-encoding" not in plain.headers
    with client.stream("GET", "/static/docs.css", headers={"accept-encoding": "gzip"}) as packed:
        body = b"".join(packed.iter_raw())
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == plain.content
    assert len(body) == int(packed.headers["content-length"]) < len(plain.content)
    headers = {"if-none-match": plain.headers["etag"]}
    again = client.get("/static/docs.css", headers=headers)
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == plain.headers["etag"]
    assert client.get("/static/docs.css", headers={"if-none-match": '"x"'}).status_code == 200
    assert client.head("/").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "../app.py",
        "%2e%2e/app.py",
        "..%2fapp.py",
        "/etc/passwd",
        "",
        "css",
        "nothing.js",
        "a%00.js",
        "a" * 5000 + ".js",
    ],
)
def test_no_other_file_is_given(server: Server, path: str) -> None:
    with socket.create_connection(server.place, PATIENCE_S) as caller:
        caller.sendall(f"GET /static/{path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
        assert caller.recv(1000).startswith(b"HTTP/1.1 404 ")


def test_the_description(client: httpx.Client) -> None:
    description = client.get("/openapi.json").json()
    listing = client.get("/docs").text
    assert "<script" not in listing and "style=" not in listing
    assert "http://" not in listing.replace("http://127.0.0.1:8000/", "")
    for path, operations in description["paths"].items():
        assert path in listing
        for operation in operations.values():
            assert operation["description"]
            assert "HTTPValidationError" not in json.dumps(operation)
    schemas = description["components"]["schemas"]
    for name in re.findall('"#/components/schemas/([^"]+)"', json.dumps(description)):
        assert name in schemas

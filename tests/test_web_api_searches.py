"""Searches by the API, how they end, and too many of them: a real server, real HTTP."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from commandline import CHOICE, GAME_OVER, MUST_PASS, PATIENCE_S, START
from webserver import Server, need_the_extra, running

import reversi
from reversi import Board, Engine, Game, Limit, square_name

need_the_extra("httpx")
import httpx  # noqa: E402
from webapi import (  # noqa: E402
    SEARCHES,
    Caller,
    ask,
    random_game,
    refused,
    wait_for_places,
    wait_for_search,
)

pytest_plugins = ("apifixtures",)


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


# --- Clients that go away, and too many of them ---------------------------------------------------


LONG = {"limit": {"time_ms": 20_000}, "position": {"moves": ["f5", "d6", "c3"]}}


@pytest.mark.parametrize(
    "path", ["/api/search", "/api/search/stream", "/api/solve", "/api/analyse/stream"]
)
def test_a_search_ends_when_its_client_goes(
    call: Callable[[str, object], Caller], client: httpx.Client, path: str
) -> None:
    callers = [call(path, LONG) for _ in range(SEARCHES)]
    if path == "/api/search/stream":
        for caller in callers:
            caller.hear(b"event: info")
    wait_for_search(client, 429)
    for caller in callers:
        caller.go()
    wait_for_places(client)


def test_more_searches_than_may_run_are_refused(
    call: Callable[[str, object], Caller], client: httpx.Client
) -> None:
    for _ in range(SEARCHES):
        call("/api/search/stream", LONG)
    answer = wait_for_search(client, 429)
    assert "searches are running" in refused(answer, 429, "busy")
    assert int(answer.headers["retry-after"]) > 0
    # Only searches wait for places.
    assert ask(client, "/api/position")["obf"] == START
    for path in ("/api/search/stream", "/api/solve"):
        refused(client.post(path, json={"limit": {"nodes": 1}}), 429, "busy")


def test_progress_comes_while_the_search_runs(call: Callable[[str, object], Caller]) -> None:
    caller = call("/api/search/stream", LONG)
    caller.hear(b'"depth":3')
    assert b"event: result" not in caller.heard

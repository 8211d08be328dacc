"""What the API cannot use, and what it says of it: a real server, real HTTP."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest
from commandline import PATIENCE_S
from webserver import Server, need_the_extra

need_the_extra("httpx")
import httpx  # noqa: E402
from webapi import refused  # noqa: E402

pytest_plugins = ("apifixtures",)


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


def test_bodies_that_are_too_long(api: Server, client: httpx.Client) -> None:
    body = b'{"position": {"start": "' + b"x" * 1_000_000 + b'"}}'
    headers = {"content-type": "application/json"}
    refused(client.post("/api/position", content=body, headers=headers), 413, "body")
    with socket.create_connection(api.place, PATIENCE_S) as caller:
        # Refused by its length alone, before any of it is sent.
        caller.sendall(
            b"POST /api/position HTTP/1.1\r\nhost: localhost\r\n"
            b"content-type: application/json\r\ncontent-length: 99999999\r\n\r\n"
        )
        assert caller.recv(1000).startswith(b"HTTP/1.1 413 ")
    with socket.create_connection(api.place, PATIENCE_S) as caller:
        caller.sendall(
            b"POST /api/position HTTP/1.1\r\nhost: localhost\r\n"
            b"content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        # No more than is too much: what nobody reads any more would reset the connection.
        for size in (*[0x10000] * 15, 17_000):
            caller.sendall(b"%x\r\n" % size + b" " * size + b"\r\n")
        assert caller.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_a_body_that_does_not_come(api: Server) -> None:
    with socket.create_connection(api.place, PATIENCE_S) as caller:
        caller.sendall(
            b"POST /api/position HTTP/1.1\r\nhost: localhost\r\n"
            b"content-type: application/json\r\ncontent-length: 2\r\n\r\n{"
        )
        # Answered, and then the connection is closed.
        answer = b"".join(iter(lambda: caller.recv(1000), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert json.loads(body)["error"]["kind"] == "timeout"


def test_paths_and_methods_that_are_not_there(client: httpx.Client) -> None:
    refused(client.get("/api/nothing"), 404, "not_found")
    answer = client.get("/api/search")
    assert "GET /api/search" in refused(answer, 405, "method")
    assert answer.headers["allow"] == "POST"
    refused(client.delete("/api"), 405, "method")

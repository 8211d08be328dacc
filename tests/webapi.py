"""What programs ask of the API and get: answers, refusals, searches that are held on to."""

from __future__ import annotations

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import httpx
from commandline import PATIENCE_S
from webserver import Server

from reversi import Board

SEARCHES = 2
QUICK = {"limit": {"depth": 1}}


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


def wait_for_search(client: httpx.Client, status: int) -> httpx.Response:
    """Ask for a quick search until it is answered so: 429 where all places are taken."""
    end = time.monotonic() + PATIENCE_S
    while True:
        answer = client.post("/api/search", json=QUICK)
        if answer.status_code == status:
            return answer
        assert time.monotonic() < end, f"no answer was {status}: {answer.text}"


def wait_for_places(client: httpx.Client) -> None:
    """Ask for so many searches at once until all are answered: none waits as long as they take."""
    body = {"limit": {"time_ms": 400}}
    end = time.monotonic() + PATIENCE_S
    with ThreadPoolExecutor(SEARCHES) as pool:
        while True:
            asked = [pool.submit(client.post, "/api/search", json=body) for _ in range(SEARCHES)]
            found = [each.result().status_code for each in asked]
            if found == [200] * SEARCHES:
                return
            assert time.monotonic() < end, found


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


def random_game(seed: int) -> Board:
    random, board = Random(seed), Board()
    for _ in range(random.randint(0, 70)):
        if board.is_game_over():
            break
        board.push(random.choice(list(board.legal_moves)))
    return board

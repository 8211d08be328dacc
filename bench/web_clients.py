"""Many clients of `reversi web` play whole games at once, and check all that they are told.

    python bench/web_clients.py [--clients 32] [--games 4] [--level 8] [--searches N]

Each client keeps a board of its own beside the server's answers: every move must be legal there,
every position the same, a solved value must stay what it is to the end of the game. Where the
server is full they wait as long as it says.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection
from random import Random
from statistics import median, quantiles
from typing import Any

from web_latency import HEADERS, start

from reversi import BLACK, PASS, Board, Engine, Limit, square_name

# Of so many empty squares a client checks the server's value by an engine of its own.
CHECKED_EMPTIES = 8


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--clients", type=int, default=32)
    options.add_argument("--games", type=int, default=4, help="games of each client")
    options.add_argument("--level", type=int, default=8)
    options.add_argument("--searches", type=int, default=os.cpu_count() or 1)
    chosen = options.parse_args()
    process, place = start(chosen.searches)
    clients = [Client(place, seed, chosen.level) for seed in range(chosen.clients)]
    began = time.perf_counter()
    try:
        with ThreadPoolExecutor(len(clients)) as pool:
            for done in [pool.submit(client.play, chosen.games) for client in clients]:
                done.result()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
    seconds = time.perf_counter() - began
    took = [ms for client in clients for ms in client.took]
    print(
        f"{len(clients)} clients, {chosen.searches} searches at once, level {chosen.level}: "
        f"{sum(client.games for client in clients)} games, "
        f"{sum(client.moves for client in clients)} moves in {seconds:.1f} s\n"
        f"all moves legal, all positions and solved values right; "
        f"{sum(client.refused for client in clients)} times told to wait\n"
        f"a move: median {median(took):.1f} ms, p99 {quantiles(took, n=100)[98]:.1f}, "
        f"{len(took) / seconds:.0f} a second"
    )


@dataclass
class Client:
    """One that plays, and what it has seen."""

    place: tuple[str, int]
    seed: int
    level: int
    games: int = 0
    moves: int = 0
    refused: int = 0
    took: list[float] = field(default_factory=list)

    def play(self, games: int) -> None:
        random = Random(self.seed)
        with closing(HTTPConnection(*self.place)) as self._connection, Engine(hash_mb=1) as engine:
            for _ in range(games):
                self._play_one(random, engine)
                self.games += 1

    def _play_one(self, random: Random, engine: Engine) -> None:
        board = Board()
        for _ in range(4):
            board.push(random.choice(list(board.legal_moves)))
        result = None  # in black's view, once the game is solved
        while True:
            position = {"moves": [square_name(move) for move in board.move_stack]}
            self._check_position(board, self._ask("/api/position", {"position": position}))
            if board.is_game_over():
                outcome = board.outcome()
                assert outcome and result in (None, outcome.tournament), (board, result)
                return
            body = {"position": position, "limit": {"level": self.level}}
            began = time.perf_counter()
            found = self._ask("/api/search", body)
            self.took.append((time.perf_counter() - began) * 1000)
            assert found["side"] == board.turn.name.lower(), (board, found)
            if found["exact"]:
                value = found["value"] if board.turn is BLACK else -found["value"]
                assert result in (None, value), (board, found, result)
                result = value
            if board.empties == CHECKED_EMPTIES and PASS not in board.legal_moves:
                assert engine.search(board, Limit(level=60)).value == found["value"], (board, found)
            board.push(found["move"])
            self.moves += 1

    def _check_position(self, board: Board, told: dict[str, Any]) -> None:
        assert told["obf"] == board.obf(), (board, told)
        assert told["legal"] == [square_name(move) for move in board.legal_moves], (board, told)
        assert told["over"] == board.is_game_over(), (board, told)

    def _ask(self, path: str, body: object) -> dict[str, Any]:
        while True:
            self._connection.request("POST", path, json.dumps(body), HEADERS)
            answer = self._connection.getresponse()
            found: dict[str, Any] = json.loads(answer.read())
            if answer.status != 429:
                assert answer.status == 200, (answer.status, found)
                return found
            self.refused += 1
            time.sleep(float(answer.headers["retry-after"]))


if __name__ == "__main__":
    main()

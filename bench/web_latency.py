"""How soon `reversi web` answers what needs no search, while searches run; how soon it starts; how
soon the place of a client that goes away is free.

    python bench/web_latency.py [--searches 2] [--threads 1] [--requests 2000]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles

GAME = ["f5", "d6", "c3", "d3", "c4", "f4", "f6", "f3", "e6", "e7", "d7", "c5"]
HEADERS = {"content-type": "application/json"}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--searches", type=int, default=2, help="searches that run meanwhile")
    options.add_argument("--threads", type=int, default=1, help="threads of each")
    options.add_argument("--requests", type=int, default=2000)
    chosen = options.parse_args()
    load = ", ".join(f"{number:.1f}" for number in os.getloadavg())
    print(f"{os.cpu_count()} cores, load before {load}")
    process, place = start(chosen.searches)
    try:
        for searches in (0, chosen.searches):
            with ExitStack() as running:
                for _ in range(searches):
                    caller = running.enter_context(closing(socket.create_connection(place)))
                    ask_long(caller, chosen.threads)
                print(f"{searches} searches of {chosen.threads} threads run:")
                for path in ("/api/position", "/api/evaluate"):
                    tell(path, latencies(place, path, chosen.requests))
        tell("a place is free after its client went", goodbyes(place, chosen.searches))
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def start(searches: int) -> tuple[subprocess.Popen[str], tuple[str, int]]:
    """A server that runs, and where."""
    began = time.perf_counter()
    arguments = ["web", "--port", "0", "--no-browser", "--searches", str(max(1, searches))]
    process = subprocess.Popen(
        [sys.executable, "-m", "reversi", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        cwd=Path(__file__).parents[1],
    )
    assert process.stdout
    found = re.match(r"http://(.+):(\d+)/", process.stdout.readline())
    assert found, "the server did not start"
    print(f"answers {(time.perf_counter() - began) * 1000:.0f} ms after its process began")
    return process, (found[1], int(found[2]))


def ask_long(caller: socket.socket, threads: int = 1) -> None:
    """Begin a search of a minute, and wait until it runs."""
    body = json.dumps({"limit": {"time_ms": 60_000}, "threads": threads}).encode()
    head = f"POST /api/search/stream HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(body)}\r\n"
    caller.sendall(head.encode() + b"content-type: application/json\r\n\r\n" + body)
    heard = b""
    while b"event: info" not in heard:
        heard += caller.recv(65536)


def latencies(place: tuple[str, int], path: str, requests: int) -> list[float]:
    """Milliseconds of each request, one after the other, each about another position."""
    took = []
    with closing(HTTPConnection(*place)) as connection:
        for number in range(requests):
            body = json.dumps({"position": {"moves": GAME[: number % (len(GAME) + 1)]}})
            began = time.perf_counter()
            connection.request("POST", path, body, HEADERS)
            answer = connection.getresponse()
            answer.read()
            took.append((time.perf_counter() - began) * 1000)
            assert answer.status == 200
    return took


def goodbyes(place: tuple[str, int], searches: int) -> list[float]:
    """Milliseconds from a client's going, with all places taken, to the answer to the next one."""
    took = []
    body = json.dumps({"limit": {"depth": 1}})
    with ExitStack() as others, closing(HTTPConnection(*place)) as connection:
        for _ in range(searches - 1):
            ask_long(others.enter_context(closing(socket.create_connection(place))))
        for _ in range(20):
            caller = socket.create_connection(place)
            ask_long(caller)
            began = time.perf_counter()
            caller.close()
            connection.request("POST", "/api/search", body, HEADERS)
            answer = connection.getresponse()
            answer.read()
            took.append((time.perf_counter() - began) * 1000)
            assert answer.status == 200
    return took


def tell(what: str, took: list[float]) -> None:
    percentile = quantiles(took, n=100)[98]
    print(f"  {what}: median {median(took):.1f} ms, p99 {percentile:.1f}, most {max(took):.1f}")


if __name__ == "__main__":
    main()

"""How soon a command ends a search, as a program sees it at the other end of the pipes.

    python bench/protocol_latency.py --rounds 100

For each protocol: begins a search without end in a process of its own, waits for 50 to 150 ms,
sends the next command, and takes the time to its answer, which comes after the search's own.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
from time import perf_counter, sleep

# Commands to begin with; the command that searches; the one that ends it, and its answer's start.
PROTOCOLS = {
    "nboard go": ("nboard", "set depth 60", "go", "ping {}", "pong {}"),
    "nboard hint": ("nboard", "set depth 60", "hint 4", "ping {}", "pong {}"),
    "nboard analyze": ("nboard", "set depth 60", "analyze", "ping {}", "pong {}"),
    "gtp genmove": ("gtp", "clear_board", "0 reg_genmove b", "{} name", "={} "),
}


def latencies_ms(name: str, rounds: int) -> list[float]:
    """Return the times from a command to its answer, in a search that it ends."""
    protocol, setting, search, command, answer = PROTOCOLS[name]
    with subprocess.Popen(
        [sys.executable, "-m", "reversi", protocol, "--level", "60"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None

        def ask(number: int) -> float:
            began = perf_counter()
            print(command.format(number), file=process.stdin, flush=True)
            while not process.stdout.readline().startswith(answer.format(number)):
                assert process.poll() is None, "the engine has left"
            return (perf_counter() - began) * 1000

        print(setting, file=process.stdin, flush=True)
        ask(1)  # returns when the engine has started
        times = []
        for number in range(2, rounds + 2):
            print(search, file=process.stdin, flush=True)
            sleep(0.05 + random.random() / 10)
            times.append(ask(number))
        print("quit", file=process.stdin, flush=True)
    return times


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How soon a command ends a search.")
    parser.add_argument("--rounds", type=int, default=100, help="for each (default: 100)")
    rounds = parser.parse_args().rounds
    for name in PROTOCOLS:
        times = latencies_ms(name, rounds)
        percentiles = statistics.quantiles(times, n=100, method="inclusive")
        print(
            f"{name}: {rounds} searches ended: p50 {percentiles[49]:.2f} ms,"
            f" p99 {percentiles[98]:.2f} ms, max {max(times):.2f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()

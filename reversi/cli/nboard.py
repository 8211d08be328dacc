"""``reversi nboard``: the engine for NBoard and other programs that speak its protocol."""

from __future__ import annotations

import sys

import click

from reversi.cli.arguments import engine_of, engine_options
from reversi.protocols.nboard import NBoard


@click.command("nboard")
@engine_options
def command(
    level: int | None,
    time_ms: int | None,
    evaluator: str,
    weights: str | None,
    hash_mb: int,
    threads: int,
) -> None:
    """Speak the NBoard protocol, version 2, on standard input and output.

    Where NBoard asks for an engine's command, enter the path of reversi, and nboard behind it. The
    depth that NBoard sets is the level of play here, 0 to 60: the middle game is searched so deep,
    the end of it further. --level is the one until then, 21 by default, and --time-ms the most that
    a move takes. Any command ends a search that runs.

    \b
    Examples:
      reversi nboard
      reversi nboard --threads 4 --hash-mb 256
    """
    with engine_of(evaluator, weights, hash_mb=hash_mb, threads=threads) as engine:
        NBoard(engine, sys.stdin.fileno(), sys.stdout.buffer, level, time_ms).run()

"""``reversi gtp``: the engine for GoGui, Quarry and other programs that speak GTP."""

from __future__ import annotations

import sys

import click

from reversi.cli.arguments import engine_of, engine_options
from reversi.protocols.gtp import Gtp


@click.command("gtp")
@engine_options
def command(
    level: int | None,
    time_ms: int | None,
    evaluator: str,
    weights: str | None,
    hash_mb: int,
    threads: int,
) -> None:
    """Speak GTP, the Go Text Protocol, version 2, on standard input and output.

    In GoGui enter this command, the path of reversi and gtp behind it, as a new program, and again
    as a ruler, so that GoGui plays by Othello's rules. Row 1 is the top row. Without --level,
    --time-ms and a clock that the other program sets the engine plays at level 21. A command that
    comes while it thinks ends its search.

    \b
    Examples:
      reversi gtp
      reversi gtp --level 12
    """
    with engine_of(evaluator, weights, hash_mb=hash_mb, threads=threads) as engine:
        Gtp(engine, sys.stdin.fileno(), sys.stdout.buffer, level, time_ms).run()

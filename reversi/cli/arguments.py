"""The options that several commands share, each declared once. Reads no file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

import click

from reversi import Engine, Limit, WeightsError
from reversi.checks import EVALUATORS
from reversi.limits import MAX_LEVEL
from reversi.plans import PERCENT

Function = TypeVar("Function", bound=Callable[..., Any])


class Decorator(Protocol):
    """What adds an option to a command's function."""

    def __call__(self, function: Function, /) -> Function: ...


def all_of(*options: Decorator) -> Decorator:
    """Several options as one, listed by ``--help`` in this order."""

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


# A board that begins with an empty square looks like an option to any argument parser, and so
# does a negative number.
_NO_OPTION = re.compile(
    r"---|-[-.XxBb*OoWw]{15}"  # a board, whole or with a mistake in it
    r"|-[-.XxBb*OoWw]{2,}$|-[-.XxBb*OoWw]*\s+\S"  # too few cells, without a side and with one
    r"|-\d+$"
)
_CELLS = re.compile(r"[-.XxBb*OoWw]{64}")
_SIDE = re.compile(r"[XxBb*OoWw]")


class Integer(click.IntRange):
    """A number in a range; ``integer`` is what errors call it."""

    name = "integer"


def shield(arguments: Iterable[str]) -> list[str]:
    """Return the arguments as a parser must see them to know boards and numbers from options.

    A space stands before each board and number that begins with ``-``, and 64 cells and a side
    that came without quotes are one board again.

    >>> shield(["solve", "--json", "-" * 64, "X"])[2][60:]
    '----- X'
    >>> shield(["perft", "-1"])
    ['perft', ' -1']
    """
    shielded: list[str] = []
    cells = False
    for text in arguments:
        if cells and _SIDE.fullmatch(text):
            shielded[-1] += f" {text}"
            cells = False
            continue
        cells = _CELLS.fullmatch(text) is not None
        shielded.append(f" {text}" if _NO_OPTION.match(text) else text)
    return shielded


def board_argument(default: str | None = None) -> Decorator:
    """The argument BOARD; with a default, standard input is read only for ``-``."""
    return click.argument("board", required=False, default=default)


def json_option(function: Function) -> Function:
    """``--json``: an answer for a program instead of a person."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line.")(
        function
    )


def hash_option(default: int = 64) -> Decorator:
    """``--hash-mb``: the size of the transposition table."""
    return click.option(
        "--hash-mb",
        type=Integer(1, 131_072),
        default=default,
        show_default=True,
        metavar="MB",
        help="Size of the transposition table.",
    )


def threads_option(function: Function) -> Function:
    """``--threads``: how many threads search side by side."""
    return click.option(
        "--threads",
        type=Integer(1, 256),
        default=1,
        show_default=True,
        metavar="N",
        help="Search with so many threads.",
    )(function)


def evaluator_option(function: Function) -> Function:
    """``--evaluator``: what judges positions."""
    return click.option(
        "--evaluator",
        type=click.Choice(EVALUATORS),
        default="pattern",
        show_default=True,
        help="Judge positions by the learned evaluation, or by the eight terms of the classic one.",
    )(function)


def weights_option(function: Function) -> Function:
    """``--weights``: another learned evaluation."""
    return click.option(
        "--weights",
        metavar="FILE",
        help="A file of weights for the learned evaluation, in place of the package's own.",
    )(function)


def selectivity_option(function: Function) -> Function:
    """``--selectivity``: what a search by the learned evaluation may leave out."""
    return click.option(
        "--selectivity",
        type=click.Choice([str(percent) for percent in PERCENT]),
        callback=lambda _ctx, _parameter, value: value and int(value),
        help="How sure the search has to be of what it leaves out, in percent.  [default: 73, and "
        "near the end as much as the limit allows]",
    )(function)


def engine_of(
    evaluator: str,
    weights: str | None = None,
    *,
    hash_mb: int = 64,
    threads: int = 1,
    exact_empties: int | None = None,
) -> Engine:
    """Return the engine that the options describe; raises click.UsageError for contradictions."""
    if exact_empties is not None and evaluator != "classic":
        raise click.UsageError("--exact-empties goes with --evaluator classic")
    if weights is not None and evaluator == "classic":
        raise click.UsageError("--weights goes with --evaluator pattern")
    try:
        return Engine(
            hash_mb=hash_mb,
            threads=threads,
            evaluator=evaluator,
            exact_endgame_empties=14 if exact_empties is None else exact_empties,
            weights=weights,
        )
    except WeightsError as error:
        raise click.BadParameter(str(error), param_hint="'--weights'") from None


def scoring_option(function: Function) -> Function:
    """``--scoring``: who gets the squares that stay empty."""
    return click.option(
        "--scoring",
        type=click.Choice(["tournament", "discs"]),
        default="tournament",
        show_default=True,
        help="The winner also gets the empty squares, or discs alone count.",
    )(function)


def limit_options(*names: str) -> Decorator:
    """Those of ``--time-ms``, ``--depth``, ``--nodes`` and ``--level`` that are named."""
    options = {
        "time_ms": click.option(
            "--time-ms", type=Integer(min=0), metavar="MS", help="Stop after this time."
        ),
        "depth": click.option(
            "--depth", type=Integer(1, 60), metavar="N", help="Stop after this depth."
        ),
        "nodes": click.option(
            "--nodes", type=Integer(min=1), metavar="N", help="Stop after so many nodes."
        ),
        "level": click.option(
            "--level",
            type=Integer(0, MAX_LEVEL),
            metavar="N",
            help=f"Play at this level, 0 to {MAX_LEVEL}.",
        ),
    }

    return all_of(*(options[name] for name in names))


def engine_options(function: Function) -> Function:
    """What an engine for another program is made of; `engine_of` takes all but the limits."""
    return all_of(
        limit_options("level", "time_ms"),
        evaluator_option,
        weights_option,
        hash_option(),
        threads_option,
    )(function)


def limit_of(
    time_ms: int | None,
    depth: int | None = None,
    nodes: int | None = None,
    level: int | None = None,
) -> Limit | None:
    """Return the limit that the options state; None when none was given: the engine's own.

    >>> limit_of(None, depth=8)
    Limit(time_ms=None, depth=8, nodes=None, level=None)
    >>> limit_of(None) is None
    True
    """
    if (time_ms, depth, nodes, level) == (None,) * 4:
        return None
    return Limit(time_ms=time_ms, depth=depth, nodes=nodes, level=level)

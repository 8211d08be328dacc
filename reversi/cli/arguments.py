"""The options that several commands share, each declared once. Reads no file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

import click

from reversi import Limit

Function = TypeVar("Function", bound=Callable[..., Any])


class Decorator(Protocol):
    """What adds an option to a command's function."""

    def __call__(self, function: Function, /) -> Function: ...


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


def exact_option(default: int = 14) -> Decorator:
    """``--exact-empties``: from where on a search goes to the end of the game."""
    return click.option(
        "--exact-empties",
        type=Integer(0, 60),
        default=default,
        show_default=True,
        metavar="N",
        help="Search to the end of the game from this many empty squares down.",
    )


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
    """Those of ``--time-ms``, ``--depth`` and ``--nodes`` that are named."""
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
    }

    def decorate(function: Function) -> Function:
        for name in reversed(names):
            function = options[name](function)
        return function

    return decorate


def limit_of(
    time_ms: int | None, depth: int | None = None, nodes: int | None = None
) -> Limit | None:
    """Return the limit that the options state; None when none was given: the engine's own.

    >>> limit_of(None, depth=8)
    Limit(time_ms=None, depth=8, nodes=None)
    >>> limit_of(None) is None
    True
    """
    if time_ms is None and depth is None and nodes is None:
        return None
    return Limit(time_ms=time_ms, depth=depth, nodes=nodes)

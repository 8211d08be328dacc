"""The command ``reversi``: which commands there are, and how it ends.

Each command lives in the room of its name and is imported only when it is asked for, so that
``reversi --version`` loads no table library. Nothing here knows a rule or searches.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click

from reversi.cli.arguments import shield

COMMANDS = (
    "best",
    "eval",
    "solve",
    "compare",
    "perft",
    "play",
    "bench",
    "train",
    "nboard",
    "gtp",
    "match",
    "convert",
    "replay",
    "analyse",
    "puzzle",
    "web",
)

USAGE_ERROR = 2
INTERRUPTED = 130  # what a shell reports for a program that SIGINT ended
CLOSED_PIPE = 141  # and for one that SIGPIPE ended


class _Commands(click.Group):
    """A group whose commands are imported by name, and which lets a closed pipe pass in silence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"reversi.cli.{cmd_name}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, shield(args))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            # Python flushes standard output once more at exit, and would complain then.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(CLOSED_PIPE)


def _print_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        import reversi

        click.echo(f"reversi {reversi.__version__} ({reversi.cpu_info().build} core)")
        ctx.exit()


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version and the build of the core that runs.",
)
@click.pass_context
def reversi_command(ctx: click.Context) -> None:
    """Play, analyse and solve Reversi (Othello) positions.

    A BOARD is 64 characters (X black, O white, - empty; a1, b1 .. h8) and the side to move, in
    quotes; or the word start; or a file of such lines; or - for standard input. Moves (f5d6c3...)
    stand for the position after them.

    \b
    Examples:
      reversi best start
      reversi solve endgames.obf
      reversi play --color white --level 4
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and end the process.

    ``arguments`` are those after the program's name, ``sys.argv[1:]`` by default. The exit status
    is 0, 1 (``solve`` found a value that differs from its file), 2 (an input that cannot be
    used: one line on standard error says which), 130 (Ctrl-C) or 141 (the reader of standard
    output went away).

    >>> from contextlib import suppress
    >>> with suppress(SystemExit):
    ...     main(["perft", "3"])  # doctest: +ELLIPSIS
    perft(3) = 56 leaves in ... a second
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller: `reversi best start >&-`
            setattr(sys, name, Path(os.devnull).open("r+", encoding="utf-8"))  # noqa: SIM115
    try:
        status = reversi_command.main(arguments, prog_name="reversi", standalone_mode=False)
    except click.ClickException as error:
        status = _refuse(error.format_message(), error)
    except (click.Abort, KeyboardInterrupt):
        status = INTERRUPTED
    except OSError as error:
        status = _refuse(f"{error.filename or 'input or output'}: {error.strerror or error}")
    except MemoryError as error:
        status = _refuse(str(error) or "not enough memory")
    sys.exit(status)


def _refuse(message: str, error: click.ClickException | None = None) -> int:
    """Print one line that says what cannot be done, and where to read more."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    where = f" (see '{context.command_path} --help')" if context else ""
    click.echo(f"reversi: error: {' '.join(message.split())}{where}", err=True)
    return USAGE_ERROR

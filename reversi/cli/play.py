"""``reversi play``: a game at the terminal, or from a pipe of commands."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

import click

from reversi import (
    BLACK,
    WHITE,
    Color,
    IllegalMoveError,
    InvalidMoveError,
    SearchInfo,
    SearchResult,
    parse_move,
)
from reversi.cli import render, words
from reversi.cli.arguments import (
    Integer,
    board_argument,
    engine_of,
    evaluator_option,
    limit_options,
    weights_option,
)
from reversi.cli.boards import read_board
from reversi.cli.game import DEFAULT_LEVEL, Game
from reversi.limits import MAX_LEVEL

Thought = TypeVar("Thought", bound=SearchResult | SearchInfo)

_PERSONS: dict[str, frozenset[Color]] = {
    "black": frozenset({BLACK}),
    "white": frozenset({WHITE}),
    "both": frozenset({BLACK, WHITE}),
    "none": frozenset(),
}

_SHOWN_LEVELS = (*range(11), *range(12, 31, 3), 40, 50, 60)

_HELP = (
    ("f5", "play a square; the dots are the legal moves"),
    ("undo", "take back your last move and the answer to it"),
    ("hint", "what the engine holds to be best, also where it plays by chance"),
    ("go", "let the engine play this move"),
    ("level N", f"let the engine play at level N, 0 to {MAX_LEVEL}; alone: show some of them"),
    ("moves", "the legal moves, and the game so far"),
    ("table", "every move made, and what the engine thought"),
    ("resign", "give up"),
    ("quit", "leave; Ctrl-D does the same"),
)


@click.command("play")
@board_argument(default="start")
@click.option(
    "--color",
    type=click.Choice(list(_PERSONS)),
    default="black",
    show_default=True,
    help="What you play; both: two persons, none: the engine against itself.",
)
@click.option(
    "--level",
    type=Integer(0, MAX_LEVEL),
    metavar="N",
    help=f"Its strength, 0 to {MAX_LEVEL}.  [default: {DEFAULT_LEVEL}, or --time-ms alone]",
)
@limit_options("time_ms")
@evaluator_option
@weights_option
def command(
    board: str,
    color: str,
    level: int | None,
    time_ms: int | None,
    evaluator: str,
    weights: str | None,
) -> None:
    """Play a game against the engine, from BOARD or from the start.

    Type a square, or help. Ctrl-C while the engine thinks gives you the move. Commands may also
    come from a pipe. Levels 0 to 4 play by chance, and can be beaten; 21 takes some seconds a move.

    \b
    Examples:
      reversi play --color white --level 4
      reversi play --color none --time-ms 200
    """
    if board == "-":
        raise click.UsageError("BOARD: standard input holds the commands here; give a file")
    engine = engine_of(evaluator, weights)
    _Table(Game(read_board(board), _PERSONS[color], level, time_ms, engine)).sit()


class _Table:
    """Where the game is played: shows it, asks, and obeys."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._left = False
        self._paused = False  # after Ctrl-C the person decides for the engine, too
        self._commands = {
            "undo": self._undo,
            "hint": self._hint,
            "go": self._go,
            "moves": self._moves,
            "table": self._table,
            "resign": self._resign,
            "quit": self._quit,
            "help": self._help,
        }

    def sit(self) -> None:
        """Play until somebody leaves, or the engine has finished with itself."""
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        if sys.stdin.isatty():
            with contextlib.suppress(ImportError):  # line editing and history, where there is any
                import readline  # noqa: F401
        _say(f"{self._game.strength}; help lists the commands\n", "dim")
        self._show()
        while not self._left:
            game = self._game
            if game.board.is_game_over():
                if game.persons:
                    self._ask()
                else:
                    self._table()
                    self._left = True
            elif game.must_pass:
                _say(f"{words.color_name(game.board.turn)} has no legal move and passes", "yellow")
                game.play_pass()
                self._show()
            elif game.engine_to_move and not self._paused:
                self._think()
            else:
                self._ask()

    def _show(self) -> None:
        board = self._game.board
        last = board.move_stack[-1] if self._game.records else None
        render.out().print(render.board(board, last))
        render.out().print()
        ended = board.outcome()
        if ended is not None:
            _say(f"game over: {words.outcome(ended)}\n", "bold")

    def _ask(self) -> None:
        board = self._game.board
        prompt = "game over> " if board.is_game_over() else f"{words.color_name(board.turn)}> "
        asked = perf_counter()
        line = _read_line(prompt)
        if line is None:
            self._left = True
            return
        name, *arguments = line.lower().split() or [""]
        if name == "level":
            self._level(arguments)
        elif arguments:
            _complain("one square or one command a line; help lists them")
        elif name in self._commands:
            self._commands[name]()
        elif name:
            self._play(name, (perf_counter() - asked) * 1000)

    def _play(self, text: str, elapsed_ms: float) -> None:
        try:
            self._game.play(parse_move(text), elapsed_ms)
        except InvalidMoveError as error:
            _complain(f"{error}; help lists the commands")
        except IllegalMoveError as error:
            _complain(str(error))
        else:
            self._paused = False
            self._show()

    def _think(self) -> None:
        """Let the engine play for the side to move; Ctrl-C hands the move to the person."""
        thought = self._thought(self._game.think)
        self._paused = thought is None
        if thought is None:
            _say("stopped; play a move for this side, or go lets the engine play", "yellow")
            return
        side = words.color_name(self._game.board.turn)
        _say(f"{side} plays {thought.move}  ({_judgement(thought)})\n", "bold")
        self._game.play_thought(thought)
        self._show()

    def _thought(self, think: Callable[[Callable[[SearchInfo], None]], Thought]) -> Thought | None:
        """Return what the engine thinks, None when Ctrl-C stopped it."""
        side = words.color_name(self._game.board.turn)
        with render.Working(f"{side} thinks") as working:

            def tell(info: SearchInfo) -> None:
                working.say(f"{side} thinks: {info.move} at depth {info.depth}")

            try:
                return think(tell)
            except KeyboardInterrupt:
                return None

    def _undo(self) -> None:
        if self._game.undo():
            self._show()
        else:
            _complain("there is nothing to take back")

    def _hint(self) -> None:
        if self._over():
            return
        thought = self._thought(self._game.advise)
        if thought is None:
            _say("stopped", "yellow")
        else:
            _say(f"hint: {thought.move}  ({_judgement(thought)}; {' '.join(thought.pv)})")

    def _go(self) -> None:
        if not self._over():
            self._think()

    def _level(self, arguments: list[str]) -> None:
        numbers = {str(number): number for number in range(MAX_LEVEL + 1)}
        if not arguments:
            for number in sorted({*_SHOWN_LEVELS, self._game.level} - {None}):
                mark = "*" if number == self._game.level else " "
                _say(f"{mark}{number:3}  {self._game.level_in_words(number)}")
        elif len(arguments) == 1 and arguments[0] in numbers:
            self._game.level = numbers[arguments[0]]
            _say(self._game.strength)
        else:
            _complain(f"level {' '.join(arguments)!r}; expected 0 to {MAX_LEVEL}")

    def _moves(self) -> None:
        board = self._game.board
        _say(f"legal: {words.moves(board.legal_moves) or 'none'}")
        _say(f"made:  {' '.join(record.move for record in self._game.records) or 'none'}")

    def _table(self) -> None:
        if self._game.records:
            render.out().print(render.search_table(self._game.records, with_source=True))
        else:
            _say("no move was made yet")

    def _resign(self) -> None:
        if self._over():
            return
        side = self._game.board.turn
        _say(f"{words.color_name(side)} resigns; {words.color_name(side.opponent)} wins", "bold")
        self._left = True

    def _quit(self) -> None:
        self._left = True

    def _help(self) -> None:
        render.out().print(render.facts(_HELP))

    def _over(self) -> bool:
        """Return whether the game is over, and say so."""
        over: bool = self._game.board.is_game_over()
        if over:
            _complain("the game is over; undo, table, moves or quit")
        return over


def _judgement(thought: SearchResult | SearchInfo) -> str:
    work = f"{words.count(thought.nodes)} nodes in {words.duration(thought.elapsed_ms)}"
    return f"score {words.judgement(thought)}, depth {words.depth(thought)}, {work}"


def _say(text: str, style: str = "") -> None:
    render.out().print(text, style=style)


def _complain(text: str) -> None:
    _say(text, "red")


def _read_line(prompt: str) -> str | None:
    """Return the next line, None at the end of input; a piped one is shown behind its prompt."""
    if sys.stdin.isatty():
        try:
            return input(prompt)
        except EOFError:
            print()
            return None
    line = sys.stdin.readline()
    if line:
        print(f"{prompt}{line.rstrip()}", flush=True)
    return line or None

"""``reversi analyse``: the moves of a game beside the best ones."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click
from rich.text import Text

from reversi import FormatError, Game, write_games
from reversi.analysis import (
    GameAnalysis,
    MoveAnalysis,
    analyse_moves,
    graph_svg,
    html_page,
    write_png,
)
from reversi.analysis.plot import require_matplotlib
from reversi.analysis.results import MARK_SIGNS
from reversi.analysis.review import DEFAULT_LIMIT, EXACT_EMPTIES
from reversi.analysis.texts import (
    certainty_text,
    ending,
    loss_text,
    player_rows,
    players_text,
    settings_text,
    value_text,
)
from reversi.cli import render, words
from reversi.cli.arguments import (
    Integer,
    engine_of,
    hash_option,
    json_option,
    limit_of,
    weights_option,
)
from reversi.cli.files import STANDARD_STREAM, format_option
from reversi.cli.gamesource import Games
from reversi.cli.outputs import output_path
from reversi.cli.signals import ended_like_ctrl_c
from reversi.cli.skips import SKIPPED, Skips
from reversi.formats import FORMATS, format_of

# The formats that have a place for values.
_KEEPING = ("ggf", "sgf", "json")
_STYLES = {"blunder": "bold red", "mistake": "magenta", "inaccuracy": "yellow", None: None}
_COLUMNS = ["#", "side", "move", "value", "best", "best value", "loss", "depth", "line"]
# What a narrow terminal leaves out; what is left takes 30 columns.
_DISPENSABLE = ("line", "depth", "best value")
_LEFT = ("side", "move", "best")
_MOST_BEST = 3


@click.command("analyse")
@click.argument("game", required=False)
@click.option("--game", "number", type=Integer(min=1), metavar="N", help="The Nth game alone.")
@format_option("--from", "given_format", "The format of the file.  [default: by ending]")
@click.option(
    "--level",
    type=Integer(5, 60),
    metavar="N",
    help="Search at this level, 5 to 60.  [default: 21]",
)
@click.option("--depth", type=Integer(1, 60), metavar="N", help="Search to this depth.")
@click.option(
    "--time-ms", type=Integer(min=1), metavar="MS", help="Search so long for a move, at most."
)
@click.option(
    "--exact-empties",
    type=Integer(0, 60),
    default=EXACT_EMPTIES,
    show_default=True,
    metavar="N",
    help="Solve from this many empty squares on, however long it takes.",
)
@weights_option
@hash_option()
@click.option(
    "--threads",
    type=Integer(1, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="Search with so many threads.",
)
@json_option
@click.option("--html", metavar="FILE", help="Write a page with graph, moves and boards.")
@click.option("--graph", metavar="FILE", help="Write the graph, .svg or .png.")
@click.option("--save", metavar="FILE", help="Write the games with the values of their moves.")
@click.option("--overwrite", is_flag=True, help="Replace files that exist.")
@click.pass_context
def command(
    ctx: click.Context,
    game: str | None,
    number: int | None,
    given_format: str | None,
    level: int | None,
    depth: int | None,
    time_ms: int | None,
    exact_empties: int,
    weights: str | None,
    hash_mb: int,
    threads: int,
    as_json: bool,
    html: str | None,
    graph: str | None,
    save: str | None,
    overwrite: bool,
) -> None:
    """Judge each move of GAME: what it is worth, what the best one is, how many discs it loses.

    GAME is moves (f5d6c3...), a file of games in any format, or - for standard input. Values are
    discs in the view of the side that moves; where the move was a best one, the columns of the best
    are empty. A depth of 12! is exact, solved with 12 empty squares; 21@73% was searched 21
    plies deep, 73 percent sure of each thing left out. ?! marks a loss of 2 discs or more, ? of 4,
    ?? of 8.

    It goes from the end of the game to its beginning; Ctrl-C shows what there is. A move takes
    level 21 and at most 4000 ms, if nothing else is asked for: some twenty seconds a game. At
    level 16 it is a few, at 24 a minute or two, and more in wild games.

    \b
    Examples:
      reversi analyse f5d6c3d3c4f4f6f3e6e7 --level 16
      reversi analyse games.ggf --game 3 --html game3.html --graph game3.png
      reversi analyse games.sgf --save judged.sgf --json
    """
    limit = limit_of(time_ms, depth, None, level) or DEFAULT_LIMIT
    outputs = _Outputs(html, graph, save, overwrite)
    if sys.stdin.isatty() if game is None else not game.strip():
        raise click.UsageError("no GAME given; expected moves, a file, or - for standard input")
    if game is None:
        game = STANDARD_STREAM
    with (
        ended_like_ctrl_c(),
        Skips() as skips,
        outputs,
        engine_of("pattern", weights, hash_mb=hash_mb, threads=threads) as engine,
        render.Working("analysing", visible=not (as_json and render.out().is_terminal)) as working,
    ):
        games = iter(Games(game, given_format, skips))
        for at, one in _chosen(games, game, number, alone=bool(html or graph)):
            outputs.check(one)
            solved = min(exact_empties, one.start.empties)
            if solved > words.FEASIBLE_EMPTIES:
                working.warn_once(f"{solved} empty squares may take hours; Ctrl-C ends it")
            judged, interrupted = [], False
            try:
                for move in analyse_moves(one, limit, exact_empties=exact_empties, engine=engine):
                    judged.append(move)
                    working.say(f"game {at}, move {move.number - 1} of {len(one)}")
            except KeyboardInterrupt:
                interrupted = True
            analysis = GameAnalysis(one, tuple(reversed(judged)), limit, exact_empties)
            if judged or not interrupted:
                outputs.add(analysis)
                _show(at, analysis, as_json)
            if interrupted:
                raise KeyboardInterrupt
    if skips.count:
        ctx.exit(SKIPPED)


def _chosen(
    games: Iterator[tuple[int, Game]], source: str, number: int | None, alone: bool
) -> Iterator[tuple[int, Game]]:
    """Yield the games to analyse; raises click.ClickException where there is not what is asked."""
    if number is not None:
        last = 0
        for last, game in games:
            if last == number:
                yield last, game
                return
            if last > number:
                break
        why = "it cannot be read" if last > number else f"the last one is {last}"
        raise click.ClickException(f"{source}: no game {number}: {why}")
    first = next(games)
    second = next(games, None) if alone else None
    if second is not None:
        raise click.UsageError("--html and --graph show one game; --game N chooses it")
    yield first
    yield from games


class _Outputs:
    """The files that are asked for: whether they can be written is asked before any search."""

    def __init__(
        self, html: str | None, graph: str | None, save: str | None, overwrite: bool
    ) -> None:
        self._html = output_path(html, (".html", ".htm"), "--html", overwrite)
        self._graph = output_path(graph, (".svg", ".png"), "--graph", overwrite)
        keeping = [suffix for name in _KEEPING for suffix in FORMATS[name].suffixes]
        self._save = output_path(save, keeping, "--save", overwrite)
        self._overwrite = overwrite
        self._judged: list[Game] = []
        if self._graph and self._graph.suffix.lower() == ".png":
            try:
                require_matplotlib()
            except ImportError as error:
                raise click.ClickException(str(error)) from None

    def check(self, game: Game) -> None:
        """Raise click.ClickException for a game that the file to save cannot hold."""
        check = format_of(self._save).check if self._save else None
        try:
            if check:
                check(game)
        except FormatError as error:
            raise click.ClickException(f"{self._save}: {error}") from None

    def add(self, analysis: GameAnalysis) -> None:
        """Write the page and the graph of a game, and keep the game for the file of all."""
        if self._html:
            self._html.write_text(html_page(analysis), encoding="utf-8")
        if self._graph and self._graph.suffix.lower() == ".svg":
            self._graph.write_text(graph_svg(analysis), encoding="utf-8")
        elif self._graph:
            write_png(analysis, self._graph)
        if self._save:
            self._judged.append(analysis.annotated())

    def __enter__(self) -> _Outputs:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Write the file of all games, if there are any, also when it was Ctrl-C or a reader of
        standard output gone away that ended the work."""
        if kind not in (None, KeyboardInterrupt, BrokenPipeError):
            return
        if self._save and self._judged:
            write_games(self._save, self._judged, overwrite=self._overwrite)


# --- What people see ------------------------------------------------------------------------------


def _show(number: int, analysis: GameAnalysis, as_json: bool) -> None:
    if as_json:
        render.json_line({"game": number, **analysis.as_dict()})
        return
    out = render.out()
    if number > 1:
        out.print()
    out.print(Text(players_text(analysis), "bold"), Text(ending(analysis)), sep="\n")
    if not analysis.complete and analysis.moves:
        out.print(f"interrupted: moves {analysis.moves[0].number} to {len(analysis.game)} alone")
    if not analysis.moves:
        return
    rows = [_cells(move) for move in analysis.moves]
    styles = [_STYLES[move.mark] for move in analysis.moves]
    out.print("", render.fitted_table(_COLUMNS, rows, styles, _DISPENSABLE, left=_LEFT), sep="\n")
    summary = render.table("", "black", "white", left=("",))
    for label, numbers in player_rows(analysis.players):
        summary.add_row(label, *numbers)
    out.print("", summary, Text(settings_text(analysis), "dim"), sep="\n")


def _cells(move: MoveAnalysis) -> dict[str, str]:
    """Return a row's cells by column; what would repeat the move is left out."""
    others = move.move not in move.best_moves
    best = " ".join(move.best_moves[:_MOST_BEST])
    more = " .." if len(move.best_moves) > _MOST_BEST else ""
    return {
        "#": str(move.number),
        "side": words.color_name(move.side),
        "move": f"{move.move} {MARK_SIGNS[move.mark]}" if move.mark else move.move,
        "value": value_text(move.value, move.certainty),
        "best": f"{best}{more}" if others else "",
        "best value": value_text(move.best_value, move.best_certainty) if others else "",
        "loss": loss_text(move),
        "depth": certainty_text(move.best_certainty),
        "line": " ".join(move.line),
    }

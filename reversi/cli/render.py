"""How answers look at the terminal and in a pipe: tables, the board, signs of work."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from reversi import Board, Color, Line, SearchInfo, SearchResult
from reversi.cli import words

_FELT, _LAST_MOVE = "on #1f6f43", "on #3a8f5f"


class _PipeConsole(Console):
    """A console that leaves a closed pipe to the command, as print does."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


@cache
def out() -> Console:
    """Standard output: as wide as the terminal, or so wide in a pipe that nothing is cut."""
    return _console(stderr=False)


@cache
def err() -> Console:
    """Standard error, for warnings and signs of work."""
    return _console(stderr=True)


def _console(stderr: bool) -> Console:
    console = _PipeConsole(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = 2000
    return console


def json_line(answer: dict[str, Any]) -> None:
    """Print one JSON object on one line, at once."""
    print(json.dumps(answer), flush=True)


def table(*columns: str, left: Iterable[str] = ()) -> Table:
    """Return an empty table; columns are numbers, set to the right, unless named in ``left``."""
    drawn = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for name in columns:
        if name in left:
            drawn.add_column(name, no_wrap=True)
        else:
            drawn.add_column(name, justify="right", no_wrap=True)
    return drawn


def facts(rows: Iterable[tuple[str, str]]) -> Table:
    """Return a table of names and values without a head."""
    drawn = Table.grid(padding=(0, 2, 0, 0))
    drawn.add_column(style="dim")
    drawn.add_column()
    for name, value in rows:
        drawn.add_row(name, value)
    return drawn


# What a narrow terminal leaves out, the first one first, before any number is cut.
_DISPENSABLE = ("nps", "nodes", "line", "elapsed", "by")
_LEAST_LINE = 14  # five moves, the last of them cut: a shorter line says little


def search_table(records: Sequence[SearchInfo], with_source: bool = False) -> Table:
    """Return the table of what a search thought; with the source, the table of a game's moves."""
    rows = [_cells_of(number, record) for number, record in enumerate(records, start=1)]
    columns = [name for name in rows[0] if with_source or name not in ("#", "by")]
    styles = ["bold green" if record.exact else None for record in records]
    return fitted_table(columns, rows, styles, _DISPENSABLE, left=("side", "by", "move"))


def fitted_table(
    columns: list[str],
    rows: Sequence[dict[str, str]],
    styles: Sequence[str | None],
    dispensable: Iterable[str],
    left: Iterable[str],
) -> Table:
    """Return a table whose rows have a cell for each column, and a style. Where the terminal is too
    narrow for all of it the column ``line`` is cut, and dispensable columns are left out."""
    columns = list(columns)
    widths = {name: max(len(name), *(len(cells[name]) for cells in rows)) for name in columns}
    if "line" in widths:
        widths["line"] = min(widths["line"], _LEAST_LINE)
    for name in dispensable:
        if name in columns and sum(widths[name] + 2 for name in columns) - 2 > out().width:
            columns.remove(name)
    drawn = table(*(name for name in columns if name != "line"), left=left)
    if "line" in columns:
        drawn.add_column("line")
    for cells, style in zip(rows, styles, strict=True):
        # Of what is left the line alone gives way.
        texts = [Text(cells[name], no_wrap=True, overflow="ellipsis") for name in columns]
        drawn.add_row(*texts, style=style)
    return drawn


def _cells_of(number: int, record: SearchInfo) -> dict[str, str]:
    """Return a row's cells by column."""
    searched = record.depth > 0
    return {
        "#": str(number),
        "side": words.color_name(record.side),
        "by": record.source,
        "depth": words.depth(record) if searched else "",
        "move": record.move,
        "score": words.judgement(record) if searched else "",
        "nodes": words.count(record.nodes) if searched else "",
        "nps": words.count(record.nps) if searched else "",
        "elapsed": words.duration(record.elapsed_ms),
        "line": " ".join(record.pv),
    }


def lines_table(lines: Sequence[Line]) -> Table:
    """Return the table of the best moves, each with its value in discs and its line."""
    drawn = table("move", "discs", left=("move",))
    drawn.add_column("line")
    for line in lines:
        value = "" if line.value is None else f"{line.value:+.2f}"
        drawn.add_row(line.move, value, Text(" ".join(line.pv), no_wrap=True, overflow="ellipsis"))
    return drawn


def record_of(side: Color, result: SearchResult) -> SearchInfo:
    """Return the row of the tables that a search with a move ended with."""
    assert result.move is not None
    return SearchInfo(
        side=side,
        source="engine",
        move=result.move,
        depth=result.depth,
        nodes=result.nodes,
        nps=result.nps,
        elapsed_ms=result.elapsed_ms,
        score=result.score,
        pv=result.pv,
        exact=result.exact,
        value=result.value,
        certainty=result.certainty,
        lines=result.lines,
    )


def board(position: Board, last_move: int | None = None) -> Text:
    """Return the drawn board: discs, legal moves as dots, the last move marked.

    Where there are no colours the discs are X and O, as in OBF.
    """
    unicode = out().encoding.lower().startswith("utf")
    colored = unicode and out().color_system is not None and not out().no_color
    dot = "·" if unicode else "*"
    discs = {
        -1: ("●", "bold #000000") if colored else ("X", ""),
        1: ("●", "bold #ffffff") if colored else ("O", ""),
        0: (" " if colored else "-", ""),
    }
    legal = set(position.legal_moves)
    head = Text("    a  b  c  d  e  f  g  h\n", "dim")
    drawn = Text().append_text(head)
    for row in range(8):
        drawn.append(f" {row + 1} ", "dim")
        for square in range(row * 8, row * 8 + 8):
            felt = (_LAST_MOVE if square == last_move else _FELT) if colored else ""
            symbol, style = (dot, "#d0d0d0") if square in legal else discs[position[square]]
            drawn.append(f" {symbol} ", f"{style} {felt}".strip() if colored else "")
        drawn.append("\n")
    drawn.append(words.side_line(position))
    return drawn


def show_board(position: Board) -> None:
    """Print the drawn board where a person looks at it, so that a misread one is seen."""
    if out().is_terminal:
        out().print(board(position))
        out().print()


class Rows:
    """Prints a table row by row, since its last row may come an hour after its first."""

    def __init__(self, columns: dict[str, int]) -> None:
        """``columns`` gives each head and its width; a negative width sets to the left."""
        self._widths = list(columns.values())
        self._head = list(columns)

    def add(self, *cells: str, style: str = "") -> None:
        """Print a row, and before the first one the head."""
        if self._head:
            self._print(self._head, "bold")
            self._head = []
        self._print(cells, style)

    def _print(self, cells: Sequence[str], style: str) -> None:
        pairs = zip(cells, self._widths, strict=True)
        text = "  ".join(f"{cell:{'<' if width < 0 else '>'}{abs(width)}}" for cell, width in pairs)
        out().print(Text(text.rstrip(), style), soft_wrap=True)


class Working:
    """A spinner with a text and a clock on the terminal that people watch; else nothing."""

    def __init__(self, text: str, visible: bool = True) -> None:
        console = out() if out().is_terminal else err()
        self._warned = False
        self._visible = visible and console.is_terminal
        # Rows go to the same console, above the spinner; a piped standard output stays untouched.
        self._progress = Progress(
            SpinnerColumn("line"),
            TextColumn("{task.description}", markup=False),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._progress.add_task(text, total=None)

    def __enter__(self) -> Working:
        if self._visible:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._visible:
            self._progress.stop()

    def say(self, text: str) -> None:
        """Change the text."""
        self._progress.update(self._task, description=text)

    def warn_once(self, text: str) -> None:
        """Print a line on standard error, terminal or not, clear of the spinner; no second one."""
        if self._warned:
            return
        self._warned = True
        # On one terminal the spinner's console has to know of the line.
        shared = self._visible and err().is_terminal
        console = self._progress.console if shared else err()
        console.print(f"reversi: {text}", soft_wrap=True)

"""The graph of a game as PNG, by matplotlib, which the extra `train` brings. Knows no command."""

from __future__ import annotations

import warnings
from importlib.util import find_spec
from pathlib import Path

from reversi.analysis.graph import HEIGHT, LIGHT, WIDTH, Graph
from reversi.analysis.results import MARK_DISCS, GameAnalysis, Mark
from reversi.analysis.texts import players_text

__all__ = ["require_matplotlib", "write_png"]

_MARKERS: dict[Mark, tuple[str, int]] = {
    "blunder": ("D", 70), "mistake": ("^", 70), "inaccuracy": ("o", 36),
}  # fmt: skip


def require_matplotlib() -> None:
    """Raise ImportError that says what to install, where matplotlib is missing.

    >>> require_matplotlib()
    """
    if find_spec("matplotlib") is None:
        raise ImportError("a graph as PNG takes matplotlib: pip install 'reversi-engine[train]'")


def write_png(analysis: GameAnalysis, path: str | Path) -> None:
    """Write the picture that `graph_svg` draws as a PNG file, 1280 pixels wide.

    Raises ImportError that names the extra where matplotlib is missing, OSError where the file
    cannot be written.

    >>> import tempfile
    >>> from reversi import Game, Limit, analyse_game
    >>> analysis = analyse_game(Game.from_transcript("f5d6"), Limit(depth=2))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_png(analysis, Path(folder) / "game.png")
    ...     (Path(folder) / "game.png").read_bytes()[1:4]
    b'PNG'
    """
    require_matplotlib()
    from matplotlib.figure import Figure

    graph = Graph.of(analysis)
    most = graph.span * 0.98
    soft = LIGHT["soft"]
    figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=200, layout="tight")
    axes = figure.subplots()
    if graph.exact_from is not None and graph.exact_from < graph.total:
        axes.axvspan(graph.exact_from, graph.total, color=LIGHT["band"], zorder=0)
        axes.text(graph.total, most, "exact ", ha="right", va="top", color=soft)
    for side, area in zip(("black", "white"), graph.areas, strict=True):
        axes.fill_between([x for x, _ in area], [y for _, y in area], color=LIGHT[side], lw=0)
    axes.axhline(0, color=soft, lw=1)
    numbers, values = [x for x, _ in graph.points], [y for _, y in graph.points]
    axes.plot(numbers, values, color=LIGHT["line"], clip_on=False)
    for mark in MARK_DISCS:
        moves = [move for move in graph.marked if move.mark == mark]
        shape, size = _MARKERS[mark]
        axes.scatter(
            [move.number for move in moves],
            [graph.value_after(move) for move in moves],
            marker=shape, s=size, color=LIGHT[mark], edgecolors=LIGHT["ground"], zorder=3,
            clip_on=False,
        )  # fmt: skip
    axes.text(0, most, " black ahead", va="top", color=soft)
    axes.text(0, -most, " white ahead", va="bottom", color=soft)
    axes.set_title(players_text(analysis), fontsize="medium", color=soft, parse_math=False)
    axes.set_xlim(0, graph.total)
    axes.set_ylim(-graph.span, graph.span)
    axes.set_yticks([graph.span * part // 2 for part in range(-2, 3)])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:+.0f}" if value else "0")
    axes.spines[:].set_visible(False)
    axes.grid(axis="y", color=LIGHT["grid"])
    axes.set_axisbelow(True)
    axes.tick_params(colors=soft, length=0)
    with warnings.catch_warnings():
        # A letter of a name that the font lacks becomes a box, which is worth no word.
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        figure.savefig(path, format="png")

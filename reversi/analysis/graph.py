"""The graph of what a game was worth: its scale, and its picture as SVG. Knows no page, no file.

The picture has classes in place of colours, so that a page can show it in light and dark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape

from reversi.analysis.results import GameAnalysis, Mark, MoveAnalysis, curve
from reversi.analysis.texts import move_text, players_text
from reversi.squares import BLACK

__all__ = ["GRAPH_STYLE", "Graph", "graph_svg"]

WIDTH, HEIGHT = 640, 270
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 14, 16, 34
_HEAD = 18  # above the graph of a file, for the names

# Colours of a white page, and of a dark one.
LIGHT = {
    "ground": "#ffffff", "ink": "#1c1f1d", "soft": "#5b635f", "grid": "#d9dedb", "black": "#3c4441",
    "white": "#cdd5d1", "band": "#eef3f0", "line": "#0b6b45", "blunder": "#b3261e",
    "mistake": "#a04d00", "inaccuracy": "#756000",
}  # fmt: skip
DARK = {
    "ground": "#151817", "ink": "#e9ebe7", "soft": "#a3aca7", "grid": "#333a37", "black": "#050606",
    "white": "#6d7772", "band": "#1d2321", "line": "#5fd3a0", "blunder": "#ff8a80",
    "mistake": "#ffb066", "inaccuracy": "#e6c84f",
}  # fmt: skip

GRAPH_STYLE = """
.graph text{fill:var(--soft);font:12px system-ui,sans-serif}
.graph .grid{stroke:var(--grid)} .graph .zero{stroke:var(--soft)} .graph .band{fill:var(--band)}
.graph .black{fill:var(--black)} .graph .white{fill:var(--white)}
.graph .line{fill:none;stroke:var(--line);stroke-width:2;stroke-linejoin:round}
.graph .blunder{fill:var(--blunder)} .graph .mistake{fill:var(--mistake)}
.graph .inaccuracy{fill:var(--inaccuracy)}
.graph .mark{stroke:var(--ground);stroke-width:1.5}
"""


@dataclass(frozen=True, slots=True)
class Graph:
    """What the graph shows: a point for each number of moves made, with the value in discs in
    black's view; the marked moves; and the scale: ``span`` discs up and down, ``total`` moves
    across. From ``exact_from`` moves on all values are exact (None: the last one is not)."""

    points: tuple[tuple[int, float], ...]
    marked: tuple[MoveAnalysis, ...]
    span: int
    total: int
    exact_from: int | None

    @classmethod
    def of(cls, analysis: GameAnalysis) -> Graph:
        """Return the graph of an analysis.

        >>> from reversi import Game, Limit, analyse_game
        >>> Graph.of(analyse_game(Game.from_transcript("f5d6"), Limit(depth=2))).total
        2
        """
        found = list(curve(analysis.moves))
        exact_from = None
        for number, _, exact in reversed(found):
            if not exact:
                break
            exact_from = number
        most = max((abs(value) for _, value, _ in found), default=0.0)
        return cls(
            points=tuple((number, value) for number, value, _ in found),
            marked=analysis.marked,
            span=next(span for span in (8, 16, 32, 64) if most <= span),
            total=max(1, len(analysis.game)),
            exact_from=exact_from,
        )

    @property
    def areas(self) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
        """The line as far as it is black's, and as far as it is white's: between two points on
        either side of 0 it goes through 0."""
        line: list[tuple[float, float]] = []
        for number, value in self.points:
            if line and line[-1][1] * value < 0:
                before, was = line[-1]
                line.append((before + (number - before) * was / (was - value), 0.0))
            line.append((float(number), value))
        return [(x, max(y, 0.0)) for x, y in line], [(x, min(y, 0.0)) for x, y in line]

    def value_after(self, move: MoveAnalysis) -> float:
        """The value in black's view after a move."""
        return move.value if move.side == BLACK else -move.value


def graph_svg(analysis: GameAnalysis) -> str:
    """Return the graph as an SVG file, in light or dark as its reader has it.

    >>> from reversi import Game, Limit, analyse_game
    >>> graph_svg(analyse_game(Game.from_transcript("f5d6"), Limit(depth=2)))[:4]
    '<svg'
    """
    light, dark = (
        ";".join(f"--{name}:{color}" for name, color in colors.items()) for colors in (LIGHT, DARK)
    )
    style = (
        f"svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}"
        f".ground{{fill:var(--ground)}}{GRAPH_STYLE}"
    )
    size = f'y="{-_HEAD}" width="{WIDTH}" height="{HEIGHT + _HEAD}"'
    names = (
        f'<text x="{WIDTH / 2}" y="-4" text-anchor="middle">{escape(players_text(analysis))}</text>'
    )
    before = f'<style>{style}</style><rect class="ground" {size}/>{names}'
    return drawing(analysis, before, _HEAD)


def drawing(
    analysis: GameAnalysis,
    before: str = "",
    head: int = 0,
    link: Callable[[MoveAnalysis], str] | None = None,
) -> str:
    """Return the drawn graph: `before` stands in front of it, in a `head` so high and below, `link`
    gives the address of a mark."""
    graph = Graph.of(analysis)
    title = f"Value of the game move by move, black's view: {players_text(analysis)}"
    # What is one image to a screen reader has no links in it.
    role = "group" if link else "img"
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="{role}"'
            f' viewBox="0 {-head} {WIDTH} {HEIGHT + head}" aria-label="{escape(title)}">',
            f"<title>{escape(title)}</title>",
            before,
            _ground(graph),
            *_fields(graph),
            _marks(graph, link),
            "</svg>",
        ]
    )


def _x(graph: Graph, number: float) -> float:
    return _LEFT + number / graph.total * (WIDTH - _LEFT - _RIGHT)


def _y(graph: Graph, value: float) -> float:
    return _TOP + (1 - value / graph.span) / 2 * (HEIGHT - _TOP - _BOTTOM)


def _ground(graph: Graph) -> str:
    """The band of exact values, the lines of the scales and what stands at them."""
    parts = []
    top, bottom = _y(graph, graph.span), _y(graph, -graph.span)
    if graph.exact_from is not None and graph.exact_from < graph.total:
        left, right = _x(graph, graph.exact_from), _x(graph, graph.total)
        parts.append(
            f'<rect class="band" x="{left:.1f}" y="{top:g}" width="{right - left:.1f}"'
            f' height="{bottom - top:g}"/>'
            f'<text x="{right - 4:.1f}" y="{top + 14:g}" text-anchor="end">exact</text>'
        )
    for part in (1.0, 0.5, 0.0, -0.5, -1.0):
        value, y = part * graph.span, _y(graph, part * graph.span)
        kind = "grid" if part else "zero"
        parts.append(
            f'<path class="{kind}" d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">'
            f"{f'{value:+.0f}' if value else '0'}</text>"
        )
    for number in range(0, graph.total + 1, 10):
        parts.append(
            f'<text x="{_x(graph, number):.1f}" y="{HEIGHT - 12}" text-anchor="middle">'
            f"{number}</text>"
        )
    parts.append(
        f'<text x="{_LEFT + 6}" y="{top + 14:g}">black ahead</text>'
        f'<text x="{_LEFT + 6}" y="{bottom - 6:g}">white ahead</text>'
    )
    return "".join(parts)


def _fields(graph: Graph) -> list[str]:
    """The areas of black and of white, and the line above them."""
    if not graph.points:
        return []
    drawn = []
    first, last = graph.points[0][0], graph.points[-1][0]
    for side, area in zip(("black", "white"), graph.areas, strict=True):
        corners = [(first, 0.0), *area, (last, 0.0)]
        drawn.append(f'<path class="{side}" d="{_path(graph, corners)}z"/>')
    drawn.append(f'<path class="line" d="{_path(graph, graph.points)}"/>')
    return drawn


def _path(graph: Graph, points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_x(graph, x):.1f} {_y(graph, y):.1f}" for x, y in points)


def _marks(graph: Graph, link: Callable[[MoveAnalysis], str] | None) -> str:
    """A shape of its own for each kind of mark, named for the pointer and for those who hear."""
    drawn = []
    for move in graph.marked:
        assert move.mark is not None
        x, y = _x(graph, move.number), _y(graph, graph.value_after(move))
        text = escape(move_text(move))
        shape = (
            f'<path class="mark {move.mark}" d="{_SHAPES[move.mark]}"'
            f' transform="translate({x:.1f} {y:.1f})"><title>{text}</title></path>'
        )
        if link:
            shape = f'<a href="{escape(link(move))}" aria-label="{text}">{shape}</a>'
        drawn.append(shape)
    return "".join(drawn)


# A square on its corner, a triangle and a dot, the worst the largest.
_SHAPES: dict[Mark, str] = {
    "blunder": "M0-8.5L8.5 0 0 8.5-8.5 0z",
    "mistake": "M0-7.5L7 5.5H-7z",
    "inaccuracy": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
}

"""The picture of a board as SVG.

It brings its own background, so that it looks the same in light and dark pages, and has neither ids
nor styles: those would clash with the other pictures of a notebook.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reversi.squares import BLACK, PASS, WHITE

if TYPE_CHECKING:
    from reversi.board import Board

_CELL = 40
_MARGIN = 26
_WIDTH = 8 * _CELL + 2 * _MARGIN
_HEIGHT = _WIDTH + 12

# For each colour the layers of a disc from its rim to its shine: radius, offset, fill.
_DISC_LAYERS = {
    BLACK: ((16, 0, "#0d0f0e"), (14.5, -0.5, "#1d201f"), (11, -2, "#262a28"), (6, -4, "#333836")),
    WHITE: ((16, 0, "#cfccc2"), (14.5, -0.5, "#ebe9e2"), (11, -2, "#f4f3ee"), (6, -4, "#fdfdfb")),
}


def _circles(bits: int, radius: float, offset: float, fill: str, opacity: float = 1) -> str:
    """Draw a circle in the middle of each square, moved to the right and down by `offset`."""
    middle = _MARGIN + _CELL / 2 + offset
    circles = "".join(
        f'<circle cx="{sq % 8 * _CELL + middle:g}" cy="{sq // 8 * _CELL + middle:g}" r="{radius}"/>'
        for sq in range(64)
        if bits >> sq & 1
    )
    return f'<g fill="{fill}" fill-opacity="{opacity}">{circles}</g>'


def _text(x: float, y: float, anchor: str, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{text}</text>'


def _strokes(bits: int, shape: str, stroke: str) -> str:
    """Draw a shape around the middle of each square."""
    middle = _MARGIN + _CELL / 2
    path = "".join(
        f"M{sq % 8 * _CELL + middle:g} {sq // 8 * _CELL + middle:g}{shape}"
        for sq in range(64)
        if bits >> sq & 1
    )
    return f'<path d="{path}" fill="none" stroke="{stroke}" stroke-width="3.5"/>' if path else ""


def svg(board: Board, status: str, *, best: int = 0, played: int = 0) -> str:
    """Draw the board: discs, legal moves as dots, the last move marked, score and status below.
    The squares of `best` (a bitboard) get a ring, those of `played` a cross."""
    edge = 8 * _CELL
    last = next((1 << move for move in reversed(board.move_stack) if move != PASS), 0)
    middles = [_MARGIN + _CELL * (i + 0.5) for i in range(8)]
    lines = [_MARGIN + _CELL * i for i in range(9)]
    grid = "".join(f"M{_MARGIN} {x}h{edge}M{x} {_MARGIN}v{edge}" for x in lines)
    stars = "".join(
        f'<circle cx="{lines[i]}" cy="{lines[j]}" r="3"/>' for i in (2, 6) for j in (2, 6)
    )
    baseline = _HEIGHT - 13
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}"'
        f' viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" font-family="sans-serif" font-size="13">',
        f"<title>{status}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="8" fill="#2a2622"/>',
        f'<rect x="{_MARGIN}" y="{_MARGIN}" width="{edge}" height="{edge}" fill="#2a8a57"/>',
        f'<path d="{grid}" stroke="#17573a" stroke-width="1.5" stroke-linecap="square"/>',
        f'<g fill="#17573a">{stars}</g>',
        _circles(board.black | board.white, 16, 1.5, "#000", 0.3),
        *(_circles(board.black, *layer) for layer in _DISC_LAYERS[BLACK]),
        *(_circles(board.white, *layer) for layer in _DISC_LAYERS[WHITE]),
        _circles(last, 4, 0, "#e4572e"),
        _circles(board.legal_moves.mask, 5, 0, _DISC_LAYERS[board.turn][1][2], 0.5),
        _strokes(best, "m-13 0a13 13 0 1 0 26 0a13 13 0 1 0-26 0", "#ffe27a"),
        _strokes(played, "m-9-9l18 18m0-18l-18 18", "#ff8f73"),
        '<g fill="#d8d2c8">',
        *(
            _text(x, _MARGIN - 8, "middle", file)
            for x, file in zip(middles, "abcdefgh", strict=True)
        ),
        *(_text(_MARGIN / 2, y + 4.5, "middle", str(i)) for i, y in enumerate(middles, 1)),
        _text(_MARGIN + 18, baseline, "start", str(board.count(BLACK))),
        _text(_MARGIN + 68, baseline, "start", str(board.count(WHITE))),
        _text(_WIDTH - _MARGIN, baseline, "end", status),
        "</g>",
        *(
            f'<circle cx="{x}" cy="{baseline - 4.5}" r="6.5" fill="{fill}" stroke="#8b857b"/>'
            for x, fill in ((_MARGIN + 7, "#1d201f"), (_MARGIN + 57, "#ebe9e2"))
        ),
        "</svg>",
    ]
    return "".join(parts)

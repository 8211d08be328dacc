"""The analysis of a game as a page of its own: one file, no script, nothing from elsewhere.

All that comes from the game's headers and comments is escaped. Knows no file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from reversi.analysis.graph import DARK, GRAPH_STYLE, LIGHT, drawing
from reversi.analysis.results import MARK_DISCS, MARK_SIGNS, GameAnalysis, MoveAnalysis, Player
from reversi.analysis.texts import (
    certainty_text,
    ending,
    loss_text,
    player_rows,
    players_text,
    settings_text,
    value_text,
)
from reversi.board import Board
from reversi.picture import svg
from reversi.squares import Color, parse_square

__all__ = ["html_page"]

_MINUS = "\N{MINUS SIGN}"


def html_page(analysis: GameAnalysis) -> str:
    """Return the page: headers, graph, players, moves, and a board for each marked move, with the
    move played and the best ones.

    >>> from reversi import Game, Limit, analyse_game
    >>> page = html_page(analyse_game(Game.from_transcript("f5d6"), Limit(depth=2)))
    >>> page[:15], "<script" in page
    ('<!doctype html>', False)
    """
    title = escape(players_text(analysis))
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{title}</title>",
            f"<style>{_style()}</style>",
            "</head>",
            "<body>",
            "<main>",
            *_head(analysis, title),
            *_graph(analysis),
            *_players(analysis.players),
            *_moves(analysis),
            *_boards(analysis),
            f"<footer><p>{escape(settings_text(analysis))}</p></footer>",
            "</main>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _head(analysis: GameAnalysis, title: str) -> Iterator[str]:
    yield f"<header><h1>{title}</h1>"
    yield f"<p>{_signed(escape(ending(analysis)))}</p>"
    if analysis.game.headers:
        yield "<dl>"
        for name, text in analysis.game.headers.items():
            yield f"<div><dt>{escape(name.replace('_', ' '))}</dt><dd>{escape(text)}</dd></div>"
        yield "</dl>"
    comment = analysis.game.root.comment
    if comment:
        yield f'<p class="note">{escape(comment)}</p>'
    yield "</header>"


def _graph(analysis: GameAnalysis) -> Iterator[str]:
    yield "<section><h2>Course of the game</h2>"
    yield f"<figure>{drawing(analysis, link=lambda move: f'#board-{move.number}')}"
    kinds = ", ".join(
        f'<span class="{mark}">{MARK_SIGNS[mark]} {mark}</span> (from {discs:.0f} discs on)'
        for mark, discs in MARK_DISCS.items()
    )
    yield f"<figcaption>Black's discs less white's, as the game would end. {kinds}.</figcaption>"
    yield "</figure></section>"


def _players(players: Sequence[Player]) -> Iterator[str]:
    yield '<section><h2>Players</h2><table class="players">'
    heads = "".join(
        f'<th scope="col">{_disc(player.side)} {escape(player.name) or player.side.name.lower()}'
        "</th>"
        for player in players
    )
    yield f"<thead><tr><td></td>{heads}</tr></thead><tbody>"
    for label, cells in player_rows(players):
        numbers = "".join(f"<td>{cell}</td>" for cell in cells)
        yield f'<tr><th scope="row">{label}</th>{numbers}</tr>'
    yield "</tbody></table></section>"


def _moves(analysis: GameAnalysis) -> Iterator[str]:
    heads = ("move", "value", "best", "best value", "loss", "sure", "best play")
    yield '<section><h2>Moves</h2><table class="moves">'
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    yield f'<thead><tr><th scope="col" colspan="2">#</th>{cells}</tr></thead><tbody>'
    nodes = list(analysis.game.main_line())
    for move in analysis.moves:
        yield _row(move)
        comment = nodes[move.number - 1].comment
        if comment:
            yield f'<tr><td></td><td></td><td colspan="7" class="note">{escape(comment)}</td></tr>'
    yield "</tbody></table>"
    yield (
        "<p>Values are discs in the view of the side that moves. "
        "<b>12!</b> is exact, solved with 12 empty squares; <b>21@73%</b> was searched 21 plies "
        "deep, 73 percent sure of each thing left out.</p></section>"
    )


def _row(move: MoveAnalysis) -> str:
    sign = f" {MARK_SIGNS[move.mark]}" if move.mark else ""
    name = f"{move.move}{sign}"
    if move.mark:
        name = f'<a href="#board-{move.number}">{name}</a>'
    kind = f' class="{move.mark}"' if move.mark else ""
    cells = (
        _signed(value_text(move.value, move.certainty)),
        " ".join(move.best_moves),
        _signed(value_text(move.best_value, move.best_certainty)),
        loss_text(move),
        certainty_text(move.best_certainty),
        " ".join(move.line),
    )
    rest = "".join(f"<td>{cell}</td>" for cell in cells)
    return (
        f'<tr{kind} id="move-{move.number}"><td>{move.number}</td><td>{_disc(move.side)}</td>'
        f'<th scope="row">{name}</th>{rest}</tr>'
    )


def _boards(analysis: GameAnalysis) -> Iterator[str]:
    boards = list(analysis.game.boards())
    yield "<section><h2>Positions</h2>"
    if analysis.marked:
        yield "<p>A cross is the move that was played, a ring a best one.</p>"
    yield '<div class="boards">'
    for move in analysis.marked:
        yield _card(move, boards[move.number - 1])
    last = boards[-1]
    yield f"<figure>{svg(last, _turn(last))}<figcaption>The last position.</figcaption></figure>"
    yield "</div></section>"


def _card(move: MoveAnalysis, board: Board) -> str:
    assert move.mark is not None
    best = sum(1 << parse_square(name) for name in move.best_moves)
    picture = svg(board, _turn(board), best=best, played=1 << parse_square(move.move))
    side = move.side.name.lower()
    values = (
        f"{_signed(value_text(move.value, move.certainty))} instead of "
        f"{_signed(value_text(move.best_value, move.best_certainty))}"
    )
    return (
        f'<figure id="board-{move.number}">{picture}<figcaption>'
        f'<a href="#move-{move.number}">{move.number}.</a> {side} '
        f'<b class="{move.mark}">{move.move} {MARK_SIGNS[move.mark]}</b> {values}; best '
        f"{' '.join(move.best_moves)}.<br>Best play: {' '.join(move.line)}</figcaption></figure>"
    )


def _turn(board: Board) -> str:
    return "game over" if board.is_game_over() else f"{board.turn.name.lower()} to move"


def _signed(text: str) -> str:
    return text.replace("-", _MINUS)


def _disc(side: Color) -> str:
    name = side.name.lower()
    return f'<span class="disc {name}" role="img" aria-label="{name}"></span>'


def _style() -> str:
    light, dark = (
        ";".join(f"--{name}:{color}" for name, color in colors.items()) for colors in (LIGHT, DARK)
    )
    return (
        f":root{{{light}}}\n@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
        f"@media print{{:root{{{light}}}}}{GRAPH_STYLE}{_STYLE}"
    )


_STYLE = """
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2rem 0 .5rem}
a{color:inherit}
dl{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin:.5rem 0}
dl div{display:flex;gap:.4rem} dt,figcaption,footer,.note,.moves+p{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
figure{margin:0} figcaption,footer,.moves+p{font-size:.9rem}
svg{display:block;width:100%;height:auto}
.disc{display:inline-block;width:.7em;height:.7em;border-radius:50%;box-shadow:0 0 0 2px #2a8a57}
.disc{print-color-adjust:exact;-webkit-print-color-adjust:exact} .players .disc{margin-right:.3em}
.disc.black{background:#141615} .disc.white{background:#f6f5f0}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .5rem;text-align:right;border-bottom:1px solid var(--grid);white-space:nowrap}
thead th{color:var(--soft);font-weight:500;position:sticky;top:0;background:var(--ground)}
tbody th{font-weight:600}
.players{max-width:36rem} .players th{white-space:normal;overflow-wrap:anywhere;position:static}
.players tbody th{text-align:left;font-weight:400;color:var(--soft)} .players thead th{width:30%}
.moves td:nth-child(2){padding:.2rem 0;text-align:center}
.moves th,.moves td:nth-child(5),.moves td:last-child{text-align:left}
.moves td:last-child{color:var(--soft);font-size:.85rem;overflow:hidden;text-overflow:ellipsis}
.moves td:last-child{max-width:0;width:40%} .moves td:nth-child(5){white-space:normal}
.moves td.note{max-width:none;font-size:.9rem;white-space:normal;text-align:left}
tr:target,figure:target{outline:2px solid var(--line);outline-offset:2px}
.blunder{color:var(--blunder)} .mistake{color:var(--mistake)} .inaccuracy{color:var(--inaccuracy)}
.boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:1.5rem}
.boards figcaption{margin-top:.4rem;overflow-wrap:anywhere}
.boards b{white-space:nowrap}
@media (max-width:48rem){.moves th:last-child,.moves tr>:nth-child(9){display:none}}
@media (max-width:30rem){
 main{padding:.75rem} th,td{padding:.2rem .3rem} .moves{font-size:.85rem}
 .graph text{font-size:19px} .moves th:nth-child(5),.moves td:nth-child(6){display:none}
}
@media print{
 main{max-width:none;padding:0} thead th{position:static}
 figure,tr{break-inside:avoid} .boards{grid-template-columns:repeat(3,1fr)}
}
"""

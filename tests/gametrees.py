"""What hypothesis draws: games with variations, notes and headers, and ways to damage files."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest
from hypothesis import strategies as st
from strategies import positions

from reversi.board import Board
from reversi.errors import FormatError
from reversi.game import Game
from reversi.squares import Color

# Numbers, brackets and line breaks that the formats themselves use, and any other text.
_BITS = ["[", "]", "\\", ":", ";", "(;GM[2]", '"', "{", "}", "\n", "\t", " ", "é", "黒", "😀"]
texts = st.lists(st.sampled_from(_BITS) | st.text(max_size=4), max_size=5).map("".join)
results = st.sampled_from(
    ["+6", "-2", "+0", "-0", "-64:t", "+2:r", "+0:s", "+6.5", "6", "B+R", "W+2", "0", "Draw", "?"]
)
_NAMES = ["black", "white", "place", "date", "time", "event", "round", "black_rating", "ggf:ko"]


@st.composite
def headers(draw: st.DrawFn) -> dict[str, str]:
    names = st.sampled_from([*_NAMES, "sgf:gn", "sgf:gc", "sgf:ot"]) | texts
    found = draw(st.dictionaries(names, texts | st.sampled_from(["300", "5:00"]), max_size=4))
    if draw(st.booleans()):
        found["result"] = draw(results)
    return found


@st.composite
def game_trees(draw: st.DrawFn, notes: bool = True) -> Game:
    """A game from the usual start or any board, with variations at random and notes."""
    start = Board()
    if draw(st.booleans()):
        cells, turn = draw(positions())
        start = Board.from_cells(cells, Color(turn))
    game = Game(start, draw(headers()) if notes else None)
    nodes = [game.root]
    for choice in draw(st.lists(st.integers(0, 10**6), max_size=30)):
        if choice % 10 == 0:
            game.go_to(nodes[choice % len(nodes)])
        if game.legal_moves:
            game.push(list(game.legal_moves)[choice % len(game.legal_moves)])
            nodes.append(game.node)
    numbers = st.floats(-64, 64) | st.floats(allow_nan=False, allow_infinity=False)
    for index in draw(st.sets(st.integers(0, len(nodes) - 1), max_size=4 if notes else 0)):
        nodes[index].value = draw(st.none() | numbers)
        nodes[index].seconds = draw(st.none() | numbers)
        nodes[index].comment = draw(texts)
    return game


def with_plain_line_ends(game: Game) -> Game:
    """Return the game with line breaks as text files have them: SGF does not tell their kinds."""
    made = game.copy()

    def plain(text: str) -> str:
        return text.replace("\r\n", "\n").replace("\r", "\n")

    made.headers = {plain(name): plain(text) for name, text in game.headers.items()}
    for node in (made.root, *made.root.tree()):
        node.comment = plain(node.comment)
    return made


@st.composite
def damages(draw: st.DrawFn) -> Callable[[bytes], bytes]:
    """A way to damage a file: to break it off, or to change, lose, double or insert some bytes."""
    kind = draw(st.sampled_from(["cut", "flip", "lose", "double", "insert"]))
    place = draw(st.floats(0, 1))
    length = draw(st.integers(1, 20))
    byte = draw(st.integers(0, 255) | st.sampled_from(list(b'()[]{};:"\\,\n -XO')))

    def damage(data: bytes) -> bytes:
        at = int(place * len(data))
        if kind == "cut":
            return data[:at]
        if kind == "flip":
            return data[:at] + bytes([byte]) + data[at + 1 :]
        if kind == "lose":
            return data[:at] + data[at + length :]
        if kind == "double":
            return data[: at + length] + data[at:]
        return data[:at] + bytes([byte]) + data[at:]

    return damage


def check_damaged(reader: Callable, data: bytes) -> None:
    """Read a damaged file: faults are FormatErrors of one line, and all moves of games are legal;
    without somebody to tell of faults the first one is raised."""
    faults: list[FormatError] = []
    found = list(reader(BytesIO(data), "damaged", faults.append))
    for fault in faults:
        assert "\n" not in str(fault)
        assert str(fault).startswith("damaged: ")
    for game in found:
        for node in (game.root, *game.root.tree()):
            assert node.move is None or game.board_at(node.parent).is_legal(node.move)
    if faults:
        with pytest.raises(FormatError) as raised:
            list(reader(BytesIO(data), "damaged", None))
        assert str(raised.value) == str(faults[0])

"""GGF, the archives of game servers: ``(;GM[Othello]PB[..]PW[..]BO[8 ..]B[f5/0.5/2.1]..;)``.

Owns files of games, and writing; the text of one game is read next door. Tags become headers as
``HEADERS`` there says, and any other tag one of its own name, ``ggf:ko`` for ``KO[..]``. ``C[..]``
is the comment of the move before it. Lines end where the writer likes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import BinaryIO

from reversi.errors import FormatError
from reversi.formats.base import (
    CHUNK_BYTES,
    MAX_GAME_BYTES,
    Format,
    OnError,
    decode,
    place_of,
    shown,
    tell,
)
from reversi.formats.ggf_reader import FOREIGN, GAP, HEADERS, Fault, read_game
from reversi.formats.stated import read_result
from reversi.game import Game
from reversi.node import Node
from reversi.squares import BLACK, SQUARE_NAMES

__all__ = ["FORMAT", "dumps", "parse", "read", "write"]

# Where a game begins. Bounded, so that the search for the next one never looks far ahead.
_START = re.compile(rb"\(\s{0,8};\s{0,8}[A-Z]{1,8}\s{0,8}\[")
_LONGEST_START = 40

_NAMES = [*(name.upper() for name in SQUARE_NAMES), "PA"]
_SPECIAL = re.compile(r"[\\\]]")
_OPENING_WITHIN = re.compile(r"(\(\s*);")
_FOREIGN_TAG = re.compile(rf"(?!(?:{'|'.join([*HEADERS, 'GM', 'BO', 'B', 'W', 'C'])})$)[A-Z]+")


def parse(text: str) -> Game:
    """Return the game of a text in GGF. Raises FormatError where it holds none, or more than one.

    >>> game = parse("(;GM[Othello]PB[Ann]RE[+2.000]BO[8 " + 27 * "-" + "O*------*O"
    ...              + 27 * "-" + " *]B[F5/0.5/2.1]W[D6//3];)")
    >>> game.transcript(), game.headers, game.root.children[0].seconds
    ('f5d6', {'black': 'Ann', 'result': '+2'}, 2.1)
    """
    try:
        game, end = read_game(text)
        _check_gap(text, end)
    except Fault as fault:
        raise _error(fault, text) from None
    return game


def read(
    file: BinaryIO, source: str | None = None, on_error: OnError | None = None
) -> Iterator[Game]:
    """Yield the games of a binary file in GGF.

    Lines may begin with a count, and hold several games. ``source`` is the name that errors give
    the file. A game that cannot be read is told to ``on_error`` and skipped, the reading going on
    at the next ``(;``; without ``on_error`` FormatError is raised.

    >>> from io import BytesIO
    >>> file = BytesIO()
    >>> write(file, [Game.from_transcript("f5d6"), Game.from_transcript("c4")])
    2
    >>> [game.transcript() for game in read(BytesIO(file.getvalue()))]
    ['f5d6', 'c4']
    """
    number = 0
    for data, line, column, is_game in _parts(file):
        number += is_game
        if len(data) > MAX_GAME_BYTES:
            reason = f"too long: more than {MAX_GAME_BYTES} bytes without the start of a game"
            tell(FormatError(reason, "too long", source, number or None, f"line {line}"), on_error)
            continue
        text = decode(data)
        end = 0
        try:
            if is_game:
                game, end = read_game(text)
                yield game
            _check_gap(text, end)
        except Fault as fault:
            tell(_error(fault, text, line, column, source, number or None), on_error)


def _check_gap(text: str, end: int) -> None:
    """Raise Fault where more than white space and a count follows a game."""
    gap = GAP.match(text, end)
    if gap is not None and gap.end() < len(text):
        rest = shown(text[gap.end() :])
        raise Fault(gap.end(), f"{rest} behind a game; expected '(;GM[Othello]' or the end")


def _error(
    fault: Fault,
    text: str,
    line: int = 1,
    column: int = 1,
    source: str | None = None,
    game: int | None = None,
) -> FormatError:
    place = place_of(text, fault.at, line, column)
    if fault.move is not None:
        place = f"move {fault.move}, {place}"
    return FormatError(fault.reason, fault.kind, source, game, place)


def _parts(file: BinaryIO) -> Iterator[tuple[bytes, int, int, bool]]:
    """Yield the file cut before each start of a game: the bytes, line and column of the first one,
    and whether a game starts there. Of a part that is too long the beginning comes alone."""
    data, is_game, skipping = b"", False, False
    line = column = 1
    while True:
        chunk = file.read(CHUNK_BYTES)
        data += chunk
        begin = 0
        for start in [found.start() for found in _START.finditer(data)]:
            part = data[begin:start]
            if part and not skipping:
                yield part, line, column, is_game
            skipping = skipping and not part
            line, column = _after(part, line, column)
            begin, is_game = start, True
        data = data[begin:]
        if not chunk:
            break
        if len(data) > MAX_GAME_BYTES and not skipping:
            yield data, line, column, is_game
            skipping = True
        if skipping:
            line, column = _after(data[:-_LONGEST_START], line, column)
            data, is_game = data[-_LONGEST_START:], False
    if data and not skipping:
        yield data, line, column, is_game


def _after(part: bytes, line: int, column: int) -> tuple[int, int]:
    """Return line and column of what follows a part that begins at others."""
    last_line = part.rfind(b"\n") + 1
    begin = 1 if last_line else column
    return line + part.count(b"\n"), begin + len(decode(part[last_line:]))


# --- Writing --------------------------------------------------------------------------------------


def dumps(game: Game) -> str:
    """Return a game as one line of GGF: its headers, start board, main line and notes.

    Headers that GGF has no tag for, and variations, are left out.

    >>> dumps(Game.from_transcript("f5"))[-11:]
    '- *]B[F5];)'
    """
    parts = ["(;GM[Othello]"]
    for tag, name in HEADERS.items():
        value = game.headers.get(name)
        if value:
            parts.append(f"{tag}[{_escaped(_written_result(value) if tag == 'RE' else value)}]")
    for name, value in game.headers.items():
        tag = name.removeprefix(FOREIGN).upper()
        if value and name == FOREIGN + tag.lower() and _FOREIGN_TAG.fullmatch(tag):
            parts.append(f"{tag}[{_escaped(value)}]")
    start = game.start
    parts.append(f"BO[8 {start.obf().replace('X', '*')}]")
    if not game.has_notes():
        sides = "BW" if start.turn is BLACK else "WB"
        parts += [f"{sides[i % 2]}[{_NAMES[move]}]" for i, move in enumerate(game.moves)]
        return "".join([*parts, ";)"])
    side = start.turn
    parts.append(_comment(game.root))
    for node in game.main_line():
        parts.append(f"{'B' if side is BLACK else 'W'}[{_noted(node)}]{_comment(node)}")
        side = side.opponent
    return "".join([*parts, ";)"])


def write(file: BinaryIO, games: Iterable[Game]) -> int:
    """Write games to a binary file, one a line, and return their number.

    >>> from io import BytesIO
    >>> write(BytesIO(), [Game(), Game()])
    2
    """
    count = 0
    for game in games:
        file.write(dumps(game).encode() + b"\n")
        count += 1
    return count


def _noted(node: Node) -> str:
    assert node.move is not None
    name = _NAMES[node.move]
    if node.seconds is not None:
        return f"{name}/{_number(node.value)}/{_number(node.seconds)}"
    return name if node.value is None else f"{name}/{_number(node.value)}"


def _number(number: float | None) -> str:
    """Return a number that reads back as the same one, without an exponent."""
    if number is None:
        return ""
    text = repr(number)
    return f"{Decimal(text):f}" if "e" in text else text


def _comment(node: Node) -> str:
    return f"C[{_escaped(node.comment)}]" if node.comment else ""


def _written_result(text: str) -> str:
    """Return ``+6.000`` for ``+6``; what would read back as something else is left as it is."""
    discs, colon, ending = text.partition(":")
    if read_result(text) != text:
        return text
    written = f"{float(discs):+.3f}{colon}{ending}"
    return written if read_result(written) == text else text


def _escaped(value: str) -> str:
    """Return a value in which no bracket ends it and no ``(;`` begins another game."""
    return _OPENING_WITHIN.sub(r"\1\\;", _SPECIAL.sub(r"\\\g<0>", value))


FORMAT = Format("ggf", (".ggf", ".ggs"), read, write)

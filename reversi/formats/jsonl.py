"""Games in JSON: one object a line, an array of objects, or one object. What is in an object is
another room's; this one knows the text around it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from reversi.errors import FormatError
from reversi.formats.base import MAX_GAME_BYTES, Format, OnError, shown, tell
from reversi.formats.cutting import Marks, Part, parts
from reversi.formats.json_object import Where, game_from, object_of
from reversi.game import Game

__all__ = ["FORMAT", "dumps", "parse", "read", "write"]

# A key with which no object inside a game begins as we write it.
_GAME_START = re.compile(rb'\{\s*"(?:headers|start|moves)"\s*:')
# A text ends with its line even where its quotation mark is lost.
_MARKS = Marks(b"{", b"}", b'"', b'"\n', _GAME_START)

# What may stand in a file: after a mark, the next one; objects are all written as "{" here.
_AFTER = {
    ("start", "{"): "lines",
    ("lines", "{"): "lines",
    ("start", "["): "open",
    ("open", "{"): "game",
    ("open", "]"): "closed",
    ("game", ","): "comma",
    ("game", "]"): "closed",
    ("comma", "{"): "game",
}
_EXPECTED = {
    "start": "'{', the start of a game, or '[', that of an array of games",
    "lines": "'{', the start of a game",
    "open": "'{', the start of a game, or ']'",
    "game": "',' or ']' after a game in an array",
    "comma": "'{', the start of a game",
    "closed": "nothing after the array",
}


def parse(text: str) -> Game:
    """Return the game of one JSON object. Raises FormatError for anything else.

    >>> game = parse('{"moves": ["f5", "d6"], "notes": [{"ply": 2, "value": -1.5}]}')
    >>> game.transcript(), game.node.value
    ('f5d6', -1.5)
    """
    return _game(Where(), text)


def read(
    file: BinaryIO, source: str | None = None, on_error: OnError | None = None
) -> Iterator[Game]:
    """Yield the games of a binary file: an object a line, an array of objects, or one object.

    A game has at most 1 MB. One that cannot be read is told to `on_error` and skipped; without one
    its FormatError is raised.

    >>> import io
    >>> [game.transcript() for game in read(io.BytesIO(b'[{"moves": ["f5"]}, {"moves": []}]'))]
    ['f5', '']
    """
    number = 0
    between = _Between()
    for part in parts(file, _MARKS):
        number += part.is_game
        where = Where(source, number if part.is_game else None, part.line, part.column)
        try:
            between.take(part, where)
            if part.is_too_long:
                reason = f"too long: more than {MAX_GAME_BYTES:,} bytes without the end of the game"
                raise where.fault("", reason, "too long")
            game = _game(where, part.text) if part.is_game else None
        except FormatError as error:
            tell(error, on_error)
        else:
            if game is not None:
                yield game
    fault = between.end()
    if fault is not None:
        tell(fault, on_error)


def dumps(game: Game) -> str:
    """Return a game as one line of JSON that says all that the game has.

    >>> print(dumps(Game.from_transcript("f5d6", headers={"black": "Ann"})))
    {"headers": {"black": "Ann"}, "moves": ["f5", "d6"]}
    """
    return json.dumps(object_of(game), ensure_ascii=False)


def write(file: BinaryIO, games: Iterable[Game]) -> int:
    """Write games one a line, as UTF-8, and return how many.

    >>> import io
    >>> write(io.BytesIO(), [Game(), Game()])
    2
    """
    count = 0
    for game in games:
        file.write((dumps(game) + "\n").encode())
        count += 1
    return count


FORMAT = Format("json", (".json", ".jsonl"), read, write)


# --- Reading ------------------------------------------------------------------------------------


class _Between:
    """Checks what stands between the games of a file: nothing, or the marks of an array."""

    def __init__(self) -> None:
        self._state = "start"
        self._where = Where()

    def take(self, part: Part, where: Where) -> None:
        """Take the next part of the file; FormatError if it does not belong there."""
        self._where = where._replace(game=None)
        for mark in "{" if part.is_game else "".join(part.text.split()):
            state = _AFTER.get((self._state, mark))
            if state is None:
                wrong = "an object" if part.is_game else shown(part.text)
                raise where.fault("", f"{wrong}; expected {_EXPECTED[self._state]}")
            self._state = state

    def end(self) -> FormatError | None:
        """Return the fault of an array that has no end."""
        if self._state in ("start", "lines", "closed"):
            return None
        return self._where.fault(
            "", f"the text ends; expected {_EXPECTED[self._state]}", "truncated"
        )


def _game(where: Where, text: str) -> Game:
    return game_from(_loaded(where, text), where)


def _loaded(where: Where, text: str) -> Any:
    try:
        return json.loads(
            text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_whole
        )
    except json.JSONDecodeError as error:
        line = (where.line or 1) + error.lineno - 1
        column = error.colno + (where.column - 1 if error.lineno == 1 else 0)
        there = where._replace(line=line)
        ends = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        kind = "truncated" if ends else "syntax"
        raise there.fault(f"column {column}", f"no JSON: {error.msg}", kind) from None
    except RecursionError:
        raise where.fault("", "nested too deeply; expected a game", "syntax") from None
    except ValueError as error:
        raise where.fault("", str(error)) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {shown(twice)} stands twice in an object; expected it once")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON; expected a finite number")


def _whole(digits: str) -> int | float:
    """Return a whole number; one that no key can have, as a float, which takes any digits."""
    return int(digits) if len(digits) < 20 else float(digits)

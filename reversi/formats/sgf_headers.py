"""A game's headers as properties of an SGF root, both ways. Knows no moves.

SGF's names for the usual headers are in `_NAMES`. What else SGF says of a game as a whole is kept
under its own name, ``sgf:gn`` for GN. Every header that no property holds exactly is written once
more, in a property of ours, as FF[4] lets programs have: ``HEADER[name:text]``. It is read last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reversi.formats.base import shown
from reversi.formats.sgf_syntax import GameText, Properties, escaped, single, split_pair
from reversi.formats.stated import read_result

__all__ = ["read_headers", "written_headers"]

_NAMES = {
    "PB": "black",
    "PW": "white",
    "BR": "black_rating",
    "WR": "white_rating",
    "PC": "place",
    "EV": "event",
    "RO": "round",
    "DT": "date",
    "RE": "result",
    "TM": "time",
    **{name: f"sgf:{name.lower()}" for name in ("AN", "BT", "CP", "GC", "GN", "HA", "KM")},
    **{name: f"sgf:{name.lower()}" for name in ("ON", "OT", "RU", "SO", "US", "WT")},
}
_NUMBER = r"\d{1,4}(?:\.\d+)?"
_SCORE = re.compile(rf"([BW])\+({_NUMBER})", re.ASCII)
_RESULT = re.compile(rf"([+-])({_NUMBER})(:[rts])?", re.ASCII)
_ENDINGS = {":r": "R", ":t": "T"}
_REAL = re.compile(r"\d+(?:\.\d+)?", re.ASCII)


def read_headers(game: GameText, root: Properties) -> dict[str, str]:
    """Return the headers of a root; FormatError where a property of one value has more.

    >>> from reversi.formats.sgf_syntax import Value
    >>> read_headers(GameText(""), {"RE": [Value("W+2", 0)], "GN": [Value("final", 8)]})
    {'result': '-2', 'sgf:gn': 'final'}
    """
    headers = {}
    for name, header in _NAMES.items():
        if name in root:
            said = _understood(name, single(game, root, name)[0])
            if said:
                headers[header] = said
    for value in root.get("HEADER", ()):
        pair = split_pair(value.raw)
        if pair is None:
            raise game.fault(value.at, f"HEADER is {shown(value.raw)}; expected name:text")
        headers[pair[0]] = pair[1]
    return headers


def _understood(name: str, said: str) -> str:
    """Return what a property means as a header, empty for nothing."""
    if name == "GC":
        return said
    said = said.replace("\n", " ")
    return _read_result(said) if name == "RE" else said


def _read_result(said: str) -> str:
    text = said.strip()
    if text in ("0", "Draw"):
        return "+0"
    score = _SCORE.fullmatch(text)
    if score is None:
        return "" if text == "?" else said
    return read_result(("+" if score[1] == "B" else "-") + score[2]) or said


def written_headers(headers: dict[str, str]) -> Iterator[str]:
    r"""Yield the properties of headers, in the order of SGF's names, then those of other names.

    >>> list(written_headers({"result": "-2:t", "black": "Ann"}))
    ['PB[Ann]', 'RE[W+T]', 'HEADER[result:-2\\:t]']
    """
    others = dict(headers)
    for name, header in _NAMES.items():
        said = _strict(name, headers.get(header, ""))
        if said:
            yield f"{name}[{escaped(said)}]"
            if _understood(name, said) == headers[header]:
                del others[header]
    for header, said in others.items():
        yield f"HEADER[{escaped(header, colon=True)}:{escaped(said, colon=True)}]"


def _strict(name: str, header: str) -> str:
    """Return what SGF allows a property to say of a header, empty for nothing."""
    if name == "GC":
        return header
    text = " ".join(header.split())
    if name == "TM":
        return text if _REAL.fullmatch(text) else ""
    result = _RESULT.fullmatch(text) if name == "RE" else None
    if result is None:
        return text
    if float(result[2]) == 0:
        return "0"
    ending = _ENDINGS.get(result[3] or "", result[2])
    return f"{'B' if result[1] == '+' else 'W'}+{ending}"

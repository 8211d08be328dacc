"""Recognises what a person pastes: a game or a board in any format, one or several. Chooses among
the readers of the formats, which do the reading; guesses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO

from reversi.board import Board
from reversi.errors import AmbiguousError, FormatError, IllegalMoveError, InvalidMoveError
from reversi.formats import ggf, jsonl, obf, sgf, transcript
from reversi.formats.base import Format
from reversi.formats.grid import Grid, read_grid
from reversi.game import Game
from reversi.squares import BLACK, PASS, WHITE, Color

__all__ = ["Pasted", "parse_any"]

_BRACKETED = re.compile(r"\s*(?:\d+\s*)?\(\s*;")
_GGF = re.compile(r"\bGM\s*\[\s*(?:Othello|Reversi)\s*\]|\bBO\s*\[", re.IGNORECASE)
_SGF = re.compile(r"\b(?:GM\s*\[\s*\d+\s*\]|FF\s*\[)")
_JSON = re.compile(r"\s*(?:\{|\[\s*[{\]])")
_BOARD, _TRANSCRIPT = "a board", "a transcript"
_RETURN_ALONE = re.compile(r"\r(?!\n)")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_HEX = re.compile(r"\b0x[0-9a-f]+\b|\b[0-9a-f]{16}\W+[0-9a-f]{16}\b", re.IGNORECASE)
# Moves, kept as they are; numbers of moves and what stands around moves in lists, both to be
# dropped. Lines of comments too.
_MOVE_OR_NOT = re.compile(
    r"([a-h]\s*[1-8])|(?<!\S)\d{1,3}[).:]?(?=\s)|[,'\"\[\]]|^[^\S\n]*[%#].*$",
    re.IGNORECASE | re.MULTILINE,
)
_LINE_NUMBER = re.compile(r"\s*(\d{1,3})(?:[).:]|\s)")
_WORDS = {
    "transcript": ("a transcript", "transcripts"),
    "obf": ("a position in OBF", "positions in OBF"),
    "ggf": ("a GGF game", "GGF games"),
    "sgf": ("an SGF game", "SGF games"),
    "json": ("a JSON game", "JSON games"),
    "board": ("a board", "boards"),
}


@dataclass(frozen=True, slots=True)
class Pasted:
    """What a text was taken for, and the games in it.

    ``format`` is ``"transcript"``, ``"obf"``, ``"ggf"``, ``"sgf"``, ``"json"`` or ``"board"``, and
    ``description`` says the same to people. A position is a game without moves that starts there.

    >>> parse_any("1. F5 d6 2. C3").description
    'a transcript, 3 moves'
    """

    format: str
    description: str
    games: tuple[Game, ...]

    @property
    def game(self) -> Game:
        """The game, where there is one; ValueError where there are several."""
        if len(self.games) != 1:
            raise ValueError(f"{self.description}; expected one")
        return self.games[0]

    @property
    def board(self) -> Board:
        """The board at the end of the game, with its moves; ValueError as for ``game``."""
        return self.game.final_board()


def parse_any(text: str, turn: Color | None = None) -> Pasted:
    """Return what a text holds: games in GGF, SGF, JSON or as transcripts, positions or a board.

    Transcripts may be numbered, spaced and broken into lines, in either case, and may begin with a
    board; several stand one a line. A board may come in one line or in rows, with coordinates or
    without, with discs as ``str(board)`` and ``board.unicode()`` print them. Where the text of a
    board does not say whose turn it is, `turn` does.

    Raises AmbiguousError where a text can be read in several ways, a board without a side among
    them, and FormatError that says what was tried where it cannot be read at all. Bitboards are
    never guessed: see `Board.from_bitboards`.

    >>> parse_any("F5 d6 C3").board.empties
    57
    >>> parse_any(Board().unicode()).description
    'a board, black to move, 4 discs'
    >>> parse_any(Board().obf()[:64], turn=WHITE).board.turn
    <Color.WHITE: 1>
    """
    _check_text(text)
    text = text.lstrip("\ufeff")
    if not _BRACKETED.match(text) and not _JSON.match(text):
        text = _RETURN_ALONE.sub("\n", text)  # old files end lines so; comments may hold one
    readings: list[Pasted] = []
    faults: list[tuple[str, FormatError]] = []
    unsettled: AmbiguousError | None = None
    for name, read in _readers(text, turn):
        try:
            found = [read(text)]
        except AmbiguousError as error:
            unsettled = error
            found = [*error.readings]
        except FormatError as error:
            faults.append((name, error))
            continue
        readings += [one for one in found if all(one.games != known.games for known in readings)]
    if not readings:
        raise _nothing_recognised(text, faults)
    if unsettled is not None and len(readings) == len(unsettled.readings):
        raise unsettled
    if len(readings) > 1:
        ways = "; or ".join(reading.description for reading in readings)
        raise AmbiguousError(f"this can be read in several ways: {ways}", tuple(readings))
    if turn is not None and readings[0].format in ("obf", "board"):
        _check_turn(readings[0], Color(turn))
    return readings[0]


def _check_text(text: str) -> None:
    if not isinstance(text, str):
        raise TypeError(f"expected a text, not {type(text).__name__}; files: read_games(path)")
    if not text.strip("\ufeff \t\r\n"):
        raise FormatError("nothing to read; expected a game or a board", "truncated")


def _check_turn(pasted: Pasted, turn: Color) -> None:
    for game in pasted.games:
        if game.turn is not turn:
            reason = f"{_name(game.turn)} is to move by the text; expected {_name(turn)}"
            raise FormatError(reason, "board")


def _nothing_recognised(text: str, faults: list[tuple[str, FormatError]]) -> FormatError:
    if _CONTROL.search(text):
        reason = "bytes that are no text, as in a WTHOR file; such files: read_games(path)"
        return FormatError(reason, "unsupported")
    if _HEX.search(text):
        reason = "bitboards in hex are never guessed, as programs count the bits from either end"
        how = "Board.from_bitboards(black, white, turn), where a1 is the lowest bit"
        return FormatError(f"{reason}; expected {how}", "unsupported")
    name, nearest = max(faults, key=lambda fault: _reach(text, *fault))
    if len(faults) == 1:
        reason = f"as {name}: {nearest.reason}"
    else:
        names = ", ".join(name for name, _ in faults)
        reason = f"recognised as none of these: {names}; the nearest is {name}: {nearest.reason}"
    return FormatError(reason, nearest.kind, place=nearest.place)


def _reach(text: str, name: str, fault: FormatError) -> tuple[int, int]:
    """Return how far into the text a reader came, and how likely it is where two came as far."""
    if fault.kind == "too long":
        return len(text), 0
    likely = 1 if name == _BOARD else 2 if name == _TRANSCRIPT and fault.kind != "board" else 0
    place = fault.place or ""
    line, column = (re.search(rf"{word} (\d+)", place) for word in ("line", "column"))
    before = text.splitlines(keepends=True)[: int(line[1]) - 1] if line else []
    return sum(map(len, before)) + (int(column[1]) if column else 0), likely


# --- Readers --------------------------------------------------------------------------------------


_Reader = Callable[[str], Pasted]


def _readers(text: str, turn: Color | None) -> Iterator[tuple[str, _Reader]]:
    """Yield what a text may be meant for, and what reads it, the nearest to its own words first."""
    if _BRACKETED.match(text):
        is_ggf, is_sgf = _GGF.search(text) is not None, _SGF.search(text) is not None
        if is_ggf or not is_sgf:
            yield "GGF", _all_of("ggf", ggf.FORMAT)
        if is_sgf or not is_ggf:
            yield "SGF", _all_of("sgf", sgf.FORMAT)
        return
    if _JSON.match(text):
        yield "JSON", _all_of("json", jsonl.FORMAT)
        return
    yield "OBF", _all_of("obf", obf.FORMAT)
    yield _BOARD, lambda text: _board(text, turn)
    numbers = [number[1] for line in text.splitlines() if (number := _LINE_NUMBER.match(line))]
    if "1" not in numbers[1:]:
        yield _TRANSCRIPT, _transcript
    if "\n" in text and all(number == "1" for number in numbers):
        yield "a list of transcripts", _transcripts


def _all_of(name: str, format: Format) -> _Reader:
    def read(text: str) -> Pasted:
        games = tuple(format.read(BytesIO(text.encode(errors="replace")), None, None))
        if not games:
            raise FormatError("no game; expected one", "truncated")
        return _pasted(name, games)

    return read


def _moves_alone(text: str) -> str:
    """Return a text of moves without the numbers and marks around them; moves keep their places."""
    return _MOVE_OR_NOT.sub(lambda found: found[0] if found[1] else _blank(found[0]), text)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _transcript(text: str) -> Pasted:
    transcript.check_length(text)  # sooner than the numbers in it are looked for
    game = transcript.parse(_moves_alone(text))
    if not len(game):
        raise FormatError("no moves; expected moves such as f5d6c3", "truncated")
    return _pasted("transcript", (game,))


def _transcripts(text: str) -> Pasted:
    pasted = _all_of("transcript", transcript.FORMAT)(_moves_alone(text))
    for number, game in enumerate(pasted.games, 1):
        if not len(game):  # a board whose moves come in the next line
            raise FormatError("a board without moves; expected moves behind it", game=number)
    return pasted


def _board(text: str, turn: Color | None) -> Pasted:
    grid = read_grid(text)
    side = grid.turn or turn
    if side is not None:
        return _board_for(grid, Color(side), text)
    found = []
    for side in (BLACK, WHITE):
        try:
            found.append(_board_for(grid, side, text))
        except FormatError as error:
            fault = error
    if not found:
        raise fault
    ways = " or ".join(f"{_name(reading.games[0].start.turn)} to move" for reading in found)
    how = "a side after the board, or turn=BLACK or turn=WHITE"
    reason = f"the side to move is missing; it can be read with {ways}; expected {how}"
    raise AmbiguousError(reason, tuple(found))


def _board_for(grid: Grid, side: Color, text: str) -> Pasted:
    """Return the board with this side to move, and the moves that may follow it in the text."""
    start = Board.from_cells(grid.cells, side)
    moves = _blank(text[: grid.end]) + _moves_alone(text[grid.end :])
    try:
        game = Game.from_transcript(moves, start)
    except (InvalidMoveError, IllegalMoveError) as error:
        place, _, reason = str(error).partition(": ")
        kind = "syntax" if isinstance(error, InvalidMoveError) else "illegal move"
        raise FormatError(reason, kind, place=place) from None
    return _pasted("transcript" if len(game) else "board", (game,))


# --- What people are told -------------------------------------------------------------------------


def _pasted(name: str, games: tuple[Game, ...]) -> Pasted:
    one, several = _WORDS[name]
    if len(games) > 1:
        return Pasted(name, f"{len(games)} {several}", games)
    says = [
        one,
        *(_position(games[0]) if name in ("obf", "board") else _moves_and_players(games[0])),
    ]
    return Pasted(name, ", ".join(says), games)


def _position(game: Game) -> list[str]:
    board = game.start
    discs = f"{64 - board.empties} discs"
    if board.is_game_over():
        return ["the game is over", discs]
    does = "must pass" if PASS in board.legal_moves else "to move"
    return [f"{_name(board.turn)} {does}", discs]


def _moves_and_players(game: Game) -> list[str]:
    count = sum(move != PASS for move in game.moves)
    says = ["1 move" if count == 1 else f"{count} moves"]
    if game.start != Board():
        says.append(f"from a board of {64 - game.start.empties} discs")
    return says + [
        f"{side} {game.headers[side]}" for side in ("black", "white") if side in game.headers
    ]


def _name(side: Color) -> str:
    return side.name.lower()

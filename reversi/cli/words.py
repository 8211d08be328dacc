"""Answers in words: big counts, times, speeds, scores, sides, outcomes. Prints nothing."""

from __future__ import annotations

from collections.abc import Iterable

from reversi import BLACK, Board, Color, Outcome, SearchInfo, SearchResult, square_name
from reversi.results import disc_difference

FEASIBLE_EMPTIES = 26  # solved in a minute or so; each two more take five times as long

_WIN = 10_000_000  # a score of this size or more is a won or lost game


def count(number: float) -> str:
    """Return a count as people read it, three or four characters: 999, 1.2k, 12.3k, 3.4M, 5.6G.

    >>> count(0), count(999), count(1234), count(3_400_000), count(999_960), count(18_429_641_748)
    ('0', '999', '1.2k', '3.4M', '1.0M', '18.4G')
    """
    if number < 999.5:
        return f"{number:.0f}"
    for unit in "kMG":
        number /= 1000
        if number < 999.95:
            return f"{number:.1f}{unit}"
    return f"{number / 1000:.1f}T"


def duration(milliseconds: float) -> str:
    """Return a time as people read it.

    >>> duration(0.0123), duration(12.3), duration(3970), duration(125_000)
    ('0.01 ms', '12.3 ms', '3.97 s', '2:05 min')
    """
    if milliseconds < 999.95:
        return f"{milliseconds:.{2 if milliseconds < 9.995 else 1}f} ms"
    seconds = milliseconds / 1000
    if seconds < 99.995:
        return f"{seconds:.2f} s"
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d} min"


def speed(number: float, milliseconds: float) -> str:
    """Return a count a second, nothing where no time was measured.

    >>> speed(30_000, 2.0), speed(0, 0.0)
    ('15.0M', '')
    """
    return count(number / milliseconds * 1000) if milliseconds > 0 else ""


def score(value: int, exact: bool = False, discs: bool = False) -> str:
    """Return a signed score; one that stands for a finished game bears its disc difference, and one
    in hundredths of ``discs`` is shown in discs.

    >>> score(462), score(0), score(-10_040_000), score(0, exact=True), score(462, discs=True)
    ('+462', '0', '-10040000 (-4)', '0 (draw)', '+4.62')
    """
    if exact and value == 0:
        return "0 (draw)"
    if abs(value) >= _WIN:
        return f"{value:+d} ({disc_difference(value):+d})"
    if discs:
        return f"{value / 100:+.2f}"
    return f"{value:+d}" if value else "0"


def judgement(found: SearchInfo | SearchResult) -> str:
    """Return the score of a search, in discs where it counts them, with what is proved of it."""
    text = score(found.score, found.exact, discs=found.value is not None)
    sure = found.certainty
    if sure is None or sure.kind != "bound" or sure.lower is None or sure.upper is None:
        return text
    known = (
        "win" if sure.lower > 0 else "loss" if sure.upper < 0 else bounds(sure.lower, sure.upper)
    )
    return f"{text} ({known})"


def depth(found: SearchInfo | SearchResult) -> str:
    """Return the depth of a search, marked where it solved the game (12!) or left out the
    improbable (15@73%)."""
    if found.exact:
        return f"{found.depth}!"
    if found.certainty is None or found.certainty.selectivity == 100:
        return f"{found.depth}"
    return f"{found.depth}@{found.certainty.selectivity}%"


def color_name(side: Color) -> str:
    """Return ``'black'`` or ``'white'``."""
    return "black" if side == BLACK else "white"


def side_line(position: Board) -> str:
    """Return whose turn it is, unless the game is over, and the discs of both.

    >>> side_line(Board())
    'black (X) to move; black 2, white 2, 60 empty'
    """
    white = position.white.bit_count()
    discs = f"black {position.black.bit_count()}, white {white}, {position.empties} empty"
    if position.is_game_over():
        return discs
    return f"{color_name(position.turn)} ({position.turn.symbol}) to move; {discs}"


def outcome(result: Outcome) -> str:
    """Return how a game ended, with both scores where they differ."""
    discs = f"black {result.black_discs}, white {result.white_discs}"
    if result.winner is None:
        return f"a draw: {discs}"
    text = f"{color_name(result.winner)} wins by {abs(result.discs)}: {discs}"
    return f"{text} ({result.termination.value}; tournament score {abs(result.tournament)})"


def bounds(lower: int, upper: int) -> str:
    """Return the value between two bounds, alone where they meet.

    >>> bounds(-4, 12), bounds(6, 6)
    ('-4..+12', '+6')
    """
    return f"{lower:+d}" if lower == upper else f"{lower:+d}..{upper:+d}"


def moves(sequence: Iterable[int]) -> str:
    """Return moves by name: ``c4 d3 pass``.

    >>> moves([26, 19, 64])
    'c4 d3 pass'
    """
    return " ".join(square_name(move) for move in sequence)

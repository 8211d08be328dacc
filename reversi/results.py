"""What searches give: results, lines and records. Knows no search.

Scores are integers: an ordinary number in the middle game, ten million or more for a game that is
solved as won (``sign * 10_000_000 + discs * 10_000``). Values are discs. Moves are names.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from reversi.squares import Color, parse_square

Scoring: TypeAlias = Literal["tournament", "discs"]

__all__ = [
    "Certainty",
    "Comparison",
    "Evaluation",
    "Line",
    "Scoring",
    "SearchInfo",
    "SearchResult",
    "Solution",
    "TableStats",
    "disc_difference",
]


@dataclass(frozen=True, slots=True)
class Certainty:
    """How sure a value is. ``kind`` says which of three it is:

    ``"exact"``: the game is solved; ``"bound"``: it is proved that the value lies from ``lower`` to
    ``upper``, mostly who wins; ``"search"``: it is what a search of ``depth`` plies holds, which
    leaves out what it judges to be irrelevant with ``selectivity`` percent confidence (100: it
    leaves out nothing). Without a proof ``lower`` and ``upper`` are None.

    ``depth`` is the least that was searched: what the table keeps of earlier searches may have
    looked further.

    >>> Certainty("search", depth=18, selectivity=73).lower is None
    True
    """

    kind: Literal["exact", "bound", "search"]
    depth: int
    selectivity: int
    lower: int | None = None
    upper: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A move with its value in discs (None where the classic evaluation, which counts no discs, has
    not solved it) and the line expected after it, the move first.

    >>> Line("f5", 0.5, ("f5", "d6")).pv[0]
    'f5'
    """

    move: str
    value: float | None
    pv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The best move found; all numbers are in the view of the side to move.

    ``row`` and ``col`` are 0 to 7, -1 where there is no move: ``passed`` when the opponent has
    one, ``game_over`` when neither has. ``exact`` says that the game is solved from here, with
    the final disc difference in ``disc_diff``. ``pv`` is the line expected, ``move`` first.

    ``value`` is what the game is expected to end with, in discs, and ``certainty`` how sure that
    is (None for a pass). ``lines`` are as many moves as were asked for, the best first. Until a
    game is solved ``score`` is hundredths of a disc; by the classic evaluation it has a scale of
    its own, and there is no ``value``. The learned evaluation gives the empty squares to the
    winner, the classic one counts discs alone.

    >>> from reversi import Board, Engine, Limit
    >>> result = Engine(hash_mb=1, evaluator="classic").search(Board(), Limit(depth=1))
    >>> result.move, result.score, result.exact, result.disc_diff
    ('d3', 72, False, None)
    """

    row: int
    col: int
    score: int
    depth: int
    nodes: int
    elapsed_ms: float
    nps: float
    move: str | None
    pv: tuple[str, ...]
    exact: bool
    disc_diff: int | None
    passed: bool
    game_over: bool
    value: float | None = None
    certainty: Certainty | None = None
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchInfo:
    """One completed step of a search, or one move of a game: a row of the thinking table. The
    fields are those of `SearchResult`.

    >>> from reversi import Board, Engine, Limit
    >>> for info in Engine(hash_mb=1, evaluator="classic").analyse(Board(), Limit(depth=2)):
    ...     print(info.depth, info.move, info.score, info.pv)
    1 d3 72 ('d3',)
    2 d3 -210 ('d3', 'c3')
    """

    side: Color
    source: str
    move: str
    depth: int
    nodes: int
    nps: float
    elapsed_ms: float
    score: int
    pv: tuple[str, ...]
    exact: bool
    value: float | None = None
    certainty: Certainty | None = None
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The classic evaluation's weighted terms, as its table defines them, and their total:
    ``positional + mobility + corners - frontier + material + parity - danger + stable``.

    >>> from reversi import Board, evaluate
    >>> evaluate(Board.from_transcript("f5d6")).total
    90
    """

    material: int
    positional: int
    mobility: int
    corners: int
    frontier: int
    parity: int
    danger: int
    stable: int
    total: int = field(init=False)

    def __post_init__(self) -> None:
        plus = self.positional + self.mobility + self.corners + self.material
        total = plus - self.frontier + self.parity - self.danger + self.stable
        object.__setattr__(self, "total", total)


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of a position in the view of the side to move, in discs.

    ``lower <= true value <= upper``; where they meet the result is ``exact``. They do not where a
    limit struck first or only the outcome was asked for; ``value`` is then what lies nearest 0
    between them. ``best_moves`` are all moves that reach an exact ``value`` (one alone where it was
    asked so, where the value is no exact one, or where a limit came before the others were tried),
    ``pv`` is a line of best play to the end, passes among it, ``values`` each move's exact value,
    the best first, where it was asked for and the limit allowed it. Where no more than the outcome
    is proved, ``best_move`` is proved to reach it, which of a lost game any move is; others may be
    worth more. A finished game has no best move, and what no search has decided has none either.

    >>> from reversi import Board, solve
    >>> solve(Board.from_obf("X" * 8 + "O" * 24 + "X" * 31 + "- O")).pv
    ('h8',)
    """

    value: int
    best_move: str | None
    best_moves: tuple[str, ...]
    pv: tuple[str, ...]
    nodes: int
    elapsed_ms: float
    scoring: Scoring
    lower: int
    upper: int
    exact: bool
    values: dict[str, int] = field(hash=False)

    @property
    def outcome(self) -> str | None:
        """``"win"``, ``"draw"`` or ``"loss"`` for the side to move; None where none is proved."""
        if self.exact and self.value == 0:
            return "draw"
        return "win" if self.lower > 0 else "loss" if self.upper < 0 else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The middle-game choice beside the exact one. ``loss`` is what it costs, in discs (0 or more);
    two different moves of the same value do not ``disagree``. ``midgame_score`` is on the scale of
    `SearchResult.score`.

    >>> Comparison(12, "a1", 340, -2, "b2", 4).loss
    6
    """

    empties: int
    midgame_move: str
    midgame_score: int
    midgame_value: int
    exact_move: str
    exact_value: int
    loss: int = field(init=False)
    disagree: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "loss", self.exact_value - self.midgame_value)
        object.__setattr__(self, "disagree", self.loss > 0)


@dataclass(frozen=True, slots=True)
class TableStats:
    """The transposition table: its size, positions that fit, look-ups that hit, positions
    stored, and the used share from 0.0 to 1.0 (by a sample).

    >>> from reversi import Engine
    >>> Engine(hash_mb=1).table_stats.entries
    65532
    """

    size_mb: int
    entries: int
    hits: int
    stores: int
    fill: float


def disc_difference(score: int) -> int:
    """The final disc difference that the score of a solved position stands for.

    >>> disc_difference(-10_040_000), disc_difference(0)
    (-4, 0)
    """
    discs = abs(score) % 10_000_000 // 10_000
    return discs if score > 0 else -discs


def row_and_col(move: str | None) -> tuple[int, int]:
    """Where a move's square lies, from the top left; (-1, -1) for a pass or none."""
    if move is None or move == "pass":
        return -1, -1
    return divmod(parse_square(move), 8)

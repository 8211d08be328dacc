"""A game of persons and engine: who moves, how strong, taking back, the table of moves made.

Knows neither terminal nor prompt, and asks the board for every rule.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from reversi import (
    BLACK,
    PASS,
    WHITE,
    Board,
    Color,
    Engine,
    Limit,
    SearchInfo,
    SearchResult,
    square_name,
)
from reversi.cli.render import record_of
from reversi.levels import Level, classic_limit, level_of

ENGINE, PERSON = "engine", "person"
DEFAULT_LEVEL = 3


class Game:
    """One game from a position on; the moves made since, and the engine that plays in it."""

    def __init__(
        self,
        board: Board,
        persons: Set[Color],
        level: int | None = None,
        time_ms: int | None = None,
        engine: Engine | None = None,
    ) -> None:
        """The engine plays at ``level``, 0 to 60, or for ``time_ms`` a move, or until the first of
        both; without either at level 3."""
        self.board = board
        self.persons = persons
        self.records: list[SearchInfo] = []
        self.level = DEFAULT_LEVEL if level is None and time_ms is None else level
        self._time_ms = time_ms
        self._engine = Engine() if engine is None else engine

    @property
    def strength(self) -> str:
        """How the engine plays, in words."""
        parts = []
        if self.level is not None:
            parts.append(f"level {self.level}: {self.level_in_words(self.level)}")
        if self._time_ms is not None:
            parts.append(f"{self._time_ms / 1000:g} s a move")
        return ", ".join(parts)

    def level_in_words(self, number: int) -> str:
        """How this game's engine plays at a level, in words."""
        if self._engine.evaluator == "pattern":
            return str(level_of(number))
        limit, empties = classic_limit(Limit(level=number), self._engine.exact_endgame_empties)
        assert limit.depth is not None
        return str(Level(limit.depth, empties, empties, empties))

    @property
    def must_pass(self) -> bool:
        """Whether the side to move can do nothing but pass."""
        return list(self.board.legal_moves) == [PASS]

    @property
    def engine_to_move(self) -> bool:
        """Whether the side to move is the engine's."""
        return self.board.turn not in self.persons

    def think(self, on_info: Callable[[SearchInfo], None]) -> SearchResult:
        """Return what the engine would play; raises KeyboardInterrupt on Ctrl-C."""
        return self._engine.search(self.board, self._limit, on_info=on_info)

    def advise(self, on_info: Callable[[SearchInfo], None]) -> SearchResult | SearchInfo:
        """Return what the engine holds to be best, where `think` may choose by chance; raises
        KeyboardInterrupt on Ctrl-C."""
        if self.level is None or not level_of(self.level).slack:
            return self.think(on_info)
        for info in self._engine.analyse(self.board, self._limit):
            on_info(info)
        return info

    @property
    def _limit(self) -> Limit:
        return Limit(time_ms=self._time_ms, level=self.level)

    def play_thought(self, thought: SearchResult) -> None:
        """Play what the engine thought."""
        self._play(record_of(self.board.turn, thought))

    def play(self, move: int, elapsed_ms: float) -> None:
        """Play a person's move; raises IllegalMoveError where it is not allowed."""
        self._play(self._unsearched(PERSON, move, elapsed_ms))

    def play_pass(self) -> None:
        """Play the pass that the side to move is forced to."""
        self._play(self._unsearched(ENGINE if self.engine_to_move else PERSON, PASS, 0.0))

    def undo(self) -> int:
        """Take back to the last move of a person's side, or, without persons, the last move.

        Returns how many plies were taken back; 0 when there is nothing to take back. A person
        whose side has not moved takes back nothing: the engine would only move again.
        """
        takers = self.persons or {BLACK, WHITE}
        made = [
            number
            for number, record in enumerate(self.records)
            if record.side in takers and record.move != "pass"
        ]
        if not made:
            return 0
        taken = len(self.records) - made[-1]
        for _ in range(taken):
            self.board.pop()
            self.records.pop()
        return taken

    def _play(self, record: SearchInfo) -> None:
        self.board.push(record.move)
        self.records.append(record)

    def _unsearched(self, source: str, move: int, elapsed_ms: float) -> SearchInfo:
        return SearchInfo(
            side=self.board.turn,
            source=source,
            move=square_name(move),
            depth=0,
            nodes=0,
            nps=0.0,
            elapsed_ms=elapsed_ms,
            score=0,
            pv=(),
            exact=False,
        )

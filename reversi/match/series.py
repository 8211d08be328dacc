"""A match: pairs of games from openings, several at a time. Owns the order of the games, the
threads that play them and their end; prints nothing.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from random import Random
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from reversi.board import Board
from reversi.game import Game
from reversi.limits import Limit
from reversi.match.archive import Archive, ArchiveError, MatchGame, Terms
from reversi.match.engines import Player, Spec, make_player
from reversi.match.referee import Interrupted, play_game
from reversi.match.standing import Standing
from reversi.match.statistics import Sprt
from reversi.protocols.clock import TimeControl
from reversi.protocols.nboard_client import ggf_time
from reversi.squares import BLACK, WHITE

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Match", "Series"]

# How often a search is told to stop: one that only just begins may miss it.
_AGAIN_S = 0.05
# How long the games are waited for when a match is stopped: a program may need three seconds.
_LEAVING_S = 10.0


@dataclass(frozen=True, slots=True)
class Match:
    """Who plays how. ``limit`` is for the players that have none of their own; ``control`` is a
    time control instead; ``openings`` says in words where games begin; ``seed`` is that of all
    chance."""

    first: Spec
    second: Spec
    limit: Limit | None = None
    control: TimeControl | None = None
    openings: str = ""
    seed: int = 1

    @property
    def terms(self) -> Terms:
        """What is written on all games of the match."""
        parts = [self.openings, f"seed {self.seed}"]
        if self.limit is not None:
            parts += [
                f"{name} {value}" for name, value in asdict(self.limit).items() if value is not None
            ]
        time = "" if self.control is None else ggf_time(self.control)
        return Terms(self.first.text, self.second.text, ", ".join(filter(None, parts)), time)

    def players(self) -> tuple[Player, Player]:
        """Return new players. Raises ValueError where one cannot be told of its limit."""
        first, second = (
            make_player(spec, self.limit, self.control) for spec in (self.first, self.second)
        )
        return first, second

    def tried_players(self) -> tuple[Player, Player]:
        """Return new players who have begun a game, so that what cannot be done is known before.

        Raises EngineError, ValueError for limits and files of weights, OSError, MemoryError.
        """
        players = self.players()
        try:
            for player in players:
                player.begin(self.seed)
        except BaseException:
            for player in players:
                player.close()
            raise
        return players


class Series:
    """The games of a match: ``games`` of them, ``jobs`` at a time, two from each opening.

    ``archive`` has the games that were played before, which are not played again, and gets each
    new one as it ends. With ``sprt`` the match ends as soon as that accepts a hypothesis: it looks
    at the pairs in their order, so that neither the number of jobs nor which games end first has a
    say in it. ``tried`` are players to be used, where there are some already. To be used as a
    context manager, at whose end no thread and no engine is left, except one that just now waits
    for a program to start: that ends with the interpreter.
    """

    def __init__(
        self,
        match: Match,
        openings: Iterable[Board],
        games: int,
        jobs: int = 1,
        archive: Archive | None = None,
        sprt: Sprt | None = None,
        tried: tuple[Player, Player] | None = None,
    ) -> None:
        self.games = games
        self.sprt = sprt
        self.verdict: Literal["H0", "H1"] | None = None
        self._match = match
        self._archive = archive
        self._all = Standing()
        self._in_order = Standing()
        self._next_pair = 0
        self._waiting: dict[int, list[MatchGame]] = {}
        self._known: dict[tuple[int, bool], MatchGame] = {}
        for game in archive.games if archive else ():
            if 2 * game.pair + game.swapped < games:
                self._known[game.pair, game.swapped] = game
                self._count(game)
        self._tasks = self._to_play(openings)
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._ended: queue.SimpleQueue[MatchGame | BaseException | None] = queue.SimpleQueue()
        self._players: list[Player] = list(tried or ())
        self._tried = [] if tried is None else [tried]
        self._threads = [
            threading.Thread(target=self._work, name=f"match {number}", daemon=True)
            for number in range(1, jobs + 1)
        ]

    @property
    def standing(self) -> Standing:
        """What the games come to: all of them, or those up to the pair that decided the test."""
        with self._lock:
            return (self._in_order if self.verdict else self._all).copy()

    @property
    def ratio(self) -> float | None:
        """The test's log-likelihood ratio so far, None without a test."""
        with self._lock:
            return self.sprt.ratio(self._in_order.pairs) if self.sprt else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._stopping.set()
        end = time.monotonic() + _LEAVING_S
        while (
            alive := [thread for thread in self._threads if thread.is_alive()]
        ) and time.monotonic() < end:
            for player in tuple(self._players):
                player.stop()
            alive[0].join(_AGAIN_S)
        for player in self._players:
            player.close()

    def play(self) -> Iterator[MatchGame]:
        """Play what is left of the match and yield each game as it ends.

        Raises ValueError for openings that do not suffice, ArchiveError for a game in the archive
        that began otherwise, OSError where the archive cannot be written.
        """
        for thread in self._threads:
            thread.start()
        working = len(self._threads)
        while working:
            # With a time, since otherwise Ctrl-C has to wait on Windows.
            try:
                ended = self._ended.get(timeout=1)
            except queue.Empty:
                continue
            if isinstance(ended, BaseException):
                raise ended
            if ended is None:
                working -= 1
            else:
                yield ended

    def _to_play(self, openings: Iterable[Board]) -> Iterator[tuple[int, bool, Board]]:
        """Yield the games that are left: the pair, whether colours are swapped, the opening."""
        number = -1
        for number, opening in enumerate(islice(openings, self.games // 2)):
            for swapped in (False, True):
                known = self._known.get((number, swapped))
                if known is None:
                    yield number, swapped, opening
                elif not _begins_with(known, opening):
                    name = known.game.headers["round"]
                    raise ArchiveError(f"game {name} of the file began with another opening")
        if number + 1 < self.games // 2:
            wanted = f"expected {self.games // 2} for {self.games} games"
            raise ValueError(f"there are {number + 1} openings; {wanted}")

    def _next_task(self) -> tuple[int, bool, Board] | None:
        with self._lock:
            return None if self._stopping.is_set() or self.verdict else next(self._tasks, None)

    def _work(self) -> None:
        """Play games until there are no more; the body of a thread."""
        with self._lock:
            players = self._tried.pop() if self._tried else self._match.players()
            self._players += players
        try:
            while (task := self._next_task()) is not None:
                self._end(self._played(*task, players))
        except Interrupted:
            pass
        except BaseException as error:
            self._ended.put(error)
        finally:
            for player in players:
                player.close()
            self._ended.put(None)

    def _played(
        self, pair: int, swapped: bool, opening: Board, players: tuple[Player, Player]
    ) -> MatchGame:
        match = self._match
        sides = dict(zip((WHITE, BLACK) if swapped else (BLACK, WHITE), players, strict=True))
        seeds = Random(f"{match.seed} {pair} {swapped}")
        game = play_game(opening, sides, seeds, match.control, self._is_stopped)
        played = MatchGame(game, pair, swapped)
        played.put_headers(match.terms)
        return played

    def _is_stopped(self) -> bool:
        return self._stopping.is_set() or self.verdict is not None

    def _end(self, game: MatchGame) -> None:
        with self._lock:
            if self._archive is not None:
                self._archive.add(game)
            self._count(game)
        self._ended.put(game)

    def _count(self, game: MatchGame) -> None:
        self._all.add(game)
        self._waiting.setdefault(game.pair, []).append(game)
        while self.verdict is None and len(self._waiting.get(self._next_pair, ())) == 2:
            for one in self._waiting.pop(self._next_pair):
                self._in_order.add(one)
            self._next_pair += 1
            if self.sprt is not None:
                self.verdict = self.sprt.verdict(self._in_order.pairs)


def _begins_with(played: MatchGame, opening: Board) -> bool:
    begun = Game.from_board(opening)
    moves = begun.moves
    return played.game.start == begun.start and played.game.moves[: len(moves)] == moves

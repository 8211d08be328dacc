"""One game of a match: asks the players in turn, passes for them, watches the clocks, decides.

What it writes on the game's headers, and reads there again: the result, and the fault that a game
was lost by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from reversi.board import Board
from reversi.errors import EngineError
from reversi.formats.stated import stated_discs
from reversi.game import Game
from reversi.match.engines import Player
from reversi.protocols.clock import Clock, TimeControl
from reversi.squares import PASS, WHITE, Color

__all__ = ["FAULT_HEADER", "Interrupted", "Result", "play_game", "result_of"]

# How a game can be lost but by discs, beside the kinds of EngineError.
TIME_LOSS = "time loss"
RESIGNED = "resigned"

FAULT_HEADER = "ggf:fault"  # GGF's tag FAULT: the kind, and behind a colon the reason
_ENDINGS = {TIME_LOSS: ":t"}


class Interrupted(Exception):  # noqa: N818  (nothing went wrong)
    """The match was stopped in the middle of a game."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended, in black's view. ``discs`` is the difference, the empty squares given to
    the winner, or None where the game was not played to its end; ``points`` are 1, 1/2 or 0;
    ``fault`` is the word for what the loser did, None for a game won by discs or by resignation."""

    points: float
    discs: int | None
    fault: str | None = None


def play_game(
    opening: Board,
    players: Mapping[Color, Player],
    seeds: Random,
    control: TimeControl | None,
    is_stopped: Callable[[], bool],
) -> Game:
    """Return the game that two players play from an opening, with values and times of their moves,
    and its result and any fault on its headers. ``seeds`` is for players that play by chance.

    Raises Interrupted as soon as ``is_stopped`` says so.
    """
    game = Game.from_board(opening)
    clocks = None if control is None else {side: Clock(control) for side in players}
    for side, player in players.items():
        try:
            player.begin(seeds.getrandbits(32))
        except EngineError as error:
            if is_stopped():  # the fault may be ours
                raise Interrupted from None
            _forfeit(game, side, f"{error.kind}: {error}")
            return game
    while game.legal_moves:
        side = game.turn
        if PASS in game.legal_moves:
            game.push(PASS)
            continue
        if is_stopped():
            raise Interrupted
        clock = None if clocks is None else clocks[side]
        fault = _play_move(game, players[side], clock)
        if is_stopped():
            raise Interrupted
        if fault is not None:
            _forfeit(game, side, fault)
            return game
    outcome = game.outcome()
    assert outcome is not None
    game.headers["result"] = f"{outcome.tournament:+d}"
    return game


def _play_move(game: Game, player: Player, clock: Clock | None) -> str | None:
    """Play the player's move; return what he did wrong, if anything."""
    try:
        answer = player.choose(game, clock)
    except EngineError as error:
        kind = TIME_LOSS if clock is not None and error.kind == "timeout" else error.kind
        return f"{kind}: {error}"
    if answer.move == "resign":
        return RESIGNED
    seconds = round(answer.elapsed_ms / 1000, 3)
    if clock is not None:
        left_ms = clock.left_ms
        clock.spend(1000 * seconds)
        if clock.expired:
            return f"{TIME_LOSS}: {seconds:.3f} s for a move with {left_ms / 1000:.3f} s left"
    value = None if answer.value is None else round(answer.value, 2)
    game.push(answer.move, value=value, seconds=seconds)
    return None


def _forfeit(game: Game, loser: Color, fault: str) -> None:
    discs = 64 if loser is WHITE else -64
    kind = fault.partition(":")[0]
    game.headers["result"] = f"{discs:+d}{_ENDINGS.get(kind, ':r')}"
    if kind != RESIGNED:
        game.headers[FAULT_HEADER] = " ".join(fault.split())


def result_of(game: Game) -> Result:
    """Return the result that a game of a match has on its headers.

    Raises ValueError where it has none.

    >>> result_of(Game(headers={"result": "-64:t", "ggf:fault": "time loss: 3 s"})).fault
    'time loss'
    """
    stated = stated_discs(game)
    if stated is None:
        raise ValueError("the game has no result")
    discs, ending = stated
    points = 0.5 if discs == 0 else float(discs > 0)
    fault = game.headers.get(FAULT_HEADER)
    return Result(points, None if ending else int(discs), fault and fault.partition(":")[0])

"""Matches: who plays, from where, one game, and what games come to."""

from __future__ import annotations

import re
from itertools import islice
from random import Random

import pytest

from reversi import BLACK, PASS, WHITE, Board, Engine, EngineError, Game, Limit, square_name
from reversi.formats import ggf
from reversi.match.archive import MatchGame
from reversi.match.engines import make_player, parse_spec
from reversi.match.openings import enough_openings, random_openings
from reversi.match.referee import Interrupted, play_game, result_of
from reversi.match.standing import Standing
from reversi.protocols.clock import TimeControl
from reversi.protocols.process import Answer

# Engines by description


def test_what_a_description_says():
    spec = parse_spec("pattern, level=8, time-ms=100, threads=2, hash-mb=16, weights=a.rvw")
    assert (spec.kind, spec.limit) == ("pattern", Limit(level=8, time_ms=100))
    assert (spec.threads, spec.hash_mb, spec.weights) == (2, 16, "a.rvw")
    assert parse_spec("classic").limit is None
    assert parse_spec("classic,nodes=5").limit == Limit(nodes=5)
    spec = parse_spec("gtp:/opt/my\\ engine --book 'a,b.dat'")
    assert (spec.kind, spec.command) == ("gtp", ("/opt/my engine", "--book", "a,b.dat"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("edax", "'edax' is no engine; expected pattern or classic with settings"),
        ("", "'' is no engine"),
        ("uci:stockfish", "'uci:stockfish' is no engine"),
        ("pattern,levle=3", "'levle' is no setting; expected one of time-ms, depth"),
        ("pattern,level", "'level' has no value; expected level=..."),
        ("pattern,level=", "'level' has no value"),
        ("pattern,level=a", "level is 'a'; expected an integer"),
        ("pattern,level=61", "level is 61; expected an integer, 0 to 60"),
        ("pattern,level=3,level=4", "'level' is given twice"),
        ("pattern,threads=0", "threads is 0; expected an integer, 1 or more"),
        ("pattern,hash-mb=-1", "hash-mb is '-1'; expected an integer"),
        ("classic,weights=a", "'weights' goes with pattern"),
        ("nboard:", "expected a program and its arguments"),
        ("gtp:engine 'book", "no closing quotation"),
    ],
)
def test_descriptions_that_say_nothing(text, words):
    with pytest.raises(ValueError, match=f"^{re.escape(repr(text))}: .*{re.escape(words[:30])}"):
        parse_spec(text)


@pytest.mark.parametrize(
    ("text", "limit", "control", "words"),
    [
        ("nboard:x", Limit(time_ms=100), None, "expected depth or level"),
        ("gtp:x", Limit(level=3), None, "expected time_ms=1000 or more"),
        ("pattern,depth=3", None, TimeControl(1000), "expected level alone"),
    ],
)
def test_limits_that_an_engine_cannot_be_told(text, limit, control, words):
    with pytest.raises(ValueError, match=words):
        make_player(parse_spec(text), limit, control)


# Openings


def test_random_openings_are_balanced_and_differ():
    found = list(islice(random_openings(5, plies=8), 40))
    assert all(len(board.move_stack) == 8 for board in found)
    assert len({board.canonical() for board in found}) == 40
    assert found == list(islice(random_openings(5, plies=8), 40))
    assert found != list(islice(random_openings(6, plies=8), 40))
    for board in found[:10]:
        with Engine(hash_mb=1) as engine:
            assert abs(engine.search(board, Limit(depth=8)).value) <= 4


def test_where_there_are_few_openings():
    assert [board.transcript() for board in random_openings(1, plies=0)] == [""]
    with pytest.raises(ValueError, match=r"after 2 plies there .* balanced openings?; expected 5"):
        enough_openings(1, plies=2, count=5)
    assert len(list(enough_openings(1, plies=4, count=10))) == 10


# A game


class Scripted:
    """A player who answers what he was given: a number of milliseconds is the time for the first
    legal move, which he plays also when he has nothing left."""

    def __init__(self, *answers: Answer | EngineError | float) -> None:
        self.answers = list(answers)
        self.seeds: list[int] = []

    def begin(self, seed: int) -> None:
        self.seeds.append(seed)

    def choose(self, game, clock):
        found = self.answers.pop(0) if self.answers else 20.0
        if isinstance(found, EngineError):
            raise found
        if isinstance(found, Answer):
            return found
        return Answer(square_name(game.legal_moves[0]), 1.257, found)

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


def played(black: Scripted, white: Scripted, control: TimeControl | None = None) -> Game:
    players = {BLACK: black, WHITE: white}
    return play_game(Board.from_transcript("f5d6"), players, Random(1), control, lambda: False)


def test_a_game_to_its_end_with_its_notes():
    black, white = Scripted(), Scripted()
    game = played(black, white)
    outcome = game.outcome()
    assert game.headers["result"] == f"{outcome.tournament:+d}"
    assert result_of(game).discs == outcome.tournament
    nodes = list(game.main_line())
    assert [node.seconds for node in nodes[:3]] == [None, None, 0.02]
    assert {node.value for node in nodes[2:] if node.move != PASS} == {1.26}
    assert PASS in game.moves and all(node.seconds is None for node in nodes if node.move == PASS)
    assert black.seeds != white.seeds


@pytest.mark.parametrize(
    ("answers", "ending", "fault"),
    [
        ([Answer("resign", None, 5.0)], ":r", None),
        ([EngineError("X", "crash", "it ended", ["oh", "no"])], ":r", "crash"),
        ([EngineError("X", "illegal move", "played a1]")], ":r", "illegal move"),
        ([EngineError("X", "timeout", "no answer")], ":r", "timeout"),
    ],
)
def test_how_games_are_lost(answers, ending, fault):
    for side in (BLACK, WHITE):
        pair = Scripted(*answers), Scripted()
        game = played(*(pair if side is BLACK else pair[::-1]))
        assert game.headers["result"] == f"{'-' if side is BLACK else '+'}64{ending}"
        again = ggf.parse(ggf.dumps(game))
        result = result_of(again)
        assert (result.points, result.discs, result.fault) == (float(side is WHITE), None, fault)
        if fault:
            assert again.headers["ggf:fault"].startswith(f"{fault}: X: {answers[0].reason}")


def test_the_clock_counts_each_move_and_what_comes_back():
    control = TimeControl(main_ms=100, increment_ms=50)
    game = played(Scripted(60.0, 60.0, 60.0, 71.0), Scripted(), control)
    assert game.headers["result"] == "-64:t"
    assert game.headers["ggf:fault"] == "time loss: 0.071 s for a move with 0.070 s left"
    assert played(Scripted(60.0, 60.0, 60.0, 70.0), Scripted(), control).outcome() is not None
    assert result_of(game).fault == "time loss"
    hanging = Scripted(EngineError("X", "timeout", "no answer"))
    assert result_of(played(hanging, Scripted(), control)).fault == "time loss"
    assert played(Scripted(), Scripted(), control).headers["result"][-2:] != ":t"


def test_a_game_can_be_interrupted():
    asked: list[int] = []
    sides = {BLACK: Scripted(), WHITE: Scripted()}

    def is_stopped() -> bool:
        asked.append(1)
        return len(asked) > 9

    with pytest.raises(Interrupted):
        play_game(Board(), sides, Random(1), None, is_stopped)


def test_a_game_without_a_result_counts_for_nothing():
    with pytest.raises(ValueError, match="the game has no result"):
        result_of(Game())


# What it comes to


def finished(pair: int, swapped: bool, result: str, fault: str = "") -> MatchGame:
    headers = {"result": result, **({"ggf:fault": fault} if fault else {})}
    return MatchGame(Game(headers=headers), pair, swapped)


def test_a_standing_is_in_the_view_of_the_first_player():
    standing = Standing()
    assert (standing.games, standing.score, standing.discs, standing.elo) == (0, None, None, None)
    for game in (
        finished(0, False, "+6"), finished(0, True, "+2"),
        finished(2, True, "-10"), finished(1, False, "+0"),
        finished(2, False, "+20"), finished(1, True, "+64:t", "time loss: 3 s"),
    ):  # fmt: skip
        standing.add(game)
    assert (standing.wins, standing.draws, standing.losses) == (3, 1, 2)
    assert standing.score == pytest.approx(3.5 / 6)
    assert standing.pairs == [0, 1, 1, 0, 1]
    assert standing.faults[0] == {"time loss": 1} and not standing.faults[1]
    # Of the five games with discs: 6, -2, 10, 0, 20; pairs of two: 2 and 15.
    assert standing.discs.value == pytest.approx(34 / 5)
    half = 1.96 * (13 / 2**0.5) / 2**0.5
    assert standing.discs.high - standing.discs.value == pytest.approx(half, abs=0.01)
    other = standing.copy()
    other.add(finished(3, False, "+2", "crash: it"))
    assert (standing.games, other.games) == (6, 7)
    assert not standing.faults[1] and other.faults[1] == {"crash": 1}

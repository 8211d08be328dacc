"""Matches: who plays, from where, what is kept of it, and what a match that was broken off does."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import click
import pytest
from commandline import (
    ENVIRONMENT,
    Terminal,
    answer,
    records,
    refusal,
    reversi_command,
    started,
)

from reversi import BLACK, PASS, WHITE, Board, Engine, EngineError, Game, Limit, cli, square_name
from reversi.formats import ggf
from reversi.match.archive import Archive, ArchiveError, MatchGame, Terms
from reversi.match.engines import make_player, parse_spec
from reversi.match.openings import enough_openings, random_openings
from reversi.match.referee import Interrupted, play_game, result_of
from reversi.match.series import Match, Series
from reversi.match.standing import Standing
from reversi.match.statistics import Sprt
from reversi.protocols.clock import TimeControl
from reversi.protocols.process import Answer

TOY = Path(__file__).with_name("toy_engine.py")
FAST = ("pattern,depth=2,hash-mb=1", "classic,depth=1,hash-mb=1")
TERMS = Terms("Ann", "Bob", "seed 1")


def toy(protocol: str, *fault: str) -> str:
    quoted = " ".join(f"'{word}'" for word in (sys.executable, str(TOY), protocol, *fault))
    return f"{protocol}:{quoted}"


@pytest.fixture(autouse=True)
def _find_the_package(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])


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


# The file


@pytest.fixture(scope="module")
def match() -> Match:
    return Match(parse_spec(FAST[0]), parse_spec(FAST[1]), openings="openings of 8 plies")


@pytest.fixture(scope="module")
def openings() -> list[Board]:
    return list(islice(random_openings(1, plies=8), 12))


def played_match(match, openings, path: Path | None, games=8, resume=False, **options) -> Series:
    def run(archive: Archive | None) -> Series:
        with Series(match, openings, games, archive=archive, **options) as series:
            list(series.play())
        return series

    if path is None:
        return run(None)
    with Archive.open(path, match.terms, resume) as archive:
        return run(archive)


def games_of(path: Path) -> dict[str, str]:
    with path.open("rb") as file:
        games = list(ggf.read(file))
    found = {game.headers["round"]: game.transcript(passes=True) for game in games}
    assert len(found) == len(games)
    return found


@pytest.fixture(scope="module")
def whole(match, openings, tmp_path_factory) -> bytes:
    path = tmp_path_factory.mktemp("match") / "whole.ggf"
    played_match(match, openings, path)
    return path.read_bytes()


def test_a_file_that_breaks_off_anywhere_is_gone_on_with(match, whole, tmp_path):
    lines = whole.splitlines(keepends=True)
    begin = len(whole) - len(lines[-1])
    path = tmp_path / "cut.ggf"
    with Archive.open(path, match.terms, resume=True) as archive:
        assert archive.games == []
    for cut in (*range(0, len(lines[0]), 97), *range(begin - 1, begin + 50), len(whole) - 1):
        path.write_bytes(whole[:cut])
        with Archive.open(path, match.terms, resume=True) as archive:
            complete = whole[: cut + 1].count(b";)\n") if cut < len(whole) else len(lines)
            assert len(archive.games) == complete, cut
            # What is added stands on a line of its own.
            archive.add(MatchGame.of(ggf.parse(lines[-1].decode()), match.terms))
        assert path.read_bytes() == b"".join(lines[:complete]) + lines[-1]


@pytest.mark.parametrize("kept", [0.0, 0.37, 0.93])
def test_no_game_is_lost_or_played_twice(match, openings, whole, tmp_path, kept):
    path = tmp_path / "games.ggf"
    path.write_bytes(whole[: round(kept * len(whole))])
    series = played_match(match, openings, path, resume=True, jobs=2)
    full = tmp_path / "whole.ggf"
    full.write_bytes(whole)
    assert games_of(path) == games_of(full)
    assert series.standing == played_match(match, openings, None).standing


def test_a_match_can_be_made_longer_and_looked_at_shorter(match, openings, whole, tmp_path):
    path = tmp_path / "games.ggf"
    path.write_bytes(whole)
    assert played_match(match, openings, path, resume=True, games=4).standing.games == 4
    assert path.read_bytes() == whole
    assert played_match(match, openings, path, resume=True, games=10).standing.games == 10
    assert path.read_bytes().startswith(whole) and len(games_of(path)) == 10


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (
            lambda text: text.replace("RO[1.2]", "RO[1.1]"),
            "game 2: another match: its black player",
        ),
        (lambda text: text.replace("RO[1.2]", "RO[one]"), "game 2: no game of a match"),
        (lambda text: text.replace("seed 1", "seed 2"), "game 1: another match: its event"),
        (lambda text: text.replace("RO[1.", "TI[01:00]RO[1."), "game 1: another match: its time"),
        (lambda text: re.sub(r"RE\[[^]]*\]", "", text), "game 1: the game has no result"),
        (lambda text: text + text.splitlines()[0] + "\n", "game 9: a second game 1.1"),
        (lambda text: "f5d6c3\n" + text, "game 1: 'f5d6c3' is no game"),
        (lambda text: "my only notes", "game 1: 'my only notes' is no game"),
        (lambda text: text.replace("B[", "W[", 1), "game 1: "),
    ],
)
def test_another_file_is_refused_and_left_alone(match, whole, tmp_path, changed, words):
    path = tmp_path / "games.ggf"
    before = changed(whole.decode()).encode()
    path.write_bytes(before)
    with (
        pytest.raises(ArchiveError, match=re.escape(f"{path}: {words}")),
        Archive.open(path, match.terms, resume=True),
    ):
        pass
    assert path.read_bytes() == before


def test_games_from_other_openings_are_refused(match, openings, whole, tmp_path):
    path = tmp_path / "games.ggf"
    path.write_bytes(whole)
    with pytest.raises(ArchiveError, match=r"game 1\.1 of the file began with another opening"):
        played_match(match, openings[1:], path, resume=True)


def test_a_file_is_not_overwritten_nor_shared(match, tmp_path):
    path = tmp_path / "games.ggf"
    with Archive.open(path, match.terms, resume=False):
        if os.name == "posix":
            with (
                pytest.raises(ArchiveError, match="another process plays"),
                Archive.open(path, match.terms, resume=True),
            ):
                pass
    with (
        pytest.raises(ArchiveError, match="exists already; --resume goes on"),
        Archive.open(path, match.terms, resume=False),
    ):
        pass


# The series


def transcripts(series: Series) -> Iterator[tuple[int, bool, str]]:
    with series:
        yield from sorted((g.pair, g.swapped, g.game.transcript()) for g in series.play())


@pytest.mark.parametrize(
    "specs", [FAST, ("pattern,level=2,hash-mb=1", "pattern,nodes=500,hash-mb=1")]
)
def test_the_same_games_whatever_the_number_of_jobs(openings, specs):
    match = Match(*map(parse_spec, specs))
    one, *others = (list(transcripts(Series(match, openings, 4, jobs))) for jobs in (1, 3))
    assert others == [one]
    assert [(pair, swapped) for pair, swapped, _ in one] == [
        (pair, swapped) for pair in range(2) for swapped in (False, True)
    ]
    for pair, _, transcript in one:
        assert transcript.startswith(openings[pair].transcript())


def test_another_seed_gives_chance_another_turn(openings):
    specs = ("pattern,level=0,hash-mb=1", "classic,depth=1,hash-mb=1")
    games = [
        list(transcripts(Series(Match(*map(parse_spec, specs), seed=seed), openings, 2)))
        for seed in (1, 2)
    ]
    assert games[0] != games[1]


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_test_ends_a_match_at_the_same_pair(match, openings, jobs):
    series = played_match(match, openings, None, games=24, jobs=jobs, sprt=Sprt(0, 400))
    assert series.verdict == "H1"
    standing = series.standing
    assert sum(standing.pairs) * 2 == standing.games < 24
    assert Sprt(0, 400).verdict(standing.pairs) == "H1"
    assert series.ratio >= 2.94
    assert standing == played_match(match, openings, None, games=standing.games).standing


def test_too_few_openings(match, openings):
    with pytest.raises(ValueError, match="there are 2 openings; expected 4 for 8 games"):
        played_match(match, openings[:2], None)


def test_what_cannot_begin_is_known_before():
    fine = parse_spec(FAST[0])
    for text, error in (
        ("nboard:no-such-engine", EngineError),
        (toy("gtp", "dies"), EngineError),
        ("pattern,weights=no-such-file", OSError),
        (f"pattern,weights={TOY}", ValueError),
    ):
        with pytest.raises(error):
            Match(fine, parse_spec(text)).tried_players()


# The command


def test_a_match_of_programs():
    *games, last = records("match", toy("nboard"), toy("gtp"), "--games", "4", "--jobs", "2")
    assert [len(game["moves"]) > 80 for game in games] == [True] * 4
    total = last["total"]
    assert total["games"] == 4 and total["faults"] == [{}, {}]
    assert sum(game["points"] for game in games) == 4 * total["score"]


def test_the_package_plays_itself_by_its_own_protocols():
    command = f"'{sys.executable}' -m reversi"
    *games, last = records(
        "match", f"nboard:{command} nboard --level 5", f"gtp:{command} gtp --level 5",
        "--games", "2", "--jobs", "1",
    )  # fmt: skip
    assert last["total"]["faults"] == [{}, {}]
    assert all(game["discs"] is not None for game in games)


@pytest.mark.parametrize(("clock", "level"), [("30+0.5", ()), (None, ("--level", "5"))])
def test_clocks_and_levels_reach_the_programs(clock, level, tmp_path):
    file = tmp_path / "games.ggf"
    limits = level if clock is None else ("--clock", clock)
    second = toy("gtp") if clock else toy("nboard")
    [*_, last] = records(
        "match", toy("nboard"), second, "--games", "2", "--jobs", "1", *limits, "--save", str(file)
    )
    assert last["total"]["faults"] == [{}, {}]
    for game in ggf.read(file.open("rb")):
        assert game.headers.get("time", "") == ("00:30.000/00:00.500" if clock else "")


def test_faults_are_lost_and_listed_and_the_match_goes_on():
    bad = reversi_command(
        "match", toy("nboard", "illegal", "3"), toy("gtp", "crash", "9"), "--games", "2",
        "--jobs", "1",
    )  # fmt: skip
    assert bad.returncode == 0
    assert "faults  A: illegal move (2)" in bad.stdout
    told = sorted(bad.stderr.splitlines())
    assert [line.partition(": nboard")[0] for line in told] == [
        f"reversi: game 1.{number}: illegal move" for number in (1, 2)
    ]
    assert all("played a1; legal: " in line for line in told)
    # It is slow once: the process goes on after a loss on time.
    slow = reversi_command(
        "match", toy("nboard"), toy("gtp", "slow", "1"), "--games", "2", "--clock", "1.1+1",
        "--json", "--jobs", "1",
    )  # fmt: skip
    first, second, last = map(json.loads, slow.stdout.splitlines())
    assert last["total"]["faults"] == [{}, {"time loss": 1}]
    assert first["fault"].endswith("s for a move with 1.100 s left") and second["fault"] is None


def test_people_see_what_it_came_to():
    text = answer("match", *FAST, "--games", "4", "--sprt", "0,10")
    lines = [line.split() for line in text.splitlines()]
    assert lines[0] == ["A", FAST[0]] and lines[1] == ["B", FAST[1]]
    assert lines[2][:2] == ["games", "4:"]
    names = [line[0] for line in lines[3:]]
    assert names == ["points", "discs", "Elo", "pairs", "SPRT", "faults", "time"]
    assert "undecided between +0 (H0) and +10 Elo (H1)" in text
    decided = answer("match", *FAST, "--games", "40", "--sprt", "0,400")
    assert re.search(r"ratio \+[2-9].*: H1 is accepted, A is better by \+400 Elo", decided)


def test_openings_from_a_file(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("f5d6c3d3c4f4f6f3\nf5f6e6f4\n")
    *games, _ = records("match", *FAST, "--games", "4", "--openings", str(file))
    assert {game["moves"][:8] for game in games} == {"f5d6c3d3", "f5f6e6f4"}
    words = refusal("match", *FAST, "--games", "6", "--openings", str(file))
    assert words == f"{file}: 2 openings are enough for 4 games; --games is 6"
    file.write_text("f5d6\na1\n")
    assert refusal("match", *FAST, "--openings", str(file)).startswith(f"{file}: line 2, ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((FAST[0], "edax"), "'edax': 'edax' is no engine"),
        ((*FAST, "--games", "3"), "Invalid value for '--games': 3 is odd"),
        ((*FAST, "--clock", "0"), "Invalid value for '--clock': '0'; expected seconds"),
        ((*FAST, "--clock", "nan"), "Invalid value for '--clock': 'nan'"),
        ((*FAST, "--clock", "5+"), "Invalid value for '--clock': '5+'"),
        ((*FAST, "--sprt", "0"), "expected two differences in Elo, the lower one first"),
        ((*FAST, "--sprt", "10,0"), "expected two differences in Elo, the lower one first"),
        ((*FAST, "--clock", "5", "--level", "3"), "--clock and limits of a move exclude"),
        ((*FAST, "--resume"), "--resume goes with --save FILE"),
        ((*FAST, "--save", "games.sgf"), "games.sgf: expected a name that ends in .ggf"),
        ((*FAST, "--plies", "1"), "after 1 plies there is 1 balanced opening; expected 50"),
        (("gtp:no-such-engine", FAST[0]), "cannot start 'no-such-engine': No such file"),
        ((toy("gtp"), FAST[0], "--level", "4"), "GTP knows whole seconds"),
    ],
)
def test_what_the_command_refuses(arguments, words):
    with pytest.raises(click.ClickException) as caught:
        cli.reversi_command.main(["match", *arguments], standalone_mode=False)
    error = caught.value
    where = f"'{error.param.opts[-1]}'" if getattr(error, "param", None) else ""
    assert words in f"Invalid value for {where}: {error.message}"


def test_files_that_are_not_there(tmp_path):
    for arguments in (
        (FAST[0], "pattern,weights=no/such.rvw"),
        (*FAST, "--save", "no/such/games.ggf"),
        (*FAST, "--openings", "no/such.txt"),
    ):
        words = refusal("match", *arguments, cwd=tmp_path)
        assert re.fullmatch(r"no/such.*: No such file or directory", words)


def wait_for_games(path: Path, count: int) -> None:
    end = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") < count:
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_match_that_is_broken_off_goes_on(tmp_path, number):
    file = tmp_path / "games.ggf"
    command = ("match", *FAST, "--games", "40", "--jobs", "2", "--save", str(file), "--resume")
    process = started(*command)
    try:
        wait_for_games(file, 3)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    done = file.read_bytes().count(b"\n")
    if number != signal.SIGKILL:
        assert process.returncode == 130
        assert f"games   {done}: " in out
        assert err.strip() == "reversi: broken off; the same command with --resume goes on"
    [*new, last] = records(*command)
    assert len(new) == 40 - done and last["total"]["games"] == 40
    assert len(games_of(file)) == 40


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")
def test_ctrl_c_leaves_no_engine_behind(tmp_path):
    process = started(
        "match", toy("nboard", "hang", "1"), toy("gtp", "hang", "1"), "--games", "4", "--jobs", "2"
    )
    try:
        end = time.monotonic() + 30
        while len(found := children_of(process.pid)) < 4:  # two jobs of two engines
            assert time.monotonic() < end
            time.sleep(0.02)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130
    assert re.search(r"^games +0: 0 won", out, re.MULTILINE)
    assert not [pid for pid in found if Path(f"/proc/{pid}").exists()]


def children_of(pid: int) -> list[int]:
    lists = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    return [int(number) for number in " ".join(lists).split()]


def test_a_terminal_shows_the_match_as_it_goes():
    with Terminal("match", *FAST, "--games", "20") as terminal:
        terminal.wait_for("/20")
        terminal.wait_for("faults  none")
        assert terminal.ends_with() == 0


def test_a_reader_who_leaves_ends_the_match():
    process = started("match", *FAST, "--games", "2000", "--json")
    try:
        assert json.loads(process.stdout.readline())["round"]
        process.stdout.close()
        assert process.wait(30) == 141
    finally:
        process.kill()
        process.stderr.close()


def test_the_help_names_all_that_can_be_told():
    text = reversi_command("match", "--help").stdout
    for word in ("--sprt", "--resume", "nboard:COMMAND", "hash-mb=16", "--clock MAIN+INC"):
        assert word in text

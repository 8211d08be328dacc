"""Series of games: the file that keeps them, and the same games whoever plays them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from commandline import ENVIRONMENT
from match_kit import FAST, TOY, games_of, toy

from reversi import Board, EngineError
from reversi.formats import ggf
from reversi.match.archive import Archive, ArchiveError, MatchGame
from reversi.match.engines import parse_spec
from reversi.match.openings import random_openings
from reversi.match.series import Match, Series
from reversi.match.statistics import Sprt

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


def test_what_cannot_begin_is_known_before(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])
    fine = parse_spec(FAST[0])
    for text, error in (
        ("nboard:no-such-engine", EngineError),
        (toy("gtp", "dies"), EngineError),
        ("pattern,weights=no-such-file", OSError),
        (f"pattern,weights={TOY}", ValueError),
    ):
        with pytest.raises(error):
            Match(fine, parse_spec(text)).tried_players()

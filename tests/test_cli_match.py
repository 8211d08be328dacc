"""``reversi match``: what it plays, shows and refuses, and a match that is broken off."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from pathlib import Path

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
from match_kit import FAST, games_of, toy

from reversi import cli
from reversi.formats import ggf


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
def test_what_the_command_refuses(arguments, words, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])
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

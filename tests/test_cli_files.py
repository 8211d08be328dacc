"""The commands for files of games: convert and replay.

Most of them run in this process, which is the same but for the start; pipes and terminals do not.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from commandline import ENVIRONMENT, Terminal, records, reversi_command, started
from formats_kit import MUST_PASS, random_game

from reversi import Game, cli, read_games, write_games
from reversi.formats import FORMATS

GAMES = [random_game(seed) for seed in range(6)]


@pytest.fixture
def ggf(tmp_path: Path) -> Path:
    path = tmp_path / "old.ggf"
    write_games(path, GAMES)
    return path


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """Three games, the second one with an illegal move, and the end of a fourth one missing."""
    path = tmp_path / "damaged.ggf"
    write_games(path, GAMES[:4])
    lines = path.read_text().splitlines(keepends=True)
    lines[1] = lines[1].replace("]W[", "]W[F5]W[", 1)
    path.write_text("".join(lines)[:-30])
    return path


class Shell:
    """Runs commands in this process and keeps what they print."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        with pytest.raises(SystemExit) as ended:
            cli.main([str(argument) for argument in arguments])
        shown = self._capsys.readouterr()
        status = int(ended.value.code or 0)
        return subprocess.CompletedProcess(arguments, status, shown.out, shown.err)

    def answer(self, *arguments: str | Path) -> str:
        done = self.run(*arguments)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    def records(self, *arguments: str | Path) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.answer(*arguments, "--json").splitlines()]

    def refusal(self, *arguments: str | Path) -> str:
        """Return the one line with which the command refuses its input."""
        done = self.run(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("reversi: error: ")
        assert done.stderr.count("\n") == 1
        return done.stderr.removeprefix("reversi: error: ").rstrip("\n")


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


# --- convert --------------------------------------------------------------------------------------


def test_convert_goes_by_the_endings(shell: Shell, ggf: Path, tmp_path: Path) -> None:
    for one in FORMATS.values():
        out = tmp_path / f"new{one.suffixes[0]}"
        assert shell.answer("convert", ggf, out) == "6 games written\n"
        assert len(list(read_games(out))) == 6
    assert list(read_games(tmp_path / "new.sgf")) == GAMES
    assert list(read_games(tmp_path / "new.wtb")) == GAMES
    assert shell.answer("convert", tmp_path / "new.wtb", tmp_path / "back.ggf.gz")
    assert list(read_games(tmp_path / "back.ggf.gz")) == GAMES


def test_convert_joins_files_of_several_formats(shell: Shell, ggf: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("f5d6\nc4\n")
    assert shell.answer("convert", ggf, other, tmp_path / "all.json").startswith("8 games")
    found = list(read_games(tmp_path / "all.json"))
    assert found[:6] == GAMES
    assert [game.transcript() for game in found[6:]] == ["f5d6", "c4"]


def test_convert_reads_and_writes_pipes() -> None:
    done = reversi_command(
        "convert", "-", "-", "--from", "transcript", "--to", "json", given="f5d6\n"
    )
    assert (done.returncode, done.stderr) == (0, "1 game written\n")
    assert json.loads(done.stdout) == {"moves": ["f5", "d6"]}


def test_convert_takes_formats_by_name(shell: Shell, ggf: Path, tmp_path: Path) -> None:
    plain, out = tmp_path / "old.data", tmp_path / "new.data"
    plain.write_bytes(ggf.read_bytes())
    shell.answer("convert", str(plain), out, "--from", "ggf", "--to", "sgf")
    assert list(read_games(out, "sgf")) == GAMES


def test_convert_names_what_it_skips(shell: Shell, damaged: Path, tmp_path: Path) -> None:
    out = tmp_path / "new.sgf"
    done = shell.run("convert", damaged, out)
    assert (done.returncode, done.stdout) == (1, "2 games written, 2 skipped\n")
    first, second = done.stderr.splitlines()
    assert first.startswith(f"reversi: skipped: {damaged}: game 2: move 2, line 2, column ")
    assert second.startswith(f"reversi: skipped: {damaged}: game 4: line 4, column ")
    assert list(read_games(out)) == [GAMES[0], GAMES[2]]


def test_convert_names_a_number_of_skipped_games_and_counts_the_rest(
    shell: Shell, tmp_path: Path
) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("f5d6\n" + "f5f5\n" * 1234)
    done = shell.run("convert", path, tmp_path / "new.ggf")
    assert (done.returncode, done.stdout) == (1, "1 game written, 1,234 skipped\n")
    assert len(done.stderr.splitlines()) == 21
    assert done.stderr.splitlines()[-1] == "reversi: skipped: 1,214 more"


def test_convert_skips_what_the_other_format_cannot_hold(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "mixed.ggf"
    write_games(path, [GAMES[0], Game(MUST_PASS), GAMES[1], Game.from_transcript("f5")])
    done = shell.run("convert", path, tmp_path / "new.wtb")
    assert (done.returncode, done.stdout) == (1, "2 games written, 2 skipped\n")
    first, second = done.stderr.splitlines()
    assert first == f"reversi: skipped: {path}: game 2: the game begins with another board; " \
        "WTHOR knows the usual one alone"  # fmt: skip
    assert second.startswith(f"reversi: skipped: {path}: game 4: the game is not over")
    assert "game 2: " in shell.refusal("convert", path, tmp_path / "more.wtb", "--strict")


def test_convert_counts_the_games_that_cannot_be_read_among_the_others(
    shell: Shell, tmp_path: Path
) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(f"f5f5\n{GAMES[0].transcript()}\n{MUST_PASS.obf()}\n")
    done = shell.run("convert", path, tmp_path / "new.wtb")
    assert [line.split(": ")[3] for line in done.stderr.splitlines()[:2]] == ["game 1", "game 3"]


def test_convert_strict_stops_at_the_first_fault_and_writes_nothing(
    shell: Shell, damaged: Path, tmp_path: Path
) -> None:
    out = tmp_path / "new.sgf"
    refused = shell.refusal("convert", damaged, out, "--strict")
    assert refused.startswith(f"{damaged}: game 2: move 2, line 2, column ")
    assert list(tmp_path.iterdir()) == [damaged]


def test_convert_overwrites_only_when_told(shell: Shell, ggf: Path, tmp_path: Path) -> None:
    out = tmp_path / "new.sgf"
    out.write_text("precious")
    refused = shell.refusal("convert", ggf, out)
    assert refused == f"{out}: the file exists already; --overwrite replaces it"
    assert out.read_text() == "precious"
    assert shell.answer("convert", ggf, out, "--overwrite") == "6 games written\n"
    assert list(read_games(out)) == GAMES


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ([], "expected IN... OUT: the files to read and the one to write"),
        (["old.ggf"], "expected IN... OUT: the files to read and the one to write"),
        (["old.ggf", "new.pgn"], "the ending '.pgn' names no format; expected one of .txt"),
        (["old.pgn", "new.ggf"], "old.pgn: the ending '.pgn' names no format"),
        (["-", "new.ggf"], "--from has to say the format of '-'"),
        (["old.ggf", "-"], "--to has to say the format of '-'"),
        (["old.ggf", "new.ggf", "--to", "pgn"], "Invalid value for '--to': 'pgn' is not one of"),
        (["none.ggf", "new.sgf"], "none.ggf: No such file or directory"),
        (["old.ggf", "none/new.sgf"], "none: there is no such folder"),
        (["old.wtb", "new.ggf"], "old.wtb: byte 0: 0 bytes; expected a header of 16"),
        (["empty.ggf", "new.sgf"], "no game found that could be written"),
        (["bad.txt", "new.sgf", "--strict"], "bad.txt: game 1: move 1, line 1, column 1: 'ba' is"),
    ],
)
def test_convert_refuses_in_one_line(
    shell: Shell,
    ggf: Path,
    tmp_path: Path,
    arguments: list[str],
    error: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("old.wtb", "old.pgn", "empty.ggf"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "bad.txt").write_text("bad\n")
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert error in shell.refusal("convert", *arguments)
    assert sorted(tmp_path.iterdir()) == before


def test_convert_shows_a_bar_at_a_terminal_and_ends_at_control_c(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("f5d6c3\n" * 2_000_000)
    out = tmp_path / "new.ggf"
    with Terminal("convert", str(path), str(out)) as terminal:
        terminal.wait_for("games")
        terminal.interrupt()
        assert terminal.ends_with() == 130
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
def test_convert_leaves_nothing_behind_when_it_is_ended(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("f5d6c3\n" * 2_000_000)
    process = started("convert", str(path), str(tmp_path / "new.ggf"))
    try:
        end = time.monotonic() + 60
        while len(list(tmp_path.iterdir())) == 1:
            assert time.monotonic() < end
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert list(tmp_path.iterdir()) == [path]


def test_a_reader_that_goes_away_is_no_event(ggf: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "reversi", "convert", *[str(ggf)] * 300, "-", "--to", "ggf"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141


# --- replay ---------------------------------------------------------------------------------------


def test_replay_counts_what_it_finds(shell: Shell, ggf: Path) -> None:
    each, total = shell.records("replay", ggf)
    assert each.pop("file") == str(ggf)
    assert total == {"total": each}
    assert each == {
        "games": 6,
        "moves": sum(len(game) for game in GAMES),
        "passes": sum(game.moves.count(64) for game in GAMES),
        "black_wins": sum(int(game.headers["result"]) > 0 for game in GAMES),
        "draws": sum(int(game.headers["result"]) == 0 for game in GAMES),
        "white_wins": sum(int(game.headers["result"]) < 0 for game in GAMES),
        "unfinished": 0,
        "faults": {},
    }  # fmt: skip
    head, row = shell.answer("replay", ggf).splitlines()
    assert head.split() == [
        "file", "games", "moves", "passes", "black", "draws", "white", "unfinished", "faults",
    ]  # fmt: skip
    assert row.split()[:3] == [str(ggf), "6", f"{each['moves']}"]


def test_replay_names_faults_by_kind(shell: Shell, damaged: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.sgf"
    write_games(wrong, [Game.from_moves(GAMES[0].moves, headers={"result": "+1"})])
    done = shell.run("replay", damaged, wrong)
    assert (done.returncode, done.stderr) == (1, "")
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [row[0] for row in rows[1:4]] == [str(damaged), str(wrong), "all"]
    assert [row[-1] for row in rows[1:4]] == ["2", "1", "3"]
    for kind in ("illegal move: 1", "truncated: 1", "result: 1"):
        assert f"\n{kind}\n" in done.stdout
    assert f"\n  {damaged}: game 2: move 2, line 2, column " in done.stdout
    assert f"\n  {wrong}: game 1: the result is +1; the moves lead to " in done.stdout
    done = shell.run("replay", damaged, "--json")
    faults = json.loads(done.stdout.splitlines()[-1])["total"]["faults"]
    assert {kind: found["count"] for kind, found in faults.items()} == {
        "illegal move": 1, "truncated": 1,
    }  # fmt: skip
    assert done.returncode == 1


def test_replay_goes_on_after_a_file_of_another_kind(
    shell: Shell, ggf: Path, tmp_path: Path
) -> None:
    other = tmp_path / "solitaires.wtb"
    other.write_bytes(bytes([20, 26, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 8, 1, 0, 0]))
    done = shell.run("replay", other, ggf, "--json")
    first, second, total = map(json.loads, done.stdout.splitlines())
    assert first["faults"]["unsupported"]["count"] == 1
    assert (second["games"], second["faults"]) == (6, {})
    assert total["total"]["games"] == 6
    assert done.returncode == 1


def test_replay_reads_pipes(ggf: Path) -> None:
    given = ggf.read_text()
    assert records("replay", "-", "--from", "ggf", given=given)[1]["total"]["games"] == 6


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ([], "Missing argument 'FILE...'"),
        (["old.pgn"], "the ending '.pgn' names no format"),
        (["none.ggf"], "none.ggf: No such file or directory"),
        (["none"], "none: No such file or directory"),
        (["-"], "--from has to say the format of '-'"),
        (["empty.ggf"], "empty.ggf: no game found"),
    ],
)
def test_replay_refuses_in_one_line(
    shell: Shell, tmp_path: Path, arguments: list[str], error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("old.pgn", "empty.ggf"):
        (tmp_path / name).write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    assert error in shell.refusal("replay", *arguments)


@pytest.mark.skipif(os.name != "posix", reason="has no folders that open as files")
def test_a_folder_is_no_file(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "games.ggf"
    folder.mkdir()
    assert shell.refusal("replay", folder).endswith("Is a directory")
    assert "games.ggf" in shell.refusal("convert", folder, tmp_path / "new.sgf")
    for arguments in (("replay", tmp_path), ("analyse", tmp_path), ("convert", "-", tmp_path)):
        assert shell.refusal(*arguments).endswith(f"{tmp_path.name}: Is a directory")


def test_replay_leaves_columns_out_where_it_is_narrow(ggf: Path) -> None:
    width = str(len(str(ggf)) + 45)
    with Terminal("replay", str(ggf), COLUMNS=width, NO_COLOR="1") as terminal:
        assert terminal.ends_with() == 0
        shown = terminal.plain()
    head = next(line for line in shown.splitlines() if line.startswith("file "))
    assert head.split() == ["file", "games", "moves", "black", "draws", "white", "faults"]

"""Training that is broken off, killed or begun twice, and that goes on."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from commandline import ENVIRONMENT, PATIENCE_S, refusal
from training_kit import GENERATE, LABEL, PROBCUT, step, train

from reversi.training import fit, folder, label, probcut
from reversi.weights import read_header

pytest_plugins = ("trainingfixtures",)


def files(path: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*.npy"))
        if not file.name.startswith(".")
    }


def begin(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "reversi", "train", *arguments],
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
        text=True,
    )


def break_off(path: Path, arguments: list[str], wanted: str, how: int) -> str:
    """Run a step until a file is there, and end it then."""
    process = begin(*arguments)
    end = time.monotonic() + PATIENCE_S
    while process.poll() is None and not (path / wanted).exists():
        assert time.monotonic() < end
        time.sleep(0.001)
    process.send_signal(how)
    said = process.communicate(timeout=PATIENCE_S)[1]
    assert process.returncode == (130 if how == signal.SIGINT else -how)
    return said


posix = pytest.mark.skipif(os.name != "posix", reason="sends signals")


@posix
def test_killed_steps_go_on_to_the_same_bytes(run: Path, tmp_path: Path) -> None:
    """Killed with SIGKILL again and again, wherever it is then."""
    path = tmp_path / "killed"
    for generation in (0, 1):
        arguments = ["generate", str(path), "--generation", str(generation), *GENERATE]
        for shard in ("00000", "00001"):
            break_off_if_possible(path, arguments, f"gen-{generation}/games-{shard}.npy")
        train("generate", path, generation)
        arguments = ["label", str(path), "--generation", str(generation), *LABEL]
        break_off_if_possible(path, arguments, f"gen-{generation}/labels-00000.npy")
        train("label", path, generation, "--threads", "1")
        arguments = ["fit", str(path), "--generation", str(generation)]
        arguments += ["--with", "0"] * generation
        break_off_if_possible(path, arguments, f"gen-{generation}/fit.npz")
        step(*arguments)
        header = read_header(path / f"gen-{generation}" / "weights.rvw")
        wanted = read_header(run / f"gen-{generation}" / "weights.rvw")
        assert header["sha256"] == wanted["sha256"]
    assert files(path) == files(run)


def begun_fit(run: Path, tmp_path: Path, epochs: int, done: int) -> folder.Folder:
    """A copy of the run, where a fit of generation 0 was broken off after so many epochs."""
    shutil.copytree(run, tmp_path / "run")
    where = folder.Folder(tmp_path / "run")
    where.weights_path(0).unlink()

    def broken_off(so_far: float, total: float) -> None:
        if so_far > done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit.fit(where, 0, fit.Settings(epochs=epochs), broken_off)
    assert where.fit_path(0).exists() and not where.weights_path(0).exists()
    return where


def epochs_of(where: folder.Folder, epochs: int) -> list[float]:
    """The epochs that a fit of generation 0 takes to its end."""
    told: list[float] = []
    report = fit.fit(where, 0, fit.Settings(epochs=epochs), lambda done, total: told.append(done))
    assert len(report["epochs"]) == epochs
    assert not where.fit_path(0).exists()
    return [done for done in told if done > 0]


def test_a_fit_goes_on_with_the_epoch_that_was_broken_off(run: Path, tmp_path: Path) -> None:
    where = begun_fit(run, tmp_path, epochs=3, done=2)
    assert epochs_of(where, 3) == [3.0]
    kept = where.weights_path(0).read_bytes()
    assert epochs_of(where, 3) == [1.0, 2.0, 3.0]
    assert where.weights_path(0).read_bytes() == kept


def test_what_another_fit_left_or_what_is_damaged_is_not_gone_on_with(
    run: Path, tmp_path: Path
) -> None:
    where = begun_fit(run, tmp_path, epochs=3, done=1)
    left = where.fit_path(0).read_bytes()
    for kept in (left, left[:1000], b""):
        where.fit_path(0).write_bytes(kept)
        assert epochs_of(where, 2) == [1.0, 2.0]


def test_a_fit_of_other_labels_begins_anew(run: Path, tmp_path: Path) -> None:
    where = begun_fit(run, tmp_path, epochs=2, done=1)
    labels = where.labels(0, 0).copy()
    labels["value"][0] += 128
    folder.write_array(where.labels_path(0, 0), labels)
    assert epochs_of(where, 2) == [1.0, 2.0]


def break_off_if_possible(path: Path, arguments: list[str], wanted: str) -> None:
    process = begin(*arguments)
    end = time.monotonic() + PATIENCE_S
    while process.poll() is None and not (path / wanted).exists():
        assert time.monotonic() < end
    process.kill()
    process.communicate(timeout=PATIENCE_S)


@posix
def test_a_killed_measurement_goes_on(cut: Path) -> None:
    where = cut / "gen-1" / "weights.rvw"
    before = where.read_bytes()
    arguments = ["probcut", str(cut), "--generation", "1", *PROBCUT]
    for empties in (12, 20):
        break_off_if_possible(cut, arguments, f"gen-1/probcut/empties-{empties}.npy")
    step(*arguments)
    assert where.read_bytes() == before
    assert not (cut / "gen-1" / "probcut").exists()


@posix
def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    arguments = ["generate", str(tmp_path), "--generation", "0", "--games", "1000000"]
    said = break_off(
        tmp_path, [*arguments, "--shard-games", "20"], "gen-0/games-00001.npy", signal.SIGINT
    )
    assert said.strip().splitlines() == [
        "reversi: broken off; run `reversi train generate` again as before to go on"
    ]


@pytest.mark.parametrize("step", ["label", "probcut"])
def test_a_step_that_is_broken_off_leaves_no_threads(step: str, run: Path, tmp_path: Path) -> None:
    shutil.copytree(run, tmp_path / "run")
    where = folder.Folder(tmp_path / "run")
    where.labels_path(1, 0).unlink()
    before = threading.active_count()

    def broken_off(done: float, total: float) -> None:
        if threading.active_count() > before:
            raise KeyboardInterrupt

    # What was raised holds the frames, and they the threads, were they not ended.
    with pytest.raises(KeyboardInterrupt) as _raised:
        if step == "label":
            label.label(where, 1, label.Settings(2, 8, 0.5), 2, broken_off)
        else:
            probcut.probcut(where, 1, probcut.Settings(4, 6, 13), 2, broken_off)
    assert threading.active_count() == before


def test_more_games_change_nothing_in_those_there(run: Path, tmp_path: Path) -> None:
    train("generate", tmp_path, 0, *GENERATE[2:], "--games", "40")
    train("generate", tmp_path, 0, "--games", "60")
    games = {name: data for name, data in files(run).items() if name.startswith("gen-0/games")}
    assert files(tmp_path) == games


@posix
def test_one_step_at_a_time(run: Path) -> None:
    left = run / "gen-0" / ".games-00000.npy.1.unfinished"
    left.write_bytes(b"")
    with folder.Folder(run).alone():
        assert not left.exists()
        for step in ("generate", "label", "fit", "probcut"):
            said = refusal("train", step, str(run), "--generation", "1")
            assert f"{run}: process {os.getpid()} is at work there" in said
    train("label", run, 1)


def test_without_a_terminal_lines_tell_how_far_it_is(run: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from reversi.cli import main, train\n"
        "train._TOLD_EVERY_S = 0\n"
        "main(['train', *sys.argv[1:]])"
    )
    arguments = ["generate", str(tmp_path), "--generation", "0", "--games", "120"]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stderr.splitlines()
    assert re.fullmatch(r"generate: 33% done, [0-9.]+ m?s left", lines[0])
    assert len(lines) == 3

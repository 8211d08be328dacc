"""Training: tiny real runs of every step, by the command, and the rooms beneath it."""

from __future__ import annotations

import json
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
from commandline import ENVIRONMENT, PATIENCE_S, answer, refusal, reversi_command
from hypothesis import given
from hypothesis import strategies as st
from strategies import words

from reversi import Board
from reversi._load import core
from reversi.weights import (
    read_deviations,
    read_header,
    read_weights,
    write_deviations,
    write_weights,
)

np = pytest.importorskip("numpy", reason="training needs the extra `train`")
pytest.importorskip("scipy", reason="training needs the extra `train`")
pytest.importorskip("matplotlib", reason="training needs the extra `train`")

from reversi.training import (  # noqa: E402
    deviations,
    examples,
    fit,
    folder,
    generate,
    label,
    positions,
    probcut,
    provenance,
    spread,
)
from reversi.training.ridge import Ridge  # noqa: E402

Pair = tuple[int, int]
some_words = st.lists(words, min_size=1, max_size=20)
disjoint = st.lists(
    st.tuples(words, words).map(lambda pair: (pair[0] & ~pair[1], pair[1])), min_size=1, max_size=9
)


def arrays(pairs: list[Pair]) -> tuple[np.ndarray, np.ndarray]:
    own, opp = zip(*pairs, strict=True)
    return np.array(own, np.uint64), np.array(opp, np.uint64)


# Symmetries and hashes


@given(some_words, st.integers(0, 7))
def test_transforms_are_the_cores(discs: list[int], i: int) -> None:
    found = positions.transform(np.array(discs, np.uint64), i)
    assert found.tolist() == [core.transform(one, i) for one in discs]


@given(disjoint)
def test_canonical_is_the_boards(pairs: list[Pair]) -> None:
    own, opp = positions.canonical(*arrays(pairs))
    smallest = [Board(black, white).canonical() for black, white in pairs]
    assert own.tolist() == [board.own for board in smallest]
    assert opp.tolist() == [board.opp for board in smallest]


@given(disjoint)
def test_different_positions_hash_differently(pairs: list[Pair]) -> None:
    assert len(set(positions.hashes(*arrays(pairs)).tolist())) == len(set(pairs))


@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 1.0])
def test_so_many_are_drawn(share: float) -> None:
    drawn = positions.drawn(np.arange(100_000, dtype=np.uint64), share)
    assert abs(drawn.mean() - share) < 0.005


# The regression


def dense(features: np.ndarray, width: int) -> np.ndarray:
    matrix = np.zeros((len(features), width))
    for row, classes in zip(matrix, features, strict=True):
        np.add.at(row, classes, 1.0)
    return matrix


@pytest.mark.parametrize("ridge", [0.5, 20.0])
def test_the_ridge_is_the_closed_forms(ridge: float) -> None:
    rng = np.random.default_rng(1)
    features = rng.integers(0, 25, (80, 4)).astype(np.int32)
    values, start = rng.normal(size=80), rng.normal(size=30)
    matrix = dense(features, 30)
    counts = rng.uniform(0.1, 1.0, 80)
    counted = matrix.T * counts
    left = counted @ matrix + ridge * np.eye(30)
    expected = start + np.linalg.solve(left, counted @ (values - matrix @ start))
    problem = Ridge(features, values, start, counts)
    found = problem.solve(ridge, tolerance=1e-12)
    assert np.allclose(found.weights, expected)
    # Never seen: as they were, to the last bit.
    assert (found.weights[25:] == start[25:]).all()
    again = problem.solve(ridge, guess=found.weights, tolerance=1e-6)
    assert again.iterations == 0


# A whole run

GENERATE = ("--games", "60", "--seed", "5", "--shard-games", "20", "--depth", "2")
LABEL = ("--exact", "8", "--depth", "2", "--sample", "0.5")


def train(step: str, path: Path, generation: int, *options: str) -> str:
    return answer("train", step, str(path), "--generation", str(generation), *options)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two generations."""
    path = tmp_path_factory.mktemp("training") / "run"
    for generation in (0, 1):
        train("generate", path, generation, *GENERATE)
        train("label", path, generation, *LABEL)
        train("fit", path, generation, "--ridge", "100", *["--with", "0"] * generation)
    return path


def every(path: Path, generation: int) -> tuple[np.ndarray, np.ndarray]:
    where = folder.Folder(path)
    shards = range(where.shards(generation))
    return (
        np.concatenate([where.games(generation, shard) for shard in shards]),
        np.concatenate([where.labels(generation, shard) for shard in shards]),
    )


@pytest.mark.parametrize("generation", [0, 1])
def test_positions_are_canonical_and_different(run: Path, generation: int) -> None:
    rows, _ = every(run, generation)
    assert folder.Folder(run).shards(generation) == 3
    boards = [Board(int(row["own"]), int(row["opp"])) for row in rows]
    assert all(board == board.canonical() and board.legal_moves for board in boards)
    assert len(set(boards)) == len(boards)
    assert rows["discs"].tolist() == [64 - board.empties for board in boards]
    # A game may be another one's picture from its first move to its last.
    assert set(rows["game"].tolist()) <= set(range(60))
    assert len(set(rows["game"].tolist())) > 50


@pytest.mark.parametrize("generation", [0, 1])
def test_labels_are_what_their_kinds_say(run: Path, generation: int) -> None:
    rows, labels = every(run, generation)
    few = 64 - rows["discs"] <= 8
    assert (labels["kind"][few] == positions.EXACT).all()
    for row, one in zip(rows[few][::20], labels[few][::20], strict=True):
        assert one["value"] == 128 * reversi_value(row)
    above = labels[~few]
    if generation == 0:
        assert (above["kind"] == positions.OUTCOME).all()
        assert (above["value"] == 128 * rows["outcome"][~few].astype(int)).all()
    else:
        assert set(above["kind"].tolist()) == {1, 2, positions.NO_LABEL}
        for depth in (1, 2):
            assert 0.2 < (above["kind"] == depth).mean() < 0.3
            searched = np.flatnonzero(labels["kind"] == depth)[::20]
            values = np.empty(len(searched), np.int16)
            boards = positions.boards_of(rows[searched])
            core.label(folder.Folder(run).teacher(1), boards, values, depth, 8)
            assert (values == labels["value"][searched]).all()


def reversi_value(row: np.void) -> int:
    import reversi

    value = reversi.solve(Board(int(row["own"]), int(row["opp"]))).value
    assert value is not None
    return value


@pytest.mark.parametrize("generation", [0, 1])
def test_a_report_measures_the_weights_of_the_file(run: Path, generation: int) -> None:
    where = folder.Folder(run)
    report, weights = where.report(generation), read_weights(where.weights_path(generation))
    data = examples.load(where, range(generation + 1), outcomes=generation == 0)
    for number in (10, 29):
        part = data.phase(number)
        rows = data._rows[data._bounds[number] : data._bounds[number + 1]]
        found = [weights.evaluate(int(row["own"]), int(row["opp"])) / 128 for row in rows]
        expected = deviations.merged(deviations.sums(part, np.array(found)), by=["set", "kind"])
        assert expected == report["phases"][number]["errors"]
        assert sum(one["n"] for one in expected) == len(part)
    if generation:
        assert {one["kind"] for one in report["total"]} == {"exact", "searched"}


def test_a_fit_learns(run: Path) -> None:
    _, labels = every(run, 0)
    report = folder.Folder(run).report(0)
    learned = {one["kind"]: one["mae"] for one in report["total"] if one["set"] == "training"}
    exact = labels["value"][labels["kind"] == positions.EXACT] / 128
    assert learned["exact"] < np.abs(exact).mean() / 2


def test_phases_without_positions_are_worth_something(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = folder.Folder(tmp_path)
    where.generation(0).mkdir()
    rows, labels = every(run, 0)
    late = rows["discs"] >= 12
    folder.write_array(where.games_path(0, 0), rows[late])
    folder.write_array(where.labels_path(0, 0), labels[late])
    written = []

    def write(path: Path, rows: np.ndarray, source: dict) -> None:
        written.append(rows)
        write_weights(path, rows, source)

    monkeypatch.setattr(fit, "write_weights", write)
    report = fit.fit(where, 0, fit.Settings(ridges=(100.0,)), lambda done, total: None)
    assert [phase["training"] > 0 for phase in report["phases"]] == [n > 3 for n in range(30)]
    first = core.weight_classes() - 64
    assert written[0][0][first + 4] == written[0][4][first + 12] != 0
    start = Board()
    # Sixty games tell little of the start, but not nothing.
    assert abs(read_weights(where.weights_path(0)).evaluate(start.own, start.opp)) < 8 * 128


def test_a_number_of_discs_is_expected_to_be_worth_what_two_more_are() -> None:
    first = core.weight_classes() - 64
    after = np.arange(core.weight_classes(), dtype=float)
    expected = fit._expected(core.phase(10), after)
    for n in range(64):
        same_phase = core.phase(n) == core.phase(10)
        assert expected[first + n] == after[first + n + 2 if same_phase else first + n]
    assert (expected[:first] == after[:first]).all()


def test_of_two_labels_the_later_holds(run: Path) -> None:
    where = folder.Folder(run)
    both, later = examples.load(where, [0, 1]), examples.load(where, [1])
    counts = {(one["generation"], one["kind"]): one["n"] for one in both.counts()}
    assert counts[1, "searched"] == {one["kind"]: one["n"] for one in later.counts()}["searched"]
    assert counts[0, "outcome"] < len(every(run, 0)[0])


def test_whole_games_are_held_out(run: Path) -> None:
    where = folder.Folder(run)
    data = examples.load(where, [0])
    held = set(data._rows["game"][data._held_out].tolist())
    rest = set(data._rows["game"][~data._held_out].tolist())
    assert held
    assert not held & rest


def test_reports_and_plots(run: Path, tmp_path: Path) -> None:
    plot = tmp_path / "errors.png"
    text = answer("train", "report", str(run), "--plot", str(plot))
    assert text.startswith("generation 1, errors in discs\n")
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert train("report", run, 0).startswith("generation 0")


def test_a_plot_with_nothing_held_out(run: Path, tmp_path: Path) -> None:
    shutil.copytree(run / "gen-0", tmp_path / "gen-0")
    path = tmp_path / "gen-0" / "report.json"
    report = json.loads(path.read_text())
    report["discs"] = [one for one in report["discs"] if one["set"] != "held out"]
    path.write_text(json.dumps(report))
    answer("train", "report", str(tmp_path), "--plot", str(tmp_path / "none.png"))
    assert (tmp_path / "none.png").exists()


def test_an_export_says_where_it_is_from(run: Path, tmp_path: Path) -> None:
    path = tmp_path / "eval.rvw"
    train("export", run, 1, str(path))
    assert path.read_bytes() == (run / "gen-1" / "weights.rvw").read_bytes()
    source = json.loads((tmp_path / "eval.rvw.json").read_text())
    assert source["sha256"] == read_header(path)["sha256"]
    assert source["generations"]["1"]["generate"]["seed"] == 5
    assert source["generations"]["1"]["label"]["weights"] == folder.Folder(run).teacher_id(1)
    assert source["code_sha256"] == source["exported_by"]["code_sha256"]
    assert source["code_sha256"] == read_header(path)["provenance"]["code_sha256"]
    assert {one["kind"] for one in source["examples"]} == {"exact", "searched"}
    assert len(source["errors_by_phase"]) == core.PHASES


def test_an_export_is_checked_and_whole(run: Path, tmp_path: Path) -> None:
    shutil.copytree(run / "gen-0", tmp_path / "gen-0")
    weights = tmp_path / "gen-0" / "weights.rvw"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    export = ("train", "export", str(tmp_path), "--generation", "0")
    assert "weights.rvw: damaged" in refusal(*export, str(tmp_path / "eval.rvw"))
    weights.write_bytes(whole)
    missing = tmp_path / "none" / "eval.rvw"
    assert refusal(*export, str(missing)).startswith(f"{missing}: ")
    assert [path.name for path in tmp_path.iterdir()] == ["gen-0"]


def test_weights_without_the_sources_checksum_can_be_exported(run: Path, tmp_path: Path) -> None:
    """As `fit` wrote them before."""
    shutil.copytree(run, tmp_path / "old")
    weights = tmp_path / "old" / "gen-1" / "weights.rvw"
    source = {**read_header(weights)["provenance"], "commit": None}
    del source["code_sha256"]
    write_deviations(weights, None, source)
    train("export", tmp_path / "old", 1, str(tmp_path / "eval.rvw"))
    found = json.loads((tmp_path / "eval.rvw.json").read_text())
    assert found["commit"] is None
    assert found["exported_by"] == provenance.of_code()


def test_code_without_git_is_known_by_its_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import reversi

    package = tmp_path / "reversi"
    (package / "core").mkdir(parents=True)
    for name in ("__init__.py", "_core.pyx", "core/board.pxd"):
        (package / name).write_text(name)
    monkeypatch.setattr(reversi, "__file__", str(package / "__init__.py"))
    code = provenance.of_code()
    assert "commit" not in code
    (package / "__init__.py").write_text("other")
    assert provenance.of_code() == code
    (package / "core" / "board.pxd").write_text("other")
    assert provenance.of_code()["code_sha256"] != code["code_sha256"]


# Multi-ProbCut

PROBCUT = ("--positions", "4", "--depth", "6", "--exact", "13")


@pytest.fixture
def cut(run: Path, tmp_path: Path) -> Path:
    """The run's generation 1, with deviations."""
    path = tmp_path / "cut"
    shutil.copytree(run, path)
    train("probcut", path, 1, *PROBCUT)
    return path


def test_deviations_are_put_beside_the_weights(run: Path, cut: Path) -> None:
    before, after = (path / "gen-1" / "weights.rvw" for path in (run, cut))
    assert read_deviations(before) is None
    assert read_header(before)["sha256"] == read_header(after)["sha256"]
    report = folder.Folder(cut).probcut(1)
    assert report is not None
    source = read_header(after)["provenance"]
    assert source["probcut"]["log_deviation"] == report["log_deviation"]
    assert source["fit"] == read_header(before)["provenance"]["fit"]
    table = read_deviations(after)
    assert table is not None
    most = 128 * report["most"] + 1
    for empties in range(65):
        for depth in range(65):
            there = 1 <= depth <= empties
            assert table[empties, depth] <= most if there else table[empties, depth] == 65535
            assert table[empties, depth] > 0


def test_a_report_and_an_export_tell_of_deviations(cut: Path, tmp_path: Path) -> None:
    text = train("report", cut, 1, "--plot", str(tmp_path / "both.png"))
    assert "deviation of a shallow search" in text
    assert "to the end" in text
    assert (tmp_path / "both.png").read_bytes().startswith(b"\x89PNG")
    train("export", cut, 1, str(tmp_path / "eval.rvw"))
    assert read_deviations(tmp_path / "eval.rvw") is not None
    source = json.loads((tmp_path / "eval.rvw.json").read_text())
    assert 1 <= source["probcut"]["positions"]["20"] <= 4
    # They belong to the weights that they were measured with.
    train("fit", cut, 1, "--ridge", "30")
    assert read_deviations(cut / "gen-1" / "weights.rvw") is None
    assert "deviation of a shallow search" not in train("report", cut, 1)


def test_deviations_do_not_depend_on_threads_or_what_was_there(cut: Path) -> None:
    where = cut / "gen-1" / "weights.rvw"
    before = where.read_bytes()
    write_deviations(where, None, read_header(where)["provenance"])
    train("probcut", cut, 1, *PROBCUT, "--threads", "3")
    assert where.read_bytes() == before
    train("probcut", cut, 1, *PROBCUT, "--seed", "2")
    assert where.read_bytes() != before


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
def test_a_killed_measurement_goes_on(cut: Path) -> None:
    where = cut / "gen-1" / "weights.rvw"
    before = where.read_bytes()
    arguments = ["probcut", str(cut), "--generation", "1", *PROBCUT]
    for empties in (12, 20):
        break_off_if_possible(cut, arguments, f"gen-1/probcut/empties-{empties}.npy")
    answer("train", *arguments)
    assert where.read_bytes() == before
    assert not (cut / "gen-1" / "probcut").exists()


def test_values_are_those_of_searches(run: Path) -> None:
    where = folder.Folder(run)
    weights = read_weights(where.weights_path(1))
    rows, _ = every(run, 1)
    settings = probcut.Settings(positions=1, depth=4, exact=11, seed=1)
    for row in rows[rows["discs"] >= 50][::40]:
        own, opp = int(row["own"]), int(row["opp"])
        empties = 64 - int(row["discs"])
        values = probcut.values_of(weights, own, opp, 6, settings)
        for depth in range(7):
            wanted = np.empty(1, np.int16)
            core.label(weights, positions.boards_of(row[None]), wanted, depth, 0)
            assert values[depth] == (wanted[0] if depth < empties else spread.NONE)
        exact = 128 * reversi_value(row) if empties <= 11 else spread.NONE
        assert values[7] == exact


def test_a_model_finds_the_deviations_it_was_made_of() -> None:
    rng = np.random.default_rng(1)
    factors = {
        "first": (1.6, 0.5, -2.0),
        "middle": (1.4, 1.8, -5.1, 0.2, -0.4, 0.7),
        "end": (1.6, 0.2, -0.3),
    }
    made = spread.Model(factors, least=0.1, most=90.0)
    bands = {}
    for empties in probcut.BANDS:
        values = np.full((2000, 12), spread.NONE, np.int16)
        values[:, 0] = 0
        for depth in range(1, min(11, empties)):
            shallow = spread.shallow_depth(depth)
            values[:, depth] = values[:, shallow] + 128 * made.deviation(
                empties, depth
            ) * rng.normal(size=2000)
        if empties <= 18:
            shallow = spread.shallow_depth(empties)
            wide = made.deviation(empties, empties)
            values[:, 11] = values[:, shallow] + 128 * wide * rng.normal(size=2000)
        bands[empties] = values
    every_pair = [one for n, values in bands.items() for one in spread.measured(n, values)]
    measured = [one for one in every_pair if one.used]
    found = spread.fit(measured, "here")
    for empties, depth in [
        (30, 1),
        (12, 5),
        (20, 10),
        (30, 14),
        (40, 20),
        (52, 8),
        (14, 14),
        (24, 24),
    ]:
        ratio = found.deviation(empties, depth) / made.deviation(empties, depth)
        assert 0.9 < ratio < 1.1
    for kind in factors:
        assert spread.error(found, measured, kind) < 0.04
        for step in spread.coverage(found, bands, kind):
            assert abs(step["wanted"] - step["found"]) < 0.02


def test_probcut_out_of_order(tmp_path: Path) -> None:
    where = ("train", "probcut", str(tmp_path), "--generation", "0")
    assert "weights.rvw is missing" in refusal(*where)
    assert "--exact" in refusal(*where, "--exact", "9")


# Breaking off and going on


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
        arguments = ["fit", str(path), "--generation", str(generation), "--ridge", "100"]
        arguments += ["--with", "0"] * generation
        break_off_if_possible(path, arguments, f"gen-{generation}/fit/phase-20.json")
        answer("train", *arguments)
        header = read_header(path / f"gen-{generation}" / "weights.rvw")
        wanted = read_header(run / f"gen-{generation}" / "weights.rvw")
        assert header["sha256"] == wanted["sha256"]
    assert files(path) == files(run)


def break_off_if_possible(path: Path, arguments: list[str], wanted: str) -> None:
    process = begin(*arguments)
    end = time.monotonic() + PATIENCE_S
    while process.poll() is None and not (path / wanted).exists():
        assert time.monotonic() < end
    process.kill()
    process.communicate(timeout=PATIENCE_S)


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


# What is refused


@pytest.mark.parametrize(
    ("step", "option", "value", "named"),
    [
        ("generate", "--seed", "6", "plan.json: generation 1, generate: seed is 5, not 6"),
        ("generate", "--depth", "3", "generate: depth is 2, not 3"),
        ("generate", "--shard-games", "10", "shard_games is 20, not 10"),
        ("generate", "--games", "59", "has 60 games; 59 are fewer"),
        ("label", "--exact", "9", "generation 1, label: exact is 8, not 9"),
        ("label", "--sample", "0.6", "label: sample is 0.5, not 0.6"),
    ],
)
def test_other_settings(run: Path, step: str, option: str, value: str, named: str) -> None:
    assert named in refusal("train", step, str(run), "--generation", "1", option, value)


def test_a_core_that_labels_otherwise(run: Path, tmp_path: Path) -> None:
    shutil.copytree(run, tmp_path / "run")
    where = folder.Folder(tmp_path / "run")
    plan = json.loads(where.plan_path.read_text())
    step = plan["generations"]["1"]["label"]
    recorded, step["first_labels"] = step["first_labels"], "0" * 16
    where.plan_path.write_text(json.dumps(plan))
    said = refusal("train", "label", str(where.path), "--generation", "1")
    assert f"generation 1, label: first_labels is '{'0' * 16}', not {recorded!r}" in said
    # A plan from before has none, and gets it.
    del step["first_labels"]
    where.plan_path.write_text(json.dumps(plan))
    train("label", where.path, 1)
    assert (where.settings(1, "label") or {})["first_labels"] == recorded


def test_steps_out_of_order(tmp_path: Path) -> None:
    where = str(tmp_path)
    assert "gen-0 has no games" in refusal("train", "label", where, "--generation", "0")
    assert "no labelled positions" in refusal("train", "fit", where, "--generation", "0")
    assert "no generation fitted yet" in refusal("train", "report", where)
    arguments = ("--generation", "1", "--games", "5")
    assert "gen-0/weights.rvw is missing" in refusal("train", "generate", where, *arguments)
    train("generate", tmp_path, 0, "--games", "5")
    assert "labels-00000.npy is missing" in refusal("train", "fit", where, "--generation", "0")
    assert "weights.rvw is missing" in refusal(
        "train", "export", where, "--generation", "0", str(tmp_path / "x.rvw")
    )


def test_files_that_were_damaged(tmp_path: Path) -> None:
    for _ in range(2):
        train("generate", tmp_path, 0, "--games", "5")
        path = tmp_path / "gen-0" / "games-00000.npy"
        whole = path.read_bytes()
        for data in (whole[:-5], b"", b"nothing"):
            path.write_bytes(data)
            said = refusal("train", "label", str(tmp_path), "--generation", "0")
            assert "games-00000.npy: damaged" in said
        np.save(path, np.zeros(3))
        said = refusal("train", "label", str(tmp_path), "--generation", "0")
        assert "games-00000.npy: holds float64" in said
        path.unlink()
    (tmp_path / "plan.json").write_text("{")
    said = refusal("train", "generate", str(tmp_path), "--generation", "0", "--games", "5")
    assert "plan.json: not JSON" in said


def test_a_missing_extra_is_named() -> None:
    code = (
        "import importlib.util, sys\n"
        "found = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *a: None if name == 'scipy' else found(name, *a)\n"
        "from reversi.cli import main\n"
        "main(['train', 'report', 'nowhere'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == (
        "reversi: error: scipy not installed: needs pip install 'reversi-engine[train]'\n"
    )


def test_the_help_loads_no_extra() -> None:
    code = (
        "import sys; from reversi.cli import main\n"
        "try: main(['train', 'fit', '--help'])\n"
        "finally: assert not {'numpy', 'scipy'} & set(sys.modules)"
    )
    subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, stdout=subprocess.DEVNULL, check=True
    )
    assert reversi_command("train", "--help").returncode == 0


# The pieces


@given(st.lists(disjoint, min_size=1, max_size=4))
def test_each_position_is_kept_once(shards: list[list[Pair]]) -> None:
    seen, known = np.empty(0, np.uint64), set()
    for pairs in shards:
        rows = np.zeros(len(pairs), positions.ROW)
        rows["own"], rows["opp"] = arrays(pairs)
        kept, seen = generate._unseen(rows, seen)
        expected = list(dict.fromkeys(pair for pair in pairs if pair not in known))
        assert list(zip(kept["own"].tolist(), kept["opp"].tolist(), strict=True)) == expected
        known.update(pairs)
        assert sorted(seen.tolist()) == seen.tolist()
    assert len(seen) == len(known)


def test_a_sample_belongs_to_its_position_alone() -> None:
    rows = np.frombuffer(core.play_games(None, 1, 0, 20, 1), positions.ROW)
    settings = label.Settings(depth=4, exact=10, sample=0.3)
    kinds = label.kinds_of(rows, settings, searched=True)
    parts = [label.kinds_of(rows[n : n + 1], settings, searched=True)[0] for n in range(len(rows))]
    assert kinds.tolist() == parts
    assert set(kinds.tolist()) == {positions.EXACT, 3, 4, positions.NO_LABEL}

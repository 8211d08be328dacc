"""Training: tiny real runs of the steps, by the command, and what they leave in their folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import networks
import pytest
from commandline import answer, refusal, reversi_command
from training_kit import every, np, reversi_value, train

from reversi import Board
from reversi._load import core
from reversi.cli import words
from reversi.training import deviations, examples, fit, folder, positions, provenance
from reversi.weights import read_header, read_parts, read_weights, write_deviations

pytest_plugins = ("trainingfixtures",)


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


@pytest.mark.parametrize("generation", [0, 1])
def test_a_report_measures_the_weights_of_the_file(run: Path, generation: int) -> None:
    where = folder.Folder(run)
    report, weights = where.report(generation), read_weights(where.weights_path(generation))
    data = examples.load(where, range(generation + 1), outcomes=generation == 0)
    found = [weights.evaluate(int(own), int(opp)) / 128 for own, opp in data.boards]
    sums = deviations.sums(data, np.array(found))
    assert deviations.merged(sums, by=["set", "kind"]) == report["total"]
    assert deviations.merged(sums, by=["phase", "set", "kind"]) == report["phases"]
    assert sum(one["n"] for one in report["discs"]) == len(data)
    if generation:
        assert {one["kind"] for one in report["total"]} == {"exact", "searched"}


def test_a_fit_to_few_positions_warns_of_it(run: Path, tmp_path: Path) -> None:
    shutil.copytree(run, tmp_path / "run")
    arguments = ("fit", str(tmp_path / "run"), "--generation", "0", "--epochs", "1")
    said = reversi_command("train", *arguments).stderr
    assert said == (
        f"reversi: fit: {len(every(run, 0)[0]):,} labelled positions are too few for weights that"
        " play well; 1,000,000 or more are reasonable\n"
    )


def test_a_fit_learns(run: Path) -> None:
    _, labels = every(run, 0)
    report = folder.Folder(run).report(0)
    learned = {one["kind"]: one["mae"] for one in report["total"] if one["set"] == "training"}
    exact = labels["value"][labels["kind"] == positions.EXACT] / 128
    assert learned["exact"] < np.abs(exact).mean() / 2


def test_a_report_tells_of_each_epoch(run: Path, tmp_path: Path) -> None:
    where = folder.Folder(run)
    epochs = where.report(0)["epochs"]
    count = int((~examples.load(where, [0]).held_out).sum())
    assert [one["training"] for one in epochs] == [count] * fit.EPOCHS
    assert epochs[-1]["rmse"] < 0.7 * epochs[0]["rmse"]
    shutil.copytree(run, tmp_path / "run")
    text = train("fit", tmp_path / "run", 0, "--epochs", "2")
    found = folder.Folder(tmp_path / "run").report(0)
    assert len(found["epochs"]) == found["settings"]["epochs"] == 2
    for number, one in enumerate(found["epochs"], 1):
        row = f"{number} {words.count(count)} {one['rmse']:.3f}"
        assert any(" ".join(line.split()).startswith(row) for line in text.splitlines())


def test_what_no_position_has_is_worth_nothing(run: Path) -> None:
    where = folder.Folder(run)
    data = examples.load(where, [0])
    seen = networks.classes_of(data.boards)
    rows = np.array(read_parts(where.weights_path(0))[0])
    unseen = np.setdiff1d(np.arange(len(rows)), seen)
    assert len(unseen) > 0 and not rows[unseen].any()
    # Held-out positions are not learned from.
    only_held_out = np.setdiff1d(seen[data.held_out], seen[~data.held_out])
    assert len(only_held_out) > 0 and not rows[only_held_out].any()
    assert rows[seen[~data.held_out]].any()


def test_the_errors_are_summed_by_group(run: Path) -> None:
    data = examples.load(folder.Folder(run), [1], outcomes=False)
    guesses = np.random.default_rng(1).normal(0, 5, len(data))
    found = deviations.sums(data, guesses)
    for one in found[:: max(1, len(found) // 9)]:
        group = (data.discs == one["discs"]) & (data.held_out == (one["set"] == "held out"))
        group &= [positions.kind_name(kind) == one["kind"] for kind in data.kinds.tolist()]
        errors = (guesses - data.values)[group]
        assert one["n"] == group.sum()
        assert one["phase"] == min((one["discs"] - 4) // 2, 29)
        for name, some in (("sum", errors), ("sum_abs", abs(errors)), ("sum_squares", errors**2)):
            assert one[name] == pytest.approx(some.sum())
    assert sum(one["n"] for one in found) == len(data)


def test_of_two_labels_the_later_holds(run: Path) -> None:
    where = folder.Folder(run)
    both, later = examples.load(where, [0, 1]), examples.load(where, [1])
    counts = {(one["generation"], one["kind"]): one["n"] for one in both.counts()}
    assert counts[1, "searched"] == {one["kind"]: one["n"] for one in later.counts()}["searched"]
    assert counts[0, "outcome"] < len(every(run, 0)[0])


def test_whole_games_are_held_out(run: Path) -> None:
    where = folder.Folder(run)
    data = examples.load(where, [0])
    held = set(data._rows["game"][data.held_out].tolist())
    rest = set(data._rows["game"][~data.held_out].tolist())
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
    assert {one["phase"] for one in source["errors_by_phase"]} == set(range(30))


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

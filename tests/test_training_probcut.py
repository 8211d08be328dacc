"""Calibration and Multi-ProbCut: what deeper searches make of a generation's weights."""

from __future__ import annotations

import json
from pathlib import Path

import networks
from commandline import answer, refusal, reversi_command
from training_kit import PROBCUT, every, np, reversi_value, train

from reversi._load import core
from reversi.training import folder, positions, probcut, spread
from reversi.weights import (
    read_deviations,
    read_header,
    read_parts,
    read_weights,
    write_deviations,
    write_weights,
)

pytest_plugins = ("trainingfixtures",)


def test_calibration_takes_back_what_a_constant_is_off(run: Path, tmp_path: Path) -> None:
    where = folder.Folder(tmp_path)
    where.generation(1).mkdir()
    rows, _ = every(run, 1)
    folder.write_array(where.games_path(1, 0), rows)
    where.agree(1, "label", {"exact": 34})
    first = core.weight_classes() - 64
    wrong, layers = networks.zeros()
    wrong[first + 20, 0] = 3 * core.UNIT // core.DIRECT
    write_weights(where.weights_path(1), wrong, layers, {"kept": 1})
    where_and_which = (str(tmp_path), "--generation", "1")
    answer("train", "calibrate", *where_and_which, "--depth", "2", "--positions", "20")
    assert not np.array(read_parts(where.weights_path(1))[0]).any()
    provenance = read_header(where.weights_path(1))["provenance"]
    moved = {one["discs"]: one["moved"] for one in provenance["calibration"]["moved"]}
    assert provenance["kept"] == 1
    assert max(moved) == 29
    assert {discs for discs, by in moved.items() if by} == {20}
    assert moved[20] == -3


def test_calibration_needs_weights_and_an_even_depth(tmp_path: Path) -> None:
    arguments = ("train", "calibrate", str(tmp_path), "--generation", "0")
    assert "weights.rvw is missing" in refusal(*arguments)
    assert "--depth is 3; expected an even number" in refusal(*arguments, "--depth", "3")


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
    train("fit", cut, 1, "--epochs", "1")
    assert read_deviations(cut / "gen-1" / "weights.rvw") is None
    assert "deviation of a shallow search" not in train("report", cut, 1)


def test_few_held_out_positions_are_warned_of(cut: Path) -> None:
    said = reversi_command("train", "probcut", str(cut), "--generation", "1", *PROBCUT).stderr
    report = folder.Folder(cut).probcut(1)
    assert report is not None
    assert said == (
        f"reversi: probcut: {min(report['positions'].values())} held-out positions of a number of"
        " empty squares are too few; 100 or more are reasonable, for which some 2,000 games are"
        " needed\n"
    )


def test_deviations_do_not_depend_on_threads_or_what_was_there(cut: Path) -> None:
    where = cut / "gen-1" / "weights.rvw"
    before = where.read_bytes()
    write_deviations(where, None, read_header(where)["provenance"])
    train("probcut", cut, 1, *PROBCUT, "--threads", "3")
    assert where.read_bytes() == before
    train("probcut", cut, 1, *PROBCUT, "--seed", "2")
    assert where.read_bytes() != before


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

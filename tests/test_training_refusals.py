"""What the steps of training refuse."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commandline import ENVIRONMENT, refusal, reversi_command
from training_kit import np, train

from reversi.training import folder

pytest_plugins = ("trainingfixtures",)


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


def test_a_folder_of_another_network(tmp_path: Path) -> None:
    train("generate", tmp_path, 0, "--games", "2")
    plan = json.loads((tmp_path / "plan.json").read_text())
    # As folders were before: a plan named the patterns alone.
    wanted = plan.pop("network")
    for other in ({"patterns": "0" * 16}, {"network": "0" * 16}):
        (tmp_path / "plan.json").write_text(json.dumps({**plan, **other}))
        said = refusal("train", "label", str(tmp_path), "--generation", "0")
        assert f"network is {other.get('network')!r}; this package has {wanted!r}" in said


def test_a_missing_extra_is_named() -> None:
    code = (
        "import importlib.util, sys\n"
        "found = importlib.util.find_spec\n"
        "absent = 'matplotlib'\n"
        "importlib.util.find_spec = lambda name, *a: None if name == absent else found(name, *a)\n"
        "from reversi.cli import main\n"
        "main(['train', 'report', 'nowhere'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == (
        "reversi: error: matplotlib not installed: needs pip install 'reversi-engine[train]'\n"
    )


def test_the_help_loads_no_extra() -> None:
    code = (
        "import sys; from reversi.cli import main\n"
        "try: main(['train', 'fit', '--help'])\n"
        "finally: assert not {'numpy', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, stdout=subprocess.DEVNULL, check=True
    )
    assert reversi_command("train", "--help").returncode == 0

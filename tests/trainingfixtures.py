"""Fixtures for the tests of training: folders in which the steps were run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from training_kit import GENERATE, LABEL, PROBCUT, train


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two generations."""
    path = tmp_path_factory.mktemp("training") / "run"
    for generation in (0, 1):
        train("generate", path, generation, *GENERATE)
        train("label", path, generation, *LABEL)
        train("fit", path, generation, *["--with", "0"] * generation)
    return path


@pytest.fixture
def cut(run: Path, tmp_path: Path) -> Path:
    """The run's generation 1, with deviations."""
    path = tmp_path / "cut"
    shutil.copytree(run, path)
    train("probcut", path, 1, *PROBCUT)
    return path

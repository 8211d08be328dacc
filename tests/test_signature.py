"""The node counts of a fixed set of searches, in every build of the core that runs here."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import reversi

SCRIPT = Path(__file__).parents[1] / "bench" / "signature.py"
PACKAGE = Path(reversi.__file__).parents[1]
INFO = reversi.cpu_info()


@pytest.mark.parametrize("build", [name for name in INFO.builds if name in INFO.supported])
def test_the_signature_is_as_kept(build: str) -> None:
    environment = {**os.environ, "REVERSI_CPU": build, "PYTHONPATH": str(PACKAGE)}
    run = subprocess.run(
        [sys.executable, str(SCRIPT)], env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert build in run.stdout

"""The calls that docs/web-api.md shows, made word for word."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import PATIENCE_S
from webserver import Server, need_the_extra, running

need_the_extra()
if not shutil.which("curl"):
    pytest.skip("needs curl", allow_module_level=True)

TEXT = (Path(__file__).parents[1] / "docs" / "web-api.md").read_text(encoding="utf-8")
CALLS = re.findall(r"```sh\n(curl .*?)```", TEXT, re.DOTALL)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running() as it:
        yield it


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.split()[2].rpartition("/api/")[2])
def test_the_call(server: Server, call: str) -> None:
    call = call.replace("http://127.0.0.1:8000/", server.address)
    done = subprocess.run(
        ["sh", "-c", call], capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    assert '"error"' not in done.stdout
    assert done.stdout.startswith(": searching\n" if "/stream" in call else "{")
    assert "/stream" not in call or "event: result" in done.stdout


def test_every_path_is_told() -> None:
    from reversi.web import create_app

    for path in create_app().openapi()["paths"]:
        assert path in TEXT

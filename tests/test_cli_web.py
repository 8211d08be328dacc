"""`reversi web` as a command: its address, the browser, its end."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from commandline import ENVIRONMENT, PATIENCE_S, refusal, reversi_command
from webserver import need_the_extra, running


def test_a_missing_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['fastapi'] = None\n"
        "from reversi.cli import main; main(['web', '--no-browser'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (
        "reversi: error: fastapi not installed: needs pip install 'reversi-engine[web]'\n"
    )


def test_the_help() -> None:
    done = reversi_command("web", "--help")
    assert done.returncode == 0
    assert "--no-browser" in done.stdout
    assert "reversi-engine[web]" in done.stdout


class TestServer:
    @pytest.fixture(autouse=True)
    def _extra(self) -> None:
        need_the_extra()

    def test_control_c_ends_it_and_its_searches(self) -> None:
        with running() as server:
            body = b'{"limit": {"time_ms": 60000}}'
            headers = {"content-type": "application/json"}
            asked = Request(server.address + "api/search/stream", body, headers)
            with urlopen(asked, timeout=PATIENCE_S) as stream:
                assert stream.readline() == b": searching\n"
                server.process.send_signal(signal.SIGINT)
                assert b"event: result" in stream.read()
            assert server.process.wait(PATIENCE_S) == 130
            assert server.process.stderr is not None
            assert server.process.stderr.read().strip() == ""

    def test_a_port_that_is_taken(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            message = refusal("web", "--no-browser", "--port", port)
            assert message.startswith(f"cannot listen on 127.0.0.1:{port}: ")

    def test_the_next_port_is_taken_where_none_is_asked_for(self) -> None:
        from reversi.web.serve import listen

        with listen("127.0.0.1", None) as first, listen("127.0.0.1", None) as second:
            assert second.getsockname()[1] > first.getsockname()[1] >= 8000

    def test_an_address_that_is_not_ours(self) -> None:
        message = refusal("web", "--no-browser", "--host", "192.0.2.1", "--port", "0")
        assert message.startswith("cannot listen on 192.0.2.1:0: ")
        message = refusal("web", "--no-browser", "--host", "no such host")
        assert message.startswith("cannot listen on no such host")
        message = refusal("web", "--no-browser", "--host", "a..b")
        assert message == "cannot listen on a..b: no name of a host"

    def test_the_browser_comes_when_the_page_is_there(self, tmp_path: Path) -> None:
        fetch = tmp_path / "fetch.py"
        fetch.write_text(
            "import sys, urllib.request\n"
            "page = urllib.request.urlopen(sys.argv[1]).read()\n"
            f"open({str(tmp_path / 'page')!r}, 'wb').write(page)\n"
        )
        with running(BROWSER=f"{sys.executable} {fetch} %s") as server:
            page, end = tmp_path / "page", time.monotonic() + PATIENCE_S
            while not page.exists() or not page.read_bytes():
                assert server.process.poll() is None
                assert time.monotonic() < end, "no browser came"
                time.sleep(0.01)
            assert b"<title>" in page.read_bytes()

"""What the measurements share: a place for the figures that a table of times does not show."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import reversi

_NOTES: list[str] = []


@pytest.fixture
def note(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Return what takes a line for the summary at the end of the run."""
    return lambda line: _NOTES.append(f"{request.node.name}: {line}")


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.section(f"figures ({reversi.cpu_info().build} core)")
    for line in _NOTES:
        terminalreporter.write_line(line)

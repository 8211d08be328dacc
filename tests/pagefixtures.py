"""Fixtures for the tests of the page: a server, a browser, and pages that are watched."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from webpage import Witness
from webserver import Server, running

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with running("--searches", "3", "--max-threads", "2") as it:
        yield it


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if program is None:
        pytest.skip(f"needs a browser: {', '.join(_BROWSERS)}")
    with sync_playwright() as playwright:
        it = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield it
        it.close()


@pytest.fixture
def witness(browser: Browser, server: Server) -> Iterator[Witness]:
    it = Witness(browser, server.address)
    yield it
    for context in it.contexts:
        context.close()
    assert it.complaints == []
    assert it.foreign == []
    assert it.refusals == 0


@pytest.fixture
def open_page(witness: Witness) -> Callable[..., Page]:
    return witness.open

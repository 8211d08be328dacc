"""Fixtures for the tests of the API: a server, a client, callers that come and go."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest
from commandline import PATIENCE_S
from webapi import SEARCHES, Caller, wait_for_places
from webserver import Server, running


@pytest.fixture(scope="session")
def api() -> Iterator[Server]:
    with running("--searches", str(SEARCHES), "--max-threads", "2", "--max-time-ms", "20000") as it:
        yield it


@pytest.fixture
def client(api: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=api.address, timeout=PATIENCE_S) as it:
        yield it


@pytest.fixture
def call(api: Server, client: httpx.Client) -> Iterator[Callable[[str, object], Caller]]:
    """Makes callers; all of them go at the end, and the next test finds their places free."""
    callers = []

    def call(path: str, body: object) -> Caller:
        callers.append(Caller(api, path, body))
        return callers[-1]

    yield call
    for caller in callers:
        caller.go()
    wait_for_places(client)

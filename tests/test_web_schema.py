"""Requests made up from the API's own description: none makes the server fail, every answer is one
that the description knows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from webserver import Server, need_the_extra, running

need_the_extra("schemathesis")
schemathesis = pytest.importorskip("schemathesis")

from hypothesis import HealthCheck, settings  # noqa: E402
from schemathesis.specs.openapi.checks import positive_data_acceptance  # noqa: E402

from reversi.web import create_app  # noqa: E402

EXAMPLES = 25
schema = schemathesis.openapi.from_dict(create_app().openapi())


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running("--max-time-ms", "20", "--searches", "4") as it:
        yield it


@schema.parametrize()
@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_api_does_what_it_describes(case, server: Server) -> None:
    # Which moves are legal no schema tells.
    case.call_and_validate(base_url=server.address, excluded_checks=[positive_data_acceptance])

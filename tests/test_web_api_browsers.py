"""What browsers are given and told, and the files of the page: a real server, real HTTP."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import socket

import pytest
from commandline import PATIENCE_S
from webserver import Server, need_the_extra, running

need_the_extra("httpx")
import httpx  # noqa: E402
from webapi import refused  # noqa: E402

from reversi.web import pages  # noqa: E402
from reversi.web.about import describe_server  # noqa: E402
from reversi.web.app import create_app  # noqa: E402
from reversi.web.settings import Settings  # noqa: E402

pytest_plugins = ("apifixtures",)


def test_every_answer_has_the_security_headers(client: httpx.Client) -> None:
    answers = [
        client.get("/"),
        client.get("/static/docs.css"),
        client.get("/docs"),
        client.get("/api"),
        client.get("/nothing"),
        client.post("/api/position", json={}),
        client.post("/api/position", content=b"{"),
        client.post("/api/search/stream", json={"limit": {"depth": 1}}),
        client.get("/", headers={"host": "elsewhere.example"}),
    ]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy and "http" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "camera=()" in answer.headers["permissions-policy"]
        assert "set-cookie" not in answer.headers
        assert "server" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers
    assert all(answer.headers["cache-control"] == "no-store" for answer in answers[3:])


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost:8000", "LOCALHOST", "[::1]:9", "127.1.2.3"]
)
def test_names_of_this_machine(client: httpx.Client, host: str) -> None:
    assert client.get("/api", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "10.0.0.1", "", "[::1"])
def test_other_names_are_refused(client: httpx.Client, host: str) -> None:
    refused(client.get("/api", headers={"host": host}), 403, "host")
    refused(client.post("/api/position", json={}, headers={"host": host}), 403, "host")


def test_pages_of_other_sites_are_refused(api: Server, client: httpx.Client) -> None:
    own = api.address.rstrip("/")
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", own.replace("127", "128")):
        answer = client.post("/api/position", json={}, headers={"origin": origin})
        refused(answer, 403, "origin")
    assert client.post("/api/position", json={}, headers={"origin": own}).status_code == 200
    preflight = client.options("/api/position", headers={"origin": "http://evil.example"})
    assert preflight.status_code == 403


def test_all_names_are_good_where_all_may_ask() -> None:
    with running("--host", "0.0.0.0") as server:
        assert server.address.startswith("http://127.0.0.1:")
        answer = httpx.get(server.address + "api", headers={"host": "games.example"})
        assert answer.status_code == 200


# --- Files ----------------------------------------------------------------------------------------


def test_files_are_packed_and_asked_for_again(client: httpx.Client) -> None:
    plain = client.get("/static/docs.css", headers={"accept-encoding": "identity"})
    assert plain.headers["content-type"] == "text/css; charset=utf-8"
    assert "content-encoding" not in plain.headers
    with client.stream("GET", "/static/docs.css", headers={"accept-encoding": "gzip"}) as packed:
        body = b"".join(packed.iter_raw())
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == plain.content
    assert len(body) == int(packed.headers["content-length"]) < len(plain.content)
    headers = {"if-none-match": plain.headers["etag"]}
    again = client.get("/static/docs.css", headers=headers)
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == plain.headers["etag"]
    assert client.get("/static/docs.css", headers={"if-none-match": '"x"'}).status_code == 200
    assert client.head("/").status_code == 200


def test_what_the_page_brings_cannot_end_its_element(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = describe_server(Settings()).model_copy(update={"build": "</script><b>"})
    monkeypatch.setattr(pages, "describe_server", lambda settings: odd)
    app = httpx.ASGITransport(create_app())

    async def asked() -> str:
        async with httpx.AsyncClient(transport=app, base_url="http://localhost") as client:
            return (await client.get("/")).text

    brought = re.search('id="server">(.*?)</script>', asyncio.run(asked()))
    assert json.loads(brought[1])["build"] == "</script><b>"


@pytest.mark.parametrize(
    "path",
    [
        "../app.py",
        "%2e%2e/app.py",
        "..%2fapp.py",
        "/etc/passwd",
        "",
        "css",
        "nothing.js",
        "a%00.js",
        "a" * 5000 + ".js",
    ],
)
def test_no_other_file_is_given(api: Server, path: str) -> None:
    with socket.create_connection(api.place, PATIENCE_S) as caller:
        caller.sendall(f"GET /static/{path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
        assert caller.recv(1000).startswith(b"HTTP/1.1 404 ")


def test_the_description(client: httpx.Client) -> None:
    description = client.get("/openapi.json").json()
    listing = client.get("/docs").text
    assert "<script" not in listing and "style=" not in listing
    assert "http://" not in listing.replace("http://127.0.0.1:8000/", "")
    for path, operations in description["paths"].items():
        assert path in listing
        for operation in operations.values():
            assert operation["description"]
            assert "HTTPValidationError" not in json.dumps(operation)
    schemas = description["components"]["schemas"]
    for name in re.findall('"#/components/schemas/([^"]+)"', json.dumps(description)):
        assert name in schemas


def test_the_page_brings_what_the_server_says(client: httpx.Client) -> None:
    page = client.get("/")
    element = re.search(r'<script type="application/json" id="server">(.*?)</script>', page.text)
    assert element is not None
    about = json.loads(element[1])
    assert about == client.get("/api").json()
    assert about["start"] == client.post("/api/position", json={}).json()
    assert (about["time_ms_max"], about["time_ms_usual"]) == (20_000, 4000)
    assert client.get("/").headers["etag"] == page.headers["etag"]
    assert client.get("/", headers={"if-none-match": page.headers["etag"]}).status_code == 304
    # Only where it is filled in.
    assert client.get("/static/index.html").status_code == 404

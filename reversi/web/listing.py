"""The page ``/docs``: the API's own description for people to read, without a script."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

Schema = dict[str, Any]


def listing(app: FastAPI) -> Route:
    """The route of the page for an app."""

    async def docs(_request: Request) -> HTMLResponse:
        return HTMLResponse("".join(_Page(app.openapi()).html()))

    return Route("/docs", docs)


class _Page:
    """The page of one description."""

    def __init__(self, description: Schema) -> None:
        self._description = description

    def html(self) -> Iterator[str]:
        info = self._description["info"]
        title = f"{info['title']} {info['version']}"
        yield (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(title)}: the API</title>"
            '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">'
            '<link rel="stylesheet" href="/static/docs.css"></head><body><main>'
            f"<h1>{escape(title)}: the API</h1><p>{_text(info['description'])}</p>"
            '<p>For programs: <a href="/openapi.json">openapi.json</a>.</p>'
        )
        for path, operations in self._description["paths"].items():
            for method, operation in operations.items():
                yield from self._operation(method.upper(), path, operation)
        yield from self._errors()
        yield "</main></body></html>"

    def _operation(self, method: str, path: str, operation: Schema) -> Iterator[str]:
        yield f"<section><h2><b>{method}</b> {escape(path)}</h2>"
        yield f"<p>{_text(operation['description'])}</p>"
        body = operation.get("requestBody")
        if body:
            schema = self._known(body["content"]["application/json"]["schema"])
            yield "<h3>Body</h3>" + self._table(schema)
            call = _curl(path, self._example(schema))
            yield f'<pre tabindex="0"><code>{escape(call)}</code></pre>'
        answers = operation["responses"]
        [(media_type, content)] = answers["200"]["content"].items()
        for event in content.get("itemSchema", {}).get("oneOf", ()):
            name = event["properties"]["event"]["const"]
            yield f"<h3>Event <code>{name}</code></h3>"
            yield self._table(self._known(event["properties"]["data"]["contentSchema"]))
        if media_type == "application/json":
            yield "<h3>Answer</h3>" + self._table(self._known(content["schema"]))
        statuses = " ".join(status for status in answers if status != "200")
        yield f"<h3>Errors</h3><p>{statuses}</p></section>"

    def _errors(self) -> Iterator[str]:
        """What each status means, and what comes with it."""
        told = {
            status: answer["description"]
            for operations in self._description["paths"].values()
            for operation in operations.values()
            for status, answer in operation["responses"].items()
        }
        yield "<section><h2>Errors</h2><dl>"
        for status in sorted(told.keys() - {"200"}):
            yield f"<dt>{status}</dt><dd>{_text(told[status])}</dd>"
        yield "</dl>" + self._table(self._known({"$ref": "/ErrorAnswer"})) + "</section>"

    def _table(self, schema: Schema) -> str:
        rows = "".join(self._rows(schema, ""))
        return f'<table tabindex="0"><tr><th>field<th>type<th></tr>{rows}</table>'

    def _rows(self, schema: Schema, prefix: str) -> Iterator[str]:
        for name, field in schema["properties"].items():
            inner = self._inner(field)
            cells = (prefix + name, self._type(field))
            yield "<tr>" + "".join(f"<td><code>{escape(cell)}</code>" for cell in cells)
            text = field.get("description", inner.get("description", ""))
            if "default" in field and "properties" not in inner:
                text += f" Default: `{json.dumps(field['default'])}`."
            yield f"<td>{_text(text)}</tr>"
            if "properties" in inner:
                mark = "[]." if field.get("type") == "array" else "."
                yield from self._rows(inner, prefix + name + mark)

    def _inner(self, field: Schema) -> Schema:
        """The object that a field holds, or a list of which it is."""
        for choice in field.get("anyOf", (field,)):
            schema = self._known(choice.get("items", choice))
            if "properties" in schema:
                return schema
        return {}

    def _type(self, field: Schema) -> str:
        if "anyOf" in field:
            return " or ".join(self._type(choice) for choice in field["anyOf"])
        if "enum" in field:
            return ", ".join(json.dumps(value) for value in field["enum"])
        if "$ref" in field:
            return "object"
        kind = str(field.get("const", field.get("type", "any")))
        if kind == "array":
            return f"list of {self._type(field['items'])}"
        least, most = field.get("minimum"), field.get("maximum")
        if least is None:
            return kind
        return f"{kind}, {least:g} or more" if most is None else f"{kind}, {least:g} to {most:g}"

    def _known(self, schema: Schema) -> Schema:
        """The schema itself, where there is a reference to it."""
        name = schema.get("$ref", "").rpartition("/")[2]
        found: Schema = self._description["components"]["schemas"][name] if name else schema
        return found

    def _example(self, schema: Schema) -> Schema:
        """A body made of the fields' examples."""
        example = {}
        for name, field in schema["properties"].items():
            inner = self._inner(field)
            if "examples" in field:
                example[name] = field["examples"][0]
            elif name in schema.get("required", ()) or "properties" in inner:
                found = self._example(inner) if inner else field.get("enum", [""])[0]
                if found:
                    example[name] = found
        return example


def _curl(path: str, body: Schema) -> str:
    return (
        f"curl -H 'content-type: application/json' http://127.0.0.1:8000{path}"
        f" \\\n  -d '{json.dumps(body)}'"
    )


def _text(text: str) -> str:
    """Plain text with code between backticks."""
    parts = escape(" ".join(text.split())).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))

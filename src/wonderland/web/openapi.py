"""API documentation: an OpenAPI document, and a readable page of it.

Both are generated from the routes and from the types that the server decodes and encodes.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wonderland import __version__
from wonderland.wire.codes import Code
from wonderland.wire.problems import PROBLEM_TYPE, STATUS, ProblemDocument
from wonderland.wire.schemas import Schema, ref, schemas_of

if TYPE_CHECKING:
    from wonderland.web.http import Route

_PROBLEMS = "Refused; nothing has changed. `code` says why, and `detail` explains it to people."
_ABOUT = (
    "Everything that a player can do at a table. The device is identified by the cookie `wonderland`, "
    "which the server sets when a table is created or a seat is taken. Live updates come over a "
    "WebSocket at /api/tables/{table}/live?seat=0&after=12, described in asyncapi.json."
)


def _schemas(routes: Sequence[Route]) -> tuple[dict[str, Schema], dict[str, Schema]]:
    kinds = [kind for route in routes for kind in (route.takes, route.gives) if kind is not None]
    schemas, components = schemas_of([*kinds, ProblemDocument])
    return dict(zip(map(str, kinds), schemas, strict=False)), components


def openapi_document(routes: Sequence[Route]) -> dict[str, Any]:
    """Return the OpenAPI document of the routes."""
    schemas, components = _schemas(routes)
    paths: dict[str, Any] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Wonderland", "version": __version__, "description": _ABOUT},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"device": {"type": "apiKey", "in": "cookie", "name": "wonderland"}},
        },
    }


def _operation(route: Route, schemas: dict[str, Schema]) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", route.path)
    ]
    number = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
    parameters += [{"name": name, "in": "query", "schema": number} for name in route.queries]
    text = {"type": "string"}
    parameters += [{"name": name, "in": "query", "schema": text} for name in route.words]
    good = {"description": route.about, "content": {route.media: {"schema": schemas[str(route.gives)]}}}
    refused = ref(ProblemDocument.__name__)
    bad = {"description": _PROBLEMS, "content": {PROBLEM_TYPE: {"schema": refused}}}
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "summary": route.about,
        "security": [{"device": []}, {}],
        "responses": {str(route.status): good, "4XX": bad, "503": bad},
    }
    if parameters:
        operation["parameters"] = parameters
    if route.takes is not None:
        body = {"application/json": {"schema": schemas[str(route.takes)]}}
        operation["requestBody"] = {"required": True, "content": body}
    return operation


def page(routes: Sequence[Route]) -> bytes:
    """Return the document as a self-contained HTML page."""
    document = openapi_document(routes)
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>",
        "<meta name=viewport content='width=device-width'><title>Wonderland API</title>",
        f"<h1>Wonderland API</h1><p>{html.escape(_ABOUT)}</p>",
        "<p>Machine-readable: <a href=/api/openapi.json>openapi.json</a> (HTTP), ",
        "<a href=/api/asyncapi.json>asyncapi.json</a> (WebSocket)</p>",
    ]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            parts.append(f"<h2><code>{method.upper()} {html.escape(path)}</code></h2>")
            parts.append(f"<p>{html.escape(operation['summary'])}</p>")
            if "requestBody" in operation:
                parts.append(f"<p>Request body</p>{_listing(operation['requestBody']['content'])}")
            parts.append(f"<p>Response</p>{_listing(_success_response(operation)['content'])}")
    parts.append("<h2>Problems</h2><dl>")
    for code in Code:
        status = f"{STATUS[code.kind]}, {code.kind}"
        parts.append(f"<dt id='{code}'><code>{code}</code> ({status})<dd>{html.escape(code.meaning)}")
    parts.append("</dl><h2>Types</h2>")
    for name, schema in sorted(document["components"]["schemas"].items()):
        parts.append(f"<h3 id='{html.escape(name)}'>{html.escape(name)}</h3>{_listing(schema)}")
    return "\n".join(parts).encode()


def _success_response(operation: dict[str, Any]) -> dict[str, Any]:
    good: dict[str, Any] = next(iter(operation["responses"].values()))
    return good


def _listing(value: Any) -> str:
    return f"<pre>{html.escape(json.dumps(value, indent=2))}</pre>"

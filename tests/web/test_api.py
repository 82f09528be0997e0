"""The API matches its schema: whatever is sent, responses have the documented types."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from campaigns.raw_clients import Http, site_in
from support.server import run_server
from wonderland.web.app import ROUTES
from wonderland.web.openapi import openapi_document
from wonderland.web.security import HEADERS

pytestmark = pytest.mark.slow

schema = schemathesis.openapi.from_dict(openapi_document(ROUTES))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with run_server(tmp_path_factory.mktemp("api")) as server:
        yield server.address


@schema.parametrize()
@settings(deadline=None, suppress_health_check=list(HealthCheck))
def test_responses_match_the_schema(case: Any, address: str) -> None:
    response = case.call(base_url=address)
    case.validate_response(
        response,
        checks=[
            not_a_server_error,
            status_code_conformance,
            content_type_conformance,
            response_schema_conformance,
        ],
    )


def responses_to(folder: Path, *asked: tuple[Any, ...]) -> list[Any]:
    """Return a site's responses to several requests."""

    async def ask() -> list[Any]:
        async with site_in(folder) as here:
            http = Http(here.port)
            return [await http.ask(*one) for one in asked]

    return asyncio.run(ask())


def test_every_response_has_the_security_headers(tmp_path: Path) -> None:
    paths = ["/api/games", "/api/docs", "/api/openapi.json", "/api/asyncapi.json"]
    paths += ["/healthz", "/metrics", "/nothing"]
    for answer in responses_to(tmp_path, *(("GET", path) for path in paths)):
        for name, value in HEADERS:
            assert answer.header(name.decode()) == value.decode()
        assert answer.header("cache-control") == "no-store"
        assert "default-src 'none'" in answer.header("content-security-policy")
        assert answer.header("server") is None


def test_a_missing_path_is_a_json_error(tmp_path: Path) -> None:
    asked = [
        ("GET", "/nothing"),
        ("GET", "/api/tables/none"),
        ("GET", "/api/tables/none/record"),
        ("POST", "/api/tables/none/commands", {"do": "start", "at": 0, "key": "aaaaaaaa"}),
        ("GET", "/api/tables/none/live"),
        ("GET", "/api/tables/%00"),
        ("GET", "/api/tables/%ff%fe"),
        ("GET", "/api/tables/..%2f..%2fetc"),
        ("GET", "/api/tables/" + "a" * 5000),
    ]
    for answer, one in zip(responses_to(tmp_path, *asked), asked, strict=True):
        assert answer.status in (404, 403), one
        assert answer.header("content-type") == "application/problem+json"
        assert answer.json()["status"] == answer.status
        assert answer.json()["problem"] in ("not found", "not yours")


def test_there_are_no_redirects(tmp_path: Path) -> None:
    """A redirect would name whatever host the client made up."""
    asked = ("GET", "/api/tables/", None, {"Host": "elsewhere.example"})
    (answer,) = responses_to(tmp_path, asked)
    assert (answer.status, answer.header("location")) == (404, None)


def test_a_wrong_method_is_a_json_error(tmp_path: Path) -> None:
    asked = [("DELETE", "/api/tables/x"), ("POST", "/healthz"), ("PATCH", "/metrics")]
    for answer in responses_to(tmp_path, *asked):
        assert answer.status == answer.json()["status"] == 405
        assert answer.json()["code"] == "wrong-method"
        assert "GET" in answer.header("allow")


def test_a_path_with_two_methods_allows_both(tmp_path: Path) -> None:
    (answer,) = responses_to(tmp_path, ("PUT", "/api/tables"))
    assert {each.strip() for each in answer.header("allow").split(",")} >= {"GET", "POST"}


@pytest.mark.parametrize(
    "query",
    [
        "seat=x",
        "seat=-1",
        "seat=1e3",
        "seat=%D9%A3",
        "seat=",
        "after=99999999999",
        "after=0x1",
        "after=1.0",
        "seat=%00",
    ],
)
def test_an_invalid_query_is_rejected(query: str, tmp_path: Path) -> None:
    async def check() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            laid = await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})
            answer = await http.ask("GET", f"/api/tables/{laid.json()['table']}?{query}")
            assert answer.status == 400
            assert answer.json()["problem"] == "bad request"

    asyncio.run(check())


def test_unknown_query_parameters_are_ignored(tmp_path: Path) -> None:
    (answer,) = responses_to(tmp_path, ("GET", "/api/games?x=1&&&=&seat=x"))
    assert answer.status == 200


BODIES = [
    b"",
    b"null",
    b"[]",
    b"{}",
    b"\xff\xfe",
    b'{"do": "\xff"}',
    b'{"do": "start", "at": 0, "key": "\xff\xff\xff\xff\xff\xff\xff\xff"}',
    b'{"do": "start", "at": 0, "key": "aaaaaaaa\\n"}',
    b'{"do": "start", "at": 1e400, "key": "aaaaaaaa"}',
    b'{"do": "start", "at": -1, "key": "aaaaaaaa"}',
    b'{"do": "say", "seat": 0, "at": 0, "key": "aaaaaaaa", "text": "\\ud800"}',
    b'{"x": ' + b"[" * 8000,
    b'{"x": ' + b'{"x":' * 1500,
    b"[" * 8000,
    b'{"do": "fly", "at": 0, "key": "aaaaaaaa"}',
    b'{"do": "start", "at": 0, "key": "aaaaaaaa", "more": 1}',
]


@pytest.mark.parametrize("path", ["/api/tables", "/api/tables/{table}/commands"])
@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_an_invalid_body_is_a_bad_request(body: bytes, path: str, tmp_path: Path) -> None:
    async def check() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            laid = await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})
            http.cookie = laid.cookie
            answer = await http.ask("POST", path.format(table=laid.json()["table"]), body)
            assert answer.status == 400, answer
            assert answer.json()["problem"] == "bad request"

    asyncio.run(check())


def test_a_body_must_be_declared_as_json(tmp_path: Path) -> None:
    """A form on another site can't send JSON without a preflight request."""
    body = json.dumps({"game": "parade", "seats": 2}).encode()
    kinds = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
    asked = [("POST", "/api/tables", body, {"Content-Type": kind}) for kind in kinds]
    assert [answer.status for answer in responses_to(tmp_path, *asked)] == [400] * len(kinds)


def test_the_cookie_is_http_only_and_same_site(tmp_path: Path) -> None:
    (answer,) = responses_to(tmp_path, ("POST", "/api/tables", {"game": "parade", "seats": 2}))
    flags = {flag.strip().lower() for flag in answer.header("set-cookie").split(";")[1:]}
    assert {"httponly", "samesite=lax", "path=/"} <= flags
    assert "secure" not in flags
    assert not any(flag.startswith("domain") for flag in flags)
    assert len(answer.cookie) >= 40


def test_behind_a_tls_proxy_the_cookie_is_secure(tmp_path: Path) -> None:
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    (answer,) = responses_to(tmp_path, ("POST", "/api/tables", {"game": "parade", "seats": 2}, headers))
    assert "secure" in answer.header("set-cookie").lower()


@pytest.mark.parametrize(
    "cookies",
    [
        "{};wonderland={}",
        'theme={{"dark": true}}; wonderland={1}',
        "flag; wonderland={1}",
        "=x; wonderland={1}",
        "a[b]=1; wonderland={1}",
    ],
)
def test_the_device_is_found_among_foreign_cookies(cookies: str, tmp_path: Path) -> None:
    async def check() -> None:
        async with site_in(tmp_path) as here:
            laid = await Http(here.port).ask("POST", "/api/tables", {"game": "parade", "seats": 2})
            header = cookies.format("a=1", laid.cookie)
            sit = {"do": "sit", "at": 0, "key": "aaaaaaaa", "name": "Alice", "contribution": "00" * 16}
            path = f"/api/tables/{laid.json()['table']}/commands"
            answer = await Http(here.port).ask("POST", path, sit, {"Cookie": header})
            assert answer.status == 200, answer  # the host needs no invitation

    asyncio.run(check())


def test_metrics_are_for_this_machine_only(tmp_path: Path) -> None:
    near, far = responses_to(
        tmp_path, ("GET", "/metrics"), ("GET", "/metrics", None, {"X-Forwarded-For": "192.0.2.1"})
    )
    assert (near.status, far.status) == (200, 403)
    assert b"wonderland_requests" in near.body

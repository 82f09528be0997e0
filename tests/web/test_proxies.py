"""Behind a proxy: whose word is taken for addresses, schemes and hosts."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from campaigns.raw_clients import Http, Socket, site_in
from support.server import run_server
from wonderland.engine.errors import UsageError
from wonderland.tables.rate_limit import RateLimiter
from wonderland.web.proxies import Client, TrustedProxies, is_allowed_host

PROXIES = TrustedProxies(["10.0.0.0/8", "::1", "192.0.2.1"])
PROXY = "10.1.2.3"
READ = [
    ({}, Client(PROXY)),
    ({"x-forwarded-for": "203.0.113.7"}, Client("203.0.113.7")),
    ({"x-forwarded-for": "1.2.3.4, 203.0.113.7"}, Client("203.0.113.7")),
    ({"x-forwarded-for": "203.0.113.7, 10.9.9.9, 192.0.2.1"}, Client("203.0.113.7")),
    ({"x-forwarded-for": "10.9.9.9"}, Client("10.9.9.9")),
    ({"x-forwarded-for": "203.0.113.7:4711"}, Client("203.0.113.7")),
    ({"x-forwarded-for": "[2001:db8::1]:4711"}, Client("2001:db8::1")),
    ({"x-forwarded-for": "nonsense"}, Client(PROXY)),
    ({"x-forwarded-proto": "https"}, Client(PROXY, "https")),
    ({"x-forwarded-proto": "gopher", "x-forwarded-host": "a b"}, Client(PROXY)),
    (
        {"x-forwarded-for": "203.0.113.7", "x-forwarded-host": "play.example.org"},
        Client("203.0.113.7", "", "play.example.org"),
    ),
    (
        {"forwarded": 'for="[2001:db8::1]:47";proto=https;host=play.example.org'},
        Client("2001:db8::1", "https", "play.example.org"),
    ),
    ({"forwarded": "for=1.2.3.4, For=203.0.113.7; Proto=http"}, Client("203.0.113.7", "http")),
    ({"forwarded": "for=203.0.113.7, for=10.0.0.1;proto=https"}, Client("203.0.113.7", "https")),
    ({"forwarded": "for=_hidden, for=unknown"}, Client(PROXY)),
    ({"forwarded": "for=203.0.113.7", "x-forwarded-for": "1.2.3.4"}, Client("203.0.113.7")),
    ({"forwarded": '"'}, Client(PROXY)),
]


@pytest.mark.parametrize(("headers", "client"), READ, ids=range(len(READ)))
def test_a_trusted_proxy_is_believed_and_nobody_else(headers: dict[str, str], client: Client) -> None:
    assert PROXIES.client(PROXY, list(headers.items())) == client
    assert PROXIES.client("203.0.113.99", list(headers.items())) == Client("203.0.113.99")


def test_headers_that_come_twice_are_one_list() -> None:
    headers = [("x-forwarded-for", "203.0.113.7"), ("x-forwarded-for", "10.0.0.9")]
    assert PROXIES.client(PROXY, headers) == Client("203.0.113.7")


def test_networks_are_checked() -> None:
    assert "10.255.0.1" in PROXIES
    assert "::ffff:10.0.0.1" in PROXIES
    assert "11.0.0.1" not in PROXIES
    assert "" not in PROXIES
    with pytest.raises(UsageError, match="isn't a network"):
        TrustedProxies(["example.org"])


def test_hosts_are_compared_without_port_and_case() -> None:
    allowed = frozenset({"play.example.org", "::1"})
    assert is_allowed_host("Play.Example.org:8000", allowed)
    assert is_allowed_host("[::1]:8000", allowed)
    assert not is_allowed_host("example.org", allowed)
    assert not is_allowed_host(None, allowed)
    assert is_allowed_host("anything", frozenset())


def test_limits_count_the_client_behind_the_proxy(tmp_path: Path) -> None:
    async def scene() -> None:
        async with site_in(tmp_path) as here:
            here.site.requests = RateLimiter(rate=0.001, burst=2.0)
            http, statuses = Http(here.port), []
            for header in ("X-Forwarded-For", "Forwarded"):
                for n in (1, 1, 1, 2):
                    address = f"203.0.113.{n}" if header.startswith("X") else f"for=198.51.100.{n}"
                    answer = await http.ask("GET", "/api/games", headers={header: address})
                    statuses.append(answer.status)
            assert statuses == [200, 200, 429, 200] * 2
            stranger = Http(here.port, address="127.0.0.2")  # not a trusted proxy
            spoofed = [
                (
                    await stranger.ask("GET", "/api/games", headers={"X-Forwarded-For": f"192.0.2.{n}"})
                ).status
                for n in range(3)
            ]
            assert spoofed == [200, 200, 429]

    asyncio.run(scene())


def test_cookies_are_secure_behind_https(tmp_path: Path) -> None:
    async def scene() -> None:
        async with site_in(tmp_path) as here:
            for headers, secure in (
                ({}, False),
                ({"X-Forwarded-Proto": "https"}, True),
                ({"Forwarded": "for=203.0.113.7;proto=https"}, True),
            ):
                answer = await Http(here.port).ask(
                    "POST", "/api/tables", {"game": "parade", "seats": 2}, headers
                )
                assert ("Secure" in (answer.header("set-cookie") or "")) == secure
                page = await Http(here.port).ask("GET", "/?lang=de", headers=headers)
                assert ("Secure" in (page.header("set-cookie") or "")) == secure

    asyncio.run(scene())


def test_the_origin_is_compared_with_the_forwarded_host(tmp_path: Path) -> None:
    async def scene() -> None:
        async with site_in(tmp_path) as here:
            headers = {"Origin": "https://play.example.org", "X-Forwarded-Host": "play.example.org"}
            wish = {"game": "parade", "seats": 2}
            created = await Http(here.port).ask("POST", "/api/tables", wish, headers)
            assert created.status == 201
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            table = created.json()["table"]
            assert (await Socket.open(here.port, table, headers=lines)).accepted
            stranger = Http(here.port, address="127.0.0.2")
            assert (await stranger.ask("POST", "/api/tables", wish, headers)).status == 403
            spoofed = await Socket.open(here.port, table, headers=lines, address="127.0.0.2")
            assert not spoofed.accepted

    asyncio.run(scene())


def test_the_server_answers_under_allowed_names_only(tmp_path: Path) -> None:
    arguments = ("--allowed-host", "play.example.org", "--trusted-proxy", "127.0.0.3")

    async def scene(port: int) -> None:
        async def status(path: str, host: str, address: str = "127.0.0.1", **more: Any) -> int:
            headers = {"Host": host, **more}
            return (await Http(port, address=address).ask("GET", path, headers=headers)).status

        assert await status("/api/games", "play.example.org") == 200
        assert await status("/api/games", "evil.example") == 421
        assert await status("/", "127.0.0.1") == 421
        assert await status("/healthz", "evil.example") == 200
        forwarded = {"X-Forwarded-Host": "play.example.org"}
        assert await status("/", "inside", "127.0.0.3", **forwarded) == 200
        assert await status("/", "inside", "127.0.0.1", **forwarded) == 421
        assert (await Socket.open(port, "none")).head.startswith(b"HTTP/1.1 421")

    with run_server(tmp_path, *arguments) as server:
        asyncio.run(scene(server.port))

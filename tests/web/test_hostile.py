"""Attackers are refused or cut off; everyone else keeps playing.

`benchmarks/hostile.py` measures what others notice of it.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from pathlib import Path

import pytest

from campaigns.raw_clients import TEXT, Http, RunningSite, Socket, connect, encode_frame, hang_up
from support.attackers import ATTACKER_ADDRESS, HonestGame, run_attack, wait_until
from wonderland.tables.rate_limit import RateLimiter

# Cross-origin pages

ORIGINS = [
    "http://elsewhere.example",
    "null",
    "http://[",
    "http://[x]",
    "",
    "http://127.0.0.1",
    "https://127.0.0.1:1",
]


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_cross_origin_page_may_do_nothing(origin: str, tmp_path: Path) -> None:
    async def attack(here: RunningSite, game: HonestGame) -> None:
        cookie = game.people[0].cookie
        http = Http(here.port, cookie)
        for path, body in (
            ("/api/tables", {"game": "parade", "seats": 2}),
            (
                f"/api/tables/{game.table}/commands",
                {"do": "silence", "off": True, "at": 3, "key": "a" * 8},
            ),
        ):
            answer = await http.ask("POST", path, body, {"Origin": origin})
            assert answer.status == 403
            assert answer.json()["problem"] == "not yours"
        socket = await Socket.open(here.port, game.table, cookie, headers=f"Origin: {origin}\r\n")
        assert socket.head.startswith(b"HTTP/1.1 403"), socket.head
        await wait_until(lambda: not here.site.live)

    run_attack(tmp_path, attack)


# Handshakes

HANDSHAKES = {
    "two origins": "Origin: http://a\r\nOrigin: http://b\r\n",
    "two cookies": "Cookie: a=1\r\nCookie: b=2\r\n",
    "bad origin": "Origin: http://[\r\n",
    "two keys": "Sec-WebSocket-Key: d29uZGVybGFuZHdvbmRlcg==\r\n",
    "two versions": "Sec-WebSocket-Version: 12\r\n",
    "many headers": "".join(f"X-{n}: 1\r\n" for n in range(200)),
    "long header": f"X: {'x' * 9000}\r\n",
    "odd cookie": 'Cookie: =;;;"\\\r\n',
    "latin": "X: \xe9\xff\r\n",
}
QUERIES = [
    "?seat=x",
    "?seat=-1",
    "?seat=1&seat=x",
    "?after=1e9",
    "?seat=%D9%A3",
    "?seat=%B2",
    "?" + "a=1&" * 2000,
    "?x=y",
]


@pytest.mark.parametrize("headers", HANDSHAKES.values(), ids=HANDSHAKES)
def test_a_malformed_handshake_leaves_nothing_behind(
    headers: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def attack(here: RunningSite, game: HonestGame) -> None:
        before = len(here.connections)
        socket = await Socket.open(here.port, game.table, headers=headers)
        await socket.close()
        await wait_until(lambda: not here.site.live, 5)
        await wait_until(lambda: len(here.connections) <= before, 5)

    run_attack(tmp_path, attack)
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("query", QUERIES, ids=range(len(QUERIES)))
def test_a_malformed_query_is_rejected_or_ignored(
    query: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def attack(here: RunningSite, game: HonestGame) -> None:
        socket = await Socket.open(here.port, game.table, query=query)
        assert socket.head.split(b" ")[1] in (b"101", b"400", b"403", b"414", b"431"), socket.head
        await socket.close()
        await wait_until(lambda: not here.site.live, 5)

    run_attack(tmp_path, attack)
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


@pytest.mark.parametrize(
    "path",
    [
        "/api/tables/none/live",
        "/api/tables//live",
        "/live",
        "//[/live",
        "/api/tables/%2e%2e/live",
        "http://[/live",
    ],
)
def test_a_socket_to_an_unknown_table_is_rejected(
    path: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def attack(here: RunningSite, game: HonestGame) -> None:
        reader, writer = await connect(here.port, ATTACKER_ADDRESS)
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: d29uZGVybGFuZHdvbmRlcg==\r\n\r\n".encode()
        )
        async with asyncio.timeout(10):
            head = await reader.read(2000)
        assert head.split(b" ")[1] in (b"101", b"404", b"400"), head
        if b" 101 " in head:  # then it is closed with a reason
            assert b"no such table" in head + await reader.read(2000)
        await hang_up(writer)
        await wait_until(lambda: not here.site.live, 5)

    run_attack(tmp_path, attack)
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


# Too much


def test_too_large_a_request_is_rejected(tmp_path: Path) -> None:
    async def attack(here: RunningSite, game: HonestGame) -> None:
        http = Http(here.port, game.people[0].cookie)
        answer = await http.ask("POST", "/api/tables", b'{"game": "' + b"x" * 100_000)
        assert answer.status == 400
        await http.close()
        with suppress(OSError):  # cut off before it could be read
            assert (await http.ask("GET", "/healthz", None, {"X": "x" * 1_000_000})).status == 400
        await http.close()
        for frame in (
            encode_frame(TEXT, b"x" * 8193),
            encode_frame(TEXT, b"x" * 10**6),
            encode_frame(TEXT, b"x" * 8000, last=False) + encode_frame(0, b"x" * 200),
        ):
            socket = await Socket.open(here.port, game.table, game.people[0].cookie)
            socket.writer.write(frame)
            assert await socket.end() in (1009, None)

    run_attack(tmp_path, attack)


def test_a_flood_of_requests_is_rate_limited_by_address(tmp_path: Path) -> None:
    async def attack(here: RunningSite, game: HonestGame) -> None:
        here.site.requests = RateLimiter(
            rate=1.0, burst=1000.0
        )  # on a slow machine a flood is slow, too
        http = Http(here.port, address=ATTACKER_ADDRESS)
        statuses = [(await http.ask("GET", "/api/games")).status for _ in range(1500)]
        assert 429 in statuses
        assert (await Http(here.port).ask("GET", "/api/games")).status == 200

    run_attack(tmp_path, attack)


def test_a_flood_of_messages_is_cut_off(tmp_path: Path) -> None:
    async def attack(here: RunningSite, game: HonestGame) -> None:
        socket = await Socket.open(
            here.port, game.table, "the-cookie-of-a-stranger", address=ATTACKER_ADDRESS
        )
        for _ in range(1000):
            socket.send("{}")
        assert await socket.end() == 1008
        await wait_until(lambda: not here.site.live)

    run_attack(tmp_path, attack)


def test_spectators_cannot_fill_a_tables_queue(tmp_path: Path) -> None:
    """Commands they may not give must not delay the players."""

    async def attack(here: RunningSite, game: HonestGame) -> None:
        crowd = [
            await Socket.open(
                here.port, game.table, f"the-cookie-of-stranger-{n}", address=ATTACKER_ADDRESS
            )
            for n in range(20)
        ]
        for socket in crowd:
            await socket.message()  # until then less may be said
        for n in range(40):
            for socket in crowd:
                socket.send({"do": "play", "seat": 0, "action": "R1", "at": 0, "key": f"flood-{n:04}"})
        for _ in range(3):
            await game.move()  # which raises if it is refused

    run_attack(tmp_path, attack)


def test_refused_undos_do_not_delay_others(tmp_path: Path) -> None:
    """Checking whether an undo is possible is expensive, so requests are rate limited."""

    async def attack(here: RunningSite, game: HonestGame) -> None:
        for _ in range(3):
            await game.move()
        crowd = [
            await Socket.open(here.port, game.table, who.cookie, address=ATTACKER_ADDRESS)
            for who in game.people
        ]
        asked = 50
        for seat, socket in enumerate(crowd):
            await socket.message()  # until then less may be said
            for n in range(asked):
                command = {
                    "do": "propose",
                    "what": "undo",
                    "seat": seat,
                    "at": game.version,
                    "key": f"undo-{n:04}",
                }
                socket.send(command)

        async def problems(socket: Socket) -> list[str]:
            """Return problems in order of arrival: rate-limited requests overtake others."""
            return [(await socket.message("done", "refused")).get("problem") for _ in range(asked)]

        for found in await asyncio.gather(*map(problems, crowd)):
            assert "too many" in found

    run_attack(tmp_path, attack)

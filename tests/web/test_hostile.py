"""Attackers are refused or cut off; everyone else keeps playing.

`benchmarks/hostile.py` measures what others notice of it.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from pathlib import Path

import pytest

from campaigns.raw_clients import (
    PING,
    PONG,
    TEXT,
    Http,
    RunningSite,
    Socket,
    connect,
    encode_frame,
    hang_up,
    site_in,
)
from support.attackers import (
    ATTACKER_ADDRESS,
    HonestGame,
    module_with_limit,
    run_attack,
    wait_until,
)
from wonderland.tables.limits import Limits
from wonderland.tables.rate_limit import RateLimiter

CONTINUATION = 0

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
            headers = {"Origin": origin, "Host": f"127.0.0.1:{here.port}"}
            answer = await http.ask("POST", path, body, headers)
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
            assert b"This table doesn't exist" in head + await reader.read(2000)
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
        for _ in range(1500):
            refused = await http.ask("GET", "/api/games")
            if refused.status == 429:
                break
        assert refused.status == 429
        assert int(refused.header("retry-after") or 0) > 0
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


@pytest.mark.parametrize("opcode", [PING, PONG, CONTINUATION])
def test_a_flood_of_frames_that_are_no_messages_is_cut_off(opcode: int, tmp_path: Path) -> None:
    """Control frames and fragments cost time, too: eight such connections stopped the whole server."""

    async def attack(here: RunningSite, game: HonestGame) -> None:
        socket = await Socket.open(here.port, game.table, address=ATTACKER_ADDRESS)
        if opcode == CONTINUATION:
            socket.send_frame(TEXT, b"", last=False)
        for _ in range(10_000):
            socket.send_frame(opcode, b"", last=opcode != CONTINUATION)
        assert await socket.end() == 1008
        await wait_until(lambda: not here.site.live)

    run_attack(tmp_path, attack)


def test_pongs_are_not_kept_for_a_client_that_does_not_read(tmp_path: Path) -> None:
    async def attack(here: RunningSite, game: HonestGame) -> None:
        socket = await Socket.open(here.port, game.table, address=ATTACKER_ADDRESS)
        await socket.message("table")
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(module_with_limit("_MAX_UNREAD"), "_MAX_UNREAD", -1)  # nothing is read
            socket.send_frame(PING, b"")
            await wait_until(lambda: not here.site.live)

    run_attack(tmp_path, attack)


def test_whoever_opens_tables_too_often_is_turned_away(tmp_path: Path) -> None:
    """A connection costs a handshake and a rendered table, which count as work of its address."""

    async def attack() -> None:
        async with site_in(tmp_path, limits=Limits(work_per_address=1)) as here:
            game = HonestGame(here)
            await game.start()
            for _ in range(2000):
                socket = await Socket.open(here.port, game.table, address=ATTACKER_ADDRESS)
                await hang_up(socket.writer)
                if not socket.accepted:
                    break
            assert b"429" in socket.head
            assert (await Socket.open(here.port, game.table, game.people[0].cookie)).accepted
            await game.move()

    asyncio.run(attack())

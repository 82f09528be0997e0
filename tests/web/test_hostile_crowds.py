"""Slow clients, crowds and malformed messages affect only their senders."""

from __future__ import annotations

import asyncio
import json
import logging
import resource
import socket as sockets
from pathlib import Path
from typing import Any

import pytest

from campaigns.raw_clients import (
    TEXT,
    Closed,
    Http,
    RunningSite,
    Socket,
    connect,
    encode_frame,
    hang_up,
)
from support.attackers import ATTACKER_ADDRESS, HonestGame, module_with_limit, run_attack, wait_until
from wonderland.tables.limits import Limits
from wonderland.web import http, http_timeout

# Too slow


def test_a_client_that_does_not_read_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module_with_limit("_MAX_UNREAD"), "_MAX_UNREAD", 20_000)
    monkeypatch.setattr(Limits, "of", lambda *_: float("inf"))  # a larger crowd than is let in

    async def attack(here: RunningSite, game: HonestGame) -> None:
        crowd = []
        for n in range(200):
            raw = sockets.socket()
            raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 2048)
            raw.setblocking(False)  # noqa: FBT003 - its only way
            await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", here.port))
            raw.send(
                f"GET /api/tables/{game.table}/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Key: d29uZGVybGFuZHdvbmRlcg==\r\nX-Number: {n}\r\n\r\n".encode()
            )
            crowd.append(raw)
        await wait_until(lambda: len(here.site.live) > 150)
        for each in list(here.site.live):  # small buffers on this side too, to be quick
            each._transport.get_extra_info("socket").setsockopt(
                sockets.SOL_SOCKET, sockets.SO_SNDBUF, 2048
            )
        live = await here.site.tables.get_live_table(game.table)
        async with asyncio.timeout(60):
            while here.site.live:
                live.broadcast(0)
                await asyncio.sleep(0)
        assert live.watchers == []
        for raw in crowd:
            raw.close()

    run_attack(tmp_path, attack)


def test_a_slow_request_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_timeout, "HEADER_TIMEOUT", 0.5)
    monkeypatch.setattr(http, "_BODY_TIMEOUT", 0.5)
    post = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n"
    post += b"Content-Type: application/json\r\n\r\n"
    get = b"GET /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n"

    async def drip(here: RunningSite, data: bytes, then: bytes) -> None:
        reader, writer = await connect(here.port, ATTACKER_ADDRESS)
        writer.write(data)
        try:
            for _ in range(2000):
                writer.write(then)
                await asyncio.sleep(0.02)
                if reader.at_eof() or writer.is_closing():
                    break
            else:
                raise AssertionError(f"still connected: {data!r}")
        except OSError:
            pass
        await hang_up(writer)

    async def attack(here: RunningSite, game: HonestGame) -> None:
        async with asyncio.timeout(30):
            await asyncio.gather(
                *(drip(here, b"GET /api/games HTTP/1.1\r\nX: ", b"x") for _ in range(30)),
                *(drip(here, b"", b"") for _ in range(30)),
                *(drip(here, post, b" ") for _ in range(30)),
                *(drip(here, get, b" ") for _ in range(30)),
            )
        for who in game.people:
            await who.close()
        await wait_until(lambda: not here.connections)

    run_attack(tmp_path, attack)


def test_a_client_that_sends_but_does_not_read_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Responses over HTTP that nobody reads must not be kept forever."""
    monkeypatch.setattr(http_timeout, "HEADER_TIMEOUT", 0.5)

    async def attack(here: RunningSite, game: HonestGame) -> None:
        raw = sockets.socket()
        raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 2048)
        raw.setblocking(False)  # noqa: FBT003 - its only way
        await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", here.port))
        await asyncio.sleep(0.05)
        (connection,) = [each for each in here.connections if each.client[1] == raw.getsockname()[1]]
        connection.transport.get_extra_info("socket").setsockopt(
            sockets.SOL_SOCKET, sockets.SO_SNDBUF, 2048
        )
        raw.send(b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 20)
        await wait_until(lambda: connection not in here.connections, 20)
        raw.close()

    run_attack(tmp_path, attack)


def test_half_open_connections_time_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module_with_limit("_IDLE_TIMEOUT"), "_IDLE_TIMEOUT", 0.2)

    async def attack(here: RunningSite, game: HonestGame) -> None:
        crowd = [await Socket.open(here.port, game.table, address=ATTACKER_ADDRESS) for _ in range(20)]
        await wait_until(lambda: len(here.site.live) == 20)
        await asyncio.sleep(0.3)  # longer than a silent client may last
        for each in list(here.site.live):
            each.ping()
        await wait_until(lambda: not here.site.live)
        for socket in crowd:
            await socket.close()

    run_attack(tmp_path, attack)


# Too many


def test_one_address_cannot_take_all_connections(tmp_path: Path) -> None:
    """A process has few file descriptors, often 1024; one address must leave some to others."""

    async def attack(here: RunningSite, game: HonestGame) -> None:
        http = Http(here.port, address=ATTACKER_ADDRESS)
        for _ in range(20):
            laid = await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})
            for _ in range(10):
                await Socket.open(here.port, laid.json()["table"], address=ATTACKER_ADDRESS)
        await wait_until(lambda: len(here.site.live) <= here.site.tables.limits.spectators_per_address)

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    try:
        run_attack(tmp_path, attack)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_presence_changes_of_a_crowd_are_batched(tmp_path: Path) -> None:
    """Each arrival is announced to everyone present: that must not grow quadratically."""

    async def attack(here: RunningSite, game: HonestGame) -> None:
        player = await Socket.open(here.port, game.table, game.people[0].cookie)
        await player.receive_pending()
        crowd = await asyncio.gather(
            *(Socket.open(here.port, game.table, address=ATTACKER_ADDRESS) for _ in range(100))
        )
        await wait_until(lambda: len(here.site.live) == 101)
        told = [each for each in await player.receive_pending() if each["type"] == "present"]
        for socket in crowd:
            await socket.close()
        assert len(told) < 50

    run_attack(tmp_path, attack)


def test_memory_kept_per_address_is_bounded(tmp_path: Path) -> None:
    async def attack(here: RunningSite, game: HonestGame) -> None:
        for n in range(11_000):
            here.site.requests.take(f"2001:db8::{n:x}")
        assert len(here.site.requests._buckets) <= 10_000

    run_attack(tmp_path, attack)


def test_messages_before_the_table_is_loaded_are_bounded(tmp_path: Path) -> None:
    async def attack(here: RunningSite, game: HonestGame) -> None:
        socket = await Socket.open(here.port, "none" * 5, "the-cookie-of-a-stranger")
        for _ in range(500):
            socket.writer.write(encode_frame(TEXT, b"x" * 100))
        await socket.end()
        await wait_until(lambda: not here.site.live)

    run_attack(tmp_path, attack)


def test_malformed_messages_affect_only_their_sender(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    junk = [
        b'{"do": "\xff"}',
        b'{"x": ' + b"[" * 8000,
        b"\xff" * 100,
        b'"' + b"\\ud800" * 100 + b'"',
        b"[" * 8000,
    ]

    async def attack(here: RunningSite, game: HonestGame) -> None:
        for each in junk:
            socket = await Socket.open(here.port, game.table, game.people[0].cookie)
            socket.send(each)
            try:
                assert (await socket.message("refused"))["problem"] == "bad request"
            except Closed as closed:
                assert closed.code == 1007, (each[:20], closed.code)  # noqa: PT017 - either will do
            await socket.close()
        await wait_until(lambda: not here.site.live)

    run_attack(tmp_path, attack)
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


def test_a_failing_storage_leaves_no_table_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is a refusal, and when the storage is back, the game continues."""

    async def attack(here: RunningSite, game: HonestGame) -> None:
        storage: Any = here.site.tables.storage
        storage._writer.execute("PRAGMA query_only = ON")
        http = Http(here.port, game.people[0].cookie)
        body = {"do": "silence", "off": False, "at": game.version, "key": "while-it-fails"}
        answer = await http.ask("POST", f"/api/tables/{game.table}/commands", body)
        assert answer.status == 503, answer
        storage._writer.execute("PRAGMA query_only = OFF")
        assert not (await here.site.tables.get_live_table(game.table)).is_busy
        assert json.loads(answer.body)["problem"] == "storage"

    run_attack(tmp_path, attack)


def test_an_impossible_table_id_is_not_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def attack(here: RunningSite, _: HonestGame) -> None:
        storage = here.site.tables.storage
        for asked, method in ((storage, "read"), (storage.documents, "get")):
            monkeypatch.setattr(asked, method, None)  # PostgreSQL fails with a message of its own
        http = Http(here.port)
        for path in ("/api/replays/a%00b/page", "/replay/%00", "/api/tables/%00", "/tables/a%00"):
            assert (await http.ask("GET", path)).status == 404, path
        monkeypatch.undo()

    run_attack(tmp_path, attack)

"""Those who mean harm are refused or cut off; everyone else goes on playing.

`benchmarks/hostile.py` measures what others notice of it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import resource
import socket as sockets
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from campaigns.wire import TEXT, Closed, Here, Http, Socket, connected, framed, hung_up, site_in
from wonderland.web import api, live, patience

HOSTILE = "127.0.0.2"
"""Where harm comes from; people play from another address."""


def where(name: str) -> Any:
    """The module in which a WebSocket finds a limit."""
    modules = [sys.modules[kind.__module__] for kind in live.Live.__mro__]
    return next(module for module in modules if hasattr(module, name))


class Game:
    """Two people who play Parade over HTTP and look on live."""

    def __init__(self, here: Here) -> None:
        self.here = here
        self.version = self.number = 0
        self.people: list[Http] = []

    async def begin(self) -> None:
        first = Http(self.here.port)
        laid = await first.ask("POST", "/api/tables", {"game": "parade", "seats": 2, "access": "open"})
        self.table, first.cookie = laid.json()["table"], laid.cookie
        self.people = [first, Http(self.here.port)]
        for who, name in enumerate(("Alice", "Bill")):
            sit = {"do": "sit", "name": name, "contribution": "ab" * 16, "seat": who}
            answer = await self.do(who, sit)
            self.people[who].cookie = answer.cookie or self.people[who].cookie
        await self.do(0, {"do": "start"})

    async def do(self, who: int, command: dict[str, Any]) -> Any:
        self.number += 1
        body = {"at": self.version, "key": f"key-{self.number:06}"} | command
        answer = await self.people[who].ask("POST", f"/api/tables/{self.table}/commands", body)
        assert answer.status == 200, answer
        self.version = answer.json()["version"]
        return answer

    async def move(self) -> None:
        """Whoever is to play, plays."""
        look = (await self.people[0].ask("GET", f"/api/tables/{self.table}")).json()
        seat = look["to_act"][0]
        mine = (await self.people[seat].ask("GET", f"/api/tables/{self.table}?seat={seat}")).json()
        await self.do(seat, {"do": "play", "seat": seat, "action": mine["legal"][0]})


@asynccontextmanager
async def playing(folder: Path) -> AsyncIterator[tuple[Here, Game]]:
    async with site_in(folder) as here:
        game = Game(here)
        await game.begin()
        yield here, game
        await game.move()  # whatever has happened, they go on


def run(folder: Path, attack: Callable[[Here, Game], Awaitable[None]]) -> None:
    """Attack a site, and play on."""

    async def attacked() -> None:
        async with playing(folder) as (here, game):
            await attack(here, game)

    asyncio.run(attacked())


async def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait for something that must come."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - nobody tells us
            await asyncio.sleep(0.01)


# Pages of others

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
def test_a_page_of_somebody_else_may_do_nothing(origin: str, tmp_path: Path) -> None:
    async def attack(here: Here, game: Game) -> None:
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
        socket = await Socket.opened(here.port, game.table, cookie, headers=f"Origin: {origin}\r\n")
        assert socket.head.startswith(b"HTTP/1.1 403"), socket.head
        await until(lambda: not here.site.live)

    run(tmp_path, attack)


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
def test_an_odd_handshake_leaves_nothing_behind(
    headers: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def attack(here: Here, game: Game) -> None:
        before = len(here.connections)
        socket = await Socket.opened(here.port, game.table, headers=headers)
        await socket.close()
        await until(lambda: not here.site.live, 5)
        await until(lambda: len(here.connections) <= before, 5)

    run(tmp_path, attack)
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("query", QUERIES, ids=range(len(QUERIES)))
def test_an_odd_query_is_refused_or_ignored(
    query: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def attack(here: Here, game: Game) -> None:
        socket = await Socket.opened(here.port, game.table, query=query)
        assert socket.head.split(b" ")[1] in (b"101", b"400", b"403", b"414", b"431"), socket.head
        await socket.close()
        await until(lambda: not here.site.live, 5)

    run(tmp_path, attack)
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
def test_a_socket_to_nothing_is_refused(
    path: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def attack(here: Here, game: Game) -> None:
        reader, writer = await connected(here.port, HOSTILE)
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: d29uZGVybGFuZHdvbmRlcg==\r\n\r\n".encode()
        )
        async with asyncio.timeout(10):
            head = await reader.read(2000)
        assert head.split(b" ")[1] in (b"101", b"404", b"400"), head
        if b" 101 " in head:  # then it is closed with a reason
            assert b"no such table" in head + await reader.read(2000)
        await hung_up(writer)
        await until(lambda: not here.site.live, 5)

    run(tmp_path, attack)
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


# Too much


def test_what_is_too_large_is_refused(tmp_path: Path) -> None:
    async def attack(here: Here, game: Game) -> None:
        http = Http(here.port, game.people[0].cookie)
        answer = await http.ask("POST", "/api/tables", b'{"game": "' + b"x" * 100_000)
        assert answer.status == 400
        await http.close()
        with suppress(OSError):  # cut off before it could be read
            assert (await http.ask("GET", "/healthz", None, {"X": "x" * 1_000_000})).status == 400
        await http.close()
        for frame in (
            framed(TEXT, b"x" * 8193),
            framed(TEXT, b"x" * 10**6),
            framed(TEXT, b"x" * 8000, last=False) + framed(0, b"x" * 200),
        ):
            socket = await Socket.opened(here.port, game.table, game.people[0].cookie)
            socket.writer.write(frame)
            assert await socket.end() in (1009, None)

    run(tmp_path, attack)


def test_a_flood_of_requests_is_refused_and_only_where_it_comes_from(tmp_path: Path) -> None:
    async def attack(here: Here, game: Game) -> None:
        http = Http(here.port, address=HOSTILE)
        statuses = [(await http.ask("GET", "/api/games")).status for _ in range(1500)]
        assert 429 in statuses
        assert (await Http(here.port).ask("GET", "/api/games")).status == 200

    run(tmp_path, attack)


def test_a_flood_of_messages_is_cut_off(tmp_path: Path) -> None:
    async def attack(here: Here, game: Game) -> None:
        socket = await Socket.opened(here.port, game.table, "the-cookie-of-a-stranger", address=HOSTILE)
        for _ in range(1000):
            socket.send("{}")
        assert await socket.end() == 1008
        await until(lambda: not here.site.live)

    run(tmp_path, attack)


def test_spectators_can_not_fill_the_queue_of_a_table(tmp_path: Path) -> None:
    """What can't be theirs to do must not keep those waiting whose turn it is."""

    async def attack(here: Here, game: Game) -> None:
        crowd = [
            await Socket.opened(here.port, game.table, f"the-cookie-of-stranger-{n}", address=HOSTILE)
            for n in range(20)
        ]
        for n in range(40):
            for socket in crowd:
                socket.send({"do": "play", "seat": 0, "action": "R1", "at": 0, "key": f"flood-{n:04}"})
        for _ in range(3):
            await game.move()  # which raises if it is refused

    run(tmp_path, attack)


def test_refused_undos_do_not_keep_others_waiting(tmp_path: Path) -> None:
    """Whether something can be taken back takes long to find out: it can't be asked for at any rate."""

    async def attack(here: Here, game: Game) -> None:
        for _ in range(3):
            await game.move()
        crowd = [
            await Socket.opened(here.port, game.table, who.cookie, address=HOSTILE)
            for who in game.people
        ]
        asked = 50
        for seat, socket in enumerate(crowd):
            for n in range(asked):
                command = {
                    "do": "propose",
                    "what": "undo",
                    "seat": seat,
                    "at": game.version,
                    "key": f"undo-{n:04}",
                }
                socket.send(command)
        problems = [
            (await socket.answer(f"undo-{n:04}")).get("problem")
            for socket in crowd
            for n in range(asked)
        ]
        assert "too many" in problems

    run(tmp_path, attack)


# Too slow


def test_who_does_not_read_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(where("_MOST_UNREAD"), "_MOST_UNREAD", 20_000)

    async def attack(here: Here, game: Game) -> None:
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
        await until(lambda: len(here.site.live) > 150)
        for each in list(here.site.live):  # small buffers on this side too, to be quick
            each._transport.get_extra_info("socket").setsockopt(
                sockets.SOL_SOCKET, sockets.SO_SNDBUF, 2048
            )
        room = await here.site.house.room(game.table)
        async with asyncio.timeout(60):
            while here.site.live:
                room.tell(0)
                await asyncio.sleep(0)
        assert room.watchers == []
        for raw in crowd:
            raw.close()

    run(tmp_path, attack)


def test_a_slow_request_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "PATIENCE", 0.5)
    monkeypatch.setattr(api, "_PATIENCE", 0.5)
    post = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n"
    post += b"Content-Type: application/json\r\n\r\n"
    get = b"GET /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n"

    async def drip(here: Here, data: bytes, then: bytes) -> None:
        reader, writer = await connected(here.port, HOSTILE)
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
        await hung_up(writer)

    async def attack(here: Here, game: Game) -> None:
        async with asyncio.timeout(30):
            await asyncio.gather(
                *(drip(here, b"GET /api/games HTTP/1.1\r\nX: ", b"x") for _ in range(30)),
                *(drip(here, b"", b"") for _ in range(30)),
                *(drip(here, post, b" ") for _ in range(30)),
                *(drip(here, get, b" ") for _ in range(30)),
            )
        for who in game.people:
            await who.close()
        await until(lambda: not here.connections)

    run(tmp_path, attack)


def test_who_asks_and_does_not_read_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers over HTTP that nobody takes must not be kept for ever."""
    monkeypatch.setattr(patience, "PATIENCE", 0.5)

    async def attack(here: Here, game: Game) -> None:
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
        await until(lambda: connection not in here.connections, 20)
        raw.close()

    run(tmp_path, attack)


def test_half_open_connections_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(where("_PATIENCE"), "_PATIENCE", 0.2)

    async def attack(here: Here, game: Game) -> None:
        crowd = [await Socket.opened(here.port, game.table, address=HOSTILE) for _ in range(20)]
        await until(lambda: len(here.site.live) == 20)
        await asyncio.sleep(0.3)  # in which none of them gives a sign of life
        for each in list(here.site.live):
            each.ping()
        await until(lambda: not here.site.live)
        for socket in crowd:
            await socket.close()

    run(tmp_path, attack)


# Too many


def test_one_address_can_not_take_all_connections(tmp_path: Path) -> None:
    """A process has so many descriptors, often 1024; one address must leave some to others."""

    async def attack(here: Here, game: Game) -> None:
        http = Http(here.port, address=HOSTILE)
        for _ in range(20):
            laid = await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})
            for _ in range(40):
                socket = await Socket.opened(here.port, laid.json()["table"], address=HOSTILE)
                if not socket.accepted:
                    return
        raise AssertionError(f"one address has {len(here.site.live)} sockets, and nobody minds")

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    try:
        run(tmp_path, attack)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_crowd_that_comes_and_goes_is_not_told_of_one_by_one(tmp_path: Path) -> None:
    """Each who comes costs a message to each who is there: that must not grow with the square."""

    async def attack(here: Here, game: Game) -> None:
        player = await Socket.opened(here.port, game.table, game.people[0].cookie)
        await player.settled()
        crowd = await asyncio.gather(
            *(Socket.opened(here.port, game.table, address=HOSTILE) for _ in range(100))
        )
        await until(lambda: len(here.site.live) == 101)
        told = [each for each in await player.settled() if each["type"] == "present"]
        for socket in crowd:
            await socket.close()
        assert len(told) < 50

    run(tmp_path, attack)


def test_what_is_kept_of_addresses_is_bounded(tmp_path: Path) -> None:
    async def attack(here: Here, game: Game) -> None:
        for n in range(11_000):
            here.site.requests.take(f"2001:db8::{n:x}")
        assert len(here.site.requests._buckets) <= 10_000

    run(tmp_path, attack)


def test_messages_before_the_table_is_found_are_bounded(tmp_path: Path) -> None:
    async def attack(here: Here, game: Game) -> None:
        socket = await Socket.opened(here.port, "none" * 5, "the-cookie-of-a-stranger")
        for _ in range(500):
            socket.writer.write(framed(TEXT, b"x" * 100))
        await socket.end()
        await until(lambda: not here.site.live)

    run(tmp_path, attack)


def test_nonsense_over_the_wire_costs_only_its_sender(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    junk = [
        b'{"do": "\xff"}',
        b'{"x": ' + b"[" * 8000,
        b"\xff" * 100,
        b'"' + b"\\ud800" * 100 + b'"',
        b"[" * 8000,
    ]

    async def attack(here: Here, game: Game) -> None:
        for each in junk:
            socket = await Socket.opened(here.port, game.table, game.people[0].cookie)
            socket.send(each)
            try:
                assert (await socket.message("refused"))["problem"] == "bad request"
            except Closed as closed:
                assert closed.code == 1007, (each[:20], closed.code)  # noqa: PT017 - either will do
            await socket.close()
        await until(lambda: not here.site.live)

    run(tmp_path, attack)
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


def test_a_failing_storage_leaves_no_table_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is a refusal, and when the storage is back, the game goes on."""

    async def attack(here: Here, game: Game) -> None:
        storage: Any = here.site.house.storage
        storage._writer.execute("PRAGMA query_only = ON")
        http = Http(here.port, game.people[0].cookie)
        body = {"do": "silence", "off": False, "at": game.version, "key": "while-it-fails"}
        answer = await http.ask("POST", f"/api/tables/{game.table}/commands", body)
        assert answer.status == 503, answer
        storage._writer.execute("PRAGMA query_only = OFF")
        assert not (await here.site.house.room(game.table)).busy
        assert json.loads(answer.body)["problem"] == "storage"

    run(tmp_path, attack)

"""Network players that remember everything they were sent and check the stored logs against it."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.request import Request, urlopen

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from wonderland.tables import entries as log
from wonderland.tables.descriptions import build_update
from wonderland.tables.handlers import hash_secret, key_of
from wonderland.tables.storage.interface import StoredEntry
from wonderland.tables.table import Table


class Person:
    """A seated player: plays at random, reconnects when cut off, and resends unanswered commands."""

    def __init__(self, address: str, table: str, seat: int, cookie: str, rng: random.Random) -> None:
        self.address = address
        self.table = table
        self.seat = seat
        self.cookie = cookie
        self.rng = rng
        self.version = 0
        self.finished = False
        self.done: dict[str, int] = {}
        """Acknowledged commands: key and version."""
        self.sent: dict[str, dict[str, Any]] = {}
        self.seen: list[dict[str, Any]] = []
        """Every `table` message received."""
        self.refusals: Counter[str] = Counter()
        self.pending: dict[str, Any] | None = None
        self.resend_after: float | None = None
        """Timeout in seconds after which an unanswered command is resent."""

    @property
    def device(self) -> str:
        return hash_secret(self.cookie)

    async def play(self) -> None:
        """Play to the end, however often the connection is lost."""
        while not self.finished:
            with suppress(OSError, WebSocketException, asyncio.TimeoutError):
                await self._stay_connected()
            if not self.finished:
                await asyncio.sleep(0.02)

    async def _stay_connected(self) -> None:
        address = self.address.replace("http", "ws", 1)
        url = f"{address}/api/tables/{self.table}/live?seat={self.seat}&after={self.version}"
        headers = {"Cookie": f"wonderland={self.cookie}"}
        async with connect(
            url, additional_headers=headers, compression=None, open_timeout=5, close_timeout=0.2
        ) as socket:
            fresh = True
            while not self.finished:
                try:
                    text = await asyncio.wait_for(socket.recv(), self.resend_after)
                except TimeoutError:
                    if self.pending:
                        await socket.send(json.dumps(self.pending))
                    continue
                await self._receive(socket, json.loads(text), fresh=fresh)
                fresh = False

    async def _receive(self, socket: Any, message: dict[str, Any], *, fresh: bool) -> None:
        if message["type"] == "done":
            assert self.done.setdefault(message["key"], message["version"]) == message["version"]
        elif message["type"] == "refused":
            self.refusals[message["problem"]] += 1
        elif message["type"] == "table":
            assert message["version"] >= self.version, "the version decreased: something was lost"
            self.version = message["version"]
            self.seen.append(message)
        if self.pending and self.pending["key"] == message.get("key"):
            self.pending = None
        await self._respond(socket, fresh=fresh)

    async def _respond(self, socket: Any, *, fresh: bool) -> None:
        """Resend an unanswered command, or else choose an action from the last table received."""
        if not self.seen:
            return
        last = self.seen[-1]
        if last["table"]["status"] == "finished" and (self.pending is None or fresh):
            self.finished = True
        elif fresh and self.pending:
            await socket.send(json.dumps(self.pending))
        elif self.pending is None and self.seat in last["to_act"]:
            await socket.send(json.dumps(self._choose(last)))

    def _choose(self, message: dict[str, Any]) -> dict[str, Any]:
        self.pending = {
            "do": "play",
            "at": message["version"],
            "key": secrets.token_hex(8),
            "seat": self.seat,
            "action": self.rng.choice(message["legal"]),
        }
        self.sent[self.pending["key"]] = self.pending
        return self.pending


def request(
    address: str, path: str, cookie: str | None = None, body: Any = None
) -> tuple[Any, str | None]:
    """Send one request; return the response and the cookie that was set."""
    headers = {"Content-Type": "application/json"}
    if cookie:
        headers["Cookie"] = f"wonderland={cookie}"
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address + path, data, headers)) as answer:  # noqa: S310 - our own server
        given = answer.headers.get("Set-Cookie", "")
        found = given.partition("wonderland=")[2].partition(";")[0] or None
        return json.loads(answer.read()), found


def start_game(
    address: str, game: str, rng: random.Random, bots: Mapping[str, str] | None = None
) -> list[Person]:
    """Create a table with two players (and bots, if given), and start the game."""
    bots = bots or {}
    wanted = {"game": game, "seats": 2 + len(bots), "access": "open", "bots": bots}
    laid, host = request(address, "/api/tables", None, wanted)
    table, people = laid["table"], []
    for seat in range(2):
        sit = {"do": "sit", "at": seat, "key": secrets.token_hex(8), "name": f"Player {seat + 1}"}
        sit |= {"contribution": secrets.token_hex(16), "seat": seat}
        cookie = host if seat == 0 else None
        _, given = request(address, f"/api/tables/{table}/commands", cookie, sit)
        people.append(Person(address, table, seat, cookie or given or "", rng))
        people[-1].sent[sit["key"]] = sit
    start = {"do": "start", "at": 2, "key": secrets.token_hex(8)}
    request(address, f"/api/tables/{table}/commands", host, start)
    people[0].sent[start["key"]] = start
    return people


def check_logs(people: Iterable[Person], logs: Mapping[str, Sequence[StoredEntry]]) -> dict[str, int]:
    """Compare what players were sent with what is stored: nothing lost, invented, or done twice."""
    counts: Counter[str] = Counter()
    people = list(people)
    for table, entries in logs.items():
        here = [person for person in people if person.table == table]
        known = {key_of(p.device, key): command for p in here for key, command in p.sent.items()}
        _check_log(entries, known)
        for person in here:
            counts["acknowledged"] += len(person.done)
            counts["shown"] += len(person.seen)
            for key, version in person.done.items():
                assert version < len(entries), f"move {version} of {table} is lost"
                happening = log.read_entry(entries[version].body)
                # a second click is answered with the first: the same action, sent before that was seen
                twins = [other for other in here if other.device == person.device]
                own = {key_of(person.device, sent) for twin in twins for sent in twin.sent}
                assert happening.key in own, f"move {version} of {table} is lost"
                assert happening.action == person.sent[key]["action"]
                assert happening.key == key_of(person.device, key) or person.sent[key]["at"] < version
        for person in here:  # after the moves of both: a lost one explains what was shown
            _check_shown(person, entries)
        counts["entries"] += len(entries)
        counts["tables"] += 1
    return dict(counts)


def _check_log(entries: Sequence[StoredEntry], known: Mapping[str, dict[str, Any]]) -> None:
    assert [entry.n for entry in entries] == list(range(len(entries)))
    keys = [happening.key for entry in entries if (happening := log.read_entry(entry.body)).key]
    assert len(set(keys)) == len(keys), "a command was executed twice"
    for key in keys:
        assert key in known, "the log has a command that nobody sent"


def _check_shown(person: Person, entries: Sequence[StoredEntry]) -> None:
    """Check that each table shown matches the log at its version."""
    table = Table(entries[0])
    wanted = {message["version"]: message for message in person.seen}
    for entry in [None, *entries[1:]]:
        if entry is not None:
            table.follow(entry)
        if (message := wanted.pop(table.version, None)) is not None:
            stored = msgspec.json.decode(build_update(table, person.seat, table.version))
            for part in ("view", "legal", "to_act", "time", "table"):
                assert message[part] == stored[part], (
                    f"version {table.version}: another {part} was shown"
                )
    assert not wanted, f"shown, but not stored: {sorted(wanted)}"

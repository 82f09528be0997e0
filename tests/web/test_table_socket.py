"""Concurrent clients at one table over real sockets, in any order, with any nonsense: the invariants.

Versions only grow; an acknowledged command is in the log exactly once; a key never makes two entries;
when everything has settled, all see what a fresh read shows; nothing arrives after a connection ends.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from campaigns.raw_clients import BINARY, PING, TEXT, Http, RunningSite, Socket, encode_frame, site_in
from wonderland.tables import entries as log

PEOPLE = ("Alice", "Bill", "Dinah")  # Dinah only watches
WHO = st.sampled_from(range(len(PEOPLE)))
NUMBER = st.integers(min_value=0, max_value=10**6)
JUNK = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=60).map(str.encode),
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5), lambda each: st.lists(each, max_size=3)
    ).map(lambda value: json.dumps(value).encode()),
    st.sampled_from([b'{"x":' + b"[" * 8000, b'{"do":"\xff"}', b'{"do":"start"}', b"", b"\x00"]),
)


class Client:
    """A player with at most one connection, who remembers all messages."""

    def __init__(self, cookie: str) -> None:
        self.cookie = cookie
        self.socket: Socket | None = None
        self.version = -1
        self.latest: Any = None


class Evening(RuleBasedStateMachine):
    """A table of two-player Parade, and a spectator."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = TemporaryDirectory()
        self.run = self.runner.run
        self.sent: dict[str, tuple[int, dict[str, Any]]] = {}
        """Every command by its key: who sent it, and what."""
        self.answers: dict[str, set[int]] = {}
        """For each key the versions that were acknowledged."""
        self.number = 0
        self.run(self._begin())

    async def _begin(self) -> None:
        self.manager = site_in(Path(self.folder.name), limited=False)
        self.here: RunningSite = await self.manager.__aenter__()
        http = Http(self.here.port)
        laid = await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})
        self.table, invitation = laid.json()["table"], laid.json()["invitation"]
        self.clients = [Client(laid.cookie)]
        for number, name in enumerate(PEOPLE[:2]):
            http.cookie = self.clients[number].cookie if number < len(self.clients) else ""
            sit = {"do": "sit", "name": name, "contribution": "ab" * 16, "invitation": invitation}
            done = await http.ask("POST", self.path, {**sit, "at": number, "key": f"sit-{name}"})
            assert done.status == 200, done
            if number:
                self.clients.append(Client(done.cookie))
        self.clients.append(Client("the-cookie-of-somebody-else"))
        await http.close()

    @property
    def path(self) -> str:
        return f"/api/tables/{self.table}/commands"

    def teardown(self) -> None:
        async def end() -> None:
            for client in self.clients:
                await self._left(client)
            await self._nobody_is_left()
            await self.manager.__aexit__(None, None, None)

        try:
            self.run(end())
        finally:
            self.runner.close()
            self.folder.cleanup()

    async def _nobody_is_left(self) -> None:
        live = await self.here.site.tables.get_live_table(self.table)
        for _ in range(300):
            if not live.watchers and not self.here.site.live:
                break
            await asyncio.sleep(0.01)
        assert not live.watchers, "a player who left still gets messages"
        assert not self.here.site.live
        assert not live.queue
        assert not live.is_busy

    async def _left(self, client: Client) -> None:
        if client.socket is not None:
            await client.socket.close()
            client.socket = None

    # Actions

    @rule(who=WHO, after=st.none() | NUMBER)
    def comes(self, who: int, after: int | None) -> None:
        async def come() -> None:
            client = self.clients[who]
            await self._left(client)
            query = "" if after is None else f"?after={after}"
            client.socket = await Socket.open(self.here.port, self.table, client.cookie, query)
            assert client.socket.accepted
            first = await client.socket.message()
            assert first["type"] == "table"
            assert first["seat"] == (who if who < 2 else None)
            self._took(client, first)

        self.run(come())

    @rule(who=WHO)
    def goes(self, who: int) -> None:
        self.run(self._left(self.clients[who]))

    @rule(
        who=WHO, seat=st.integers(0, 3), choice=NUMBER, back=st.integers(0, 3), over_http=st.booleans()
    )
    def does(self, who: int, seat: int, choice: int, back: int, over_http: bool) -> None:
        """Send a command that may be legal: a move, a chat message, the start, a proposal, an answer."""
        self.run(self._does(who, seat, choice, back, over_http=over_http))

    async def _does(self, who: int, seat: int, choice: int, back: int, *, over_http: bool) -> None:
        table = (await self.here.site.tables.get_live_table(self.table)).table
        words = ["A0"]
        if table.match is not None and seat in table.to_act:
            words = [table.match.game.write(action) for action in table.match.legal(seat)]
        commands: list[dict[str, Any]] = [
            {"do": "play", "seat": seat, "action": words[choice % len(words)]},
            {"do": "play", "seat": seat, "action": words[choice % len(words)]},
            {"do": "start"},
            {"do": "say", "seat": seat, "phrase": "hello"},
            {"do": "propose", "seat": seat, "what": "undo"},
            {"do": "answer", "seat": seat, "agree": choice % 3 > 0},
            {"do": "leave", "seat": seat} if table.match is not None else {"do": "start"},
            {"do": "takeback", "seat": seat},
            {"do": "silence", "off": choice % 5 == 0},
            {"do": "link", "seat": seat},
        ]
        self.number += 1
        key = f"key-{self.number:06}"
        command = {"at": max(0, table.version - back), "key": key} | commands[choice % len(commands)]
        self.sent[key] = who, command
        await self._send(who, command, over_http=over_http)

    @rule(which=NUMBER, over_http=st.booleans(), at=NUMBER, as_it_was=st.booleans())
    def says_it_again(self, which: int, over_http: bool, at: int, as_it_was: bool) -> None:
        """Repeat a command of the same player, perhaps claiming another version."""
        if not self.sent:
            return
        who, command = list(self.sent.values())[which % len(self.sent)]
        again = command if as_it_was else {**command, "at": at % (command["at"] + 1)}
        self.run(self._send(who, again, over_http=over_http))

    @rule(who=WHO, at=st.integers(1, 10**12))
    def knows_the_future(self, who: int, at: int) -> None:
        async def send() -> None:
            version = (await self.here.site.tables.get_live_table(self.table)).table.version
            self.number += 1
            command = {"do": "start", "at": version + at, "key": f"key-{self.number:06}"}
            wrong = "not yours" if who == 2 else "bad request"  # that one has no seat
            assert (await self._send(who, command, over_http=True))["problem"] == wrong

        self.run(send())

    async def _send(self, who: int, command: dict[str, Any], *, over_http: bool) -> Any:
        client = self.clients[who]
        if over_http or client.socket is None:
            http = Http(self.here.port, client.cookie)
            answer = (await http.ask("POST", self.path, command)).json()
            await http.close()
        else:
            client.socket.send(command)
            answer = await self._answer(client, command["key"])
        if answer["type"] == "done":
            self.answers.setdefault(command["key"], set()).add(answer["version"])
        return answer

    async def _answer(self, client: Client, key: str) -> Any:
        assert client.socket is not None
        while True:
            message = await client.socket.message()
            if message["type"] == "table":
                self._took(client, message)
            elif message["type"] in ("done", "refused") and message["key"] == key:
                return message

    @rule(who=WHO, junk=JUNK)
    def talks_nonsense(self, who: int, junk: bytes) -> None:
        async def send() -> None:
            client = self.clients[who]
            if client.socket is None:
                return
            client.socket.send_frame(TEXT, junk)
            assert (await self._answer(client, ""))["problem"] == "bad request"

        self.run(send())

    @rule(who=WHO, kind=st.sampled_from(["binary", "huge", "pieces", "reserved", "unmasked"]))
    def breaks_the_protocol(self, who: int, kind: str) -> None:
        async def send() -> None:
            client = self.clients[who]
            if client.socket is None:
                return
            version = (await self.here.site.tables.get_live_table(self.table)).table.version
            late = json.dumps(
                {"do": "silence", "off": True, "at": version, "key": "after-the-end"}
            ).encode()
            data = {
                "binary": encode_frame(BINARY, b"{}"),
                "huge": encode_frame(TEXT, b"x" * 9000),
                "pieces": encode_frame(TEXT, b"x" * 5000, last=False) + encode_frame(0, b"x" * 5000),
                "reserved": encode_frame(3, b""),
                "unmasked": b"\x81\x02{}",
            }[kind]
            client.socket.writer.write(data + encode_frame(TEXT, late))
            await client.socket.end()
            live = await self.here.site.tables.get_live_table(self.table)
            while live.is_busy or live.queue:  # noqa: ASYNC110 - there is no event for it
                await asyncio.sleep(0.001)
            after = live.table.version
            assert after == version, "it was executed although the connection had ended"
            await self._left(client)

        self.run(send())

    @rule(who=WHO, cuts=st.lists(st.integers(0, 80), max_size=4))
    def sends_in_pieces(self, who: int, cuts: list[int]) -> None:
        async def send() -> None:
            client = self.clients[who]
            if client.socket is None:
                return
            text = json.dumps({"do": "start", "at": 0, "key": "in-pieces"}).encode()
            places = [0, *sorted(cut % len(text) for cut in cuts), len(text)]
            parts = [text[a:b] for a, b in pairwise(places)]
            for number, part in enumerate(parts):
                last = number == len(parts) - 1
                client.socket.send_frame(0 if number else TEXT, part, last=last)
                client.socket.send_frame(PING, b"between")
            answer = await self._answer(client, "in-pieces")
            if answer["type"] == "done":
                self.answers.setdefault(f"in-pieces-{who}", set()).add(answer["version"])

        self.run(send())

    # Invariants

    def _took(self, client: Client, message: Any) -> None:
        assert message["version"] >= client.version, "a version was repeated"
        client.version, client.latest = message["version"], message

    @invariant()
    def everyone_sees_what_is(self) -> None:
        async def look() -> None:
            for _ in range(200):  # a bot may be thinking
                live = await self.here.site.tables.get_live_table(self.table)
                if not (live.is_busy or live.queue or live.is_thinking):
                    break
                await asyncio.sleep(0.01)
            for who, client in enumerate(self.clients):
                if client.socket is None:
                    continue
                for message in await client.socket.receive_pending():
                    if message["type"] == "table" and message["version"] >= client.version:
                        self._took(client, message)
                http = Http(self.here.port, client.cookie)
                fresh = (await http.ask("GET", f"/api/tables/{self.table}")).json()
                await http.close()
                if fresh["version"] != client.version:
                    continue  # a bot was quick
                for part in ("table", "view", "legal", "to_act", "seat"):
                    assert client.latest[part] == fresh[part], (who, part)

        self.run(look())

    @invariant()
    def the_log_has_what_was_promised(self) -> None:
        async def look() -> None:
            entries = await self.here.site.tables.storage.read(self.table)
            assert [entry.n for entry in entries] == list(range(len(entries)))
            keys = Counter(key for entry in entries if (key := log.read_entry(entry.body).key))
            assert not [key for key, times in keys.items() if times > 1]
            for key, versions in self.answers.items():
                assert len(versions) == 1, (key, versions)
                assert max(versions) < len(entries)

        self.run(look())


TestEvening = Evening.TestCase
TestEvening.settings = settings(stateful_step_count=25, deadline=None)

"""Nobody is sent more than they may see, and the check catches planted leaks."""

from __future__ import annotations

import asyncio
import base64
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from campaigns import secrecy
from campaigns.indistinguishable_plays import settings
from campaigns.raw_clients import Http, Socket
from support.server import run_server
from wonderland.engine.registry import game_names
from wonderland.engine.serialization import encode
from wonderland.tables import descriptions, handlers, live_table, undo
from wonderland.tables.fairness import ServerKey
from wonderland.tables.table import Table
from wonderland.web import api, app
from wonderland.wire.messages import ChatMessage, TableInfo
from wonderland.wire.problems import Refusal

pytestmark = pytest.mark.slow

Plant = Callable[[pytest.MonkeyPatch], None]


@pytest.mark.parametrize("name", game_names())
def test_indistinguishable_tables_send_the_same_bytes(
    name: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    size = max(1, pytestconfig.getoption("--examples") // 4)
    counts = asyncio.run(secrecy.campaign(tmp_path, size, seed=1, games=name))
    assert counts["pairs"] == size
    assert counts["live moves"] > 0


def test_every_seat_count_and_option_is_covered(tmp_path: Path) -> None:
    for name in game_names():
        found = settings(name)
        for option in {option for setting in found for option in setting.options}:
            assert len({setting.options[option] for setting in found}) > 1
        assert len({setting.seats for setting in found}) > 1


# Leaks


def _messages(monkeypatch: pytest.MonkeyPatch, change: Callable[[Table, int | None, Any], Any]) -> None:
    """Change every message about a table before it is sent."""

    def leaking(table: Table, seat: int | None, after: int, common: Raw | None = None) -> bytes:
        found = msgspec.json.decode(honest(table, seat, after, common))
        if table.match is not None:
            change(table, seat, found)
        return msgspec.json.encode(found)

    honest = descriptions.build_update
    found = [module for name, module in sys.modules.items() if name.startswith("wonderland.")]
    for module in found:
        if getattr(module, "build_update", None) is honest:
            monkeypatch.setattr(module, "build_update", leaking)


def whole_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """The view shows everything."""

    def change(table: Table, seat: int | None, found: Any) -> None:
        assert table.match is not None
        found["view"] = Raw(encode(table.match.game.reveal(table.match.state)))

    _messages(monkeypatch, change)


def all_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events are sent as they happened, not as they were witnessed."""

    def change(table: Table, seat: int | None, found: Any) -> None:
        assert table.match is not None
        if found["events"]:
            found["events"] = Raw(encode(table.match.events[-len(found["events"]) :]))

    _messages(monkeypatch, change)


def others_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody gets the legal actions of the seat to move."""

    def change(table: Table, seat: int | None, found: Any) -> None:
        assert table.match is not None
        match = table.match
        found["legal"] = [match.game.write(each) for who in table.to_act for each in match.legal(who)]

    _messages(monkeypatch, change)


def revealing_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """The order of the choices depends on the state."""

    def change(table: Table, seat: int | None, found: Any) -> None:
        assert table.match is not None
        random.Random(repr(table.match.state)).shuffle(found["legal"])

    _messages(monkeypatch, change)


def outcomes_in_chat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chance outcomes appear in the chat."""

    def change(table: Table, seat: int | None, found: Any) -> None:
        assert table.match is not None
        move = table.match.moves[-1]
        text = table.match.game.write(move.action)
        found["said"].append(ChatMessage(table.version, 0, table.time, "", text))

    _messages(monkeypatch, change)


def early_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shuffle's secret is sent with the first card."""

    def leaking(table: Table) -> TableInfo:
        secret = secrecy.KEY.secret(table.id, table.opened.nonce).reveal()
        return msgspec.structs.replace(honest(table), secret=secret)

    honest = descriptions.describe_table
    monkeypatch.setattr(live_table, "describe_table", leaking)


def naming_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal names the last move to viewers who may not know it."""

    def leaking(context: handlers.Context, *given: Any, **more: Any) -> handlers.HandlerResult:
        try:
            return honest(context, *given, **more)
        except Refusal as refusal:
            if context.table.match is not None:
                state = context.table.match.state
                raise Refusal(refusal.code, f"{refusal} Mind {state!r}.") from None
            raise

    honest = handlers.decide
    monkeypatch.setattr(live_table, "decide", leaking)


def revealing_header(monkeypatch: pytest.MonkeyPatch) -> None:
    """A response header carries a hash of the whole table."""

    async def leaking(site: Any, request: Any, table: str) -> Any:
        response = await honest(site, request, table)
        match = (await site.tables.get_live_table(table)).table.match
        response.headers["ETag"] = str(hash(repr(match and match.state)))
        return response

    honest = api.get_table
    routes = tuple(
        msgspec.structs.replace(route, handler=leaking) if route.handler is honest else route
        for route in app.ROUTES
    )
    monkeypatch.setattr(app, "ROUTES", routes)


def wrong_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """All watchers get the message for the first of them: seats are mixed up."""

    def leaking(self: live_table.LiveTable, after: int) -> None:
        for watcher in self.watchers.copy():
            watcher.send(
                descriptions.build_update(
                    self.table, self.table.to_act[0] if self.table.to_act else 0, after
                )
            )

    monkeypatch.setattr(live_table.LiveTable, "broadcast", leaking)


def undo_by_hidden_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a move can be taken back depends on hidden information."""

    def leaking(match: Any, moves: int, samples: int) -> bool:
        return random.Random(repr(match.state)).random() < 0.5

    monkeypatch.setattr(undo, "has_revealed", leaking)


LEAKS: list[Plant] = [
    whole_state,
    all_events,
    others_choices,
    revealing_order,
    outcomes_in_chat,
    early_secret,
    naming_refusal,
    revealing_header,
    wrong_seat,
    undo_by_hidden_state,
]


@pytest.mark.parametrize("plant", LEAKS, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found(plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(secrecy.Leak):
        asyncio.run(secrecy.campaign(tmp_path, 40, seed=2, games="parade"))


# Secrets


def forms(secret: str | bytes) -> list[bytes]:
    """Return the ways a secret could be written."""
    raw = secret if isinstance(secret, bytes) else secret.encode()
    found = {raw, base64.b64encode(raw).rstrip(b"="), base64.urlsafe_b64encode(raw).rstrip(b"=")}
    found |= {raw.hex().encode(), raw.hex().upper().encode(), repr(raw).encode()}
    return sorted(found)


def test_no_secret_is_logged_stored_or_sent_before_its_time(tmp_path: Path) -> None:
    with run_server(tmp_path, "--log", "debug") as server:
        told = asyncio.run(_play_everything(server.port, tmp_path))
        server.stop()
        logged = server.log.read_bytes()
    assert b'"route": "/api/tables/{table}/commands"' in logged  # it did log
    for name, secret in told["never logged"]:
        for form in forms(secret):
            assert form not in logged, name
    for name, secret in told["never stored"]:
        for form in forms(secret):
            for where, data in told["stored"]:
                assert form not in data, (name, where)
    for name, secret in told["never answered"]:
        for form in forms(secret):
            for where, data in told["answers"]:
                assert form not in data, (name, where)


async def _play_everything(  # noqa: PLR0915 - one long evening
    port: int, folder: Path
) -> dict[str, Any]:
    """Play a two-player game with links and refusals, reading everything."""
    alice, bill, carol = Http(port), Http(port), Http(port)
    answers: list[tuple[str, bytes]] = []

    async def done(who: Http, command: dict[str, Any], **more: Any) -> Any:
        nonlocal version, number
        number += 1
        body = {"at": version, "key": f"key-{number:05}"} | command
        answer = await who.ask("POST", f"/api/tables/{table}/commands", body, **more)
        if answer.status == 200:
            version = answer.json()["version"]
        if answer.cookie:
            who.cookie = answer.cookie
        answers.append((str(command), answer.body))
        return answer

    laid = await alice.ask("POST", "/api/tables", {"game": "parade", "seats": 2, "options": {}})
    alice.cookie, table, invitation = laid.cookie, laid.json()["table"], laid.json()["invitation"]
    version = number = 0
    for who, name in ((alice, "Alice"), (bill, "Bill")):
        sit = {"do": "sit", "name": name, "contribution": "ab" * 16, "invitation": invitation}
        assert (await done(who, sit)).status == 200
    links = [(await done(alice, {"do": "link", "seat": 0})).json()["told"]["secret"]]
    links.append((await done(bill, {"do": "link", "seat": 1})).json()["told"]["secret"])
    answers.clear()  # of which these two were for Alice alone
    assert (await done(carol, {"do": "claim", "seat": 0, "secret": links[0]})).status == 200
    await done(carol, {"do": "claim", "seat": 1, "secret": "wrong" + links[1]})
    await done(alice, {"do": "start"})
    key = ServerKey.load(folder / "tables.key")
    live = await Socket.open(port, table, bill.cookie)
    await live.message("table")
    look = {"status": ""}
    rng = random.Random(1)
    stored: list[tuple[str, bytes]] = []
    while True:
        for path in (f"/api/tables/{table}?after=0", "/metrics", "/healthz", "/api/tables", "/api/docs"):
            answer = await (alice, bill)[rng.randrange(2)].ask("GET", path)
            if answer.status == 200 and path.startswith(f"/api/tables/{table}"):
                look = answer.json()
                if look["table"]["status"] == "finished":
                    break
            answers.append((path, answer.body))
        if look["table"]["status"] == "finished":
            break
        stored = [(path.name, path.read_bytes()) for path in folder.glob("tables.db*")]  # noqa: ASYNC240
        seat = look["to_act"][0]
        view = (await (alice, bill)[seat].ask("GET", f"/api/tables/{table}?seat={seat}")).json()
        await done((alice, bill)[seat], {"do": "play", "seat": seat, "action": "nonsense"})
        await done((alice, bill)[1 - seat], {"do": "play", "seat": seat, "action": view["legal"][0]})
        played = await done(
            (alice, bill)[seat], {"do": "play", "seat": seat, "action": view["legal"][0]}
        )
        assert played.status == 200
    answers += [("live", data) for _, data in live.frames]  # which has not read to the end
    await live.close()
    for who in (alice, bill, carol):
        await who.close()
    shuffle = bytes.fromhex(look["table"]["secret"])
    persons = [("cookie", who.cookie) for who in (alice, bill, carol)]
    persons += [("invitation", invitation), *(("link", link) for link in links)]
    server = [("key", bytes.fromhex((folder / "tables.key").read_text().strip()))]
    assert key.fingerprint
    assert look["table"]["secret"]
    return {
        "answers": answers,
        "stored": stored,
        "never logged": [*persons, *server, ("shuffle", shuffle)],
        "never stored": [*persons, *server, ("shuffle", shuffle)],
        "never answered": [*persons, *server, ("shuffle", shuffle)],
    }

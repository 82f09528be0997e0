"""Who may ask for what and do what: every route and command, for everyone, at every stage of a table.

A route or a command that has no row here fails `test_everything_has_a_row`.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest

from campaigns.secrecy import stored
from campaigns.twins import NAMES, Setting, additions, opening, random_play
from campaigns.wire import KEY, Answer, Closed, Here, Http, Socket, site_in
from wonderland.core.match import acting
from wonderland.core.protocol import LUCK, Chance, Over
from wonderland.core.registry import game
from wonderland.tables import commands as ask
from wonderland.tables import entries as log
from wonderland.tables.deciding import hashed
from wonderland.tables.storage import Entry
from wonderland.web.api import ROUTES

SETTING = Setting("parade", 4, {})
BILL = 1
STAGES = ("open", "full", "playing", "finished")
ROLES = (
    "host seated",  # on seat 0
    "host not seated",
    "bill",  # whose seat, 1, everything is about
    "dinah",  # on seat 2
    "left",  # sat where Dinah sits now
    "revoked",  # had a link to Bill's seat, until the host revoked it
    "stranger",  # with the cookie of a device
    "nobody",  # without any
)
_tables = (f"matrix{number}" for number in count())


def cookie(role: str) -> str:
    """What a device shows; the two hosts are of two kinds of tables."""
    return "" if role == "nobody" else f"the cookie of the {role} device".replace(" ", "-")


def device(role: str) -> str:
    return hashed(cookie(role))


class Laid(NamedTuple):
    """A table at some stage."""

    name: str
    version: int
    legal: str
    """Something that Bill may play, if it is his turn."""


def history(stage: str, *, host_sits: bool) -> tuple[list[log.Any], str]:
    """How a table came to that stage, and what Bill may then play."""
    contribution = "ab" * 16
    first = "host seated" if host_sits else "somebody"
    found: list[log.Any] = [
        log.Sat(2, "Edith", device("left"), contribution),
        log.Left(2),
        log.Sat(0, NAMES[0], device(first), contribution),
        log.Sat(BILL, NAMES[1], device("bill"), contribution),
        log.Sat(2, NAMES[2], device("dinah"), contribution),
        log.Linked(BILL, hashed("one")),
        log.Claimed(BILL, device("revoked")),
        log.Linked(BILL, hashed("two"), revoked=True),
        log.Claimed(BILL, device("bill")),
    ]
    if stage == "open":
        return found, "A0"
    found.append(log.Sat(3, NAMES[3], device("fish"), contribution))
    if stage == "full":
        return found, "A0"
    return _played(found, over=stage == "finished")


def _played(found: list[log.Any], *, over: bool) -> tuple[list[log.Any], str]:
    rules = game(SETTING.game)
    match = random_play(SETTING, random.Random(5))
    seat, word, luck = None, "", list[str]()
    legal = "A0"
    turns = 0
    for state, move in match.record.states():
        turn = rules.turn(state)
        if not isinstance(turn, Chance):
            secret = "00" * 32 if isinstance(turn, Over) else ""
            entry = (
                log.Started(tuple(luck)) if seat is None else log.Played(seat, word, tuple(luck), secret)
            )
            found.append(entry)
            turns += BILL in acting(turn)
            if not over and turns == 2:
                legal = rules.write(rules.legal(state, BILL)[0])
                break
        if move is not None:
            if move.actor is LUCK:
                luck.append(rules.write(move.action))
            else:
                seat, word, luck = move.actor, rules.write(move.action), []
    return found, legal


async def laid(here: Here, stage: str, role: str, more: tuple[log.Any, ...] = ()) -> Laid:
    """A fresh table at that stage; its host is the one of the two whom the role is about."""
    table = next(_tables)
    host_sits = role != "host not seated"
    happenings, legal = history(stage, host_sits=host_sits)
    opened = log.changed(
        opening(SETTING, table, KEY), host=device("host seated" if host_sits else "host not seated")
    )
    entries = [
        Entry(table, n, 1_700_000_000_000 + n, log.written(happening))
        for n, happening in enumerate([opened, *happenings, *more])
    ]
    await stored(here.site.house.storage, additions(entries)[0])
    return Laid(table, len(entries) - 1, legal)


@asynccontextmanager
async def site(folder: Path) -> AsyncIterator[Here]:
    async with site_in(folder, limited=False) as here:
        yield here


# Commands

HOSTS = {"host seated", "host not seated"}
SEATED = {"host seated", "bill", "dinah"}
EVERYONE = set(ROLES)
WITH_A_DEVICE = EVERYONE - {"nobody"}


class Row(NamedTuple):
    """A command, and who may give it at which stage: all others are refused."""

    command: dict[str, Any]
    may: dict[str, set[str]]
    more: tuple[log.Any, ...] = ()
    """What must have happened before."""


def always(who: set[str]) -> dict[str, set[str]]:
    return dict.fromkeys(STAGES, who)


SIT = {"do": "sit", "name": "Gryphon", "contribution": "cd" * 16}
COMMANDS: dict[type, list[Row]] = {
    ask.Sit: [
        Row({**SIT, "seat": 3}, {"open": HOSTS}),
        Row({**SIT, "seat": 3, "invitation": "wrong"}, {"open": HOSTS}),
        Row({**SIT, "seat": BILL, "invitation": "right"}, {}),
        Row({**SIT, "invitation": "right"}, {"open": EVERYONE}),
    ],
    ask.SeatBot: [
        Row({"do": "seatbot", "seat": 3, "level": "hatter"}, {"open": HOSTS}),
        Row({"do": "seatbot", "seat": BILL, "level": "hatter"}, {}),
    ],
    ask.Leave: [
        Row(
            {"do": "leave", "seat": BILL},
            {"open": HOSTS | {"bill"}, "full": HOSTS | {"bill"}, "playing": {"bill"}},
        )
    ],
    ask.Start: [Row({"do": "start"}, {"full": SEATED})],
    ask.Play: [
        Row({"do": "play", "seat": BILL, "action": "legal"}, {"playing": {"bill"}}),
        Row({"do": "play", "seat": 2, "action": "legal"}, {}),
    ],
    ask.Propose: [
        Row(
            {"do": "propose", "seat": BILL, "what": "bot", "about": 2},
            {"playing": {"bill"}},
        ),
    ],
    ask.Answer: [
        Row(
            {"do": "answer", "seat": BILL, "agree": True},
            {"playing": {"bill"}},
            (log.Proposed(2, "bot", 0, "hatter"),),
        ),
        Row({"do": "answer", "seat": BILL, "agree": False}, {}),
    ],
    ask.TakeBack: [
        Row(
            {"do": "takeback", "seat": BILL},
            {"playing": {"bill"}},
            (log.HandedOver(BILL, "hatter", "left"),),
        ),
        Row({"do": "takeback", "seat": BILL}, {}),
    ],
    ask.Say: [Row({"do": "say", "seat": BILL, "phrase": "hello"}, always({"bill"}))],
    ask.Silence: [Row({"do": "silence", "off": True}, always(HOSTS))],
    ask.Link: [
        Row({"do": "link", "seat": BILL}, always({"bill"})),
        Row({"do": "link", "seat": BILL, "revoke": True}, always(HOSTS)),
    ],
    ask.Claim: [
        Row(
            {"do": "claim", "seat": BILL, "secret": "three"},
            always(EVERYONE),
            (log.Linked(BILL, hashed("three")),),
        ),
        Row({"do": "claim", "seat": 2, "secret": "three"}, {}, (log.Linked(BILL, hashed("three")),)),
        Row({"do": "claim", "seat": BILL, "secret": "two"}, {}),
        Row({"do": "claim", "seat": BILL, "secret": "one"}, {}),
    ],
    ask.Rematch: [Row({"do": "rematch", "seat": BILL}, {"finished": {"bill"}})],
}
ABOUT_A_GAME = (log.Proposed, log.HandedOver)

ROUTE_ROWS: dict[str, str] = {
    "GET /api/games": "everyone, alike",
    "POST /api/tables": "everyone, and becomes the host",
    "GET /api/tables": "everyone: open tables, and one's own",
    "GET /api/tables/{table}": "everyone: one's own seat, or a spectator",
    "POST /api/tables/{table}/commands": "see COMMANDS",
    "GET /api/tables/{table}/record": "everyone, after the end",
    "GET /healthz": "everyone, alike",
}


def test_everything_has_a_row() -> None:
    assert set(COMMANDS) == set(get_args(ask.Any))
    assert set(ROUTE_ROWS) == {f"{route.method} {route.path}" for route in ROUTES}


async def over_http(here: Here, table: Laid, role: str, command: dict[str, Any]) -> Any:
    http = Http(here.port, cookie(role))
    answer = await http.ask("POST", f"/api/tables/{table.name}/commands", command)
    await http.close()
    found = answer.json()
    assert (answer.status == 200) == (found["type"] == "done")
    assert answer.status == {"done": 200}.get(found["type"], answer.status)
    return found


async def live(here: Here, table: Laid, role: str, command: dict[str, Any]) -> Any:
    socket = await Socket.opened(here.port, table.name, cookie(role))
    socket.send(command)
    found = await socket.answer(command["key"])
    await socket.close()
    return found


Way = Callable[[Here, Laid, str, dict[str, Any]], Any]


@pytest.mark.parametrize("way", [over_http, live], ids=["http", "live"])
@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_who_may_do_what(kind: type, way: Way, tmp_path: Path) -> None:
    async def check() -> None:
        async with site(tmp_path) as here:
            for row in COMMANDS[kind]:
                for stage in STAGES:
                    if row.more and isinstance(row.more[0], ABOUT_A_GAME) and stage != "playing":
                        continue
                    for role in ROLES:
                        await _check_cell(here, row, stage, role, way)

    asyncio.run(check())


async def _check_cell(here: Here, row: Row, stage: str, role: str, way: Way) -> None:
    table = await laid(here, stage, role, row.more)
    given = {"at": table.version, "key": "key-of-this-cell"} | row.command
    if given.get("action") == "legal":
        given["action"] = table.legal
    if given.get("invitation") == "right":
        given["invitation"] = f"{table.name}-invitation"
    may = role in row.may.get(stage, set()) and not (role == "nobody" and way is live)
    where = (stage, role, given)
    found = await way(here, table, role, given)
    now = (await here.site.house.room(table.name)).table
    if may:
        assert found["type"] == "done", (where, found)
        assert now.version == found["version"] == table.version + 1
    else:
        assert found["type"] == "refused", (where, found)
        assert found["problem"] in ("not yours", "not now", "illegal", "bad request"), (where, found)
        assert now.version == table.version
        if stage in ("playing", "open") and row.may.get(stage) and found["problem"] != "not yours":
            raise AssertionError(("it is told why, but not that it is not theirs", where, found))


# Routes


@pytest.mark.parametrize("stage", STAGES)
def test_nobody_reads_for_another(stage: str, tmp_path: Path) -> None:
    own = {"host seated": 0, "bill": BILL, "dinah": 2}

    async def check() -> None:
        async with site(tmp_path) as here:
            for role in ROLES:
                table = await laid(here, stage, role)
                http = Http(here.port, cookie(role))
                path = f"/api/tables/{table.name}"
                for seat in range(6):
                    answer = await http.ask("GET", f"{path}?seat={seat}")
                    assert answer.status == (200 if own.get(role) == seat else 403), (role, seat)
                shown = (await http.ask("GET", f"{path}?after=0")).json()
                assert shown["seat"] == own.get(role)
                if own.get(role) not in shown["to_act"]:
                    assert shown["legal"] == []
                await _check_others(http, table, stage, role in own)
                await http.close()

    asyncio.run(check())


async def _check_others(http: Http, table: Laid, stage: str, sits: bool) -> None:
    lists = (await http.ask("GET", "/api/tables")).json()
    assert lists["open"] == []
    assert (table.name in [card["id"] for card in lists["mine"]]) == sits
    record = await http.ask("GET", f"/api/tables/{table.name}/record")
    assert record.status == (200 if stage == "finished" else 409)
    for path in ("/api/games", "/healthz"):
        assert (await http.ask("GET", path)).status == 200


@pytest.mark.parametrize("stage", STAGES)
def test_nobody_watches_for_another(stage: str, tmp_path: Path) -> None:
    own = {"host seated": 0, "bill": BILL, "dinah": 2}

    async def check() -> None:
        async with site(tmp_path) as here:
            for role in ROLES:
                table = await laid(here, stage, role)
                for query in ("", "?seat=0", "?seat=1", "?seat=2", "?seat=3", "?seat=15"):
                    socket = await Socket.opened(here.port, table.name, cookie(role), query)
                    wanted = int(query[6:]) if query else own.get(role)
                    if query and wanted != own.get(role):
                        with pytest.raises(Closed) as closed:
                            await socket.message("table")
                        assert closed.value.code == 4403
                    else:
                        assert (await socket.message("table"))["seat"] == wanted
                    await socket.close()

    asyncio.run(check())


def test_a_table_that_a_stranger_lays_is_theirs(tmp_path: Path) -> None:
    async def check() -> None:
        async with site(tmp_path) as here:
            for role in ROLES:
                http = Http(here.port, cookie(role))
                answer = await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})
                assert answer.status == 201
                assert bool(answer.cookie) == (role == "nobody")
                room = await here.site.house.room(answer.json()["table"])
                assert room.table.opened.host == hashed(answer.cookie or cookie(role))
                await http.close()

    asyncio.run(check())


# Those who had a seat and are still connected


async def _done(here: Here, table: Laid, role: str, command: dict[str, Any]) -> Answer:
    http = Http(here.port, cookie(role) or cookie("stranger"))
    version = (await here.site.house.room(table.name)).table.version
    given = {"at": version, "key": f"key-{version:06}"} | command
    answer = await http.ask("POST", f"/api/tables/{table.name}/commands", given)
    await http.close()
    assert answer.status == 200, answer
    return answer


def private(messages: list[Any]) -> list[Any]:
    """The messages that show a seat's own view."""
    return [each for each in messages if each["type"] == "table" and each["seat"] is not None]


def test_a_device_whose_link_was_revoked_sees_the_hand_no_longer(tmp_path: Path) -> None:
    async def check() -> None:
        async with site(tmp_path) as here:
            table = await laid(here, "playing", "bill")
            socket = await Socket.opened(here.port, table.name, cookie("bill"), f"?seat={BILL}")
            await socket.settled()
            await _done(here, table, "host seated", {"do": "link", "seat": BILL, "revoke": True})
            await _done(here, table, "dinah", {"do": "say", "seat": 2, "phrase": "hello"})
            try:
                heard = await socket.settled()
            except Closed:
                return  # which is as good
            assert private(heard[1:]) == []

    asyncio.run(check())


def test_who_left_does_not_see_the_hand_of_the_next_on_that_seat(tmp_path: Path) -> None:
    async def check() -> None:
        async with site(tmp_path) as here:
            table = await laid(here, "full", "bill")
            socket = await Socket.opened(here.port, table.name, cookie("bill"), f"?seat={BILL}")
            await socket.settled()
            await _done(here, table, "bill", {"do": "leave", "seat": BILL})
            sit = {**SIT, "seat": BILL, "invitation": f"{table.name}-invitation"}
            await _done(here, table, "stranger", sit)
            await _done(here, table, "dinah", {"do": "start"})
            try:
                heard = await socket.settled()
            except Closed:
                return  # which is as good
            assert [each["view"] for each in private(heard) if each["view"]] == []

    asyncio.run(check())


def test_who_has_no_seat_any_more_is_not_called_present(tmp_path: Path) -> None:
    async def check() -> None:
        async with site(tmp_path) as here:
            table = await laid(here, "full", "bill")
            socket = await Socket.opened(here.port, table.name, cookie("bill"), f"?seat={BILL}")
            other = await Socket.opened(here.port, table.name, cookie("dinah"))
            await _done(here, table, "bill", {"do": "leave", "seat": BILL})
            await other.settled()
            third = await Socket.opened(here.port, table.name, cookie("stranger"))
            present = await third.message("present")
            assert BILL not in present["seats"]
            await socket.close()

    asyncio.run(check())

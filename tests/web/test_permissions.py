"""Permissions for every route and command, for every role, at every stage of a table.

A route or a command that has no row here fails `test_every_route_and_command_has_a_row`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest

from campaigns.raw_clients import Http, RunningSite, Socket
from support.permissions import (
    BILL,
    ROLES,
    SIT,
    STAGES,
    StagedTable,
    cookie,
    create_staged_table,
    open_site,
)
from wonderland.tables import entries as log
from wonderland.tables import presence
from wonderland.tables.automation import Automation
from wonderland.tables.handlers import hash_secret
from wonderland.web.app import ROUTES
from wonderland.wire import commands as ask
from wonderland.wire.codes import Code

pytestmark = pytest.mark.slow

# Commands

HOSTS = {"host seated", "host not seated"}
SEATED = {"host seated", "bill", "dinah"}
EVERYONE = set(ROLES)
WITH_A_DEVICE = EVERYONE - {"nobody"}


class Row(NamedTuple):
    """A command, and who may give it at which stage: all others are refused."""

    command: dict[str, Any]
    may: dict[str, set[str]]
    more: tuple[log.AnyEntry, ...] = ()
    """What must have happened before."""


def always(who: set[str]) -> dict[str, set[str]]:
    return dict.fromkeys(STAGES, who)


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
        # Later, whoever opened the link would see Bill's hand.
        Row({"do": "link", "seat": BILL, "revoke": True}, {"open": HOSTS, "full": HOSTS}),
    ],
    ask.Claim: [
        Row(
            {"do": "claim", "seat": BILL, "secret": "three"},
            always(EVERYONE),
            (log.Linked(BILL, hash_secret("three")),),
        ),
        Row(
            {"do": "claim", "seat": 2, "secret": "three"}, {}, (log.Linked(BILL, hash_secret("three")),)
        ),
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
    "GET /api/tables/{table}/page": "the same, now and as it was: see test_history.py",
    "POST /api/tables/{table}/commands": "see COMMANDS",
    "GET /api/tables/{table}/record": "everyone, after the end",
    "GET /api/tables/{table}/shuffle": "the same: see features/fairness/test_browser.py",
    "POST /api/tables/{table}/hint": "see test_hints_and_codes.py",
    "POST /api/replays/{replay}/tables": "everyone, where a game is over: see test_what_if.py",
    "POST /api/positions": "everyone, alike",
    "POST /api/positions/advice": "everyone, alike",
    "POST /api/qr": "everyone, alike",
    "POST /api/replays": "everyone, alike",
    "GET /api/replays/{replay}/page": "everyone, alike; of a table after the end: see test_replays.py",
    "GET /api/replays/{replay}/record": "the same",
    "POST /api/replays/{replay}/moves": "the same",
    "POST /api/replays/{replay}/position": "the same",
    "POST /api/replays/{replay}/variations": "the same",
    "POST /api/replays/{replay}/verdict": "the same",
    "POST /api/replays/{replay}/expected": "the same",
    "POST /api/replays/{replay}/analyses": "the same",
    "POST /api/replays/{replay}/coach": "the same: see test_coach.py",
    "GET /api/replays/{replay}/coach": "the same",
    "GET /api/replays/{replay}/coach/page": "the same",
    "POST /api/people": "everyone who has no name yet: see test_people.py",
    "GET /api/people": "who is signed in, about themselves",
    "DELETE /api/people": "the same",
    "POST /api/people/claim": "whoever has the recovery code",
    "POST /api/people/code": "who is signed in, for themselves",
    "POST /api/people/out": "the same",
    "GET /api/my-games": "everyone, about themselves: see my_games/test_pages.py",
    "GET /api/my-games/records": "the same",
    "POST /api/my-games/records": "everyone, for their own list",
    "DELETE /api/my-games/imported/{replay}": "the same",
    "GET /api/leaderboard/{game}": "everyone, alike, but for who is 'me'",
    "GET /api/network": "pages on the server's own computer: see test_switch.py",
    "POST /api/network": "the same",
    "POST /api/matches": "everyone, and gets a seat; rated ones need a name: see test_service.py",
    "GET /healthz": "everyone, alike",
    "GET /readyz": "everyone, alike",
}


def test_every_route_and_command_has_a_row() -> None:
    assert set(COMMANDS) == set(get_args(ask.AnyCommand))
    assert set(ROUTE_ROWS) == {f"{route.method} {route.path}" for route in ROUTES}


async def over_http(here: RunningSite, table: StagedTable, role: str, command: dict[str, Any]) -> Any:
    http = Http(here.port, cookie(role))
    answer = await http.ask("POST", f"/api/tables/{table.name}/commands", command)
    await http.close()
    found = answer.json()
    assert (answer.status == 200) == (found["type"] == "done")
    assert answer.status == {"done": 200}.get(found["type"], answer.status)
    return found


async def live(here: RunningSite, table: StagedTable, role: str, command: dict[str, Any]) -> Any:
    socket = await Socket.open(here.port, table.name, cookie(role))
    socket.send(command)
    found = await socket.answer(command["key"])
    await socket.close()
    return found


Way = Callable[[RunningSite, StagedTable, str, dict[str, Any]], Any]


@pytest.mark.parametrize("way", [over_http, live], ids=["http", "live"])
@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_permission_matrix(
    kind: type, way: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Automation, "run_bot", lambda *_: None)  # a bot's move is a version, too
    monkeypatch.setattr(presence, "_GRACE_SECONDS", 0)  # whoever is not connected may be replaced

    async def check() -> None:
        async with open_site(tmp_path) as here:
            for row in COMMANDS[kind]:
                for stage in STAGES:
                    if row.more and isinstance(row.more[0], ABOUT_A_GAME) and stage != "playing":
                        continue
                    for role in ROLES:
                        await _check_cell(here, row, stage, role, way)

    asyncio.run(check())


async def _check_cell(here: RunningSite, row: Row, stage: str, role: str, way: Way) -> None:
    table = await create_staged_table(here, stage, role, row.more)
    given = {"at": table.version, "key": "key-of-this-cell"} | row.command
    if given.get("action") == "legal":
        given["action"] = table.legal
    if given.get("invitation") == "right":
        given["invitation"] = f"{table.name}-invitation"
    may = role in row.may.get(stage, set()) and not (role == "nobody" and way is live)
    where = (stage, role, given)
    found = await way(here, table, role, given)
    now = (await here.site.tables.get_live_table(table.name)).table
    if may:
        assert found["type"] == "done", (where, found)
        assert now.version == found["version"] == table.version + 1
    else:
        assert found["code"] in set(Code), (where, found)
        assert found["problem"] in ("not yours", "not now", "illegal", "bad request"), (where, found)
        assert now.version == table.version
        if stage in ("playing", "open") and row.may.get(stage) and found["problem"] != "not yours":
            raise AssertionError(("it is told why, but not that it is not theirs", where, found))

"""Every role at a table and tables at every stage, for the matrix of permissions."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

from campaigns.indistinguishable_plays import NAMES, Setting, additions, append_all, opening, random_play
from campaigns.raw_clients import KEY, RunningSite, site_in
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import CHANCE, Chance, Over
from wonderland.engine.registry import game
from wonderland.tables import entries as log
from wonderland.tables.handlers import hash_secret
from wonderland.tables.storage.interface import StoredEntry

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
    """The cookie of a role's device; the two hosts belong to different tables."""
    return "" if role == "nobody" else f"the cookie of the {role} device".replace(" ", "-")


def device(role: str) -> str:
    return hash_secret(cookie(role))


class StagedTable(NamedTuple):
    """A table at some stage."""

    name: str
    version: int
    legal: str
    """A legal action of Bill, if it is his turn."""


def entries_until(stage: str, *, host_sits: bool) -> tuple[list[log.AnyEntry], str]:
    """Return the log entries that lead to a stage, and a legal action of Bill."""
    contribution = "ab" * 16
    first = "host seated" if host_sits else "somebody"
    found: list[log.AnyEntry] = [
        log.Sat(2, "Edith", device("left"), contribution),
        log.Left(2),
        log.Sat(0, NAMES[0], device(first), contribution),
        log.Sat(BILL, NAMES[1], device("bill"), contribution),
        log.Sat(2, NAMES[2], device("dinah"), contribution),
        log.Linked(BILL, hash_secret("one")),
        log.Claimed(BILL, device("revoked")),
        log.Linked(BILL, hash_secret("two"), revoked=True),
        log.Claimed(BILL, device("bill")),
    ]
    if stage == "open":
        return found, "A0"
    found.append(log.Sat(3, NAMES[3], device("fish"), contribution))
    if stage == "full":
        return found, "A0"
    return _play(found, over=stage == "finished")


def _play(found: list[log.AnyEntry], *, over: bool) -> tuple[list[log.AnyEntry], str]:
    rules = game(SETTING.game)
    match = random_play(SETTING, random.Random(5))
    seat, word, outcomes = None, "", list[str]()
    legal = "A0"
    turns = 0
    for state, move in match.record.states():
        turn = rules.turn(state)
        if not isinstance(turn, Chance):
            secret = "00" * 32 if isinstance(turn, Over) else ""
            entry = (
                log.Started(tuple(outcomes))
                if seat is None
                else log.Played(seat, word, tuple(outcomes), secret)
            )
            found.append(entry)
            turns += BILL in seats_to_act(turn)
            if not over and turns == 2:
                legal = rules.write(rules.legal(state, BILL)[0])
                break
        if move is not None:
            if move.actor is CHANCE:
                outcomes.append(rules.write(move.action))
            else:
                seat, word, outcomes = move.actor, rules.write(move.action), []
    return found, legal


async def create_staged_table(
    here: RunningSite, stage: str, role: str, more: tuple[log.AnyEntry, ...] = (), *, hints: bool = False
) -> StagedTable:
    """Create a table at a stage, with the host that a role needs."""
    table = next(_tables)
    host_sits = role != "host not seated"
    happenings, legal = entries_until(stage, host_sits=host_sits)
    opened = log.changed(
        opening(SETTING, table, KEY),
        host=device("host seated" if host_sits else "host not seated"),
        hints=hints,
    )
    entries = [
        StoredEntry(table, n, 1_700_000_000_000 + n, log.written(happening))
        for n, happening in enumerate([opened, *happenings, *more])
    ]
    await append_all(here.site.tables.storage, additions(entries)[0])
    return StagedTable(table, len(entries) - 1, legal)


@asynccontextmanager
async def open_site(folder: Path) -> AsyncIterator[RunningSite]:
    async with site_in(folder, limited=False) as here:
        yield here


SIT = {"do": "sit", "name": "Gryphon", "contribution": "cd" * 16}

"""Finished games at the tables of a site that runs in this process, with the coach's reports on them."""

from __future__ import annotations

import asyncio
import random
import zlib
from typing import Any

from campaigns.raw_clients import Http, RunningSite
from support.table_players import TablePlayer
from wonderland.components.bots import Budget
from wonderland.engine.record_reader import AnyRecord
from wonderland.features.coach.model import as_json
from wonderland.features.coach.review import review
from wonderland.features.coach.service import service_of as coach_of
from wonderland.tables.descriptions import build_record
from wonderland.tables.handlers import hash_secret
from wonderland.tables.storage.documents import REPORTS
from wonderland.wire import commands as ask

PLAYOUTS = 1000
ALICE, BILL, STRANGER = (f"the-cookie-of-{name}-herself" for name in ("alice", "bill", "stranger"))


class Player(TablePlayer):
    """A player whose device has a cookie."""

    def __init__(self, here: RunningSite, name: str, cookie: str) -> None:
        super().__init__(here.site.tables, name)
        self.device = hash_secret(cookie)


async def play_game(
    here: RunningSite, game: str = "parade", seed: int = 0, bot: str = "", **wanted: Any
) -> str:
    """Play a game of Alice and Bill, or of Alice and a bot, at random to its end; return its table."""
    alice, bill = Player(here, "Alice", ALICE), Player(here, "Bill", BILL)
    request = ask.CreateTable(game=game, seats=2, bots={"1": bot} if bot else {}, **wanted)
    name, invitation = await here.site.tables.create_table(alice.device, request)
    await alice.sit(name, 0)
    if not bot:
        await bill.sit(name, 1, invitation=invitation)
    await alice.do(name, ask.Start)
    rng, seats = random.Random(seed), (alice, bill)
    async with asyncio.timeout(60):
        while (table := (await here.site.tables.get_live_table(name)).table).status != "finished":
            people = [seat for seat in table.to_act if not table.places[seat].level]
            if not people:
                await asyncio.sleep(0.005)  # for the bot
                continue
            assert table.match is not None
            word = table.match.game.write(rng.choice(table.match.legal(people[0])))
            await seats[people[0]].do(name, ask.Play, seat=people[0], action=word)
    return name


async def record_of(here: RunningSite, table: str) -> AnyRecord:
    """The record of a finished table."""
    record = build_record((await here.site.tables.get_live_table(table)).table)
    assert record is not None
    return record


async def coach_game(here: RunningSite, name: str, record: AnyRecord) -> None:
    """Store the coach's report on a game, from few playouts."""
    coach = coach_of(here.site)
    report = await asyncio.to_thread(review, record, budget=Budget(playouts=PLAYOUTS))
    packed = zlib.compress(as_json(report))
    await here.site.tables.storage.documents.put(REPORTS, coach.key_of(name, record), packed)


async def ask_as(here: RunningSite, cookie: str, method: str, path: str, body: Any = None) -> Any:
    """Send a request as one device; return the answer."""
    http = Http(here.port, cookie)
    answer = await http.ask(method, path, body)
    await http.close()
    return answer

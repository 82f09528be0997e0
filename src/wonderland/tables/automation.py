"""Those who look after tables: they play for bots, watch clocks, and stand in for people who went away.

Bots think in a few threads, never in the event loop, and one at a time for each table; kernels let go of
the interpreter while they think, so nobody else's move waits for them. What anybody may ask for, at a
table or not, has a thread of its own, so that no bot waits for it. Every table that somebody has to
look at again has a time for that in the storage (`due`), so whatever a process leaves undone when it
dies, it or another finds when that time has come.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from wonderland.bots import default_level, prepare_decision
from wonderland.bots.entrants import entrant
from wonderland.tables import entries as log
from wonderland.tables.handlers import Context, HandlerResult, play
from wonderland.tables.hints import Hint, prepare_hint
from wonderland.tables.live_table import LiveTable, PendingCommand
from wonderland.tables.rated_games import outcome_of, record_result
from wonderland.tables.service import TableService, now
from wonderland.tables.storage.interface import StorageError
from wonderland.wire.problems import Refusal

T = TypeVar("T")
logger = logging.getLogger("wonderland.attendants")
_LOOK_SECONDS = 1.0
_PRESENCE_MILLISECONDS = 15_000
_FORGET_SECONDS = 60.0
_MOST_DUE = 1000
_MOST_THINKING = 200
"""Bots that think or wait to, beyond which nobody gets a hint."""
_MOST_ASKED, _MOST_OF_ONE = 12, 3
"""Other things that are thought about or wait for it, a few seconds each; those of one address."""
_FIRST_LOOK = 15_000
"""Milliseconds that are looked ahead at the start: bots whose turn it was go on at once."""


class Automation:
    """Look after all tables of a house."""

    def __init__(self, house: TableService, threads: int) -> None:
        self.house = house
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._beside = ThreadPoolExecutor(1, thread_name_prefix="advice")
        self._closing = asyncio.Event()
        self._noted = 0
        self.thinking = 0
        self._asked: Counter[str] = Counter()

    def start(self) -> None:
        """Begin to look after tables."""
        self._loop = asyncio.get_running_loop()
        self.house.changed = self.look
        self._watching = self._loop.create_task(self._watch())

    async def close(self) -> None:
        """Let go of everything; what bots think of is found again at the next start."""
        self._closing.set()
        await self._watching
        for pool in (self._pool, self._beside):
            pool.shutdown(wait=False, cancel_futures=True)

    # Bots

    def look(self, room: LiveTable) -> None:
        """See whether a bot is to act at a table."""
        table = room.table
        if room.thinking or table.match is None or self._closing.is_set():
            return
        for seat in table.to_act:
            if level := table.places[seat].level:
                self._think(room, seat, level)
                return

    def _think(self, room: LiveTable, seat: int, level: str) -> None:
        match, turn = room.table.match, room.table.turn_since[seat]
        assert match is not None  # noqa: S101 - somebody is to act
        who = entrant(room.table.opened.game, level)
        rng = random.Random(secrets.token_bytes(16))
        choose = prepare_decision(who.make(), match, seat, rng, who.budget)
        room.thinking = True
        self.thinking += 1

        def chosen(future: Future[Any]) -> None:
            with suppress(RuntimeError):  # the loop has been closed meanwhile
                self._loop.call_soon_threadsafe(self._chosen, room, seat, turn, future)

        self._pool.submit(choose).add_done_callback(chosen)

    def _chosen(self, room: LiveTable, seat: int, turn: int, future: Future[Any]) -> None:
        room.thinking = False
        self.thinking -= 1
        if self._closing.is_set():
            return  # nothing can be stored any more
        if future.cancelled() or room.table.turn_since.get(seat) != turn:
            self.look(room)  # the turn is another one now
            return
        match = room.table.match
        assert match is not None  # noqa: S101 - it was somebody's turn
        if error := future.exception():
            logger.error("a bot failed", extra={"table": room.table.id, "why": repr(error)})
            word = match.game.write(match.legal(seat)[0])
        else:
            word = match.game.write(future.result())

        def decide(desk: Context, _: int) -> HandlerResult:
            if desk.table.turn_since.get(seat) != turn or not desk.table.places[seat].level:
                raise Refusal("stale", "The turn is another one now.")
            return play(desk, seat, word)

        self._submit(room, decide)

    def _submit(self, room: LiveTable, decide: Any) -> None:
        def reply(outcome: HandlerResult | Refusal, _: int) -> None:
            if isinstance(outcome, Refusal) and outcome.problem != "storage":
                self.look(room)  # a failing storage is tried again when the table is due

        self.house.submit(room, PendingCommand(decide, reply, room.table.version, ""))

    # Hints

    async def hint(self, room: LiveTable, seat: int) -> Hint:
        """What the strongest bot would do for a seat that is to act; found once for each turn."""
        match, turn = room.table.match, room.table.turn_since[seat]
        assert match is not None  # noqa: S101 - somebody is to act
        known = room.hints.get(seat)
        if known is None or known[0] != turn:
            if self.thinking >= _MOST_THINKING:
                raise Refusal("too many", "Too many bots think just now; ask again in a moment.")
            self.thinking += 1
            thought = self._loop.run_in_executor(self._pool, prepare_hint(match, seat))
            thought.add_done_callback(self._hinted)
            known = room.hints[seat] = turn, thought
        try:
            return await asyncio.shield(known[1])  # others may wait for the same
        except Exception as error:  # a bot may raise anything
            logger.exception("no hint", extra={"table": room.table.id})
            room.hints.pop(seat, None)
            raise Refusal("not now", "Nobody knows a hint just now.") from error

    def _hinted(self, _: object) -> None:
        self.thinking -= 1

    async def thought(self, work: Callable[[], T], address: str) -> T:
        """What comes of something else that takes a while: one after another, beside the bots."""
        if self._asked.total() >= _MOST_ASKED or self._asked[address] >= _MOST_OF_ONE:
            raise Refusal("too many", "Too many bots think just now; ask again in a moment.")
        self._asked[address] += 1
        try:
            return await self._loop.run_in_executor(self._beside, work)
        finally:
            self._asked -= Counter([address])  # which forgets those that have come to nothing

    # Clocks

    async def _watch(self) -> None:
        ahead = _FIRST_LOOK
        while not self._closing.is_set():
            try:
                if await self._round(now() + ahead):
                    continue  # there is more
                ahead = 0
            except StorageError as error:
                logger.warning("no look at what is due", extra={"why": str(error)})
            except Exception:  # the clocks of all tables depend on the next round
                logger.exception("a round failed")
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._closing.wait(), _LOOK_SECONDS)

    async def _round(self, until: int) -> bool:
        """Look after what is due; gives whether there may be more at once."""
        tables = await self.house.storage.due(until, most=_MOST_DUE)
        new = [table for table in tables if not self._is_waited_for(table)]
        for table in new:
            if self._closing.is_set():
                return False
            try:
                await self._look_after(await self.house.room(table))
            except Refusal as refusal:
                logger.warning("not looked after", extra={"table": table, "why": str(refusal)})
                if refusal.problem != "storage":  # which may be back before long
                    await self.house.storage.postpone(table, None)
            except StorageError:
                raise
            except Exception:  # one table must not keep the others waiting
                logger.exception("not looked after", extra={"table": table})
        await self._note_presence()
        self.house.forget(_FORGET_SECONDS)
        return len(tables) == _MOST_DUE and bool(new)

    def _is_waited_for(self, table: str) -> bool:
        """Whether a bot thinks about a table already, so that nothing is to be done for it now."""
        room = self.house.rooms.get(table)
        return room is not None and (room.thinking or room.busy)

    async def _look_after(self, room: LiveTable) -> None:
        """Do what is due: a bot's turn, or that of somebody who has no time left or is not there."""
        self.look(room)
        table, time_now = room.table, now()
        clock, away = table.opened.clock, table.opened.away
        for seat in set(table.to_act) & set(table.people()):
            if clock is not None and time_now >= table.turn_time + 1000 * clock:
                self._hand_over(room, seat, "clock")
            elif away is not None and time_now >= table.turn_time + 1000 * away:
                if await self._is_there(room, seat, time_now):
                    again = time_now + 1000 * away
                    if clock is not None:
                        again = min(again, table.turn_time + 1000 * clock)
                    await self.house.storage.postpone(table.id, again)
                else:
                    self._hand_over(room, seat, "away")
        if table.opened.rated and not await self._note_end(table.id):
            return  # it is due as long as its end is to be noted
        if not table.to_act:
            await self.house.storage.postpone(table.id, None)

    async def _note_end(self, table: str) -> bool:
        """Note how the game at a rated table ended, if it has: another process may know more."""
        outcome = outcome_of((await self.house.fresh(table)).table)
        if outcome is None:
            return False
        await record_result(self.house.storage.shelf, outcome)
        return True

    def _hand_over(self, room: LiveTable, seat: int, why: Any) -> None:
        turn = room.table.turn_since.get(seat)

        def decide(desk: Context, _: int) -> HandlerResult:
            table = desk.table
            if table.turn_since.get(seat) != turn or table.places[seat].level:
                raise Refusal("stale", "The turn is another one now.")
            return HandlerResult(log.HandedOver(seat, default_level(table.opened.game).word, why))

        self._submit(room, decide)

    async def _is_there(self, room: LiveTable, seat: int, time_now: int) -> bool:
        if seat in room.present():
            return True
        seen = await self.house.storage.seen(room.table.id)
        return seen.get(seat, 0) > time_now - 2 * _PRESENCE_MILLISECONDS

    async def _note_presence(self) -> None:
        """Let other processes know who is connected here, where that matters."""
        time_now = now()
        if time_now < self._noted + _PRESENCE_MILLISECONDS:
            return
        self._noted = time_now
        rooms = [room for room in self.house.rooms.values() if room.table.opened.away is not None]
        seats = [(room.table.id, seat) for room in rooms for seat in room.present()]
        if seats:
            await self.house.storage.see(seats, time_now)

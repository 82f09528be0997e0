"""The bot runner: plays for bots, enforces clocks, and lets bots stand in for absent players.

Bots run in a thread pool, never in the event loop, and one at a time per table; kernels release the GIL
while they search, so moves elsewhere are not delayed. Background work that anyone may request has a
thread of its own, so that bots don't wait for it. Every table that needs attention later has a `due`
time in the storage, so what a dying process leaves undone is picked up by another or after a restart.
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
from wonderland.tables.rated_games import record_result, result_of
from wonderland.tables.service import TableService, now
from wonderland.tables.storage.interface import StorageError
from wonderland.wire.problems import Refusal

T = TypeVar("T")
logger = logging.getLogger("wonderland.attendants")
_POLL_SECONDS = 1.0
_PRESENCE_MILLISECONDS = 15_000
_EVICT_AFTER_SECONDS = 60.0
_MAX_DUE = 1000
_MAX_THINKING = 200
"""Limit on bots and hints running or queued; beyond it hints are refused."""
_MAX_BACKGROUND, _MAX_PER_ADDRESS = 12, 3
"""Limits on background jobs running or queued (a few seconds each): in total, and per address."""
_STARTUP_LOOKAHEAD = 15_000
"""Milliseconds to look ahead at startup, so that interrupted bot turns resume at once."""


class Automation:
    """Runs bots, clocks and stand-ins for all tables of a service."""

    def __init__(self, service: TableService, threads: int) -> None:
        self.service = service
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._background = ThreadPoolExecutor(1, thread_name_prefix="advice")
        self._closing = asyncio.Event()
        self._presence_noted = 0
        self.thinking = 0
        self._background_jobs: Counter[str] = Counter()

    def start(self) -> None:
        """Start polling for due tables and listening for changes."""
        self._loop = asyncio.get_running_loop()
        self.service.on_change = self.run_bot
        self._poll_task = self._loop.create_task(self._poll())

    async def close(self) -> None:
        """Stop polling and drop queued bot moves, which are recomputed after the next start."""
        self._closing.set()
        await self._poll_task
        for pool in (self._pool, self._background):
            pool.shutdown(wait=False, cancel_futures=True)

    # Bots

    def run_bot(self, live: LiveTable) -> None:
        """Start a bot's move if it is a bot's turn."""
        table = live.table
        if live.is_thinking or table.match is None or self._closing.is_set():
            return
        for seat in table.to_act:
            if level := table.places[seat].level:
                self._start_bot(live, seat, level)
                return

    def _start_bot(self, live: LiveTable, seat: int, level: str) -> None:
        match, turn = live.table.match, live.table.turn_since[seat]
        assert match is not None  # noqa: S101 - it is somebody's turn
        bot = entrant(live.table.opened.game, level)
        rng = random.Random(secrets.token_bytes(16))
        choose = prepare_decision(bot.make(), match, seat, rng, bot.budget)
        live.is_thinking = True
        self.thinking += 1

        def on_done(future: Future[Any]) -> None:
            with suppress(RuntimeError):  # the loop may have been closed by now
                self._loop.call_soon_threadsafe(self._on_chosen, live, seat, turn, future)

        self._pool.submit(choose).add_done_callback(on_done)

    def _on_chosen(self, live: LiveTable, seat: int, turn: int, future: Future[Any]) -> None:
        live.is_thinking = False
        self.thinking -= 1
        if self._closing.is_set():
            return  # too late to store anything
        if future.cancelled() or live.table.turn_since.get(seat) != turn:
            self.run_bot(live)  # the turn has changed
            return
        match = live.table.match
        assert match is not None  # noqa: S101 - it was somebody's turn
        if error := future.exception():
            logger.error("a bot failed", extra={"table": live.table.id, "why": repr(error)})
            notation = match.game.write(match.legal(seat)[0])
        else:
            notation = match.game.write(future.result())

        def decide(context: Context, _: int) -> HandlerResult:
            if context.table.turn_since.get(seat) != turn or not context.table.places[seat].level:
                raise Refusal("stale", "The turn is another one now.")
            return play(context, seat, notation)

        self._submit(live, decide)

    def _submit(self, live: LiveTable, decide: Any) -> None:
        def reply(outcome: HandlerResult | Refusal, _: int) -> None:
            if isinstance(outcome, Refusal) and outcome.problem != "storage":
                self.run_bot(live)  # after a storage failure, retry when the table is due

        self.service.submit(live, PendingCommand(decide, reply, live.table.version, ""))

    # Hints

    async def hint(self, live: LiveTable, seat: int) -> Hint:
        """Ask the strongest bot for a hint to a seat whose turn it is; cached per turn."""
        match, turn = live.table.match, live.table.turn_since[seat]
        assert match is not None  # noqa: S101 - it is somebody's turn
        known = live.hints.get(seat)
        if known is None or known[0] != turn:
            if self.thinking >= _MAX_THINKING:
                raise Refusal("too many", "Too many bots think just now; ask again in a moment.")
            self.thinking += 1
            thought = self._loop.run_in_executor(self._pool, prepare_hint(match, seat))
            thought.add_done_callback(self._on_hint_done)
            known = live.hints[seat] = turn, thought
        try:
            return await asyncio.shield(known[1])  # others may be waiting for the same hint
        except Exception as error:  # a bot may raise anything
            logger.exception("no hint", extra={"table": live.table.id})
            live.hints.pop(seat, None)
            raise Refusal("not now", "Nobody knows a hint just now.") from error

    def _on_hint_done(self, _: object) -> None:
        self.thinking -= 1

    async def thought(self, work: Callable[[], T], address: str) -> T:
        """Run slow work in the background thread, limited per address and in total."""
        if (
            self._background_jobs.total() >= _MAX_BACKGROUND
            or self._background_jobs[address] >= _MAX_PER_ADDRESS
        ):
            raise Refusal("too many", "Too many bots think just now; ask again in a moment.")
        self._background_jobs[address] += 1
        try:
            return await self._loop.run_in_executor(self._background, work)
        finally:
            self._background_jobs -= Counter([address])  # unlike -= 1, this drops counts that reach zero

    # Clocks

    async def _poll(self) -> None:
        ahead = _STARTUP_LOOKAHEAD
        while not self._closing.is_set():
            try:
                if await self._process_due(now() + ahead):
                    continue  # more tables may be due
                ahead = 0
            except StorageError as error:
                logger.warning("no look at what is due", extra={"why": str(error)})
            except Exception:  # the clocks of all tables depend on this loop
                logger.exception("a round failed")
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._closing.wait(), _POLL_SECONDS)

    async def _process_due(self, until: int) -> bool:
        """Process tables due by `until`; return whether more may be due right away."""
        tables = await self.service.storage.due(until, most=_MAX_DUE)
        new = [table for table in tables if not self._is_in_progress(table)]
        for table in new:
            if self._closing.is_set():
                return False
            try:
                await self._attend(await self.service.room(table))
            except Refusal as refusal:
                logger.warning("not looked after", extra={"table": table, "why": str(refusal)})
                if refusal.problem != "storage":  # a storage failure may be temporary
                    await self.service.storage.postpone(table, None)
            except StorageError:
                raise
            except Exception:  # one table must not block the others
                logger.exception("not looked after", extra={"table": table})
        await self._note_presence()
        self.service.evict_idle(_EVICT_AFTER_SECONDS)
        return len(tables) == _MAX_DUE and bool(new)

    def _is_in_progress(self, table: str) -> bool:
        """Whether a bot is thinking or a command is being committed, so there is nothing to do now."""
        live = self.service.live_tables.get(table)
        return live is not None and (live.is_thinking or live.is_busy)

    async def _attend(self, live: LiveTable) -> None:
        """Do what is due: a bot's turn, a clock that ran out (timeout), or an absent player."""
        self.run_bot(live)
        table, time_now = live.table, now()
        clock, away = table.opened.clock, table.opened.away
        for seat in set(table.to_act) & set(table.people()):
            if clock is not None and time_now >= table.turn_time + 1000 * clock:
                self._hand_over(live, seat, "clock")
            elif away is not None and time_now >= table.turn_time + 1000 * away:
                if await self._is_present(live, seat, time_now):
                    retry_at = time_now + 1000 * away
                    if clock is not None:
                        retry_at = min(retry_at, table.turn_time + 1000 * clock)
                    await self.service.storage.postpone(table.id, retry_at)
                else:
                    self._hand_over(live, seat, "away")
        if table.opened.rated and not await self._record_end(table.id):
            return  # it stays due until its result is recorded
        if not table.to_act:
            await self.service.storage.postpone(table.id, None)

    async def _record_end(self, table: str) -> bool:
        """Record the result of a rated game if it is over; return whether it is.

        The log is refreshed first, as another process may have finished the game.
        """
        result = result_of((await self.service.fresh(table)).table)
        if result is None:
            return False
        await record_result(self.service.storage.documents, result)
        return True

    def _hand_over(self, live: LiveTable, seat: int, why: Any) -> None:
        turn = live.table.turn_since.get(seat)

        def decide(context: Context, _: int) -> HandlerResult:
            table = context.table
            if table.turn_since.get(seat) != turn or table.places[seat].level:
                raise Refusal("stale", "The turn is another one now.")
            return HandlerResult(log.HandedOver(seat, default_level(table.opened.game).word, why))

        self._submit(live, decide)

    async def _is_present(self, live: LiveTable, seat: int, time_now: int) -> bool:
        if seat in live.present():
            return True
        seen = await self.service.storage.last_seen(live.table.id)
        return seen.get(seat, 0) > time_now - 2 * _PRESENCE_MILLISECONDS

    async def _note_presence(self) -> None:
        """Tell other processes who is connected here, for tables with an absence timeout."""
        time_now = now()
        if time_now < self._presence_noted + _PRESENCE_MILLISECONDS:
            return
        self._presence_noted = time_now
        tables = [
            live for live in self.service.live_tables.values() if live.table.opened.away is not None
        ]
        seats = [(live.table.id, seat) for live in tables for seat in live.present()]
        if seats:
            await self.service.storage.record_presence(seats, time_now)

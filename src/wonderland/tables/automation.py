"""The bot runner: plays for bots, enforces clocks, and lets bots stand in for absent players.

Bots think in threads, never in the event loop, and one at a time per table (`bot_pool.py`); kernels
release the GIL while they search, so moves elsewhere are not delayed. Background work that anyone may
request has a thread of its own, so that bots don't wait for it. Every table that needs attention later
has a `due` time in the storage, so what a dying process leaves undone is picked up by another or after a
restart, a few tables at a time. Where nobody is present, bots move only when their table is due, which
is ever more rarely; they play on at full speed as soon as somebody returns.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from wonderland.bots import decide, default_level
from wonderland.bots.entrants import entrant
from wonderland.engine.record_reader import AnyMatch
from wonderland.tables import entries as log
from wonderland.tables.bot_pool import BotPool
from wonderland.tables.expiry import DAY, expire_tables
from wonderland.tables.fair_queue import Owner
from wonderland.tables.forfeits import overdue_departures
from wonderland.tables.handlers import Context, HandlerResult, forfeit, play
from wonderland.tables.hints import Hint, prepare_hint
from wonderland.tables.households import counts
from wonderland.tables.live_table import LiveTable, PendingCommand
from wonderland.tables.presence import LEASE_MILLISECONDS, RENEWAL_MILLISECONDS, needs_attendance
from wonderland.tables.rated_games import record_result, result_of
from wonderland.tables.release_schedule import ReleaseSchedule, Timer
from wonderland.tables.service import TableService
from wonderland.tables.storage.documents import now
from wonderland.tables.storage.interface import StorageError
from wonderland.tables.table import Table
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

T = TypeVar("T")
logger = logging.getLogger("wonderland.attendants")
_POLL_SECONDS = 1.0
_EVICT_AFTER_SECONDS = 60.0
_MAX_DUE = 1000
_SPECTATOR = -1
"""The seat that spectators are recorded at."""
_ATTENDED_MILLISECONDS = 60_000
"""How long a table counts as attended after the last command of a person."""
_ROUND_SECONDS = 0.05
"""Time to spend on due tables in one go; after a restart, thousands may be due at once."""
_PAUSE_FACTOR = 4
"""How much longer than a round the pause after it is, if more tables are due."""
_EXPIRY_SECONDS = 600
"""How often to look for tables that have expired."""
_DELAY_MILLISECONDS = 10_000
"""How much later to try again if the queue of bots is full."""
_MAX_BACKGROUND, _MAX_PER_ADDRESS = 12, 3
"""Limits on background jobs running or queued (a few seconds each): in total, and per address."""
_STARTUP_LOOKAHEAD = 15_000
"""Milliseconds to look ahead at startup, so that interrupted bot turns resume at once."""


class Automation:
    """Runs bots, clocks and stand-ins for all tables of a service."""

    def __init__(self, service: TableService, threads: int, timer: Timer | None = None) -> None:
        self.service = service
        self._timer = timer
        self._bots = BotPool(threads, service.limits)
        self._background = ThreadPoolExecutor(1, thread_name_prefix="advice")
        self._closing = asyncio.Event()
        self._presence_noted = 0
        self._background_jobs: Counter[str] = Counter()

    def start(self) -> None:
        """Start polling for due tables and listening for changes."""
        self._loop = asyncio.get_running_loop()
        self._schedule = ReleaseSchedule(self._timer or self._loop, self.service.limits.bot_tick / 1000)
        self.service.on_change = self.run_bot
        self._poll_task = self._loop.create_task(self._poll())

    async def close(self) -> None:
        """Stop polling and drop queued bot moves, which are recomputed after the next start."""
        self._closing.set()
        await self._poll_task
        self._bots.close()
        self._background.shutdown(wait=False, cancel_futures=True)

    # Bots

    @property
    def thinking(self) -> int:
        """The number of bots and hints that are being computed or wait to be."""
        return len(self._bots)

    def is_attended(self, live: LiveTable) -> bool:
        """Whether somebody is connected to a table, or has done something there a moment ago."""
        return bool(live.watchers) or now() < live.table.attended_time + _ATTENDED_MILLISECONDS

    def run_bot(self, live: LiveTable) -> None:
        """Queue a bot's move if it is a bot's turn and somebody is there to see it."""
        if self.is_attended(live):
            self._queue_bot(live, attended=True)

    def _queue_bot(self, live: LiveTable, *, attended: bool) -> bool:
        """Queue a bot's move if it is a bot's turn; return `False` if the queue is full."""
        table = live.table
        if live.is_thinking or table.match is None or self._closing.is_set():
            return True
        for seat in table.to_act:
            if level := table.places[seat].level:
                return self._start_bot(live, seat, level, attended=attended)
        return True

    def _start_bot(self, live: LiveTable, seat: int, level: str, *, attended: bool) -> bool:
        turn, bot = live.table.turn_since[seat], entrant(live.table.opened.game, level)
        release = self._schedule.begin(bot.answer_time if attended else 0.0)

        def prepare() -> Callable[[], Any] | None:
            table = live.table
            if table.turn_since.get(seat) != turn or table.match is None:
                return None
            match = table.match
            # Fixed for each decision, so that a move that was taken back gets the same reply again.
            decision = f"{table.id} {len(match.moves)} {seat}"
            rng = random.Random(self.service.key.keyed_hash("bot", decision))
            return lambda: decide(bot.make(), match, seat, rng, bot.budget)

        def done(future: Future[Any] | None) -> None:
            release(lambda: self._on_chosen(live, seat, turn, future))

        live.is_thinking = True
        if self._bots.submit(owner_of(live.table), prepare, done, attended=attended):
            return True
        live.is_thinking = False
        return False

    def _on_chosen(self, live: LiveTable, seat: int, turn: int, future: Future[Any] | None) -> None:
        live.is_thinking = False
        if self._closing.is_set():
            return  # too late to store anything
        if future is None or future.cancelled() or live.table.turn_since.get(seat) != turn:
            self.run_bot(live)  # the turn has changed
            return
        match = live.table.match
        assert match is not None  # noqa: S101 - it was somebody's turn
        if error := future.exception():
            logger.error("a bot failed", extra={"table": live.table.id, "why": repr(error)})
            notation = match.game.write(match.legal(seat)[0])
        else:
            notation = match.game.write(future.result())

        def handle(context: Context, _: int) -> HandlerResult:
            if context.table.turn_since.get(seat) != turn or not context.table.places[seat].level:
                raise Refusal(Code.OUTDATED, "The game has moved on since then.")
            return play(context, seat, notation)

        self._submit(live, handle)

    def _submit(self, live: LiveTable, handle: Any) -> None:
        def reply(outcome: HandlerResult | Refusal, _: int) -> None:
            if isinstance(outcome, Refusal) and outcome.problem != "storage":
                self.run_bot(live)  # after a storage failure, retry when the table is due

        self.service.submit(live, PendingCommand(handle, reply, live.table.version, ""))

    # Hints

    async def hint(self, live: LiveTable, seat: int) -> Hint:
        """Ask the strongest bot for a hint to a seat whose turn it is; cached per turn."""
        match, turn = live.table.match, live.table.turn_since[seat]
        assert match is not None  # noqa: S101 - it is somebody's turn
        known = live.hints.get(seat)
        if known is None or known[0] != turn:
            known = live.hints[seat] = turn, self._start_hint(live, match, seat)
        try:
            return await asyncio.shield(known[1])  # others may be waiting for the same hint
        except Exception as error:  # a bot may raise anything
            logger.exception("hint failed", extra={"table": live.table.id})
            live.hints.pop(seat, None)
            raise Refusal(Code.NO_HINT, "No hint available right now.") from error

    def _start_hint(self, live: LiveTable, match: AnyMatch, seat: int) -> asyncio.Future[Hint]:
        answer: asyncio.Future[Hint] = self._loop.create_future()

        def work() -> Hint:
            return prepare_hint(match, seat)()

        def done(future: Future[Any] | None) -> None:
            assert future is not None  # noqa: S101 - a hint is never skipped
            if answer.cancelled() or future.cancelled():
                answer.cancel()
            elif error := future.exception():
                answer.set_exception(error)
            else:
                answer.set_result(future.result())

        if not self._bots.submit(owner_of(live.table), lambda: work, done):
            raise Refusal(Code.BOTS_BUSY, "The bots are busy right now. Try again in a moment.")
        return answer

    async def thought(self, work: Callable[[], T], address: str) -> T:
        """Run slow work in the background thread, limited per address and in total."""
        if (
            self._background_jobs.total() >= _MAX_BACKGROUND
            or self._background_jobs[address] >= _MAX_PER_ADDRESS
        ):
            raise Refusal(Code.BOTS_BUSY, "The bots are busy right now. Try again in a moment.")
        self._background_jobs[address] += 1
        try:
            return await self._loop.run_in_executor(self._background, work)
        finally:
            self._background_jobs -= Counter([address])  # unlike -= 1, this drops counts that reach zero

    # Clocks

    async def _poll(self) -> None:
        ahead, seen = _STARTUP_LOOKAHEAD, set[str]()
        expire_at = time.monotonic()
        while not self._closing.is_set():
            try:
                started = time.monotonic()
                if await self._process_due(now() + ahead, seen if ahead else set()):
                    await self._pause(_PAUSE_FACTOR * (time.monotonic() - started))
                    continue  # more tables are due
                ahead = 0
                if time.monotonic() >= expire_at:
                    is_full = await expire_tables(self.service, now())
                    expire_at = time.monotonic() + (0 if is_full else _EXPIRY_SECONDS)
            except StorageError as error:
                logger.warning("can't read due tables", extra={"why": str(error)})
            except Exception:  # the clocks of all tables depend on this loop
                logger.exception("automation round failed")
            await self._pause(_POLL_SECONDS)

    async def _pause(self, seconds: float) -> None:
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._closing.wait(), seconds)

    async def _process_due(self, until: int, seen: set[str]) -> bool:
        """Process tables due by `until` for a while, except those `seen`; return whether there are more.

        Tables that somebody watches come first, so that their clocks don't wait for others.
        """
        live_tables = self.service.live_tables
        tables = await self.service.storage.due(until, most=_MAX_DUE + len(self._bots))
        new = [table for table in tables if table not in seen and not self._is_in_progress(table)]
        new.sort(key=lambda table: table not in live_tables or not live_tables[table].watchers)
        for live in list(live_tables.values()):
            self.run_bot(live)  # if the queue was full when its turn came
        end = time.monotonic() + _ROUND_SECONDS
        is_out_of_time = False
        for table in new:
            if self._closing.is_set():
                return False
            if is_out_of_time:
                break
            seen.add(table)
            try:
                await self._attend(await self.service.get_live_table(table))
            except Refusal as refusal:
                logger.warning("automation failed", extra={"table": table, "why": str(refusal)})
                if refusal.problem != "storage":  # a storage failure may be temporary
                    await self.service.storage.postpone(table, None)
            except StorageError:
                raise
            except Exception:  # one table must not block the others
                logger.exception("automation failed", extra={"table": table})
                await self.service.storage.postpone(table, now() + _DELAY_MILLISECONDS)
            is_out_of_time = time.monotonic() >= end
        await self._note_presence()
        self.service.evict_idle(_EVICT_AFTER_SECONDS)
        return is_out_of_time and bool(set(new) - seen)

    def _is_in_progress(self, table: str) -> bool:
        """Whether a bot is thinking or a command is being committed, so there is nothing to do now."""
        live = self.service.live_tables.get(table)
        return live is not None and (live.is_thinking or live.is_busy)

    async def _attend(self, live: LiveTable) -> None:
        """Do what is due: a bot's turn, a clock that ran out (timeout), or an absent player."""
        table, time_now = live.table, now()
        attended = self.is_attended(live)
        is_due = (live.row.due or 0) <= time_now  # at startup, tables are looked at before their time
        if (attended or is_due) and not self._queue_bot(live, attended=attended):
            await self.service.storage.postpone(table.id, time_now + _DELAY_MILLISECONDS)
        clock, away = table.opened.clock, table.opened.away
        if overdue := overdue_departures(table, time_now):
            self._forfeit(live, overdue, "left")
            return
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
        if counts(table) and not await self._record_end(table.id):
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

    def _forfeit(self, live: LiveTable, seats: Sequence[int], why: log.Reason) -> None:
        """End a rated game that seats forfeit, unless something happens there first."""
        version = live.table.version

        def handle(context: Context, _: int) -> HandlerResult:
            if context.table.version != version:
                raise Refusal(Code.OUTDATED, "The game has moved on since then.")
            return forfeit(context, seats, why)

        self._submit(live, handle)

    def _hand_over(self, live: LiveTable, seat: int, why: log.Reason) -> None:
        """Let a bot play for a seat whose time is up; a rated game is forfeited instead."""
        if live.table.opened.rated:
            late = [each for each in live.table.to_act if each in live.table.people()]
            self._forfeit(live, late if why == "clock" else [seat], why)
            return
        turn = live.table.turn_since.get(seat)

        def handle(context: Context, _: int) -> HandlerResult:
            table = context.table
            if table.turn_since.get(seat) != turn or table.places[seat].level:
                raise Refusal(Code.OUTDATED, "The game has moved on since then.")
            return HandlerResult(log.HandedOver(seat, default_level(table.opened.game).word, why))

        self._submit(live, handle)

    async def _is_present(self, live: LiveTable, seat: int, time_now: int) -> bool:
        if seat in live.present():
            return True
        await self.service.read_presence(live)
        return seat in live.attendance.here(live.present(), time_now)

    async def _note_presence(self) -> None:
        """Tell other processes who is connected here, and ask about players who are not.

        That matters while several people play, and for old tables, which would expire otherwise.
        """
        time_now = now()
        if time_now < self._presence_noted + RENEWAL_MILLISECONDS:
            return
        self._presence_noted = time_now
        playing = [live for live in self.service.live_tables.values() if needs_attendance(live.table)]
        old = [
            live
            for live in self.service.live_tables.values()
            if live.watchers and live.table.time < time_now - DAY and live not in playing
        ]
        seats = [
            (live.table.id, seat)
            for live in (*playing, *old)
            for seat in live.present() or [_SPECTATOR] * bool(live.watchers)
        ]
        if seats:
            await self.service.storage.record_presence(seats, time_now + LEASE_MILLISECONDS)
        for live in playing:
            if live.watchers and set(live.table.people()) - set(live.present()):
                await self.service.read_presence(live)


def owner_of(table: Table) -> Owner:
    """Whose turn it is when a bot of a table thinks: the host's, and that of their network."""
    opened = table.opened
    return Owner(opened.source or opened.host, opened.host)

"""Finds opponents, and starts quick matches.

A quick match lives in the log of its table (`tables/quick_match.py`), so it survives restarts, and every
server that shares the storage can add players. Two people may search at the same moment and open a
table each. That is mended afterwards: a player who is alone goes on to an older match, so one of the two
moves. Each server looks after the players who are connected to it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated, cast

from msgspec import Meta

from wonderland.bots import default_level
from wonderland.discovery import Service
from wonderland.engine.registry import game, game_names
from wonderland.tables import entries as log
from wonderland.tables.creation import table_from_request
from wonderland.tables.handlers import Context, HandlerResult, bot_entry, hash_secret, start
from wonderland.tables.households import source_hash
from wonderland.tables.live_table import LiveTable, PendingCommand
from wonderland.tables.quick_match import NO_HOST, accepts, start_plan
from wonderland.tables.seats import SeatState
from wonderland.tables.storage.documents import now
from wonderland.tables.storage.interface import StorageError
from wonderland.tables.table import Table
from wonderland.wire import commands as ask
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from wonderland.web.app import Site

logger = logging.getLogger("wonderland.quick_match")
CLOCK = 120
"""Seconds per move: nobody waits for ever for a stranger."""
_TICK_SECONDS = 1.0
_PRESENCE_MILLISECONDS = 5_000
"""How often to tell other servers who is connected here."""
_ABSENT_AFTER = 15_000
"""Milliseconds without a connection after which a player loses their seat at a match."""
_ALONE_AFTER = 2_000
"""Milliseconds after which a player who is alone looks for an older match."""
_MAX_CANDIDATES = 100


class MatchWish(ask.Wish, frozen=True, kw_only=True):
    """Find opponents for a game now."""

    game: ask.Word
    name: Annotated[str, Meta(min_length=1, max_length=36)]
    contribution: ask.Contribution
    portrait: ask.Portrait = ""
    rated: bool = False


class QuickMatches(Service):
    """Searches and starts quick matches."""

    def __init__(self, site: Site) -> None:
        self._tables = site.tables
        self._task: asyncio.Task[None] | None = None
        self._presence_noted = 0

    def start(self) -> None:
        """Start to look after the matches of connected players."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """Stop it."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    # Searching

    async def find(self, device: str, wish: MatchWish, network: str) -> str:
        """Seat a device at a match that suits it, an existing one if possible; return the table."""
        await self._check(device, wish)
        await self._leave_all(device)
        for live in await self._candidates(wish.game, wish, device, rated=wish.rated):
            if await self._sit(live, device, wish, network):
                return live.table.id
        opened = table_from_request(
            ask.CreateTable(
                game=wish.game, seats=wish.most, access="open", rated=wish.rated, clock=CLOCK
            ),
            NO_HOST,
            hash_secret(secrets.token_urlsafe(18)),
        )
        table = await self._tables.create_from_opening(log.changed(opened, quick=True), network)
        live = await self._tables.get_live_table(table)
        if not await self._sit(live, device, wish, network):  # somebody else was quicker
            raise Refusal(Code.NO_MATCH_YET, "That didn't work. Please try again.")
        return table

    async def _check(self, device: str, wish: MatchWish) -> None:
        if wish.game not in game_names():
            raise Refusal(Code.NO_SUCH_GAME, "We don't have that game here.")
        seats = game(wish.game).info.seats
        if wish.fewest > wish.most or wish.fewest not in seats or wish.most not in seats:
            raise Refusal(Code.WRONG_PLAYER_COUNT, "This game can't be played with that many players.")
        if wish.rated and await self._tables.people.find_by_device(device) is None:
            raise Refusal(
                Code.ACCOUNT_NEEDED,
                "This is a rated table. Choose a name for the ratings first, then sit down.",
            )

    async def _leave_all(self, device: str) -> None:
        """Leave the matches at which the device is waiting: everyone searches once at a time."""
        for row, seat in await self._tables.storage.seats_of_device(device):
            if row.status == "waiting" and row.listed:
                live = await self._tables.fresh(row.table)
                if live.table.opened.quick and live.table.holds(device, seat):
                    with suppress(Refusal):  # it has just started
                        leave = ask.Leave(at=live.table.version, key=ask.new_key(), seat=seat)
                        await self._tables.execute(live, device, leave)

    async def _candidates(
        self, name: str, wish: ask.Wish | None, device: str, *, rated: bool
    ) -> list[LiveTable]:
        """Return the matches that suit a wish, the oldest first."""
        found = []
        for row in await self._tables.storage.open_tables(most=_MAX_CANDIDATES):
            if row.game != name:
                continue
            with suppress(Refusal):  # it was written by another version of the program
                live = await self._tables.fresh(row.table)
                table = live.table
                if (
                    is_waiting(table)
                    and table.opened.rated == rated
                    and not table.seats_of(device)
                    and accepts(table, wish)
                ):
                    found.append(live)
        return sorted(found, key=lambda live: _age(live.table))

    async def _sit(self, live: LiveTable, device: str, wish: MatchWish, network: str) -> bool:
        """Try to sit down; return false if somebody else was quicker."""
        command = ask.Sit(
            at=live.table.version,
            key=ask.new_key(),
            name=_free_name(live.table, wish.name),
            contribution=wish.contribution,
            portrait=wish.portrait,
            wish=ask.Wish(wish.fewest, wish.most, bots=wish.bots),
        )
        return await self._try_to_sit(live, device, command, source_hash(self._tables.key, network))

    async def _try_to_sit(self, live: LiveTable, device: str, command: ask.Sit, source: str) -> bool:
        try:
            await self._tables.execute(live, device, command, source=source)
        except Refusal as refusal:
            if refusal.problem != "not now":
                raise
            return False
        return True

    # Looking after matches

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            try:
                await self._look_after_all()
            except StorageError as error:
                logger.warning("quick matches", extra={"why": str(error)})
            except Exception:  # all matches depend on this loop
                logger.exception("quick matches")

    async def _look_after_all(self) -> None:
        waiting = [
            live
            for live in self._tables.live_tables.values()
            if live.watchers and is_waiting(live.table)
        ]
        if waiting and now() >= self._presence_noted + _PRESENCE_MILLISECONDS:
            self._presence_noted = now()
            seats = [(live.table.id, seat) for live in waiting for seat in live.present()]
            if seats:
                await self._tables.storage.record_presence(seats, self._presence_noted)
        for live in waiting:
            with suppress(Refusal):  # it has changed meanwhile
                await self._look_after(live)

    async def _look_after(self, live: LiveTable) -> None:
        """Free the seats of players who have gone; start the match; or go on to an older one."""
        table, present = live.table, set(live.present())
        people = [seat for seat, place in enumerate(table.places) if place.kind == "person"]
        if not present.issuperset(people):
            seen = await self._tables.storage.last_seen(table.id)
            present |= {seat for seat, time in seen.items() if time > now() - _ABSENT_AFTER}
        for seat in people:
            place = table.places[seat]
            if seat not in present and place.since < now() - _ABSENT_AFTER:
                await self._submit(live, partial(_free_seat, seat, place))
                return
        plan = start_plan(table)
        if plan is not None and now() >= plan.at and present.issuperset(people):
            while is_waiting(live.table):
                await self._submit(live, _next_step)
        elif len(people) == 1 and table.places[people[0]].since < now() - _ALONE_AFTER:
            await self._join_older(live, people[0])

    async def _join_older(self, live: LiveTable, seat: int) -> None:
        """Take a player who is alone to an older match, if there is one that suits them."""
        table, place = live.table, live.table.places[seat]
        if not place.devices or any(other.kind == "bot" for other in table.places):
            return
        device = place.devices[0]
        others = await self._candidates(table.opened.game, place.wish, device, rated=table.opened.rated)
        for other in others:
            if _age(other.table) >= _age(table):
                return
            command = ask.Sit(
                at=other.table.version,
                key=ask.new_key(),
                name=_free_name(other.table, place.name),
                contribution=place.contribution or secrets.token_hex(32),
                portrait=place.portrait,
                wish=place.wish,
            )
            if await self._try_to_sit(other, device, command, place.source):
                await self._submit(live, partial(_move, seat, place, other.table.id))
                return

    async def _submit(self, live: LiveTable, decide: Callable[[Context, int], HandlerResult]) -> None:
        """Write what `decide` decides; `Refusal` if the table has changed meanwhile."""
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def reply(outcome: HandlerResult | Refusal, _: int) -> None:
            if answer.done():
                return
            if isinstance(outcome, Refusal):
                answer.set_exception(outcome)
            else:
                answer.set_result(None)

        self._tables.submit(live, PendingCommand(decide, reply, live.table.version, ""))
        await answer


def is_waiting(table: Table) -> bool:
    """Whether a table is a quick match that hasn't started."""
    return table.opened.quick and table.status == "waiting"


def _age(table: Table) -> tuple[int, str]:
    """Sort key: older matches first, in the same order on every server."""
    return table.opened_time, table.id


def _free_name(table: Table, name: str) -> str:
    """Return a name that nobody else at the table has."""
    taken = {place.name.casefold() for place in table.places}
    names = [name, *(f"{name} {number}" for number in range(2, len(taken) + 3))]
    return next(each for each in names if each.casefold() not in taken)


def _check_unchanged(table: Table, seat: int, place: SeatState) -> None:
    if not is_waiting(table) or seat >= len(table.places) or table.places[seat] != place:
        raise Refusal(Code.OUTDATED, "The game has moved on since then.")


def _free_seat(seat: int, place: SeatState, context: Context, _: int) -> HandlerResult:
    _check_unchanged(context.table, seat, place)
    return HandlerResult(log.Left(seat))


def _move(seat: int, place: SeatState, table: str, context: Context, _: int) -> HandlerResult:
    _check_unchanged(context.table, seat, place)
    return HandlerResult(log.Moved(seat, table))


def _next_step(context: Context, time_now: int) -> HandlerResult:
    """Decide the next step to the start: a bot sits down, free seats go, or the game starts."""
    table, plan = context.table, start_plan(context.table)
    if plan is None or time_now < plan.at:
        raise Refusal(Code.OUTDATED, "The game has moved on since then.")
    free = [seat for seat, place in enumerate(table.places) if place.kind == "free"]
    if plan.bots:
        return HandlerResult(bot_entry(table, free[0], default_level(table.opened.game).word))
    if free:
        return HandlerResult(
            log.Trimmed(tuple(seat for seat in range(len(table.places)) if seat not in free))
        )
    return start(context)


def create(site: Site) -> QuickMatches:
    """Create the service of a site."""
    return QuickMatches(site)


def service_of(site: Site) -> QuickMatches:
    """Return the service of a site."""
    return cast("QuickMatches", site.services["quick_match"])

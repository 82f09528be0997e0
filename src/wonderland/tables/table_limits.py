"""The limits of one table: who may send commands, how many a minute, and how long its log may become."""

from __future__ import annotations

from wonderland.tables.limits import Limits
from wonderland.tables.live_table import LiveTable
from wonderland.tables.rate_limit import TokenBucket
from wonderland.tables.storage.interface import Storage
from wonderland.wire import commands as ask
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

MAX_QUEUE_LENGTH = 64
"""Commands that may wait at one table."""
_LISTING_RETRY = 60
"""Seconds after which to try again to list another table."""
_RESERVE = 0.8
"""The part of a log after which only what finishes the game is accepted."""
_FINISHING = (ask.Play, ask.Start, ask.Leave, ask.TakeBack, ask.Answer, ask.Rematch)


def command_bucket(limits: Limits) -> TokenBucket:
    """The commands that a table accepts: a minute's worth at once, then as many as the limit says."""
    most = limits.of("commands_per_minute")
    return TokenBucket(most / 60, most)


async def check_listing(storage: Storage, source: str, limits: Limits) -> None:
    """Refuse another open table to a network that has too many of them."""
    if await storage.count_open(source) >= limits.of("open_tables_per_address"):
        raise Refusal(
            Code.TOO_MANY_TABLES,
            "Too many of your tables are already waiting for players. "
            "Please wait until one of them has filled up.",
        ).retry_in(_LISTING_RETRY)


def refuse_early(
    live: LiveTable, device: str, command: ask.AnyCommand, key: str, limits: Limits
) -> Refusal | None:
    """Refuse without queueing, so that nobody can slow down the table or fill its log.

    A command that has been committed already is let through, to be answered as a duplicate.
    """
    table = live.table
    if device != table.opened.host and not table.seats_of(device):
        if not isinstance(command, ask.Sit | ask.Claim):
            return Refusal(Code.NOT_SEATED, "You don't have a seat at this table.")
        if len(live.queue) >= MAX_QUEUE_LENGTH // 4:
            return Refusal(Code.TABLE_BUSY, "This table is too busy right now. Try again in a moment.")
    if live.keys.find(key) is not None:
        return None
    if not live.command_limit.take():
        busy = Refusal(Code.TABLE_BUSY, "This table is too busy right now. Try again in a moment.")
        return busy.retry_in(live.command_limit.wait())
    most = limits.of("entries_per_table")
    if table.version >= most and not isinstance(command, ask.Rematch):
        return Refusal(Code.HISTORY_FULL, "This table's history is full. Please create a new table.")
    if table.version >= _RESERVE * most and not isinstance(command, _FINISHING):
        return Refusal(
            Code.HISTORY_FULL, "This table's history is almost full. You can only finish the game."
        )
    if isinstance(command, ask.Propose) and not live.proposal_limit.take():
        return Refusal(Code.SLOW_DOWN, "Too many requests. Play on for a while first.").retry_in(
            live.proposal_limit.wait()
        )
    return None

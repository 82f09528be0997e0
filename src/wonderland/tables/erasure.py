"""Erasing a table, or everything that identifies a person, beside running servers.

Tables are closed first: servers drop them within seconds and refuse to open them, so nobody writes to a
log that is being deleted or rewritten. A person's own tables are deleted. At tables with other people,
the game stays, but the person's name, devices and chat messages are replaced in the log.

Uploaded records of all these games are deleted, and so are records that the person has imported or that
name their account as a player, the list of what they have imported, and the coach's reports on all of
these. A record of a game that was played elsewhere, by somebody of the same name, can't be told from
theirs and goes as well.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence

from wonderland.engine.errors import UsageError
from wonderland.engine.language import phrase
from wonderland.engine.record_reader import read_record
from wonderland.engine.values import Value
from wonderland.tables import entries as log
from wonderland.tables.accounts import Account, delete_account
from wonderland.tables.imported_games import imported_games
from wonderland.tables.moderation import Moderation
from wonderland.tables.storage.documents import (
    ANALYSES,
    IMPORTED_GAMES,
    RECORDS,
    REPORT_DRAFTS,
    REPORTS,
)
from wonderland.tables.storage.interface import Storage, StoredEntry
from wonderland.tables.stored_log import TableRefused, read_stored_entry
from wonderland.tables.table import Table

CLOSING_SECONDS = 4.0
"""How long servers have to close a table; they poll every second."""
_REMOVED = "…"
"""In place of a chat message."""


class Person(Value, frozen=True):
    """Someone to erase: their devices, by the hashes of their secrets, and their account."""

    devices: tuple[str, ...] = ()
    account: str = ""
    """The id of the account; empty for none."""

    @property
    def words(self) -> tuple[str, ...]:
        """What identifies them in a log."""
        return (*self.devices, self.account) if self.account else self.devices

    def is_device(self, device: str) -> bool:
        """Whether a device is theirs."""
        return device in self.devices


class ErasurePlan(Value, frozen=True):
    """What erasing a person does to the tables that mention them."""

    deleted: tuple[str, ...]
    changed: tuple[str, ...]
    records: tuple[str, ...] = ()
    """Uploaded records that are deleted."""


def person_of(account: Account) -> Person:
    """The person behind an account."""
    return Person(tuple(each.hash for each in account.devices), account.id)


async def load_table(storage: Storage, table: str) -> Table:
    """Replay a table; `UsageError` if it doesn't exist or can't be replayed."""
    entries = await storage.read(table)
    if not entries:
        raise UsageError(phrase("there is no table {table}."), table=table)
    try:
        found = Table(entries[0])
        for entry in entries[1:]:
            found.follow(entry)
    except TableRefused as error:
        raise UsageError(
            phrase("table {table} can't be replayed: {reason}"), table=table, reason=str(error)
        ) from None
    return found


async def plan_erasure(storage: Storage, person: Person, account: Account | None = None) -> ErasurePlan:
    """Find the tables and records that mention a person, and decide which tables are deleted."""
    deleted: list[str] = []
    changed: list[str] = []
    for table in await storage.maintenance.mentioning(person.words):
        entries = await storage.read(table)
        (deleted if _is_own(entries, person) else changed).append(table)
    records = set(await find_records(storage, [*deleted, *changed]))
    if account is not None:
        records |= set(await _records_naming(storage, account.name))
    imported = await imported_games(storage.documents, person.devices)
    records |= {game.record for game in imported}
    return ErasurePlan(tuple(deleted), tuple(changed), tuple(sorted(records)))


async def find_records(storage: Storage, tables: Sequence[str]) -> Sequence[str]:
    """The uploaded records of games at these tables, which name their table in the `Luck` line."""
    words = [f" table={table} " for table in tables]
    return await storage.maintenance.find_documents(RECORDS, words)


async def _records_naming(storage: Storage, name: str) -> Sequence[str]:
    """The uploaded records in which a player has this name."""
    found = list[str]()
    for key in await storage.maintenance.find_documents(RECORDS, [name]):
        record = read_record((await storage.documents.get(RECORDS, key) or b"").decode()).record
        if record is None or name in record.names:  # what can't be read can't be told from theirs
            found.append(key)
    return found


async def _delete_copies(storage: Storage, tables: Sequence[str], records: Sequence[str]) -> None:
    """Delete uploaded records, and the reports and analyses of them and of the games at tables."""
    await storage.maintenance.delete_documents(RECORDS, records)
    for kind in (REPORTS, REPORT_DRAFTS, ANALYSES):
        names = [f"{name}-" for name in (*tables, *records)]
        await storage.maintenance.delete_documents(kind, names)


async def erase_tables(storage: Storage, tables: Sequence[str], *, wait: float) -> Sequence[str]:
    """Delete tables, and return the uploaded records of them that were deleted as well.

    `wait` is how many seconds running servers have to close the tables.
    """
    moderation = Moderation(storage.documents)
    records = await find_records(storage, tables)
    await moderation.close_tables(tables, erased=True)
    await asyncio.sleep(wait)
    await storage.maintenance.delete(tables)
    await _delete_copies(storage, tables, records)
    await moderation.reopen_tables(())
    return records


async def erase_person(
    storage: Storage, person: Person, account: Account | None, *, wait: float
) -> ErasurePlan:
    """Erase a person and their account; return what was done to their tables."""
    plan = await plan_erasure(storage, person, account)
    moderation = Moderation(storage.documents)
    await moderation.close_tables(plan.deleted, erased=True)
    await moderation.close_tables(plan.changed, erased=False)
    try:
        if plan.deleted or plan.changed:
            await asyncio.sleep(wait)
        await storage.maintenance.delete(plan.deleted)
        names = set[str]()
        for table in plan.changed:
            entries = await storage.read(table)
            await storage.maintenance.rewrite(anonymise(entries, person, names))
        await _delete_copies(storage, (*plan.deleted, *plan.changed), plan.records)
        await storage.maintenance.forget_devices(person.devices)
        await storage.maintenance.delete_documents(IMPORTED_GAMES, person.devices)
        if account is not None:
            await delete_account(storage.documents, account)
    finally:
        await moderation.reopen_tables(plan.changed)
    return plan


def _is_own(entries: Sequence[StoredEntry], person: Person) -> bool:
    """Whether nobody else has ever sat at a table, or it waits for a host who is being erased."""
    try:
        read = [read_stored_entry(entry) for entry in entries]
    except TableRefused:
        return False
    others = {entry.device for entry in read if isinstance(entry, log.Sat | log.Claimed)}
    opened = read[0]
    if isinstance(opened, log.Opened):
        others |= {device for seat in opened.reserved for device in seat.devices}
        if opened.host in person.devices and not any(isinstance(each, log.Started) for each in read):
            return True
    return not any(device not in person.devices for device in others)


def anonymise(entries: Sequence[StoredEntry], person: Person, names: set[str]) -> Sequence[StoredEntry]:
    """Return the entries that change if a person is erased from a log.

    `names` collects the names under which they played: a rematch repeats the chat of the table before
    with names only.
    """
    stand_in = secrets.token_hex(32)  # no device has this hash
    table = Table(entries[0])
    found: list[StoredEntry] = []
    for stored in entries:
        entry = read_stored_entry(stored)
        mine = [
            seat
            for seat, place in enumerate(table.places)
            if set(place.devices) & set(person.devices) or _is_account(place.person, person)
        ]
        if stored.n:
            table.follow(stored, entry)
        changed = _without(entry, person, mine, names, stand_in)
        if changed != entry:
            found.append(StoredEntry(stored.table, stored.n, stored.time, log.written(changed)))
    return found


def _is_account(account: str, person: Person) -> bool:
    return bool(account) and account == person.account


def _without(
    entry: log.AnyEntry, person: Person, mine: Sequence[int], names: set[str], stand_in: str
) -> log.AnyEntry:
    """Return an entry without what identifies a person, whose seats are `mine`."""

    def replaced(device: str) -> str:
        return stand_in if person.is_device(device) else device

    match entry:
        case log.Opened():
            theirs = [any(map(person.is_device, place.devices)) for place in entry.reserved]
            names |= {place.name for place, mine in zip(entry.reserved, theirs, strict=True) if mine}
            reserved = tuple(
                log.changed(
                    place,
                    name=_name_for(seat) if theirs[seat] else place.name,
                    devices=tuple(map(replaced, place.devices)),
                )
                for seat, place in enumerate(entry.reserved)
            )
            heard = tuple(
                log.changed(each, name=_name_for(each.seat), text=_REMOVED if each.text else "")
                if each.name in names
                else each
                for each in entry.heard
            )
            source = "" if person.is_device(entry.host) else entry.source
            return log.changed(
                entry, host=replaced(entry.host), source=source, reserved=reserved, heard=heard
            )
        case log.Sat(device=device) if person.is_device(device) or _is_account(entry.person, person):
            names.add(entry.name)
            return log.changed(entry, device=stand_in, name=_name_for(entry.seat))
        case log.Claimed(device=device):
            return log.changed(entry, device=replaced(device))
        case log.Said(seat=seat, text=text) if seat in mine and text:
            return log.changed(entry, text=_REMOVED)
        case _:
            return entry


def _name_for(seat: int) -> str:
    """The name of an erased player; names at a table differ."""
    return f"Erased player {seat + 1}"

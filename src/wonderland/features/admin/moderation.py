"""What `wonderland admin` does about people: erase, ban and announce, beside a running server."""

from __future__ import annotations

import argparse
import re
from datetime import UTC, datetime, timedelta

from wonderland.engine.errors import UsageError, quote
from wonderland.engine.language import Language, phrase
from wonderland.engine.values import Value
from wonderland.features.admin.storage_access import print_json, run_with_storage, write
from wonderland.tables.accounts import Account, account_of, find_account
from wonderland.tables.erasure import (
    CLOSING_SECONDS,
    Person,
    erase_person,
    erase_tables,
    find_records,
    load_table,
    person_of,
    plan_erasure,
)
from wonderland.tables.handlers import hash_secret
from wonderland.tables.moderation import Announcement, Ban, Moderation, client_network
from wonderland.tables.storage.documents import now
from wonderland.tables.storage.interface import Storage
from wonderland.tables.storage.location import database_file
from wonderland.tables.storage.sqlite_maintenance import is_in_use

MAX_TEXT = 300
"""Characters of an announcement or a reason."""
_DURATION = re.compile(r"\+(\d{1,4})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
_HASH = re.compile(r"[0-9a-f]{64}")


class NamedPerson(Value, frozen=True):
    """The person that an operator has named."""

    person: Person
    account: Account | None = None


def erase(options: argparse.Namespace, say: Language) -> int:
    """Erase a table or a person."""
    kind, value = _read_subject(options.subject)
    # A server that uses the file holds a lock on it; one that uses PostgreSQL may be anywhere.
    is_served = "://" in options.database or is_in_use(database_file(options.database))
    wait = CLOSING_SECONDS if is_served else 0.0

    async def run(storage: Storage) -> int:
        if kind == "table":
            if not await storage.read(value, most=1):
                raise UsageError(phrase("there is no table {table}."), table=quote(value))
            if options.dry_run:
                records = len(await find_records(storage, [value]))
            else:
                records = len(await erase_tables(storage, [value], wait=wait))
            deleted, changed = 1, 0
        else:
            found = await _find_person(storage, kind, value)
            if options.dry_run:
                plan = await plan_erasure(storage, found.person, found.account)
            else:
                plan = await erase_person(storage, found.person, found.account, wait=wait)
            deleted, changed, records = map(len, (plan.deleted, plan.changed, plan.records))
        for line in _summarise(deleted, records, say, is_dry_run=options.dry_run):
            write(line)
        if kind != "table":
            write(
                say.plural(
                    "{number} table with other people stays, without the person's name and messages.",
                    "{number} tables with other people stay, without the person's name and messages.",
                    changed,
                )
            )
        if not options.dry_run:
            write(say("Backups still contain what was erased."))
        return 0

    return run_with_storage(options, run)


def _summarise(tables: int, records: int, say: Language, *, is_dry_run: bool) -> list[str]:
    """What was deleted, or would be; records only if there are any."""
    if is_dry_run:
        lines = [
            say.plural("Would delete {number} table.", "Would delete {number} tables.", tables),
            say.plural(
                "Would delete {number} uploaded record.",
                "Would delete {number} uploaded records.",
                records,
            ),
        ]
    else:
        lines = [
            say.plural("Deleted {number} table.", "Deleted {number} tables.", tables),
            say.plural(
                "Deleted {number} uploaded record.", "Deleted {number} uploaded records.", records
            ),
        ]
    return lines if records else lines[:1]


def ban(options: argparse.Namespace, say: Language) -> int:
    """List the bans, ban someone, or lift a ban."""
    if options.subject is None:
        return run_with_storage(options, lambda storage: _list_bans(options, storage, say))

    async def run(storage: Storage) -> int:
        moderation = Moderation(storage.documents)
        if options.lift:
            await moderation.lift(await _find_ban(moderation, options.subject))
            write(say("Lifted the ban on {subject}.", subject=options.subject))
            return 0
        until, reason = _read_time(options.until), _read_text("--reason", options.reason).rstrip(".")
        made = await _make_ban(storage, options.subject)
        await moderation.ban(
            Ban(made.subject, now(), until, reason, name=made.name, devices=made.devices)
        )
        write(say("Banned {subject}.", subject=_display(made)))
        return 0

    return run_with_storage(options, run)


def announce(options: argparse.Namespace, say: Language) -> int:
    """Show, replace or withdraw the announcement."""

    async def run(storage: Storage) -> int:
        moderation = Moderation(storage.documents)
        if options.withdraw:
            await moderation.withdraw()
            write(say("Withdrew the announcement."))
        elif options.subject is not None:
            text, until = _read_text("TEXT", options.subject), _read_time(options.until)
            await moderation.announce(Announcement(text, now(), until))
            write(say("Everyone sees it within a few seconds."))
        else:
            found = await moderation.announcement()
            text = found.text_at(now()) if found is not None else ""
            write(text or say("There is no announcement."))
        return 0

    return run_with_storage(options, run)


# Subjects


def _read_subject(text: str | None) -> tuple[str, str]:
    """Split `table:ID`, `account:NAME`, `device:SECRET` or `seat:TABLE/NUMBER`."""
    kind, colon, value = (text or "").partition(":")
    if not colon or kind not in ("table", "account", "device", "seat") or not value.strip():
        raise UsageError(
            phrase(
                "{text} doesn't say what to erase. Write table:ID, account:NAME, seat:TABLE/NUMBER or "
                "device:SECRET."
            ),
            text=quote(text or ""),
        )
    return kind, value.strip()


async def _find_person(storage: Storage, kind: str, value: str) -> NamedPerson:
    documents = storage.documents
    if kind == "account":
        account = await find_account(documents, value)
        if account is None:
            raise UsageError(phrase("there is no account called {name}."), name=quote(value))
        return NamedPerson(person_of(account), account)
    if kind == "device":
        devices: tuple[str, ...] = (value if _HASH.fullmatch(value) else hash_secret(value),)
    else:
        devices = await _devices_at(storage, value)
    for device in devices:
        if (account := await account_of(documents, device)) is not None:
            known = person_of(account)
            return NamedPerson(
                Person(tuple(dict.fromkeys((*devices, *known.devices))), known.account), account
            )
    return NamedPerson(Person(devices))


async def _devices_at(storage: Storage, value: str) -> tuple[str, ...]:
    """Return the devices of the person at a seat, such as `ABC/2`; seats count from 1."""
    name, _, number = value.rpartition("/")
    table = await load_table(storage, name)
    seats = len(table.places)
    if not (number.isascii() and number.isdecimal() and 1 <= int(number) <= seats):
        raise UsageError(
            phrase("table {table} has seats 1 to {most}, not {number}."),
            table=name,
            most=seats,
            number=quote(number),
        )
    place = table.places[int(number) - 1]
    if place.kind != "person" or not place.devices:
        raise UsageError(
            phrase("nobody is in seat {number} of table {table}."), number=number, table=name
        )
    return place.devices


# Bans


async def _make_ban(storage: Storage, text: str) -> Ban:
    """Return the ban that a subject stands for, without time and reason."""
    if not text.startswith(("account:", "device:", "seat:")):
        return Ban(_read_network(text), 0)
    kind, _, value = text.partition(":")
    found = await _find_person(storage, kind, value.strip())
    if found.account is not None:
        return Ban(
            f"account:{found.account.id}", 0, name=found.account.name, devices=found.person.devices
        )
    return Ban(f"device:{found.person.devices[0]}", 0, devices=found.person.devices)


def _read_network(text: str) -> str:
    try:
        network = client_network(text)
    except ValueError:
        raise UsageError(
            phrase(
                "{text} can't be banned. Write an address, a network such as 203.0.113.0/24, "
                "account:NAME or seat:TABLE/NUMBER."
            ),
            text=quote(text),
        ) from None
    loopback = client_network("127.0.0.0/8" if network.version == 4 else "::1")
    if network.overlaps(loopback):
        raise UsageError(
            phrase("{text} includes this computer, and with it every proxy that runs here."),
            text=quote(text),
        )
    return str(network)


async def _find_ban(moderation: Moderation, text: str) -> str:
    """Return the stored subject of a ban that an operator names as in the list."""
    name = text.removeprefix("account:")
    try:
        network = str(client_network(text))
    except ValueError:
        network = ""
    for each in await moderation.bans():
        is_account = text.startswith("account:") and name.casefold() == each.name.casefold()
        if each.subject in (text, network) or is_account:
            return each.subject
    raise UsageError(phrase("{text} isn't banned."), text=quote(text))


async def _list_bans(options: argparse.Namespace, storage: Storage, say: Language) -> int:
    found = [each for each in await Moderation(storage.documents).bans() if each.holds(now())]
    if options.json:
        print_json(found)
        return 0
    for each in found:
        until = say("until {time}", time=_format_time(each.until)) if each.until else say("permanently")
        write("  ".join(filter(None, (_display(each), until, each.reason))))
    if not found:
        write(say("Nobody is banned."))
    return 0


def _display(ban: Ban) -> str:
    return f"account:{ban.name}" if ban.name else ban.subject


# Texts and times


def _read_text(what: str, text: str) -> str:
    text = " ".join(text.split())
    if not text and what == "TEXT":
        raise UsageError(phrase("the announcement is empty. To remove the current one, use --withdraw."))
    if len(text) > MAX_TEXT or not text.isprintable():
        raise UsageError(
            phrase("{what} can have at most {most} printable characters."), what=what, most=MAX_TEXT
        )
    return text


def _read_time(text: str) -> int | None:
    """Read a time such as `2026-12-24 18:00` (local) or `+2h`, in milliseconds since 1970."""
    if not text:
        return None
    if match := _DURATION.fullmatch(text):
        when = datetime.now(UTC) + timedelta(**{_UNITS[match[2]]: int(match[1])})
    else:
        try:
            when = datetime.fromisoformat(text).astimezone()
        except (ValueError, OverflowError, OSError):
            raise UsageError(
                phrase("{text} isn't a time. Write it as 2026-12-24T18:00, or as +30m, +2h or +7d."),
                text=quote(text),
            ) from None
    milliseconds = int(when.timestamp() * 1000)
    if milliseconds <= now():
        raise UsageError(phrase("{text} is in the past."), text=quote(text))
    return milliseconds


def _format_time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000).astimezone().isoformat(" ", "minutes")

"""Prepared tables for `server.py` and `nodes.py`, written directly into a server's database.

The games are real, but all tables share a hundred of them, as playing ten thousand would take minutes.
Their shuffles don't match the tables' commitments, which only `wonderland verify` would notice.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from wonderland.bots import default_level
from wonderland.engine import CHANCE, Match, game
from wonderland.engine.chance import Seeded
from wonderland.engine.match import seats_to_act
from wonderland.tables import entries as log
from wonderland.tables.creation import new_id, opening_entry
from wonderland.tables.fairness import ServerKey
from wonderland.tables.handlers import hash_secret
from wonderland.tables.live_table import due_after
from wonderland.tables.service import TableService
from wonderland.tables.storage.interface import Addition, CommitResult, Storage, StoredEntry
from wonderland.tables.storage.sqlite import SqliteStorage
from wonderland.tables.table import Table

GAMES = 100
_HOUR = 3_600_000
_AT_ONCE = 5000


@dataclass(frozen=True, slots=True)
class PreparedTable:
    """A table with a game in progress, and the device secrets of its seats."""

    table: str
    devices: tuple[str, str]


def prepare_tables(
    path: Path, count: int, decisions: int = 0, *, bots: bool = False
) -> list[PreparedTable]:
    """Write `count` tables of two-player Parade after a number of decisions.

    With `bots`, a bot has the second seat and is to act.
    """
    key = ServerKey.load(path.with_suffix(".key"))  # where the server expects it
    return prepare_tables_in(lambda: SqliteStorage(path), key, count, decisions, bots=bots)


def prepare_tables_in(
    storage: Callable[[], Storage], key: ServerKey, count: int, decisions: int = 0, *, bots: bool = False
) -> list[PreparedTable]:
    """Write prepared tables to any storage."""
    games = [list(_log_entries(seed, decisions, bots=bots)) for seed in range(min(GAMES, count))]
    tables = [_additions(key, number, games[number % len(games)], bots=bots) for number in range(count)]
    asyncio.run(_write(storage(), key, [additions for _, additions in tables]))
    return [its for its, _ in tables]


def _log_entries(seed: int, decisions: int, *, bots: bool) -> Iterator[log.AnyEntry]:
    """Log entries from the start of the game."""
    rng = random.Random(seed)
    match = Match(game("parade"), ["Alice", "Bob"], chance=Seeded(seed))
    made = 0
    while made < decisions or (bots and seats_to_act(match.turn) != (1,)):
        seat = seats_to_act(match.turn)[0]
        match.play(seat, rng.choice(match.legal(seat)))
        made += 1
    write = match.game.write
    groups: list[tuple[int | None, list[str]]] = [(None, [])]
    for move in match.moves:
        if move.actor is CHANCE:
            groups[-1][1].append(write(move.action))
        else:
            groups.append((move.actor, [write(move.action)]))
    for actor, words in groups:
        if actor is None:
            yield log.Started(tuple(words))
        else:
            yield log.Played(actor, words[0], tuple(words[1:]), key=hash_secret(f"{seed} {words}")[:20])


def _additions(
    key: ServerKey, number: int, entries_since_start: Sequence[log.AnyEntry], *, bots: bool
) -> tuple[PreparedTable, list[Addition]]:
    """The complete log of one table; only the first and the last entry update its row."""
    then = time.time_ns() // 1_000_000 - _HOUR
    devices = (f"device-{number:020}-0", f"device-{number:020}-1")
    level = default_level("parade").word
    opened = log.Opened(
        game="parade",
        rules=game("parade").info.rules_version,
        seats=2,
        options={},
        access="link",
        host=hash_secret(devices[0]),
        invitation=hash_secret(f"invitation {number}"),
        reserved=(log.Reserved(), log.Reserved("Bob", level=level)) if bots else (),
    )
    people = [
        log.Sat(seat, name, hash_secret(devices[seat]), f"{number:032x}")
        for seat, name in enumerate(["Alice"] if bots else ["Alice", "Bob"])
    ]
    name = new_id()
    first = opening_entry(key, name, opened, then)
    entries = [
        StoredEntry(name, n, then + n, log.written(entry))
        for n, entry in enumerate([*people, *entries_since_start], 1)
    ]
    table = Table(first.entry)
    before = table.sitters()
    for entry in entries:
        table.follow(entry)
    last = Addition(entries[-1], table.row(then, due_after(table)), tuple(table.sitters() - before))
    return PreparedTable(name, devices), [first, *map(Addition, entries[:-1]), last]


async def _write(storage: Storage, key: ServerKey, logs: Sequence[Sequence[Addition]]) -> None:
    """Write all first entries, then all second ones, and so on: one per table at a time."""
    await storage.open()
    await TableService(storage, key).open()
    for n in range(max(map(len, logs))):
        waiting = [its[n] for its in logs if n < len(its)]
        for begin in range(0, len(waiting), _AT_ONCE):
            await asyncio.gather(*[_append(storage, one) for one in waiting[begin : begin + _AT_ONCE]])
    await storage.close()


async def _append(storage: Storage, addition: Addition) -> None:
    done: asyncio.Future[CommitResult] = asyncio.get_running_loop().create_future()
    storage.append(addition, done.set_result)
    if (answer := await done) is not True:
        raise SystemExit(f"a table could not be written: {answer}")


def entries_in(path: Path) -> int:
    """Number of log entries in a database."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        (count,) = connection.execute("SELECT coalesce(max(seq), 0) FROM log").fetchone()
    return int(count)

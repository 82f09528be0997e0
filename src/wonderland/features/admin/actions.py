"""What `wonderland admin` does: backup, restore, check, prune and statistics."""

from __future__ import annotations

import argparse
import shutil
import sqlite3
import time
from collections.abc import Mapping
from pathlib import Path

from wonderland.components.formatting import number
from wonderland.engine.errors import FileProblem, UsageError
from wonderland.engine.language import Language, phrase
from wonderland.features.admin.checks import STATUS_NAMES, check_storage
from wonderland.features.admin.storage_access import (
    check_database_exists,
    print_json,
    run_with_storage,
    write,
)
from wonderland.tables import rated_games
from wonderland.tables.accounts import PERSON
from wonderland.tables.moderation import BAN
from wonderland.tables.storage.documents import ANALYSES, RECORDS, REPORTS
from wonderland.tables.storage.interface import Storage
from wonderland.tables.storage.location import database_file
from wonderland.tables.storage.sqlite_maintenance import back_up, find_damage, is_in_use

_FOUND_PROBLEMS = 1
_DAY = 24 * 3600 * 1000
_BATCH = 200
DOCUMENT_NAMES = {
    PERSON: phrase("accounts"),
    rated_games.kind(""): phrase("rated games"),
    BAN: phrase("bans"),
    RECORDS: phrase("uploaded records"),
    REPORTS: phrase("coach reports"),
    ANALYSES: phrase("shared analyses"),
}
"""How operators read the kinds of documents that matter to them; one that ends in a dot has many."""
_OTHER_DOCUMENTS = phrase("other documents")
_ENDINGS = ("-wal", "-shm")
"""Files that SQLite keeps beside a database."""


def back_up_database(options: argparse.Namespace, say: Language) -> int:
    """Copy the database to a new file."""
    source, target = _database_file(options), Path(options.file)
    check_database_exists(source)
    if target.exists() and not options.force:
        raise FileProblem(phrase("{file} already exists. Use --force to replace it."), file=str(target))
    partial = target.with_name(f".{target.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        back_up(source, partial)
        partial.replace(target)
    except (OSError, sqlite3.Error) as error:
        partial.unlink(missing_ok=True)
        raise _failed(target, error) from None
    write(
        say(
            "Backed up {file}: {size} KB.",
            file=str(target),
            size=number(-(-target.stat().st_size // 1024), say),
        )
    )
    write(say("Keep the server's key file with it: without the key, running games can't continue."))
    return 0


def restore_database(options: argparse.Namespace, say: Language) -> int:
    """Put a backup back in place, keeping what was there under another name."""
    source, target = Path(options.file), _database_file(options)
    if not source.is_file():
        raise FileProblem(
            phrase("there is no file {file}. Check the name of the backup."), file=str(source)
        )
    if is_in_use(target):
        raise UsageError(phrase("a server is using {file}. Stop it first."), file=str(target))
    if target.exists() and not options.force:
        raise FileProblem(phrase("{file} already exists. Use --force to replace it."), file=str(target))
    try:
        damage = find_damage(source)
    except sqlite3.Error as error:
        damage = str(error)
    if damage:
        raise FileProblem(
            phrase("{file} isn't a valid backup: {reason}."), file=str(source), reason=damage
        )
    fresh = target.with_name(f"{target.name}.restoring")
    try:
        shutil.copyfile(source, fresh)
        fresh.chmod(0o600)
        if target.exists():
            kept = target.with_name(f"{target.name}.before-restore")
            _merge_write_ahead_log(target)
            target.replace(kept)
            write(say("The previous database is now {file}.", file=str(kept)))
        for ending in _ENDINGS:
            Path(f"{target}{ending}").unlink(missing_ok=True)
        fresh.replace(target)
    except (OSError, sqlite3.Error) as error:
        fresh.unlink(missing_ok=True)
        raise _failed(target, error) from None
    write(say("Restored {file}.", file=str(target)))
    return 0


def check_tables(options: argparse.Namespace, say: Language) -> int:
    """Replay every table; report those that can't be replayed or differ from the index."""
    report = run_with_storage(options, check_storage)
    if options.json:
        print_json(report.as_json())
    else:
        for problem in report.problems:
            write(f"{problem.table}: {problem.message.said(say)}")
        write(
            say.plural(
                "Replayed {number} table with {entries} log entries.",
                "Replayed {number} tables with {entries} log entries.",
                report.tables,
                entries=number(report.entries, say),
            )
        )
        write(
            say.plural(
                "{number} problem found.",
                "{number} problems found.",
                len(report.problems),
            )
            if report.problems
            else say("No problems found.")
        )
    return _FOUND_PROBLEMS if report.problems else 0


def prune_tables(options: argparse.Namespace, say: Language) -> int:
    """Delete tables that nobody has touched for some days."""

    async def prune(storage: Storage) -> int:
        before = time.time_ns() // 1_000_000 - options.days * _DAY
        statuses = ("waiting", "playing", "finished")
        if options.dry_run:
            return len(await storage.maintenance.unchanged_since(before, statuses, most=10**9))
        deleted = 0
        while found := await storage.maintenance.unchanged_since(before, statuses, _BATCH):
            await storage.maintenance.delete([each.table for each in found])
            deleted += len(found)
        return deleted

    deleted = run_with_storage(options, prune)
    if options.dry_run:
        write(say.plural("Would delete {number} table.", "Would delete {number} tables.", deleted))
    else:
        write(say.plural("Deleted {number} table.", "Deleted {number} tables.", deleted))
    return 0


def show_statistics(options: argparse.Namespace, say: Language) -> int:
    """Print how much is stored."""
    found = run_with_storage(options, lambda storage: storage.maintenance.statistics())
    if options.json:
        print_json(found)
        return 0
    lines = [(say(name), found.tables.get(status, 0)) for status, name in STATUS_NAMES.items()]
    lines += [(say("log entries"), found.entries), (say("bytes in logs"), found.bytes)]
    lines += [(say(name), count) for name, count in _count_by_name(found.documents).items()]
    width = max(len(name) for name, _ in lines)
    for name, count in lines:
        write(f"{name:<{width}}  {number(count, say)}")
    return 0


def _count_by_name(documents: Mapping[str, int]) -> dict[str, int]:
    """Add up the documents of each kind that operators know by name, and all others together."""
    counts = dict.fromkeys((*DOCUMENT_NAMES.values(), _OTHER_DOCUMENTS), 0)
    for kind, count in documents.items():
        name = DOCUMENT_NAMES.get(kind) or DOCUMENT_NAMES.get(kind.partition(".")[0] + ".")
        counts[name or _OTHER_DOCUMENTS] += count
    return {name: count for name, count in counts.items() if count}


def _database_file(options: argparse.Namespace) -> Path:
    """Return the SQLite file; PostgreSQL has better tools of its own."""
    if "://" in options.database:
        raise UsageError(
            phrase("this works for database files only. For PostgreSQL, use pg_dump and pg_restore.")
        )
    return database_file(options.database)


def _merge_write_ahead_log(path: Path) -> None:
    """Write what is still in the write-ahead log into the file itself, so that the file is complete."""
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()


def _failed(path: Path, error: OSError | sqlite3.Error) -> FileProblem:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return FileProblem(
        phrase("{file} can't be written: {reason}."), file=str(path), reason=reason or str(error)
    )

"""The storage interface, implemented by SQLite (one file) and PostgreSQL.

A table's log is append-only and `(table, n)` is unique, so of two writers of the same entry exactly one
succeeds. **An entry is acknowledged only after it is committed**: `append` calls back once it is on
disk, never before. Entries that arrive during a commit are batched into the next one.

Beside the logs there are three small indexes, so that logs need not be read for them: a row for each
table (tables waiting for players, tables due), the seats of each device, and recent presence. The first
two are written in the same transaction as the entry that changes them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from wonderland.engine.errors import WonderlandError
from wonderland.engine.language import Message, phrase
from wonderland.engine.values import Value

if TYPE_CHECKING:
    from wonderland.tables.storage.documents import DocumentStore
    from wonderland.tables.storage.maintenance import Maintenance


class StorageError(WonderlandError):
    """The storage is unreachable or full, or has an unknown schema."""


NOT_READ = phrase("the database can't be read: {reason}.")
NOT_WRITTEN = phrase("the database can't be written: {reason}.")


class StoredEntry(Value, frozen=True):
    """One line of a table's log."""

    table: str
    n: int
    """0, 1, 2 … without gaps."""
    time: int
    """When it was written, in milliseconds since 1970."""
    body: bytes


class TableIndexRow(Value, frozen=True):
    """The index row of a table: what can be queried without reading its log."""

    table: str
    game: str
    status: str
    """`waiting`, `playing` or `finished`."""
    listed: bool
    """Whether it appears in the list of open tables."""
    free: int
    """The number of free seats."""
    changed: int
    """When the row was written, in milliseconds."""
    due: int | None
    """When it needs attention (a bot's turn, a timeout), in milliseconds."""
    source: str = ""
    """Where it was created, as a keyed hash; no source can crowd others out of the list."""


class Sitter(Value, frozen=True):
    """A device that may act for a seat, by the hash of its secret."""

    device: str
    table: str
    seat: int


class Addition(Value, frozen=True):
    """An entry and the index changes that are committed with it."""

    entry: StoredEntry
    row: TableIndexRow | None = None
    arrived: tuple[Sitter, ...] = ()
    departed: tuple[Sitter, ...] = ()


CommitResult: TypeAlias = bool | StorageError
"""`True`: committed; `False`: another writer has already written this entry; or an error."""
OnCommitted: TypeAlias = Callable[[CommitResult], None]
OnChanges: TypeAlias = Callable[[Sequence[tuple[str, int]]], None]
"""Called with changed tables, each with the number of its latest entry."""
OnEntries: TypeAlias = Callable[[Sequence[StoredEntry]], None]
"""Called with entries that other processes have committed."""


class Storage(Protocol):
    """Stores logs. It is used from one event loop, in which `done` and `heard` are called too."""

    @property
    def documents(self) -> DocumentStore:
        """The document store in the same database."""
        ...

    @property
    def maintenance(self) -> Maintenance:
        """Bulk reads and deletions in the same database."""
        ...

    async def open(self) -> None:
        """Connect and migrate the schema; `StorageError` if that fails."""
        ...

    async def close(self) -> None:
        """Commit and acknowledge all accepted additions, then disconnect."""
        ...

    def append(self, addition: Addition, done: OnCommitted) -> None:
        """Queue for the next batch; `done` is called once it is on disk or has failed.

        A table may have only one addition in flight, as the next one builds on it.
        """
        ...

    async def read(self, table: str, after: int = -1, most: int | None = None) -> Sequence[StoredEntry]:
        """The entries of a table with a number above `after`, in order; at most the first `most`."""
        ...

    @property
    def log_statements(self) -> int:
        """The number of statements that have read logs so far; one may serve several reads."""
        ...

    async def due(self, now: int, most: int = 100) -> Sequence[str]:
        """Tables whose `due` time has come, the most overdue first."""
        ...

    async def postpone(self, table: str, due: int | None) -> None:
        """Change when a table is due (`None`: never), without writing to its log."""
        ...

    async def open_tables(self, most: int = 100, skip: int = 0) -> Sequence[TableIndexRow]:
        """Open tables that wait for players: the newest of each source first, then the second newest."""
        ...

    async def count_open(self, source: str) -> int:
        """The number of listed tables of a source that wait for players."""
        ...

    async def seats_of_device(self, device: str, most: int = 100) -> Sequence[tuple[TableIndexRow, int]]:
        """The tables and seats of a device, most recently changed first."""
        ...

    async def count(self) -> dict[str, int]:
        """The number of unfinished tables by status."""
        ...

    async def expire(
        self, status: str, before: int, keep: Collection[str] = (), most: int = 100
    ) -> Sequence[str]:
        """Delete tables of a status at which nothing has happened, and nobody was, since `before`.

        Returns their ids; those to `keep` are left alone.
        """
        ...

    async def record_presence(self, seats: Iterable[tuple[str, int]], now: int) -> None:
        """Record that these seats are connected now."""
        ...

    async def last_seen(self, table: str) -> dict[int, int]:
        """When each seat of a table was last connected, in milliseconds."""
        ...

    async def check_writable(self, now: int) -> None:
        """Write something of no consequence; `StorageError` if that fails, as on a full disk."""
        ...

    async def get_or_set_fact(self, name: str, otherwise: str) -> str:
        """Return a setting of the whole storage, such as its key's fingerprint; set it if missing."""
        ...

    def listen(self, heard: OnChanges, entries: OnEntries | None = None, key: str = "") -> None:
        """Subscribe to writes by other processes; a change may be reported more than once.

        Where the entries themselves come with a change, `entries` is called with them just before. They
        are authenticated with `key`, a secret that all processes share.
        """
        ...


def check_version(found: str | None, newest: int, database: Message) -> int:
    """Return the schema version found, 0 if none; `StorageError` if it is newer than this program."""
    if found is None:
        return 0
    version = int(found) if found.isdecimal() else newest + 1
    if version > newest:
        raise StorageError(
            phrase(
                "{database} has schema version {version}, but this program knows versions up to "
                "{newest}. Use a newer version of Wonderland."
            ),
            database=database,
            version=found,
            newest=newest,
        )
    return version

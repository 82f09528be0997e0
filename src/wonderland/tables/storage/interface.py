"""Where the logs of tables are kept, whatever keeps them: SQLite in one file, or PostgreSQL.

A table's log is append-only and `(table, n)` is unique, so of two writers of the same entry exactly one
succeeds. **An entry is acknowledged only after it is committed**: `append` calls back when it is on
disk, never before. What arrives while a commit is under way is committed together by the next one.

Beside the logs there are three small indexes, which the log could be asked for at greater cost: a row
for each table (what waits for players, what is due), which devices sit where, and who was seen lately.
The first two are written in the same commit as the entry that changes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from wonderland.engine.errors import WonderlandError
from wonderland.engine.values import Value

if TYPE_CHECKING:
    from wonderland.tables.storage.documents import DocumentStore


class StorageError(WonderlandError):
    """The storage can't be used: it can't be reached, it is full, or another program wrote it."""


class StoredEntry(Value, frozen=True):
    """One line of a table's log."""

    table: str
    n: int
    """0, 1, 2 … without gaps."""
    time: int
    """When it was written, in milliseconds since 1970."""
    body: bytes


class TableIndexRow(Value, frozen=True):
    """What is to be found without reading logs: one for each table."""

    table: str
    game: str
    status: str
    """`waiting`, `playing` or `finished`."""
    listed: bool
    """Whether it stands in the open list."""
    free: int
    """How many seats nobody has taken."""
    changed: int
    """When the row was written, in milliseconds."""
    due: int | None
    """When somebody should look at it again (a bot's turn, a clock that runs out), in milliseconds."""


class Sitter(Value, frozen=True):
    """A device that may act for a seat, by the hash of its secret."""

    device: str
    table: str
    seat: int


class Addition(Value, frozen=True):
    """What is committed together: an entry, and what it changes in the indexes."""

    entry: StoredEntry
    row: TableIndexRow | None = None
    arrived: tuple[Sitter, ...] = ()
    departed: tuple[Sitter, ...] = ()


CommitResult: TypeAlias = bool | StorageError
"""Committed; or not, since another has written this entry before; or what went wrong."""
OnCommitted: TypeAlias = Callable[[CommitResult], None]
OnChanges: TypeAlias = Callable[[Sequence[tuple[str, int]]], None]
"""Is told tables, each with the number of its latest entry."""


class Storage(Protocol):
    """What keeps logs. All calls come from one event loop, and `done` and `heard` are called in it."""

    @property
    def shelf(self) -> DocumentStore:
        """Small things that are kept beside the logs."""
        ...

    async def open(self) -> None:
        """Connect; bring the schema up to date; `StorageError` if that can't be done."""
        ...

    async def close(self) -> None:
        """Commit what was accepted, answer for it, and let go."""
        ...

    def append(self, addition: Addition, done: OnCommitted) -> None:
        """Commit soon, together with others; `done` hears of it once that is on disk.

        There may be one addition of a table under way at a time: its next one stands on it.
        """
        ...

    async def read(self, table: str, after: int = -1) -> Sequence[StoredEntry]:
        """The entries of a table with a number above `after`, in order."""
        ...

    @property
    def log_statements(self) -> int:
        """How many statements have read logs so far: readings that wait may be asked for together."""
        ...

    async def due(self, now: int, most: int = 100) -> Sequence[str]:
        """Tables whose `due` has come, the most overdue first."""
        ...

    async def postpone(self, table: str, due: int | None) -> None:
        """Let a table be due at another time, or not at all, without writing to its log."""
        ...

    async def open_tables(self, most: int = 100) -> Sequence[TableIndexRow]:
        """The tables that wait for players in the open list, the newest first."""
        ...

    async def sits(self, device: str, most: int = 100) -> Sequence[tuple[TableIndexRow, int]]:
        """Where this device sits, each with the seat; the latest changes first."""
        ...

    async def count(self) -> dict[str, int]:
        """How many tables there are of each status, but for those that are finished."""
        ...

    async def see(self, seats: Iterable[tuple[str, int]], now: int) -> None:
        """Note that someone is at these seats now."""
        ...

    async def seen(self, table: str) -> dict[int, int]:
        """When someone was last noted at each seat of a table, in milliseconds."""
        ...

    async def fact(self, name: str, otherwise: str) -> str:
        """A fact about the whole storage, such as its key's fingerprint; the first to ask settles it."""
        ...

    def listen(self, heard: OnChanges) -> None:
        """Call `heard` when other processes have written; what is known already does no harm."""
        ...


def checked_version(found: str | None, newest: int, what: str) -> int:
    """How many steps of the schema have been taken; `StorageError` if that is none of ours."""
    if found is None:
        return 0
    version = int(found) if found.isdecimal() else newest + 1
    if version > newest:
        raise StorageError(
            f"{what} has version {found} of the schema, but this program knows versions up to "
            f"{newest}: use a newer program."
        )
    return version

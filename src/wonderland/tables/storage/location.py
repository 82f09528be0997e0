"""Where tables are stored: reads `--database`, and returns the storage that it names."""

from __future__ import annotations

from pathlib import Path

from wonderland.engine.errors import FileProblem, UsageError, quote
from wonderland.engine.language import phrase
from wonderland.tables.storage.interface import Storage
from wonderland.tables.storage.sqlite import SqliteStorage
from wonderland.user_folders import data_folder

_DEFAULT_NAME = "tables.db"


def database_file(address: str) -> Path:
    """Return the SQLite file that an address names; empty for the default one in the data folder."""
    return Path(address) if address else data_folder() / _DEFAULT_NAME


def storage_at(address: str) -> Storage:
    """Return the storage that an address names: a file, a postgresql:// URL; empty for the default."""
    if address.startswith(("postgresql://", "postgres://")):
        from wonderland.tables.storage.postgres import PostgresStorage  # noqa: PLC0415 - an optional dependency

        return PostgresStorage(address)
    if "://" in address:
        kind = address.partition("://")[0]  # the rest may contain a password
        raise UsageError(
            phrase("unknown kind of database: {kind}. Use a file, or postgresql://…"), kind=quote(kind)
        )
    if not address:
        create_data_folder()
    return SqliteStorage(database_file(address))


def create_data_folder() -> Path:
    """Return the default data folder, creating it if necessary."""
    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileProblem(
            phrase("the folder {folder} can't be created ({reason}). Choose a file with --database."),
            folder=folder,
            reason=error.strerror,
        ) from None
    return folder

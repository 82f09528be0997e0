"""Opens the storage that the operator names, and prints results."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from wonderland.engine.errors import FileProblem
from wonderland.engine.language import phrase
from wonderland.tables.storage.interface import Storage
from wonderland.tables.storage.location import database_file, storage_at

T = TypeVar("T")


def check_database_exists(path: Path) -> None:
    """Raise `FileProblem` if there is no such database."""
    if not path.is_file():
        raise FileProblem(
            phrase("there is no database {file}. Choose another one with --database FILE."),
            file=str(path),
        )


def run_with_storage(options: argparse.Namespace, work: Callable[[Storage], Awaitable[T]]) -> T:
    """Run work on the storage of `--database`, which must exist."""
    if "://" not in options.database:
        check_database_exists(database_file(options.database))

    async def run() -> T:
        storage = storage_at(options.database)
        await storage.open()
        try:
            return await work(storage)
        finally:
            await storage.close()

    return asyncio.run(run())


def print_json(value: object) -> None:
    """Print a value as readable JSON."""
    write(msgspec.json.format(msgspec.json.encode(value)).decode())


def write(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")

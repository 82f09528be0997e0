"""Memory of idle tables, and restart time of the server: parts of `server.py`."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from prepared_tables import PreparedTable, entries_in, prepare_tables
from server_clients import UPGRADE

MIDDLE = 14
"""Decisions after which a two-player game is about half over."""
IN_MEMORY = 2000
WARM = 200
_PAGE = os.sysconf("SC_PAGE_SIZE")


def processor_time(pid: int) -> float:
    """CPU time of a process and its children, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")  # includes children that have exited
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with suppress(FileNotFoundError):  # it has just exited
            own += processor_time(int(child))
    return own


def memory_of(pid: int) -> float:
    """Resident memory of a process in KiB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE / 1024


class Visitor:
    """Requests tables over HTTP, each time from another forwarded address to avoid rate limits."""

    def __init__(self, url: str) -> None:
        self._connection = HTTPConnection(urlsplit(url).netloc)
        self._visits = 0

    def get_table(self, prepared: PreparedTable) -> Any:
        """Fetch a table as its first seat sees it."""
        self._visits += 1
        address = f"10.{self._visits >> 16 & 255}.{self._visits >> 8 & 255}.{self._visits & 255}"
        headers = {"X-Forwarded-For": address, "Cookie": f"wonderland={prepared.devices[0]}"}
        self._connection.request("GET", f"/api/tables/{prepared.table}", headers=headers)
        found = json.loads(self._connection.getresponse().read())
        if found.get("seat") != 0 or found["version"] != MIDDLE + 3:  # plus two seatings and the start
            raise SystemExit(f"this is not the table that was written: {found}")
        return found


async def _watch(url: str, tables: Sequence[PreparedTable]) -> list[asyncio.StreamWriter]:
    """Connect both players of each table and leave the connections open."""
    parts, writers = urlsplit(url), []
    for prepared in tables:
        for seat, device in enumerate(prepared.devices):
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
            path, more = (
                f"/api/tables/{prepared.table}/live?seat={seat}",
                f"Cookie: wonderland={device}\r\n",
            )
            writer.write(UPGRADE.format(path=path, host=parts.netloc, more=more).encode())
            await reader.readuntil(b'"said":[]}')
            writers.append(writer)
    return writers


def memory(started: Any, serve: Sequence[str], count: int) -> None:
    """Measure memory per table: only in the database, loaded, and with its players connected."""
    rows: list[tuple[str, float]] = []
    with tempfile.TemporaryDirectory(prefix="wonderland-server-") as name:
        database = Path(name) / "tables.db"
        command = [*serve, "serve", "--port=0", "--per-address=100000", f"--database={database}"]
        with started(command) as (server, _):
            empty = memory_of(server.pid)
        tables = prepare_tables(database, count, MIDDLE)
        disk = sum(file.stat().st_size for file in Path(name).iterdir()) / 1024
        with started(command) as (server, url):
            begun = memory_of(server.pid)
            asyncio.run(_measure(server.pid, url, tables, rows))
    print("| a table in the middle of its game | KiB each |\n|---|---:|")
    print(f"| in the database only: memory ({count:,} tables) | {max(0.0, begun - empty) / count:.2f} |")
    print(f"| the same: on the disk | {disk / count:.1f} |")
    for what, each in rows:
        print(f"| {what} ({IN_MEMORY:,} tables) | {each:.1f} |")
    print(f"\nThe server itself holds {empty / 1024:.0f} MiB.\n")


async def _measure(
    pid: int, url: str, tables: Sequence[PreparedTable], rows: list[tuple[str, float]]
) -> None:
    visitor = Visitor(url)
    for prepared in tables[:WARM]:
        visitor.get_table(prepared)
    early = await _watch(url, tables[:WARM])
    before = memory_of(pid)
    measured = tables[WARM : WARM + IN_MEMORY]
    for prepared in measured:
        visitor.get_table(prepared)
    loaded = memory_of(pid)
    writers = await _watch(url, measured)
    watched = memory_of(pid)
    rows.append(("loaded, nobody connected", (loaded - before) / len(measured)))
    rows.append(("both players connected", (watched - before) / len(measured)))
    for writer in early + writers:
        writer.close()


def restart(started: Any, serve: Sequence[str], count: int) -> None:
    """Measure how soon a server with many tables answers, and has made all pending bot moves."""
    with tempfile.TemporaryDirectory(prefix="wonderland-server-") as name:
        database = Path(name) / "tables.db"
        waiting = count // 3
        people = prepare_tables(database, count - waiting, MIDDLE)
        prepare_tables(database, waiting, MIDDLE, bots=True)
        before = entries_in(database)
        begun = time.perf_counter()
        with started(
            [*serve, "serve", "--port=0", "--per-address=100000", f"--database={database}"]
        ) as (_, url):
            listening = time.perf_counter() - begun
            Visitor(url).get_table(people[-1])
            answered = time.perf_counter() - begun
            first = _until(database, before + 1) - begun
            last = _until(database, before + waiting) - begun
    print(f"| {count:,} games half played, {waiting:,} with a bot to move | seconds |\n|---|---:|")
    print(f"| until the server listens | {listening:.2f} |")
    print(f"| until it has shown a table as it was | {answered:.2f} |")
    print(f"| until the first bot has moved | {first:.2f} |")
    print(f"| until all bots have | {last:.2f} |\n")


def _until(database: Path, entries: int) -> float:
    """Wait until the database has a number of entries; return the time."""
    while entries_in(database) < entries:
        time.sleep(0.02)
    return time.perf_counter()

"""`wonderland admin` beside a running server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from campaigns.raw_clients import Http, RunningSite
from wonderland.cli import main

SECRET = "the-secret-of-a-device"  # noqa: S105 - made up


async def admin(folder: Path, *arguments: str) -> int:
    """Run the command beside the server, in another thread."""
    return await asyncio.to_thread(main, ["admin", *arguments, "--database", str(folder / "tables.db")])


async def until(holds: Callable[[], Any]) -> None:
    """Wait until the server has followed."""
    async with asyncio.timeout(30):
        while not await holds():  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.02)


async def create(here: RunningSite, cookie: str = SECRET) -> str:
    created = await Http(here.port, cookie).ask("POST", "/api/tables", {"game": "parade", "seats": 2})
    return str(created.json()["table"])

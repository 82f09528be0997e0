"""Applies what the operator decides to a running server: bans, the announcement, closed tables.

Each process polls for changes (`tables/moderation.py`), so all of them follow within seconds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wonderland.tables.moderation import Announcement, Ban, BanList, Moderation
from wonderland.tables.storage.documents import now
from wonderland.tables.storage.interface import StorageError
from wonderland.web.security import address_of, device_in
from wonderland.web.websocket import CloseCode
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.tables.service import TableService
    from wonderland.web.connections import Connections

logger = logging.getLogger("wonderland.web")
POLL_SECONDS = 1.0
_OPEN_PATHS = ("/healthz", "/readyz", "/static/")
"""Open to everyone: load balancers, and the style of the page that tells someone of their ban."""
BANNED = "The operator of this server has banned you."

current_announcement: ContextVar[str] = ContextVar("announcement", default="")
"""The announcement for the page that is being rendered."""


class ModerationWatch:
    """Follows the operator's decisions while a site is served."""

    def __init__(self, tables: TableService, connections: Connections) -> None:
        self._tables, self._connections = tables, connections
        self._moderation = Moderation(tables.storage.documents)
        self._revision: bytes | None = None
        self._bans = BanList()
        self._announcement: Announcement | None = None
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Load everything, and watch for changes from now on."""
        await self._follow()
        self._task = asyncio.get_running_loop().create_task(self._poll())

    async def close(self) -> None:
        """Stop watching."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @property
    def announcement(self) -> str:
        """The text to show right now; empty for none."""
        return self._announcement.text_at(now()) if self._announcement is not None else ""

    def check(self, request: Request) -> None:
        """Raise `Refusal` if the sender of a request is banned."""
        if request.url.path.startswith(_OPEN_PATHS):
            return
        ban = self.find_ban(address_of(request), device_in(request.headers.get("Cookie", "")))
        if ban is not None:
            raise ban_refusal(ban)

    def find_ban(self, address: str, device: str) -> Ban | None:
        """Return the ban that concerns a client, or `None`."""
        return self._bans.find(address, device, now())

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                await self._follow()
            except StorageError as error:  # what is known stays in force
                logger.warning("moderation not read", extra={"why": str(error)})
            except Exception:  # a document that can't be read must not end the watch
                logger.exception("moderation not read")

    async def _follow(self) -> None:
        """Load what has changed, and apply it to open connections and tables."""
        revision = await self._moderation.revision()
        if revision != self._revision:
            self._bans = BanList(await self._moderation.bans())
            self._announcement = await self._moderation.announcement()
            closed = await self._moderation.closed_tables()
            self._revision = revision
            self._end_banned()
            self._close_tables(closed)
        self._tables.announce(self.announcement)

    def _end_banned(self) -> None:
        for connection in list(self._connections.open):
            if self.find_ban(connection.address, connection.device) is not None:
                connection.end(CloseCode.NOT_YOURS, BANNED)  # a page then reloads, and says why

    def _close_tables(self, closed: Mapping[str, bool]) -> None:
        gone = self._tables.set_closed(closed)
        for connection in list(self._connections.open):
            if connection.table in gone:
                connection.end(CloseCode.RESTART, "This table has changed.")


def ban_refusal(ban: Ban) -> Refusal:
    """The refusal that tells someone of their ban."""
    reason = ban.reason
    if ban.until is None:
        if not reason:
            return Refusal(Code.BANNED, "The operator of this server has banned you.")
        return Refusal(
            Code.BANNED, "The operator of this server has banned you: {reason}.", reason=reason
        )
    time = f"{datetime.fromtimestamp(ban.until / 1000, UTC):%Y-%m-%d %H:%M}"
    if reason:
        refusal = Refusal(
            Code.BANNED,
            "The operator of this server has banned you until {time} (UTC): {reason}.",
            time=time,
            reason=reason,
        )
    else:
        refusal = Refusal(
            Code.BANNED, "The operator of this server has banned you until {time} (UTC).", time=time
        )
    return refusal.retry_in((ban.until - now()) / 1000)

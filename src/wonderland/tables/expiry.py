"""Expiry: deletes tables that never started, and games that nobody has continued for a long time.

Finished games are kept. A table that is in memory, or at which somebody is connected, is left alone.
"""

from __future__ import annotations

import logging

from wonderland.tables.service import TableService

logger = logging.getLogger("wonderland.tables")
DAY = 86_400_000
"""In milliseconds."""
_BATCH = 50
"""Tables deleted in one transaction."""


async def expire_tables(service: TableService, now: int) -> bool:
    """Delete a batch of tables whose time has come; return whether there may be more."""
    limits = service.limits
    is_full = False
    for status, days in (("waiting", limits.days_until_started), ("playing", limits.days_without_move)):
        if days:
            live = list(service.live_tables)
            gone = await service.storage.expire(status, now - days * DAY, live, _BATCH)
            is_full = is_full or len(gone) == _BATCH
            if gone:
                logger.info("tables expired", extra={"status": status, "tables": len(gone)})
    return is_full

"""The readiness check: whether the storage can be written, tried at most once a second."""

from __future__ import annotations

import asyncio
import time

from wonderland.engine.errors import convert_error
from wonderland.tables.storage.documents import now
from wonderland.tables.storage.interface import Storage, StorageError

_VALID_SECONDS = 1.0


class ReadinessCheck:
    """Remembers the last answer for a second, so that nobody can make the server write all the time."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._lock = asyncio.Lock()
        self._checked: float | None = None
        self._failure: StorageError | None = None

    @property
    def is_ready(self) -> bool:
        """Whether the last check succeeded; true before the first one."""
        return self._failure is None

    async def check(self) -> None:
        """Raise `StorageError` if nothing can be written."""
        async with self._lock:
            if self._checked is None or time.monotonic() > self._checked + _VALID_SECONDS:
                self._failure = None
                try:
                    await self._storage.check_writable(now())
                except StorageError as error:
                    self._failure = error
                self._checked = time.monotonic()
        if self._failure is not None:
            raise convert_error(self._failure, StorageError)

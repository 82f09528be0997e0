"""Loads the kernels into a running server as soon as they are compiled.

`make play` starts the server before it compiles the kernels, so that the first page comes quickly. It
names a file, in the environment, that appears when the kernels are ready.
"""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path

from wonderland.kernels.kernel import describe_kernels, reload_kernels

logger = logging.getLogger("wonderland.kernels")
_STAMP_VARIABLE = "WONDERLAND_KERNELS_STAMP"
_POLL_SECONDS = 0.5


def pending_stamp() -> Path | None:
    """Return the file that will appear when the kernels are compiled; `None` if none is awaited."""
    name = os.environ.get(_STAMP_VARIABLE, "")
    return Path(name) if name and not Path(name).exists() else None


async def reload_when_compiled(stamp: Path) -> None:
    """Wait until the stamp appears, then let bots use the compiled kernels."""
    while not stamp.exists():  # noqa: ASYNC110, ASYNC240 - made by another process; quick to look up
        await asyncio.sleep(_POLL_SECONDS)
    reload_kernels()
    logger.info("kernels reloaded", extra={"kernels": describe_kernels()})

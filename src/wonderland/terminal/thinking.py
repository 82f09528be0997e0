"""Thinking that does not keep the screen waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from threading import Thread
from typing import Any

from textual.message_pump import MessagePump

from wonderland.core.errors import WonderlandError


def think(
    about: Callable[[], Any],
    pump: MessagePump,
    then: Callable[[Any], None],
    fail: Callable[[WonderlandError], None],
) -> None:
    """Call `about` in a thread of its own; what comes of it is told among the messages of `pump`.

    Nobody can stop a thread, so it is one that the program does not wait for when the player leaves.
    """
    loop, context = asyncio.get_running_loop(), copy_context()

    def tell(what: Callable[[Any], None], told: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody is there any more
            loop.call_soon_threadsafe(lambda: pump.call_later(what, told), context=context)

    def run() -> None:
        try:
            thought = about()
        except WonderlandError as error:
            tell(fail, error)
        else:
            tell(then, thought)

    Thread(target=run, name="thinking", daemon=True).start()

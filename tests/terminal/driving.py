"""Drives the full screen in tests, as a person would."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from wonderland.core import game
from wonderland.terminal import setup
from wonderland.terminal.app import WonderlandApp
from wonderland.terminal.dialogs import Result
from wonderland.terminal.menu import Wish
from wonderland.terminal.session import Session

Script = Callable[[Pilot[None]], Awaitable[None]]


def run(
    wish: Wish | None,
    script: Script,
    *,
    size: tuple[int, int] = (80, 24),
    pace: float = 0,
    keep: Callable[[Session], None] | None = None,
) -> WonderlandApp:
    """Run the app with a script of what a person does."""

    def new_session(wanted: Wish) -> Session:
        match, bots = setup.new_match(game(wanted.game), list(wanted.seats), [], "tea")
        session = Session(match, bots, random.Random(1))
        if keep is not None:
            session.keep = lambda: keep(session)
        return session

    app = WonderlandApp(new_session, wish, pace=pace)

    async def main() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(pilot)

    asyncio.run(main())
    return app


def screen(pilot: Pilot[None]) -> Any:
    return pilot.app.screen


async def until_result(pilot: Pilot[None], act: Callable[[], Awaitable[Any]]) -> None:
    for _ in range(400):
        await pilot.pause()
        if isinstance(screen(pilot), Result):
            return
        await act()
    pytest.fail("the game has not ended")


ME_AND_A_BOT = ("me", "bot")

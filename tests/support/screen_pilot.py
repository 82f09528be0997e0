"""Drives the full-screen app as a person would."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from wonderland.bots import levels
from wonderland.components.bots import Budget, Level
from wonderland.engine import game
from wonderland.engine.language import ENGLISH, Language
from wonderland.terminal import match_setup
from wonderland.terminal.app import WonderlandApp
from wonderland.terminal.dialogs import ResultDialog
from wonderland.terminal.menu import MenuChoice
from wonderland.terminal.session import Session
from wonderland.terminal.table_screen import TableScreen

Script = Callable[[Pilot[None]], Awaitable[None]]
ME_AND_A_BOT = ("me", "dodo")


def quick_adviser(name: str) -> Level:
    """Return the strongest level of a game with few playouts, so that its advice is reproducible."""
    strongest = levels(name)[-1]
    return Level(strongest.name, strongest.about, strongest.make, Budget(playouts=20))


def new_session(wish: MenuChoice, seed: str = "tea") -> Session:
    """Create a session whose shuffle and bots are always the same."""
    match, bots = match_setup.new_match(game(wish.game), list(wish.seats), [], seed)
    return Session(match, bots, random.Random(1), adviser=quick_adviser(wish.game))


def run_app(  # noqa: PLR0913 - all optional
    wish: MenuChoice | None,
    script: Script,
    *,
    size: tuple[int, int] = (80, 24),
    pace: float = 0,
    change: Callable[[Session], None] = lambda _: None,
    level: str | None = None,
    say: Language = ENGLISH,
) -> WonderlandApp:
    """Run the app with a script of a person's input; `change` may adjust each new session."""

    def changed(wanted: MenuChoice) -> Session:
        session = new_session(wanted)
        change(session)
        return session

    app = WonderlandApp(changed, wish, pace=pace, level=level, say=say)

    async def main() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            if pace == 0:
                await wait_for_turn(pilot)
            await script(pilot)

    asyncio.run(main())
    return app


def current_screen(pilot: Pilot[None]) -> Any:
    return pilot.app.screen


async def wait_until(true: Callable[[], bool], pilot: Pilot[None]) -> None:
    """Poll until a condition holds."""
    for _ in range(2000):
        await pilot.pause()
        if true():
            return
        await asyncio.sleep(0.005)
    pytest.fail("nothing happens")


async def wait_for_turn(pilot: Pilot[None]) -> None:
    """Wait until the bots have moved: it is a person's turn, or another screen is shown."""
    await wait_until(
        lambda: (
            not isinstance(current_screen(pilot), TableScreen)
            or current_screen(pilot).seat is not None
            or current_screen(pilot)._is_over
        ),
        pilot,
    )


async def play_until_result(pilot: Pilot[None], act: Callable[[], Awaitable[Any]]) -> None:
    for _ in range(400):
        await wait_for_turn(pilot)
        if isinstance(current_screen(pilot), ResultDialog):
            return
        await act()
    pytest.fail("the game has not ended")

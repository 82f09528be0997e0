"""Takes the terminal screenshots of the README: `make pictures`.

Each shows the full screen in the middle of a seeded game, with a choice highlighted.
"""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

from wonderland.engine.registry import game, game_names
from wonderland.terminal import match_setup
from wonderland.terminal.app import WonderlandApp
from wonderland.terminal.menu import MenuChoice
from wonderland.terminal.session import Session

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
SIZE = (100, 30)
MOVES = {"parade": 6, "letters": 4, "cookies": 5}


def new_session(choice: MenuChoice) -> Session:
    """Start a game with a fixed seed."""
    match, bots = match_setup.new_match(game(choice.game), list(choice.seats), [], "pictures")
    return Session(match, bots, random.Random(1))


async def take_screenshot(name: str) -> str:
    """Play a few moves of a game in the terminal app and return the screen as SVG."""
    app = WonderlandApp(new_session, MenuChoice(name, ("me", "bot", "bot")), pace=0)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        for _ in range(MOVES.get(name, 5)):
            await pilot.press("right", "enter")
            await pilot.pause()
        await pilot.press("right")
        await pilot.pause()
        return app.export_screenshot(title=f"wonderland play {name}")


def main() -> None:
    """Write a screenshot of each game."""
    FOLDER.mkdir(exist_ok=True)
    for name in game_names():
        path = FOLDER / f"{name}-terminal.svg"
        path.write_text(asyncio.run(take_screenshot(name)), encoding="utf-8")
        sys.stdout.write(f"{path.relative_to(FOLDER.parent.parent)}\n")


if __name__ == "__main__":
    main()

"""Snapshots of the full screen: moments of each game, and the other screens.

`make golden` takes them again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from textual.pilot import Pilot

from support.paths import RECORDS
from support.screen_pilot import current_screen, new_session, wait_for_turn, wait_until
from wonderland.components.bots import Budget, Level
from wonderland.components.catalogues import load_language
from wonderland.engine import read_record
from wonderland.features.replay.model import Replay
from wonderland.features.replay.screen import ReplayApp
from wonderland.terminal.app import WonderlandApp
from wonderland.terminal.dialogs import ResultDialog
from wonderland.terminal.menu import MenuChoice
from wonderland.terminal.session import Session

pytestmark = pytest.mark.slow

Compare = Callable[..., bool]


def the_session(wish: MenuChoice) -> Session:
    return new_session(wish, "snapshots")


async def opening(pilot: Pilot[None]) -> None:
    await wait_for_turn(pilot)


async def middle(pilot: Pilot[None]) -> None:
    await wait_for_turn(pilot)
    for _ in range(4):
        await pilot.press("right", "enter")
        await wait_for_turn(pilot)
    await pilot.press("right")
    await pilot.pause()


async def end(pilot: Pilot[None]) -> None:
    await wait_for_turn(pilot)
    await pilot.press("enter")
    await wait_until(lambda: isinstance(current_screen(pilot), ResultDialog), pilot)


def nearly_over(wish: MenuChoice) -> Session:
    """A play in which the person's next choice is the last one."""
    choices = play_choices(the_session(wish), 400)
    session = the_session(wish)
    play_choices(session, choices - 1)
    return session


def play_choices(session: Session, choices: int) -> int:
    """Play until the person has made some choices or the game is over; return the number of choices."""
    made = 0
    while session.next_bot is not None or (session.next_person is not None and made < choices):
        if (bot := session.next_bot) is not None:
            session.play_bot(bot)
        else:
            session.play(0, session.match.legal(0)[0])
            made += 1
    return made


SMALL, LARGE = (80, 24), (140, 45)
TABLES = [
    pytest.param("cookies", opening, LARGE, True, id="cookies-opening-140x45-light"),
    pytest.param("cookies", middle, SMALL, False, id="cookies-middle-80x24-dark"),
    pytest.param("letters", middle, SMALL, True, id="letters-middle-80x24-light"),
    pytest.param("letters", end, LARGE, False, id="letters-end-140x45-dark"),
    pytest.param("parade", middle, LARGE, False, id="parade-middle-140x45-dark"),
    pytest.param("parade", end, SMALL, True, id="parade-end-80x24-light"),
]
"""Each game twice; between them each moment, size and theme."""


@pytest.mark.parametrize(("name", "moment", "size", "light"), TABLES)
def test_table_snapshot(
    name: str,
    moment: Any,
    size: tuple[int, int],
    light: bool,
    snap_compare: Compare,
) -> None:
    session = nearly_over if moment is end else the_session
    app = WonderlandApp(session, MenuChoice(name, ("me", "dodo", "dodo")), pace=0, light=light)
    assert snap_compare(app, terminal_size=size, run_before=moment)


def test_translated_table_snapshot(snap_compare: Compare) -> None:
    def session(wish: MenuChoice) -> Session:
        started = the_session(wish)
        started.say = load_language("ja")
        return started

    app = WonderlandApp(session, MenuChoice("cookies", ("me", "dodo", "dodo")), pace=0)
    assert snap_compare(app, terminal_size=(80, 24), run_before=middle)


def test_menu_snapshot(snap_compare: Compare) -> None:
    assert snap_compare(WonderlandApp(the_session, pace=0))


@pytest.mark.parametrize("key", ["r", "question_mark"], ids=["rules", "keys"])
def test_overlay_snapshot(key: str, snap_compare: Compare) -> None:
    app = WonderlandApp(the_session, MenuChoice("parade", ("me", "dodo")), pace=0)
    assert snap_compare(app, press=[key])


def test_levels_snapshot(snap_compare: Compare) -> None:
    app = WonderlandApp(the_session, pace=0, light=True)
    assert snap_compare(app, press=["1", "enter"])


class Last:
    """Makes the last choice: a real bot's advice may change as its play improves."""

    name = "Queen"

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        return legal[-1]


def advised_session(wish: MenuChoice) -> Session:
    session = the_session(wish)
    session.adviser = Level("Queen", "takes the last one", Last)
    return session


async def hint(pilot: Pilot[None]) -> None:
    await wait_for_turn(pilot)
    await pilot.press("h")
    await wait_until(lambda: "would choose" in current_screen(pilot).hint, pilot)


def test_hint_snapshot(snap_compare: Compare) -> None:
    app = WonderlandApp(advised_session, MenuChoice("parade", ("me", "dodo")), pace=0)
    assert snap_compare(app, run_before=hint)


def test_small_window_snapshot(snap_compare: Compare) -> None:
    app = WonderlandApp(the_session, MenuChoice("letters", ("me", "dodo")), pace=0, light=True)
    assert snap_compare(app, terminal_size=(60, 20), run_before=opening)


def test_replay_snapshot(snap_compare: Compare) -> None:
    record = read_record((RECORDS / "parade" / "3-players-sixth-colour.record").read_bytes()).whole
    app = ReplayApp(Replay(record, 0), pace=0)
    assert snap_compare(app, terminal_size=(80, 24), press=["pagedown", "right"])

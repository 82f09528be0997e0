"""Bots' thinking and hints on the full screen, leaving, and windows that are too small."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, RichLog

from support.screen_pilot import (
    ME_AND_A_BOT,
    current_screen,
    play_until_result,
    run_app,
    wait_for_turn,
    wait_until,
)
from wonderland.bots import levels
from wonderland.components.bots import Budget, Level
from wonderland.engine import game_names
from wonderland.engine.match import seats_to_act
from wonderland.terminal.dialogs import Curtain, LeaveDialog, RulebookScreen
from wonderland.terminal.menu import Menu, MenuChoice
from wonderland.terminal.record_files import save
from wonderland.terminal.session import Opponent, Session
from wonderland.terminal.table_screen import TableScreen
from wonderland.terminal.widgets import Offers

pytestmark = pytest.mark.slow


class Slow:
    """Blocks until it is released."""

    name = "Caterpillar"

    def __init__(self) -> None:
        self.may_stop = Event()

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        assert self.may_stop.wait(60)
        return legal[-1]


def with_start_bot(bot: Slow) -> Callable[[Session], None]:
    """Make this bot the start player, and a person the other."""

    def change(session: Session) -> None:
        session.bots = {seats_to_act(session.match.turn)[0]: Opponent(bot, Budget())}

    return change


def status_text(pilot: Pilot[None]) -> str:
    return str(current_screen(pilot).query_one(Offers).render())


@pytest.mark.parametrize(
    ("name", "word"), [(name, each.word) for name in game_names() for each in levels(name)[1:]]
)
def test_every_level_plays_a_whole_game_on_the_full_screen(name: str, word: str) -> None:
    async def script(pilot: Pilot[None]) -> None:
        await play_until_result(pilot, lambda: pilot.press("enter"))

    run_app(MenuChoice(name, ("me", f"{word}@5")), script)


def test_the_screen_stays_responsive_while_a_bot_thinks() -> None:
    slow = Slow()

    async def script(pilot: Pilot[None]) -> None:
        table = current_screen(pilot)
        await wait_until(
            lambda: status_text(pilot).endswith(" is thinking… Press space to skip ahead."), pilot
        )
        await pilot.press("h", "enter", "1")  # nobody is asked
        assert table.hint == ""
        await pilot.press("r")
        await pilot.pause()
        assert isinstance(current_screen(pilot), RulebookScreen)
        slow.may_stop.set()
        await pilot.pause(0.3)
        assert table.session.match.decisions == 0  # not while the rulebook is open
        await pilot.press("escape")
        await wait_until(lambda: table.seat is not None, pilot)
        assert table.session.match.decisions == 1

    run_app(MenuChoice("letters", ("Tick", "Tock")), script, pace=0.01, change=with_start_bot(slow))


def test_space_skips_the_pause_but_not_the_thinking() -> None:
    slow = Slow()

    async def script(pilot: Pilot[None]) -> None:
        table = current_screen(pilot)
        await pilot.press("space", "space")
        await wait_until(lambda: status_text(pilot).endswith(" is thinking…"), pilot)
        slow.may_stop.set()
        await wait_until(lambda: table.seat is not None, pilot)

    run_app(MenuChoice("letters", ("Tick", "Tock")), script, pace=60, change=with_start_bot(slow))


def test_a_failing_bot_ends_the_game_with_the_reason() -> None:
    class Confused(Slow):
        def choose(self, *_: object) -> Any:
            return 1 // 0

    async def script(pilot: Pilot[None]) -> None:
        await wait_until(lambda: pilot.app.return_code == 2, pilot)

    app = run_app(
        MenuChoice("letters", ("Tick", "Tock")), script, pace=0.01, change=with_start_bot(Confused())
    )
    assert str(app.fault).startswith("Caterpillar can't choose: ZeroDivisionError")


@pytest.mark.parametrize("name", game_names())
def test_a_hint_marks_a_choice_and_enter_plays_it(name: str) -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = current_screen(pilot)
        await pilot.press("h")
        await wait_until(lambda: "Queen would choose" in status_text(pilot), pilot)
        advised = table.marked
        assert advised == table.session.hint_task(table.seat)()
        before = len(table.session.match.moves)
        await pilot.press("tab")
        assert "Queen would choose" in status_text(pilot)
        await pilot.press("h")  # once more: back to it
        assert table.marked == advised
        assert len(table.session.match.moves) == before
        await pilot.press("enter")
        await wait_for_turn(pilot)
        assert table.session.match.moves[before].action == advised
        assert "would choose" not in status_text(pilot)

    run_app(MenuChoice(name, ME_AND_A_BOT), script)


def test_a_late_hint_is_not_shown_to_the_next_player(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wonderland.terminal.dialogs.CURTAIN_STAYS", 0)
    slow = Slow()

    def change(session: Session) -> None:
        session.adviser = Level("Caterpillar", "takes its time", lambda: slow)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await wait_until(lambda: isinstance(current_screen(pilot), TableScreen), pilot)
        table = current_screen(pilot)
        await pilot.press("h")
        assert status_text(pilot).endswith("Caterpillar is thinking…")
        await pilot.press("enter")
        await wait_until(lambda: isinstance(current_screen(pilot), Curtain), pilot)
        slow.may_stop.set()
        await pilot.pause(0.2)
        assert "Caterpillar" not in str(table.query_one(Offers).render())
        await pilot.press("enter")
        await wait_until(lambda: current_screen(pilot) is table, pilot)
        await pilot.pause(0.1)
        assert "Caterpillar" not in status_text(pilot)

    run_app(MenuChoice("parade", ("Tick", "Tock")), script, change=change)


def test_leaving_an_unrecorded_game_needs_confirmation() -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = current_screen(pilot)
        await pilot.press("enter")
        await wait_for_turn(pilot)
        await pilot.press("q")
        await wait_until(lambda: isinstance(current_screen(pilot), LeaveDialog), pilot)
        await pilot.press("enter", "escape")
        await wait_until(lambda: current_screen(pilot) is table, pilot)
        await pilot.press("q")
        await wait_until(lambda: isinstance(current_screen(pilot), LeaveDialog), pilot)
        await pilot.click(".button:last-of-type")
        await wait_until(lambda: current_screen(pilot) is table, pilot)
        await pilot.press("q", "q")
        await wait_until(lambda: pilot.app.return_code == 0, pilot)

    run_app(MenuChoice("letters", ME_AND_A_BOT), script)


def test_leaving_is_immediate_where_nothing_is_lost(tmp_path: Path) -> None:
    def keep(session: Session) -> None:
        session.keep = lambda: save(str(tmp_path / "game.record"), session.match.record)

    async def untouched(pilot: Pilot[None]) -> None:
        await pilot.press("q")
        await wait_until(lambda: pilot.app.return_code == 0, pilot)

    async def kept(pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await wait_for_turn(pilot)
        await untouched(pilot)

    run_app(MenuChoice("letters", ME_AND_A_BOT), untouched)
    run_app(MenuChoice("letters", ME_AND_A_BOT), kept, change=keep)


def test_staying_behind_the_curtain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wonderland.terminal.dialogs.CURTAIN_STAYS", 0)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await wait_until(lambda: isinstance(current_screen(pilot), TableScreen), pilot)
        await pilot.press("enter")
        await wait_until(lambda: isinstance(current_screen(pilot), Curtain), pilot)
        await pilot.press("q")
        await wait_until(lambda: isinstance(current_screen(pilot), LeaveDialog), pilot)
        assert "hand" not in pilot.app.export_screenshot()
        await pilot.press("n")
        await wait_until(lambda: isinstance(current_screen(pilot), Curtain), pilot)

    run_app(MenuChoice("parade", ("Tick", "Tock")), script)


@pytest.mark.parametrize(
    ("wish", "size", "sentence"),
    [
        (MenuChoice("letters", ME_AND_A_BOT), (80, 24), ""),
        (
            MenuChoice("letters", ME_AND_A_BOT),
            (64, 24),
            "This table needs 80 columns; the window has 64.",
        ),
        (
            MenuChoice("letters", ME_AND_A_BOT),
            (60, 16),
            "This table needs 80x24; the window is 60x16.",
        ),
        (MenuChoice("letters", ME_AND_A_BOT), (90, 16), "This table needs 24 rows; the window has 16."),
        (MenuChoice("parade", ("me", *["dodo"] * 5)), (80, 24), ""),
        (
            MenuChoice("parade", ("me", *["dodo"] * 5)),
            (50, 20),
            "This table needs 80x24; the window is 50x20.",
        ),
        (MenuChoice("parade", ME_AND_A_BOT), (70, 24), ""),  # everything is there, if small
    ],
)
def test_a_window_that_is_too_small_is_reported(
    wish: MenuChoice, size: tuple[int, int], sentence: str
) -> None:
    async def script(pilot: Pilot[None]) -> None:
        log = current_screen(pilot).query_one(RichLog)
        await wait_until(lambda: str(log.border_title or "") == sentence, pilot)
        await pilot.resize_terminal(100, 40)
        await wait_until(lambda: not log.border_title, pilot)

    run_app(wish, script, size=size)


def test_the_menu_describes_each_level_and_accepts_a_click() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("1")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(current_screen(pilot), Menu)
        shown = pilot.app.export_screenshot().replace("&#160;", " ")
        assert "how strong should it be?" in shown
        answers = current_screen(pilot).query_one(OptionList)
        for each, option in zip(levels("cookies"), answers.options, strict=True):
            assert each.about in str(option.prompt)
        assert answers.get_option_at_index(answers.highlighted).id == "Hatter@5"  # as requested
        await pilot.click(OptionList, offset=(5, 3))
        await wait_until(lambda: isinstance(current_screen(pilot), TableScreen), pilot)
        assert current_screen(pilot).session.match.names == ("Alice", "Hedgehog")

    run_app(None, script, level="Hatter@5")

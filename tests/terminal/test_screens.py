"""Other parts of the full screen: rulebook, help, result and menu; and failures."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import RichLog

from support.screen_pilot import ME_AND_A_BOT, current_screen, play_until_result, run_app, wait_for_turn
from wonderland.components.rulebook import rulebook
from wonderland.engine import FileProblem, game_names
from wonderland.terminal.dialogs import Keys, ResultDialog, RulebookScreen, blocks_of
from wonderland.terminal.menu import Menu, MenuChoice
from wonderland.terminal.record_files import load, save
from wonderland.terminal.session import Session
from wonderland.terminal.table_screen import TableScreen
from wonderland.terminal.widgets import PictureWidget

pytestmark = pytest.mark.slow


def test_the_rulebook_opens_at_the_relevant_rule() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("r")
        await pilot.pause()
        assert isinstance(current_screen(pilot), RulebookScreen)
        here = current_screen(pilot).query_one(".here")
        assert current_screen(pilot).region.contains_region(here.region)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(current_screen(pilot), TableScreen)

    run_app(MenuChoice("parade", ME_AND_A_BOT), script)


def test_every_rule_is_its_own_block() -> None:
    for name in game_names():
        text = rulebook(name)
        blocks = blocks_of(text)
        assert sum(block.startswith("- **") for block in blocks) == text.count("\n- **")
        assert "".join("".join(blocks).split()) == "".join(text.split())


def test_keys_theme_and_log() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(current_screen(pilot), Keys)
        await pilot.click(".dialog")
        await pilot.pause()
        await pilot.press("f1", "escape")
        await pilot.pause()
        dark = pilot.app.export_screenshot()
        await pilot.press("l")
        await pilot.pause()
        assert not pilot.app.current_theme.dark
        assert pilot.app.export_screenshot() != dark
        await pilot.press("l")
        await pilot.pause()
        assert pilot.app.current_theme.dark
        log = current_screen(pilot).query_one(RichLog)
        for _ in range(4):
            await pilot.press("enter")
            await wait_for_turn(pilot)
        bottom = log.scroll_y
        assert bottom > 0
        await pilot.press("pageup")
        await pilot.pause()
        assert log.scroll_y < bottom
        await pilot.press("pagedown", "pagedown")
        await pilot.pause()
        assert log.scroll_y == bottom

    run_app(MenuChoice("parade", ME_AND_A_BOT), script)


def test_the_window_can_be_resized_at_any_time() -> None:
    async def script(pilot: Pilot[None]) -> None:
        for size in ((140, 45), (80, 24), (40, 12), (20, 5), (200, 60), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            await pilot.press("right")
            await pilot.pause()
        assert current_screen(pilot).query_one(PictureWidget).picture.lines

    for name in game_names():
        run_app(MenuChoice(name, ME_AND_A_BOT), script)


def test_after_the_game_comes_a_rematch_another_game_or_none() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await play_until_result(pilot, lambda: pilot.press("enter"))
        text = pilot.app.export_screenshot()
        assert "Total" in text
        await pilot.press("enter")  # a reflex does not dismiss the result
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert isinstance(current_screen(pilot), ResultDialog)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(current_screen(pilot), TableScreen)
        await pilot.press("enter", "1", "space")
        await pilot.press("a")
        await pilot.pause()
        assert isinstance(current_screen(pilot), TableScreen)
        assert current_screen(pilot).session.match.decisions <= 1
        await play_until_result(pilot, lambda: pilot.press("enter"))
        await pilot.press("o")
        await pilot.pause()
        assert isinstance(current_screen(pilot), Menu)
        await pilot.press("q")

    run_app(MenuChoice("parade", ME_AND_A_BOT), script)


def test_the_menu_asks_for_the_game_and_the_opponents() -> None:
    async def script(pilot: Pilot[None]) -> None:
        assert isinstance(current_screen(pilot), Menu)
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        assert current_screen(pilot).chosen == "parade"
        await pilot.press("escape")
        await pilot.pause()
        assert current_screen(pilot).chosen is None
        await pilot.press("3")
        await pilot.pause()
        await pilot.press("x", "2")
        await pilot.pause()
        assert isinstance(current_screen(pilot), Menu)
        await pilot.press("escape")
        await pilot.pause()
        assert (current_screen(pilot).chosen, current_screen(pilot).bots) == ("parade", 0)
        await pilot.press("2")
        await pilot.pause()
        await pilot.press("enter")  # the suggested answers
        await pilot.pause()
        assert current_screen(pilot).session.match.names == ("Alice", "Cheshire", "Caterpillar")
        await pilot.press("q")

    run_app(None, script)


@pytest.mark.parametrize("key", ["q", "escape"])
def test_leaving_the_menu_starts_no_game(key: str) -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press(key)

    assert run_app(None, script).return_code == 0


def test_the_tenth_answer_is_0_and_decided_seats_are_not_asked_for() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await pilot.pause()
        await pilot.press("0")
        await pilot.pause()
        assert len(pilot.app.screen_stack[1].session.match.names) == 6  # type: ignore[attr-defined]

    run_app(None, script)

    async def settled(pilot: Pilot[None]) -> None:
        pilot.app.seats = ("Tick", "Tock", "Tack")  # type: ignore[attr-defined]
        pilot.app.push_screen(Menu(("Tick", "Tock", "Tack")), pilot.app.sit_down)  # type: ignore[attr-defined]
        await pilot.pause()
        await pilot.press("2")
        await pilot.pause()
        assert current_screen(pilot).session.match.names == ("Tick", "Tock", "Tack")

    run_app(None, settled)


def test_the_record_is_on_disk_after_every_move(tmp_path: Path) -> None:
    path = tmp_path / "game.record"

    def keep(session: Session) -> None:
        session.keep = lambda: save(str(path), session.match.record)

    async def script(pilot: Pilot[None]) -> None:
        for _ in range(5):
            await pilot.press("enter")
            await wait_for_turn(pilot)
            match = current_screen(pilot).session.match
            assert load(str(path)).whole.moves == tuple(match.moves)

    run_app(
        MenuChoice("parade", ME_AND_A_BOT),
        script,
        change=keep,
    )


def test_a_record_that_cannot_be_saved_ends_the_game_with_the_reason() -> None:
    def full() -> None:
        raise FileProblem("the disk is full.")

    def keep(session: Session) -> None:
        session.keep = full

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await pilot.pause()

    app = run_app(MenuChoice("parade", ME_AND_A_BOT), script, change=keep)
    assert str(app.fault) == "the disk is full."
    assert app.return_code == 2


def test_an_impossible_table_is_rejected_with_the_reason() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.pause()

    app = run_app(MenuChoice("parade", ("me",)), script)
    assert "Parade is for 2 to 6 players, not 1" in str(app.fault)

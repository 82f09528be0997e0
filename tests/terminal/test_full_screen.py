"""The full screen, driven as a person would: keys, mouse, several people, nonsense, resizing."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import RichLog

from wonderland.core import NotationError, Over, game, game_names
from wonderland.terminal import setup
from wonderland.terminal.app import WonderlandApp
from wonderland.terminal.dialogs import (
    CURTAIN_STAYS,
    Curtain,
    Keys,
    Result,
    RulebookScreen,
    blocks_of,
)
from wonderland.terminal.files import load, save
from wonderland.terminal.menu import Menu, Wish
from wonderland.terminal.rulebook import rulebook
from wonderland.terminal.session import Session
from wonderland.terminal.table_screen import TableScreen
from wonderland.terminal.widgets import Offers, Table

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


@pytest.mark.parametrize("name", game_names())
def test_a_whole_game_with_the_keyboard_alone(name: str) -> None:
    async def script(pilot: Pilot[None]) -> None:
        await until_result(pilot, lambda: pilot.press("right", "enter"))
        match = screen(pilot).session.match
        assert isinstance(match.turn, Over)
        assert match.decisions > 5
        await pilot.press("q")

    assert run(Wish(name, ME_AND_A_BOT), script).return_code == 0


@pytest.mark.parametrize("name", game_names())
def test_a_whole_game_with_the_mouse_alone(name: str) -> None:
    async def script(pilot: Pilot[None]) -> None:
        async def click() -> None:
            if not isinstance(screen(pilot), TableScreen):
                return
            spots = screen(pilot).query_one(Table).picture.spots
            if spots:
                spot = spots[-1]
                await pilot.hover(Table, offset=(spot.column + 2, spot.row + 1))
                assert screen(pilot).marked == spot.action
                await pilot.click(Table, offset=(spot.column + 2, spot.row + 1))
            else:
                row, start, _, _ = screen(pilot).query_one(Offers).places[0]
                await pilot.click(Offers, offset=(start + 2, row))

        await until_result(pilot, click)
        await pilot.click(".button:last-of-type")

    assert run(Wish(name, ME_AND_A_BOT), script).return_code == 0


def test_a_number_marks_a_card_and_the_same_number_plays_it() -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = screen(pilot)
        third = list(table.choices.values())[2]
        before = table.session.match.decisions
        await pilot.press("3")
        assert table.marked == third
        await pilot.press("2", "3")
        await pilot.press("9", "x", "f5")
        assert table.session.match.decisions == before
        await pilot.press("3", "3")
        await pilot.pause()
        assert table.session.match.decisions > before
        assert any(move.action == third for move in table.session.match.moves)

    run(Wish("parade", ME_AND_A_BOT), script)


def test_two_digits_are_typed_one_after_the_other() -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = screen(pilot)
        await pilot.press("2", "4")
        assert table.marked == table.choices["24"]
        await pilot.press("9")
        assert table.marked == table.choices["9"]
        await pilot.press("enter")
        await pilot.pause()
        assert table.session.match.decisions >= 1

    run(Wish("letters", ME_AND_A_BOT), script)


def test_arrows_go_round_all_choices() -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = screen(pilot)
        actions = list(table.choices.values())
        await pilot.press("right", "tab")
        assert table.marked == actions[2]
        await pilot.press("left", "left", "left")
        assert table.marked == actions[-1]

    run(Wish("parade", ME_AND_A_BOT), script)


def test_on_a_board_arrows_go_where_they_point() -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = screen(pilot)
        await pilot.press("1", "down")
        assert table.marked == table.choices["10"]
        await pilot.press("right", "up")
        assert table.marked == table.choices["2"]
        await pilot.press("shift+tab")
        assert table.marked == table.choices["1"]

    run(Wish("letters", ("me", "bot")), script)


def test_between_two_people_a_curtain_hides_the_hands() -> None:
    async def script(pilot: Pilot[None]) -> None:
        assert isinstance(screen(pilot), Curtain)
        assert "hand" not in pilot.app.export_screenshot()
        await pilot.pause(CURTAIN_STAYS)
        await pilot.press("enter")
        await pilot.pause()
        table = screen(pilot)
        first = table.seat
        await pilot.press("enter", "enter", "enter")  # once too often
        await pilot.pause()
        assert isinstance(screen(pilot), Curtain)
        await pilot.click(".dialog")
        assert isinstance(screen(pilot), Curtain)
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert "hand" not in pilot.app.export_screenshot()
        await pilot.pause(CURTAIN_STAYS)
        await pilot.click(".dialog")
        await pilot.pause()
        assert screen(pilot).seat != first
        shown = "\n".join(line.plain for line in screen(pilot).query_one(Table).picture.lines)
        names = table.session.match.names
        assert f"{names[screen(pilot).seat]}'s hand" in shown
        assert f"{names[first]}'s hand" not in shown

    run(Wish("parade", ("Tick", "Tock")), script)


def test_where_nothing_is_hidden_there_is_no_curtain() -> None:
    async def script(pilot: Pilot[None]) -> None:
        for _ in range(4):
            assert isinstance(screen(pilot), TableScreen)
            seat = screen(pilot).seat
            await pilot.press("enter")
            await pilot.pause()
            assert screen(pilot).seat == 1 - seat

    run(Wish("letters", ("Tick", "Tock")), script)


def test_the_curtain_can_be_left() -> None:
    async def script(pilot: Pilot[None]) -> None:
        assert isinstance(screen(pilot), Curtain)
        await pilot.press("q")
        await pilot.pause()

    assert run(Wish("parade", ("Tick", "Tock")), script).return_code == 0


def test_nothing_happens_under_the_rulebook() -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = screen(pilot)
        await pilot.press("r")
        await pilot.pause(0.3)
        before = table.session.match.decisions
        await pilot.pause(0.5)
        assert table.session.match.decisions == before
        await pilot.press("escape")
        await pilot.pause(0.6)
        assert table.session.match.decisions > before

    run(Wish("parade", ("bot", "bot")), script, pace=0.02)


def test_news_stays_news_until_the_person_has_acted() -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = screen(pilot)
        while table.seat is None:
            await pilot.pause(0.05)
        await pilot.press("enter")
        for _ in range(200):
            await pilot.pause(0.02)
            if table.seat is not None:
                break
        fresh = table.session.fresh(0)
        assert sum("turns card" in sentence and ":" in sentence for sentence in fresh) == 3
        assert not any("turns card" in line and ":" in line for line in table.session.log(0))

    run(Wish("letters", ("me", "bot", "bot")), script, pace=0.01)


def test_bots_move_at_their_pace_and_space_does_not_wait() -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = screen(pilot)
        while table.seat is None:
            await pilot.press("space")
            await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert table.seat is None
        before = table.session.match.decisions
        await pilot.press("enter", "right", "1")  # nobody is asked: nothing happens
        assert table.session.match.decisions == before
        await pilot.press("space")
        await pilot.pause()
        assert table.seat == 0
        assert table.session.match.decisions == before + 3

    run(Wish("parade", ("me", "bot", "bot", "bot")), script, pace=60)


@pytest.mark.parametrize("name", game_names())
def test_with_a_pace_the_game_goes_on_by_itself(name: str) -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = screen(pilot)
        for _ in range(12):
            for _ in range(600):
                if table.seat is not None or not isinstance(screen(pilot), TableScreen):
                    break
                await pilot.pause(0.01)
            if not isinstance(screen(pilot), TableScreen):
                break
            await pilot.press("enter")
            await pilot.pause()
        assert table.session.match.decisions >= 8

    run(Wish(name, ME_AND_A_BOT), script, pace=0.001)


def test_the_rulebook_opens_at_the_rule_that_matters() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("r")
        await pilot.pause()
        assert isinstance(screen(pilot), RulebookScreen)
        here = screen(pilot).query_one(".here")
        assert screen(pilot).region.contains_region(here.region)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(screen(pilot), TableScreen)

    run(Wish("parade", ME_AND_A_BOT), script)


def test_every_rule_is_a_block_of_its_own() -> None:
    for name in game_names():
        text = rulebook(name)
        blocks = blocks_of(text)
        assert sum(block.startswith("- **") for block in blocks) == text.count("\n- **")
        assert "".join("".join(blocks).split()) == "".join(text.split())


def test_keys_light_and_the_log() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(screen(pilot), Keys)
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
        log = screen(pilot).query_one(RichLog)
        for _ in range(4):
            await pilot.press("enter")
            await pilot.pause()
        bottom = log.scroll_y
        assert bottom > 0
        await pilot.press("pageup")
        await pilot.pause()
        assert log.scroll_y < bottom
        await pilot.press("pagedown", "pagedown")
        await pilot.pause()
        assert log.scroll_y == bottom

    run(Wish("parade", ME_AND_A_BOT), script)


def test_the_window_can_be_resized_at_any_time() -> None:
    async def script(pilot: Pilot[None]) -> None:
        for size in ((140, 45), (80, 24), (40, 12), (20, 5), (200, 60), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            await pilot.press("right")
            await pilot.pause()
        assert screen(pilot).query_one(Table).picture.lines

    for name in game_names():
        run(Wish(name, ME_AND_A_BOT), script)


def test_after_the_game_comes_another_or_another_game_or_none() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await until_result(pilot, lambda: pilot.press("enter"))
        text = pilot.app.export_screenshot()
        assert "total" in text
        await pilot.press("enter")  # a reflex does not throw the result away
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert isinstance(screen(pilot), Result)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(screen(pilot), TableScreen)
        await pilot.press("enter", "1", "space")
        await pilot.press("a")
        await pilot.pause()
        assert isinstance(screen(pilot), TableScreen)
        assert screen(pilot).session.match.decisions <= 1
        await until_result(pilot, lambda: pilot.press("enter"))
        await pilot.press("o")
        await pilot.pause()
        assert isinstance(screen(pilot), Menu)
        await pilot.press("q")

    run(Wish("parade", ME_AND_A_BOT), script)


def test_the_menu_asks_what_to_play_and_against_whom() -> None:
    async def script(pilot: Pilot[None]) -> None:
        assert isinstance(screen(pilot), Menu)
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        assert screen(pilot).chosen == "parade"
        await pilot.press("escape")
        await pilot.pause()
        assert screen(pilot).chosen is None
        await pilot.press("3")
        await pilot.pause()
        await pilot.press("x", "2")
        await pilot.pause()
        assert isinstance(screen(pilot), TableScreen)
        assert screen(pilot).session.match.names == ("Alice", "Dodo", "Dodo 2")
        await pilot.press("q")

    run(None, script)


@pytest.mark.parametrize("key", ["q", "escape"])
def test_leaving_the_menu_plays_nothing(key: str) -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press(key)

    assert run(None, script).return_code == 0


def test_the_tenth_answer_is_0_and_seats_that_are_settled_are_not_asked_for() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await pilot.pause()
        await pilot.press("0")
        await pilot.pause()
        assert len(pilot.app.screen_stack[1].session.match.names) == 6  # type: ignore[attr-defined]

    run(None, script)

    async def settled(pilot: Pilot[None]) -> None:
        pilot.app.seats = ("Tick", "Tock", "Tack")  # type: ignore[attr-defined]
        pilot.app.push_screen(Menu(("Tick", "Tock", "Tack")), pilot.app.sit_down)  # type: ignore[attr-defined]
        await pilot.pause()
        await pilot.press("2")
        await pilot.pause()
        assert screen(pilot).session.match.names == ("Tick", "Tock", "Tack")

    run(None, settled)


def test_the_record_is_on_the_disk_after_every_move(tmp_path: Path) -> None:
    path = tmp_path / "game.record"

    async def script(pilot: Pilot[None]) -> None:
        for _ in range(5):
            await pilot.press("enter")
            await pilot.pause()
            match = screen(pilot).session.match
            assert load(str(path)).whole.moves == tuple(match.moves)

    run(
        Wish("parade", ME_AND_A_BOT),
        script,
        keep=lambda session: save(str(path), session.match.record),
    )


def test_a_record_that_can_not_be_kept_ends_the_game_with_the_reason() -> None:
    def keep(_: Session) -> None:
        raise NotationError("the disk is full.")

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await pilot.pause()

    app = run(Wish("parade", ME_AND_A_BOT), script, keep=keep)
    assert str(app.fault) == "the disk is full."
    assert app.return_code == 2


def test_a_table_that_can_not_be_is_refused_with_the_reason() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.pause()

    app = run(Wish("parade", ("me",)), script)
    assert "Parade is for 2 to 6 players, not 1" in str(app.fault)

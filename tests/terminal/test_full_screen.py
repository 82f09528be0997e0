"""Playing on the full screen, driven as a person would: keys, mouse, several people, bots."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from support.screen_pilot import ME_AND_A_BOT, current_screen, play_until_result, run_app, wait_for_turn
from wonderland.engine import Over, game_names
from wonderland.terminal.dialogs import Curtain
from wonderland.terminal.menu import MenuChoice
from wonderland.terminal.table_screen import TableScreen
from wonderland.terminal.widgets import Offers, PictureWidget

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", game_names())
def test_a_whole_game_with_the_keyboard_alone(name: str) -> None:
    async def script(pilot: Pilot[None]) -> None:
        await play_until_result(pilot, lambda: pilot.press("right", "enter"))
        match = current_screen(pilot).session.match
        assert isinstance(match.turn, Over)
        assert match.decisions > 5
        await pilot.press("q")

    assert run_app(MenuChoice(name, ME_AND_A_BOT), script).return_code == 0


@pytest.mark.parametrize("name", game_names())
def test_a_whole_game_with_the_mouse_alone(name: str) -> None:
    async def script(pilot: Pilot[None]) -> None:
        async def click() -> None:
            if not isinstance(current_screen(pilot), TableScreen):
                return
            spots = current_screen(pilot).query_one(PictureWidget).picture.spots
            if spots:
                spot = spots[-1]
                await pilot.hover(PictureWidget, offset=(spot.column + 2, spot.row + 1))
                assert current_screen(pilot).marked == spot.action
                await pilot.click(PictureWidget, offset=(spot.column + 2, spot.row + 1))
            else:
                row, start, _, _ = current_screen(pilot).query_one(Offers).places[0]
                await pilot.click(Offers, offset=(start + 2, row))

        await play_until_result(pilot, click)
        await pilot.click(".button:last-of-type")

    assert run_app(MenuChoice(name, ME_AND_A_BOT), script).return_code == 0


def test_a_number_marks_a_card_and_the_same_number_plays_it() -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = current_screen(pilot)
        third = list(table.choices.values())[2]
        before = table.session.match.decisions
        await pilot.press("3")
        assert table.marked == third
        await pilot.press("2", "3")
        await pilot.press("9", "x", "f5")
        assert table.session.match.decisions == before
        await pilot.press("3", "3")
        await wait_for_turn(pilot)
        assert table.session.match.decisions > before
        assert any(move.action == third for move in table.session.match.moves)

    run_app(MenuChoice("parade", ME_AND_A_BOT), script)


def test_two_digits_are_typed_one_after_the_other() -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = current_screen(pilot)
        await pilot.press("2", "4")
        assert table.marked == table.choices["24"]
        await pilot.press("9")
        assert table.marked == table.choices["9"]
        await pilot.press("enter")
        await pilot.pause()
        assert table.session.match.decisions >= 1

    run_app(MenuChoice("letters", ME_AND_A_BOT), script)


def test_arrows_cycle_through_all_choices() -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = current_screen(pilot)
        actions = list(table.choices.values())
        await pilot.press("right", "tab")
        assert table.marked == actions[2]
        await pilot.press("left", "left", "left")
        assert table.marked == actions[-1]

    run_app(MenuChoice("parade", ME_AND_A_BOT), script)


def test_on_a_board_arrows_move_in_their_direction() -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = current_screen(pilot)
        await pilot.press("1", "down")
        assert table.marked == table.choices["10"]
        await pilot.press("right", "up")
        assert table.marked == table.choices["2"]
        await pilot.press("shift+tab")
        assert table.marked == table.choices["1"]

    run_app(MenuChoice("letters", ME_AND_A_BOT), script)


def test_between_two_people_a_curtain_hides_the_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    def curtain_stays(seconds: float) -> None:
        monkeypatch.setattr("wonderland.terminal.dialogs.CURTAIN_STAYS", seconds)

    async def script(pilot: Pilot[None]) -> None:
        assert isinstance(current_screen(pilot), Curtain)
        assert "hand" not in pilot.app.export_screenshot()
        curtain_stays(0)
        await pilot.press("enter")
        await pilot.pause()
        table = current_screen(pilot)
        first = table.seat
        curtain_stays(3600)
        await pilot.press("enter", "enter", "enter")  # once too often
        await pilot.pause()
        assert isinstance(current_screen(pilot), Curtain)
        await pilot.click(".dialog")
        assert isinstance(current_screen(pilot), Curtain)
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert "hand" not in pilot.app.export_screenshot()
        curtain_stays(0)
        await pilot.click(".dialog")
        await pilot.pause()
        assert current_screen(pilot).seat != first
        shown = "\n".join(
            line.plain for line in current_screen(pilot).query_one(PictureWidget).picture.lines
        )
        names = table.session.match.names
        assert f"{names[current_screen(pilot).seat]}'s hand" in shown
        assert f"{names[first]}'s hand" not in shown

    run_app(MenuChoice("parade", ("Tick", "Tock")), script)


def test_where_nothing_is_hidden_there_is_no_curtain() -> None:
    async def script(pilot: Pilot[None]) -> None:
        for _ in range(4):
            assert isinstance(current_screen(pilot), TableScreen)
            seat = current_screen(pilot).seat
            await pilot.press("enter")
            await pilot.pause()
            assert current_screen(pilot).seat == 1 - seat

    run_app(MenuChoice("letters", ("Tick", "Tock")), script)


def test_the_curtain_can_be_closed() -> None:
    async def script(pilot: Pilot[None]) -> None:
        assert isinstance(current_screen(pilot), Curtain)
        await pilot.press("q")
        await pilot.pause()

    assert run_app(MenuChoice("parade", ("Tick", "Tock")), script).return_code == 0


def test_keys_are_ignored_under_the_rulebook() -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = current_screen(pilot)
        await pilot.press("r")
        await pilot.pause(0.3)
        before = table.session.match.decisions
        await pilot.pause(0.5)
        assert table.session.match.decisions == before
        await pilot.press("escape")
        for _ in range(400):
            await pilot.pause(0.02)
            if table.session.match.decisions > before:
                return
        pytest.fail("the game does not go on")

    run_app(
        MenuChoice("parade", ("dodo", "dodo")), script, pace=0.2
    )  # so that it lasts longer than the test


def test_new_events_stay_marked_until_the_player_acts() -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = current_screen(pilot)
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

    run_app(MenuChoice("letters", ("me", "dodo", "dodo")), script, pace=0.01)


def test_bots_move_at_their_pace_and_space_skips_the_wait() -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = current_screen(pilot)
        while table.seat is None:
            await pilot.press("space")
            await pilot.pause(0.01)
        await pilot.press("enter")
        await pilot.pause()
        assert table.seat is None
        before = table.session.match.decisions
        await pilot.press("enter", "right", "1")  # nobody is asked: nothing happens
        assert table.session.match.decisions == before
        await pilot.press("space")
        await wait_for_turn(pilot)
        assert table.seat == 0
        assert table.session.match.decisions == before + 3

    run_app(MenuChoice("parade", ("me", "dodo", "dodo", "dodo")), script, pace=60)


@pytest.mark.parametrize("name", game_names())
def test_with_a_pace_the_game_continues_by_itself(name: str) -> None:
    async def script(pilot: Pilot[None]) -> None:
        table = current_screen(pilot)
        for _ in range(5):
            for _ in range(600):
                if table.seat is not None or not isinstance(current_screen(pilot), TableScreen):
                    break
                await pilot.pause(0.01)
            if not isinstance(current_screen(pilot), TableScreen):
                break
            await pilot.press("enter")
            await pilot.pause()
        assert table.session.match.decisions >= 8

    run_app(MenuChoice(name, ME_AND_A_BOT), script, pace=0.001)

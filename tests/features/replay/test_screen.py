"""Replays on the full screen, driven as a person would: stepping, viewpoints, what-if."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, RichLog, Static

from support.paths import RECORDS
from support.screen_pilot import current_screen, play_until_result, wait_for_turn
from wonderland.components.bots import Budget
from wonderland.engine import game_names, read_record
from wonderland.engine.match import seats_to_act
from wonderland.engine.record_reader import AnyRecord
from wonderland.features.replay.dialogs import AdviceDialog, PlayOnDialog
from wonderland.features.replay.model import Replay
from wonderland.features.replay.screen import ReplayApp, ReplayScreen
from wonderland.terminal.dialogs import Keys
from wonderland.terminal.table_screen import TableScreen
from wonderland.terminal.widgets import Offers, PictureWidget

pytestmark = pytest.mark.slow


def record_of(name: str) -> AnyRecord:
    path = min((RECORDS / name).glob("*.record"))
    return read_record(path.read_bytes()).whole


PARADE = read_record((RECORDS / "parade" / "3-players-sixth-colour.record").read_bytes()).whole


def run(record: AnyRecord, script: Callable[[Pilot[None]], Awaitable[None]]) -> ReplayApp:
    app = ReplayApp(Replay(record), pace=0)

    async def main() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await script(pilot)

    asyncio.run(main())
    return app


def picture(pilot: Pilot[None]) -> str:
    return "\n".join(line.plain for line in current_screen(pilot).query_one(PictureWidget).picture.lines)


def log_text(pilot: Pilot[None]) -> str:
    return str(current_screen(pilot).query_one(Offers).render())


def test_every_way_to_reach_a_position() -> None:
    async def script(pilot: Pilot[None]) -> None:
        last = Replay(PARADE).last
        for keys, number in [
            (["right", "space"], 2),
            (["left", "left", "left"], 0),
            (["pagedown"], 10),
            (["end", "right"], last),
            (["pageup"], last - 10),
            (["home"], 0),
            (["1", "2", "enter"], 12),
            (["9", "9", "9", "enter"], last),
            (["home", "enter"], 0),
        ]:
            await pilot.press(*keys)
            await pilot.pause()
            assert current_screen(pilot).number == number
            assert current_screen(pilot).session.match.decisions == number
            assert f"Move {number} of {last} · All cards face up" in log_text(pilot)
        await pilot.press("7")
        assert "go to move 7_" in log_text(pilot)
        await pilot.press("q")

    assert run(PARADE, script).return_code == 0


def test_every_viewpoint() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("pagedown")
        assert all(f"{name} " in picture(pilot).partition("Hands")[2] for name in PARADE.names)
        for name in PARADE.names:
            await pilot.press("s")
            assert f"What {name} could see" in log_text(pilot)
            assert f"{name}'s hand" in picture(pilot)
            assert "Hands" not in picture(pilot)
            told = "\n".join(strip.text for strip in current_screen(pilot).query_one(RichLog).lines)
            for other in PARADE.names:
                assert (f"{other} draws a card." in told) == (other != name)
        await pilot.press("s")
        assert "All cards face up" in log_text(pilot)
        await pilot.press("s", "o")
        assert "Hands" in picture(pilot)

    run(PARADE, script)


def test_a_search_finds_log_text() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("n", "slash", *"hatter takes", "enter")
        await pilot.pause()
        first = current_screen(pilot).number
        assert first == Replay(PARADE).found("Hatter takes", 0)
        await pilot.press("n")
        assert current_screen(pilot).number == Replay(PARADE).found("Hatter takes", first)
        here = current_screen(pilot).number
        await pilot.press("slash")
        assert isinstance(current_screen(pilot).focused, Input)
        await pilot.press(*"the Knight", "enter")
        await pilot.pause()
        assert current_screen(pilot).number == here
        assert "'the Knight' wasn't found" in log_text(pilot)
        await pilot.press("slash", "escape")
        await pilot.pause()
        assert isinstance(current_screen(pilot), ReplayScreen)

    run(PARADE, script)


def test_help_rulebook_and_theme_open_over_the_replay() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        assert isinstance(current_screen(pilot), Keys)
        shown = {key: meaning for _, group in current_screen(pilot).keys for key, meaning in group}
        assert "what if" in shown["w"]
        await pilot.press("escape", "r", "escape", "l", "down", "up")
        await pilot.pause()
        assert isinstance(current_screen(pilot), ReplayScreen)
        assert pilot.app.theme == "textual-light"

    run(PARADE, script)


@pytest.mark.parametrize("name", game_names())
def test_what_if_is_played_to_its_end_and_returns(name: str) -> None:
    record = record_of(name)
    before, number = record.text(), Replay(record).last - 10

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("end", "pageup", "s", "w")
        await pilot.pause()
        assert isinstance(current_screen(pilot), PlayOnDialog)
        assert current_screen(pilot).proposed == 0
        await pilot.press("enter", "1")
        await wait_for_turn(pilot)
        table = current_screen(pilot)
        assert isinstance(table, TableScreen)
        assert table.session.people == [0]
        assert list(table.session.match.names) == list(record.names)
        assert table.session.match.decisions >= number
        if name == "parade":
            await play_until_result(pilot, lambda: pilot.press("enter"))
            await pilot.press("a")  # the same again
            await wait_for_turn(pilot)
            again = current_screen(pilot)
            assert isinstance(again, TableScreen)
            assert again is not table
        await pilot.press("q")
        await pilot.pause()
        assert isinstance(current_screen(pilot), ReplayScreen)
        assert current_screen(pilot).number == number
        assert "Back to the recorded game" in log_text(pilot)

    run(record, script)
    assert record.text() == before


def test_what_if_is_confirmed_and_can_be_cancelled() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("w")
        await pilot.pause()
        assert current_screen(pilot).proposed in seats_to_act(Replay(PARADE).at(0).turn)
        await pilot.press("9", "3", "escape")
        await pilot.pause()
        assert isinstance(current_screen(pilot), ReplayScreen)
        await pilot.press("end", "w")
        assert "The game is already over at that point" in log_text(pilot)
        assert isinstance(current_screen(pilot), ReplayScreen)

    run(PARADE, script)


def test_the_coach_is_asked_with_keys() -> None:
    async def script(pilot: Pilot[None]) -> None:
        screen = current_screen(pilot)
        assert isinstance(screen, ReplayScreen)
        screen.budget = Budget(playouts=20)
        await pilot.press("4", "enter")
        for key, shown in (("c", "%"), ("e", "1. ")):
            await pilot.press(key)
            await pilot.app.workers.wait_for_complete()
            await pilot.pause()
            assert isinstance(current_screen(pilot), AdviceDialog)
            assert shown in str(current_screen(pilot).query_one("#advice", Static).render())
            await pilot.press("escape")
        screen.show_advice(screen.number + 1, "", ["too late"])
        assert current_screen(pilot) is screen, "the answer is about another position"
        await pilot.press("end", "c")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        assert current_screen(pilot) is screen
        assert "nobody has a choice here" in log_text(pilot)
        await pilot.press("q")

    run(PARADE, script)

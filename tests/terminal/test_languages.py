"""Languages in the terminal: all text is in a catalogue, fits, and is aligned in every language."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widgets import Footer

from campaigns.indistinguishable_plays import Setting, random_play, settings
from support.prompt import first_choice, script, table
from support.pseudo_locale import pseudo_language, words_outside_brackets
from support.screen_pilot import (
    ME_AND_A_BOT,
    current_screen,
    play_until_result,
    run_app,
    wait_for_turn,
    wait_until,
)
from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.components.terminal import Viewport, terminal_ui_of
from wonderland.components.words import words_of
from wonderland.engine import Over, game_names
from wonderland.engine.language import Language
from wonderland.engine.protocol import CHANCE
from wonderland.terminal import match_setup
from wonderland.terminal.dialogs import Curtain, Keys, LeaveDialog, ResultDialog
from wonderland.terminal.menu import Menu, MenuChoice
from wonderland.terminal.plain_text import PlainTable, QuitGame
from wonderland.terminal.session import Session
from wonderland.terminal.table_screen import TableScreen

pytestmark = pytest.mark.slow

NAMES = ("Alice", "Bill", "Dinah", "Gryphon", "Lory", "Pat")
COMMANDS = {"help", "hint", "table", "log", "rules", "quit", "bot"}
"""Words that are typed, in every language."""
KEYS = {"Enter", "Tab", "PgUp", "PgDn", "Esc", "space", "esc", "tab", "WONDERLAND"}
PAWNS = "abcd"
"""Letters that stand for pawns, several on one space."""
TYPED = {"Tick", "Tock", "Ada", "Mabel", "Mary", "Ann", "Pat", "hello", "xx"}
LANGUAGE_CODES = [code for code in LANGUAGES if code != "en"]


def untranslated(text: str) -> list[str]:
    """Return the words that are in no catalogue, except those that stay the same in every language."""
    same = COMMANDS | KEYS | TYPED | {*NAMES}
    words = [word for word in words_outside_brackets(text) if word not in same]
    return [word for word in words if not {*word.lower()} <= {*PAWNS}]


# Plain text


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("seats", [["me", "dodo"], ["Tick", "dodo", "Tock"]], ids=["one", "two"])
def test_a_whole_game_in_plain_text_is_translated(name: str, seats: list[str]) -> None:
    holder: list[PlainTable] = []
    asked: list[str] = []
    choose = first_choice(holder)

    def ask(question: str) -> str:
        asked.append(question)
        return choose(question)

    plain, shown = table(name, seats, ask)
    plain.session.say = pseudo_language()
    holder.append(plain)
    plain.play()
    assert isinstance(plain.session.match.turn, Over)
    assert untranslated("\n".join(shown)) == untranslated("\n".join(asked)) == []
    assert any("⟦" in line for line in shown)


def test_every_command_at_the_prompt_is_translated() -> None:
    plain, shown = table("parade", ["me", "dodo"], script("hello", "help", "table", "hint", "log", "1"))
    plain.session.say = pseudo_language()
    with pytest.raises(QuitGame):
        plain.play()
    assert untranslated("\n".join(shown)) == []


def test_the_questions_before_a_game_are_translated() -> None:
    said: list[str] = []

    def answer(*answers: str) -> Callable[[str], str]:
        given = iter(answers)

        def ask(question: str) -> str:
            said.append(question)
            return next(given)

        return ask

    say = pseudo_language()
    chosen = match_setup.ask_for_game(answer("xx", "3"), said.append, say)
    match_setup.ask_for_seats(chosen, answer("xx", "1"), said.append, say)
    match_setup.ask_for_level(chosen, answer("xx", "1"), said.append, say)
    assert [line for line in said if untranslated(line)] == []


def test_games_and_levels_can_be_named_in_the_language() -> None:
    say = load_language("de")
    chosen = match_setup.ask_for_game(lambda _: "kekse", lambda _: None, say)
    assert chosen.info.name == "cookies"
    assert match_setup.ask_for_level(chosen, lambda _: "Königin", lambda _: None, say) == "queen"
    assert match_setup.ask_for_level(chosen, lambda _: "queen", lambda _: None, say) == "queen"


def test_bots_have_translated_names_and_people_keep_theirs() -> None:
    plain, _ = table("parade", ["Dodo Fan", "dodo", "dodo"], script())
    plain.session.say = pseudo_language()
    assert plain.session.names == ["Dodo Fan", "⟦Dodo⟧", "⟦Dormouse⟧"]
    assert [*plain.session.match.names] == ["Dodo Fan", "Dodo", "Dormouse"]


# Full screen


def screen_text(pilot: Pilot[None]) -> str:
    """Return the text of the current screen, row by row."""
    rows = current_screen(pilot)._compositor.render_strips()
    return "\n".join(strip.text for strip in rows)


def check(pilot: Pilot[None], seen: list[type]) -> None:
    text = screen_text(pilot)
    words = untranslated(text)
    assert words == [], (words, text)
    assert "⟦" in text
    seen.append(type(current_screen(pilot)))


@pytest.mark.parametrize("name", game_names())
def test_a_whole_game_on_the_full_screen_is_translated(name: str) -> None:
    seen: list[type] = []

    async def play(pilot: Pilot[None]) -> None:
        check(pilot, seen)
        await pilot.press("question_mark")
        await wait_until(lambda: isinstance(current_screen(pilot), Keys), pilot)
        check(pilot, seen)
        await pilot.press("escape", "h")
        await wait_until(lambda: ":" in current_screen(pilot).hint, pilot)
        check(pilot, seen)
        await pilot.press("enter")
        await wait_for_turn(pilot)
        await pilot.press("q")
        await wait_until(lambda: isinstance(current_screen(pilot), LeaveDialog), pilot)
        check(pilot, seen)
        await pilot.press("escape")

        async def act() -> None:
            check(pilot, seen)
            await pilot.press("right", "enter")

        await play_until_result(pilot, act)
        await pilot.pause()
        check(pilot, seen)
        await pilot.press("escape")
        await pilot.pause()
        check(pilot, seen)

    run_app(MenuChoice(name, ME_AND_A_BOT), play, size=(200, 60), change=in_pseudo_language)
    assert {TableScreen, Keys, LeaveDialog, ResultDialog} <= {*seen}


def in_pseudo_language(session: Session) -> None:
    session.say = pseudo_language()


def test_menus_and_the_curtain_are_translated() -> None:
    seen: list[type] = []

    async def walk(pilot: Pilot[None]) -> None:
        check(pilot, seen)
        await pilot.press("3")
        await pilot.pause()
        check(pilot, seen)
        await pilot.press("1")
        await pilot.pause()
        check(pilot, seen)
        await pilot.press("escape", "6")
        await wait_until(lambda: isinstance(current_screen(pilot), Curtain), pilot)
        check(pilot, seen)

    run_app(None, walk, size=(200, 60), change=in_pseudo_language, say=pseudo_language())
    assert seen == [Menu, Menu, Menu, Curtain]


def test_a_small_window_complains_in_the_language() -> None:
    async def look(pilot: Pilot[None]) -> None:
        await wait_for_turn(pilot)
        assert "⟦" in str(current_screen(pilot).query_one("#log").border_title)

    for size in ((60, 20), (60, 40), (90, 15)):
        run_app(MenuChoice("letters", ME_AND_A_BOT), look, size=size, change=in_pseudo_language)


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_the_keys_fit_into_the_footer(code: str) -> None:
    def change(session: Session) -> None:
        session.say = load_language(code)

    async def look(pilot: Pilot[None]) -> None:
        footer = current_screen(pilot).query_one(Footer)
        assert max(key.region.right for key in footer.children) <= 80

    run_app(MenuChoice("parade", ME_AND_A_BOT), look, change=change)


# Every language fits


def positions(setting: Setting, rng: random.Random, moments: int) -> Iterator[tuple[Any, Any, Any]]:
    """Yield some views of a random play, each with a choice of the viewer, and the last one."""
    match = random_play(setting, rng)
    states = [
        (state, move.actor)
        for state, move in match.record.states()
        if move is not None and move.actor is not CHANCE
    ]
    for state, seat in rng.sample(states, min(moments, len(states))):
        yield match.game, match.game.view(state, seat), rng.choice(match.game.legal(state, seat))
    yield match.game, match.view(0), None


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", game_names())
def test_every_picture_fits_into_a_small_window(name: str, code: str) -> None:
    """Nothing is cut, and all lines are as wide as the terminal thinks they are."""
    say, drawing = load_language(code), terminal_ui_of(name)
    for setting in settings(name)[:4]:
        for _, view, marked in positions(setting, random.Random(str(setting)), 6):
            for viewport in (Viewport(78, 16), Viewport(138, 31)):
                names = NAMES[: setting.seats]
                picture = drawing.draw(view, names, viewport, marked, say)
                pictures = [picture] if marked is not None else [picture, sheet(name, view, names, say)]
                for each in pictures:
                    for line in each.lines:
                        assert line.cell_len <= viewport.width, line.plain
                        assert not line.plain.endswith("…"), line.plain


def sheet(name: str, view: Any, names: tuple[str, ...], say: Language) -> Any:
    return terminal_ui_of(name).sheet(view, names, Viewport(72, 16), say)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", game_names())
def test_every_description_is_at_most_80_cells_wide(name: str, code: str) -> None:
    say, words = load_language(code), words_of(name)
    for setting in settings(name)[:4]:
        for _, view, _ in positions(setting, random.Random(str(setting)), 6):
            for line in words.describe(view, NAMES[: setting.seats], say):
                assert cell_len(line) <= 80, line


@pytest.mark.parametrize("name", game_names())
def test_descriptions_with_all_options_are_translated(name: str) -> None:
    say, words = pseudo_language(), words_of(name)
    for setting in settings(name):
        for _, view, _ in positions(setting, random.Random(str(setting)), 4):
            text = " ".join(words.describe(view, NAMES[: setting.seats], say))
            assert untranslated(text) == [], text

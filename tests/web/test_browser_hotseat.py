"""One screen for several players: secrets are gone while the device is passed on."""

from __future__ import annotations

import re
from typing import Any

from support import browser
from support.browser import (
    MAX_TURNS,
    PHONE,
    OpenPage,
    expect,
    piece_names,
    play_by_mouse,
    start_from_home,
    table_version,
)

pytestmark = browser.MARKS
COVERED = ".curtain"


def sit_together(page: Any, names: tuple[str, ...], seats: int, game: str = "parade") -> None:
    """Create a table and take the first seats, one name after another; bots take the rest."""
    page.get_by_label("Your name").fill(names[0])
    start_from_home(page, "Invite friends", seats, game)
    for name in names[1:]:
        page.get_by_label("Another player on this screen").fill(name)
        with page.expect_navigation():  # sitting down reloads the page
            page.get_by_role("button", name="Add a player").first.click()
        expect(page.locator(".seats .me .who", has_text=name)).to_be_visible()
    for _ in range(seats - len(names)):
        before = table_version(page)
        page.locator("select[name=level]").first.select_option(index=0)
        page.get_by_role("button", name="Add bot", exact=True).first.click()
        page.wait_for_selector(f'#table:not([data-version="{before}"])')
    page.get_by_role("button", name="Start the game").click()


def player_asked_for(page: Any) -> str:
    page.wait_for_selector(f"{COVERED} .people button:only-child")  # anyone may look at a bot's turn
    title = page.locator(f"{COVERED} h2").inner_text()
    return title.removeprefix("Pass the device to ")


def held_cards(page: Any) -> list[str]:
    return piece_names(page, ".dock [data-piece]")


def check_curtain(page: Any, hands: dict[str, list[str]]) -> None:
    """No card that somebody held is in the page, and nobody can play."""
    shown = page.content()
    for hand in hands.values():
        assert len([card for card in hand if f'data-piece="{card}"' in shown]) == 0
    assert " draws " not in page.locator("#log").inner_text()
    assert page.locator("[data-play]").count() == 0
    assert page.evaluate("document.activeElement.id") == "curtain-title"


def test_a_whole_game_of_two_players_at_one_screen(open_page: OpenPage) -> None:
    page = open_page()
    sit_together(page, ("Alice", "Bill"), 2)
    hands: dict[str, list[str]] = {}
    asked = []
    for _ in range(MAX_TURNS):
        page.wait_for_selector(f"{COVERED}, .status.finished, [data-play]")
        if page.locator(".status.finished").count():
            break
        if page.locator(COVERED).count():
            asked.append(player_asked_for(page))
            check_curtain(page, hands)
            page.get_by_role("button", name=f"I'm {asked[-1]}", exact=True).first.click()
        page.wait_for_selector("[data-play]")
        expect(page.locator(".status.mine")).to_contain_text(f"{asked[-1]}, it's your turn.")
        assert page.locator(".player.mine .who").inner_text() == asked[-1]
        hands[asked[-1]] = held_cards(page)
        before = table_version(page)
        play_by_mouse(page)
        page.wait_for_selector(f'#table:not([data-version="{before}"])')
    assert len(asked) > 10
    assert {"Alice", "Bill"} == set(asked)
    expect(page.locator(".player.won")).not_to_have_count(0)
    assert page.locator(COVERED).count() == 0


def test_one_person_among_bots_needs_no_curtain(open_page: OpenPage) -> None:
    page = open_page()
    sit_together(page, ("Alice",), 3)
    page.wait_for_selector("[data-play]")
    play_by_mouse(page)
    page.wait_for_selector("[data-play]")
    assert page.locator(COVERED).count() == 0
    assert "seat=" not in page.url


def test_missed_moves_are_shown_one_at_a_time(open_page: OpenPage) -> None:
    page = open_page(pace="350")
    sit_together(page, ("Alice", "Bill"), 3)
    page.wait_for_selector(COVERED)
    page.evaluate(
        "new MutationObserver(() => { window.steps += document.querySelectorAll('.parade').length })"
        ".observe(document.getElementById('scene'), {childList: true})"
    )
    names = []
    for _ in range(4):
        page.wait_for_selector(COVERED)
        names.append(player_asked_for(page))
        page.evaluate("window.steps = 0")
        page.get_by_role("button", name=f"I'm {names[-1]}", exact=True).first.click()
        page.wait_for_selector("[data-play]")
        if len(names) > 2:  # Bill saw the bot's move after his own; Alice has yet to see both
            assert page.evaluate("window.steps") == {"Alice": 2, "Bill": 1}[names[-1]]
        play_by_mouse(page)
    assert names in (["Alice", "Bill"] * 2, ["Bill", "Alice"] * 2)


def test_reloading_the_page_shows_no_hand_to_the_wrong_player(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    sit_together(page, ("Alice", "Bill"), 2)
    page.wait_for_selector(COVERED)
    page.reload()
    page.wait_for_selector(COVERED)
    assert held_cards(page) == []
    name = player_asked_for(page)
    page.get_by_role("button", name=f"I'm {name}", exact=True).first.click()
    page.wait_for_selector("[data-play]")
    hand = held_cards(page)
    page.reload()  # the viewer has not changed
    page.wait_for_selector("[data-play]")
    assert held_cards(page) == hand
    play_by_mouse(page)
    page.wait_for_selector(COVERED)
    page.reload()
    page.wait_for_selector(COVERED)
    assert player_asked_for(page) != name
    page.goto(page.url.partition("?")[0])  # nobody has said who is looking
    page.wait_for_selector(COVERED)
    assert held_cards(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_nobody_can_step_back_from_behind_the_curtain(open_page: OpenPage) -> None:
    page = open_page()
    sit_together(page, ("Alice", "Bill"), 2)
    page.wait_for_selector(COVERED)
    first = player_asked_for(page)
    page.get_by_role("button", name=f"I'm {first}", exact=True).first.click()
    page.wait_for_selector("[data-play]")
    hand = held_cards(page)
    play_by_mouse(page)
    page.wait_for_selector(COVERED)
    expect(page.locator(".steps")).to_be_hidden()
    expect(page.locator(".actions")).to_be_hidden()
    page.keyboard.press(",")
    page.locator(".steps [data-look=back]").dispatch_event("click")
    page.wait_for_timeout(500)
    check_curtain(page, {first: hand})
    page.get_by_role("button", name="I'm", exact=False).first.click()
    page.wait_for_selector("[data-play]")
    expect(page.locator(".steps")).to_be_visible()


def test_another_player_may_take_the_screen_out_of_turn(open_page: OpenPage) -> None:
    page = open_page()
    sit_together(page, ("Alice", "Bill"), 2)
    page.wait_for_selector(COVERED)
    name = player_asked_for(page)
    other = {"Alice": "Bill", "Bill": "Alice"}[name]
    page.get_by_role("button", name=f"I'm {name}", exact=True).first.click()
    page.wait_for_selector("[data-play]")
    page.locator(".seats").get_by_role("button", name=f"I'm {other}").click()
    expect(page.locator(".player.mine .who")).to_have_text(other)
    page.get_by_label("Write a message").fill("Let me see")
    page.keyboard.press("Enter")
    expect(page.locator("#remarks")).to_contain_text(f"{other} Let me see")
    assert page.locator(COVERED).count() == 0
    page.locator(".seats").get_by_role("button", name=f"I'm {name}").click()
    page.wait_for_selector("[data-play]")
    play_by_mouse(page)
    page.wait_for_selector(COVERED)
    assert player_asked_for(page) == other


def test_where_nothing_is_hidden_the_screen_advances_by_itself(open_page: OpenPage) -> None:
    page = open_page()
    sit_together(page, ("Alice", "Bill"), 2, "letters")
    seen = []
    for _ in range(4):
        page.wait_for_selector(".status.mine")
        seen.append(page.locator(".status.mine").inner_text())
        before = table_version(page)
        play_by_mouse(page)
        page.wait_for_selector(f'#table:not([data-version="{before}"]):has(.status)')
        assert page.locator(COVERED).count() == 0
    turns = {re.sub(r",.*", "", text, flags=re.DOTALL) for text in seen}
    assert turns == {"Alice", "Bill"}

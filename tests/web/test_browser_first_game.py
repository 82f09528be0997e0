"""The first game in a real browser: one click, easy opponents, and the goal in sight."""

from __future__ import annotations

import re
from typing import Any

import pytest

from support import browser
from support.browser import (
    PHONE,
    OpenPage,
    create_table,
    expect,
    play_by_mouse,
    play_over_http,
    start_from_home,
    take_turn,
)
from support.clicks import clicks_on, count_clicks
from wonderland.bots import levels
from wonderland.engine.registry import game as game_named

pytestmark = browser.MARKS
GAMES = ("parade", "letters", "cookies")
SCREENS = [{}, PHONE]


def table_of(page: Any) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("fetch('/api' + location.pathname).then(a => a.json())")
    return found


def opponents_on_home(page: Any, game: str = "parade") -> Any:
    return page.locator(f"article[data-game={game}] .opponents select")


def test_on_a_small_laptop_the_first_click_needs_no_scrolling(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1280, "height": 720})
    for game in GAMES:
        expect(
            page.locator(f"article[data-game={game}]").get_by_role("button", name="Play now")
        ).to_be_in_viewport(ratio=1)
    page.goto("/learn/parade")
    expect(page.get_by_role("button", name="Start the tutorial")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("wishes", SCREENS, ids=["desktop", "phone"])
@pytest.mark.parametrize("game", GAMES)
def test_one_click_deals_a_game_that_a_beginner_can_win(
    open_page: OpenPage, game: str, wishes: dict[str, Any]
) -> None:
    page = open_page(**wishes)
    count_clicks(page)
    page.locator(f"article[data-game={game}]").get_by_role("button", name="Play now").click()
    page.wait_for_url("**/tables/*")
    page.wait_for_selector(".status.playing")
    assert clicks_on(page) == 1
    easiest = levels(game)[0].word
    assert [seat["level"] for seat in table_of(page)["table"]["seats"]] == ["", easiest]
    expect(page.locator(".bill")).to_contain_text(game_named(game).info.goal)
    expect(page.locator("#goal p")).to_be_in_viewport()


def test_the_goal_gives_way_to_the_last_move_and_stays_in_the_drawer(open_page: OpenPage) -> None:
    page = open_page()
    create_table(page, "parade")
    expect(page.locator("#goal")).to_contain_text("fewest points")
    take_turn(page, play_by_mouse)
    expect(page.locator("#goal")).to_be_empty()
    expect(page.locator(".drawer .purpose")).to_contain_text("fewest points")


def test_the_tutorial_is_offered_beside_play_now_for_each_new_game(open_page: OpenPage) -> None:
    page = open_page()
    for game in GAMES:
        offer = page.locator(f"article[data-game={game}] .go .newcomer")
        expect(offer).to_contain_text(game_named(game).info.title)
        expect(offer).to_have_attribute("href", f"/learn/{game}")
    create_table(page, "letters")
    page.goto("/")
    expect(page.locator("article[data-game=letters] .newcomer")).to_have_count(0)
    expect(page.locator("article[data-game=letters] .learn a").first).to_have_attribute(
        "href", "/learn/letters"
    )
    expect(page.locator("article[data-game=parade] .newcomer")).to_be_visible()


FOLLOWED = [
    (["won"], "b", 1),
    (["won", "won"], "c", 0),
    (["won", "last", "won"], "b", 1),
    (["won", "between", "won"], "b", 1),
    (["last", "last"], "a", 0),
    (["last", "last", "last", "last", "last"], "a", -2),
    (["won", "won", "won", "won", "last"], "c", -1),
    (["between", "between"], "b", 0),
]


def test_two_wins_raise_the_level_and_two_last_places_lower_it(open_page: OpenPage) -> None:
    page = open_page()
    create_table(page, "parade")
    script = page.locator("link[rel=modulepreload][href$='/opponents.js']").get_attribute("href")
    for outcomes, level, run in FOLLOWED:
        found = page.evaluate(
            """async ([script, outcomes]) => {
              const { follow } = await import(script);
              const next = (state, outcome) => follow(state, outcome, ["a", "b", "c"]);
              return outcomes.reduce(next, { level: "b" });
            }""",
            [script, outcomes],
        )
        assert found == {"level": level, "run": run}, outcomes


def finish_game(page: Any) -> str:
    """Play a game against a bot to its end; return how it ended."""
    play_over_http(page, until=lambda shown: shown["table"]["status"] == "finished")
    expect(page.locator("#result")).to_be_visible()
    return "won" if 0 in table_of(page)["table"]["result"]["winners"] else "last"


def test_the_level_follows_the_results_visibly_and_can_be_changed(open_page: OpenPage) -> None:
    page = open_page()
    opponents_on_home(page).select_option("white-rabbit")
    page.locator("article[data-game=parade]").get_by_role("button", name="Play now").click()
    page.wait_for_url("**/tables/*")
    outcome = finish_game(page)
    shown = page.locator("#ending .opponents")
    expect(shown.locator("select")).to_have_value("white-rabbit")
    page.reload()
    expect(shown.locator("select")).to_have_value("white-rabbit")  # a reload doesn't count twice
    expect(shown.locator(".note")).to_be_empty()
    page.evaluate(
        "run => { localStorage['opponents.parade'] = JSON.stringify({ level: 'white-rabbit', run }) }",
        1 if outcome == "won" else -1,
    )
    page.reload()
    followed = "hatter" if outcome == "won" else "dodo"
    expect(shown.locator("select")).to_have_value(followed)
    expect(shown.locator(".note")).not_to_be_empty()
    first = page.url
    page.get_by_role("button", name="Rematch", exact=True).click()
    page.wait_for_url(lambda url: url != first)
    page.wait_for_selector(".status.playing")
    assert table_of(page)["table"]["seats"][1]["level"] == followed
    page.locator(".drawer .opponents select").select_option("queen")
    page.goto("/")
    expect(opponents_on_home(page)).to_have_value("queen")
    expect(opponents_on_home(page, "cookies")).to_have_value("dodo")


def test_add_bot_offers_the_level_of_this_device_until_another_is_chosen(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page, "Invite friends", seats=3)
    lists = page.locator(".seats select[name=level]")
    expect(lists).to_have_count(2)
    expect(lists.first).to_have_value("dodo")
    page.goto("/")
    opponents_on_home(page).select_option("hatter")
    page.locator("article[data-game=parade]").get_by_role("radio", name="3").check()
    page.locator("article[data-game=parade]").get_by_role("button", name="Invite friends").click()
    page.wait_for_url("**/tables/*")
    expect(lists.first).to_have_value("hatter")
    lists.last.select_option("queen")
    page.get_by_role("button", name="Add bot", exact=True).first.click()
    expect(lists).to_have_count(1)
    expect(lists).to_have_value("queen")
    assert table_of(page)["table"]["seats"][1]["level"] == "hatter"


def test_games_with_people_or_prepared_cards_change_nothing(open_page: OpenPage) -> None:
    page = open_page("/learn/letters")
    page.get_by_role("button", name=re.compile("tutorial")).click()
    page.wait_for_url("**/tables/*")
    finish_game(page)
    expect(page.get_by_role("button", name="Play a real game")).to_be_visible()
    expect(page.locator("#ending .opponents")).to_have_count(0)
    assert page.evaluate("localStorage['opponents.letters']") is None

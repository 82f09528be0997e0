"""Places on a table: those that stand for a choice, and those that explain themselves."""

from __future__ import annotations

import re

import pytest

from support import browser
from support.browser import DESKTOP, PHONE, OpenPage, expect
from support.sample_tables import lasting_visitor, server, visitor

__all__ = ("lasting_visitor", "server", "visitor")  # fixtures: the sample tables, and their player
pytestmark = browser.MARKS


def test_pointing_at_a_space_marks_the_card_that_leads_there(lasting_visitor: OpenPage) -> None:
    page = lasting_visitor("/tables/cookies-middle", **DESKTOP)
    target = page.locator(".space[data-target]").first
    choice = page.locator(f'[data-play="{target.get_attribute("data-target")}"]')
    target.hover()
    expect(choice).to_have_class("card marked")
    expect(target).to_have_class(re.compile("mark-stop"))
    expect(page.locator("#preview")).to_have_text(choice.get_attribute("aria-label"))


def test_a_card_is_played_by_clicking_the_space_it_leads_to(visitor: OpenPage) -> None:
    page = visitor("/tables/cookies-opening", **DESKTOP)
    expect(page.locator("#connection.connected")).to_be_visible()
    page.locator(".space[data-target]").first.click()
    expect(page.locator(".status.mine")).to_have_count(0)


def test_on_a_phone_a_space_is_tapped_twice(visitor: OpenPage) -> None:
    page = visitor("/tables/cookies-names", **PHONE)
    expect(page.locator("#connection.connected")).to_be_visible()
    space = page.locator(".space[data-target]").first
    space.tap()
    expect(page.locator("#preview")).not_to_be_empty()
    expect(page.locator(".status.mine")).to_have_count(1)
    space.tap()
    expect(page.locator(".status.mine")).to_have_count(0)


def test_a_cookie_is_taken_by_clicking_it(visitor: OpenPage) -> None:
    page = visitor("/tables/cookies-tea", **DESKTOP)
    expect(page.locator("#connection.connected")).to_be_visible()
    page.locator('[data-target="down"]').click()
    expect(page.locator(".choices")).to_have_count(0)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_touched_place_explains_itself(lasting_visitor: OpenPage, size: dict[str, object]) -> None:
    page = lasting_visitor("/tables/cookies-middle", **size)
    for kind in ("caterpillar", "rabbit-hole", "small-cookies", "cheshire-cat"):
        note = page.locator(f".place-note.{kind}")
        expect(note).to_be_hidden()
        page.locator(f".space.{kind}").click()
        expect(note).to_be_visible()
        expect(page.locator(".place-note:visible")).to_have_count(1)
    page.locator("h1").click()
    expect(page.locator(".place-note:visible")).to_have_count(0)


def test_the_place_that_a_card_leads_to_explains_itself(lasting_visitor: OpenPage) -> None:
    page = lasting_visitor("/tables/cookies-middle", **DESKTOP)
    page.locator(".space.tea-party[data-target]").hover()
    expect(page.locator(".place-note.tea-party")).to_be_visible()

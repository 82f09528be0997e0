"""Wonderland as an app in a real browser: installable, and friendly when offline."""

from __future__ import annotations

from support import browser
from support.browser import (
    OpenPage,
    create_table,
    expect,
    set_offline,
    wait_for_service_worker,
    wait_until,
)

pytestmark = browser.MARKS


def test_the_site_has_a_manifest_without_errors(open_page: OpenPage) -> None:
    page = open_page()
    found = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert found["url"].endswith("/manifest.webmanifest")
    assert found["errors"] == []


def test_offline_a_table_says_so_and_is_there_again_after_that(open_page: OpenPage) -> None:
    page = open_page(quiet=True)
    create_table(page, "parade")
    table = page.url
    page.wait_for_selector(".status.playing")
    wait_for_service_worker(page, "/")
    page.goto("/")
    page.evaluate("localStorage.setItem('name', 'Alice')")
    page.reload()  # a visitor who has played gets the score pads too
    wait_for_service_worker(page, "/score/")
    wait_until(page, "async () => Boolean(await caches.match('/score/parade'))")
    set_offline(page, offline=True)
    page.goto(table)
    expect(page.get_by_role("heading", name="You're offline")).to_be_visible()
    page.get_by_role("link", name="Parade score pad").click()
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    page.goto(table)
    set_offline(page, offline=False)
    page.get_by_role("link", name="Try again").click()
    expect(page.locator(".hand .card")).to_have_count(5)
    assert page.url == table


def test_a_first_visit_registers_nothing(open_page: OpenPage) -> None:
    page = open_page()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0

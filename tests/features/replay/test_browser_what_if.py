"""What-if in a real browser: from a position of a handwritten game to another ending, by touch."""

from __future__ import annotations

from support import browser
from support.browser import MAX_TURNS, PHONE, OpenPage, expect, play_by_touch, take_turn
from support.paths import RECORDS
from wonderland.engine.record_reader import read_record
from wonderland.features.fairness.verification import check
from wonderland.features.replay.branch import move_count_at

pytestmark = browser.MARKS
NOTED = RECORDS / "parade" / "noted-by-the-hatter.record"
AT = 36


def test_another_ending_is_played_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("/replay", **PHONE)
    brought = page.request.post("/api/replays", data={"text": NOTED.read_text(encoding="utf-8")})
    page.goto(f"/replay/{brought.json()['id']}?at={AT}&seat=1")
    page.locator("#what-if summary").tap()
    page.locator("#go-on select[name=level]").select_option(index=0)
    page.locator("#go-on button").tap()
    page.wait_for_url("**/tables/*")
    expect(page.locator(".seats .me .who")).to_have_text("Hatter")
    assert page.locator(".seats li[data-bot]").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for _ in range(MAX_TURNS):
        if not take_turn(page, play_by_touch):
            break
    table = page.url.rpartition("/")[2]
    record = read_record(page.request.get(f"/api/tables/{table}/record").text()).whole
    noted = read_record(NOTED.read_bytes()).whole
    begun = move_count_at(noted, AT)
    seats = [move.actor for move in record.moves[:begun]]
    assert seats == [move.actor for move in noted.moves[:begun]]
    assert f"ok: The first {begun} moves were taken over" in check(record)
    page.locator("#drawer-handle").tap()
    page.get_by_role("link", name="Back to the replay").tap()
    page.wait_for_url(f"**/replay/*at={AT}*")

"""Consent and second thoughts in a real browser: stand-ins, taking back, and clicking twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from support import browser
from support.browser import (
    PHONE,
    OpenPage,
    create_table,
    expect,
    piece_names,
    play_by_mouse,
    play_over_http,
    table_version,
    take_turn,
    two_players,
)

pytestmark = browser.MARKS

_INVITE = """async () => {
  const answer = await fetch("/api/tables", {
    method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify({game: "parade", seats: 2, away: 10}),
  });
  const {table, invitation} = await answer.json();
  return `/tables/${table}#${invitation}`;
}"""


def sit_down(page: Any, link: str, seat: int, name: str) -> None:
    """Take a seat over HTTP, then open the table."""
    table, _, invitation = link.rpartition("/")[2].partition("#")
    sit = {"do": "sit", "at": seat, "key": f"key-of-{name}", "seat": seat, "name": name}
    sit |= {"contribution": "ab" * 16, "invitation": invitation}
    assert page.request.post(f"/api/tables/{table}/commands", data=sit).ok
    page.goto(link)
    expect(page.locator(".seats .me .who")).to_have_text(name)


@contextmanager
def short_absences(open_page: OpenPage) -> Iterator[tuple[Any, Any, str]]:
    """Alice and Bill at a table where ten seconds of absence are enough; it is Alice's turn."""
    alice, bill = open_page(), open_page(**PHONE)
    link = alice.evaluate(_INVITE)
    sit_down(alice, link, 0, "Alice")
    sit_down(bill, link, 1, "Bill")
    alice.get_by_role("button", name="Start the game").click()
    for page in (alice, bill):
        expect(page.locator(".hand .card")).to_have_count(5)
    if bill.locator(".status.mine").count():
        bill.locator("[data-play]").first.evaluate("e => e.click()")
    expect(alice.locator(".status.mine")).to_be_visible()
    yield alice, bill, link.partition("#")[0]


def is_inside(inner: Any, outer: Any) -> bool:
    """Whether an element covers nothing beyond another one."""
    one, other = inner.bounding_box(), outer.bounding_box()
    return all(
        other[start] <= one[start] and one[start] + one[size] <= other[start] + other[size]
        for start, size in (("x", "width"), ("y", "height"))
    )


def propose_bot(page: Any) -> dict[str, Any]:
    table = page.locator("#table").get_attribute("data-table")
    command = {"do": "propose", "seat": 0, "what": "bot", "about": 1, "key": "key-of-a-click"}
    answer = page.request.post(
        f"/api/tables/{table}/commands", data=command | {"at": table_version(page)}
    )
    found: dict[str, Any] = answer.json()
    return found


def test_a_present_player_is_not_replaced(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, _):
        expect(alice.get_by_role("button", name="Let a bot play")).to_have_count(0)
        assert propose_bot(alice)["problem"] == "not now"
        expect(alice.locator(".seats")).not_to_contain_text("a bot is standing in")
        expect(bill.locator("#stand_in")).to_be_hidden()


def test_an_absent_player_is_replaced_after_a_countdown_and_returns(open_page: OpenPage) -> None:
    with short_absences(open_page) as (alice, bill, table):
        dinah = open_page(table)
        bill.goto("/people")
        for page in (alice, dinah):
            notice = page.locator("#absences")
            expect(notice).to_contain_text("Bill is away.")
            expect(notice.locator(".countdown")).to_have_text(re.compile(r"0:\d\d"))
            expect(page.locator(".away-sign")).to_have_text(re.compile(r"0:\d\d"))
            assert is_inside(
                page.locator(".away-sign .left"), page.locator(".player[data-at='1'] > .box")
            )
            expect(notice.get_by_role("button")).to_have_count(0)
        alice.get_by_role("button", name="Let a bot play for Bill").click()
        expect(alice.locator(".seats")).to_contain_text("a bot is standing in")
        expect(alice.locator("#absences")).to_be_empty()
        expect(alice.locator(".away-sign")).to_have_count(0)
        buttons = dinah.locator("#absences button, .away-sign button")
        assert buttons.count() == 0, "spectators have no say"
        take_turn(alice, play_by_mouse)
        expect(alice.locator(".status.mine")).to_be_visible()

        bill.goto(table)
        notice = bill.locator("#stand_in")
        expect(notice).to_contain_text("Alice let a bot play")
        expect(notice).to_contain_text("one move")
        box, view = notice.bounding_box(), bill.viewport_size
        assert abs(box["x"] + box["width"] / 2 - view["width"] / 2) < 20
        assert abs(box["y"] + box["height"] / 2 - view["height"] / 2) < 60
        bill.get_by_role("button", name="Take my seat back").tap()
        expect(notice).to_be_hidden()
        expect(alice.locator(".seats")).not_to_contain_text("a bot is standing in")
        take_turn(alice, play_by_mouse)
        expect(bill.locator(".status.mine")).to_be_visible()


def test_a_player_may_let_the_bot_play_on(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, _):
        bill.once("dialog", lambda dialog: dialog.accept())
        bill.get_by_role("button", name="Leave").click()
        expect(bill.locator("#stand_in")).to_be_visible()
        bill.get_by_role("button", name="Let the bot play on").click()
        expect(bill.locator("#stand_in")).to_be_hidden()
        bill.get_by_role("button", name="I'm back").click()
        expect(alice.locator(".seats")).not_to_contain_text("a bot is standing in")


def test_alone_a_move_is_taken_back_and_the_shuffle_stays(open_page: OpenPage) -> None:
    page = open_page()
    create_table(page, "parade")
    page.wait_for_selector(".status.mine")
    expect(page.get_by_role("button", name="Take back")).to_have_count(0)
    hand, card = piece_names(page), page.locator("[data-play]").first.get_attribute("data-play")
    results = []
    for _ in range(2):
        page.wait_for_selector(".status.mine")
        assert piece_names(page) == hand
        page.locator(f'[data-play="{card}"]').click()
        expect(page.locator(f'.hand [data-piece="{card}"]')).to_have_count(0)
        page.wait_for_selector(".status.mine")
        results.append(piece_names(page))
        page.get_by_role("button", name="Take back").click()
        expect(page.locator(f'.hand [data-piece="{card}"]')).to_be_visible()
    assert results[0] == results[1], "the same card is drawn again"
    expect(page.locator("#toast")).to_be_hidden()


def test_taking_back_is_offered_only_where_it_can_succeed(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, _):
        mover = alice if alice.locator(".status.mine").count() else bill
        take_turn(mover, play_by_mouse)
        expect(mover.locator(".status.mine")).to_have_count(0)
        expect(mover.get_by_role("button", name=re.compile("take back", re.IGNORECASE))).to_have_count(0)
        play_over_http(alice, bill, until=lambda shown: len(shown["to_act"]) > 1)
        alice.locator(".pair").first.click()
        alice.get_by_role("button", name="Ask to take back").click()
        bill.get_by_role("button", name="Agree").click()
        expect(alice.locator(".pair")).to_have_count(6)


_CLICK_TWICE = """() => {
  const choice = document.querySelector(".pair");
  choice.click();
  const all = [...document.querySelectorAll("[data-play]")];
  const shown = choice.classList.contains("sent") && all.every((e) => e.ariaDisabled === "true");
  choice.click();
  all.at(-1).click();
  return shown;
}"""


def test_a_choice_shows_at_once_and_a_second_click_is_silent(open_page: OpenPage) -> None:
    page = open_page(pace="1600")
    create_table(page, "parade", seats=4, bots={"1": "dodo", "2": "dodo", "3": "dodo"})
    play_over_http(page, until=lambda shown: "&" in "".join(shown["legal"]))
    page.wait_for_selector(".pair")
    plays: list[str] = []
    answers: list[str] = []
    page.on(
        "websocket",
        lambda socket: (
            socket.on("framesent", lambda sent: '"play"' in sent and plays.append(sent)),
            socket.on("framereceived", lambda got: '"refused"' in got and answers.append(got)),
        ),
    )
    page.reload()
    expect(page.locator("#connection.connected")).to_be_visible()
    page.wait_for_selector(".pair")
    assert page.evaluate(_CLICK_TWICE), "what was chosen is shown before the server answers"
    expect(page.locator(".pair")).to_have_count(0)
    assert len(plays) == 1
    assert answers == []
    expect(page.locator("#toast")).to_be_hidden()


def test_the_same_click_from_two_windows_is_one(open_page: OpenPage) -> None:
    """The page can't know what another window of the same player has sent; the server does."""
    page = open_page()
    create_table(page, "parade")
    page.wait_for_selector(".status.mine")
    table, at = page.locator("#table").get_attribute("data-table"), table_version(page)
    card = page.locator("[data-play]").first.get_attribute("data-play")
    click = {"do": "play", "seat": 0, "action": card, "at": at}
    done = [
        page.request.post(f"/api/tables/{table}/commands", data=click | {"key": key}).json()
        for key in ("key-of-one-window", "key-of-another")
    ]
    assert [answer["version"] for answer in done] == [at + 1, at + 1]


def test_numbers_choose_and_arrows_step_back(open_page: OpenPage) -> None:
    page = open_page()
    create_table(page, "parade")
    take_turn(page, play_by_mouse)
    page.wait_for_selector(".status.mine")
    moves = int(page.locator("#table").get_attribute("data-moves"))
    banner = page.locator("#history-banner")
    page.keyboard.press("ArrowLeft")
    expect(banner).to_contain_text(f"Move {moves - 1} of {moves}")
    page.keyboard.press("ArrowLeft")
    expect(banner).to_contain_text(f"Move {moves - 2} of {moves}")
    page.keyboard.press("ArrowRight")
    expect(banner).to_contain_text(f"Move {moves - 1} of {moves}")
    page.keyboard.press("ArrowRight")
    expect(banner).to_be_hidden()
    page.keyboard.press("ArrowRight")  # nothing is newer: on to the choices
    expect(page.locator("[data-play]").first).to_be_focused()
    third = page.locator("[data-play]").nth(2)
    page.keyboard.press("3")
    expect(third).to_be_focused()
    expect(page.locator("#preview")).to_have_text(third.get_attribute("aria-label"))
    page.keyboard.press("ArrowLeft")  # between choices while one has the focus
    expect(page.locator("[data-play]").nth(1)).to_be_focused()
    card = page.locator("[data-play]").first.get_attribute("data-play")
    page.keyboard.press("1")
    page.keyboard.press("1")
    expect(page.locator(f'.hand [data-piece="{card}"]')).to_have_count(0)


def drag(page: Any, choice: Any, place: Any) -> None:
    """Drag with the mouse, and look at the marks on the way."""
    start, end = choice.bounding_box(), place.bounding_box()
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)
    expect(choice).to_have_class(re.compile("marked.*dragged|dragged.*marked"))
    expect(page.locator("#preview")).to_have_text(choice.get_attribute("aria-label"))
    page.mouse.up()


def test_a_card_is_dragged_to_the_parade(open_page: OpenPage) -> None:
    page = open_page()
    create_table(page, "parade")
    page.wait_for_selector(".status.mine")
    expect(page.locator("#connection.connected")).to_be_visible()
    choice, before = page.locator(".hand [data-play]").first, table_version(page)
    drag(page, choice, page.locator(".pile"))  # not where it goes
    expect(choice).not_to_have_class(re.compile("dragged|sent"))
    assert table_version(page) == before
    card = choice.get_attribute("data-play")
    drag(page, choice, page.locator(".next-place"))
    expect(page.locator(f'.hand [data-piece="{card}"]')).to_have_count(0)


_TOUCH = """([from, to]) => {
  const [x, y] = from;
  const target = document.elementFromPoint(x, y);
  const touch = (type, [clientX, clientY]) => target.dispatchEvent(new PointerEvent(type, {
    pointerId: 7, pointerType: "touch", isPrimary: true, button: type === "pointermove" ? -1 : 0,
    bubbles: true, clientX, clientY,
  }));
  target.closest("[data-play]").setPointerCapture = () => {};  // there is no real finger to capture
  touch("pointerdown", from);
  touch("pointermove", [(x + to[0]) / 2, (y + to[1]) / 2]);
  touch("pointermove", to);
  touch("pointerup", to);
}"""


def test_a_card_is_dragged_with_a_finger(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    create_table(page, "parade")
    page.wait_for_selector(".status.mine")
    expect(page.locator("#connection.connected")).to_be_visible()
    choice = page.locator(".hand [data-play]").last
    assert choice.evaluate("e => getComputedStyle(e).touchAction") == "none"
    middles = []
    for element in (choice, page.locator(".next-place")):
        box = element.bounding_box()
        middles.append([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
    card = choice.get_attribute("data-play")
    page.evaluate(_TOUCH, middles)
    expect(page.locator(f'.hand [data-piece="{card}"]')).to_have_count(0)

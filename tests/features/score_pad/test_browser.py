"""Score pads in a real browser: the rulebook example by keyboard, by touch, offline, printed."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from support import browser
from support.browser import PHONE, OpenPage, expect, set_offline
from support.server import ServerProcess
from wonderland.games.cookies.rules import scoring as cookies
from wonderland.games.parade.rules import scoring as parade
from wonderland.games.parade.rules.components import DECK, Card
from wonderland.games.parade.rules.state import Ending
from wonderland.games.parade.ui.words import card_name
from wonderland.web.assets import release

pytestmark = browser.MARKS

EXAMPLE = {
    "Alice": "R10 R8 R3 B9 B7 B6 B5 B0 P0 G4 G2 Y7 Y4 Y0",
    "Hatter": "R1 R0 B8 P8 P7 P5 P3 Y9 Y8 Y1 O10 O1",
    "Cheshire": "R7 R6 R5 R2 B4 B3 P2 P1 G9 G8 G7 G6 Y10 O3 O2 O0",
}
SHEET = [
    ["Alice", "21", "★5", "0", "6", "★3", "-", "35"],
    ["Hatter", "1", "8", "★4", "-", "★3", "11", "27"],
    ["Cheshire", "★4", "7", "3", "★4", "10", "★3", "31"],
]
RESULT = "Hatter wins (Alice: 35, Hatter: 27, Cheshire: 31): lowest score."
ROWS = """all => all.map(row => [...row.cells].map(cell => {
  const own = cell.cloneNode(true);
  own.querySelectorAll(".visually-hidden, small").forEach(each => each.remove());
  return own.textContent.trim().replace("\\u2013", "-");
}))"""


def rows(page: Any, where: str) -> list[list[str]]:
    """Return the visible text of a table, row by row."""
    found: list[list[str]] = page.locator(where).evaluate_all(ROWS)
    return found


def spot(page: Any, card: str) -> Any:
    return page.locator(f'[data-card="{int(Card.read(card))}"]')


def write(page: Any, game: str, **state: Any) -> None:
    """Store a pad as if all this had been entered before."""
    kept = {"state": {"player": 0, "rounds": [], "changing": None} | state, "past": []}
    page.evaluate("([key, kept]) => localStorage.setItem(key, JSON.stringify(kept))", [game, kept])
    page.reload()


def move_by_arrows(page: Any, card: Card, at: Card) -> None:
    """Move between cards with the arrow keys; on a desktop, each colour is a row."""
    for number, keys in (
        (card.colour - at.colour, ("ArrowDown", "ArrowUp")),
        (card.value - at.value, ("ArrowRight", "ArrowLeft")),
    ):
        for _ in range(abs(number)):
            page.keyboard.press(keys[number < 0])


def test_the_rulebook_example_by_keyboard(open_page: OpenPage) -> None:
    page = open_page("/score/parade")
    for number, name in enumerate(EXAMPLE):
        page.get_by_label(f"Player {number + 1}'s name").focus()
        page.keyboard.type(name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Round 1")).to_be_focused()
    at = DECK[0]
    for number, (name, cards) in enumerate(EXAMPLE.items()):
        page.locator("#chips input:checked").focus()
        if number:
            page.keyboard.press("ArrowRight")
        expect(page.get_by_role("radio", name=name)).to_be_checked()
        page.keyboard.press("Tab")
        for card in map(Card.read, cards.split()):
            move_by_arrows(page, card, at)
            expect(spot(page, str(card))).to_be_focused()
            page.keyboard.press("Space" if card.value % 2 else "Enter")
            expect(page.locator("#told")).to_contain_text(f"{name}: {card_name(card)}, now ")
            at = card
    expect(page.locator("#told")).to_have_text("Cheshire: Orange 0, now on 31 points")
    assert rows(page, "#score-sheet tbody tr:visible") == SHEET
    expect(page.locator("#result")).to_have_text(RESULT)
    taken = spot(page, "R10")
    expect(taken).to_have_attribute("aria-label", "Alice has Red 10.")
    expect(taken.locator("i")).to_have_text("A")

    page.reload()  # which loses nothing
    assert rows(page, "#score-sheet tbody tr:visible") == SHEET
    page.get_by_role("button", name="Add round").press("Enter")
    assert rows(page, ".rounds tbody tr") == [["1 ✎", "35", "♛27", "31"]]
    page.get_by_role("button", name="Add round").press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Alice has no cards yet.")
    _change_and_undo(page)
    _start_again(page)


def _change_and_undo(page: Any) -> None:
    page.get_by_role("button", name="Edit round 1").press("Enter")
    expect(spot(page, "R10")).to_have_attribute("aria-pressed", "true")
    spot(page, "R10").press("Space")
    expect(page.locator("#told")).to_have_text("Alice: Red 10 removed, now on 25 points")
    page.get_by_role("button", name="Save round 1").press("Enter")
    assert rows(page, ".rounds tfoot tr") == [["Total", "♛25", "27", "31"]]
    for _ in range(3):  # save, remove, choose the round
        page.get_by_role("button", name="Undo").press("Enter")
    assert rows(page, ".rounds tfoot tr") == [["Total", "35", "♛27", "31"]]
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()


def _start_again(page: Any) -> None:
    page.get_by_role("button", name="New game").press("Enter")
    page.get_by_role("button", name="Keep this game").press("Enter")
    expect(page.locator(".rounds tbody tr")).to_have_count(1)
    page.get_by_role("button", name="New game").press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="New game").press("Enter")
    page.get_by_label("Player 2's name").fill("Alice")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Two players have the same name.")
    page.get_by_role("radio", name="2").check()
    page.get_by_label("Player 2's name").fill("")
    page.keyboard.press("Enter")
    expect(page.locator("#rounds")).to_be_hidden()
    assert page.locator("#chips .who").all_text_contents() == ["Alice", "Player 2"]


def test_two_players_on_a_phone_by_touch(open_page: OpenPage) -> None:
    page = open_page("/score/parade", **PHONE)
    page.get_by_role("radio", name="2").tap()
    page.get_by_role("button", name="Start").tap()
    last, dock = page.locator(".spot").last.bounding_box(), page.locator(".pad-dock").bounding_box()
    assert last["y"] + last["height"] <= dock["y"], "all cards are visible"
    assert dock["y"] + dock["height"] <= page.viewport_size["height"]
    for card in ("R1", "R10"):
        spot(page, card).tap()
    page.get_by_role("button", name="Next player").tap()
    for card in ("R2", "B9"):
        spot(page, card).tap()
    spot(page, "R1").tap(force=True)  # reported as unavailable
    expect(page.locator("#told")).to_have_text("Player 1 has Red 1.")
    assert rows(page, "#score-sheet tbody tr:visible") == [
        ["Player 1", "11", *"-----", "11"],  # one more is not enough for two players
        ["Player 2", "2", "9", *"----", "11"],
    ]
    expect(page.locator("#result")).to_contain_text("Player 1 and Player 2 share the win")
    spot(page, "R2").tap()
    assert rows(page, "#score-sheet tbody tr:visible")[0] == ["Player 1", "★2", *"-----", "2"]
    page.get_by_role("button", name="Undo").tap()
    spot(page, "O0").tap()
    expect(page.locator("#result")).to_contain_text("Player 1 wins")
    expect(page.locator("#result")).to_contain_text("fewest cards.")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.evaluate("scrollY") == 0

    page.goto("/score/letters")
    page.get_by_role("button", name="Start").tap()
    for winner in ("Player 2", "Player 3", "Player 2"):
        page.get_by_role("button", name=winner).tap()
        page.get_by_role("button", name="Add round").tap()
    assert rows(page, ".rounds tfoot tr") == [["Total", "0", "♛2", "1"]]


def test_cookies_are_counted_and_pawns_break_ties(open_page: OpenPage) -> None:
    page = open_page("/score/cookies", **PHONE)
    page.get_by_role("radio", name="2").tap()
    page.get_by_role("button", name="Start").tap()
    more = page.get_by_role("group", name="large cookies worth 5").get_by_role("button", name="Add one")
    for _ in range(3):
        more.tap()
    page.get_by_role("button", name="Next player").tap()
    more.tap()
    expect(more).to_have_attribute("aria-disabled", "true")  # four of each with two players
    for kind in ("worth 4", "worth 3"):
        page.get_by_role("group", name=kind).get_by_role("button", name="Add one").tap()
    small = page.get_by_role("group", name="small cookies worth 1")
    for _ in range(4):
        small.get_by_role("button", name="Add one").tap()
    expect(page.locator("#told")).to_have_text("Player 2: small cookies worth 1: 4, now on 16 points")
    small.get_by_role("button", name="Take one away").tap()
    asked = page.get_by_role("group", name="Whose pawn is farthest from the Tea Party?")
    asked.get_by_role("radio", name="Player 1").tap()
    expect(page.locator("#result")).to_contain_text("Player 1 wins")
    expect(page.locator("#result")).to_contain_text("farthest pawn.")
    page.get_by_role("button", name="Add round").tap()
    assert rows(page, ".rounds tbody tr") == [["1 ✎", "♛15", "15"]]


def zones(rng: random.Random) -> list[list[Card]]:
    """Cards in front of some players: many, or so few that there are ties."""
    deck = rng.sample(DECK, len(DECK))
    most = rng.choice((2, 3, 11))
    return [[deck.pop() for _ in range(rng.randint(0, most))] for _ in range(rng.randint(2, 6))]


ASK = """async ([module, cases]) => {
  const { scored, sheetsOf } = await import(module);
  return JSON.stringify(cases.map(given => [scored(...given), sheetsOf ? sheetsOf(...given) : null]));
}"""


def scores_of(page: Any, module: str, cases: list[Any]) -> Any:
    """Return the scores that a game's script computes for some cases."""
    folder = page.locator("script[type=module]").get_attribute("src").rpartition("/")[0]
    return json.loads(page.evaluate(ASK, [f"{folder}/{module}", cases]))


def test_the_script_scores_like_the_rules(open_page: OpenPage) -> None:
    rng = random.Random(8)
    page = open_page("/score/parade")
    words = page.evaluate("({...document.getElementById('spots').dataset})")
    cases = [zones(rng) for _ in range(400)]
    found = scores_of(page, "parade-scoring.js", [[case] for case in cases])
    reasons = set()
    for case, (result, sheets) in zip(cases, found, strict=True):
        wanted = parade.result_of(case, Ending.EMPTY_PILE)
        assert (tuple(result["points"]), tuple(result["winners"])) == (wanted.scores, wanted.winners)
        assert words[result["decided"]] == wanted.decided
        for ours, theirs in zip(sheets, parade.score_sheets(case), strict=True):
            assert [(each["cards"], each["majority"], each["points"]) for each in ours] == [
                (list(score.cards), score.majority, score.points) for score in theirs.colours
            ]
        reasons.add(wanted.decided)
    assert len(reasons) == 3, "every way to win occurred"

    page.goto("/score/cookies")
    words = page.evaluate("({...document.getElementById('kinds').dataset})")
    counted = []
    for _ in range(400):
        seats = rng.randint(2, 4)
        large = [rng.choices(range(2, 6), k=rng.randint(0, 3)) for _ in range(seats)]
        counted.append([large, [rng.randint(0, 3) for _ in large], [rng.randint(0, 2) for _ in large]])
    found = scores_of(page, "cookies-scoring.js", counted)
    reasons = set()
    for given, (result, _) in zip(counted, found, strict=True):
        told = cookies.result_of(*given)
        assert (tuple(result["points"]), tuple(result["winners"])) == (told.scores, told.winners)
        assert words[result["decided"]] == told.decided
        reasons.add(told.decided)
    assert len(reasons) == 4


STORED = """async () => {
  const names = await caches.keys();
  const stores = await Promise.all(names.map(name => caches.open(name)));
  const kept = await Promise.all(stores.map(store => store.keys()));
  return [names, kept.flat().map(each => new URL(each.url).pathname)];
}"""
STALE = "name => caches.open(name).then(it => it.put('/score/parade', new Response('stale')))"


def test_it_works_offline_and_stores_no_table(open_page: OpenPage, server: ServerProcess) -> None:
    page = open_page("/", quiet=True)
    browser.start_from_home(page)
    table = page.url
    page.evaluate(STALE, "pads-of-an-older-release")
    page.goto("/score/parade")
    page.get_by_role("button", name="Start").click()
    browser.wait_for_service_worker(page, "/score/")
    page.goto(table)  # not handled by this service worker
    controller = page.evaluate("navigator.serviceWorker.controller?.scriptURL ?? ''")
    assert "/score/" not in controller
    page.evaluate(STALE, f"pads-{release()}")
    page.goto("/score/parade")  # from the network while there is one
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    set_offline(page, offline=True)
    server.stop()
    try:
        page.reload()
        spot(page, "R7").click()
        expect(page.locator("#told")).to_have_text("Alice: Red 7, now on 1 point")
        page.reload()
        expect(spot(page, "R7")).to_have_attribute("aria-pressed", "true")
        assert page.evaluate("getComputedStyle(document.querySelector('.spots')).display") == "grid"
        page.goto("/score/cookies")  # all pads are cached with the first
        page.get_by_role("button", name="Start").click()
        stores, kept = page.evaluate(STORED)
        assert len([name for name in stores if name.startswith("pads-")]) == 1, "older ones are gone"
        assert all(re.fullmatch(r"/offline|/score/\w+|/static/\w+/[\w.-]+", path) for path in kept)
    finally:
        server.start()
        set_offline(page, offline=False)
    page.goto("/score/parade")
    assert page.evaluate("fetch('/healthz').then(answer => answer.ok)")


def test_ten_rounds_of_six_players_print_on_one_page(open_page: OpenPage) -> None:
    rng = random.Random(3)
    names = ["Alexandrina Wilhelmina Featherstonehaugh", "Hatter", "Dinah", "Queen", "Bill", "W" * 40]
    decks = [rng.sample(range(len(DECK)), len(DECK)) for _ in range(10)]
    rounds = [[sorted(deck[9 * seat : 9 * seat + 9]) for seat in range(len(names))] for deck in decks]
    page = open_page("/score/parade")
    write(page, "pad.parade", players=names, rounds=rounds, draft=[[] for _ in names])
    expect(page.locator(".rounds tbody tr")).to_have_count(10)
    page.emulate_media(media="print")
    expect(page.locator("#sheets table:visible")).to_have_count(10)
    expect(page.locator(".spots")).to_be_hidden()
    for paper in ("A4", "Letter"):
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper))) == 1, paper


def test_any_stored_data_still_lets_the_pad_start(open_page: OpenPage) -> None:
    page = open_page("/score/parade")
    twice = {"player": 0, "rounds": [], "changing": None, "players": ["A", "B"], "draft": [[3], [3]]}
    for kept in ("nonsense", "{}", json.dumps({"state": twice, "past": []})):
        page.evaluate("kept => localStorage.setItem('pad.parade', kept)", kept)
        page.reload()
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
        expect(page.locator(".spot[aria-pressed=true]")).to_have_count(0)


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "ja", "pl"])
def test_long_words_fit_on_a_phone(open_page: OpenPage, language: str) -> None:
    page = open_page(f"/score/parade?lang={language}", **PHONE)
    page.locator("#setup button").tap()
    spot(page, "B10").tap()
    told = page.locator("#told")
    expect(told).not_to_be_empty()
    assert told.bounding_box()["width"] >= 100, "not a word cut into syllables"
    total = page.locator(".sheet thead th").last
    assert total.evaluate("cell => cell.scrollWidth <= cell.clientWidth"), total.inner_text()


def test_axe_finds_no_violations_on_a_pad_in_use(open_page: OpenPage) -> None:
    axe = pytest.importorskip("axe_playwright_python.base", reason="axe is not installed")
    page = open_page("/score/parade", reduced_motion="reduce")
    full = [[int(Card.read(card)) for card in cards.split()] for cards in EXAMPLE.values()]
    write(page, "pad.parade", players=list(EXAMPLE), rounds=[full], draft=full)
    page.goto("/score/cookies")
    some = {"counts": [[1, 0, 0, 2, 3], [1, 0, 0, 2, 3]], "farthest": None}
    write(page, "pad.cookies", players=["Alice", "Bill"], rounds=[some], draft=some)
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}
    check = "rules => axe.run(document, rules).then(f => f.violations.map(v => v.id + v.nodes[0].html))"
    for path, looks in (
        ("/score/cookies", [(360, "dark")]),
        ("/score/parade", [(1280, "light"), (360, "dark")]),
    ):
        page.goto(path)
        page.evaluate(axe.AXE_SCRIPT)
        for width, scheme in looks:
            page.set_viewport_size({"width": width, "height": 740})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert page.evaluate(check, rules) == [], (path, scheme)
        page.set_viewport_size({"width": 320, "height": 500})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320

"""The guidance in Cookies agrees with the rules, whatever the learner plays."""

from __future__ import annotations

import re
from itertools import pairwise

import msgspec
import pytest

from support.tutorial_plays import GuideContext, Step, play_tutorial
from wonderland.engine.match import Match
from wonderland.engine.record import read_given_chance
from wonderland.engine.record_reader import AnyMatch
from wonderland.games.cookies import GAME
from wonderland.games.cookies.rules.board import Kind
from wonderland.games.cookies.rules.components import DECK
from wonderland.games.cookies.rules.events import (
    CardPlayed,
    CookieTaken,
    Event,
    PawnMoved,
    PawnShrank,
    SmallCookiesTaken,
    StayedInHole,
)
from wonderland.games.cookies.rules.notation import read
from wonderland.games.cookies.rules.rules import certain_step
from wonderland.games.cookies.rules.scoring import points
from wonderland.games.cookies.rules.state import (
    Deciding,
    Ended,
    PlayCard,
    Playing,
    TakeCookie,
    Taking,
    pile_size,
)
from wonderland.games.cookies.rules.view import View, observed_state
from wonderland.games.cookies.ui.tutorial import TUTORIAL, guide

SEEDS = range(40)
WORDS = GuideContext(("Alice", "Bill"))
PLACES = {
    "stops at the Hatter's Tea Party": Kind.TEA_PARTY,
    "leads to Small Cookies": Kind.SMALL_COOKIES,
    "leads to the Caterpillar": Kind.CATERPILLAR,
    "leads to the Cheshire Cat": Kind.CHESHIRE_CAT,
    "leads into the Rabbit Hole": Kind.RABBIT_HOLE,
}


@pytest.fixture(scope="module")
def plays() -> list[list[Step]]:
    return [play_tutorial("cookies", seed) for seed in SEEDS]


def start_tutorial() -> AnyMatch:
    return Match(GAME, ("Alice", "Bill"), given=read_given_chance(GAME, TUTORIAL.given_outcomes()))


def guidance_after(view: View, *events: Event, turns: int = 1) -> str:
    """Return the guidance after these events, when the learner has played this many cards."""
    play = read("left2")
    assert isinstance(play, PlayCard)
    return " ".join(guide(view, [*[CardPlayed(0, play)] * turns, *events], WORDS).says)


def test_both_piles_are_complete_c2() -> None:
    given = read_given_chance(GAME, TUTORIAL.given_outcomes())
    for label in ("card1", "card2"):
        assert sorted(given[label]) == sorted(DECK)


def test_an_explained_space_is_one_that_a_card_reaches_c11(plays: list[list[Step]]) -> None:
    met = set()
    for play in plays:
        for step in play:
            kinds = [kind for words, kind in PLACES.items() if words in step.text]
            assert len(kinds) <= 1
            for kind in kinds:
                met.add(kind)
                spot = int(step.guidance.points_at[0].removeprefix("space-")) - 1
                board = step.view.options.board
                assert board.spaces[spot].kind is kind
                assert spot in _first_stops(step)
                assert kind is not Kind.RABBIT_HOLE or step.view.large != 0
    assert met == set(PLACES.values())


def _first_stops(step: Step) -> set[int]:
    found = set()
    for action in step.legal:
        _, events = certain_step(observed_state(step.view), 0, action)
        found.add(next(event.end for event in events if isinstance(event, PawnMoved)))
    return found


def test_a_joker_is_named_with_the_number_that_reaches_it_c8(plays: list[list[Step]]) -> None:
    jokers = 0
    for play in plays:
        for step in play:
            named = re.search(r"our Joker as (\d)", step.text)
            if named is None:
                continue
            jokers += 1
            spot = int(step.guidance.points_at[0].removeprefix("space-")) - 1
            ways = [a for a in step.legal if isinstance(a, PlayCard) and a.steps == int(named[1])]
            ends = {
                next(
                    e.end
                    for e in certain_step(observed_state(step.view), 0, way)[1]
                    if isinstance(e, PawnMoved)
                )
                for way in ways
            }
            assert spot in ends
    assert jokers


def test_figures_match_the_table(plays: list[list[Step]]) -> None:
    seen = set()
    for play in plays:
        for step in play:
            view, text = step.view, step.text
            if found := re.search(r"face-up large cookie\. Right now it's worth (\d)", text):
                assert int(found[1]) == view.larder.face_up
                seen.add("cookie")
            if found := re.search(r"You have (\d+) cards? left", text):
                seen.add("cards")
                hand = view.hands[0]
                assert int(found[1]) == len(hand) + pile_size(hand, view.unseen[0])
            if isinstance(view.stage, Ended):
                total = points(view.larder.large[0], view.larder.small[0])
                assert f": {total} points in all." in text
                assert view.stage.result.scores[0] == total
                seen.add("total")
    assert seen == {"cookie", "cards", "total"}


def test_a_cookie_choice_is_explained_with_the_contents_of_the_stack_c13(
    plays: list[list[Step]],
) -> None:
    chosen = 0
    for play in plays:
        for step in play:
            if step.acts and isinstance(step.view.stage, Taking):
                larder = step.view.larder
                assert larder.face_up is not None
                told = r"worth (\d)\. In the stack, (\d+) (?:is|are) worth more and (\d+) less"
                found = re.search(told, step.text)
                assert found is not None
                more = sum(cookie > larder.face_up for cookie in larder.stack)
                less = sum(cookie < larder.face_up for cookie in larder.stack)
                assert [int(number) for number in found.groups()] == [larder.face_up, more, less]
                chosen += 1
    assert chosen


def test_a_spin_is_explained_with_the_number_left_c18(plays: list[list[Step]]) -> None:
    asked = 0
    for play in plays:
        for step in play:
            stage = step.view.stage
            if step.acts and isinstance(stage, Deciding):
                assert re.search(rf"spin again: you have {stage.spins} spins? left", step.text)
                assert step.guidance.points_at == (f"space-{step.view.spinner + 1}",)
                asked += 1
            if step.acts and isinstance(stage, Playing):
                assert ("a card doesn't move you" in step.text) == step.view.in_hole(0)
    assert asked


def test_the_last_cards_result_is_explained_c10_c14(plays: list[list[Step]]) -> None:
    """Judged by the cookies that the learner gained."""
    seen = set()
    for play in plays:
        for before, after in pairwise(play):
            if before.chosen is None or isinstance(after.view.stage, Ended | Taking | Deciding):
                continue
            large = len(after.view.larder.large[0]) - len(before.view.larder.large[0])
            small = after.view.larder.small[0] - before.view.larder.small[0]
            if large:
                assert "You took a large cookie" in after.text
            if small:
                assert re.search(rf"gave you {small} small cookies?, worth 1", after.text)
            seen |= {"large"} if large else set()
            seen |= {"small"} if small else set()
    assert seen == {"large", "small"}


def test_the_pawns_changes_are_explained_c15_c17() -> None:
    view = start_tutorial().view(0)
    assert "small again" in guidance_after(view, PawnShrank(0))
    assert "small again" not in guidance_after(view, PawnShrank(1))
    assert "None of your spins got you out" in guidance_after(view, StayedInHole(0))
    assert "gave you 0 small cookies" in guidance_after(view, SmallCookiesTaken(0, 0))
    assert "worth 5" in guidance_after(view, CookieTaken(0, 5, TakeCookie.FACE_UP))
    assert "worth 5" not in guidance_after(view, CookieTaken(1, 5, TakeCookie.FACE_UP))


def test_without_cookies_the_tea_party_is_not_recommended_c10() -> None:
    view = start_tutorial().view(0)
    assert "pass the Tea Party" in guidance_after(view, turns=2)
    larder = msgspec.structs.replace(view.larder, stack=(), face_up=None)
    assert "pass the Tea Party" not in guidance_after(
        msgspec.structs.replace(view, larder=larder), turns=2
    )

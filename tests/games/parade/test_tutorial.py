"""The guidance in Parade agrees with the rules, whatever the learner plays."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, pairwise

import pytest

from campaigns.indistinguishable_plays import settings
from support.tutorial_plays import GuideContext, Step, play_tutorial, play_without_tutorial
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.parade.rules.components import Card
from wonderland.games.parade.rules.events import CardPlayed
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.scoring import points_with, score_sheets
from wonderland.games.parade.rules.state import Ended, Ending, Keeping, PlayCard, Playing
from wonderland.games.parade.rules.view import View
from wonderland.games.parade.ui.tutorial import guide
from wonderland.games.parade.ui.words import card_name

SEEDS = range(40)
BEGINS = Playing(0)


@pytest.fixture(scope="module")
def plays() -> list[list[Step]]:
    return [play_tutorial("parade", seed) for seed in SEEDS]


def own_turns(play: list[Step]) -> list[Step]:
    return [step for step in play if isinstance(step.chosen, PlayCard)]


def named_cards(text: str) -> list[str]:
    return re.findall(r"(?:Red|Blue|Purple|Green|Grey|Orange) \d+", text)


def names(cards: list[Card]) -> list[str]:
    return list(map(card_name, cards))


def position(parade: str, hand: str, zones: tuple[str, str] = ("", "")) -> View:
    """Return the learner's view of a table with these cards."""

    def cards(text: str) -> tuple[Card, ...]:
        return tuple(sorted(map(Card.read, text.split())))

    hands = (cards(hand), (FACE_DOWN,) * 5)
    open_row = tuple(map(Card.read, parade.split()))
    return View(0, BEGINS, hands, open_row, (cards(zones[0]), cards(zones[1])), 30)


def guidance_at(view: View, turns: int) -> str:
    """Return the guidance when the learner has played this many cards, none of which took any."""
    witnessed = [CardPlayed(0, Card.read("R10"))] * turns
    return " ".join(guide(view, witnessed, GuideContext(("Alice", "Bill"))).says)


def test_the_goal_is_explained_first(plays: list[list[Step]]) -> None:
    for play in plays:
        assert "lowest score wins" in own_turns(play)[0].text


def test_cards_taken_are_named_with_the_right_reasons_p6(plays: list[list[Step]]) -> None:
    checked = 0
    for play in plays:
        for step, after in pairwise(play):
            if not isinstance(step.chosen, PlayCard) or after.view.stage != Playing(1):
                continue
            card = step.chosen.card
            leaving, _ = split_parade(step.view.parade, card)
            said = after.guidance.says[0]
            assert named_cards(said) == names([card, *leaving])
            same = sum(other.colour is card.colour for other in leaving)
            assert said.count("(same colour)") == same
            assert said.count(f"({card.value} or lower)") == len(leaving) - same
            checked += bool(leaving)
    assert checked > 50


def test_cards_called_safe_are_safe_p5(plays: list[list[Step]]) -> None:
    seen: Counter[str] = Counter()
    for play in plays:
        step = own_turns(play)[1]
        card, *others = map(Card.read, step.guidance.points_at)
        parade = step.view.parade
        assert PlayCard(card) in step.legal
        assert others == list(parade[max(len(parade) - card.value, 0) :])
        assert not set(others) & set(split_parade(parade, card)[0])
        said = step.guidance.says[-1]
        assert card_name(card) in said
        number = re.search(r"keeps the last (\d+) cards safe", said)
        if number:
            assert int(number[1]) == card.value == len(others)
        seen[re.sub(r"\w+ \d+|\d+", "_", said)] += 1
    assert len(seen) > 1


def test_high_cards_and_zeros_are_explained_correctly_p5() -> None:
    said = guidance_at(position("B3 B4", "R8"), 1)
    assert "Your Red 8 keeps all 2 safe" in said
    said = guidance_at(position("B3 B4", "O0"), 1)
    assert "Your Orange 0 is a 0, so no card in the parade is safe" in said
    assert "Your Green 1 keeps the last card safe" in guidance_at(position("B0 B4", "G1"), 1)


def test_cards_that_would_leave_are_named_p6(plays: list[list[Step]]) -> None:
    for play in plays:
        if len(own_turns(play)) < 4:
            continue
        step = own_turns(play)[2]
        card, *others = map(Card.read, step.guidance.points_at)
        assert others == split_parade(step.view.parade, card)[0]
        if others:
            assert named_cards(step.guidance.says[-1]) == names([card, *others])
        else:
            assert all(not split_parade(step.view.parade, play.card)[0] for play in step.legal)
    assert "none of your cards" in guidance_at(position("B3 B4", "R8 R9"), 2)


def test_the_points_so_far_match_the_sheet_p14(plays: list[list[Step]]) -> None:
    for play in plays:
        for step in own_turns(play)[3:4]:
            found = re.search(r"(\d+) points?(?: so far\.|\. Cards you take)", step.text)
            sheet = score_sheets(step.view.zones)[0]
            if step.view.stage.turns_left is None:
                assert found is not None, step.text
                assert int(found[1]) == sheet.total
                assert ("★" in step.text) == any(score.majority for score in sheet.colours)
    assert "star ★: 2 points so far" in guidance_at(position("B3", "R8", ("R9 R8", "")), 3)
    assert "0 points" in guidance_at(position("B3 B4", "R8"), 3)


def test_a_majority_is_explained_by_a_real_one_p13() -> None:
    assert "at least two more cards" in guidance_at(position("B3", "R8"), 4)
    assert "Nobody has a majority yet." in guidance_at(position("B3", "R8", ("R9", "R1")), 4)
    said = guidance_at(position("B3", "R8", ("R9", "Y3 Y4")), 4)
    assert "Bill has the majority in Grey: 2 points instead of 7." in said


def test_with_more_players_a_plain_majority_suffices_p12() -> None:
    found = False
    for setting in settings("parade"):
        for seed in range(2):
            text = " ".join(step.text for step in play_without_tutorial(setting, seed))
            assert not ("at least two more cards" in text and "have the most cards" in text)
            assert "at least two more cards" not in text or setting.seats == 2
            found |= "have the most cards" in text
    assert found


def test_the_distance_to_the_end_follows_from_the_colours_p8() -> None:
    near = position("B3", "R8", ("R9", "R1 B1 P1 G1 Y1"))
    assert "Bill has 5 colours so far." in guidance_at(near, 5)
    assert "keep two" in guidance_at(near, 6)
    assert "Bill needs only one more colour" in guidance_at(near, 7)
    assert guidance_at(position("B3", "R8"), 7) == "Your Red 10 took nothing."
    own = position("B3", "R8", ("R1 B1 P1 G1 Y1", "R9"))
    assert "You have 5 colours so far." in guidance_at(own, 5)
    assert "You need only one more colour" in guidance_at(own, 7)


def test_the_last_round_is_announced_with_its_reason_p9(plays: list[list[Step]]) -> None:
    for play in plays:
        for step in play:
            stage = step.view.stage
            if isinstance(stage, Playing) and stage.turns_left is not None:
                assert ("six colours" in step.text) == (stage.ending is not Ending.EMPTY_PILE)
                assert ("keep two" in step.text) == (stage.seat == 0)
    empty = View(0, Playing(0, 2, Ending.EMPTY_PILE), ((), ()), (), ((), ()), 0)
    assert "draw pile is empty" in guidance_at(empty, 9)
    assert "at least two more cards" not in guidance_at(empty, 9)
    assert "at least two more cards" in guidance_at(empty, 3), "the game ended before this was explained"


def test_the_pair_called_best_is_best_p11(plays: list[list[Step]]) -> None:
    chosen = 0
    for play in plays:
        for step in play:
            if not isinstance(step.view.stage, Keeping):
                continue
            if step.view.stage.kept[0] is not None:
                assert "You've chosen" in step.text
                chosen += 1
                continue
            pairs = list(combinations(step.view.hands[0], 2))
            best = min(points_with(step.view.zones, 0, pair) for pair in pairs)
            two = {pair for pair in pairs if names(list(pair)) == named_cards(step.text)}
            assert {points_with(step.view.zones, 0, pair) for pair in two} == {best}
            assert re.search(rf": {best} points?\.$", step.text)
    assert chosen


def test_the_final_points_match_the_result_p15(plays: list[list[Step]]) -> None:
    for play in plays:
        stage, text = play[-1].view.stage, play[-1].text
        assert isinstance(stage, Ended)
        assert f"You scored {stage.result.scores[0]} point" in text
        parts = re.findall(r"(?:Red|Blue|Purple|Green|Grey|Orange) (\d+)", text)
        assert sum(map(int, parts)) == stage.result.scores[0]
        winner = stage.result.winners[0]
        assert len(stage.result.winners) > 1 or f"with {stage.result.scores[winner]} point" in text

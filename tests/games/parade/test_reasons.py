"""Parade: why a card or a pair is better than another. Every reason must be true by the rules."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import reason_checker
from support.reason_checker import (
    BEST,
    CHOICE,
    NAMES,
    OTHER,
    Moment,
    check_reason,
    examples,
    is_rounded,
    moment_at,
    moments,
)
from wonderland.components.reasons import PlayoutComparison, compare_playouts
from wonderland.engine import CHANCE, FACE_DOWN, Chance
from wonderland.games.parade import GAME
from wonderland.games.parade.bots.levels import policy_for
from wonderland.games.parade.rules.components import Colour
from wonderland.games.parade.rules.events import CardsTaken
from wonderland.games.parade.rules.scoring import ScoreSheet, score_sheets
from wonderland.games.parade.rules.state import Keeping, Options, PlayCard, Playing, State
from wonderland.games.parade.ui.words import card_name


def name_of(action: Any) -> str:
    if isinstance(action, PlayCard):
        return card_name(action.card)
    return f"keeping {card_name(action.first)} and {card_name(action.second)}"


def after(moment: Moment, action: Any) -> State:
    return GAME.apply(moment.state, moment.seat, action).state


def zones(moment: Moment, action: Any) -> list[tuple[Any, ...]]:
    """The cards in front of everyone after an action."""
    if isinstance(action, PlayCard):
        return list(after(moment, action).zones)
    lying = list(moment.state.zones)
    lying[moment.seat] = (*lying[moment.seat], action.first, action.second)
    return lying


def sheets(moment: Moment, action: Any) -> tuple[ScoreSheet, ...]:
    return score_sheets(zones(moment, action))


def own(moment: Moment, action: Any) -> ScoreSheet:
    return sheets(moment, action)[moment.seat]


def taken(moment: Moment, action: Any) -> int:
    events = GAME.apply(moment.state, moment.seat, action).events
    return sum(len(event.cards) for event in events if isinstance(event, CardsTaken))


def takes(moment: Moment, choice: Any, cards: int, points: int) -> bool:
    before = score_sheets(moment.state.zones)[moment.seat].total
    return cards == taken(moment, choice) and points == own(moment, choice).total - before


def is_safe(moment: Moment, choice: Any, cards: int) -> bool:
    stand = len(moment.state.parade)
    return stand == cards <= choice.card.value and not taken(moment, choice)


def takes_nothing(moment: Moment, choice: Any, cards: int) -> bool:
    reached = moment.state.parade[: len(moment.state.parade) - choice.card.value]
    strangers = all(it.colour != choice.card.colour and it.value > choice.card.value for it in reached)
    return cards == len(reached) and strangers and not taken(moment, choice)


def scores(moment: Moment, choice: Any, points: int) -> bool:
    return own(moment, choice).total == points


def wins_majority(moment: Moment, choice: Any, colour: str, points: int, printed: int) -> bool:
    score = own(moment, choice).colours[Colour[colour.upper()]]
    before = score_sheets(moment.state.zones)[moment.seat].colours[Colour[colour.upper()]]
    return (
        score.majority
        and not before.majority
        and score.points == points
        and sum(card.value for card in score.cards) == printed
    )


def takes_majority(moment: Moment, choice: Any, colour: str, name: str, points: int) -> bool:
    theirs, which = NAMES.index(name), Colour[colour.upper()]
    had = score_sheets(moment.state.zones)[theirs].colours[which]
    has = sheets(moment, choice)[theirs].colours[which]
    return had.majority and not has.majority and has.points - had.points == points


def sixth(moment: Moment, choice: Any, points: int, fewest: int, name: str) -> bool:
    state, totals = after(moment, choice), [sheet.total for sheet in sheets(moment, choice)]
    turn = GAME.turn(state)
    assert isinstance(turn, Chance)
    drawn = GAME.apply(state, CHANCE, turn.outcomes[0]).state
    rivals = [total for seat, total in enumerate(totals) if seat != moment.seat]
    return (
        drawn.stage.turns_left == len(totals)
        and totals[moment.seat] == points
        and min(rivals) == fewest == totals[NAMES.index(name)]
    )


def fifth(moment: Moment, choice: Any) -> bool:
    colours = [
        {card.colour for card in zone}
        for zone in (moment.state.zones[moment.seat], zones(moment, choice)[moment.seat])
    ]
    return len(colours[0]) < 5 == len(colours[1])


def stays_safe(moment: Moment, choice: Any, cards: int) -> bool:
    """Whatever the others play, the card takes nothing at the next turn."""
    for seed in range(5):
        rng, state = random.Random(seed), GAME.apply(moment.state, moment.seat, moment.best.action).state
        while not (isinstance(state.stage, Playing) and state.stage.seat == moment.seat):
            turn = GAME.turn(state)
            if isinstance(turn, Chance):
                state = GAME.apply(state, CHANCE, rng.choice(turn.outcomes)).state
            else:
                actor = turn.seats[0]
                state = GAME.apply(state, actor, rng.choice(GAME.legal(state, actor))).state
        events = GAME.apply(state, moment.seat, choice).events
        if len(state.parade) > cards or any(isinstance(event, CardsTaken) for event in events):
            return False
    return choice == moment.other.action


def high(moment: Moment, choice: Any, cards: int) -> bool:
    return choice == moment.other.action and choice.card.value == cards


def leaves(  # noqa: PLR0913, PLR0917 - as the sentence has it
    moment: Moment, best: Any, cards: int, name: str, other: Any, fewer: int
) -> bool:
    following = NAMES[(moment.seat + 1) % len(moment.state.hands)]
    lengths = [len(after(moment, action).parade) for action in (best, other)]
    return lengths == [cards, fewer] and name == following


def best_pairs(moment: Moment, best: Any, points: int, other: Any, more: int) -> bool:
    return (best_pair(moment, best), best_pair(moment, other)) == (points, more)


def best_pair(moment: Moment, choice: Any) -> int:
    """The points of the best two cards to keep."""
    state = after(moment, choice)
    found = []
    for pair in combinations(state.hands[moment.seat], 2):
        lying = list(state.zones)
        lying[moment.seat] = (*lying[moment.seat], *pair)
        found.append(score_sheets(lying)[moment.seat].total)
    return min(found)


def compared(moment: Moment) -> PlayoutComparison:
    """Play both choices out, as the explanation does."""
    view = moment.view
    if isinstance(view.stage, Keeping):
        view = type(view)(
            view.seat,
            Keeping(view.stage.ending, (None,) * len(view.hands)),
            *[getattr(view, field) for field in ("hands", "parade", "zones", "pile")],
        )
    seats = len(view.hands)
    found = compare_playouts("parade", view, moment.actions, [policy_for(seats)] * seats)
    assert found is not None
    return found


def rival(moment: Moment, plays: int, name: str, points: Any, others: Any, **chosen: Any) -> bool:
    found = compared(moment)
    theirs = next(each for each in found.rivals if each.seat == NAMES.index(name))
    return (
        (chosen["best"], chosen["other"]) == moment.actions
        and found.best >= found.other - 2 * found.error
        and theirs.best > theirs.other
        and plays == theirs.plays
        and is_rounded(theirs.best, points)
        and is_rounded(theirs.other, others)
    )


def sooner(moment: Moment, plays: int, best: Any, moves: Any, other: Any) -> bool:
    found = compared(moment)
    is_ahead = all(found.best < each.best for each in found.rivals)
    return (
        is_ahead
        and plays == found.plays
        and (best, other) == moment.actions
        and is_rounded(-found.later, moves)
    )


def later(moment: Moment, plays: int, best: Any, moves: Any, other: Any) -> bool:
    found = compared(moment)
    is_ahead = all(found.best < each.best for each in found.rivals)
    return (
        not is_ahead
        and plays == found.plays
        and (best, other) == moment.actions
        and is_rounded(found.later, moves)
    )


def averages(moment: Moment, plays: int, best: Any, points: Any, other: Any, others: Any) -> bool:  # noqa: PLR0913, PLR0917 - as the sentence has it
    found = compared(moment)
    return (
        (best, other) == moment.actions
        and found.best < found.other
        and plays == found.plays
        and is_rounded(found.best, points)
        and is_rounded(found.other, others)
    )


def races(moment: Moment, name: str) -> bool:
    theirs = moment.state.zones[NAMES.index(name)]
    saved = own(moment, moment.other.action).total - own(moment, moment.best.action).total
    return name != NAMES[moment.seat] and len({card.colour for card in theirs}) == 5 and saved > 1


TRUTHS = {
    r"(?P<name>\w+) already has five colours: the last round could start any turn, so points "
    r"count now": races,
    rf"{CHOICE} takes (?P<cards>\d+) cards?: (?P<points>[+\u2212]\d+) points?": takes,
    rf"{CHOICE} is safe: there (is|are) only (?P<cards>\d+) cards? in the parade": is_safe,
    rf"{CHOICE} takes nothing: the (?P<cards>\d+|one) cards? it reaches (is|are) higher and "
    r"of (another colour|other colours)": takes_nothing,
    rf"{CHOICE} scores (?P<points>\d+) points?( right now)?": scores,
    rf"{CHOICE} wins the majority in (?P<colour>\w+): (?P<points>\d+) points? there instead of "
    r"(?P<printed>\d+)": wins_majority,
    rf"{CHOICE} takes the majority in (?P<colour>\w+) away from (?P<name>\w+): "
    r"(?P<points>\d+) points? more for them": takes_majority,
    rf"{CHOICE} takes the sixth colour and starts the last round, with (?P<points>\d+) points? "
    r"against (?P<name>\w+)'s (?P<fewest>\d+)": sixth,
    rf"{CHOICE} takes the fifth colour: one more starts the last round": fifth,
    rf"{CHOICE} is worth keeping: next turn the parade will have at most (?P<cards>\d+) cards, "
    r"and it won't take any of them": stays_safe,
    rf"{CHOICE} is worth keeping for later: the last (?P<cards>\d+) cards of the parade "
    r"are always safe from it": high,
    rf"{BEST} leaves (?P<name>\w+) (?P<cards>\d+) cards? in the parade, so fewer of theirs are safe; "
    rf"{OTHER} leaves only (?P<fewer>\d+)": leaves,
    rf"after {BEST}, the best pair to keep scores (?P<points>\d+) points? right now; "
    rf"after {OTHER}, (?P<more>\d+) points?": best_pairs,
    reason_checker.RIVAL: rival,
    reason_checker.SOONER: sooner,
    reason_checker.LATER: later,
    reason_checker.AVERAGES: averages,
    reason_checker.CHANCES: reason_checker.chances,
    reason_checker.ALIKE: reason_checker.alike,
}


@given(moments(GAME, st.just(Options())))
def test_every_reason_is_true(moment: Moment) -> None:
    check_reason(moment, name_of, TRUTHS)


@pytest.mark.parametrize(("written", "text"), examples(__file__))
def test_examples(written: str, text: str) -> None:
    assert moment_at(GAME, written).reason.startswith(text)


SAFE = (
    "parade stage=play turn=1 hands=R8.B2.P5.G5.O5/Y1.Y2.Y3.Y4.Y5 parade=B3.P2.R1.G0.O2.Y9.P9 "
    "zones=-/- ending=- left=- kept=-\n1: "
)
LAST_ROUND = (
    "parade stage=play turn=2 hands=R5.R6.B10.P8.G8/R8.R10.P5.P6.G7 parade=P4.B3.Y8.B6.O1 "
    "zones=R1.R2.R9.B4.P1.G0.G6.G9.G10.Y0.Y3.O0.O2.O7.O8/R3.B1.B7.P7.P10.G3.G4.Y5.Y6.Y7 "
    "ending=sixth-colour left=2 kept=-\n2: R8 > P6"
)
KEEPING = (
    "parade stage=keep turn=- hands=R3.R5.O7.O9/B5.P0.G8.Y3 parade=R4.P6.P10.O3.B7.B1.B3.Y10 "
    "zones=Y4.O1/R8.B6.B8.P1.P4.G1.G5.G10.Y1.O6 ending=sixth-colour left=- kept=-/-\n1: R3&O7 > R5&O9"
)


def test_a_higher_cost_now_is_explained_by_later_savings() -> None:
    said = moment_at(GAME, SAFE + "B2 > R8").reason
    assert said.startswith("Blue 2 takes 5 cards: +8 points; Red 8 is safe: there are only 7 cards")
    assert ". In return: Red 8 is worth keeping" in said
    assert ". But over " in said


def test_an_unrecorded_hand_is_not_guessed() -> None:
    moment = moment_at(GAME, LAST_ROUND.replace("R8.R10.P5.P6.G7", "?.?.?.?.?"))
    assert FACE_DOWN in moment.view.hands[moment.seat]
    assert moment.reason == "Red 8 wins 50 games in 100; Purple 6 wins 25."


def test_the_same_question_has_the_same_answer() -> None:
    one, another = (moment_at(GAME, LAST_ROUND).reason for _ in range(2))
    assert "simulated games" in one
    assert one == another


def test_other_players_hands_and_choices_make_no_difference() -> None:
    other = KEEPING.replace("B5.P0.G8.Y3", "B5.P0.G8.O5").replace("kept=-/-", "kept=-/B5&P0")
    assert moment_at(GAME, KEEPING).reason == moment_at(GAME, other).reason

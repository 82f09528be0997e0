"""Cookies: why one choice is better than another. Every reason must be true by the rules."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
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
from wonderland.components.reasons import compare_playouts
from wonderland.engine import CHANCE, FACE_DOWN, Chance
from wonderland.games.cookies import GAME
from wonderland.games.cookies.rules.board import read_board
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.events import FellIntoHole, PawnGrew, PawnMoved, PawnShrank
from wonderland.games.cookies.rules.options import Options
from wonderland.games.cookies.rules.scoring import points
from wonderland.games.cookies.rules.state import (
    Answer,
    Climbing,
    Drawing,
    Ended,
    PlayCard,
    Playing,
    State,
    TakeCookie,
    TurningUp,
)
from wonderland.games.cookies.ui.words import space_name

OPTIONS = st.sampled_from(
    [
        Options(),
        Options(kind_hole=True, hands="open"),
        Options(hand_size=2),
        Options(board=read_board("T1-C2-p3-C1-R0-S2-L3-p9")),
    ]
)
OTHERS = {
    Answer.ACCEPT: "accepting the spin",
    Answer.AGAIN: "spinning again",
    TakeCookie.FACE_UP: "taking the face-up cookie",
    TakeCookie.FACE_DOWN: "taking a face-down cookie",
}


def name_of(action: Any) -> str:
    if not isinstance(action, PlayCard):
        return OTHERS[action]
    joker = "a Joker as " if action.card is Card.JOKER else ""
    number = f"{joker}{action.number}{', plus 1 for being large' * action.plus}"
    text = f"the {action.side.name.lower()} card ({number})"
    return f"walking out with {text}" if action.walk else text


def has(state: State, seat: int) -> int:
    return points(state.larder.large[seat], state.larder.small[seat])


@cache
def best_points(state: State, seat: int) -> Fraction:
    """A seat's points at the end of its turn, over all chance outcomes and with the best choices."""
    if isinstance(state.stage, Drawing | Playing | Ended):
        return Fraction(has(state, seat))
    turn = GAME.turn(state)
    if isinstance(turn, Chance):
        parts = [
            weight * best_points(GAME.apply(state, CHANCE, outcome).state, seat)
            for outcome, weight in turn.weighted()
        ]
        return sum(parts, Fraction()) / turn.total
    return max(
        best_points(GAME.apply(state, seat, action).state, seat) for action in GAME.legal(state, seat)
    )


def gain(moment: Moment, choice: Any) -> Fraction:
    after = GAME.apply(moment.state, moment.seat, choice).state
    return best_points(after, moment.seat) - has(moment.state, moment.seat)


def path_of(moment: Moment, choice: Any) -> tuple[State, list[Any]]:
    """Where a choice leads before chance matters, and the events on the way."""
    step = GAME.apply(moment.state, moment.seat, choice)
    events = list(step.events)
    while isinstance(step.state.stage, TurningUp):
        step = GAME.apply(step.state, CHANCE, GAME.turn(step.state).outcomes[-1])
        events += step.events
    return step.state, events


def earns(moment: Moment, choice: Any, how: str, points: Any = 0) -> bool:
    return is_rounded(float(gain(moment, choice)), points) and how == fits_pawns(moment, choice)


def earns_exactly(moment: Moment, choice: Any, how: str, points: int) -> bool:
    return gain(moment, choice) == points and how == fits_pawns(moment, choice)


def fits_pawns(moment: Moment, choice: Any) -> str:
    """Whether the pawns move as described."""
    state, events = path_of(moment, choice)
    spaces = state.options.board.spaces
    if isinstance(state.stage, Climbing):
        free = [
            it
            for it, space in enumerate(spaces)
            if space.kind.value != "rabbit hole" and it not in state.pawns
        ]
        spins = f"{state.stage.spins} spin{'s' * (state.stage.spins > 1)}"
        return f"{spins}, {len(free)} of {len(spaces)} spaces lead out"
    moves = [event for event in events if isinstance(event, PawnMoved)]
    parts = ["past the Tea Party"] if any(move.passed for move in moves) else []
    where = state.pawns[moment.seat]
    parts.append(f"to {space_name(where, spaces[where].kind)}")
    does = {PawnGrew: "becomes large", PawnShrank: "becomes small", FellIntoHole: "falls in"}
    parts += [f"{NAMES[event.seat]} {does[type(event)]}" for event in events if type(event) in does]
    return ", ".join(parts)


def face_up(moment: Moment, worth: int) -> bool:
    return moment.state.larder.face_up == worth


def face_down(moment: Moment, mean: Any, cookies: int = 1) -> bool:
    stack = moment.state.larder.stack
    return len(stack) == cookies and is_rounded(sum(stack) / len(stack), mean)


def uses_joker(moment: Moment, choice: Any) -> bool:
    return choice == moment.other.action and choice.card is Card.JOKER != moment.best.action.card


def stays(moment: Moment, choice: Any, card: int, space: str) -> bool:
    """A card in hand that moves the pawn there if the others stay where they are."""
    state, _ = path_of(moment, choice)
    held = [it for it in state.hands[moment.seat] if it is not FACE_DOWN]
    size, start = len(state.options.board.spaces), state.pawns[moment.seat]
    others = [pawn for seat, pawn in enumerate(state.pawns) if seat != moment.seat]
    end = (start + card) % size
    while end in others:
        end = (end + 1) % size
    return Card(card) in held and space == space_name(end, state.options.board.spaces[end].kind)


def left_over(moment: Moment, best: Any, cards: str, other: Any, others: str) -> bool:
    states = [path_of(moment, action)[0] for action in (best, other)]
    hands = [", ".join(card.mark for card in state.hands[moment.seat]) for state in states]
    alike = states[0].pawns == states[1].pawns and gain(moment, best) == gain(moment, other)
    return hands == [str(cards), str(others)] and alike


def the_same(moment: Moment, best: Any, other: Any) -> bool:
    (one, _), (another, _) = (path_of(moment, action) for action in (best, other))
    return (one.pawns, one.hands, one.large) == (another.pawns, another.hands, another.large)


def last_card(moment: Moment) -> bool:
    states = [path_of(moment, action)[0] for action in moment.actions]
    return (
        not states[0].hands[moment.seat] and states[0].pawns[moment.seat] > states[1].pawns[moment.seat]
    )


def averages(moment: Moment, plays: int, best: Any, points: Any, other: Any, others: Any) -> bool:  # noqa: PLR0913, PLR0917 - as the sentence has it
    found = compare_playouts("cookies", moment.view, (best, other), [1] * len(moment.state.hands))
    assert found is not None
    return (
        (best, other) == moment.actions
        and found.best > found.other
        and plays == found.plays
        and is_rounded(found.best, points)
        and is_rounded(found.other, others)
    )


def rival(moment: Moment, plays: int, name: str, points: Any, others: Any, **chosen: Any) -> bool:
    found = compare_playouts("cookies", moment.view, moment.actions, [1] * len(moment.state.hands))
    assert found is not None
    theirs = next(each for each in found.rivals if each.seat == NAMES.index(name))
    return (
        (chosen["best"], chosen["other"]) == moment.actions
        and found.best <= found.other + 2 * found.error
        and theirs.best < theirs.other
        and plays == theirs.plays
        and is_rounded(theirs.best, points)
        and is_rounded(theirs.other, others)
    )


def hole_costs(moment: Moment, number: int, spaces: int) -> bool:
    """Only the worse choice falls in, and there will be a card to climb out with."""
    (best, _), (worse, events) = (path_of(moment, action) for action in moment.actions)
    board = worse.options.board
    free = [it for it in range(len(board.spaces)) if not board.is_hole(it) and it not in worse.pawns]
    fell = FellIntoHole(moment.seat) in events and not best.in_hole(moment.seat)
    has_card = any(card is not FACE_DOWN for card in worse.hands[moment.seat])
    return fell and has_card and (number, spaces) == (len(free), len(board.spaces))


def hole_brings(moment: Moment, card: int, spins: int) -> bool:
    state, events = path_of(moment, moment.best.action)
    return (
        FellIntoHole(moment.seat) in events
        and spins == card >= 3
        and Card(card) in state.hands[moment.seat]
    )


HOW = "(?P<how>[^;]+)"
TRUTHS = {
    rf"{CHOICE} earns nothing: {HOW}": earns,
    rf"{CHOICE} earns (?P<points>\d+) points?: {HOW}": earns_exactly,
    rf"{CHOICE} earns (?P<points>\S+) points on average: {HOW}": earns,
    r"the face-up cookie is worth (?P<worth>\d)": face_up,
    r"the face-down one is worth (?P<mean>\d)": face_down,
    r"the (?P<cookies>\d+) face-down ones are worth (?P<mean>\S+) on average": face_down,
    rf"{CHOICE} uses up the Joker": uses_joker,
    r"the Rabbit Hole costs the next card: it only buys spins, and (?P<number>\d+) of "
    r"(?P<spaces>\d+) spaces lead out": hole_costs,
    r"the Rabbit Hole has its good side: next turn the (?P<card>\d) in hand buys (?P<spins>\d) spins, "
    r"and the first good one can be accepted": hole_brings,
    rf"after {CHOICE}, a (?P<card>\d) is still in hand, "
    r"and right now it leads to (?P<space>[^;]+)": stays,
    rf"right now both do the same: {BEST} leaves (?P<cards>[\dJ, ]+) in hand, "
    rf"{OTHER} leaves (?P<others>[\dJ, ]+)": left_over,
    rf"{BEST} does the same as {OTHER}": the_same,
    r"this is the last card: if points and large cookies are tied, the pawn farther "
    r"from the Tea Party wins": last_card,
    reason_checker.RIVAL: rival,
    reason_checker.AVERAGES: averages,
    reason_checker.CHANCES: reason_checker.chances,
    reason_checker.ALIKE: reason_checker.alike,
}


@given(moments(GAME, OPTIONS))
def test_every_reason_is_true(moment: Moment) -> None:
    check_reason(moment, name_of, TRUTHS)


@pytest.mark.parametrize(("written", "text"), examples(__file__))
def test_examples(written: str, text: str) -> None:
    assert moment_at(GAME, written).reason.startswith(text)


def test_the_last_card_has_an_exact_expected_score() -> None:
    """With the very last card the result is certain: what each choice gains now."""
    moment = moment_at(
        GAME,
        "cookies stage=play turn=2 spins=- cats=- hands=-/4 "
        "played=1.1.2.2.3.3.4.4.5.5.J/1.1.2.2.3.3.4.5.5.J pawns=9/12L stuck=- "
        "cookies=2.2.2.2.3.3.3.3/4.4.4.4.5.5.5 small=2/3 up=5 spinner=4 last=leftJ4 options=-\n"
        "2: left4+1 > left4",
    )
    found = compare_playouts("cookies", moment.view, moment.actions, [1, 1])
    assert found is not None
    assert [found.best, found.other] == [
        has(moment.state, 1) + gain(moment, it) for it in moment.actions
    ]
    assert found.difference == 5
    assert found.error == 0

"""What a seat may know of a play of Letters, and which states it may sample."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from wonderland.engine import FACE_DOWN, Match
from wonderland.games.letters import GAME
from wonderland.games.letters.rules.components import CARDS
from wonderland.games.letters.rules.notation import read_card
from wonderland.games.letters.rules.state import FaceUp, TurnCard, TurnedDown, Turning

AnyMatch: TypeAlias = Match[Any, Any, Any, Any, Any]
Play: TypeAlias = Callable[..., AnyMatch]

TURNS = ("1 redL", "2 redC", "3 Hatter", "4 greenA", "5 redA")
"""The red L and C lie face down again on spaces 1 and 2; the A has been played."""


def card(text: str) -> Any:
    return read_card(text)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_with_closed_memory_a_card_turned_down_looks_like_any_other(
    play: Play, seat: int | None
) -> None:
    view = play(*TURNS).view(seat)
    assert view.spaces[:2] == (FACE_DOWN, FACE_DOWN)
    assert view.spaces[2] == FaceUp(card("Hatter"))
    assert (view.seat, view.rails, view.removed) == (seat, (1, 0), (card("greenA"),))


@pytest.mark.parametrize("seat", [0, 1, None])
def test_with_open_memory_it_is_marked(play: Play, seat: int | None) -> None:
    view = play(*TURNS, memory="open").view(seat)
    assert view.spaces[:2] == (TurnedDown(card("redL")), TurnedDown(card("redC")))


def test_a_card_being_turned_does_not_reveal_whether_it_was_turned_before(play: Play) -> None:
    match = play(*TURNS)
    again, fresh = (GAME.apply(match.state, 1, TurnCard(space)).state for space in (0, 20))
    for state, space in ((again, 0), (fresh, 20)):
        view = GAME.view(state, 0)
        assert view.stage == Turning(1, space)
        assert view.spaces[space] is FACE_DOWN


def test_with_everything_revealed_turned_cards_are_known(play: Play) -> None:
    match = play(*TURNS)
    view = GAME.reveal(match.state)
    assert view.seat is None
    assert view.spaces == match.state.spaces
    assert view.spaces[0] == TurnedDown(card("redL"))


def test_everyone_witnesses_everything(play: Play) -> None:
    match = play(*TURNS)
    assert all(match.events_seen_by(seat) == tuple(match.events) for seat in (0, 1, None))


def test_with_closed_memory_any_card_can_be_sampled_for_an_unseen_one(play: Play) -> None:
    match = play(*TURNS)
    sampled = GAME.sample_state(match.view(0), random.Random(1))
    in_sight = {card(word) for word in ("Hatter", "greenA", "redA")}
    assert sampled.spaces[:2] == (FACE_DOWN, FACE_DOWN)
    assert sampled.unseen == tuple(card for card in CARDS if card not in in_sight)
    assert len(sampled.unseen) == sampled.spaces.count(FACE_DOWN)
    assert GAME.view(sampled, 0) == match.view(0)


def test_with_open_memory_the_sampled_state_is_the_true_one(play: Play) -> None:
    match = play(*TURNS, memory="open")
    assert GAME.sample_state(match.view(0), random.Random(1)) == match.state


def test_all_cards_are_accounted_for(play: Play) -> None:
    pieces = GAME.pieces(play(*TURNS).state)
    assert pieces == {str(card): 1 for card in CARDS} | {"spaces of cards never turned": 0}

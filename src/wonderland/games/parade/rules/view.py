"""Views of a game of Parade: what a seat or spectator may know, and states sampled from that."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, assert_never

from wonderland.engine.protocol import FACE_DOWN, Seat
from wonderland.engine.values import Value
from wonderland.games.parade.rules.components import DECK, KEPT, Card
from wonderland.games.parade.rules.events import (
    CardDealt,
    CardDrawn,
    CardJoined,
    CardPlayed,
    CardsKept,
    CardsTaken,
    ChoicesShown,
    Event,
    GameEnded,
    LastRoundBegan,
    StartChosen,
)
from wonderland.games.parade.rules.state import Ended, Hand, KeepCards, Keeping, Stage, State

if TYPE_CHECKING:
    import random


class View(Value, frozen=True):
    """The game as one seat sees it; `seat` is `None` for a spectator and for a full reveal."""

    seat: Seat | None
    stage: Stage
    hands: tuple[Hand, ...]
    parade: tuple[Card, ...]
    zones: tuple[tuple[Card, ...], ...]
    pile: int


def view(state: State, seat: Seat | None) -> View:
    """Return what this seat may know: its own hand and choice, and everything face up."""
    stage = state.stage
    if isinstance(stage, Keeping):
        kept = tuple(
            choice if choice is None or owner == seat else FACE_DOWN
            for owner, choice in enumerate(stage.kept)
        )
        stage = Keeping(stage.ending, kept)
    shown = isinstance(stage, Ended)  # the hands are then the discards, which are face up
    hands = tuple(
        hand if shown or owner == seat else (FACE_DOWN,) * len(hand)
        for owner, hand in enumerate(state.hands)
    )
    return View(seat, stage, hands, state.parade, state.zones, state.pile)


def reveal(state: State) -> View:
    """Return a view that hides nothing."""
    return View(None, state.stage, state.hands, state.parade, state.zones, state.pile)


def witness(event: Event, seat: Seat | None) -> Event:
    """Return the event as this seat saw it: cards that others draw or keep are face down."""
    match event:
        case CardDealt(owner, _):
            return event if owner == seat else CardDealt(owner, FACE_DOWN)
        case CardDrawn(owner, _):
            return event if owner == seat else CardDrawn(owner, FACE_DOWN)
        case CardsKept(owner, _):
            return event if owner == seat else CardsKept(owner, FACE_DOWN)
        case (
            StartChosen()
            | CardJoined()
            | CardPlayed()
            | CardsTaken()
            | LastRoundBegan()
            | ChoicesShown()
            | GameEnded()
        ):
            return event
    assert_never(event)


def unseen_from(view: View) -> tuple[Card, ...]:
    """Return the cards whose location this view doesn't reveal, sorted."""
    located = {card for cards in (view.parade, *view.zones, *view.hands) for card in cards}
    return tuple(card for card in DECK if card not in located)


def sample_state(view: View, rng: random.Random) -> State:
    """Sample a determinization: a full state consistent with this view, uniformly at random."""
    unseen = list(unseen_from(view))
    rng.shuffle(unseen)
    hands = tuple(
        tuple(sorted(unseen.pop() if card is FACE_DOWN else card for card in hand))
        for hand in view.hands
    )
    stage = view.stage
    if isinstance(stage, Keeping):
        kept = tuple(
            KeepCards(*sorted(rng.sample(hand, KEPT))) if choice is FACE_DOWN else choice
            for hand, choice in zip(hands, stage.kept, strict=True)
        )
        stage = Keeping(stage.ending, kept)
    return State(stage, hands, view.parade, view.zones, tuple(sorted(unseen)), view.pile)


def pieces(state: State) -> Counter[str]:
    """Count every card in the state, for the conservation law; unlocated cards are in `unseen`."""
    cards = [card for cards in (state.parade, *state.zones, *state.hands) for card in cards]
    known = Counter(str(card) for card in (*cards, *state.unseen) if card is not FACE_DOWN)
    known["in the pile or face down"] = len(state.unseen) - state.pile - cards.count(FACE_DOWN)
    return known

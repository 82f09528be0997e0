"""What one seat, or a spectator, may know of a play of Parade, and the states it could be."""

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
    """The table as one seat sees it; `seat` is `None` for a spectator, and when all is laid open."""

    seat: Seat | None
    stage: Stage
    hands: tuple[Hand, ...]
    parade: tuple[Card, ...]
    zones: tuple[tuple[Card, ...], ...]
    pile: int


def view(state: State, seat: Seat | None) -> View:
    """What this seat may know: its own hand and choice, and all that lies open."""
    stage = state.stage
    if isinstance(stage, Keeping):
        kept = tuple(
            choice if choice is None or owner == seat else FACE_DOWN
            for owner, choice in enumerate(stage.kept)
        )
        stage = Keeping(stage.ending, kept)
    shown = isinstance(stage, Ended)  # the hands are then the discards, which lie open
    hands = tuple(
        hand if shown or owner == seat else (FACE_DOWN,) * len(hand)
        for owner, hand in enumerate(state.hands)
    )
    return View(seat, stage, hands, state.parade, state.zones, state.pile)


def reveal(state: State) -> View:
    """Everything laid open."""
    return View(None, state.stage, state.hands, state.parade, state.zones, state.pile)


def witness(event: Event, seat: Seat | None) -> Event:
    """The event as this seat saw it: what others draw and keep is seen from behind."""
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
    """The cards whose place this view does not tell, sorted."""
    located = {card for cards in (view.parade, *view.zones, *view.hands) for card in cards}
    return tuple(card for card in DECK if card not in located)


def imagine(view: View, rng: random.Random) -> State:
    """A full state that this view could come from, each as likely as any other."""
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
    """Every card with how often it is there; those that no one can place are in `unseen`."""
    cards = [card for cards in (state.parade, *state.zones, *state.hands) for card in cards]
    known = Counter(str(card) for card in (*cards, *state.unseen) if card is not FACE_DOWN)
    known["in the pile or face down"] = len(state.unseen) - state.pile - cards.count(FACE_DOWN)
    return known

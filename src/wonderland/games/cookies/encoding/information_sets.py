"""Information sets of Cookies: bounds on histories, and resampling those a seat can't tell apart."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from wonderland.components.information_sets import HistoryBounds, ObservedMove
from wonderland.engine.protocol import FACE_DOWN, Actor
from wonderland.engine.record import Move
from wonderland.games.cookies.encoding import packing
from wonderland.games.cookies.rules.components import DECK, Card, large_cookies
from wonderland.games.cookies.rules.events import CardDealt, CardDrawn
from wonderland.games.cookies.rules.options import Options
from wonderland.games.cookies.rules.state import LEFT, Action, PlayCard

_SPINS = sum(max(card.numbers) for card in DECK)
"""Maximum number of climbing spins of one seat, if it plays all its cards in the Rabbit Hole (C18)."""
_NUMBERS = 64
"""Upper bound of the numbers that `packing` gives to the actions of seats."""


def bounds(seats: int, options: Options) -> HistoryBounds:
    """Bounds of a history: all cards are played (C19), spins are many, and cookies turn up once."""
    cookies, cards = len(large_cookies(seats)), seats * len(DECK)
    decisions = cards + cookies + seats * _SPINS
    outcomes = 1 + cards + cookies + seats * _SPINS + cards  # C14: one spin for small cookies per turn
    outcome_limit = max(len(options.board.spaces), Card.JOKER + 1)
    return HistoryBounds(decisions, outcomes, outcome_limit, max(outcome_limit, _NUMBERS))


def is_open(options: Options) -> bool:
    """Whether hands are open to all (C20)."""
    return options.hands == "open"


def mark(number: int, action: Action) -> int:  # noqa: ARG001 - the kernel's numbers are more specific
    """Return the kernel's number, which distinguishes a Joker from the card it is played as."""
    return packing.number(action)


def resample_history(noted: Sequence[ObservedMove], rng: random.Random) -> list[Move[Any]]:
    """Sample a history in which the others drew the cards they have since played, and otherwise any.

    A hand keeps its order (C6, C12), so a card that has been played reveals when it was drawn.
    """
    actions = [note.action for note in noted]
    hands: defaultdict[Actor, list[int]] = defaultdict(list)  # the moves in which its cards were drawn
    unseen: defaultdict[Actor, list[Card]] = defaultdict(lambda: list(DECK))
    for place, note in enumerate(noted):
        match note:
            case ObservedMove(_, _, (CardDealt(owner), *_)):
                hands[owner].append(place)
            case ObservedMove(_, _, (CardDrawn(owner), *_)):
                hands[owner].insert(1, place)
            case ObservedMove(owner, PlayCard(side, card), _):
                actions[hands[owner].pop(0 if side is LEFT else -1)] = card
                unseen[owner].remove(card)
    for owner, hand in hands.items():
        cards = unseen[owner]
        rng.shuffle(cards)
        for place in hand:
            if actions[place] is FACE_DOWN:
                actions[place] = cards.pop()
    return [Move(note.actor, action) for note, action in zip(noted, actions, strict=True)]

"""The histories of Cookies: how long they can be, and which others a seat could have witnessed alike."""

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
"""So many at most for one seat to climb with, if it plays all its cards in the Rabbit Hole (C18)."""
_NUMBERS = 64
"""The actions of seats are numbered below this by `packing`."""


def bounds(seats: int, options: Options) -> HistoryBounds:
    """Each plays all cards (C19), and may spin and answer a lot; no cookie is turned twice."""
    cookies, cards = len(large_cookies(seats)), seats * len(DECK)
    decisions = cards + cookies + seats * _SPINS
    outcomes = 1 + cards + cookies + seats * _SPINS + cards  # C14: and spin once for small cookies
    luck = max(len(options.board.spaces), Card.JOKER + 1)
    return HistoryBounds(decisions, outcomes, luck, max(luck, _NUMBERS))


def is_open(options: Options) -> bool:
    """Hands are hidden, or lie open for all (C20)."""
    return options.hands == "open"


def mark(number: int, action: Action) -> int:  # noqa: ARG001 - the kernel's numbers say more
    """The number of the kernel, which tells a Joker from the card that it is played as."""
    return packing.number(action)


def resample_history(noted: Sequence[ObservedMove], rng: random.Random) -> list[Move[Any]]:
    """A play in which the others drew what they have played since, and any of the rest otherwise.

    A hand keeps its order (C6, C12), so it is known when a card was drawn that has been played.
    """
    actions = [note.action for note in noted]
    hands: defaultdict[Actor, list[int]] = defaultdict(list)  # in which moves the cards were drawn
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

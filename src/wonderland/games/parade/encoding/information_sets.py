"""The histories of Parade: how long they can be, and which others a seat could have witnessed alike."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from wonderland.components.information_sets import HistoryBounds, ObservedMove
from wonderland.engine.protocol import FACE_DOWN, Actor
from wonderland.engine.record import Move
from wonderland.games.parade.encoding.learning import ACTIONS
from wonderland.games.parade.rules.components import DECK, HAND_SIZE, KEPT, PARADE_SIZE, Card
from wonderland.games.parade.rules.events import CardDealt, CardDrawn
from wonderland.games.parade.rules.state import Action, KeepCards, Options, PlayCard


def bounds(seats: int, options: Options) -> HistoryBounds:  # noqa: ARG001 - the same for all
    """A card is drawn in every turn but the last of each (P9), and then each chooses what to keep."""
    pile = len(DECK) - HAND_SIZE * seats - PARADE_SIZE
    return HistoryBounds(pile + 2 * seats, 1 + len(DECK), len(DECK), ACTIONS)


def is_open(options: Options) -> bool:  # noqa: ARG001 - the same for all
    """Hands are hidden."""
    return False


def mark(number: int, action: Action) -> int:  # noqa: ARG001 - the number says it all
    """The number."""
    return number


def resample_history(noted: Sequence[ObservedMove], rng: random.Random) -> list[Move[Any]]:
    """A play in which the others drew, at each time, some card that they have played since, or not yet.

    What was played came into that hand at some time before; any of the cards held then may be it. The
    hand is always as large, so each history is as likely as any other.
    """
    actions = [note.action for note in noted]
    held: defaultdict[Actor, list[int]] = defaultdict(list)  # in which moves the cards were drawn
    for place, note in enumerate(noted):
        match note:
            case ObservedMove(_, action, (CardDealt(owner) | CardDrawn(owner), *_)) if (
                action is FACE_DOWN
            ):
                held[owner].append(place)
            case ObservedMove(owner, PlayCard(card), _) if held.get(owner):
                its = held[owner]
                actions[its.pop(rng.randrange(len(its)))] = card
    known = {action for action in actions if isinstance(action, Card)}
    unseen = [card for card in DECK if card not in known]
    rng.shuffle(unseen)
    for its in held.values():
        for place in its:
            actions[place] = unseen.pop()
    for place, note in enumerate(noted):
        if actions[place] is FACE_DOWN:  # P11: a choice that is still secret
            hand = [actions[drawn] for drawn in held[note.actor]]
            actions[place] = KeepCards(*sorted(rng.sample(hand, KEPT)))
    return [Move(note.actor, action) for note, action in zip(noted, actions, strict=True)]

"""Histories of Parade: their maximum size, and resampling within one seat's information set."""

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
    """Bound the history: every turn but each seat's last draws (P9), then each chooses what to keep."""
    pile = len(DECK) - HAND_SIZE * seats - PARADE_SIZE
    return HistoryBounds(pile + 2 * seats, 1 + len(DECK), len(DECK), ACTIONS)


def is_open(options: Options) -> bool:  # noqa: ARG001 - the same for all
    """Whether all information is public: no, hands are hidden."""
    return False


def mark(number: int, action: Action) -> int:  # noqa: ARG001 - the number identifies the move
    """Return the public mark of a move, which is its number."""
    return number


def resample_history(noted: Sequence[ObservedMove], rng: random.Random) -> list[Move[Any]]:
    """Sample a full history consistent with the moves that one seat observed.

    A card that another seat played was one of the hidden cards it had drawn before, each equally likely.
    Hands have a constant size, so all consistent histories are sampled with equal probability.
    """
    actions = [move.action for move in noted]
    held: defaultdict[Actor, list[int]] = defaultdict(list)  # indices of the moves that drew the cards
    for index, move in enumerate(noted):
        match move:
            case ObservedMove(_, action, (CardDealt(owner) | CardDrawn(owner), *_)) if (
                action is FACE_DOWN
            ):
                held[owner].append(index)
            case ObservedMove(owner, PlayCard(card), _) if held.get(owner):
                draws = held[owner]
                actions[draws.pop(rng.randrange(len(draws)))] = card
    known = {action for action in actions if isinstance(action, Card)}
    unseen = [card for card in DECK if card not in known]
    rng.shuffle(unseen)
    for draws in held.values():
        for index in draws:
            actions[index] = unseen.pop()
    for index, move in enumerate(noted):
        if actions[index] is FACE_DOWN:  # P11: a choice that is still secret
            hand = [actions[drawn] for drawn in held[move.actor]]
            actions[index] = KeepCards(*sorted(rng.sample(hand, KEPT)))
    return [Move(move.actor, action) for move, action in zip(noted, actions, strict=True)]

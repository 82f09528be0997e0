"""Action and observation encoding of Parade for learning agents.

Actions 0 to 65 play the card with that index in the deck; 66 to 71 keep two of the last four, by their
positions in the sorted hand. `batch.py` produces the same encoding for many games at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from wonderland.components.learning import LARGEST, Feature, from_oneself
from wonderland.engine.errors import UsageError
from wonderland.engine.protocol import FACE_DOWN, FaceDown
from wonderland.games.parade.rules.components import DECK, Card, Colour
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.state import (
    Action,
    Drawing,
    Ended,
    Ending,
    KeepCards,
    Keeping,
    Options,
    PlayCard,
    Playing,
)
from wonderland.games.parade.rules.view import View

PAIRS = tuple(combinations(range(4), 2))
"""Positions in the sorted hand of the two cards to keep, indexed by action number minus 66."""
ACTIONS = len(DECK) + len(PAIRS)


def actions(seats: int, options: Options) -> int:  # noqa: ARG001 - the same for all
    """Return the size of the action space: 66 cards to play, and six ways to keep two of four."""
    return ACTIONS


def action_names(seats: int, options: Options) -> Sequence[str]:  # noqa: ARG001 - the same for all
    """Return a short name for each action number."""
    keeping = [f"keep {one + 1} and {other + 1}" for one, other in PAIRS]
    return (*(f"play {card}" for card in DECK), *keeping)


def number(view: View, action: Action) -> int:
    """Encode an action as its number."""
    match action:
        case PlayCard(card):
            return int(card)
        case KeepCards(first, second):
            hand = _own_hand(view)
            if first in hand and second in hand:
                return len(DECK) + PAIRS.index((hand.index(first), hand.index(second)))
    raise UsageError(f"{action} isn't an action of this seat.")


def action(view: View, number: int) -> Action:
    """Decode an action number."""
    if 0 <= number < len(DECK):
        return PlayCard(DECK[number])
    if not len(DECK) <= number < ACTIONS or not isinstance(view.stage, Keeping):
        raise UsageError(f"{number} isn't the number of a legal action here.")
    hand = _own_hand(view)
    one, other = PAIRS[number - len(DECK)]
    return KeepCards(hand[one], hand[other])


def _own_hand(view: View) -> list[Card]:
    """Return the viewer's own hand; raise `UsageError` unless every card in it is visible."""
    hand = [] if view.seat is None else _known_cards(view.hands[view.seat])
    if view.seat is None or len(hand) < len(view.hands[view.seat]):
        raise UsageError("an agent must see all cards in its hand.")
    return hand


def _known_cards(cards: Iterable[Card | FaceDown]) -> list[Card]:
    return [card for card in cards if card is not FACE_DOWN]


def features(seats: int, options: Options) -> tuple[Feature, ...]:  # noqa: ARG001 - the same for all
    """Describe the fields of an observation, in order."""
    cards, colours = len(DECK), len(Colour)
    return (
        Feature("hand", cards, 0, 1, "1 for each card in your hand (after the game: your discards)"),
        Feature("parade", cards, 0, 62, "the place of each card in the parade, from the end; 0: none"),
        Feature("takes", cards, 0, 62, "for each card of your hand, how many cards it takes if played"),
        Feature("points", cards, 0, LARGEST, "the sum of the numbers on those cards; at most 127"),
        Feature("zones", seats * cards, 0, 1, "for each seat, 1 for each card in front of it"),
        Feature(
            "counts",
            seats * colours,
            0,
            11,
            "for each seat and colour, how many cards are in front of it",
        ),
        Feature(
            "printed", seats * colours, 0, 55, "for each seat and colour, the sum of the numbers on them"
        ),
        Feature("held", seats, 0, 5, "how many cards each seat has in hand"),
        Feature("pile", 1, 0, 66, "how many cards the draw pile has"),
        Feature("turn", seats, 0, 1, "1 for each seat that may act now"),
        Feature("last", 1, 0, 6, "in the last round, how many turns are left with this one; else 0"),
        Feature("ending", 2, 0, 1, "what started the last round: the sixth colour, the empty pile"),
        Feature("stage", 3, 0, 1, "one of: play a card, keep two cards, game over"),
        Feature("kept", cards, 0, 1, "1 for the cards that you have chosen to keep"),
        Feature("chosen", seats, 0, 1, "1 for each seat that has chosen what to keep"),
    )


def observe(view: View) -> bytes:
    """Encode what this seat may know, in the layout given by `features`."""
    if view.seat is None:
        raise UsageError("a spectator's view can't be encoded: an agent needs a seat.")
    seat, stage = view.seat, view.stage
    hand = _known_cards(view.hands[seat])
    zones = from_oneself(view.zones, seat)
    places = {card: place for place, card in enumerate(reversed(view.parade), start=1)}
    taken = {card: split_parade(view.parade, card)[0] for card in hand if isinstance(stage, Playing)}
    return bytes(
        [
            *_flags(hand),
            *[places.get(card, 0) for card in DECK],
            *[len(taken.get(card, ())) for card in DECK],
            *[min(sum(other.value for other in taken.get(card, ())), LARGEST) for card in DECK],
            *[flag for zone in zones for flag in _flags(zone)],
            *[sum(card.colour is colour for card in zone) for zone in zones for colour in Colour],
            *[
                sum(card.value for card in zone if card.colour is hue)
                for zone in zones
                for hue in Colour
            ],
            *[len(cards) for cards in from_oneself(view.hands, seat)],
            view.pile,
            *_encode_stage(view, seat),
        ]
    )


def _flags(cards: Iterable[Card]) -> list[int]:
    present = set(cards)
    return [card in present for card in DECK]


def _encode_stage(view: View, seat: int) -> list[int]:
    """Encode the features from `turn` on: seats to act, the last round, and the cards kept."""
    stage, seats = view.stage, range(len(view.hands))
    kept = stage.kept if isinstance(stage, Keeping) else (None,) * len(seats)
    ending = stage.ending if isinstance(stage, (Playing, Drawing, Keeping, Ended)) else None
    own = kept[seat]
    if isinstance(stage, Playing):
        acting = [other == stage.seat for other in seats]
    else:
        acting = [isinstance(stage, Keeping) and choice is None for choice in kept]
    return [
        *from_oneself(acting, seat),
        (stage.turns_left or 0) if isinstance(stage, Playing) else 0,
        ending in (Ending.SIXTH_COLOUR, Ending.BOTH),
        ending in (Ending.EMPTY_PILE, Ending.BOTH),
        *[isinstance(stage, kind) for kind in (Playing, Keeping, Ended)],
        *_flags((own.first, own.second) if isinstance(own, KeepCards) else ()),
        *[choice is not None for choice in from_oneself(kept, seat)],
    ]

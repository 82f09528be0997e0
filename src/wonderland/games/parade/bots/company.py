"""Remarkable moments of Parade: a long line of cards taken at once, and a majority won."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from wonderland.components.company import Moment
from wonderland.games.parade.rules.components import Colour
from wonderland.games.parade.rules.events import CardsTaken

_MANY_CARDS, _MANY_POINTS = 4, 15
"""What hurts when it is taken at once: that many cards, or cards that add up to that much."""
_MAJORITY = 3
"""The number of cards from which a majority is worth a remark."""


def moments(events: Sequence[Any | None]) -> Iterator[Moment]:
    """Find the moments that a player may remark on, judging by the cards taken face up."""
    zones: defaultdict[int, Counter[Colour]] = defaultdict(Counter)
    for number, event in enumerate(events):
        if not isinstance(event, CardsTaken):
            continue
        before = {colour: zones[event.seat][colour] for colour in Colour}
        zones[event.seat].update(card.colour for card in event.cards)
        others = {
            colour: max((zone[colour] for seat, zone in zones.items() if seat != event.seat), default=0)
            for colour in Colour
        }
        has_gained = any(
            zones[event.seat][colour] >= _MAJORITY
            and zones[event.seat][colour] > others[colour] >= before[colour]
            for colour in Colour
            if others[colour]
        )
        if has_gained:
            yield Moment(number, event.seat, "success")
        elif len(event.cards) >= _MANY_CARDS or sum(card.value for card in event.cards) >= _MANY_POINTS:
            yield Moment(number, event.seat, "setback")

"""Captions for Parade: the card that was played, and what it took."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wonderland.engine.language import Language
from wonderland.games.parade.rules.events import CardDrawn, CardPlayed, CardsTaken
from wonderland.games.parade.rules.scoring import totals
from wonderland.games.parade.rules.view import View
from wonderland.games.parade.ui.words import card_name

COVERED = (CardDrawn, CardPlayed)


def caption(events: Sequence[Any], view: View, names: Sequence[str], say: Language) -> str | None:
    """Sum up a turn: "Hatter played Blue 4 and took 3 cards: +12 points"."""
    played = next((event for event in events if isinstance(event, CardPlayed)), None)
    if played is None:
        return None
    fields = {"name": names[played.seat], "card": card_name(played.card, say)}
    taken = [card for event in events if isinstance(event, CardsTaken) for card in event.cards]
    if not taken:
        return say("{name} played {card} and took nothing.", **fields)
    zones = list(view.zones)
    zones[played.seat] = tuple(card for card in zones[played.seat] if card not in taken)
    cost = totals(view.zones)[played.seat] - totals(zones)[played.seat]
    return say.plural(
        "{name} played {card} and took {number} card: {points}",
        "{name} played {card} and took {number} cards: {points}",
        len(taken),
        points=f"{cost:+}".replace("-", "\N{MINUS SIGN}"),
        **fields,
    )

"""Parade's score pad: a grid of all cards to tap when scoring a physical game."""

from __future__ import annotations

from typing import Any

from wonderland.engine.language import Language
from wonderland.games.parade.rules.components import VALUES, Card, Colour
from wonderland.games.parade.ui.words import COLOURS, card_name


def pad(say: Language) -> dict[str, Any]:
    """Return the template context: the cards, grouped by colour."""
    return {
        "colours": [
            {
                "key": colour.name.lower(),
                "name": say(COLOURS[colour]),
                "cards": [_card_context(Card.of(colour, value), say) for value in VALUES],
            }
            for colour in Colour
        ]
    }


def _card_context(card: Card, say: Language) -> dict[str, Any]:
    return {"number": int(card), "value": card.value, "name": card_name(card, say)}

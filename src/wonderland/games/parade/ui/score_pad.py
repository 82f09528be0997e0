"""Parade's score pad: all cards, to be tapped by whoever counts them."""

from __future__ import annotations

from typing import Any

from wonderland.engine.language import Language
from wonderland.games.parade.rules.components import VALUES, Card, Colour
from wonderland.games.parade.ui.words import COLOURS, card_name


def pad(say: Language) -> dict[str, Any]:
    """What the pad's template needs: the cards, colour by colour."""
    return {
        "colours": [
            {
                "key": colour.name.lower(),
                "name": say(COLOURS[colour]),
                "cards": [_shown(Card.of(colour, value), say) for value in VALUES],
            }
            for colour in Colour
        ]
    }


def _shown(card: Card, say: Language) -> dict[str, Any]:
    return {"number": int(card), "value": card.value, "name": card_name(card, say)}

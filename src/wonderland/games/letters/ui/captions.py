"""Captions for Letters: the card that was turned, and what it meant for the rails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wonderland.engine.language import Language
from wonderland.games.letters.rules.components import WORD
from wonderland.games.letters.rules.events import CardTurned, LettersPlayed, LettersTurnedDown
from wonderland.games.letters.rules.view import View
from wonderland.games.letters.ui.words import card_name

COVERED = (CardTurned, LettersPlayed, LettersTurnedDown)


def caption(events: Sequence[Any], view: View, names: Sequence[str], say: Language) -> str | None:
    """Sum up a turn: "Hatter turned card 7, red A, and played A-L: 2 of 5"."""
    turned = next((event for event in events if isinstance(event, CardTurned)), None)
    played = [event for event in events if isinstance(event, LettersPlayed)]
    if turned is None and not played:
        return None
    seat = played[-1].seat if turned is None else turned.seat
    fields: dict[str, Any] = {
        "name": names[seat],
        "letters": "-".join(letter.letter for event in played for letter in event.letters),
        "have": view.rails[seat],
        "all": len(WORD),
    }
    if turned is None:
        return say("{name} played {letters}: {have} of {all}", **fields)
    fields |= {"number": turned.space + 1, "card": card_name(turned.card, say)}
    if played:
        return say(
            "{name} turned card {number}, {card}, and played {letters}: {have} of {all}", **fields
        )
    down = sum(len(event.letters) for event in events if isinstance(event, LettersTurnedDown))
    if down:
        return say.plural(
            "{name} turned up {card}: {number} letter face down again",
            "{name} turned up {card}: {number} letters face down again",
            down,
            name=fields["name"],
            card=fields["card"],
        )
    return say("{name} turned card {number}: {card}", **fields)

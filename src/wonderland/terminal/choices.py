"""How a choice is typed: the same for the full screen and for the plain prompt."""

from __future__ import annotations

from typing import Any

from wonderland.core.protocol import Seat
from wonderland.core.reading import AnyMatch


def choices_of(match: AnyMatch, seat: Seat) -> dict[str, Any]:
    """What to type for each action: its notation where that is a number, or else its place."""
    words = {match.game.write(action): action for action in match.legal(seat)}
    if all(word.isdigit() for word in words):
        return words
    return {str(place): action for place, action in enumerate(words.values(), start=1)}

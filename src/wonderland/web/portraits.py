"""Portraits: which character looks out of the box of each player.

The characters are the rows of `static/portraits.svg`; `static/wonderland.css` names them in the same
order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from wonderland.engine.language import phrase

BOTS = ("dodo", "white-rabbit", "hatter", "cheshire", "queen")
"""Characters for bots only."""
COMPANY = {
    "dormouse": phrase("Dormouse"),
    "caterpillar": phrase("Caterpillar"),
    "flamingo": phrase("Flamingo"),
    "hedgehog": phrase("Hedgehog"),
    "walrus": phrase("Walrus"),
    "march-hare": phrase("March Hare"),
    "mock-turtle": phrase("Mock Turtle"),
    "carpenter": phrase("Carpenter"),
    "king": phrase("King"),
    "duchess": phrase("Duchess"),
    "gryphon": phrase("Gryphon"),
    "lory": phrase("Lory"),
    "lizard": phrase("Bill the Lizard"),
    "dinah": phrase("Dinah the Kitten"),
}
"""Characters for everyone, with their names; players choose one of them."""
_GIVEN = 10
"""How many of them are given by name: with more, players in recorded games would change their faces."""


def assign_portraits(names: Sequence[str], chosen: Sequence[str] = ()) -> list[str]:
    """Return a portrait for each name, never the same twice; empty for a seat without a name.

    A character shows its own face, a player the portrait that they chose, if nobody has it yet, and
    everyone else one that depends on their name:

    >>> assign_portraits(["Hatter", "", "Alice", "Hatter 2"])
    ['hatter', '', 'dormouse', 'flamingo']
    >>> assign_portraits(["Alice", "Bill", "Dinah"], ["walrus", "walrus", "unicorn"])
    ['walrus', 'king', 'dormouse']
    >>> assign_portraits(["Alice", "Walrus"], ["walrus", ""])
    ['dormouse', 'walrus']
    """
    found = [""] * len(names)
    wishes = [*chosen, *[""] * (len(names) - len(chosen))]
    for seat, name in enumerate(names):
        own = name.casefold().replace(" ", "-")
        if own in (*BOTS, *COMPANY) and not wishes[seat] and own not in found:
            found[seat] = own
    for seat, portrait in enumerate(wishes):
        if portrait in COMPANY and portrait not in found:
            found[seat] = portrait
    for seat, name in enumerate(names):
        if name and not found[seat]:
            found[seat] = next(each for each in _preferences(name) if each not in found)
    return found


def portrait_of(name: str) -> str:
    """Return the portrait of someone who isn't seated with others.

    >>> portrait_of("Hatter"), portrait_of("Alice")
    ('hatter', 'dormouse')
    """
    return assign_portraits([name])[0]


def _preferences(name: str) -> list[str]:
    """Return the portraits for a name, the first choice first, the bots' own ones last."""
    start = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]) % _GIVEN
    company = list(COMPANY)
    return [*company[start:], *company[:start], *BOTS]

"""Text notation for Letters' actions; `position.py` has the notation for positions.

`12` turns the card on the twelfth space; `redA` or `Hatter` is the card that it turns out to be,
case-insensitively; `seat2` is the start player.
"""

from __future__ import annotations

import re
from typing import assert_never

from wonderland.engine.errors import NotationError, quote
from wonderland.games.letters.rules.components import CARDS, SPACES, Card, Letter, Menace
from wonderland.games.letters.rules.state import Action, StartWith, TurnCard

_CARDS = {str(card).lower(): card for card in CARDS}
_SPACES = {str(space + 1): space for space in SPACES}


def write(action: Action) -> str:
    """Format an action."""
    match action:
        case TurnCard(space):
            return str(space + 1)
        case Letter() | Menace():
            return str(action)
        case StartWith(seat):
            return f"seat{seat + 1}"
    assert_never(action)


def read(text: str) -> Action:
    """Parse an action; raise `NotationError` if the text is invalid."""
    if text[:1].isdecimal():
        return TurnCard(read_space(text))
    if match := re.fullmatch(r"seat([1-4])", text):
        return StartWith(int(match[1]) - 1)
    return read_card(text)


def read_space(text: str) -> int:
    """Parse a space number, counted from 1; raise `NotationError` if there is no such space."""
    try:
        return _SPACES[text]
    except KeyError:
        raise NotationError(
            "{text} isn't a space: the spaces are numbered from 1 to {last}.",
            rule="L2",
            text=quote(text),
            last=len(SPACES),
        ) from None


def read_card(text: str) -> Card:
    """Parse a card such as `redA`; raise `NotationError` if the text is invalid."""
    try:
        return _CARDS[text.lower()]
    except KeyError:
        raise NotationError(
            "{text} isn't a card: a card is a colour with a letter of ALICE, such as redA, or one of "
            "{menaces}.",
            rule="L1",
            text=quote(text),
            menaces=tuple(map(str, Menace)),
        ) from None

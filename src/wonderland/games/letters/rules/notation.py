"""Letters in writing: one word for each action.

`12` turns the card on the twelfth space; `redA` or `Hatter` is the card that it turns out to be, in
capitals or not; `seat2` begins.
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
    """The word for an action."""
    match action:
        case TurnCard(space):
            return str(space + 1)
        case Letter() | Menace():
            return str(action)
        case StartWith(seat):
            return f"seat{seat + 1}"
    assert_never(action)


def read(text: str) -> Action:
    """The action that a word stands for."""
    if text[:1].isdecimal():
        return TurnCard(read_space(text))
    if found := re.fullmatch(r"seat([1-4])", text):
        return StartWith(int(found[1]) - 1)
    return read_card(text)


def read_space(text: str) -> int:
    """The space that a number stands for."""
    try:
        return _SPACES[text]
    except KeyError:
        raise NotationError(
            f"{quote(text)} is not a space: the spaces are numbered from 1 to {len(SPACES)} (L2)."
        ) from None


def read_card(text: str) -> Card:
    """The card that a word such as `redA` stands for."""
    try:
        return _CARDS[text.lower()]
    except KeyError:
        names = ", ".join(map(str, Menace))
        raise NotationError(
            f"{quote(text)} is not a card: a card is a colour with a letter of ALICE, such as redA, "
            f"or one of {names} (L1)."
        ) from None

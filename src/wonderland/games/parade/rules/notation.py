"""Text notation for Parade's actions; `position.py` has the notation for positions.

A card is its colour's letter and its value, `R0` to `O10` (`RT` is accepted for `R10`). `G3` plays a
card, `+G3` draws it, `+?` draws a hidden card, `G3&R5` keeps two cards, `seat2` is the start player.
"""

from __future__ import annotations

import re
from typing import assert_never

from wonderland.engine.errors import NotationError, quote
from wonderland.engine.protocol import FACE_DOWN, FaceDown
from wonderland.games.parade.rules.components import DECK, Card
from wonderland.games.parade.rules.state import Action, KeepCards, PlayCard, StartWith

_CARDS = {str(card): card for card in DECK} | {
    f"{card.colour.letter}T": card for card in DECK if card.value == 10
}


def write(action: Action) -> str:
    """Format an action."""
    match action:
        case PlayCard(card):
            return str(card)
        case Card():
            return f"+{action}"
        case FaceDown.FACE_DOWN:
            return "+?"
        case KeepCards(first, second):
            return f"{first}&{second}"
        case StartWith(seat):
            return f"seat{seat + 1}"
    assert_never(action)


def read(text: str) -> Action:
    """Parse an action; raise `NotationError` if the text is invalid."""
    if text.startswith("+"):
        return FACE_DOWN if text == "+?" else read_card(text[1:])
    if match := re.fullmatch(r"seat([1-6])", text):
        return StartWith(int(match[1]) - 1)
    if text.startswith("seat"):
        raise NotationError("{text} isn't a seat: the seats are seat1 to seat6.", text=quote(text))
    first, separator, second = text.partition("&")
    if separator:
        pair = sorted((read_card(first), read_card(second)))
        if pair[0] == pair[1]:
            raise NotationError(
                "{text} keeps the same card twice: you keep two cards, such as R3&B4.",
                rule="P11",
                text=quote(text),
            )
        return KeepCards(*pair)
    return PlayCard(read_card(text))


def read_card(text: str) -> Card:
    """Parse a card such as `G3`; raise `NotationError` if the text is invalid."""
    try:
        return _CARDS[text.upper()]
    except KeyError:
        raise NotationError(
            "{text} isn't a card: a card is one of R B P G Y O (Y is grey) and a number from 0 to "
            "10, such as G3.",
            text=quote(text),
        ) from None

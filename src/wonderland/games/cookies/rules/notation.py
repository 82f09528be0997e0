"""Notation of Cookies: one word per action.

A card is its number or `J`. `left3` plays the left card, `rightJ4` a Joker as 4, `left3+1` adds the 1 of
a large pawn, `left3/walk` walks out of a kind Rabbit Hole; `up` and `down` take a cookie, `accept` and
`again` answer a spin. Chance outcomes: `+3` draws a card, `+?` an unseen one, `cookie3` turns up a large
cookie, `spin7` lands on space 7 (space 1 is the Hatter's Tea Party), `seat2` starts.
"""

from __future__ import annotations

import re
from typing import assert_never

from wonderland.engine.errors import NotationError, quote
from wonderland.engine.protocol import FACE_DOWN, FaceDown
from wonderland.games.cookies.rules.board import SIZES
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.state import (
    Action,
    Answer,
    Cookie,
    PlayCard,
    Side,
    Spin,
    StartWith,
    TakeCookie,
)

_CARDS = {card.mark: card for card in Card}
_WORDS: dict[str, Action] = {word.value: word for word in (*TakeCookie, *Answer)} | {
    f"seat{seat + 1}": StartWith(seat) for seat in range(4)
}
_PLAY = re.compile(r"(left|right)([1-5]|[Jj][1-5])(\+1)?(/walk)?")


def write(action: Action) -> str:
    """Write an action as one word."""
    match action:
        case PlayCard(side, card, number, plus, walk):
            joker = card.mark if card is Card.JOKER else ""
            more = ("+1" if plus else "") + ("/walk" if walk else "")
            return f"{side.name.lower()}{joker}{number}{more}"
        case TakeCookie():
            return action.value
        case Answer():
            return action.value
        case Card():
            return f"+{action.mark}"
        case FaceDown.FACE_DOWN:
            return "+?"
        case Cookie(cookie):
            return f"cookie{cookie}"
        case Spin(space):
            return f"spin{space + 1}"
        case StartWith(seat):
            return f"seat{seat + 1}"
    assert_never(action)


def read(text: str) -> Action:
    """Parse an action from its word."""
    if text in _WORDS:
        return _WORDS[text]
    if text.startswith("+"):
        return FACE_DOWN if text == "+?" else read_card(text[1:])
    if found := _PLAY.fullmatch(text):
        side, what, plus, walk = found.groups()
        number = int(what[-1])
        card = Card(number) if len(what) == 1 else Card.JOKER
        return PlayCard(Side[side.upper()], card, number, plus is not None, walk is not None)
    if found := re.fullmatch(r"cookie([2-5])", text):
        return Cookie(int(found[1]))
    if (found := re.fullmatch(r"spin([1-9][0-9]?)", text)) and int(found[1]) <= SIZES[-1]:
        return Spin(int(found[1]) - 1)
    raise NotationError(
        "{text} isn't part of this game's notation, "
        "such as left3, rightJ4, left3+1, up, down, accept, again, +3, cookie3, spin7 or seat2.",
        text=quote(text),
    )


def read_card(text: str) -> Card:
    """Parse a card from its mark, such as `3` or `J`."""
    try:
        return _CARDS[text.upper()]
    except KeyError:
        raise NotationError(
            "{text} isn't a card: a card is a number from 1 to 5, or J.", text=quote(text)
        ) from None

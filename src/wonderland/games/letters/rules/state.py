"""What a play of Letters is made of: states, actions and events."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeAlias

from wonderland.engine.outcome import Result
from wonderland.engine.protocol import FaceDown, Seat
from wonderland.engine.values import Value
from wonderland.games.letters.rules.components import Card, Letter, Menace
from wonderland.games.letters.rules.options import Options


class Ending(Enum):
    """How the winner came by the last letters (L12)."""

    TURNED = "turned"
    """The card that was turned was one of them (L6)."""
    CLAIMED_AFTER = "claimed after"
    """They lay exposed, and were played after another card was turned (L9)."""
    CLAIMED_FIRST = "claimed first"
    """They lay exposed, and were played before a card was turned (L9)."""


class FaceUp(NamedTuple):
    """A card that lies open: a named tuple, since the exposed letters are looked for all the time."""

    card: Card


class TurnedDown(Value, frozen=True):
    """A letter that was exposed once and lies face down again (L10): everyone has seen it."""

    card: Letter


class Empty(Enum):
    """A space whose card has been played, or removed from the game."""

    EMPTY = "."


EMPTY = Empty.EMPTY
Space: TypeAlias = FaceDown | TurnedDown | FaceUp | Empty
"""What a starred space holds; `FACE_DOWN` is a card that was never turned."""


class Starting(Value, frozen=True):
    """Luck draws who begins."""


class Choosing(Value, frozen=True):
    """A seat is to choose the card that it turns."""

    seat: Seat


class Turning(Value, frozen=True):
    """A seat has chosen a space; luck shows what lies there."""

    seat: Seat
    space: int


class Ended(Value, frozen=True):
    """Someone has completed A-L-I-C-E."""

    result: Result


Stage: TypeAlias = Starting | Choosing | Turning | Ended


class State(Value, frozen=True):
    """A position. Which card lies on a space that was never turned is nowhere: it is not settled yet."""

    stage: Stage
    options: Options
    """With a colour for each seat."""
    spaces: tuple[Space, ...]
    rails: tuple[int, ...]
    """How many letters of A-L-I-C-E each seat has played."""
    removed: tuple[Letter, ...]
    """The letters of unused colours that were turned (L11), sorted."""
    unseen: tuple[Card, ...]
    """The cards that were never turned, in the order of `CARDS`: a set, which tells nothing of where
    they lie."""


class StartWith(Value, frozen=True):
    """Luck: this seat begins (L4)."""

    seat: Seat


class TurnCard(Value, frozen=True):
    """Turn up the face-down card on this space (L5); spaces are counted from 0."""

    space: int


Action: TypeAlias = StartWith | Letter | Menace | TurnCard
"""Luck decides `StartWith`, and which card, a `Letter` or a `Menace`, the one turned is; seats decide
`TurnCard`."""

"""The state of a game of Letters, its stages, and the actions that change it."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeAlias

from wonderland.engine.outcome import Result
from wonderland.engine.protocol import FaceDown, Seat
from wonderland.engine.values import Value
from wonderland.games.letters.rules.components import Card, Letter, Menace
from wonderland.games.letters.rules.options import Options


class Ending(Enum):
    """How the winner got the last letters (L12)."""

    TURNED = "turned"
    """One of them was the card just turned (L6)."""
    CLAIMED_AFTER = "claimed after"
    """They were exposed, and played after turning another card (L9)."""
    CLAIMED_FIRST = "claimed first"
    """They were exposed, and played before turning a card (L9)."""


class FaceUp(NamedTuple):
    """A face-up card; a named tuple, because exposed letters are searched for constantly."""

    card: Card


class TurnedDown(Value, frozen=True):
    """A letter that was exposed and is face down again (L10): everyone has seen it."""

    card: Letter


class Empty(Enum):
    """A space whose card has been played, or removed from the game."""

    EMPTY = "."


EMPTY = Empty.EMPTY
Space: TypeAlias = FaceDown | TurnedDown | FaceUp | Empty
"""The content of a starred space; `FACE_DOWN` is a card that was never turned."""


class Starting(Value, frozen=True):
    """Chance picks the start player."""


class Choosing(Value, frozen=True):
    """A seat has to choose a card to turn."""

    seat: Seat


class Turning(Value, frozen=True):
    """A seat has chosen a space, and chance decides which card is there."""

    seat: Seat
    space: int


class Ended(Value, frozen=True):
    """Someone has completed A-L-I-C-E."""

    result: Result


Stage: TypeAlias = Starting | Choosing | Turning | Ended


class State(Value, frozen=True):
    """A position. The cards on spaces never turned are undecided until chance turns them up."""

    stage: Stage
    options: Options
    """Including a colour for each seat."""
    spaces: tuple[Space, ...]
    rails: tuple[int, ...]
    """The number of letters of A-L-I-C-E that each seat has played."""
    removed: tuple[Letter, ...]
    """The letters of unused colours that were turned (L11), sorted."""
    unseen: tuple[Card, ...]
    """The cards that were never turned, in the order of `CARDS`, which reveals nothing about where they
    are."""


class StartWith(Value, frozen=True):
    """Chance outcome: this seat is the start player (L4)."""

    seat: Seat


class TurnCard(Value, frozen=True):
    """Turn up the face-down card on this space (L5); spaces are counted from 0."""

    space: int


Action: TypeAlias = StartWith | Letter | Menace | TurnCard
"""Chance outcomes are `StartWith` and the card turned up, a `Letter` or a `Menace`; seats decide
`TurnCard`."""

"""Events of Cookies: what happened, in the past tense, for the log and the animations."""

from __future__ import annotations

from typing import TypeAlias

from wonderland.engine.outcome import Result
from wonderland.engine.protocol import FaceDown, Seat
from wonderland.engine.values import Value
from wonderland.games.cookies.rules.board import Kind
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.state import PlayCard, TakeCookie


class StartChosen(Value, frozen=True):
    """The start player was chosen."""

    seat: Seat


class CardDealt(Value, frozen=True):
    """A card was dealt to a hand; `shown` to all if hands are open (C20)."""

    seat: Seat
    card: Card | FaceDown
    shown: bool


class CardDrawn(Value, frozen=True):
    """A player drew a card at the end of a turn; `shown` to all if hands are open (C20)."""

    seat: Seat
    card: Card | FaceDown
    shown: bool


class CardPlayed(Value, frozen=True):
    """A card was played and its number declared."""

    seat: Seat
    play: PlayCard


class PawnMoved(Value, frozen=True):
    """A pawn moved clockwise from one space to another."""

    seat: Seat
    start: int
    end: int
    kind: Kind
    """Kind of the space it stopped on."""
    beyond: int
    """Number of occupied spaces it skipped at the end, because no two pawns share a space (C9)."""
    passed: bool
    """Whether it passed the Hatter's Tea Party (C10)."""


class SentOn(Value, frozen=True):
    """The Cheshire Cat made a pawn move again (C16)."""

    seat: Seat
    number: int


class CookieTaken(Value, frozen=True):
    """A player took a large cookie: the face-up one, or the top one of the stack."""

    seat: Seat
    cookie: int
    which: TakeCookie


class CookieTurnedUp(Value, frozen=True):
    """The next large cookie was turned face up."""

    cookie: int


class SpinMade(Value, frozen=True):
    """The spinner came to rest on a space."""

    seat: Seat
    space: int


class SmallCookiesTaken(Value, frozen=True):
    """A player took small cookies."""

    seat: Seat
    number: int


class PawnGrew(Value, frozen=True):
    """A small pawn became large."""

    seat: Seat


class PawnShrank(Value, frozen=True):
    """A large pawn became small."""

    seat: Seat


class FellIntoHole(Value, frozen=True):
    """A small pawn fell down the Rabbit Hole."""

    seat: Seat


class ClimbedOut(Value, frozen=True):
    """A pawn left the Rabbit Hole for the space the spinner pointed at."""

    seat: Seat


class StayedInHole(Value, frozen=True):
    """A pawn failed to get out of the Rabbit Hole this turn."""

    seat: Seat


class GameEnded(Value, frozen=True):
    """The game ended and the points were counted."""

    result: Result


Event: TypeAlias = (
    StartChosen
    | CardDealt
    | CardDrawn
    | CardPlayed
    | PawnMoved
    | SentOn
    | CookieTaken
    | CookieTurnedUp
    | SpinMade
    | SmallCookiesTaken
    | PawnGrew
    | PawnShrank
    | FellIntoHole
    | ClimbedOut
    | StayedInHole
    | GameEnded
)

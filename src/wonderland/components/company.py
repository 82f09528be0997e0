"""Bots as company: characters who lend them a name and a face, and moments they may remark on.

The shared characters are in `bots/characters.py`. A game may say when something remarkable happens to a
player, and add characters of its own, in the component `bots.company`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, cast, runtime_checkable

from wonderland.engine.protocol import Seat
from wonderland.engine.registry import component
from wonderland.engine.values import Value

Occasion: TypeAlias = Literal["setback", "success", "won", "lost"]
"""What a character remarks on; a game announces the first two, and the end of any game the others."""


class Character(Value, frozen=True):
    """A name and a face for a bot, with words of its own. All texts are translatable messages."""

    name: str
    """The display name, such as `March Hare`."""
    about: str
    """How it plays, in a sentence."""
    remarks: Mapping[Occasion, str]

    @property
    def word(self) -> str:
        """The identifier, which is also the name of its portrait: `march-hare`."""
        return self.name.lower().replace(" ", "-")


class Moment(Value, frozen=True):
    """Something remarkable that happened to a player, for everyone to see."""

    event: int
    """The index of the event among those given."""
    seat: Seat
    occasion: Occasion


class Company(Protocol):
    """The component `bots.company` of a game."""

    def moments(self, events: Sequence[Any | None]) -> Iterable[Moment]:
        """Find the remarkable moments among all events so far, as a spectator witnesses them.

        An event that spectators don't witness is `None`.
        """
        ...


@runtime_checkable
class OwnCharacters(Protocol):
    """Optional extra of `bots.company`: characters of the game itself."""

    @property
    def CHARACTERS(self) -> Mapping[str, Sequence[Character]]:  # noqa: N802 - a constant of the module
        """The characters of each level, by the word of the level; they come before the shared ones."""
        ...


@runtime_checkable
class NamedPieces(Protocol):
    """Optional extra of `bots.company`: pieces that belong to players and have names."""

    @property
    def PIECES(self) -> Collection[str]:  # noqa: N802 - a constant of the module
        """The names of the pieces, which no bot is given: it might move the piece of another."""
        ...


def company_of(game: str) -> Company | None:
    """Return the company component of a game, if it has one."""
    return cast("Company | None", component(game, "bots.company"))


def own_characters(game: str) -> Mapping[str, Sequence[Character]]:
    """Return the characters that a game adds, by the word of their level."""
    own = component(game, "bots.company")
    return own.CHARACTERS if isinstance(own, OwnCharacters) else {}


def piece_names(game: str) -> Collection[str]:
    """Return the names of a game's pieces that no bot may bear."""
    own = component(game, "bots.company")
    return own.PIECES if isinstance(own, NamedPieces) else ()

"""What a game says to people: the component `ui.words`.

A game without it is spoken of in general words (`general.py`). All of it is made from views and
witnessed events alone, so it can't say more than a seat may know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from wonderland.core.general import GeneralWords
from wonderland.core.language import ENGLISH, Language
from wonderland.core.registry import component
from wonderland.core.registry import game as named_game

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Words(Protocol):
    """The words of one game."""

    def tell(self, event: Any, names: Sequence[str], say: Language = ENGLISH) -> str | None:
        """What happened, in one sentence; `None` if it goes without saying."""
        ...

    def describe(self, view: Any, names: Sequence[str]) -> list[str]:
        """The table as this view shows it, in lines of English text of at most 80 characters."""
        ...

    def offer(self, view: Any, action: Any, say: Language = ENGLISH) -> str:
        """An action that the seat of this view may take, with what can be said of it beforehand."""
        ...


@runtime_checkable
class LogWords(Protocol):
    """Optional words of a game of memory, whose log must not do the remembering."""

    def retell(self, event: Any, view: Any, names: Sequence[str], say: Language = ENGLISH) -> str | None:
        """Tell an event later on, in a log that can be read again; `None` to leave it out."""
        ...


@runtime_checkable
class CardNames(Protocol):
    """Optional words of a game whose messages about impossible positions name cards."""

    def card_name(self, card: Any, say: Language = ENGLISH) -> str:
        """What people call a card."""
        ...


@runtime_checkable
class EndingNames(Protocol):
    """Optional words for the different ways in which games end."""

    @property
    def ENDINGS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """A text of the catalogues for each `Result.ending`."""
        ...


def words_of(game: str) -> Words:
    """The words of the game of this name: its own, or general ones."""
    own = component(game, "ui.words")
    return GeneralWords(named_game(game)) if own is None else cast("Words", own)

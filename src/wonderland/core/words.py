"""What a game says to people: each game's `words` module offers these three functions.

A game without such a module is spoken of in general words (`general.py`).

They are made from views and witnessed events alone, so they can't say more than a seat may know. A game
of memory may also offer `retell(event, view, names, say)`: what is told of an event later on, in a log
that can be read again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from wonderland.core.general import GeneralWords
from wonderland.core.language import ENGLISH, Language
from wonderland.core.registry import game as named_game
from wonderland.core.registry import part

if TYPE_CHECKING:
    from collections.abc import Sequence


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


def words_of(game: str) -> Words:
    """The words of the game of this name: its own, or general ones."""
    own = part(game, "words")
    return GeneralWords(named_game(game)) if own is None else cast("Words", own)

"""A lesson: a first game at a real table with prepared luck, in which somebody explains what to look at.

A game that has one has a component `ui.tutorial`. What its guide says is made from what the learner may
know and from nothing else, so it tells nothing that is hidden; and it is right whatever the learner
chooses to play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from wonderland.engine.language import Language
from wonderland.engine.registry import component
from wonderland.engine.values import Value

if TYPE_CHECKING:
    from wonderland.engine.outcome import Result


class Tutorial(Value, frozen=True):
    """How the table of a lesson is laid. The learner has the first seat."""

    bots: tuple[str, ...]
    """The level of the bot on each of the other seats."""
    given: Mapping[str, str]
    """What luck will bring, by stream: words of the game's records with blanks between them."""
    options: Mapping[str, str] = {}

    @property
    def seats(self) -> int:
        """How many sit there."""
        return 1 + len(self.bots)

    def luck(self) -> dict[str, tuple[str, ...]]:
        """The words of each stream."""
        return {label: tuple(words.split()) for label, words in self.given.items()}


class Guidance(Value, frozen=True):
    """What a learner is told now: a few short sentences, and which pieces they are about."""

    says: tuple[str, ...] = ()
    points_at: tuple[str, ...] = ()
    """Names of pieces, as the scene of the game has them."""


class TutorialContext(Protocol):
    """What a guide may use besides the view: the names at the table, and a language."""

    @property
    def names(self) -> Sequence[str]:
        """In seat order."""
        ...

    @property
    def say(self) -> Language:
        """Says an English text in that language."""
        ...


class TutorialGuide(Protocol):
    """The component `ui.tutorial` of a game."""

    @property
    def LESSON(self) -> Tutorial:  # noqa: N802 - a constant of the module
        """How its table is set up."""
        ...

    def guide(self, view: Any, witnessed: Sequence[Any], words: TutorialContext) -> Guidance:
        """What to look at now, from the learner's view and all that they have seen happen."""
        ...


def tutorial_of(game: str) -> TutorialGuide | None:
    """The lesson of a game, if it has one."""
    return cast("TutorialGuide | None", component(game, "ui.tutorial"))


def winner_sentence(result: Result, words: TutorialContext) -> str:
    """The end in a sentence, for who does not know the game: who wins, with what, and why."""
    say, reason = words.say, words.say(result.decided)
    *others, last = (words.names[seat] for seat in result.winners)
    if others:
        both = say.join_list(others)
        return say("{others} and {last} share the win: {reason}.", others=both, last=last, reason=reason)
    return say.plural(
        "{name} wins with {number} point: {reason}.",
        "{name} wins with {number} points: {reason}.",
        result.scores[result.winners[0]],
        name=last,
        reason=reason,
    )

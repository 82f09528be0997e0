"""The tutorial: a first game at a real table with a prepared shuffle, and a guide who explains it.

It is a game's component `ui.tutorial`. The guide's text is derived only from what the learner may know,
so it reveals nothing hidden, and it must be correct whatever the learner chooses.
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
    """The setup of a tutorial table. The learner has the first seat."""

    bots: tuple[str, ...]
    """The level of the bot in each of the other seats."""
    given: Mapping[str, str]
    """The prepared chance outcomes by stream, in record notation, separated by spaces."""
    options: Mapping[str, str] = {}

    @property
    def seats(self) -> int:
        """The number of seats."""
        return 1 + len(self.bots)

    def luck(self) -> dict[str, tuple[str, ...]]:
        """Return the prepared chance outcomes of each stream, in record notation."""
        return {label: tuple(words.split()) for label, words in self.given.items()}


class Guidance(Value, frozen=True):
    """The guide's current explanation: a few short sentences, and the pieces they are about."""

    says: tuple[str, ...] = ()
    points_at: tuple[str, ...] = ()
    """Names of pieces in the scene of the game."""


class TutorialContext(Protocol):
    """What a guide may use besides the view: the players' names, and a language."""

    @property
    def names(self) -> Sequence[str]:
        """The players' names, in seat order."""
        ...

    @property
    def say(self) -> Language:
        """The learner's language."""
        ...


class TutorialGuide(Protocol):
    """The component `ui.tutorial` of a game."""

    @property
    def TUTORIAL(self) -> Tutorial:  # noqa: N802 - a constant of the module
        """The setup of the tutorial table."""
        ...

    def guide(self, view: Any, witnessed: Sequence[Any], words: TutorialContext) -> Guidance:
        """Explain the position, from the learner's view and all events that they have seen."""
        ...


def tutorial_of(game: str) -> TutorialGuide | None:
    """Return the tutorial of a game, if it has one."""
    return cast("TutorialGuide | None", component(game, "ui.tutorial"))


def winner_sentence(result: Result, words: TutorialContext) -> str:
    """Describe the result for a beginner: who won, with how many points, and why."""
    say, reason = words.say, words.say(result.decided)
    *others, last = (words.names[seat] for seat in result.winners)
    if others:
        joined = say.join_list(others)
        return say(
            "{others} and {last} share the win: {reason}.", others=joined, last=last, reason=reason
        )
    return say.plural(
        "{name} wins with {number} point: {reason}.",
        "{name} wins with {number} points: {reason}.",
        result.scores[result.winners[0]],
        name=last,
        reason=reason,
    )

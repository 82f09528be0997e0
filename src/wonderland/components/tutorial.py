"""The tutorial: a first game at a real table with a prepared shuffle, and a guide who explains it.

It is a game's component `ui.tutorial`. The guide's text is derived only from what the learner may know,
so it reveals nothing hidden, and it must be correct whatever the learner chooses.

Lessons are short tutorials with one theme each, for those who have played before: the component
`ui.lessons`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from wonderland.engine.language import Language
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.options import read_options
from wonderland.engine.record import Move, read_given_chance
from wonderland.engine.registry import component
from wonderland.engine.values import Value

if TYPE_CHECKING:
    from wonderland.engine.outcome import Result
    from wonderland.engine.protocol import AnyGame


class Tutorial(Value, frozen=True):
    """The setup of a tutorial table. The learner has the first seat."""

    bots: tuple[str, ...]
    """The level of the bot in each of the other seats."""
    given: Mapping[str, str]
    """The prepared chance outcomes by stream, in record notation, separated by spaces."""
    options: Mapping[str, str] = {}
    begun: str = ""
    """The decisions made before the learner takes over, in record notation, separated by spaces."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return 1 + len(self.bots)

    def given_outcomes(self) -> dict[str, tuple[str, ...]]:
        """Return the prepared chance outcomes of each stream, in record notation."""
        return {label: tuple(words.split()) for label, words in self.given.items()}

    def first_moves(self, game: AnyGame) -> Sequence[Move[Any]]:
        """Return the moves made before the learner takes over, chance outcomes included."""
        if not self.begun:
            return ()
        names = [f"Player {seat + 1}" for seat in range(self.seats)]
        given = read_given_chance(game, self.given_outcomes())
        match: Match[Any, Any, Any, Any, Any] = Match(
            game, names, read_options(game, self.options), given=given
        )
        for word in self.begun.split():
            match.play(seats_to_act(match.turn)[0], game.read(word))
        return tuple(match.moves)

    @property
    def learner_began(self) -> int:
        """The number of those decisions that the learner's seat made, if seats take turns."""
        return (len(self.begun.split()) + (self.given["start"] == "seat1")) // 2


class Guidance(Value, frozen=True):
    """The guide's current explanation: a few short sentences, and the pieces they are about."""

    says: tuple[str, ...] = ()
    points_at: tuple[str, ...] = ()
    """Names of pieces in the scene of the game."""
    is_done: bool = False
    """Whether the lesson has been taught; the game may go on."""


class Lesson(Value, frozen=True):
    """A short tutorial with one theme."""

    key: str
    title: str
    """A translatable message of a few words."""
    about: str
    """What it teaches, as a translatable sentence."""
    setup: Tutorial
    theme: str
    """Key of the theme of the game's puzzles that it ends with."""


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


class Lessons(Protocol):
    """The component `ui.lessons` of a game."""

    @property
    def LESSONS(self) -> Sequence[Lesson]:  # noqa: N802 - a constant of the module
        """The lessons, in the order in which they are best taken."""
        ...

    def guide(self, key: str, view: Any, witnessed: Sequence[Any], words: TutorialContext) -> Guidance:
        """Explain the position in a lesson, from the learner's view and the events they have seen."""
        ...


def lessons_of(game: str) -> dict[str, Lesson]:
    """Return the lessons of a game by key; empty if it has none."""
    own = cast("Lessons | None", component(game, "ui.lessons"))
    return {} if own is None else {lesson.key: lesson for lesson in own.LESSONS}


def guide_in_lesson(
    game: str, key: str, view: Any, witnessed: Sequence[Any], words: TutorialContext
) -> Guidance:
    """Return the guidance of a lesson; nothing if the game no longer has it."""
    own = cast("Lessons | None", component(game, "ui.lessons"))
    if own is None or key not in lessons_of(game):
        return Guidance()
    return own.guide(key, view, witnessed, words)


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
            "{others} and {last} share the win ({reason}).", others=joined, last=last, reason=reason
        )
    return say.plural(
        "{name} wins with {number} point ({reason}).",
        "{name} wins with {number} points ({reason}).",
        result.scores[result.winners[0]],
        name=last,
        reason=reason,
    )

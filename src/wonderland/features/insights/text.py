"""How what is known about a game is said: the shape of a section, and the words they share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wonderland.components.words import EndingNames, words_of
from wonderland.engine.language import Language
from wonderland.features.insights.charts import Plot
from wonderland.features.insights.model import Figure, Insights, Player, Survey
from wonderland.web.languages import percent


@dataclass(frozen=True, slots=True)
class NumberTable:
    """A table."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int
    """How many columns at the beginning hold words, and not numbers."""


@dataclass(frozen=True, slots=True)
class Section:
    """One question, and what is known about it."""

    key: str
    title: str
    says: tuple[str, ...]
    plots: tuple[Plot, ...]
    numbers: NumberTable
    commands: tuple[str, ...]
    legend: tuple[str, ...] = ()
    """What the shapes of dots stand for, if there are several."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What is known about a game, and a language to say it in."""

    found: Insights
    say: Language

    def level(self, player: Player) -> str:
        """A level by its name, and how much it was allowed to think."""
        name = self.say(player.name)
        if not player.playouts:
            return name
        return self.say("{level} ({number} play-outs)", level=name, number=player.playouts)

    def players(self, seats: int) -> str:
        """So many of them."""
        return self.say.plural("{number} player", "{number} players", seats)

    def range_of(self, found: Figure) -> str:
        """Between what a share lies."""
        return self.between(percent(found.low, self.say), percent(found.high, self.say))

    def between(self, low: str, high: str) -> str:
        return self.say("{low} to {high}", low=low, high=high)

    def share(self, found: Figure) -> tuple[str, str]:
        return percent(found.value, self.say), self.range_of(found)

    def surveys(self) -> Iterator[Survey]:
        for seats in self.found.seats:
            yield from self.found.with_seats(seats)

    def levels(self) -> tuple[str, ...]:
        """The levels of the surveys, in the order in which their dots stand."""
        found = tuple(dict.fromkeys(self.level(each.player) for each in self.surveys()))
        return found if len(found) > 1 else ()

    def ending(self, name: str) -> str:
        """A way to end, in the words of the game if it has some."""
        words = words_of(self.found.game)
        return self.say(words.ENDINGS.get(name, name) if isinstance(words, EndingNames) else name)

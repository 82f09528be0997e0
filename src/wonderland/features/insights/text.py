"""Shape of an insights section, and wording shared by all sections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wonderland.components.formatting import percent
from wonderland.engine.language import Language
from wonderland.features.insights.charts import Plot
from wonderland.features.insights.model import Figure, Insights, Player, Survey
from wonderland.lab.labels import ending_name


@dataclass(frozen=True, slots=True)
class NumberTable:
    """Table of figures."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int
    """Number of leading columns that hold words instead of numbers."""


@dataclass(frozen=True, slots=True)
class Section:
    """One question about the game, with its charts and figures."""

    key: str
    title: str
    says: tuple[str, ...]
    plots: tuple[Plot, ...]
    numbers: NumberTable
    legend: tuple[str, ...] = ()
    """Meaning of the dot shapes, if there are several."""


@dataclass(frozen=True, slots=True)
class Wording:
    """Insights with a language to phrase them in."""

    found: Insights
    say: Language

    def level(self, player: Player) -> str:
        """Name of a level, with its limit of playouts if it has one."""
        name = self.say(player.name)
        if not player.playouts:
            return name
        return self.say("{level} ({number} playouts)", level=name, number=player.playouts)

    def players(self, seats: int) -> str:
        """Number of players in words."""
        return self.say.plural("{number} player", "{number} players", seats)

    def range_of(self, found: Figure) -> str:
        """95% confidence interval of a share, in words."""
        return self.between(percent(found.low, self.say), percent(found.high, self.say))

    def between(self, low: str, high: str) -> str:
        return self.say("{low} to {high}", low=low, high=high)

    def share(self, found: Figure) -> tuple[str, str]:
        return percent(found.value, self.say), self.range_of(found)

    def surveys(self) -> Iterator[Survey]:
        for seats in self.found.seats:
            yield from self.found.with_seats(seats)

    def levels(self) -> tuple[str, ...]:
        """Levels of the surveys in the order of their dot shapes; empty if there is only one."""
        found = tuple(dict.fromkeys(self.level(each.player) for each in self.surveys()))
        return found if len(found) > 1 else ()

    def ending(self, name: str) -> str:
        """Name of an ending, in the game's words if it has them."""
        return ending_name(self.found.game, name, self.say)

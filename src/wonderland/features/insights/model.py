"""What simulation says about a game, as it stands in the game's folder: `insights.json`.

`wonderland insights make` writes the file (see `surveying`), a page and a command show it. With every
finding stands the command that finds it again.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from wonderland.components.game_data import GameFile, Kept
from wonderland.engine.language import phrase

VERSION = 1
"""Of the file's form."""

Count = Annotated[int, Meta(ge=1)]


class Figure(Struct, frozen=True, forbid_unknown_fields=True):
    """What was found, and between what the truth lies in 95 of 100 cases."""

    value: float
    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.value <= self.high:
            raise ValueError(f"{self.value} does not lie between {self.low} and {self.high}")


class Histogram(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers, one for each play or seat: their mean, and how often each came."""

    mean: Figure
    lowest: int
    median: int
    highest: int
    counts: Annotated[dict[int, Count], Meta(min_length=1)]


class EndingShare(Struct, frozen=True, forbid_unknown_fields=True):
    """How often plays end in one way."""

    name: str
    share: Figure


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """A level of bots."""

    bot: str
    """As commands name it: `queen@500` has 500 play-outs for each action, whatever is usual for it."""
    name: str
    """As people do."""

    @property
    def playouts(self) -> str:
        """How many it was limited to, if it was."""
        return self.bot.partition("@")[2]


class Survey(Struct, frozen=True, forbid_unknown_fields=True):
    """What came of many plays between bots of one level."""

    player: Player
    seats: Annotated[int, Meta(ge=1, le=6)]
    games: Count
    command: str
    order: tuple[Figure, ...]
    """The share of the wins of whoever plays first, second, and so on."""
    scores: Histogram
    """Of all seats."""
    decisions: Histogram
    shared: Figure
    """How often a win is shared."""
    endings: tuple[EndingShare, ...]
    """The most frequent first."""

    def __post_init__(self) -> None:
        if len(self.order) != self.seats:
            raise ValueError(f"{self.seats} seats need as many places in the order of play")


class Meeting(Struct, frozen=True, forbid_unknown_fields=True):
    """Two levels that met on the same deals, with places exchanged."""

    stronger: Player
    weaker: Player
    seats: int
    deals: Count
    games: Count
    command: str
    wins: Figure
    """The share of the stronger."""
    is_next: bool
    """Whether the weaker is the level just below; if not, it is the lowest."""


class OptionEffect(Struct, frozen=True, forbid_unknown_fields=True):
    """By how much a variant changes something."""

    kind: str
    """`first`: the share of the wins of whoever begins; `shared`: how often a win is shared; `ending`:
    how often plays end so; `score`: the mean of all seats; `decisions`: how many there are in a play."""
    ending: str
    """Which one, if it is about one."""
    before: float
    after: float
    difference: Figure
    is_clear: bool
    """Whether it would be clear of nought even if all changes of the variant were judged at once."""

    @property
    def is_share(self) -> bool:
        """Whether it is a part of all plays, and not a number of something."""
        return self.kind in ("first", "shared", "ending")

    @property
    def is_about_something(self) -> bool:
        """Whether it ever happens at all."""
        return bool(self.before or self.after)


class Variant(Struct, frozen=True, forbid_unknown_fields=True):
    """What one value of an option changes, on the same deals as without it."""

    option: str
    usual: str
    value: str
    player: Player
    seats: int
    games: Count
    command: str
    changes: tuple[OptionEffect, ...]


class Insights(Kept, frozen=True, forbid_unknown_fields=True):
    """All that is known about a game."""

    date: Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$")]
    command: str
    surveys: Annotated[tuple[Survey, ...], Meta(min_length=1)]
    """By level, then by the number of seats."""
    meetings: tuple[Meeting, ...]
    variants: tuple[Variant, ...]

    @property
    def games(self) -> int:
        """How many were played in all."""
        alone = sum(each.games for each in self.surveys) + sum(each.games for each in self.meetings)
        return alone + sum(2 * each.games for each in self.variants)

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of players that were looked at."""
        return tuple(sorted({each.seats for each in self.surveys}))

    @property
    def can_share(self) -> bool:
        """Whether a win was ever shared."""
        return any(each.shared.value for each in self.surveys)

    def with_seats(self, seats: int) -> tuple[Survey, ...]:
        """The surveys with so many players, the best known level first: who thinks plays fewer games."""
        found = [each for each in self.surveys if each.seats == seats]
        return tuple(sorted(found, key=lambda each: each.games))


FILE = GameFile(
    "insights.json",
    Insights,
    VERSION,
    missing=phrase("Nothing is known about {game} yet: wonderland insights make {game} finds it out."),
    unusable=phrase(
        "{file} of {game} can't be used: {why}. wonderland insights make {game} makes it anew."
    ),
)


def insights(name: str) -> Insights:
    """What is known about a game; `FileProblem` if nothing is, or if it can't be read."""
    return FILE.of(name)

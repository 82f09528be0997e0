"""Schema of `insights.json` in a game's folder: statistics of the game from simulation.

`wonderland insights make` writes the file (see `survey.py`); a page and a command show it. Every finding
includes the command that reproduces it.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from wonderland.components.game_data import GameFile, Kept
from wonderland.engine.language import phrase

VERSION = 1
"""Version of the file format."""

Count = Annotated[int, Meta(ge=1)]


class Figure(Struct, frozen=True, forbid_unknown_fields=True):
    """Estimate with its 95% confidence interval."""

    value: float
    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.value <= self.high:
            raise ValueError(f"{self.value} does not lie between {self.low} and {self.high}")


class Histogram(Struct, frozen=True, forbid_unknown_fields=True):
    """Distribution of a number over games or seats: summary figures and counts."""

    mean: Figure
    lowest: int
    median: int
    highest: int
    counts: Annotated[dict[int, Count], Meta(min_length=1)]


class EndingShare(Struct, frozen=True, forbid_unknown_fields=True):
    """Share of games with a certain ending."""

    name: str
    share: Figure


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """Bot level that plays in a survey."""

    bot: str
    """Name in commands: `queen@500` is limited to 500 playouts per action."""
    name: str
    """Display name."""

    @property
    def playouts(self) -> str:
        """Limit of playouts per action; empty if there is none."""
        return self.bot.partition("@")[2]


class Survey(Struct, frozen=True, forbid_unknown_fields=True):
    """Results of many games between bots of one level."""

    player: Player
    seats: Annotated[int, Meta(ge=1, le=6)]
    games: Count
    command: str
    order: tuple[Figure, ...]
    """Win share of the first player, the second, and so on."""
    scores: Histogram
    """Scores of all seats."""
    decisions: Histogram
    shared: Figure
    """Share of games with several winners."""
    endings: tuple[EndingShare, ...]
    """Most frequent first."""

    def __post_init__(self) -> None:
        if len(self.order) != self.seats:
            raise ValueError(f"{self.seats} seats need as many places in the order of play")


class Meeting(Struct, frozen=True, forbid_unknown_fields=True):
    """Match between two levels: each deal is played twice, with seats swapped."""

    stronger: Player
    weaker: Player
    seats: int
    deals: Count
    games: Count
    command: str
    wins: Figure
    """Win share of the stronger level."""
    is_next: bool
    """Whether the opponent is the next lower level; otherwise it is the lowest."""


class OptionEffect(Struct, frozen=True, forbid_unknown_fields=True):
    """Effect of a variant on one statistic."""

    kind: str
    """`first`: win share of the first player; `shared`: share of games with several winners; `ending`:
    share of games with that ending; `score`: mean score; `decisions`: mean number per game."""
    ending: str
    """Name of the ending, if `kind` is `ending`."""
    before: float
    after: float
    difference: Figure
    is_clear: bool
    """Whether it differs from 0 significantly, corrected for testing all effects of the variant."""

    @property
    def is_share(self) -> bool:
        """Whether it is a share of games rather than a mean."""
        return self.kind in ("first", "shared", "ending")

    @property
    def is_about_something(self) -> bool:
        """Whether it is ever non-zero."""
        return bool(self.before or self.after)


class Variant(Struct, frozen=True, forbid_unknown_fields=True):
    """Effects of one value of an option, compared with the default on the same deals."""

    option: str
    usual: str
    value: str
    player: Player
    seats: int
    games: Count
    command: str
    changes: tuple[OptionEffect, ...]


class Insights(Kept, frozen=True, forbid_unknown_fields=True):
    """All insights into a game."""

    date: Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$")]
    command: str
    surveys: Annotated[tuple[Survey, ...], Meta(min_length=1)]
    """By level, then by number of seats."""
    meetings: tuple[Meeting, ...]
    variants: tuple[Variant, ...]

    @property
    def games(self) -> int:
        """Total number of games played."""
        alone = sum(each.games for each in self.surveys) + sum(each.games for each in self.meetings)
        return alone + sum(2 * each.games for each in self.variants)

    @property
    def seats(self) -> tuple[int, ...]:
        """Numbers of players surveyed."""
        return tuple(sorted({each.seats for each in self.surveys}))

    @property
    def can_share(self) -> bool:
        """Whether a shared win ever occurred."""
        return any(each.shared.value for each in self.surveys)

    def with_seats(self, seats: int) -> tuple[Survey, ...]:
        """Surveys with `seats` players, strongest level first (it plays the fewest games)."""
        found = [each for each in self.surveys if each.seats == seats]
        return tuple(sorted(found, key=lambda each: each.games))


FILE = GameFile(
    "insights.json",
    Insights,
    VERSION,
    missing=phrase("There are no insights for {title} yet."),
    hint=phrase("To create the file, run: wonderland insights make {game}"),
)


def insights(name: str) -> Insights:
    """Load the insights into a game; raise `FileProblem` if there are none or they can't be read."""
    return FILE.of(name)

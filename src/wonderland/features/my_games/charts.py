"""Line charts of figures over time, and the history of ratings.

Ratings are another feature. Its service is found by name and used through the Protocols below.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, cast

from wonderland.engine.values import Value

if TYPE_CHECKING:
    from wonderland.web.app import Site

WIDTH, HEIGHT = 600, 160
"""Size of a chart in its own units; it is scaled to the page."""
_MARGIN = 10


class ChartPoint(Value, frozen=True):
    """A dot of a chart."""

    x: float
    y: float


class LineChart(Value, frozen=True):
    """A chart: dots, a line, and the numbers at its lower and upper edge."""

    dots: tuple[ChartPoint, ...]
    line: str
    """The points of the line, as SVG writes them."""
    low: int
    high: int


def line_chart(dots: Sequence[float], line: Sequence[float], step: int) -> LineChart:
    """Lay out a chart; its edges are multiples of `step`.

    >>> chart = line_chart([40, 60], [40, 50], 10)
    >>> chart.low, chart.high, chart.line
    (40, 60, '10.0,150.0 590.0,80.0')
    """
    values = [*dots, *line]
    low = int(min(values) // step * step)
    high = max(-int(-max(values) // step * step), low + step)

    def place(number: int, value: float) -> ChartPoint:
        share = number / (len(dots) - 1) if len(dots) > 1 else 0.5
        x = _MARGIN + share * (WIDTH - 2 * _MARGIN)
        y = HEIGHT - _MARGIN - (value - low) / (high - low) * (HEIGHT - 2 * _MARGIN)
        return ChartPoint(round(x, 1), round(y, 1))

    joined = (place(number, value) for number, value in enumerate(line))
    return LineChart(
        tuple(place(number, value) for number, value in enumerate(dots)),
        " ".join(f"{point.x},{point.y}" for point in joined),
        low,
        high,
    )


class DisplayedRating(Protocol):
    """A rating on the displayed scale."""

    @property
    def rating(self) -> int: ...


class RatingStep(Protocol):
    """Change of a rating by one game."""

    @property
    def after(self) -> DisplayedRating: ...


class RatingLadder(Protocol):
    """Ratings of everyone in a game."""

    def steps(self, person: str) -> Sequence[RatingStep]:
        """Return a player's rating changes in order."""
        ...


class RatingHistory(Protocol):
    """The rated games of a server in one game."""

    @property
    def ladder(self) -> RatingLadder: ...


class RatingArchive(Protocol):
    """The service of ratings, as far as it is used here."""

    async def of(self, game: str) -> RatingHistory:
        """Return the rating history of a game."""
        ...


async def ratings_of(site: Site, account: str, games: Sequence[str]) -> dict[str, list[int]]:
    """Return an account's rating after each of its rated games, by game; only games with any."""
    archive = cast("RatingArchive | None", site.services.get("ratings"))
    if archive is None or not account:
        return {}
    found = {}
    for game in games:
        steps = (await archive.of(game)).ladder.steps(account)
        if steps:
            found[game] = [step.after.rating for step in steps]
    return found

"""Finished games as one person sees them: results, filters and statistics.

Nothing here is stored: everything follows from the logs of tables, imported records and the coach's
reports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from statistics import fmean
from typing import Literal

from wonderland.engine.errors import UsageError
from wonderland.engine.language import phrase
from wonderland.engine.values import Value

Kind = Literal["table", "rated", "tutorial", "continued", "imported"]
COUNTED: tuple[Kind, ...] = ("table", "rated", "imported")
"""Kinds of games that count in statistics: not those with prepared cards or a start played elsewhere."""
Outcome = Literal["won", "shared", "lost", ""]
OUTCOMES: tuple[Outcome, ...] = ("won", "shared", "lost")
PEOPLE, MIXED = "people", "mixed"
"""Instead of a level: opponents who are people, and bots of several levels."""


class FinishedGame(Value, frozen=True):
    """A finished game, the same for everyone."""

    id: str
    """The name of its replay."""
    game: str
    kind: Kind
    ended: int
    """In milliseconds since 1970; midnight for a record with only a date."""
    names: tuple[str, ...]
    levels: tuple[str, ...]
    """The level of the bot in each seat; empty for a person."""
    winners: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    """Empty if somebody forfeited."""

    @property
    def day(self) -> date:
        """The date on which it ended, in UTC."""
        return datetime.fromtimestamp(self.ended / 1000, UTC).date()


class OwnGame(Value, frozen=True):
    """A finished game in somebody's list, with the seats that were theirs."""

    game: FinishedGame
    seats: tuple[int, ...]

    @property
    def seat(self) -> int | None:
        """The person's seat; `None` if they had several or none."""
        return self.seats[0] if len(self.seats) == 1 else None

    @property
    def outcome(self) -> Outcome:
        """How the person did; empty without a seat of their own."""
        if self.seat is None:
            return ""
        if self.seat not in self.game.winners:
            return "lost"
        return "won" if len(self.game.winners) == 1 else "shared"

    @property
    def opponents(self) -> tuple[int, ...]:
        """The seats of the others."""
        return tuple(seat for seat in range(len(self.game.names)) if seat not in self.seats)

    @property
    def level(self) -> str:
        """The level of the opponents: of bots, `PEOPLE` or `MIXED`."""
        levels = {self.game.levels[seat] for seat in self.opponents}
        return MIXED if len(levels) > 1 else levels.pop() or PEOPLE if levels else PEOPLE

    @property
    def counts(self) -> bool:
        """Whether it counts in statistics."""
        return self.game.kind in COUNTED and self.seat is not None


class Mistake(Value, frozen=True):
    """A decision that clearly gave away win probability, from the coach's report."""

    game: str
    """The name of the replay."""
    number: int
    """Number of the decision in the game."""
    lost: float
    theme: str
    """Key of the rule of thumb that it followed; empty if none."""


class SeatReview(Value, frozen=True):
    """What the coach said about one seat of a game."""

    accuracy: float | None
    mistakes: tuple[Mistake, ...]


class GameFilter(Value, frozen=True):
    """Which games to show; empty fields don't matter."""

    game: str = ""
    result: str = ""
    opponent: str = ""
    """Part of the name of an opponent."""
    level: str = ""
    seats: int = 0
    since: date | None = None
    until: date | None = None

    def accepts(self, own: OwnGame, shown: Sequence[str]) -> bool:
        """Whether a game is wanted; `shown` are the names of its players as the person reads them."""
        game = own.game
        part = self.opponent.casefold()
        return (
            self.game in ("", game.game)
            and self.result in ("", own.outcome)
            and self.level in ("", own.level)
            and self.seats in (0, len(game.names))
            and (self.since is None or game.day >= self.since)
            and (self.until is None or game.day <= self.until)
            and (not part or any(part in shown[seat].casefold() for seat in own.opponents))
        )

    def query(self) -> dict[str, str]:
        """The filter as query parameters."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: str(value) for name, value in fields.items() if value}


def read_filter(query: Mapping[str, str]) -> GameFilter:
    """Read a filter from query parameters; `UsageError` if a date or a number is invalid."""
    seats = query.get("seats", "")
    if seats and not (seats.isascii() and seats.isdecimal() and len(seats) < 3):
        raise UsageError(phrase("{name} must be a number."), name="seats")
    text = {name: query.get(name, "")[:40].strip() for name in ("game", "result", "opponent", "level")}
    return GameFilter(
        **text, seats=int(seats or 0), since=_read_day(query, "since"), until=_read_day(query, "until")
    )


def _read_day(query: Mapping[str, str], name: str) -> date | None:
    text = query.get(name, "")
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise UsageError(phrase("Write the date like this: {example}."), example="2026-12-24") from None


class Tally(Value, frozen=True):
    """Results of some games."""

    played: int
    won: int
    shared: int

    @property
    def lost(self) -> int:
        """Number of games that were neither won nor shared."""
        return self.played - self.won - self.shared

    @property
    def share(self) -> float:
        """Share of games won; a shared win counts half."""
        return (self.won + self.shared / 2) / self.played if self.played else 0.0


def tally(games: Iterable[OwnGame]) -> Tally:
    """Count the results of games that count."""
    found = Counter(own.outcome for own in games if own.counts)
    return Tally(found.total(), found["won"], found["shared"])


def tallies(
    games: Iterable[OwnGame], key: Callable[[OwnGame], tuple[str, int | str]]
) -> dict[tuple[str, int | str], Tally]:
    """Count results by a key of each game, such as the game and the number of seats; sorted by key."""
    groups: dict[tuple[str, int | str], list[OwnGame]] = {}
    for own in games:
        if own.counts:
            groups.setdefault(key(own), []).append(own)
    return {each: tally(groups[each]) for each in sorted(groups, key=str)}


def accuracies(
    games: Iterable[OwnGame], reviews: Mapping[str, SeatReview]
) -> list[tuple[OwnGame, float]]:
    """The accuracy of each reviewed game that counts, oldest first."""
    found = [
        (own, review.accuracy)
        for own in games
        if own.counts
        and (review := reviews.get(own.game.id)) is not None
        and review.accuracy is not None
    ]
    return sorted(found, key=lambda each: each[0].game.ended)


def moving_average(values: Sequence[float], width: int) -> list[float]:
    """The mean of each value and those before it, at most `width` of them.

    >>> moving_average([80, 90, 100], 2)
    [80.0, 85.0, 95.0]
    """
    return [fmean(values[max(0, end - width) : end]) for end in range(1, len(values) + 1)]


def mistakes_in(games: Iterable[OwnGame], reviews: Mapping[str, SeatReview]) -> list[Mistake]:
    """All mistakes in these games, the costliest first."""
    found = (review.mistakes for own in games if (review := reviews.get(own.game.id)) is not None)
    return sorted(
        (mistake for mistakes in found for mistake in mistakes),
        key=lambda each: (-each.lost, each.game, each.number),
    )

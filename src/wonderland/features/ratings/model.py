"""Ratings of people: OpenSkill over their finished rated games, in the order in which they ended.

A rating is an estimate of skill, mu, with its uncertainty, sigma. People learn and forget, so unlike
the ratings of bots theirs gain a little uncertainty with every game. The displayed rating is the middle
of its confidence interval, `1000 + 40 (mu - 25)`: new players have 1000.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from openskill.models import PlackettLuce

from wonderland.engine.values import Value
from wonderland.lab.ratings import after

ORIGIN, SCALE = 1000, 40
"""Rating of a new player, and scale of displayed ratings."""
NEWCOMER = PlackettLuce().mu
"""Estimated skill of a new player."""
FEWEST = 3
"""Rated games needed to appear on a leaderboard."""


class PlayerRating(Value, frozen=True):
    """A player's rating in one game."""

    mu: float
    sigma: float
    games: int = 0

    @property
    def rating(self) -> int:
        """Displayed rating: the estimate of the skill, in the middle of its interval."""
        return _displayed(self.mu)

    @property
    def likely(self) -> tuple[int, int]:
        """95% confidence interval of the skill, on the displayed scale."""
        return _displayed(self.mu - 2 * self.sigma), _displayed(self.mu + 2 * self.sigma)


def _displayed(skill: float) -> int:
    """Convert a skill to the displayed scale."""
    return round(ORIGIN + SCALE * (skill - NEWCOMER))


class RatingChange(Value, frozen=True):
    """Change of a player's rating by one game."""

    game: int
    """Index of the rated game, from 0."""
    before: PlayerRating
    after: PlayerRating


class Ladder:
    """Ratings of all players of a game, computed as a fold over its results."""

    def __init__(self) -> None:
        self._model = PlackettLuce()
        self._steps: dict[str, list[RatingChange]] = {}
        self.games = 0

    def add(self, people: Sequence[str], winners: Sequence[int]) -> None:
        """Add a game: the players by seat, and the winning seats."""
        before = {person: self.of(person) for person in people}
        now = {person: (each.mu, each.sigma) for person, each in before.items()}
        for person, (mu, sigma) in after(
            self._model, now, people, sum(1 << seat for seat in winners)
        ).items():
            old = before[person]
            step = RatingChange(self.games, old, PlayerRating(mu, sigma, old.games + 1))
            self._steps.setdefault(person, []).append(step)
        self.games += 1

    def of(self, person: str) -> PlayerRating:
        """Return a player's current rating; new players have the initial one."""
        steps = self.steps(person)
        return steps[-1].after if steps else PlayerRating(self._model.mu, self._model.sigma)

    def steps(self, person: str) -> Sequence[RatingChange]:
        """Return a player's rating changes in order."""
        return self._steps.get(person, ())

    def ranking(self) -> Iterator[tuple[str, PlayerRating]]:
        """Yield the players with enough games, best first."""
        found = [(person, self.of(person)) for person in self._steps]
        known = [each for each in found if each[1].games >= FEWEST]
        yield from sorted(known, key=lambda each: (-each[1].rating, -each[1].games, each[0]))

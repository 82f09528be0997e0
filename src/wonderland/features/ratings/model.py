"""Ratings of people: OpenSkill over the rated games that they have finished, in the order of their ends.

A rating is a guess at somebody's skill, mu, and how unsure it is, sigma. People learn and forget, so
unlike that of bots it becomes a little less sure with every game. What is shown is
`1000 + 40 (mu - 3 sigma)`: somebody new has 1000, and rises with skill and with what is known of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from openskill.models import PlackettLuce

from wonderland.engine.values import Value
from wonderland.lab.ratings import after

ORIGIN, SCALE = 1000, 40
"""Of the numbers that people are shown."""
FEWEST = 3
"""Games, before somebody stands in a ranking."""


class PlayerRating(Value, frozen=True):
    """Where somebody stands in a game."""

    mu: float
    sigma: float
    games: int = 0

    @property
    def rating(self) -> int:
        """What stands in a ranking: skill that is all but sure."""
        return round(ORIGIN + SCALE * (self.mu - 3 * self.sigma))

    @property
    def likely(self) -> tuple[int, int]:
        """Between which numbers the skill itself is, nineteen times of twenty."""
        low, high = (ORIGIN + SCALE * (self.mu + 2 * way * self.sigma) for way in (-1, 1))
        return round(low), round(high)


class RatingChange(Value, frozen=True):
    """What one game changed for somebody."""

    game: int
    """Its number, counted from 0."""
    before: PlayerRating
    after: PlayerRating


class Ladder:
    """The standings of all who have played a game: the fold of its outcomes."""

    def __init__(self) -> None:
        self._model = PlackettLuce()
        self._steps: dict[str, list[RatingChange]] = {}
        self.games = 0

    def add(self, people: Sequence[str], winners: Sequence[int]) -> None:
        """Take one more game: who sat where, and which seats won or shared the win."""
        before = {person: self.of(person) for person in people}
        now = {person: (each.mu, each.sigma) for person, each in before.items()}
        for person, (mu, sigma) in after(
            self._model, now, people, sum(1 << seat for seat in winners)
        ).items():
            was = before[person]
            step = RatingChange(self.games, was, PlayerRating(mu, sigma, was.games + 1))
            self._steps.setdefault(person, []).append(step)
        self.games += 1

    def of(self, person: str) -> PlayerRating:
        """Where somebody stands, who may be new."""
        steps = self.steps(person)
        return steps[-1].after if steps else PlayerRating(self._model.mu, self._model.sigma)

    def steps(self, person: str) -> Sequence[RatingChange]:
        """What each of somebody's games has changed, in order."""
        return self._steps.get(person, ())

    def ranking(self) -> Iterator[tuple[str, PlayerRating]]:
        """Everyone with a few games, the best first."""
        found = [(person, self.of(person)) for person in self._steps]
        known = [each for each in found if each[1].games >= FEWEST]
        yield from sorted(known, key=lambda each: (-each[1].rating, -each[1].games, each[0]))

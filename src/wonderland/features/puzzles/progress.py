"""A player's results with puzzles in the terminal: first attempts, the streak of days, and a rating.

The rating is Glicko's: a first attempt is a game between the player and the puzzle, both of whose
ratings are uncertain. In the browser, `puzzle-record.js` keeps the same results in the same form.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import log, pi, sqrt
from pathlib import Path

import msgspec
from msgspec.structs import replace

from wonderland.bots.puzzle import Puzzle
from wonderland.engine.values import Value

_Q = log(10) / 400
_LEAST_DEVIATION = 45.0
_NEAREST = 12
"""How many of the puzzles nearest to the player's rating may come next."""


class PuzzleRating(Value, frozen=True):
    """A rating on the scale of the puzzles, and its standard error."""

    rating: float = 1500.0
    deviation: float = 350.0

    def after(self, puzzle: Puzzle, *, solved: bool) -> PuzzleRating:
        """Return the rating after a first attempt at a puzzle."""
        damping = 1 / sqrt(1 + 3 * (_Q * puzzle.deviation / pi) ** 2)
        expected = 1 / (1 + 10 ** (-damping * (self.rating - puzzle.rating) / 400))
        information = (_Q * damping) ** 2 * expected * (1 - expected)
        variance = 1 / (1 / self.deviation**2 + information)
        return PuzzleRating(
            self.rating + _Q * variance * damping * (solved - expected),
            max(_LEAST_DEVIATION, sqrt(variance)),
        )


class Streak(Value, frozen=True):
    """Puzzles of the day solved on consecutive days."""

    day: int = 0
    """The ordinal of the last of these days."""
    length: int = 0


class PuzzleResults(Value, frozen=True):
    """Results with the puzzles of one game."""

    first: dict[str, int] = {}  # noqa: RUF012 - msgspec copies an empty default
    """By puzzle: whether the first attempt succeeded."""
    row: Streak = Streak()
    player: PuzzleRating = PuzzleRating()

    def after(self, puzzle: Puzzle, *, solved: bool, day: int | None) -> PuzzleResults:
        """Return the results after an attempt, of which only the first counts.

        `day` is the ordinal of the day whose puzzle it is; `None` for any other puzzle.
        """
        if puzzle.id in self.first:
            return self
        row = self.row
        if day is not None:
            before = row.length if row.day == day - 1 else 0
            row = Streak(day, before + 1 if solved else 0)
        first = {**self.first, puzzle.id: int(solved)}
        return replace(self, first=first, row=row, player=self.player.after(puzzle, solved=solved))

    def choose(self, puzzles: Sequence[Puzzle], rng: random.Random) -> Puzzle:
        """Return an unsolved puzzle near the player's rating; any puzzle if all have been tried."""
        open_ = [puzzle for puzzle in puzzles if puzzle.id not in self.first] or puzzles
        nearest = sorted(open_, key=lambda puzzle: abs(puzzle.rating - self.player.rating))
        return rng.choice(nearest[:_NEAREST])


def load_progress(path: Path) -> dict[str, PuzzleResults]:
    """Load the results of all games; none if the file is missing or isn't ours."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, PuzzleResults])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return {}


def save_progress(path: Path, results: dict[str, PuzzleResults]) -> bool:
    """Save the results of all games; return whether that was possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.encode(results))
    except OSError:
        return False
    return True

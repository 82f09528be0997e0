"""Puzzles: positions with one clearly best choice that a simple heuristic misses.

`finder.py` finds them; each game has a file of them, which is read here. The puzzle of the day depends
only on the date.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any

from msgspec import Meta, Struct

from wonderland.bots.evaluation import recalled_view
from wonderland.components.game_data import GameFile, Kept
from wonderland.components.heuristics import Heuristic, heuristics_of
from wonderland.components.judge import ActionValue, Evaluation
from wonderland.engine.language import phrase
from wonderland.engine.protocol import AnyGame
from wonderland.engine.registry import game, game_names

VERSION = 1
"""Version of the file format."""
MOST_STARS = 5

Share = Annotated[float, Meta(ge=0.0, le=1.0)]


class PuzzleChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """A legal action with its win probability."""

    action: str
    """In record notation."""
    chance: Share
    error: Annotated[float, Meta(ge=0.0)]


class Puzzle(Struct, frozen=True, forbid_unknown_fields=True):
    """A position from the viewpoint of the seat to act."""

    id: str
    """Hash of the position, so that it is stable."""
    seats: int
    seat: Annotated[int, Meta(ge=0)]
    position: str
    """The position's line, without what this seat can't see."""
    options: Annotated[tuple[PuzzleChoice, ...], Meta(min_length=2)]
    """In the order of `Game.legal`."""
    solutions: Annotated[tuple[str, ...], Meta(min_length=1)]
    """The best choice; several if they are equivalent."""
    missed_by: Annotated[tuple[str, ...], Meta(min_length=1)]
    """Keys of the heuristics that miss the solution."""
    found_by: dict[str, Share]
    """Success rate of each bot level, by its name."""
    stars: Annotated[int, Meta(ge=1, le=MOST_STARS)]
    """Difficulty; 1 is easy."""

    @property
    def margin(self) -> float:
        """Lead of the solution over the next best choice."""
        chances = [(option.action in self.solutions, option.chance) for option in self.options]
        best = max(chance for is_best, chance in chances if is_best)
        return best - max(chance for is_best, chance in chances if not is_best)


class Puzzles(Kept, frozen=True, forbid_unknown_fields=True):
    """All puzzles of a game, sorted by id."""

    command: str
    puzzles: Annotated[tuple[Puzzle, ...], Meta(min_length=1)]

    def of(self, day: date) -> Puzzle:
        """Return the puzzle of a day; all puzzles come up before one repeats."""
        return self.puzzles[day.toordinal() % len(self.puzzles)]

    def called(self, name: str) -> Puzzle | None:
        """Return the puzzle with this id, or `None`."""
        return next((puzzle for puzzle in self.puzzles if puzzle.id == name), None)

    def beside(self, puzzle: Puzzle) -> tuple[Puzzle, Puzzle]:
        """Return the puzzles of the previous and the next day."""
        place = self.puzzles.index(puzzle)
        return self.puzzles[place - 1], self.puzzles[(place + 1) % len(self.puzzles)]


class Position:
    """A puzzle with its state, view and evaluation."""

    def __init__(self, name: str, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.game: AnyGame = game(name)
        self.state = self.game.read_position(puzzle.position)
        self.view: Any = recalled_view(self.game, self.state, puzzle.seat)
        self.legal: Sequence[Any] = self.game.legal(self.state, puzzle.seat)
        self.judgement = Evaluation(
            puzzle.seat,
            tuple(
                ActionValue(self.game.read(option.action), option.chance, option.error)
                for option in puzzle.options
            ),
        )

    @property
    def best(self) -> ActionValue:
        """The solution."""
        return self.judgement.best

    @property
    def missed_by(self) -> Heuristic:
        """The simplest heuristic that misses the solution."""
        rules = {rule.key: rule for rule in heuristics_of(self.game.info.name)}
        return rules[self.puzzle.missed_by[0]]

    def tempting(self) -> ActionValue:
        """The best of the choices that this heuristic suggests."""
        allowed = self.missed_by.choices(self.view, self.legal)
        return max(map(self.judgement.of, allowed), key=lambda value: value.chance)

    def action(self, word: str) -> Any | None:
        """Return the legal action with this notation, or `None`."""
        return next((action for action in self.legal if self.game.write(action) == word), None)

    def is_solved_by(self, action: Any) -> bool:
        """Whether this action is the solution or equivalent to it."""
        return self.game.write(action) in self.puzzle.solutions


def name_of(name: str, seat: int, position: str) -> str:
    """Id of a puzzle."""
    return hashlib.sha256(f"{name} {seat} {position}".encode()).hexdigest()[:8]


FILE = GameFile(
    "puzzles.json",
    Puzzles,
    VERSION,
    missing=phrase("There are no puzzles for {game} yet: wonderland puzzles make {game} finds some."),
    unusable=phrase(
        "{file} of {game} can't be used: {why}. wonderland puzzles make {game} makes it anew."
    ),
)


def games_with_puzzles() -> tuple[str, ...]:
    """Games that have puzzles."""
    return tuple(name for name in game_names() if FILE.home(name).is_file())


def puzzles(name: str) -> Puzzles:
    """Load the puzzles of a game; raise `FileProblem` if there are none or they can't be read."""
    return FILE.of(name)

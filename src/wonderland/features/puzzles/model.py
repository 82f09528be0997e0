"""Puzzles: positions in which one choice is clearly best, and a simple rule of thumb misses it.

They are found by `puzzling.py` and kept in a file with each game, which is read here; which one is that
of a day follows from the date alone.
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
"""Raised whenever the file gets another form."""
MOST_STARS = 5

Share = Annotated[float, Meta(ge=0.0, le=1.0)]


class PuzzleChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that can be played, and what it is worth."""

    action: str
    """In the words of records."""
    chance: Share
    error: Annotated[float, Meta(ge=0.0)]


class Puzzle(Struct, frozen=True, forbid_unknown_fields=True):
    """One position, seen from the seat that is to choose."""

    id: str
    """Made from the position: the same one is always called the same."""
    seats: int
    seat: Annotated[int, Meta(ge=0)]
    position: str
    """In one line, with what this seat can't see left out."""
    options: Annotated[tuple[PuzzleChoice, ...], Meta(min_length=2)]
    """In the order of the game's `legal`."""
    solutions: Annotated[tuple[str, ...], Meta(min_length=1)]
    """The best choice; several if they are one and the same thing."""
    missed_by: Annotated[tuple[str, ...], Meta(min_length=1)]
    """The rules of thumb that don't find it, by their keys."""
    found_by: dict[str, Share]
    """How often each level of bots finds it, by its name."""
    stars: Annotated[int, Meta(ge=1, le=MOST_STARS)]
    """How hard it is: 1 is easy."""

    @property
    def margin(self) -> float:
        """How much better the solution is than anything else."""
        chances = [(option.action in self.solutions, option.chance) for option in self.options]
        best = max(chance for is_best, chance in chances if is_best)
        return best - max(chance for is_best, chance in chances if not is_best)


class Puzzles(Kept, frozen=True, forbid_unknown_fields=True):
    """All puzzles of a game, in the order of their ids."""

    command: str
    puzzles: Annotated[tuple[Puzzle, ...], Meta(min_length=1)]

    def of(self, day: date) -> Puzzle:
        """The puzzle of a day: each has its turn before one comes again."""
        return self.puzzles[day.toordinal() % len(self.puzzles)]

    def called(self, name: str) -> Puzzle | None:
        """The puzzle of this id, if there is one."""
        return next((puzzle for puzzle in self.puzzles if puzzle.id == name), None)

    def beside(self, puzzle: Puzzle) -> tuple[Puzzle, Puzzle]:
        """Those of the day before and of the day after."""
        place = self.puzzles.index(puzzle)
        return self.puzzles[place - 1], self.puzzles[(place + 1) % len(self.puzzles)]


class Position:
    """A puzzle laid out: its state, and what can be said of its options."""

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
        """The simplest rule of thumb that misses it."""
        rules = {rule.key: rule for rule in heuristics_of(self.game.info.name)}
        return rules[self.puzzle.missed_by[0]]

    def tempting(self) -> ActionValue:
        """What that rule would have one play: the best of what it allows."""
        allowed = self.missed_by.choices(self.view, self.legal)
        return max(map(self.judgement.of, allowed), key=lambda worth: worth.chance)

    def action(self, word: str) -> Any | None:
        """The choice that a word stands for; `None` if it is none of them."""
        return next((action for action in self.legal if self.game.write(action) == word), None)

    def is_solved_by(self, action: Any) -> bool:
        """Whether this is the best choice."""
        return self.game.write(action) in self.puzzle.solutions


def name_of(name: str, seat: int, position: str) -> str:
    """What a puzzle is called."""
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
    """The games that have any."""
    return tuple(name for name in game_names() if FILE.home(name).is_file())


def puzzles(name: str) -> Puzzles:
    """The puzzles of a game; `FileProblem` if there are none, or if they can't be read."""
    return FILE.of(name)

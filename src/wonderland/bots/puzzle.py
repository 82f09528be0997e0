"""A puzzle: one or more decisions of a game, each with one clearly best choice.

The value and the question it asks know nothing of where puzzles come from. `features/puzzles` finds
them and keeps them in files; another feature may make them from the mistakes of somebody's own games:
build a `Puzzle` (`name_of` gives the id, `components.themes.find_themes` its themes), pose it with
`Question`, and show it with `wonderland.web.puzzle_board` in the browser.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from wonderland.bots.evaluation import recalled_view
from wonderland.components.heuristics import Heuristic, heuristics_of
from wonderland.components.judge import ActionValue, Evaluation
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import CHANCE, AnyGame, Chance
from wonderland.engine.registry import game
from wonderland.engine.values import Value

MOST_STARS = 5
_STAR_RATINGS = (1200, 1400, 1600, 1800)
"""Ratings from which a puzzle has two, three, four and five stars."""


class PuzzleChoice(Value, frozen=True):
    """A legal action with its win probability."""

    action: str
    """In record notation."""
    chance: float
    error: float


class PuzzleStep(Value, frozen=True):
    """One decision of a puzzle."""

    options: tuple[PuzzleChoice, ...]
    """In the order of `Game.legal`."""
    solutions: tuple[str, ...]
    """The best choice; several if they are equivalent."""
    moves: tuple[str, ...] = ()
    """What followed the solution of the step before, in record notation, as the seat witnessed it."""

    @property
    def margin(self) -> float:
        """Lead of the solution over the next best choice."""
        chances = [(option.action in self.solutions, option.chance) for option in self.options]
        best = max(chance for is_best, chance in chances if is_best)
        return best - max(chance for is_best, chance in chances if not is_best)


class Puzzle(Value, frozen=True):
    """A position from the viewpoint of the seat to act, with the decisions to be made."""

    id: str
    """Hash of the position, so that it is stable."""
    seats: int
    seat: int
    position: str
    """The position's line, without what this seat can't see."""
    steps: tuple[PuzzleStep, ...]
    missed_by: tuple[str, ...] = ()
    """Keys of the heuristics that miss the first solution, simplest first."""
    themes: tuple[str, ...] = ()
    found_by: tuple[tuple[str, float], ...] = ()
    """Success rates of solvers, by their names."""
    rating: int = 0
    """Difficulty on the scale of the solvers; 0 if it was never measured."""
    deviation: int = 0
    """The standard error of the rating."""

    @property
    def stars(self) -> int:
        """Difficulty from 1, which is easy, to 5."""
        return 1 + sum(self.rating >= least for least in _STAR_RATINGS)


class Question:
    """One step of a puzzle, with its state, view and evaluation."""

    def __init__(self, name: str, puzzle: Puzzle, number: int = 0) -> None:
        self.puzzle, self.number, self.step = puzzle, number, puzzle.steps[number]
        self.game: AnyGame = game(name)
        self.state: Any = self.game.read_position(puzzle.position)
        self.events: tuple[Any, ...] = ()
        """What the seat witnessed since the step before."""
        for before, step in zip(puzzle.steps[:number], puzzle.steps[1:], strict=False):
            self.events = self._play((before.solutions[0], *step.moves))
        self.view: Any = recalled_view(self.game, self.state, puzzle.seat)
        self.legal: Sequence[Any] = self.game.legal(self.state, puzzle.seat)
        self.judgement = Evaluation(
            puzzle.seat,
            tuple(
                ActionValue(self.game.read(option.action), option.chance, option.error)
                for option in self.step.options
            ),
        )

    def _play(self, words: Sequence[str]) -> tuple[Any, ...]:
        events: list[Any] = []
        for word in words:
            turn = self.game.turn(self.state)
            actor = CHANCE if isinstance(turn, Chance) else seats_to_act(turn)[0]
            done = self.game.apply(self.state, actor, self.game.read(word))
            events += [self.game.witness(event, self.puzzle.seat) for event in done.events]
            self.state = done.state
        return tuple(event for event in events if event is not None)

    @property
    def position(self) -> str:
        """The line of this step's position."""
        return self.game.write_position(self.state)

    @property
    def is_last(self) -> bool:
        """Whether nothing is asked after this."""
        return self.number == len(self.puzzle.steps) - 1

    @property
    def best(self) -> ActionValue:
        """The solution."""
        return self.judgement.best

    @property
    def missed_by(self) -> Heuristic | None:
        """The simplest heuristic that misses the solution, if one does."""
        solutions = [self.action(word) for word in self.step.solutions]
        for rule in heuristics_of(self.game.info.name):
            if all(rule.misses(self.view, self.legal, action) for action in solutions):
                return rule
        return None

    def tempting(self) -> ActionValue:
        """The best of the choices that this heuristic suggests, or else the second best of all."""
        rule = self.missed_by
        others = [action for action in self.legal if not self.is_solved_by(action)]
        allowed = others if rule is None else rule.choices(self.view, self.legal)
        return max(map(self.judgement.of, allowed), key=lambda value: value.chance)

    def action(self, word: str) -> Any | None:
        """Return the legal action with this notation, or `None`."""
        return next((action for action in self.legal if self.game.write(action) == word), None)

    def is_solved_by(self, action: Any) -> bool:
        """Whether this action is the solution or equivalent to it."""
        return self.game.write(action) in self.step.solutions


def name_of(name: str, seat: int, position: str) -> str:
    """Id of a puzzle."""
    return hashlib.sha256(f"{name} {seat} {position}".encode()).hexdigest()[:8]

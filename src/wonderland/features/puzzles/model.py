"""The stock of puzzles of a game: a compact file, the puzzle of each day, and themes to choose from.

`finder.py` finds puzzles; each game has a file of them, which is read when the first one is wanted. The
puzzle of the day depends only on the date.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cached_property
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from wonderland.bots.puzzle import Puzzle, PuzzleChoice, PuzzleStep, name_of
from wonderland.components.game_data import GameFile, Kept
from wonderland.engine.language import phrase
from wonderland.engine.registry import game_names

VERSION = 2
"""Version of the file format."""
_UNIT = 10_000
"""Win probabilities are stored as whole numbers of this part."""


class StepRow(Struct, frozen=True, array_like=True):
    """One decision, as it is stored."""

    options: Annotated[str, Meta(min_length=1)]
    """The choices in record notation, in the order of `Game.legal`, separated by spaces."""
    solutions: Annotated[tuple[int, ...], Meta(min_length=1)]
    """The places of the solutions among them."""
    chances: tuple[Annotated[int, Meta(ge=0, le=_UNIT)], ...]
    errors: tuple[Annotated[int, Meta(ge=0)], ...]
    moves: str = ""


class Row(Struct, frozen=True, array_like=True):
    """One puzzle, as it is stored: short, because there are many."""

    seats: int
    seat: Annotated[int, Meta(ge=0)]
    position: str
    missed_by: tuple[int, ...]
    """Places in the file's list of heuristics."""
    themes: tuple[int, ...]
    """Places in the file's list of themes."""
    tries: tuple[Annotated[int, Meta(ge=0)], ...]
    """Number of successful tries of each solver in the file's list."""
    rating: int
    deviation: Annotated[int, Meta(ge=0)]
    steps: Annotated[tuple[StepRow, ...], Meta(min_length=1)]


class PuzzleFile(Kept, frozen=True, forbid_unknown_fields=True):
    """All puzzles of a game, sorted by id."""

    command: str
    heuristics: tuple[str, ...]
    themes: tuple[str, ...]
    solvers: tuple[str, ...]
    tries: Annotated[int, Meta(ge=1)]
    """Number of tries of each solver."""
    rows: Annotated[tuple[Row, ...], Meta(min_length=1)]

    def puzzle(self, row: Row) -> Puzzle:
        """Return the puzzle of a row."""
        return Puzzle(
            id=name_of(self.game, row.seat, row.position),
            seats=row.seats,
            seat=row.seat,
            position=row.position,
            steps=tuple(map(_step, row.steps)),
            missed_by=tuple(self.heuristics[place] for place in row.missed_by),
            themes=tuple(self.themes[place] for place in row.themes),
            found_by=tuple(
                (solver, number / self.tries)
                for solver, number in zip(self.solvers, row.tries, strict=True)
            ),
            rating=row.rating,
            deviation=row.deviation,
        )


def _step(row: StepRow) -> PuzzleStep:
    words = row.options.split()
    options = tuple(
        PuzzleChoice(word, chance / _UNIT, error / _UNIT)
        for word, chance, error in zip(words, row.chances, row.errors, strict=True)
    )
    return PuzzleStep(options, tuple(words[place] for place in row.solutions), tuple(row.moves.split()))


def step_row(step: PuzzleStep) -> StepRow:
    """Return a step as it is stored."""
    words = [option.action for option in step.options]
    return StepRow(
        " ".join(words),
        tuple(map(words.index, step.solutions)),
        tuple(round(_UNIT * option.chance) for option in step.options),
        tuple(round(_UNIT * option.error) for option in step.options),
        " ".join(step.moves),
    )


class Puzzles:
    """The puzzles of a game, in an order that nobody can predict and that never changes."""

    def __init__(self, stored: PuzzleFile) -> None:
        self.stored = stored
        self.game = stored.game

    @cached_property
    def puzzles(self) -> tuple[Puzzle, ...]:
        """All puzzles, sorted by id; ids are hashes."""
        return tuple(map(self.stored.puzzle, self.stored.rows))

    @cached_property
    def _by_id(self) -> dict[str, Puzzle]:
        return {puzzle.id: puzzle for puzzle in self.puzzles}

    @cached_property
    def themes(self) -> dict[str, int]:
        """The number of puzzles with each theme, in the order of the game; only those that occur."""
        numbers = dict.fromkeys(self.stored.themes, 0)
        for puzzle in self.puzzles:
            for key in puzzle.themes:
                numbers[key] += 1
        return {key: number for key, number in numbers.items() if number}

    def about(self, theme: str | None) -> Sequence[Puzzle]:
        """Return the puzzles with a theme, or all."""
        if theme is None:
            return self.puzzles
        return [puzzle for puzzle in self.puzzles if theme in puzzle.themes]

    def of(self, day: date, theme: str | None = None) -> Puzzle:
        """Return the puzzle of a day; all puzzles come up before one repeats."""
        found = self.about(theme)
        return found[day.toordinal() % len(found)]

    def called(self, name: str) -> Puzzle | None:
        """Return the puzzle with this id, or `None`."""
        return self._by_id.get(name)

    def beside(self, puzzle: Puzzle, theme: str | None = None) -> tuple[Puzzle, Puzzle]:
        """Return the puzzles before and after one, among those with a theme."""
        found = list(self.about(theme))
        place = found.index(puzzle)
        return found[place - 1], found[(place + 1) % len(found)]


def dump(stored: PuzzleFile) -> str:
    """Encode a file with one line for each puzzle, so that changes can be read and the file is short."""
    head = msgspec.json.encode(msgspec.structs.replace(stored, rows=())).decode()
    rows = ",\n".join(msgspec.json.encode(row).decode() for row in stored.rows)
    return head.removesuffix("[]}") + f"[\n{rows}\n]}}\n"


FILE = GameFile(
    "puzzles.json",
    PuzzleFile,
    VERSION,
    missing=phrase("There are no puzzles for {title} yet."),
    hint=phrase("To create the file, run: wonderland puzzles make {game}"),
)


def games_with_puzzles() -> tuple[str, ...]:
    """Games that have puzzles."""
    return tuple(name for name in game_names() if FILE.home(name).is_file())


def puzzles(name: str) -> Puzzles:
    """Load the puzzles of a game; raise `FileProblem` if there are none or they can't be read."""
    return Puzzles(FILE.of(name))

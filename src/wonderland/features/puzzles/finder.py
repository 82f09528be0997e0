"""Find puzzles: play games between bots, and keep the decisions with one clearly best choice.

A game costs a few milliseconds, and most of its decisions are dismissed by a brief search. What is left
is tried by solvers of different strength, judged twice, and tested by playing on with best replies
(`confirmation.py`); where another clear choice follows, the puzzle has two steps (`line.py`). Everything
about one game depends on the seed and its number only, so games are searched on all cores or on a
cluster, and the same seed finds the same puzzles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from wonderland.bots.puzzle import Puzzle, PuzzleChoice, PuzzleStep, Question, name_of
from wonderland.components.heuristics import heuristics_of
from wonderland.components.themes import find_themes, themes_of
from wonderland.engine.errors import UsageError
from wonderland.engine.language import phrase
from wonderland.engine.registry import game
from wonderland.engine.values import Value
from wonderland.features.puzzles.candidates import Candidate, candidates
from wonderland.features.puzzles.confirmation import Confirmed, LeadingChoice, confirm, screen
from wonderland.features.puzzles.difficulty import TRIES, rate, solvers, try_puzzle
from wonderland.features.puzzles.line import play_on
from wonderland.features.puzzles.model import VERSION, PuzzleFile, Row, step_row
from wonderland.lab.executors import Executor, SerialExecutor

NUMBER = 500
SEED = "wonderland"
_APART = 2
"""Rounds between two puzzles of one game, so that they are not alike."""


class GameSearch(Value, frozen=True):
    """One game to be searched."""

    name: str
    seats: int
    seed: str
    play: int
    simple: bool
    """Whether puzzles that the simplest heuristic solves are wanted too."""


class Found(Value, frozen=True):
    """A puzzle, not yet rated."""

    puzzle: Puzzle
    successes: tuple[int, ...]
    """Number of successful tries of each solver."""
    is_simple: bool


class Finder(Value, frozen=True):
    """Searches for puzzles of one game."""

    name: str
    seats: tuple[int, ...]
    seed: str = SEED

    def found(self, number: int, games: int, executor: Executor | None = None) -> Iterator[Found]:
        """Search at most `games` games and yield `number` puzzles, evenly over the numbers of players.

        At most half of them, and one, are solved by the simplest heuristic.
        """
        if not heuristics_of(self.name):
            raise UsageError(
                phrase("{title} has no rules of thumb, so it can't have puzzles."),
                title=game(self.name).info.title,
            )
        wanted = {
            seats: _part_size(number, place, len(self.seats)) for place, seats in enumerate(self.seats)
        }
        simple = {seats: (part + 1) // 2 for seats, part in wanted.items()}
        known_ids: set[str] = set()
        tasks = (self._task(play) for play in range(games))
        for results in (executor or SerialExecutor()).run(search, tasks):
            for found in results:
                puzzle = found.puzzle
                room = min(wanted[puzzle.seats], simple[puzzle.seats] if found.is_simple else number)
                if room and puzzle.id not in known_ids:
                    known_ids.add(puzzle.id)
                    wanted[puzzle.seats] -= 1
                    simple[puzzle.seats] -= found.is_simple
                    yield found
            if not any(wanted.values()):
                return

    def _task(self, play: int) -> GameSearch:
        """Return a game to be searched; simple puzzles are looked for in every second round."""
        turn, place = divmod(play, len(self.seats))
        return GameSearch(self.name, self.seats[place], self.seed, turn, turn % 2 == 0)


def search(task: GameSearch) -> list[Found]:
    """Find the puzzles of one game."""
    seed, found, before = f"{task.seed} {task.seats} {task.play}", list[Found](), None
    for seen in candidates(task.name, task.seats, seed):
        if before is not None and seen.place - before < _APART * task.seats:
            continue
        each = examine(seen, seed, simple=task.simple)
        if each is not None:
            before = seen.place
            found.append(each)
    return found


def examine(seen: Candidate, seed: str, *, simple: bool = True) -> Found | None:
    """Return the puzzle of a candidate, if it is one."""
    likely = screen(seen, simple=simple)
    return None if likely is None else _screened(seen, likely, seed)


def _screened(seen: Candidate, likely: LeadingChoice, seed: str) -> Found | None:
    """Return the puzzle of a candidate with a likely solution, if it is one."""
    tries = try_puzzle(seen, likely, seed)
    if all(all(each) for each in tries):
        return None  # nobody would miss it
    confirmed = confirm(seen, seed)
    if confirmed is None or confirmed.solution.actions != likely.actions:
        return None
    return _build(seen, confirmed, tries, seed)


def _build(
    seen: Candidate, confirmed: Confirmed, tries: tuple[tuple[bool, ...], ...], seed: str
) -> Found:
    """Build the puzzle, with a second step if one follows."""
    steps = [step_of(seen, confirmed)]
    then = play_on(seen, confirmed.solution, seed)
    if then is not None and screen(then.candidate) is not None:
        second = confirm(then.candidate, seed)
        if second is not None:
            steps.append(replace(step_of(then.candidate, second), moves=then.moves))
            again = try_puzzle(then.candidate, second.solution, seed)
            tries = tuple(
                tuple(one and other for one, other in zip(first, rest, strict=True))
                for first, rest in zip(tries, again, strict=True)
            )
    puzzle = Puzzle(
        id=name_of(seen.name, seen.seat, seen.position),
        seats=seen.seats,
        seat=seen.seat,
        position=seen.position,
        steps=tuple(steps),
        missed_by=confirmed.solution.missed_by,
    )
    puzzle = replace(puzzle, themes=themes(seen.name, puzzle))
    return Found(puzzle, tuple(map(sum, tries)), confirmed.solution.is_simple)


def step_of(seen: Candidate, confirmed: Confirmed) -> PuzzleStep:
    """Return a confirmed decision as a step of a puzzle."""
    options = tuple(
        PuzzleChoice(seen.rules.write(value.action), value.chance, value.error)
        for value in confirmed.judgement.action_values
    )
    return PuzzleStep(options, tuple(map(seen.rules.write, confirmed.solution.actions)))


def themes(name: str, puzzle: Puzzle) -> tuple[str, ...]:
    """Return the keys of a puzzle's themes: those of its steps."""
    found: set[str] = set()
    for number in range(len(puzzle.steps)):
        asked = Question(name, puzzle, number)
        best, tempting = asked.best.action, asked.tempting().action
        found |= set(find_themes(name, asked.view, asked.legal, best, tempting))
    return tuple(theme.key for theme in themes_of(name) if theme.key in found)


def assemble(name: str, found: Sequence[Found], command: str) -> PuzzleFile:
    """Rate puzzles and put them into the order of their ids, which are hashes."""
    heuristics = tuple(rule.key for rule in heuristics_of(name))
    keys = tuple(theme.key for theme in themes_of(name))
    in_order = sorted(found, key=lambda each: each.puzzle.id)
    ratings = rate([each.successes for each in in_order], TRIES).puzzles
    rows = tuple(
        Row(
            each.puzzle.seats,
            each.puzzle.seat,
            each.puzzle.position,
            tuple(map(heuristics.index, each.puzzle.missed_by)),
            tuple(map(keys.index, each.puzzle.themes)),
            each.successes,
            rating,
            deviation,
            tuple(map(step_row, each.puzzle.steps)),
        )
        for each, (rating, deviation) in zip(in_order, ratings, strict=True)
    )
    solving = tuple(solver.name for solver in solvers(name))
    version = game(name).info.rules_version
    return PuzzleFile(VERSION, name, version, command, heuristics, keys, solving, TRIES, rows)


def count_stars(puzzles: Sequence[Puzzle]) -> Counter[int]:
    """Return how many puzzles have each number of stars."""
    return Counter(puzzle.stars for puzzle in puzzles)


def made_with(finder: Finder, number: int, games: int | None = None) -> str:
    """Command that reproduces the puzzles."""
    words = ["wonderland puzzles make", finder.name, f"--number {number}"]
    words.append(f"--seats {','.join(map(str, finder.seats))}")
    if games is not None:
        words.append(f"--games {games}")
    words.append(f"--seed {finder.seed}")
    return " ".join(words)


def _part_size(number: int, place: int, parts: int) -> int:
    """Size of one of several nearly equal parts of `number`; the first parts get the remainder."""
    return number // parts + (place < number % parts)

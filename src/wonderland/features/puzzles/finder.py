"""Find puzzles: play games between strong bots and evaluate each decision.

A quick search screens every position, and a longer one those where one choice seems clearly best and
the simplest heuristic misses it. The most difficult candidates of each game are confirmed by the coach's
own search and by one twice as large with another seed. Only candidates on which all searches agree
become puzzles, at most one per game so that no two are alike. Budgets are counted in play-outs, so that
a seed reproduces its puzzles.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from math import hypot, isclose
from typing import Any

from wonderland.bots import decide, levels
from wonderland.bots.evaluation import default_budget, evaluate, recalled_view
from wonderland.components.bots import Budget, Level
from wonderland.components.editor import editor_of
from wonderland.components.heuristics import equivalence_of, heuristics_of
from wonderland.components.judge import ActionValue, Evaluation
from wonderland.engine.chance import Seeded
from wonderland.engine.errors import UsageError
from wonderland.engine.language import ENGLISH
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.protocol import AnyGame, Over, Seat
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import game
from wonderland.engine.values import Value
from wonderland.features.puzzles.model import MOST_STARS, VERSION, Puzzle, PuzzleChoice, Puzzles, name_of

__all__ = ["NUMBER", "SEED", "Finder", "assign_ids", "made_with", "stars"]

NUMBER = 60
SEED = "wonderland"
LEAST = 0.08
"""Minimum loss of win probability for any choice but the solution."""
SURE = 4.0
"""Minimum size of that loss in standard errors."""
_SCREENING_MARGIN = 0.75
"""Fraction of the required margin that passes the screening searches."""
_QUICK_PLAYOUTS, _LONGER_PLAYOUTS = 1000, 10_000
"""Play-outs per choice in the two screening searches; never more than the coach's."""
_GAME_PLAYOUTS = 100
"""Play-outs per choice of the bots that play the games."""
_TRIAL_PLAYOUTS, _TRIALS = 500, 10
"""Limit of play-outs for a level that attempts a puzzle, and number of attempts."""
_CONFIRMED_PER_GAME = 2
"""Number of candidates per game that go to confirmation, most difficult first."""
_EASY_INTERVAL = 3
"""At most one in this many puzzles has a single star."""
_DIGITS = 6


class Candidate(Value, frozen=True):
    """A position from the viewpoint of one seat."""

    match: AnyMatch
    seat: Seat
    position: str
    state: Any
    """The state as this seat knows it."""


class Verdict(Value, frozen=True):
    """The best choice with its equivalents, and its lead over the rest."""

    solutions: tuple[Any, ...]
    margin: float
    error: float

    def is_clear(self, least: float = LEAST) -> bool:
        """Whether the lead is large enough and statistically certain."""
        return self.margin >= least and self.margin > SURE * self.error


class Finder(Value, frozen=True):
    """Searches for puzzles of one game."""

    name: str
    seats: tuple[int, ...]
    seed: str = SEED
    budget: Budget | None = None
    """Budget of the confirming search; the coach's default if `None`."""
    least: float = LEAST

    def found(self, number: int, games: int) -> Iterator[Puzzle]:
        """Play at most `games` games and yield `number` puzzles, evenly over the numbers of players."""
        if not heuristics_of(self.name):
            raise UsageError(
                f"{game(self.name).info.title} has no rules of thumb that a puzzle could be missed by."
            )
        wanted = {
            seats: _part_size(number, place, len(self.seats)) for place, seats in enumerate(self.seats)
        }
        easy = {seats: -(-part // _EASY_INTERVAL) for seats, part in wanted.items()}
        known_ids: set[str] = set()
        for play in range(games):
            open_seats = [seats for seats in self.seats if wanted[seats]]
            if not open_seats:
                return
            seats = open_seats[play % len(open_seats)]
            puzzle = self._puzzle_in(seats, play, least_stars=1 if easy[seats] else 2)
            if puzzle is not None and puzzle.id not in known_ids:
                known_ids.add(puzzle.id)
                wanted[seats] -= 1
                easy[seats] -= puzzle.stars == 1
                yield puzzle

    def _puzzle_in(self, seats: int, play: int, least_stars: int) -> Puzzle | None:
        """Return a puzzle from one game, if it contains one."""
        promising = []
        for seen in self._positions(seats, play):
            if self._screen(seen, _QUICK_PLAYOUTS) and (verdict := self._screen(seen, _LONGER_PLAYOUTS)):
                hard = self._found_by(seen, verdict)
                if stars(tuple(hard.values())) >= least_stars:
                    promising.append((sum(hard.values()), seen))
        for _, seen in sorted(promising, key=lambda pair: pair[0])[:_CONFIRMED_PER_GAME]:
            if (puzzle := self._confirm(seen)) is not None and puzzle.stars >= least_stars:
                return puzzle
        return None

    def _screen(self, seen: Candidate, playouts: int) -> Verdict | None:
        """Screen a position with a search; return the verdict if it may be a puzzle."""
        most = self._full_budget(len(seen.match.names))
        judgement = evaluate(game(self.name), seen.state, seen.seat, Budget(min(playouts, most)))
        verdict = self._verdict(seen, judgement)
        is_clear = verdict.is_clear(_SCREENING_MARGIN * self.least)
        return verdict if is_clear and self._is_missed(seen, verdict) else None

    # Playing

    def _positions(self, seats: int, play: int) -> Iterator[Candidate]:
        """Play one game between bots and yield every decision as a candidate."""
        rules, level, seed = game(self.name), levels(self.name)[-1], f"{self.seed} {seats} {play}"
        match: AnyMatch = Match(rules, seats, luck=Seeded(seed))
        bots, rng = [level.make() for _ in range(seats)], random.Random(seed)
        while not isinstance(match.turn, Over):
            seat = seats_to_act(match.turn)[0]
            if len(match.legal(seat)) > 1 and (seen := _candidate_at(rules, match, seat)) is not None:
                yield seen
            match.play(seat, decide(bots[seat], match, seat, rng, Budget(playouts=_GAME_PLAYOUTS)))

    # Judging

    def _full_budget(self, seats: int) -> int:
        budget = default_budget(self.name, seats) if self.budget is None else self.budget
        return budget.playouts or 1

    def _verdict(self, seen: Candidate, judgement: Evaluation) -> Verdict:
        """Compute the lead of the best choice over everything not equivalent to it."""
        view, alike = recalled_view(game(self.name), seen.state, seen.seat), equivalence_of(self.name)
        best = judgement.best
        kind = alike(view, best.action)
        same = [value for value in judgement.worths if alike(view, value.action) == kind]
        others = [value for value in judgement.worths if value not in same]
        if not others:
            return Verdict((best.action,), 0.0, 0.0)
        second = max(others, key=lambda value: value.chance)
        margin, error = best.chance - second.chance, hypot(best.error, second.error)
        return Verdict(tuple(value.action for value in same), margin, error)

    def _is_missed(self, seen: Candidate, verdict: Verdict) -> bool:
        """Whether the simplest heuristic misses the solution."""
        return self._missed_by(seen, verdict)[:1] == (heuristics_of(self.name)[0].key,)

    def _missed_by(self, seen: Candidate, verdict: Verdict) -> tuple[str, ...]:
        rules = game(self.name)
        view, legal = recalled_view(rules, seen.state, seen.seat), rules.legal(seen.state, seen.seat)
        return tuple(
            rule.key
            for rule in heuristics_of(self.name)
            if all(rule.misses(view, legal, action) for action in verdict.solutions)
        )

    def _confirm(self, seen: Candidate) -> Puzzle | None:
        """Return the puzzle if two full searches agree on it."""
        rules, usual = game(self.name), self._full_budget(len(seen.match.names))
        judgement = evaluate(rules, seen.state, seen.seat, Budget(playouts=usual))
        verdict = self._verdict(seen, judgement)
        if not (verdict.is_clear(self.least) and self._is_missed(seen, verdict)):
            return None
        other = random.Random(f"{self.seed} {seen.position}")
        again = evaluate(rules, seen.state, seen.seat, Budget(playouts=2 * usual), rng=other)
        second = self._verdict(seen, again)
        if second.solutions != verdict.solutions or not second.is_clear(self.least):
            return None
        return self._build_puzzle(seen, judgement, verdict)

    def _build_puzzle(self, seen: Candidate, judgement: Evaluation, verdict: Verdict) -> Puzzle:
        rules, found_by = game(self.name), self._found_by(seen, verdict)
        return Puzzle(
            id=name_of(self.name, seen.seat, seen.position),
            seats=len(seen.match.names),
            seat=seen.seat,
            position=seen.position,
            options=tuple(_puzzle_choice(rules, value) for value in judgement.worths),
            solutions=tuple(rules.write(action) for action in verdict.solutions),
            missed_by=self._missed_by(seen, verdict),
            found_by=found_by,
            stars=stars(tuple(found_by.values())),
        )

    # Difficulty

    def _found_by(self, seen: Candidate, verdict: Verdict) -> dict[str, float]:
        """Share of attempts in which each measuring level finds the solution."""
        measuring = _measuring_levels(levels(self.name))
        return {level.name: self._success_rate(level, seen, verdict) for level in measuring}

    def _success_rate(self, level: Level, seen: Candidate, verdict: Verdict) -> float:
        budget = Budget(playouts=min(level.budget.playouts or _TRIAL_PLAYOUTS, _TRIAL_PLAYOUTS))
        found = 0
        for attempt in range(_TRIALS):
            rng = random.Random(f"{self.seed} {seen.position} {attempt}")
            found += decide(level.make(), seen.match, seen.seat, rng, budget) in verdict.solutions
        return found / _TRIALS


def _measuring_levels(every_level: Sequence[Level]) -> Sequence[Level]:
    """Levels that measure difficulty: above the heuristic ones and below the strongest.

    The strongest searches like the coach, so it is used only where fewer than two would remain.
    """
    return every_level[2:-1] if len(every_level) > 4 else every_level[2:] or every_level[1:]


def stars(shares: Sequence[float]) -> int:
    """Difficulty from the levels' success rates: 1 if all attempts succeed, 5 if none does.

    >>> stars([1.0, 1.0, 1.0]), stars([0.5, 0.4, 0.6]), stars([0.0, 0.0, 0.0])
    (1, 3, 5)
    """
    missed = 1 - sum(shares) / len(shares)
    return 1 + int((MOST_STARS - 1) * missed + 0.5)


def assign_ids(name: str, found: Sequence[Puzzle], command: str) -> Puzzles:
    """Sort puzzles by id for the file; ids are hashes, so the order is unpredictable."""
    in_order = tuple(sorted(found, key=lambda puzzle: puzzle.id))
    return Puzzles(VERSION, name, game(name).info.rules_version, command, in_order)


def made_with(finder: Finder, number: int, games: int | None = None) -> str:
    """Command that reproduces the puzzles."""
    words = ["wonderland puzzles make", finder.name, f"--number {number}"]
    words.append(f"--seats {','.join(map(str, finder.seats))}")
    if games is not None:
        words.append(f"--games {games}")
    words.append(f"--seed {finder.seed}")
    if finder.budget is not None:
        words.append(f"--budget {finder.budget.playouts}")
    return " ".join(words)


def _part_size(number: int, place: int, parts: int) -> int:
    """Size of one of several nearly equal parts of `number`; the first parts get the remainder."""
    return number // parts + (place < number % parts)


def _candidate_at(rules: AnyGame, match: AnyMatch, seat: Seat) -> Candidate | None:
    """Candidate from a seat's viewpoint; `None` if a position line can't express what it knows."""
    line = rules.write_position(match.state)
    editor = editor_of(rules.info.name)
    if editor is None:
        state = rules.imagine(match.view(seat), random.Random(line))
        line = rules.write_position(state)
    else:
        line = editor.line(editor.form(editor.facts(line, seat), match.names, ENGLISH))
        state = rules.read_position(line)
    same = recalled_view(rules, state, seat) == recalled_view(rules, match.state, seat)
    return Candidate(match.fork(), seat, line, state) if same else None


def _puzzle_choice(rules: AnyGame, value: ActionValue) -> PuzzleChoice:
    error = 0.0 if isclose(value.error, 0.0) else round(value.error, _DIGITS)
    return PuzzleChoice(rules.write(value.action), round(value.chance, _DIGITS), error)

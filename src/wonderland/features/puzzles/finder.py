"""Finds puzzles: plays games between good bots, and looks at what each seat has to choose.

A quick search looks at every position, and a longer one where one choice seems clearly best and the
simplest rule of thumb misses it. The hardest of each game are looked at by the coach's own search, and
by one twice as large, with other random numbers. Only what all of them agree on becomes a puzzle, and
one from each game at most, so that no two are alike. How much is thought is counted in play-outs: the
same seed finds the same.
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
"""So much of the chance to win is lost by anything but the solution."""
SURE = 4.0
"""And by so many standard errors."""
_NEARLY = 0.75
"""What a quick look misses by less than this may still be a puzzle."""
_QUICK, _LONGER = 1000, 10_000
"""Play-outs for each choice in the first two looks, and at most as many as the coach makes."""
_PLAYING = 100
"""Play-outs for each choice of those who play."""
_TRYING, _TRIES = 500, 10
"""Play-outs that a level has at most when it tries a puzzle, and how often it tries."""
_LOOKS = 2
"""The hardest positions of a game that are looked at again."""
_EASY = 3
"""Of so many puzzles, one at most has a single star."""
_DIGITS = 6


class Candidate(Value, frozen=True):
    """A position from one seat."""

    match: AnyMatch
    seat: Seat
    position: str
    state: Any
    """As this seat knows it."""


class Verdict(Value, frozen=True):
    """The best choice, with those that are the same thing, and how far it is ahead."""

    solutions: tuple[Any, ...]
    margin: float
    error: float

    def is_clear(self, least: float = LEAST) -> bool:
        """Whether it is far ahead, and certainly so."""
        return self.margin >= least and self.margin > SURE * self.error


class Finder(Value, frozen=True):
    """Whoever looks for puzzles of a game."""

    name: str
    seats: tuple[int, ...]
    seed: str = SEED
    budget: Budget | None = None
    """How much the coach thinks: usually as about a recorded game."""
    least: float = LEAST

    def found(self, number: int, games: int) -> Iterator[Puzzle]:
        """Puzzles, as they are found: as many for each number of players, from at most so many games."""
        if not heuristics_of(self.name):
            raise UsageError(
                f"{game(self.name).info.title} has no rules of thumb that a puzzle could be missed by."
            )
        wanted = {seats: _part(number, place, len(self.seats)) for place, seats in enumerate(self.seats)}
        easy = {seats: -(-part // _EASY) for seats, part in wanted.items()}
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
        """A puzzle from one game, if there is one in it."""
        promising = []
        for seen in self._positions(seats, play):
            if self._looks_good(seen, _QUICK) and (verdict := self._looks_good(seen, _LONGER)):
                hard = self._found_by(seen, verdict)
                if stars(tuple(hard.values())) >= least_stars:
                    promising.append((sum(hard.values()), seen))
        for _, seen in sorted(promising, key=lambda pair: pair[0])[:_LOOKS]:
            if (puzzle := self._confirmed(seen)) is not None and puzzle.stars >= least_stars:
                return puzzle
        return None

    def _looks_good(self, seen: Candidate, playouts: int) -> Verdict | None:
        """What a look finds, if that may be a puzzle."""
        most = self._usual(len(seen.match.names))
        judgement = evaluate(game(self.name), seen.state, seen.seat, Budget(min(playouts, most)))
        verdict = self._verdict(seen, judgement)
        is_clear = verdict.is_clear(_NEARLY * self.least)
        return verdict if is_clear and self._is_missed(seen, verdict) else None

    # Playing

    def _positions(self, seats: int, play: int) -> Iterator[Candidate]:
        """What each seat sees whenever it has to choose, in one game."""
        rules, level, seed = game(self.name), levels(self.name)[-1], f"{self.seed} {seats} {play}"
        match: AnyMatch = Match(rules, seats, luck=Seeded(seed))
        bots, rng = [level.make() for _ in range(seats)], random.Random(seed)
        while not isinstance(match.turn, Over):
            seat = seats_to_act(match.turn)[0]
            if len(match.legal(seat)) > 1 and (seen := _seen(rules, match, seat)) is not None:
                yield seen
            match.play(seat, decide(bots[seat], match, seat, rng, Budget(playouts=_PLAYING)))

    # Judging

    def _usual(self, seats: int) -> int:
        budget = default_budget(self.name, seats) if self.budget is None else self.budget
        return budget.playouts or 1

    def _verdict(self, seen: Candidate, judgement: Evaluation) -> Verdict:
        """How far the best is ahead of all that is not the same thing."""
        view, alike = recalled_view(game(self.name), seen.state, seen.seat), equivalence_of(self.name)
        best = judgement.best
        kind = alike(view, best.action)
        same = [worth for worth in judgement.worths if alike(view, worth.action) == kind]
        others = [worth for worth in judgement.worths if worth not in same]
        if not others:
            return Verdict((best.action,), 0.0, 0.0)
        second = max(others, key=lambda worth: worth.chance)
        margin, error = best.chance - second.chance, hypot(best.error, second.error)
        return Verdict(tuple(worth.action for worth in same), margin, error)

    def _is_missed(self, seen: Candidate, verdict: Verdict) -> bool:
        """Whether the simplest rule of thumb misses it."""
        return self._missed_by(seen, verdict)[:1] == (heuristics_of(self.name)[0].key,)

    def _missed_by(self, seen: Candidate, verdict: Verdict) -> tuple[str, ...]:
        rules = game(self.name)
        view, legal = recalled_view(rules, seen.state, seen.seat), rules.legal(seen.state, seen.seat)
        return tuple(
            rule.key
            for rule in heuristics_of(self.name)
            if all(rule.misses(view, legal, action) for action in verdict.solutions)
        )

    def _confirmed(self, seen: Candidate) -> Puzzle | None:
        """The puzzle, if two long looks see it too."""
        rules, usual = game(self.name), self._usual(len(seen.match.names))
        judgement = evaluate(rules, seen.state, seen.seat, Budget(playouts=usual))
        verdict = self._verdict(seen, judgement)
        if not (verdict.is_clear(self.least) and self._is_missed(seen, verdict)):
            return None
        other = random.Random(f"{self.seed} {seen.position}")
        again = evaluate(rules, seen.state, seen.seat, Budget(playouts=2 * usual), rng=other)
        second = self._verdict(seen, again)
        if second.solutions != verdict.solutions or not second.is_clear(self.least):
            return None
        return self._made(seen, judgement, verdict)

    def _made(self, seen: Candidate, judgement: Evaluation, verdict: Verdict) -> Puzzle:
        rules, found_by = game(self.name), self._found_by(seen, verdict)
        return Puzzle(
            id=name_of(self.name, seen.seat, seen.position),
            seats=len(seen.match.names),
            seat=seen.seat,
            position=seen.position,
            options=tuple(_option(rules, worth) for worth in judgement.worths),
            solutions=tuple(rules.write(action) for action in verdict.solutions),
            missed_by=self._missed_by(seen, verdict),
            found_by=found_by,
            stars=stars(tuple(found_by.values())),
        )

    # How hard it is

    def _found_by(self, seen: Candidate, verdict: Verdict) -> dict[str, float]:
        """How often it is found by the levels that measure it."""
        measuring = _measuring(levels(self.name))
        return {level.name: self._share(level, seen, verdict) for level in measuring}

    def _share(self, level: Level, seen: Candidate, verdict: Verdict) -> float:
        budget = Budget(playouts=min(level.budget.playouts or _TRYING, _TRYING))
        found = 0
        for attempt in range(_TRIES):
            rng = random.Random(f"{self.seed} {seen.position} {attempt}")
            found += decide(level.make(), seen.match, seen.seat, rng, budget) in verdict.solutions
        return found / _TRIES


def _measuring(there: Sequence[Level]) -> Sequence[Level]:
    """The levels between those who keep a rule of thumb and the strongest, who thinks like the coach.

    Where that leaves fewer than two, the strongest is asked as well.
    """
    return there[2:-1] if len(there) > 4 else there[2:] or there[1:]


def stars(shares: Sequence[float]) -> int:
    """How hard a puzzle is that so many of their tries find: 1 if all do, 5 if none does.

    >>> stars([1.0, 1.0, 1.0]), stars([0.5, 0.4, 0.6]), stars([0.0, 0.0, 0.0])
    (1, 3, 5)
    """
    missed = 1 - sum(shares) / len(shares)
    return 1 + int((MOST_STARS - 1) * missed + 0.5)


def assign_ids(name: str, found: Sequence[Puzzle], command: str) -> Puzzles:
    """Puzzles for a file: their ids are like random numbers, so that what comes next is a surprise."""
    in_order = tuple(sorted(found, key=lambda puzzle: puzzle.id))
    return Puzzles(VERSION, name, game(name).info.rules_version, command, in_order)


def made_with(finder: Finder, number: int, games: int | None = None) -> str:
    """The command that finds the same again."""
    words = ["wonderland puzzles make", finder.name, f"--number {number}"]
    words.append(f"--seats {','.join(map(str, finder.seats))}")
    if games is not None:
        words.append(f"--games {games}")
    words.append(f"--seed {finder.seed}")
    if finder.budget is not None:
        words.append(f"--budget {finder.budget.playouts}")
    return " ".join(words)


def _part(number: int, place: int, parts: int) -> int:
    """So many of a number fall to one of several, the first of which get the rest."""
    return number // parts + (place < number % parts)


def _seen(rules: AnyGame, match: AnyMatch, seat: Seat) -> Candidate | None:
    """What a seat sees as a position of its own; `None` if a line can't say all that."""
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


def _option(rules: AnyGame, worth: ActionValue) -> PuzzleChoice:
    error = 0.0 if isclose(worth.error, 0.0) else round(worth.error, _DIGITS)
    return PuzzleChoice(rules.write(worth.action), round(worth.chance, _DIGITS), error)

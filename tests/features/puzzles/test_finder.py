"""Finding puzzles: reproducible, honest about its limits, and the same on any number of workers."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from wonderland.bots.evaluation import evaluate, recalled_view
from wonderland.bots.puzzle import Puzzle, PuzzleChoice, PuzzleStep, Question
from wonderland.components.bots import Budget
from wonderland.components.themes import find_themes, themes_of
from wonderland.engine import game_names
from wonderland.features.puzzles import confirmation, finder
from wonderland.features.puzzles.candidates import Candidate, candidates
from wonderland.features.puzzles.confirmation import LEAST, confirm, screen, solve
from wonderland.features.puzzles.finder import Finder, Found, GameSearch, assemble, search
from wonderland.features.puzzles.line import play_on
from wonderland.features.puzzles.model import puzzles
from wonderland.lab.executors import ThreadExecutor

GAMES = game_names()
Shown = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _own_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


# Candidates and stages


@pytest.mark.parametrize("name", GAMES)
def test_candidates_are_what_a_seat_knows(name: str) -> None:
    seen = list(candidates(name, 3, "tea"))
    assert [each.position for each in candidates(name, 3, "tea")] == [each.position for each in seen]
    assert len({each.place for each in seen}) == len(seen)
    for each in seen:
        assert recalled_view(each.rules, each.match.state, each.seat) == each.view
        assert len(each.legal) >= 3


def test_screening_keeps_what_has_a_lead_and_is_missed_by_a_heuristic() -> None:
    passed = 0
    for seen in candidates("letters", 4, "t20 4 0"):
        solution = screen(seen)
        if solution is not None:
            passed += 1
            assert solution.missed_by
            assert solution.exceeds(-1.0)
            without = screen(seen, simple=False)
            assert without is None or not without.is_simple
    assert passed > 0


@cache
def confirmed_candidate() -> tuple[Candidate, confirmation.Confirmed]:
    """The first candidate of the seed whose solution is confirmed."""
    for seen in candidates("letters", 4, "t20 4 0"):
        if screen(seen) is not None and (found := confirm(seen, "tea")) is not None:
            return seen, found
    raise AssertionError("no candidate was confirmed")


def test_a_confirmed_solution_is_clear_and_the_claim_of_a_wrong_one_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen, found = confirmed_candidate()
    assert found.solution.is_clear
    assert confirm(seen, "tea") == found
    values = found.judgement.action_values
    worst = min(values, key=lambda value: value.chance)
    exchanged = tuple(
        msgspec.structs.replace(value, chance={worst.action: 1.0}.get(value.action, value.chance / 2))
        for value in values
    )
    wrong = msgspec.structs.replace(found.judgement, action_values=exchanged)
    lie = msgspec.structs.replace(found, judgement=wrong)
    assert not confirmation._is_upheld(seen, lie, "tea")
    monkeypatch.setattr(confirmation, "SURE", 1e9)
    assert confirm(seen, "tea") is None


@pytest.mark.parametrize("name", GAMES)
def test_the_game_goes_on_as_the_seat_witnesses_it(name: str) -> None:
    """Any decision may be followed by a second step, whose position follows from the moves."""
    followed = 0
    for seen in list(candidates(name, 3, "tea"))[:12]:
        solution = solve(seen, evaluate(seen.rules, seen.state, seen.seat, Budget(60)))
        then = play_on(seen, solution, "tea")
        if then is None:
            continue
        followed += 1
        steps = []
        for candidate, moves in ((seen, ()), (then.candidate, then.moves)):
            values = evaluate(candidate.rules, candidate.state, candidate.seat, Budget(20)).action_values
            best = solution.actions if candidate is seen else (values[0].action,)
            words = tuple(map(candidate.rules.write, best))
            choices = (
                PuzzleChoice(candidate.rules.write(each.action), each.chance, each.error)
                for each in values
            )
            steps.append(PuzzleStep(tuple(choices), words, moves))
        puzzle = Puzzle("line", seen.seats, seen.seat, seen.position, tuple(steps))
        asked = Question(name, puzzle, 1)
        match = then.candidate.match
        assert asked.view == recalled_view(match.game, match.state, seen.seat)
        assert asked.events
    assert followed > 0 or name == "cookies"


# Finding


def test_the_same_seed_finds_the_same_puzzles_on_any_number_of_workers() -> None:
    wanted = Finder("letters", (4,), "t20")
    found = list(wanted.found(4, 2))
    assert list(wanted.found(4, 2, ThreadExecutor(2))) == found
    assert len({each.puzzle.id for each in found}) == len(found) > 0
    assert sum(each.is_simple for each in found) <= 2, "at most half"
    for each in found:
        asked = Question("letters", each.puzzle)
        assert asked.missed_by is not None
        assert asked.missed_by.misses(asked.view, asked.legal, asked.best.action)
        assert asked.step.margin >= LEAST or not each.is_simple
        assert len(each.successes) == len(assemble("letters", found, "").solvers)
    assert list(Finder("letters", (2,), "tea").found(5, 2)) == []


def test_puzzles_of_one_game_are_far_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    (puzzle, *_), places = puzzles("parade").puzzles, []

    def accept(seen: Candidate, _seed: str, *, simple: bool) -> Found:
        assert simple
        places.append(seen.place)
        return Found(puzzle, (0,), is_simple=False)

    monkeypatch.setattr(finder, "examine", accept)
    assert len(search(GameSearch("parade", 3, "tea", 0, simple=True))) == len(places) > 3
    assert all(after - before >= 6 for before, after in pairwise(places))


def test_a_decision_that_nobody_misses_is_no_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, _ = confirmed_candidate()
    monkeypatch.setattr(finder, "try_puzzle", lambda *_: ((True, True), (True, True)))
    assert finder.examine(seen, "tea") is None
    monkeypatch.setattr(finder, "try_puzzle", lambda *_: ((True, False),))
    assert finder.examine(seen, "tea") is not None
    monkeypatch.setattr(finder, "confirm", lambda *_: None)
    assert finder.examine(seen, "tea") is None


def test_a_second_step_must_be_solved_too(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, found = confirmed_candidate()
    tries = iter([((True, True, False),), ((True, False, True),)])
    monkeypatch.setattr(finder, "try_puzzle", lambda *_: next(tries))
    then = SimpleNamespace(candidate=seen, moves=("x",))
    monkeypatch.setattr(finder, "play_on", lambda *_: then)
    monkeypatch.setattr(finder, "themes", lambda *_: ())
    built = finder.examine(seen, "tea")
    assert built is not None
    assert built.successes == (1,)
    assert [step.moves for step in built.puzzle.steps] == [(), ("x",)]
    assert built.puzzle.steps[0] == finder.step_of(seen, found)


# Themes


@pytest.mark.parametrize("name", GAMES)
def test_themes_are_known_and_in_order(name: str) -> None:
    keys = [theme.key for theme in themes_of(name)]
    assert len(set(keys)) == len(keys)
    for seen in candidates(name, 3, "coffee"):
        legal = seen.legal
        found = find_themes(name, seen.view, legal, legal[0], legal[-1])
        assert [key for key in keys if key in found] == list(found)

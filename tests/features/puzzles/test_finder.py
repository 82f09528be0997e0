"""Puzzles: the shipped ones are sound, and finding them is reproducible."""

from __future__ import annotations

import io
import random
import signal
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from importlib.metadata import EntryPoint
from math import hypot
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.bots.evaluation import can_evaluate, default_budget, evaluate, recalled_view
from wonderland.cli import main
from wonderland.components.bots import Budget
from wonderland.components.editor import editor_of
from wonderland.components.game_data import dump
from wonderland.components.heuristics import equivalence_of, heuristics_of
from wonderland.engine import FileProblem, Match, Seeded, game, game_names, registry
from wonderland.engine.language import ENGLISH
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import FACE_DOWN
from wonderland.features.puzzles.command import _find_puzzles, show
from wonderland.features.puzzles.finder import (
    LEAST,
    SURE,
    Finder,
    _candidate_at,
    assign_ids,
    made_with,
    stars,
)
from wonderland.features.puzzles.model import (
    FILE,
    Position,
    Puzzle,
    games_with_puzzles,
    name_of,
    puzzles,
)

GAMES = game_names()
NAMES = ["Alice", "Bill", "Dinah", "Gryphon", "Lory", "Pat"]
SMALL = Budget(playouts=300)
AGAIN = 4000
"""Play-outs that see a difference as large as in a puzzle."""
Shown = pytest.CaptureFixture[str]


def shipped(name: str) -> Iterator[tuple[Puzzle, Position]]:
    for puzzle in puzzles(name).puzzles:
        yield puzzle, Position(name, puzzle)


# Shipped puzzles


def test_every_game_has_puzzles_of_several_kinds() -> None:
    for name in GAMES:
        found = puzzles(name).puzzles
        assert len(found) >= 15
        assert len({puzzle.stars for puzzle in found}) > 2


@pytest.mark.parametrize("name", GAMES)
def test_each_puzzle_is_a_position_as_its_seat_knows_it(name: str) -> None:
    rules, editor = game(name), editor_of(name)
    assert editor is not None
    for puzzle, position in shipped(name):
        assert puzzle.id == name_of(name, puzzle.seat, puzzle.position)
        assert rules.write_position(position.state) == puzzle.position
        assert puzzle.seat in seats_to_act(rules.turn(position.state))
        assert can_evaluate(rules, position.state, puzzle.seat)
        form = editor.form(editor.facts(puzzle.position, puzzle.seat), NAMES, ENGLISH)
        assert editor.line(form) == puzzle.position, "it says nothing that the seat can't see"
        hands = getattr(position.state, "hands", ())
        others = [hand for seat, hand in enumerate(hands) if seat != puzzle.seat]
        assert all(card is FACE_DOWN for hand in others for card in hand)
        assert [option.action for option in puzzle.options] == list(map(rules.write, position.legal))
    ids = [puzzle.id for puzzle in puzzles(name).puzzles]
    assert ids == sorted(set(ids))


@pytest.mark.parametrize("name", GAMES)
def test_each_puzzle_has_one_best_choice_that_the_heuristic_misses(name: str) -> None:
    rules, alike = heuristics_of(name), equivalence_of(name)
    for puzzle, position in shipped(name):
        best, solutions = position.best, [position.action(word) for word in puzzle.solutions]
        assert best.action in solutions
        assert len({alike(position.view, action) for action in solutions}) == 1
        others = [worth for worth in position.judgement.worths if worth.action not in solutions]
        second = max(others, key=lambda worth: worth.chance)
        assert puzzle.margin == best.chance - second.chance >= LEAST
        assert puzzle.margin > SURE * hypot(best.error, second.error)
        missing = [
            rule.key
            for rule in rules
            if all(rule.misses(position.view, position.legal, action) for action in solutions)
        ]
        assert puzzle.missed_by == tuple(missing)
        assert position.missed_by == rules[0]
        assert position.tempting().chance <= best.chance - LEAST
        assert puzzle.stars == stars(tuple(puzzle.found_by.values()))


@pytest.mark.parametrize("name", GAMES)
def test_another_search_finds_the_same_solution(name: str) -> None:
    rng = random.Random(name)
    for puzzle in rng.sample(puzzles(name).puzzles, 4):
        position = Position(name, puzzle)
        usual = default_budget(name, puzzle.seats).playouts or 1
        if usual < AGAIN:
            pytest.skip("the kernels are not compiled")
        found = evaluate(position.game, position.state, puzzle.seat, Budget(AGAIN), rng=rng)
        assert position.game.write(found.best.action) in puzzle.solutions
        assert all(found.cost(each) > 0 for each in position.legal if not position.is_solved_by(each))


@pytest.mark.parametrize("name", GAMES)
def test_the_file_round_trips(name: str) -> None:
    found = puzzles(name)
    assert FILE.read(dump(found).encode(), name) == found
    assert assign_ids(name, random.Random(1).sample(found.puzzles, 3), "").puzzles == tuple(
        sorted(random.Random(1).sample(found.puzzles, 3), key=lambda puzzle: puzzle.id)
    )


# The puzzle of the day


@given(st.sampled_from(GAMES), st.dates(date(2000, 1, 1), date(2200, 1, 1)))
def test_every_puzzle_is_used_before_one_repeats(name: str, first: date) -> None:
    known_ones = puzzles(name)
    number = len(known_ones.puzzles)
    days = [first + timedelta(days=n) for n in range(number + 1)]
    shown = [known_ones.of(day) for day in days]
    assert {puzzle.id for puzzle in shown[:number]} == {each.id for each in known_ones.puzzles}
    assert shown[number] == shown[0]
    before, after = known_ones.beside(shown[1])
    assert (before, after) == (shown[0], shown[2])
    assert known_ones.called(shown[1].id) == shown[1]
    assert known_ones.called("nobody") is None


# Finding puzzles


def test_the_same_seed_finds_the_same_puzzles() -> None:
    finder = Finder("cookies", (2, 3), "tea", SMALL)
    found = list(finder.found(3, 30))
    assert list(finder.found(3, 30)) == found
    assert sorted(puzzle.seats for puzzle in found) == [2, 2, 3]
    assert sum(puzzle.stars == 1 for puzzle in found) <= 2
    assert [puzzle.id for puzzle in Finder("cookies", (2, 3), "coffee", SMALL).found(1, 9)] != [
        found[0].id
    ]
    for puzzle in found:
        position = Position("cookies", puzzle)
        assert position.missed_by.misses(position.view, position.legal, position.best.action)
        assert puzzle.margin >= LEAST


def test_no_more_games_are_played_than_requested() -> None:
    assert list(Finder("letters", (2,), "tea", SMALL).found(5, 3)) == []


@given(st.lists(st.floats(0, 1), min_size=1))
def test_difficulty_is_one_to_five_stars_and_grows_with_the_loss(shares: list[float]) -> None:
    assert 1 <= stars(shares) <= 5
    assert stars([share / 2 for share in shares]) >= stars(shares)


@pytest.fixture
def march(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A game with only rules."""
    (tmp_path / "march").mkdir()
    (tmp_path / "march" / "__init__.py").write_text(
        "from msgspec.structs import replace\nfrom wonderland.games.parade import Parade\n"
        "class March(Parade):\n    info = replace(Parade.info, name='march', title='March')\n"
        "GAME = March()\n"
    )
    points = [EntryPoint("march", "march", registry.HOME)]
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    registry.refresh()
    yield "march"
    monkeypatch.undo()
    registry.refresh()


def test_a_game_needs_a_heuristic_but_no_editor(march: str, capsys: Shown) -> None:
    assert heuristics_of(march) == ()
    assert "March has no rules of thumb" in error_of(capsys, "make", march, "--out", "new.json")
    assert "There are no puzzles for march yet" in error_of(capsys, march)
    assert march not in games_with_puzzles()
    match: Any = Match(game(march), 2, luck=Seeded("tea"))
    (seat,) = seats_to_act(match.turn)
    seen = _candidate_at(game(march), match, seat)
    assert seen is not None
    assert seen.state != match.state, "other hands are sampled"
    assert recalled_view(game(march), game(march).read_position(seen.position), seat) == match.view(seat)


# The command


def error_of(capsys: Shown, *words: str) -> str:
    assert main(["puzzles", *words]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("wonderland: ")
    assert shown.err.count("\n") == 1
    return shown.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess"], "there is no game called 'chess'"),
        (["parade", "letters"], "more than one game"),
        (["parade", "--date", "tomorrow"], "--date 'tomorrow' is not a date"),
        (["parade", "--seed", "tea"], "--seed is for making puzzles"),
        (["make"], "takes one GAME"),
        (["make", "parade", "letters"], "takes one GAME"),
        (["make", "parade", "--date", "2026-12-24"], "--date is for the puzzle of a day"),
        (["make", "parade", "--number", "0"], "--number '0' is not possible"),
        (["make", "parade", "--seats", "2,9"], "2 to 6 can play"),
        (["make", "parade", "--seed", "a cup"], "a word without blanks"),
        (["make", "parade", "--out", "nowhere/it.json"], "no such folder"),
    ],
)
def test_invalid_arguments_are_rejected_in_one_sentence(
    words: list[str], said: str, capsys: Shown
) -> None:
    assert said in error_of(capsys, *words)


def test_make_writes_a_file_that_round_trips(tmp_path: Path, capsys: Shown) -> None:
    path = tmp_path / "found.json"
    asked = ["make", "Cookies", "--number=1", "--seats=2", "--seed=tea", "--budget=300", "--games=30"]
    assert main(["puzzles", *asked, "--out", str(path)]) == 0
    found = FILE.read(path.read_bytes(), "cookies")
    assert "1 puzzle for Cookies" in capsys.readouterr().out
    finder = Finder("cookies", (2,), "tea", SMALL)
    assert found == assign_ids("cookies", list(finder.found(1, 30)), made_with(finder, 1, 30))
    assert found.command.split()[:4] == ["wonderland", "puzzles", "make", "cookies"]
    again = tmp_path / "again.json"
    assert main([*found.command.split()[1:], "--out", str(again)]) == 0
    assert again.read_bytes() == path.read_bytes()
    capsys.readouterr()
    assert "is there already" in error_of(capsys, *asked, "--out", str(path))


def test_nothing_is_written_if_no_puzzle_is_found(tmp_path: Path, capsys: Shown) -> None:
    path = tmp_path / "found.json"
    asked = ["puzzles", "make", "letters", "--seats=2", "--games=1", "--budget=2", "--out", str(path)]
    assert main(asked) == 1
    assert capsys.readouterr().err == "No puzzle was found in 1 game.\n"
    assert not path.exists()


def test_ctrl_c_keeps_the_puzzles_found_so_far() -> None:
    first, *_ = puzzles("cookies").puzzles

    def interrupted(_number: int, _games: int) -> Iterator[Puzzle]:
        yield first
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("it has ended before")

    finder: Any = SimpleNamespace(found=interrupted)
    assert _find_puzzles(finder, 2, 9) == ([first], True)


@pytest.mark.parametrize("name", GAMES)
def test_the_puzzle_of_the_day_is_asked_and_answered(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: Shown
) -> None:
    day = date(2026, 12, 24)
    puzzle = puzzles(name).of(day)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"nonsense\n{puzzle.solutions[0]}\n"))
    assert main(["puzzles", name, "--date", day.isoformat()]) == 0
    shown = capsys.readouterr().out
    assert f"{game(name).info.title}, 2026-12-24. Hardness: {puzzle.stars} of 5." in shown
    asked, answered = shown.split("'nonsense' is none of the choices; type one of ")
    assert " %" not in asked
    assert "That is best." in answered
    assert f"{100 * Position(name, puzzle).best.chance:.0f} %" in answered
    assert heuristics_of(name)[0].says in " ".join(answered.split())
    lines: list[str] = []
    position = Position(name, puzzle)
    tempting = game(name).write(position.tempting().action)
    show(name, puzzle, day, lambda _: tempting, lines.append)
    assert "No: there is something better." in lines
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize("word", ["q", "quit", "exit"])
def test_a_puzzle_can_be_left(word: str) -> None:
    lines: list[str] = []
    day = date(2026, 12, 24)
    answers = iter(("nonsense", word))
    assert show("parade", puzzles("parade").of(day), day, lambda _: next(answers), lines.append) == 0
    assert lines[-1].endswith(", or quit.")


def test_without_an_answer_no_solution_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: Shown) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["puzzles"]) == 0
    shown = capsys.readouterr().out
    today = datetime.now(UTC).date()
    assert any(game(name).info.title in shown for name in GAMES)
    assert str(today.year) in shown
    assert "best." not in shown


# The file


def test_an_unusable_file_says_why(monkeypatch: pytest.MonkeyPatch, capsys: Shown) -> None:
    found = puzzles("parade")
    for body, why in (
        (b"\xff", "puzzles.json of parade can't be used"),
        (b"{}", "missing required field"),
        (dump(msgspec.structs.replace(found, rules=99)).encode(), "version 99 of its rules"),
        (dump(msgspec.structs.replace(found, game="chess")).encode(), "about 'chess'"),
        (dump(found).replace('"stars": ', '"stars": 9').encode(), "<= 5"),
    ):
        with pytest.raises(FileProblem, match="wonderland puzzles make parade makes it anew") as error:
            FILE.read(body, "parade")
        assert why in str(error.value)
    monkeypatch.setattr("wonderland.features.puzzles.model.FILE.name", "no-such-file.json")
    assert "wonderland puzzles make parade finds some" in error_of(capsys, "parade")

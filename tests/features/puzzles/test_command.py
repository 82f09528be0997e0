"""The command `puzzles`: it makes files, asks puzzles in the terminal, and says what is wrong."""

from __future__ import annotations

import io
import signal
from collections.abc import Iterator
from datetime import UTC, date, datetime
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from wonderland.bots.evaluation import recalled_view
from wonderland.bots.puzzle import Puzzle, PuzzleChoice, PuzzleStep, Question, name_of
from wonderland.cli import main
from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.components.formatting import percent
from wonderland.components.heuristics import heuristics_of
from wonderland.components.themes import find_themes, themes_of
from wonderland.engine import FileProblem, Match, Seeded, game, game_names, registry
from wonderland.engine.language import ENGLISH
from wonderland.engine.match import seats_to_act
from wonderland.features.puzzles.candidates import candidate_at
from wonderland.features.puzzles.command import _find_puzzles, show
from wonderland.features.puzzles.finder import Finder, Found, assemble, made_with
from wonderland.features.puzzles.model import FILE, Puzzles, dump, games_with_puzzles, puzzles
from wonderland.features.puzzles.progress import load_progress
from wonderland.lab.executors import ThreadExecutor

GAMES = game_names()
Shown = pytest.CaptureFixture[str]
ANY_ANSWER = "".join(f"{number}\n" for number in range(1, 28)) * 2
"""One of them is a choice, wherever one is asked for."""


@pytest.fixture(autouse=True)
def _own_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


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
        (["parade", "--date", "tomorrow"], "--date must be a date such as"),
        (["parade", "--date", "2026-12-24", "--next"], "can't be combined"),
        (["parade", "--theme", "tea"], "--theme must be one of "),
        (["parade", "--seed", "tea"], "--seed works only with make"),
        (["make"], "needs the name of one game"),
        (["make", "parade", "letters"], "needs the name of one game"),
        (["make", "parade", "--date", "2026-12-24"], "--date can't be combined with make"),
        (["make", "parade", "--next"], "--next can't be combined with make"),
        (["make", "parade", "--number", "0"], "--number must be"),
        (["make", "parade", "--seats", "2,9"], "must be from 2 to 6"),
        (["make", "parade", "--seed", "a cup"], "one word without spaces"),
        (["make", "parade", "--out", "nowhere/it.json"], "the folder doesn't exist"),
    ],
)
def test_invalid_arguments_are_rejected_in_one_sentence(
    words: list[str], said: str, capsys: Shown
) -> None:
    assert said in error_of(capsys, *words)


def test_make_writes_a_file_that_round_trips(tmp_path: Path, capsys: Shown) -> None:
    path = tmp_path / "found.json"
    asked = ["make", "Letters", "--number=1", "--seats=4", "--seed=t20", "--games=2", "--workers=1"]
    assert main(["puzzles", *asked, "--out", str(path)]) == 0
    found = FILE.read(path.read_bytes(), "letters")
    assert "Letters: 1 puzzle (" in capsys.readouterr().out
    wanted = Finder("letters", (4,), "t20")
    assert found == assemble("letters", list(wanted.found(1, 2)), made_with(wanted, 1, 2))
    again = tmp_path / "again.json"
    assert main([*found.command.split()[1:], "--workers=1", "--out", str(again)]) == 0
    assert again.read_bytes() == path.read_bytes()
    capsys.readouterr()
    assert "already exists" in error_of(capsys, *asked, "--out", str(path))


def test_nothing_is_written_if_no_puzzle_is_found(tmp_path: Path, capsys: Shown) -> None:
    path = tmp_path / "found.json"
    asked = ["puzzles", "make", "letters", "--seats=2", "--games=1", "--workers=1", "--out", str(path)]
    assert main(asked) == 1
    assert capsys.readouterr().err.startswith("No puzzles found in 1 game.")
    assert not path.exists()


def test_ctrl_c_keeps_the_puzzles_found_so_far() -> None:
    first = Found(puzzles("cookies").puzzles[0], (0,), is_simple=False)

    def interrupted(*_: Any) -> Iterator[Found]:
        yield first
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("it has ended before")

    wanted: Any = SimpleNamespace(found=interrupted)
    assert _find_puzzles(wanted, 2, 9, ThreadExecutor(1), ENGLISH) == ([first], True)


@pytest.mark.parametrize("name", GAMES)
def test_the_puzzle_of_the_day_is_asked_and_answered(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Shown
) -> None:
    stock = puzzles(name)
    day = next(
        each
        for each in (date.fromordinal(date(2026, 12, 24).toordinal() + n) for n in range(99))
        if len(stock.of(each).steps) == 1
    )
    puzzle = stock.of(day)
    solution = puzzle.steps[0].solutions[0]
    monkeypatch.setattr("sys.stdin", io.StringIO(f"nonsense\n{solution}\n"))
    assert main(["puzzles", name, "--date", day.isoformat()]) == 0
    shown = capsys.readouterr().out
    assert f"Difficulty: {puzzle.stars} of 5" in shown
    asked, answered = shown.split("'nonsense' isn't one of the choices. Type ")
    assert "%" not in asked
    assert "That's the best move." in answered
    question = Question(name, puzzle)
    assert percent(question.best.chance, ENGLISH, 0) in answered
    assert question.missed_by is not None
    assert question.missed_by.says in " ".join(answered.split())
    assert "Puzzle rating: " in answered
    assert "Solved first time: 1 of 1" in answered
    own = load_progress(tmp_path / "data" / "wonderland" / "puzzles.json")[name]
    assert own.first == {puzzle.id: 1}
    lines: list[str] = []
    tempting = game(name).write(question.tempting().action)
    show(name, puzzle, day, lambda _: tempting, lines.append)
    assert "There's a better move." in lines
    for code in LANGUAGES:
        show(name, puzzle, day, lambda _: tempting, lines.append, say=load_language(code))
    assert [line for line in lines if cell_len(line) > 80] == []


def test_a_puzzle_of_two_steps_is_asked_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    name, puzzle = puzzle_of_two_steps()
    first, second = (step.solutions[0] for step in puzzle.steps)
    wrong = next(each.action for each in puzzle.steps[1].options if each.action != second)
    for answers, solved in (((first, second), True), ((first, wrong), False), ((first, "quit"), None)):
        given, lines = iter(answers), list[str]()
        assert show(name, puzzle, None, lambda _, given=given: next(given), lines.append) is solved
        assert "Well played. The game goes on: what is best now?" in lines
        for event in Question(name, puzzle, 1).events:
            assert type(event).__name__


def puzzle_of_two_steps() -> tuple[str, Puzzle]:
    """A shipped puzzle with two steps."""
    return next(
        (name, puzzle) for name in GAMES for puzzle in puzzles(name).puzzles if len(puzzle.steps) > 1
    )


def test_the_next_puzzle_is_an_open_one_with_the_theme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Shown
) -> None:
    theme = next(iter(puzzles("letters").themes))
    for number in range(1, 4):
        monkeypatch.setattr("sys.stdin", io.StringIO(ANY_ANSWER))
        assert main(["puzzles", "letters", "--next", "--theme", theme]) == 0
        own = load_progress(tmp_path / "data" / "wonderland" / "puzzles.json")["letters"]
        assert len(own.first) == number
        assert own.row.day == 0
        for each in own.first:
            assert theme in getattr(puzzles("letters").called(each), "themes", ())
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("sys.stdin", io.StringIO(ANY_ANSWER))
    capsys.readouterr()
    assert main(["puzzles", "letters", "--next"]) == 0
    assert "can't be saved" in capsys.readouterr().err


def test_days_in_a_row_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Shown) -> None:
    today, stock = datetime.now(UTC).date(), puzzles("cookies")
    path = tmp_path / "data" / "wonderland" / "puzzles.json"
    path.parent.mkdir(parents=True)
    row = {"day": today.toordinal() - 1, "length": 4}
    path.write_bytes(msgspec.json.encode({"cookies": {"first": {"another": 1}, "row": row}}))
    answers = "".join(f"{step.solutions[0]}\n" for step in stock.of(today).steps)
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    assert main(["puzzles", "cookies"]) == 0
    shown = capsys.readouterr().out
    if datetime.now(UTC).date() == today:
        assert "Days in a row: 5" in shown


@pytest.mark.parametrize("word", ["q", "quit", "exit"])
def test_a_puzzle_can_be_left(word: str) -> None:
    lines: list[str] = []
    day = date(2026, 12, 24)
    answers = iter(("nonsense", word))
    puzzle = puzzles("parade").of(day)
    assert show("parade", puzzle, day, lambda _: next(answers), lines.append) is None
    assert lines[-1].endswith(", or quit.")


def test_without_an_answer_no_solution_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: Shown) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["puzzles"]) == 0
    shown = capsys.readouterr().out
    today = datetime.now(UTC).date()
    assert any(game(name).info.title in shown for name in GAMES)
    assert str(today.year) in shown
    assert "That's the best move." not in shown


# Games without parts, and unusable files


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


def test_a_game_needs_a_heuristic_but_no_editor_and_no_themes(march: str, capsys: Shown) -> None:
    assert heuristics_of(march) == ()
    assert "March has no rules of thumb" in error_of(capsys, "make", march, "--out", "new.json")
    assert "There are no puzzles for " in error_of(capsys, march)
    assert march not in games_with_puzzles()
    match: Any = Match(game(march), 2, chance=Seeded("tea"))
    (seat,) = seats_to_act(match.turn)
    seen = candidate_at(march, match, seat)
    assert seen is not None
    assert seen.state != match.state, "other hands are sampled"
    assert recalled_view(game(march), game(march).read_position(seen.position), seat) == match.view(seat)
    assert themes_of(march) == ()
    assert find_themes(march, seen.view, seen.legal, seen.legal[0], seen.legal[1]) == ()
    options = tuple(PuzzleChoice(game(march).write(action), 0.5, 0.1) for action in seen.legal)
    step = PuzzleStep(options, (options[0].action,))
    asked = Question(march, Puzzle("tea", 2, seat, seen.position, (step,)))
    assert asked.missed_by is None
    assert asked.tempting().action == seen.legal[1]


def test_an_unusable_file_says_why(monkeypatch: pytest.MonkeyPatch, capsys: Shown) -> None:
    found = puzzles("parade").stored
    (row, *_) = found.rows
    for body, why in (
        (b"\xff", "puzzles.json for Parade can't be used"),
        (b"{}", "missing required field"),
        (dump(replace(found, rules=99)).encode(), "version 99 of its rules"),
        (dump(replace(found, game="chess")).encode(), "for 'chess'"),
        (dump(replace(found, rows=(replace(row, seat=-1),))).encode(), ">= 0"),
        (dump(replace(found, rows=())).encode(), "length >= 1"),
    ):
        with pytest.raises(FileProblem, match="run: wonderland puzzles make parade") as error:
            FILE.read(body, "parade")
        assert why in str(error.value)
    monkeypatch.setattr("wonderland.features.puzzles.model.FILE.name", "no-such-file.json")
    assert "run: wonderland puzzles make parade" in error_of(capsys, "parade")


def test_a_puzzle_is_the_same_after_it_was_stored() -> None:
    for name in GAMES:
        stored = puzzles(name).stored
        found = [
            Found(puzzle, row.tries, is_simple=False)
            for puzzle, row in zip(Puzzles(stored).puzzles, stored.rows, strict=True)
        ]
        assert assemble(name, found[::-1], stored.command) == stored
        assert [name_of(name, row.seat, row.position) for row in stored.rows] == [
            each.puzzle.id for each in found
        ]

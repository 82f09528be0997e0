"""The puzzle pages: the question, no premature solution, the answer, and themes."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import date
from pathlib import Path
from urllib.parse import quote

import pytest

from campaigns.raw_clients import Answer, Http, site_in
from support.html import HtmlChecker
from support.pseudo_locale import CODE, install_pseudo_language, untranslated
from wonderland.bots.puzzle import Puzzle, Question
from wonderland.components.formatting import percent
from wonderland.components.themes import themes_of
from wonderland.components.words import words_of
from wonderland.engine.language import ENGLISH
from wonderland.engine.registry import game, game_names
from wonderland.features.puzzles import pages
from wonderland.features.puzzles.model import puzzles

DAY = date(2026, 12, 24)
SOLVING = ("data-best", "data-solved", "data-option", "bar-of-chance", "rule of thumb", "finds it")
"""What only the page of an answer contains."""


def request_pages(folder: Path, *paths: str) -> list[Answer]:
    async def ask() -> list[Answer]:
        async with site_in(folder, limited=False) as here:
            http = Http(here.port)
            return [await http.ask("GET", path, None, {"Accept": "text/html"}) for path in paths]

    return asyncio.run(ask())


def text_of(answer: Answer) -> str:
    assert answer.status == 200
    return answer.body.decode()


def puzzle_of_steps(name: str, number: int) -> Puzzle | None:
    """A shipped puzzle with this number of steps."""
    return next((each for each in puzzles(name).puzzles if len(each.steps) == number), None)


def test_the_puzzle_of_the_day_is_shown_without_its_solution(tmp_path: Path) -> None:
    found = {name: puzzles(name).of(DAY) for name in game_names()}
    paths = [f"/puzzles/{name}?date={DAY}" for name in found]
    certain = [f"/puzzles/{name}/{puzzle.id}" for name, puzzle in found.items()]
    answers = request_pages(tmp_path, *paths, *certain)
    for name, by_day, by_id in zip(found, answers, answers[len(paths) :], strict=False):
        assert by_day.body == by_id.body
        page, puzzle = text_of(by_day), found[name]
        assert HtmlChecker(page).wrong == []
        plays = {it["data-play"] for it in HtmlChecker(page).buttons if "data-play" in it}
        assert plays == {option.action for option in puzzle.steps[0].options}
        assert f"Difficulty: {puzzle.stars} of 5" in page
        assert puzzle.position not in page
        for told in SOLVING:
            assert told not in page
        for neighbour in puzzles(name).beside(puzzle):
            assert f'href="/puzzles/{name}/{neighbour.id}"' in page


def test_an_answer_shows_the_value_of_every_choice_and_the_reason(tmp_path: Path) -> None:
    for name in game_names():
        puzzle = puzzle_of_steps(name, 1)
        assert puzzle is not None
        asked = Question(name, puzzle)
        tempting = game(name).write(asked.tempting().action)
        home = f"/puzzles/{name}/{puzzle.id}?choice="
        solution = asked.step.solutions[0]
        right, wrong = map(
            text_of, request_pages(tmp_path, home + quote(solution), home + quote(tempting))
        )
        assert 'data-solved="1"' in right
        assert 'data-solved="0"' in wrong
        for page in (right, wrong):
            assert HtmlChecker(page).wrong == []
            listed = re.findall(r'data-option="([^"]+)"', page)
            chances = [asked.judgement.of(game(name).read(word)).chance for word in listed]
            assert chances == sorted(chances, reverse=True)
            assert sorted(listed) == sorted(option.action for option in asked.step.options)
            shown = re.findall(r"<b>(\d+%)</b>", page)
            assert shown == [percent(chance, ENGLISH, 0) for chance in chances]
            assert asked.missed_by is not None
            assert f"fails here: {asked.missed_by.says}" in page
            assert re.search(r'<p class="why">[^<]{10,}</p>', page)
            offer = words_of(name).describe_action(asked.view, asked.best.action, ENGLISH)
            assert ENGLISH.capital(offer) in page
            assert f'href="/position/{name}?position={puzzle.position.split()[0]}' in page
            assert f'data-rating="{puzzle.rating}"' in page


def test_a_second_step_is_asked_after_the_first_is_solved(tmp_path: Path) -> None:
    name, puzzle = next(
        (name, found) for name in game_names() if (found := puzzle_of_steps(name, 2)) is not None
    )
    first, second = puzzle.steps
    home = f"/puzzles/{name}/{puzzle.id}?choice={quote(first.solutions[0])}"
    miss = next(each.action for each in first.options if each.action not in first.solutions)
    then, solved, missed, impossible, beyond = request_pages(
        tmp_path,
        home,
        f"{home}&choice={quote(second.solutions[0])}",
        f"/puzzles/{name}/{puzzle.id}?choice={quote(miss)}",
        f"/puzzles/{name}/{puzzle.id}?choice={quote(miss)}&choice={quote(second.solutions[0])}",
        f"{home}&choice={quote(second.solutions[0])}&choice={quote(second.solutions[0])}",
    )
    page = text_of(then)
    plays = {it["data-play"] for it in HtmlChecker(page).buttons if "data-play" in it}
    assert plays == {option.action for option in second.options}
    assert 'class="happened"' in page
    for told in SOLVING:
        assert told not in page
    assert f'data-answer="{home.replace("&", "&amp;")}&amp;choice="' in page
    assert 'data-solved="1"' in text_of(solved)
    assert 'data-solved="0"' in text_of(missed)
    assert impossible.status == beyond.status == 400


def test_a_theme_limits_what_comes_next(tmp_path: Path) -> None:
    for name in game_names():
        stock = puzzles(name)
        theme = next(iter(stock.themes))
        known = {each.id for each in stock.about(theme)}
        page, listed, everything = request_pages(
            tmp_path,
            f"/puzzles/{name}?theme={theme}",
            f"/puzzles/{name}/stock?theme={theme}",
            f"/puzzles/{name}/stock",
        )
        assert {puzzle_id for puzzle_id, _ in json.loads(listed.body)} == known
        assert dict(json.loads(everything.body)) == {each.id: each.rating for each in stock.puzzles}
        followed = re.findall(rf'href="/puzzles/{name}/(\w+)\?theme={theme}"', text_of(page))
        assert len(followed) == 2
        assert set(followed) <= known
        for title in (each.title for each in themes_of(name) if each.key in stock.themes):
            assert title.replace("'", "&#39;") in text_of(page)
        other = next((each for each in stock.puzzles if theme not in each.themes), None)
        if other is not None:
            (page,) = request_pages(tmp_path, f"/puzzles/{name}/{other.id}?theme={theme}")
            assert "data-theme" not in text_of(page)


def test_missing_puzzles_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = puzzles("parade").puzzles[0]
    said = {
        "/puzzles/chess": (404, "don&#39;t have that game"),
        "/puzzles/parade/nobody": (404, "puzzle doesn&#39;t exist"),
        "/puzzles/parade?date=tomorrow": (400, "2026-12-24"),
        "/puzzles/parade?theme=tea": (404, "no puzzles with this theme"),
        f"/puzzles/parade/{first.id}?choice=XX": (400, "play that in this puzzle"),
    }
    for answer, (status, text) in zip(request_pages(tmp_path, *said), said.values(), strict=True):
        assert answer.status == status
        assert text in answer.body.decode()
    monkeypatch.setattr("wonderland.features.puzzles.model.FILE.name", "no-such-file.json")
    pages._known.cache_clear()
    (answer,) = request_pages(tmp_path, "/puzzles/parade")
    assert answer.status == 404
    assert "no puzzles for Parade yet" in answer.body.decode()
    assert "wonderland puzzles" not in answer.body.decode()


def test_all_visible_text_is_in_a_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_pseudo_language(monkeypatch)
    for name in game_names():
        for number in (1, 2):
            puzzle = puzzle_of_steps(name, number)
            if puzzle is None:
                continue
            home, paths = f"/puzzles/{name}/{puzzle.id}?lang={CODE}", list[str]()
            for step in puzzle.steps:
                paths.append(home)
                home += f"&choice={quote(step.solutions[0])}"
            for answer in request_pages(tmp_path, *paths, home):
                assert untranslated(text_of(answer)) == []

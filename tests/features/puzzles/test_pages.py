"""The puzzle pages: the question, no premature solution, and the answer."""

from __future__ import annotations

import asyncio
import re
from datetime import date
from pathlib import Path
from urllib.parse import quote

import pytest

from campaigns.raw_clients import Answer, Http, site_in
from support.html import HtmlChecker
from support.pseudo_locale import CODE, install_pseudo_language, untranslated
from wonderland.components.words import words_of
from wonderland.engine.language import ENGLISH
from wonderland.engine.registry import game, game_names
from wonderland.features.puzzles import pages
from wonderland.features.puzzles.model import Position, puzzles

DAY = date(2026, 12, 24)


def request_pages(folder: Path, *paths: str) -> list[Answer]:
    async def ask() -> list[Answer]:
        async with site_in(folder, limited=False) as here:
            http = Http(here.port)
            return [await http.ask("GET", path, None, {"Accept": "text/html"}) for path in paths]

    return asyncio.run(ask())


def text_of(answer: Answer) -> str:
    assert answer.status == 200
    return answer.body.decode()


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
        assert plays == {option.action for option in puzzle.options}
        assert f"Hardness: {puzzle.stars} of 5" in page
        assert puzzle.position not in page
        for told in (
            "data-best",
            "data-solved",
            "data-option",
            "bar-of-chance",
            "rule of thumb",
            "finds it",
        ):
            assert told not in page
        for neighbour in puzzles(name).beside(puzzle):
            assert f'href="/puzzles/{name}/{neighbour.id}"' in page


def test_an_answer_shows_the_value_of_every_choice_and_the_reason(tmp_path: Path) -> None:
    for name in game_names():
        puzzle = puzzles(name).of(DAY)
        position = Position(name, puzzle)
        tempting = game(name).write(position.tempting().action)
        home = f"/puzzles/{name}/{puzzle.id}?choice="
        right, wrong = map(
            text_of, request_pages(tmp_path, home + quote(puzzle.solutions[0]), home + quote(tempting))
        )
        assert 'data-solved="1"' in right
        assert 'data-solved="0"' in wrong
        assert "That is best." in right
        assert "There is something better." in wrong
        for page in (right, wrong):
            assert HtmlChecker(page).wrong == []
            listed = re.findall(r'data-option="([^"]+)"', page)
            chances = [position.judgement.of(game(name).read(word)).chance for word in listed]
            assert chances == sorted(chances, reverse=True)
            assert sorted(listed) == sorted(option.action for option in puzzle.options)
            shown = [int(number) for number in re.findall(r"<b>(\d+) %</b>", page)]
            assert shown == [round(100 * chance) for chance in chances]
            assert f"fails here: {position.missed_by.says}" in page
            assert re.search(r'<p class="why">[^<]{10,}</p>', page)
            offer = words_of(name).offer(position.view, position.best.action, ENGLISH)
            assert ENGLISH.capital(offer) in page
            assert f'href="/position/{name}?position={puzzle.position.split()[0]}' in page


def test_missing_puzzles_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = puzzles("parade").puzzles[0]
    said = {
        "/puzzles/chess": (404, "no such game"),
        "/puzzles/parade/nobody": (404, "no such puzzle"),
        "/puzzles/parade?date=tomorrow": (400, "written as 2026-12-24"),
        f"/puzzles/parade/{first.id}?choice=XX": (400, "can&#39;t be played in this puzzle"),
    }
    for answer, (status, text) in zip(request_pages(tmp_path, *said), said.values(), strict=True):
        assert answer.status == status
        assert text in answer.body.decode()
    monkeypatch.setattr("wonderland.features.puzzles.model.FILE.name", "no-such-file.json")
    pages._known.cache_clear()
    (answer,) = request_pages(tmp_path, "/puzzles/parade")
    assert answer.status == 404
    assert "no puzzles for parade yet" in answer.body.decode()


def test_all_visible_text_is_in_a_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_pseudo_language(monkeypatch)
    for name in game_names():
        puzzle = puzzles(name).of(DAY)
        home = f"/puzzles/{name}/{puzzle.id}?lang={CODE}"
        for answer in request_pages(tmp_path, home, f"{home}&choice={quote(puzzle.solutions[0])}"):
            assert untranslated(text_of(answer)) == []

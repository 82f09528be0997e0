"""Score pads over HTTP: a page for every game, the service worker, and the manifest."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path

import pytest

from campaigns.raw_clients import Answer, Http, site_in
from support.permissions import ROLES, cookie
from support.pseudo_locale import CODE, install_pseudo_language, untranslated
from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.engine.registry import game, game_names
from wonderland.games.cookies.rules.components import large_cookies
from wonderland.games.cookies.ui import score_pad as cookies
from wonderland.games.parade.rules.components import DECK
from wonderland.games.parade.ui import score_pad as parade
from wonderland.web.assets import release

PADS = [f"/score/{name}" for name in game_names()]
ROUTES = [*PADS, "/score/worker.js", *(f"{path}/manifest" for path in PADS)]


def responses_to(
    folder: Path, paths: list[str], who: Sequence[str] = ("",), accepted: str = "en"
) -> list[Answer]:
    """Return the responses to clients with these cookies, in order."""

    async def ask() -> list[Answer]:
        found = []
        async with site_in(folder, limited=False) as here:
            for each in who:
                http = Http(here.port, each)
                headers = {"Accept-Language": accepted, "Accept": "text/html"}
                found += [await http.ask("GET", path, headers=headers) for path in paths]
                await http.close()
        return found

    return asyncio.run(ask())


def cached_files(worker: Answer) -> dict[str, list[str]]:
    """Return the files that the service worker caches."""
    found = re.match(rb"const KEPT = (.*);\n", worker.body)
    assert found is not None
    return dict(json.loads(found[1]))


def test_everyone_gets_the_same_page_without_a_cookie(tmp_path: Path) -> None:
    found = responses_to(tmp_path, ROUTES, [cookie(role) for role in ROLES])
    assert {answer.status for answer in found} == {200}
    assert {answer.cookie for answer in found} == {""}
    assert len(found) == len(ROUTES) * len(ROLES)
    assert {answer.body for answer in found} == {answer.body for answer in found[: len(ROUTES)]}


def test_all_visible_text_is_in_a_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_pseudo_language(monkeypatch)
    for answer in responses_to(tmp_path, PADS, accepted=CODE):
        assert answer.header("content-language") == CODE
        assert untranslated(answer.body.decode()) == []


def test_a_page_has_words_for_every_plural_form(tmp_path: Path) -> None:
    (answer,) = responses_to(tmp_path, PADS[:1], accepted="pl")
    found = re.findall(r'data-counted-(\d)="([^"]*)"', answer.body.decode())
    assert [number for number, _ in found] == ["1", "2", "5"]
    assert all({"{name}", "{what}", "{number}"} == set(re.findall(r"{\w+}", text)) for _, text in found)


def test_an_unknown_game_has_no_pad(tmp_path: Path) -> None:
    for answer in responses_to(tmp_path, ["/score/chess", "/score/chess/manifest"]):
        assert answer.status == 404
        assert "We don't have that game here." in unescape(answer.body.decode())


def test_the_service_worker_caches_exactly_what_the_pads_need(tmp_path: Path) -> None:
    worker, *pages = responses_to(tmp_path, ["/score/worker.js", *PADS])
    told = cached_files(worker)
    assert told["release"] == release()
    assert told["pages"] == PADS
    files = set(told["files"])
    for page in pages:
        assert set(re.findall(r'"(/static/[^"]+)"', page.body.decode())) <= files
    for answer in responses_to(tmp_path, sorted(files)):
        assert answer.status == 200
        assert not re.search(rb"/tables/|/api/", answer.body), "a pad requests no table"


def test_imported_modules_are_cached(tmp_path: Path) -> None:
    (worker,) = responses_to(tmp_path, ["/score/worker.js"])
    files = {path.rpartition("/")[2]: path for path in cached_files(worker)["files"]}
    modules = [path for name, path in files.items() if name.endswith(".js")]
    assert len(modules) >= 5
    for answer in responses_to(tmp_path, modules):
        assert set(re.findall(r'from "\./([^"]+)"', answer.body.decode())) <= set(files)


def test_security_policies_allow_the_service_worker(tmp_path: Path) -> None:
    worker, page = responses_to(tmp_path, ["/score/worker.js", PADS[0]])
    assert worker.header("content-type") == "text/javascript; charset=utf-8"
    assert "connect-src 'self'" in (worker.header("content-security-policy") or "")
    assert worker.header("cache-control") == "no-cache"
    policy = page.header("content-security-policy") or ""
    assert "worker-src 'self'" in policy
    assert "manifest-src 'self'" in policy
    assert "unsafe" not in policy
    assert page.header("cache-control") == "no-store"


def test_the_manifest_says_where_the_pad_starts(tmp_path: Path) -> None:
    for name, answer in zip(
        game_names(), responses_to(tmp_path, [f"{path}/manifest" for path in PADS]), strict=True
    ):
        told = json.loads(answer.body)
        assert answer.header("content-type") == "application/manifest+json"
        assert told["start_url"] == f"/score/{name}"
        assert told["start_url"].startswith(told["scope"])
        assert told["short_name"] == game(name).info.title


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_card_and_every_cookie_can_be_entered(code: str) -> None:
    say = load_language(code)
    cards = [card for colour in parade.pad(say)["colours"] for card in colour["cards"]]
    assert [card["number"] for card in cards] == list(DECK)
    assert len({card["name"] for card in cards}) == len(DECK)
    found = cookies.pad(say)
    values = [kind["value"] for kind in found["kinds"]]
    for seats, of_each in zip(game("cookies").info.seats, found["of_each"], strict=True):
        assert sorted(value for value in values[:-1] for _ in range(of_each)) == list(
            large_cookies(seats)
        )

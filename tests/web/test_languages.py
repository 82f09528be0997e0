"""Languages in the browser: all visible text is in a catalogue, and visitors get the one they want."""

from __future__ import annotations

import ast
import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from campaigns.indistinguishable_plays import Setting, device, opening, random_play, settings
from campaigns.indistinguishable_plays import _entries as log_of
from campaigns.raw_clients import KEY, Http, Socket, site_in
from support.paths import ROOT
from support.pseudo_locale import (
    CODE,
    install_pseudo_language,
    pseudo_language,
    untranslated,
    words_outside_brackets,
)
from wonderland.bots import levels
from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.components.tutorial import tutorial_of
from wonderland.components.words import words_of
from wonderland.engine.protocol import CHANCE
from wonderland.engine.registry import game_names
from wonderland.tables import entries as log
from wonderland.tables.handlers import hash_secret
from wonderland.tables.seats import title_of
from wonderland.tables.storage.interface import StoredEntry
from wonderland.tables.table import Table
from wonderland.web.rendering import names_of
from wonderland.web.table_page import PageFormat, TablePage
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

pytestmark = pytest.mark.slow

SOURCE = ROOT / "src" / "wonderland"
NAMES = ("Alice", "Bill", "Dinah", "Caterpillar", "Duchess", "Gryphon")
IN_XX = {"Accept-Language": f"{CODE}, en;q=0.5"}


def test_the_check_finds_an_untranslated_text() -> None:
    assert untranslated("<p>⟦⟦Red⟧ 3 takes {x}⟧: Alice, 3 (+2)</p>") == []
    assert untranslated('<p>⟦Rot⟧ and</p><b title="Green">G</b>') == ["⟦Rot⟧ and", "Green"]
    assert untranslated('<i data-lost="Gone away" data-marks="R3:taken G1:safe"></i>') == ["Gone away"]
    assert pseudo_language()("no such text") == "no such text"


@pytest.mark.parametrize("name", game_names())
def test_all_text_of_a_game_is_in_its_catalogue(name: str) -> None:
    """Whole games with every option: all events as a viewer witnessed them, and all choices."""
    words, say = words_of(name), pseudo_language()
    describe_past = getattr(words, "describe_past_event", words.describe_event)
    for setting in settings(name):
        rng = random.Random(str(setting))
        match = random_play(setting, rng)
        viewer = rng.choice([None, *range(setting.seats)])
        view = match.view(viewer)
        for event in match.events_seen_by(viewer):
            given = (
                (event, view, NAMES, say)
                if describe_past is not words.describe_event
                else (event, NAMES, say)
            )
            for told in (words.describe_event(event, NAMES, say), describe_past(*given)):
                assert told is None or not words_outside_brackets(told), told
        for state, move in match.record.states():
            if move is not None and move.actor is not CHANCE and rng.random() < 0.3:
                seen = match.game.view(state, move.actor)
                for action in match.game.legal(state, move.actor):
                    assert not words_outside_brackets(words.describe_action(seen, action, say))


def tables(setting: Setting, seed: int, *, is_tutorial: bool = False) -> Iterator[Table]:
    """Yield a table in all its states, with bots on all seats but the first two."""
    match = random_play(setting, random.Random(seed))
    table: Table | None = None
    level = levels(setting.game)[1].word
    for _, entry in log_of(setting, f"xx{seed}", match.game, match.moves, KEY):
        body = entry.body
        happening = log.read_entry(body)
        if isinstance(happening, log.Sat) and happening.seat > 1:
            body = log.written(log.BotSat(happening.seat, level))
        if isinstance(happening, log.Opened):
            body = log.written(log.changed(happening, is_tutorial=is_tutorial, hints=True))
        fresh = StoredEntry(entry.table, entry.n, entry.time, body)
        table = Table(fresh) if table is None else table.after(fresh)
        yield table


def render_all(table: Table, seat: int | None) -> str:
    """Return everything a viewer is shown of a table, including its title and overlays."""
    page = TablePage(table, seat, hash_secret(device(table.id, seat)), pseudo_language()).page()
    return f"<title>{page.title}</title>{page.curtain}{''.join(page.html.values())}"


@pytest.mark.parametrize("name", game_names())
def test_all_rendered_text_of_a_game_is_in_a_catalogue(name: str) -> None:
    """Every option: some moments of each game, for a player or a spectator."""
    for number, setting in enumerate(settings(name)):
        found = list(tables(setting, number))
        rng = random.Random(number)
        for table in [*rng.sample(found, 2), found[-1]]:
            for seat in {None, rng.randrange(setting.seats)}:
                assert untranslated(render_all(table, seat)) == []


@pytest.mark.parametrize("name", game_names())
def test_whole_games_are_translated_for_everyone(name: str) -> None:
    smallest = settings(name)[0]
    for is_tutorial in (False, tutorial_of(name) is not None):
        for table in tables(smallest, 7, is_tutorial=is_tutorial):
            for seat in (None, 0, 1):
                assert untranslated(render_all(table, seat)) == []


def test_events_besides_moves_are_translated() -> None:
    playing = next(t for t in tables(Setting("parade", 3, {}), 3) if t.status == "playing")
    host = hash_secret(device(playing.id, 0))
    for happenings in (
        [log.Proposed(0, "undo", 1)],
        [log.Proposed(0, "bot", 1, "hatter")],
        [log.HandedOver(1, "hatter", "left")],
        [log.HandedOver(1, "hatter", "left"), log.TakenBack(1)],
        [log.Silenced(off=True), log.Said(1, "well played")],
        [log.Linked(1, hash_secret("x")), log.Claimed(1, host)],  # two seats at one screen
    ):
        table = playing
        for happening in happenings:
            entry = StoredEntry(table.id, table.version + 1, table.time + 1, log.written(happening))
            table = table.after(entry)
        for seat in (None, 0, 1):
            assert untranslated(render_all(table, seat)) == []


def test_bots_have_translated_names_and_people_keep_theirs() -> None:
    table = [*tables(Setting("parade", 6, {}), 1)][8]
    title = title_of(levels("parade")[1].word, 1)
    assert names_of(table, pseudo_language()) == [
        "Alice", "Bill", f"⟦{title}⟧", *(f"⟦{title}⟧ {number}" for number in (2, 3, 4))
    ]  # fmt: skip
    assert names_of(table, load_language("en")) == [place.name for place in table.places]


PATHS = [
    "/position/parade",
    "/",
    "/offline",
    "/find",
    "/find?rated=yes",
    "/nowhere",
    "/tables/nowhere",
    "/rules/chess",
    "/learn/chess",
    *(f"/{kind}/{name}" for name in game_names() for kind in ("rules", "learn", "insights")),
]


def test_all_pages_are_translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The home page with all kinds of tables, a lobby for all visitors, rules, problems."""
    install_pseudo_language(monkeypatch)

    async def look() -> None:
        async with site_in(tmp_path, limited=False) as here:
            http = Http(here.port)
            for name in game_names():
                wish = {"game": name, "seats": 2, "access": "open"}
                laid = await http.ask("POST", "/api/tables", wish)
                http.cookie = http.cookie or laid.cookie
                await Http(here.port).ask("POST", "/api/tables", wish)
                sit = {"do": "sit", "at": 0, "key": "sitsitsit", "name": "Alice", "seat": 0}
                at = f"/api/tables/{laid.json()['table']}/commands"
                await http.ask("POST", at, sit | {"contribution": "ab" * 16})
                bot = {"do": "seatbot", "at": 1, "key": "botbotbot", "seat": 1, "level": "dodo"}
                for more in ([], [bot], [{"do": "start", "at": 2, "key": "startstart"}]):
                    for command in more:
                        assert (await http.ask("POST", at, command)).status == 200
                    for who in (http, Http(here.port)):
                        for path in ("/", f"/tables/{laid.json()['table']}"):
                            await _check(who, path)
            for path in PATHS:
                await _check(http, path)
            await http.close()

    asyncio.run(look())


async def _check(http: Http, path: str) -> None:
    answer = await http.ask("GET", path, headers={**IN_XX, "Accept": "text/html"})
    assert answer.header("content-language") == CODE, path
    assert untranslated(answer.body.decode()) == [], path
    assert "⟦" in answer.body.decode()


def test_refusals_are_in_the_pages_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_pseudo_language(monkeypatch)
    start = {"do": "start", "at": 0, "key": "startstart"}

    async def ask() -> None:
        async with site_in(tmp_path, limited=False) as here:
            http = Http(here.port)
            laid = await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})
            http.cookie, table = laid.cookie, laid.json()["table"]
            path = f"/api/tables/{table}/commands"
            sit = {"do": "sit", "at": 0, "key": "sitsitsit", "contribution": "ab" * 16}
            for command in (start, sit | {"name": "a,b"}, sit | {"name": " a"}):
                english = (await http.ask("POST", path, command)).json()["detail"]
                said = (await http.ask("POST", path, command, IN_XX)).json()["detail"]
                assert said.startswith("⟦")
                assert english[:1].isupper()
                assert said.strip("⟦⟧").casefold() == english.casefold()
            for query, opens in (("?form=page", "⟦"), ("", "Only"), (f"?lang={CODE}", "⟦")):
                headers = "".join(f"{name}: {value}\r\n" for name, value in IN_XX.items())
                live = await Socket.open(here.port, table, http.cookie, query, headers)
                live.send(start)
                assert (await live.answer("startstart"))["says"].startswith(opens)
            await http.close()

    asyncio.run(ask())


REPEATED = {"str(error)", "str(failure)", "MEMORY_GAME_NOTE"}
"""What is not written where it is refused: errors of storage and of notation, which are in English."""


def test_every_refusal_is_a_complete_text() -> None:
    """So that it can be found and translated: no text is assembled at the point of refusal."""
    number = 0
    for path in (*SOURCE.glob("tables/*.py"), *SOURCE.glob("web/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refusal":
                text = node.args[1]
                is_whole = isinstance(text, ast.Constant) and isinstance(text.value, str)
                assert is_whole or ast.unparse(text) in REPEATED, f"{path}:{node.lineno}"
                number += 1
    assert number > 50


def test_a_refusal_from_an_error_is_a_sentence() -> None:
    error = Refusal(Code.NAME_REGISTERED, "the name {name} can't be used.", name="x")
    refusal = Refusal.of(Code.INVALID_VALUE, error)
    assert str(refusal) == refusal.said(load_language("en")) == "The name x can't be used."
    assert (
        Refusal(Code.ILLEGAL_ACTION, "left3 is no card.").said(load_language("en"))
        == "left3 is no card."
    )


# Language negotiation


async def _language_and_cookie(http: Http, path: str, **headers: str) -> tuple[str, str]:
    """Return the language of a page, and the cookie set with it."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = await http.ask("GET", path, headers=given)
    assert answer.status in (200, 404)
    assert f'<html lang="{answer.header("content-language")}"' in answer.body.decode()
    return answer.header("content-language") or "", answer.header("set-cookie") or ""


def test_the_browsers_language_is_used_unless_another_is_chosen(tmp_path: Path) -> None:
    async def ask() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            german = {"Accept_Language": "de-AT, en;q=0.5"}
            assert await _language_and_cookie(http, "/") == ("en", "")
            assert await _language_and_cookie(http, "/", **german) == ("de", "")
            assert await _language_and_cookie(http, "/nowhere", Accept="text/html", **german) == (
                "de",
                "",
            )
            code, cookie = await _language_and_cookie(http, "/?lang=pl", **german)
            assert code == "pl"
            assert cookie.startswith("language=pl;")
            assert "SameSite=lax" in cookie
            for cookies, expected in (
                ("language=pl", "pl"),
                ("a=b; language=fr ;x", "fr"),
                ("language=tlh", "de"),
                ("language=../../de", "de"),
                ("language", "de"),
                ("languages=pl", "de"),
            ):
                for path in ("/", "/rules/parade"):
                    assert await _language_and_cookie(http, path, Cookie=cookies, **german) == (
                        expected,
                        "",
                    )
            for nonsense in ("tlh", "", "de%0d%0aSet-Cookie:%20a=b", "x" * 1000, "DE"):
                assert await _language_and_cookie(http, f"/?lang={nonsense}", **german) == ("de", "")
            await http.close()

    asyncio.run(ask())


def test_all_languages_can_be_chosen_on_the_home_page(tmp_path: Path) -> None:
    async def look() -> str:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            body = (await http.ask("GET", "/?lang=fr")).body.decode()
            await http.close()
            return body

    page = asyncio.run(look())
    for code, name in LANGUAGES.items():
        assert f'href="?lang={code}" lang="{code}"' in page
        assert f">{name}</a>" in page
    assert page.count('aria-current="true"') == 1


def test_a_live_table_is_in_the_chosen_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_pseudo_language(monkeypatch)

    async def watch() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            laid = await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})
            table = laid.json()["table"]
            await http.close()
            for headers, is_ours in (
                ("", False),
                (f"Cookie: language={CODE}\r\n", True),
                (f"Accept-Language: {CODE}\r\nCookie: language=en\r\n", False),
                (f"Accept-Language: {CODE}\r\nCookie: language=tlh\r\n", True),
            ):
                live = await Socket.open(here.port, table, "", "?form=page", headers)
                page: Any = await live.message("page")
                assert ("⟦" in page["html"]["status"]) == is_ours
                await live.close()

    asyncio.run(watch())


def test_pages_of_one_table_differ_only_in_language() -> None:
    opened = opening(Setting("letters", 2, {}), "xxlobby", KEY)
    table = Table(StoredEntry("xxlobby", 0, 0, log.written(opened)))
    pages = [
        msgspec.json.decode(PageFormat(say)(table, None, ""))
        for say in (load_language("en"), pseudo_language())
    ]
    for part, text in pages[1]["html"].items():
        assert text.replace("⟦", "").replace("⟧", "") == pages[0]["html"][part]

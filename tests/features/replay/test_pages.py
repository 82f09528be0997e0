"""Replay pages: uploads, and secrecy."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from campaigns.raw_clients import Http, site_in
from support.html import HtmlChecker
from support.permissions import ROLES, STAGES, cookie, create_staged_table, open_site
from support.pseudo_locale import CODE, install_pseudo_language, pseudo_language, untranslated
from support.replays import COOKIES, FILES, LETTERS, NOTED, PARADE, replay_in
from wonderland.engine.record_reader import read_record
from wonderland.features.replay import pages as replays
from wonderland.tables import uploaded_records
from wonderland.tables.storage.documents import RECORDS

pytestmark = pytest.mark.slow

# Uploads


class ReplayClient:
    """A site in this process without rate limits, for synchronous tests."""

    def __init__(self, port: int, site: Any) -> None:
        self.port, self.site = port, site

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        data = None if body is None else json.dumps(body)
        given = headers if body is None else {"Content-Type": "application/json"} | headers
        connection.request(method, path, data, given)
        answer = connection.getresponse()
        found = answer.status, answer.read().decode()
        connection.close()
        return found

    def bring(self, text: str) -> tuple[int, dict[str, Any]]:
        status, found = self.ask("POST", "/api/replays", {"text": text})
        return status, json.loads(found)


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReplayClient]:
    loop, stack = asyncio.new_event_loop(), AsyncExitStack()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def done(work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, loop).result(60)

    here = done(stack.enter_async_context(site_in(tmp_path_factory.mktemp("replays"), limited=False)))
    yield ReplayClient(here.port, here.site)
    done(stack.aclose())
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.mark.parametrize("path", [PARADE, LETTERS, COOKIES, *NOTED], ids=lambda path: path.stem)
def test_an_uploaded_record_can_be_viewed_and_downloaded(door: ReplayClient, path: Path) -> None:
    text = path.read_text()
    status, found = door.bring(text)
    assert status == 201
    name = found["id"]
    assert re.fullmatch(r"[a-z2-7]{16}", name)
    assert door.ask("GET", f"/api/replays/{name}/record") == (200, text)
    noisy = text.replace("\n\n", "\n\n# noted by hand\n").replace(": ", ":   ").replace("\n", "\r\n")
    assert door.bring(noisy) == (201, {"id": name}), "the same game has the same link"
    status, page = door.ask("GET", f"/replay/{name}?at=3&seat=1")
    assert status == 200
    assert HtmlChecker(page.partition("<body")[2].rpartition("</body>")[0].partition(">")[2]).wrong == []
    assert 'value="1" selected' in page
    status, shown = door.ask("GET", f"/api/replays/{name}/page?at=3&seat=1&log=1")
    moment = json.loads(shown)
    assert (status, moment["moves"]) == (200, 3)
    assert all(moment["html"][part] in page for part in ("scene", "news", "status", "log"))


WORDS = [
    "+?",
    "R3",
    "seat2",
    "G3&R5",
    "99",
    "left3/walk",
    "Alice:",
    "#",
    ":",
    "\x00",
    "\n\n",
    "é",
    "\ud800",
]
CHANGE = st.one_of(
    st.tuples(st.just("cut"), st.integers(0, 3000), st.integers(0, 40)),
    st.tuples(st.just("put"), st.integers(0, 3000), st.sampled_from(WORDS) | st.text(max_size=5)),
    st.tuples(st.just("swap"), st.integers(0, 60), st.integers(0, 60)),
)


def corrupt(text: str, changes: list[tuple[Any, ...]]) -> str:
    for kind, where, what in changes:
        if kind == "swap":
            lines = text.split("\n")
            one, other = where % len(lines), what % len(lines)
            lines[one], lines[other] = lines[other], lines[one]
            text = "\n".join(lines)
        else:
            place = where % (len(text) + 1)
            more, gone = ("", what) if kind == "cut" else (what, 0)
            text = text[:place] + more + text[place + gone :]
    return text


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(path=st.sampled_from(FILES), changes=st.lists(CHANGE, min_size=1, max_size=4))
@example(PARADE, [("cut", 0, 100_000)])
@example(PARADE, [("put", 0, "\ud800")])
def test_an_invalid_record_is_explained_with_its_place(
    door: ReplayClient, path: Path, changes: list[tuple[Any, ...]]
) -> None:
    text = corrupt(path.read_text(), changes)
    status, found = door.bring(text)
    if status == 201:
        assert read_record(text).fault is None
        return
    assert status == found["status"] == 400
    if "\ud800" in text:
        assert found["code"] == "invalid-request"  # half a surrogate pair can't even be sent
        return
    assert found["code"] == "unreadable-record"
    lines = text.split("\n")
    assert 1 <= found["line"] <= len(lines) + 1
    assert 1 <= found["column"] <= len((*lines, "")[found["line"] - 1]) + 1
    assert re.fullmatch(rf"Line {found['line']}, column {found['column']}: .*\.", found["detail"])
    assert "\n" not in found["detail"]


@pytest.mark.parametrize(
    "body",
    [{}, {"text": 3}, {"text": "x", "more": 1}, [], {"text": "x" * (replays.MAX_RECORD_LENGTH + 1)}],
    ids=["nothing", "a number", "more", "a list", "too long"],
)
def test_other_request_bodies_are_rejected(door: ReplayClient, body: Any) -> None:
    status, found = door.ask("POST", "/api/replays", body)
    assert (status, json.loads(found)["problem"]) == (400, "bad request")


def test_a_far_too_large_body_is_not_read(door: ReplayClient) -> None:
    status, found = door.ask("POST", "/api/replays", {"text": "x" * 300_000})
    assert status == 400
    assert "128 KiB" in json.loads(found)["detail"]


def test_an_endless_game_is_rejected(door: ReplayClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploaded_records, "_MAX_DECISIONS", 10)
    status, found = door.bring(PARADE.read_text())
    assert status == 400
    assert "at most 10 moves" in found["detail"]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("at=999", 404),
        ("at=-1", 400),
        ("at=x", 400),
        ("seat=9", 400),
        ("seat=-1", 400),
        ("seat=x", 400),
        ("seat=", 400),
        ("at=0&seat=open", 200),
        ("seat=watching", 200),
        ("", 200),
    ],
)
def test_only_existing_positions_have_a_page(door: ReplayClient, query: str, status: int) -> None:
    _, found = door.bring(PARADE.read_text())
    for path in (f"/api/replays/{found['id']}/page?{query}", f"/replay/{found['id']}?{query}"):
        assert door.ask("GET", path)[0] == status


def test_an_unreadable_record_is_reported(tmp_path: Path) -> None:
    async def check() -> None:
        async with site_in(tmp_path) as here:
            old = PARADE.read_bytes().replace(b"Rules: 1", b"Rules: 0")
            await here.site.tables.storage.documents.put(RECORDS, "old", old)
            answer = await Http(here.port).ask("GET", "/api/replays/old/page")
            assert answer.status == 409
            assert "version '0' of the rules" in answer.json()["detail"]

    asyncio.run(check())


def test_stored_records_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploaded_records, "MAX_RECORDS", 3)

    async def check() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            for path in FILES[:5]:
                answer = await http.ask("POST", "/api/replays", {"text": path.read_text()})
                assert answer.status == 201
            assert await here.site.tables.storage.documents.count(RECORDS) == 3
            last = answer.json()["id"]
            assert (await http.ask("GET", f"/replay/{last}")).status == 200
            status = 201
            for _ in range(40):
                answer = await http.ask("POST", "/api/replays", {"text": "tea"})
                status = answer.status
                if status == 429:
                    break
            assert (status, answer.json()["problem"]) == (429, "too many")

    asyncio.run(check())


# Tables


def test_a_table_is_replayed_when_its_game_is_over(tmp_path: Path) -> None:
    """Available to everyone then; before that, to nobody."""

    async def check() -> None:
        async with open_site(tmp_path) as here:
            for stage in STAGES:
                for role in ROLES:
                    table, http = (
                        (await create_staged_table(here, stage, role)).name,
                        Http(here.port, cookie(role)),
                    )
                    for path in (
                        f"/replay/{table}",
                        f"/api/replays/{table}/page?at=2&seat=open",
                        f"/api/replays/{table}/record",
                    ):
                        answer = await http.ask("GET", path)
                        assert answer.status == (200 if stage == "finished" else 409), (stage, path)
                        if stage != "finished":
                            assert b"You can replay this game once it" in answer.body
                        elif path == f"/replay/{table}":
                            assert f'href="/tables/{table}"'.encode() in answer.body, "the way back"
                    await http.close()
            http = Http(here.port)
            for path in ("/replay/nowhere", "/api/replays/nowhere/page", "/api/replays/nowhere/record"):
                answer = await http.ask("GET", path)
                assert answer.status == 404
                assert b"This replay doesn" in answer.body

    asyncio.run(check())


# Text


def test_all_visible_text_is_in_a_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_pseudo_language(monkeypatch)
    names = ("Alice", "Bill", "Dinah", "Duchess")

    async def check() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            pages = [f"/replay?lang={CODE}"]
            for path in (PARADE, LETTERS, COOKIES):
                record = replay_in(path).record
                text = replace(record, names=names[: len(record.names)]).text()
                name = (await http.ask("POST", "/api/replays", {"text": text})).json()["id"]
                last = replay_in(path).last
                pages += [f"/replay/{name}?at={at}&seat=open&lang={CODE}" for at in (0, 5, last)]
            for page in pages:
                answer = await http.ask("GET", page)
                assert answer.status == 200
                assert untranslated(answer.body.decode()) == []

    asyncio.run(check())
    assert pseudo_language().code == CODE

"""Replay pages: rendering of whole games, uploads, and secrecy."""

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
from support.paths import RECORDS
from support.permissions import ROLES, STAGES, cookie, create_staged_table, open_site
from support.pseudo_locale import CODE, install_pseudo_language, pseudo_language, untranslated
from wonderland.components.scene import SceneContext
from wonderland.engine.language import ENGLISH
from wonderland.engine.protocol import FACE_DOWN, LUCK
from wonderland.engine.record_reader import read_record
from wonderland.features.replay import pages as replays
from wonderland.features.replay.rendering import OPEN, WATCHING, ReplayPage
from wonderland.games.parade.rules.state import Ended
from wonderland.web.rendering import render_scene

pytestmark = pytest.mark.slow

FILES = sorted(RECORDS.rglob("*.record"))
IDS = [f"{path.parent.name}-{path.stem}" for path in FILES]
NOTED = [path for path in FILES if path.stem.startswith("noted-by")]
PARADE, LETTERS, COOKIES = (
    next(path for path in FILES if path.parent.name == name) for name in ("parade", "letters", "cookies")
)


def replay_in(path: Path) -> ReplayPage:
    return ReplayPage(read_record(path.read_bytes()).whole)


def viewpoints_of(replay: ReplayPage) -> list[str]:
    return [OPEN, WATCHING, *map(str, range(len(replay.names)))]


# Rendering


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_whole_game_is_rendered(path: Path) -> None:
    """Positions from one viewpoint each; games with unknown cards from every viewpoint and open."""
    replay = replay_in(path)
    everyone = viewpoints_of(replay)
    decisions = sum(move.actor is not LUCK for move in replay.record.moves)
    assert replay.last == decisions
    for moment in range(0, replay.last + 1, 1 if path in NOTED else 5):
        for eyes in {everyone[moment % len(everyone)], OPEN if path in NOTED else WATCHING}:
            page = replay.page(moment, eyes, ENGLISH, log=False)
            assert HtmlChecker("".join(page.html.values())).wrong == []
            assert "data-play" not in page.html["scene"]
            assert page.moves == moment
    end = replay.page(replay.last, OPEN, ENGLISH, log=True)
    result = replay.record.result
    assert result is not None
    assert result.sentence(replay.names) in re.sub(r"&#39;", "'", end.html["status"])


@pytest.mark.parametrize("path", [PARADE, LETTERS, COOKIES], ids=["parade", "letters", "cookies"])
def test_a_seat_sees_what_it_saw_at_the_table(path: Path) -> None:
    replay = replay_in(path)
    rules = replay.game
    for moment in range(0, replay.last + 1, 4):
        match = replay.moments.match_at(moment)
        before = len(replay.moments.match_at(moment - 1).events) if moment else 0
        for eyes, seat in ((WATCHING, None), ("0", 0), ("1", 1)):
            last = [rules.witness(event, seat) for event in match.events[before:]]
            seen = render_scene(rules, match.view(seat), SceneContext(replay.names, (), last, ENGLISH))
            assert replay.parts(moment, eyes, ENGLISH)["scene"] == seen


def hands(scene: str) -> set[str]:
    """Return the open cards in hands of Parade."""
    rows = re.findall(r'class="open-hand".*?</ul>', scene, re.DOTALL)
    return set(re.findall(r'data-piece="(\w+)"', "".join(rows)))


@pytest.mark.parametrize("path", [PARADE, *(path for path in NOTED if path.parent == PARADE.parent)])
def test_the_open_viewpoint_shows_every_known_hand(path: Path) -> None:
    replay = replay_in(path)
    seen = hidden = 0
    for moment in range(replay.last):
        state = replay.moments.match_at(moment).state
        known = {str(card) for hand in state.hands for card in hand if card is not FACE_DOWN}
        unknown = any(FACE_DOWN in hand for hand in state.hands)
        scene = str(replay.parts(moment, OPEN, ENGLISH)["scene"])
        assert hands(scene) == known
        assert ('class="held"' in scene) == unknown
        assert not hands(str(replay.parts(moment, WATCHING, ENGLISH)["scene"]))
        seen, hidden = seen + len(known), hidden + unknown
    assert seen
    assert bool(hidden) == (path != PARADE)
    end = replay.moments.match_at(replay.last).state
    assert isinstance(end.stage, Ended)
    assert not hands(str(replay.parts(replay.last, OPEN, ENGLISH)["scene"])), "they are discarded then"


def test_the_open_viewpoint_remembers_turned_cards() -> None:
    replay = replay_in(LETTERS)
    notes = [
        (str(replay.parts(n, eyes, ENGLISH)["scene"]).count('class="note'), eyes)
        for n in range(replay.last)
        for eyes in (OPEN, "0")
    ]
    assert max(number for number, eyes in notes if eyes == OPEN) > 1
    assert not any(number for number, eyes in notes if eyes == "0"), "at the table it is for memory"


def test_log_lines_link_to_their_position() -> None:
    replay = replay_in(COOKIES)
    lines = re.findall(r'<li data-look="(\d+)">([^<]*)</li>', str(replay.log(OPEN, ENGLISH)))
    assert len(lines) > 50
    for moment, text in lines[:: len(lines) // 12]:
        parts = replay.parts(int(moment), OPEN, ENGLISH)
        assert text in parts["news"] + parts["status"]


def test_a_partial_record_is_replayed_to_where_it_ends() -> None:
    moves = "Alice: +R10 +B5 +G3 +Y0 +P7\nHatter: +? +? +? +? +?\nParade: +R1 +B0 +G9 +O4 +P2 +Y8\n"
    head = "Game: parade\nRules: 1\nSeats: Alice, Hatter\n\nStart: seat2\n"
    whole = ReplayPage(read_record(f"{head}{moves}Hatter: B7 +?\n").whole)
    assert (whole.last, whole.is_over) == (1, False)
    assert "Alice to move" in whole.parts(1, OPEN, ENGLISH)["status"]
    dealing = ReplayPage(read_record(head + "Alice: +R10\n").whole)
    assert "The record ends here." in dealing.parts(0, OPEN, ENGLISH)["status"]
    assert dealing.to_act(0) == ()


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
    assert (status, found["type"], found["problem"]) == (400, "refused", "bad request")
    if "\ud800" in text:
        assert found["says"]  # half a surrogate pair can't even be sent
        return
    lines = text.split("\n")
    assert 1 <= found["line"] <= len(lines) + 1
    assert 1 <= found["column"] <= len((*lines, "")[found["line"] - 1]) + 1
    assert re.fullmatch(rf"Line {found['line']}, column {found['column']}: .*\.", found["says"])
    assert "\n" not in found["says"]


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
    assert (status, json.loads(found)["says"]) == (400, "A request has 128 KiB at most.")


def test_an_endless_game_is_rejected(door: ReplayClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "_MAX_DECISIONS", 10)
    status, found = door.bring(PARADE.read_text())
    assert (status, found["says"]) == (400, "A replay has 10 decisions at most.")


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
            await here.site.tables.storage.documents.put(replays.KIND, "old", old)
            answer = await Http(here.port).ask("GET", "/api/replays/old/page")
            assert answer.status == 409
            assert "version '0' of the rules" in answer.json()["says"]

    asyncio.run(check())


def test_stored_records_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "MAX_RECORDS", 3)

    async def check() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            for path in FILES[:5]:
                answer = await http.ask("POST", "/api/replays", {"text": path.read_text()})
                assert answer.status == 201
            assert await here.site.tables.storage.documents.count(replays.KIND) == 3
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
                            assert b"This game is not over" in answer.body
                        elif path == f"/replay/{table}":
                            assert f'href="/tables/{table}"'.encode() in answer.body, "the way back"
                    await http.close()
            http = Http(here.port)
            for path in ("/replay/nowhere", "/api/replays/nowhere/page", "/api/replays/nowhere/record"):
                answer = await http.ask("GET", path)
                assert answer.status == 404
                assert b"There is no such replay." in answer.body

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

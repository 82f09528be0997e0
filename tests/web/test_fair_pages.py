"""Pages are rendered beside the event loop, in turn for each address, and cost what they take."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from campaigns.raw_clients import Http, RunningSite, Socket, site_in
from support.attackers import ATTACKER_ADDRESS, HonestGame, wait_until
from support.paths import TESTS
from wonderland.tables.limits import Limits
from wonderland.web.page_work import _Metered

LONG = 60.0
OTHER_ADDRESS = "127.0.0.3"
RECORD = (TESTS / "records/parade/3-players-sixth-colour.record").read_text()
POSITION = "/position/parade"


def run_site(folder: Path, scene: Callable[[RunningSite, HonestGame], Any], **limits: int) -> None:
    async def run() -> None:
        async with site_in(folder, limits=Limits(**limits)) as here, asyncio.timeout(LONG):
            game = HonestGame(here)
            await game.start()
            await scene(here, game)

    asyncio.run(run())


class Held:
    """A function of the program that is held back until it is released."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: str, name: str) -> None:
        self.entered, self.released = threading.Event(), threading.Event()
        self.calls = 0
        home = import_module(module)
        original = getattr(home, name)

        def held(*given: Any, **named: Any) -> Any:
            self.calls += 1
            self.entered.set()
            assert self.released.wait(LONG)
            return original(*given, **named)

        monkeypatch.setattr(home, name, held)


PAGES = {
    POSITION: ("wonderland.features.positions.pages", "open_position"),
    "/rules/parade": ("wonderland.features.rulebook.pages", "page"),
    "/insights/parade": ("wonderland.features.insights.pages", "insights_page"),
    "/puzzles/parade": ("wonderland.features.puzzles.pages", "page"),
    "/replay/{replay}": ("wonderland.features.replay.pages", "page"),
    "/replay/{replay}/coach": ("wonderland.features.coach.pages", "page"),
    "/": ("wonderland.web.pages", "page"),
    "/tables/{table}": ("wonderland.web.pages", "page"),
}


@pytest.mark.parametrize("path", PAGES)
def test_a_move_does_not_wait_for_a_page(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wonderland.features.insights.pages._page_cache", {})

    async def scene(here: RunningSite, game: HonestGame) -> None:
        uploaded = await Http(here.port).ask("POST", "/api/replays", {"text": RECORD})
        where = path.format(replay=uploaded.json()["id"], table=game.table)
        held = Held(monkeypatch, *PAGES[path])
        asked = asyncio.ensure_future(Http(here.port, address=ATTACKER_ADDRESS).ask("GET", where))
        await wait_until(held.entered.is_set)
        await game.move()
        assert not asked.done()
        held.released.set()
        assert (await asked).status == 200

    run_site(tmp_path, scene)


MANY = 400
"""More pages than any limit of these tests allows, however quickly they are rendered."""


@pytest.fixture
def no_refill(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock of all limits, so that no debt is paid off while a test runs."""
    monkeypatch.setattr("wonderland.tables.rate_limit.time", SimpleNamespace(monotonic=lambda: 0.0))


@pytest.mark.usefixtures("no_refill")
def test_an_address_that_causes_much_work_is_refused_and_others_are_not(tmp_path: Path) -> None:
    async def scene(here: RunningSite, game: HonestGame) -> None:
        greedy, modest = (Http(here.port, address=each) for each in (ATTACKER_ADDRESS, OTHER_ADDRESS))
        answers = [await greedy.ask("GET", POSITION, headers={"Accept": "text/html"})]
        while len(answers) < MANY and answers[-1].status == 200:
            answers.append(await greedy.ask("GET", POSITION, headers={"Accept": "text/html"}))
        refused = [answer for answer in answers if answer.status == 429]
        assert answers[0].status == 200
        assert refused
        assert int(refused[0].header("retry-after") or 0) > 0
        assert b"wait" in refused[0].body
        assert (await greedy.ask("GET", "/api/games")).status == 429
        assert (await modest.ask("GET", POSITION)).status == 200
        assert here.site.work.refused > 0

    run_site(tmp_path, scene, work_per_address=2)


@pytest.mark.usefixtures("no_refill")
def test_a_device_has_a_limit_of_its_own(tmp_path: Path) -> None:
    async def scene(here: RunningSite, _: HonestGame) -> None:
        greedy, modest = (
            Http(here.port, f"the-cookie-of-device-{n}", ATTACKER_ADDRESS) for n in range(2)
        )
        statuses = [200]
        while len(statuses) < MANY and statuses[-1] == 200:
            statuses.append((await greedy.ask("GET", POSITION)).status)
        assert statuses[-1] == 429
        assert (await modest.ask("GET", POSITION)).status == 200

    run_site(tmp_path, scene, work_per_address=0, work_per_person=2)


@pytest.mark.usefixtures("no_refill")
def test_moves_are_accepted_longer_than_pages_are(tmp_path: Path) -> None:
    async def scene(here: RunningSite, game: HonestGame) -> None:
        for player in game.people:
            await player.close()
            player.address = ATTACKER_ADDRESS
        page = Http(here.port, game.people[0].cookie, ATTACKER_ADDRESS)
        here.site.work.charge(_owner(page), 0.105)  # of the 0.1 s that are saved up
        assert (await page.ask("GET", POSITION)).status == 429
        await _chat(game)
        socket = await Socket.open(here.port, game.table, page.cookie, address=ATTACKER_ADDRESS)
        here.site.work.charge(_owner(page), 1.0)
        with pytest.raises(AssertionError, match="429"):
            await _chat(game)
        socket.send({"do": "say", "seat": 0, "phrase": "hello", "at": game.version, "key": "a" * 8})
        assert (await socket.message("refused"))["problem"] == "too many"

    run_site(tmp_path, scene, work_per_address=5)


def _owner(http: Http) -> Any:
    from wonderland.tables.fair_queue import Owner  # noqa: PLC0415 - only here

    return Owner(http.address)


async def _chat(game: HonestGame) -> None:
    await game.do(0, {"do": "say", "seat": 0, "phrase": "hello"})


def test_pages_wait_in_turn_and_their_queue_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(here: RunningSite, _: HonestGame) -> None:
        held = Held(monkeypatch, *PAGES[POSITION])

        def ask(address: str) -> asyncio.Future[Any]:
            return asyncio.ensure_future(Http(here.port, address=address).ask("GET", POSITION))

        crowd = [ask(ATTACKER_ADDRESS) for _ in range(6)]
        await wait_until(lambda: sum(each.done() for each in crowd) == 3)  # one runs, two wait
        refused = [each.result() for each in crowd if each.done()]
        assert {answer.status for answer in refused} == {429}
        assert all(answer.header("retry-after") for answer in refused)
        modest = ask(OTHER_ADDRESS)
        await wait_until(lambda: len(here.site.work) == 3)
        finished: list[str] = []
        modest.add_done_callback(lambda _: finished.append("modest"))
        for each in crowd:
            each.add_done_callback(lambda _: finished.append("greedy"))
        held.released.set()
        assert (await modest).status == 200
        assert [(await each).status for each in crowd].count(200) == 3
        after = finished[finished.index("modest") :]
        assert after.count("greedy") >= 1  # it overtook those that waited

    run_site(tmp_path, scene, pages_waiting_per_address=2)


def test_the_time_of_a_request_is_measured_without_its_waits() -> None:
    def busy() -> None:
        until = time.thread_time() + 0.02
        while time.thread_time() < until:
            pass

    async def work() -> str:
        busy()
        await asyncio.sleep(0.2)
        busy()
        return "done"

    async def scene() -> None:
        metered = _Metered(work())
        assert await metered == "done"
        assert 0.04 <= metered.seconds < 0.2

    asyncio.run(scene())


def test_a_measured_request_can_be_cancelled_and_can_fail() -> None:
    async def patient(events: list[str]) -> None:
        try:
            await asyncio.sleep(LONG)
        except asyncio.CancelledError:
            events.append("cancelled")
            raise

    async def failing() -> None:
        await asyncio.sleep(0)
        raise ValueError("as it should")

    async def awaited(metered: _Metered[None]) -> None:
        await metered

    async def scene() -> None:
        events: list[str] = []
        task = asyncio.ensure_future(awaited(_Metered(patient(events))))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert events == ["cancelled"]
        with pytest.raises(ValueError, match="as it should"):
            await _Metered(failing())

    asyncio.run(scene())

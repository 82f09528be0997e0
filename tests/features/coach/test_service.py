"""The coach's background service: queueing, failures, and stored reports."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from support.coach_reports import COOKIES, HATTER, LETTERS, PARADE, PLAYOUTS
from wonderland.components.bots import Budget
from wonderland.engine.language import ENGLISH
from wonderland.features.coach import service
from wonderland.features.coach.model import Report
from wonderland.features.coach.rendering import Coached
from wonderland.features.coach.review import Coach, review
from wonderland.features.coach.service import CoachService, Draft, ReviewStatus
from wonderland.features.replay.rendering import ReplayPage
from wonderland.tables.storage.documents import REPORT_DRAFTS, REPORTS, now
from wonderland.tables.storage.sqlite import SqliteStorage
from wonderland.wire.problems import Refusal


@asynccontextmanager
async def coach_at(folder: Path, playouts: int = PLAYOUTS) -> AsyncIterator[CoachService]:
    """A coach on a storage, not started yet."""
    storage = SqliteStorage(folder / "tables.db")
    await storage.open()
    found = CoachService(storage, Budget(playouts=playouts))
    yield found
    await storage.close()


async def wait_until_done(coach: CoachService, key: str) -> Report:
    while (found := await coach.found(key)).report is None:  # noqa: ASYNC110 - polled, as a page does
        await asyncio.sleep(0.01)
    return found.report


async def wait_until(reached: Callable[[], bool]) -> None:
    while not reached():  # noqa: ASYNC110 - there is no event for it
        await asyncio.sleep(0.001)


def test_games_are_queued_up_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_QUEUE", 2)

    async def check() -> None:
        async with coach_at(tmp_path) as coach:
            for place, record in enumerate((HATTER, LETTERS, COOKIES)):
                found = await coach.begin(f"game-{place}", record)
                assert (found.state, found.ahead) == ("waiting" if place else "working", place)
            with pytest.raises(Refusal, match="Too many games"):
                await coach.begin("game-3", PARADE)
            assert (await coach.begin("game-1", LETTERS)).ahead == 1, "a queued game stays in the queue"
            coach.start()
            assert (await wait_until_done(coach, "game-2")).game == "cookies"
            assert (await coach.begin("game-3", PARADE)).total == 48
            await coach.close()

    asyncio.run(check())


def test_one_address_cannot_starve_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_PER_ADDRESS", 2)

    async def check() -> None:
        async with coach_at(tmp_path) as coach:
            for name in ("game-0", "game-1"):
                await coach.begin(name, LETTERS, "here")
            with pytest.raises(Refusal, match="Too many games"):
                await coach.begin("game-2", LETTERS, "here")
            assert (await coach.begin("game-2", LETTERS, "there")).ahead == 2
            assert (await coach.begin("game-1", LETTERS, "here")).ahead == 1, "it is already waiting"

    asyncio.run(check())


def test_an_error_is_reported_and_the_next_game_is_reviewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Coach.answer

    def faulty(self: Coach, question: Any) -> Any:
        if self.record is LETTERS:
            raise ZeroDivisionError
        return honest(self, question)

    monkeypatch.setattr(Coach, "answer", faulty)

    async def check() -> None:
        async with coach_at(tmp_path) as coach:
            coach.start()
            await coach.begin("bad", LETTERS)
            await coach.begin("good", HATTER)
            assert (await wait_until_done(coach, "good")).is_whole
            assert (await coach.found("bad")).state == "failed"
            says = Coached("bad", ReplayPage(LETTERS), await coach.found("bad"), ENGLISH).says()
            assert says == "The coach couldn't analyse this game."
            monkeypatch.undo()
            await coach.begin("bad", LETTERS)
            assert (await wait_until_done(coach, "bad")).is_whole, "it can be requested again"
            await coach.close()

    asyncio.run(check())


# Storing


def test_an_interrupted_review_is_resumed(tmp_path: Path) -> None:
    async def check() -> None:
        async with coach_at(tmp_path, 400) as coach:
            coach.start()
            await coach.begin("key", PARADE)
            await wait_until(lambda: coach.judged >= 3)
            await coach.close()
            before = coach.judged
            assert before < 48
        async with coach_at(tmp_path, 400) as coach:
            assert await coach.found("key") == ReviewStatus(), "nobody is working on it"
            coach.start()
            await coach.begin("key", PARADE)
            report = await wait_until_done(coach, "key")
            await coach.close()
            assert coach.judged == 48 - before
            assert report == review(PARADE, budget=Budget(playouts=400))

    asyncio.run(check())


def test_work_claimed_by_another_process_is_left_to_it(tmp_path: Path) -> None:
    whole = review(HATTER, budget=Budget(playouts=PLAYOUTS))

    async def check() -> None:
        async with coach_at(tmp_path) as coach, coach_at(tmp_path) as other:
            work = service.CoachJob("key", Coach(HATTER, None, coach.budget), list(whole.decisions[:4]))
            documents = coach._storage.documents
            await documents.put(REPORT_DRAFTS, "key", work.draft("another", now()))
            coach.start()
            await coach.begin("key", HATTER)
            await wait_until(lambda: not len(coach))
            found = await other.found("key")
            assert (found.state, found.decisions, found.total) == ("working", whole.decisions[:4], 15)
            assert coach.judged == 0
            await documents.put(REPORT_DRAFTS, "key", work.draft("another", now() - 60_000))
            assert (await other.found("key")).state == "idle", "the other process is gone"
            await coach.begin("key", HATTER)
            assert await wait_until_done(other, "key") == whole
            assert coach.judged == len(whole.decisions) - 4
            await coach.close()

    asyncio.run(check())


@pytest.mark.parametrize("body", [b"", b"nonsense", b"x\x9c\xabV\x02\x00\x00\xa6\x00_"])
def test_an_unreadable_draft_is_redone(tmp_path: Path, body: bytes) -> None:
    async def check() -> None:
        async with coach_at(tmp_path) as coach:
            for kind in (REPORTS, REPORT_DRAFTS):
                await coach._storage.documents.put(kind, "key", body)
            assert await coach.found("key") == ReviewStatus()
            coach.start()
            await coach.begin("key", HATTER)
            assert (await wait_until_done(coach, "key")).is_whole
            await coach.close()

    asyncio.run(check())


def test_a_draft_of_another_game_is_not_resumed() -> None:
    decisions = review(HATTER, budget=Budget(playouts=PLAYOUTS)).decisions
    job = service.CoachJob("key", Coach(LETTERS, None, Budget(playouts=PLAYOUTS)))
    job.resume_from(Draft("", 0, 15, decisions))
    assert job.decisions == []


def test_reports_are_stored_per_judge_and_budget(tmp_path: Path) -> None:
    async def check() -> None:
        async with coach_at(tmp_path) as coach, coach_at(tmp_path, 0) as usual:
            keys = {coach.key_of("a", PARADE), usual.key_of("a", PARADE), usual.key_of("b", PARADE)}
            assert len(keys) == 3

    asyncio.run(check())

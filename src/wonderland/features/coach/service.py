"""The coach at work: games that people asked about are judged one after another, each of them once.

There is one thread for it beside those of the bots. It has their priority: with less it could be kept
waiting by them while it holds the interpreter's lock, and every table with it. A report is kept on the
shelf, under the name of the replay and all that a verdict depends on. What is judged so far lies there
too, as a draft: other processes see by it that somebody is at work, and go on from there if nobody is
any more.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import msgspec

from wonderland.bots.evaluation import default_budget, evaluation_version
from wonderland.components.bots import Budget
from wonderland.discovery import Service
from wonderland.engine.errors import FileProblem
from wonderland.engine.record_reader import AnyRecord
from wonderland.features.coach.model import FORMAT, Report, ReviewedDecision, as_json, read_report
from wonderland.features.coach.review import Coach
from wonderland.tables.rate_limit import RateLimiter
from wonderland.tables.storage.documents import now
from wonderland.tables.storage.interface import Storage, StorageError
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from wonderland.tables.storage.documents import DocumentStore
    from wonderland.web.app import Site

KIND, DRAFT = "coach", "coaching"
"""What reports and drafts are on the shelf."""
MOST_REPORTS = 5000
MOST_DECISIONS = 300
"""Of one game: five times as many as a long one has."""
MOST_WAITING = 20
MOST_OF_ONE = 5
"""Games that wait or are judged because somebody at one address asked: there is time for others too."""
_MOST_DRAFTS = 100
_REMEMBERED = 32
"""Reports that need not be read or drawn anew for each step."""
_NOTED_EVERY, _STALE = 3000, 15_000
"""Milliseconds: a draft is written so often, and after so long nobody is at work on it."""

logger = logging.getLogger("wonderland.coach")
K = TypeVar("K")
V = TypeVar("V")
State = Literal["idle", "waiting", "working", "done", "failed"]


class Progress(msgspec.Struct, frozen=True):
    """How far the coach has come with a game."""

    state: State
    """`idle` if nobody has asked yet, or the server was started anew since."""
    done: int = 0
    """Decisions that are judged."""
    total: int = 0
    ahead: int = 0
    """Games that are judged before this one, while it waits."""
    report: Report | None = None
    """At the end, all that was found."""


class Draft(msgspec.Struct, frozen=True):
    """What is judged so far of a game, by which process, and when that was."""

    by: str
    time: int
    total: int
    decisions: tuple[ReviewedDecision, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of a game by now."""

    state: State = "idle"
    decisions: Sequence[ReviewedDecision] = ()
    total: int = 0
    ahead: int = 0
    report: Report | None = None

    def progress(self) -> Progress:
        """The same for those who asked."""
        return Progress(self.state, len(self.decisions), self.total, self.ahead, self.report)


class Recent(dict[K, V]):
    """Remembers the last few things."""

    def keep(self, key: K, value: V) -> None:
        """Remember one more."""
        self[key] = value
        while len(self) > _REMEMBERED:
            del self[next(iter(self))]


@dataclass(slots=True)
class CoachJob:
    """A game that is judged, or waits for it."""

    key: str
    coach: Coach
    decisions: list[ReviewedDecision] = field(default_factory=list)
    noted: int = 0
    """When its draft was written, in milliseconds since 1970."""
    address: str = ""
    """From where it was asked for."""

    def draft(self, by: str, time: int) -> bytes:
        """What is judged so far."""
        found = Draft(by, time, len(self.coach.questions), tuple(self.decisions))
        return zlib.compress(msgspec.json.encode(found))

    def go_on_from(self, draft: Draft) -> None:
        """Take over what was judged before, if it fits."""
        places = [question.move for question in self.coach.questions[: len(draft.decisions)]]
        if [decision.move for decision in draft.decisions] == places:
            self.decisions = list(draft.decisions)


class CoachService(Service):
    """All games that are judged here, the first of them now."""

    def __init__(self, storage: Storage, budget: Budget | None = None) -> None:
        self.budget = budget
        self.asks = RateLimiter(rate=1 / 30, burst=10.0)
        self.judged = 0
        """Decisions since the start."""
        self._storage = storage
        self._jobs: dict[str, CoachJob] = {}
        self._reports: Recent[str, Report] = Recent()
        self._failed: Recent[str, None] = Recent()
        self.drawn: Recent[tuple[str, str], Any] = Recent()
        """Pages of reports, by their keys and languages."""
        self._me = secrets.token_hex(4)
        self._more = asyncio.Event()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="coach")

    def __len__(self) -> int:
        """How many games are judged or wait for it."""
        return len(self._jobs)

    def start(self) -> None:
        """Begin to work."""
        self._working = asyncio.get_running_loop().create_task(self._work())

    async def close(self) -> None:
        """Leave off; who asks at the next start goes on from the draft."""
        self._working.cancel()
        with suppress(asyncio.CancelledError):
            await self._working
        self._pool.shutdown(wait=False, cancel_futures=True)
        if (job := next(iter(self._jobs.values()), None)) and job.decisions:
            with suppress(StorageError):
                await self._shelf.put(DRAFT, job.key, job.draft("", 0))

    @property
    def _shelf(self) -> DocumentStore:
        return self._storage.shelf

    # What is asked

    def key_of(self, name: str, record: AnyRecord) -> str:
        """What the report on a replay is kept under."""
        game = record.game.info.name
        budget = self.budget or default_budget(game, len(record.names))
        return f"{name}-{FORMAT}-{evaluation_version(game)}-{budget.playouts}"

    async def found(self, key: str) -> Found:
        """What is known of a game by now."""
        report = self._reports.get(key)
        if report is None and (job := self._jobs.get(key)) is not None:
            return self._so_far(job)
        if report is None:
            report = await self._kept(key)
        if report is not None:
            return Found("done", report.decisions, len(report.decisions), report=report)
        if key in self._failed:
            return Found("failed")
        _, draft = await self._draft(key)
        if draft is not None and self._is_elsewhere(draft):
            return Found("working", draft.decisions, draft.total)
        return Found()

    def _so_far(self, job: CoachJob) -> Found:
        ahead, total = list(self._jobs).index(job.key), len(job.coach.questions)
        return Found("waiting" if ahead else "working", tuple(job.decisions), total, ahead)

    async def begin(self, key: str, record: AnyRecord, address: str = "") -> Found:
        """Judge a game when its turn comes; `Refusal` if there is nothing to judge, or too much."""
        coach = await asyncio.to_thread(Coach, record, None, self.budget)
        _check(coach)
        if key not in self._jobs:  # it may be, by now
            theirs = sum(job.address == address for job in self._jobs.values()) if address else 0
            if len(self._jobs) > MOST_WAITING or theirs >= MOST_OF_ONE:
                raise Refusal("too many", "Too many games wait for the coach; ask again later.")
            self._failed.pop(key, None)
            self._jobs[key] = CoachJob(key, coach, address=address)
            self._more.set()
        return self._so_far(self._jobs[key])

    # What is done

    async def _work(self) -> None:
        while True:
            while not self._jobs:
                self._more.clear()
                await self._more.wait()
            job = next(iter(self._jobs.values()))
            try:
                await self._judge(job)
            except Exception:  # a judge may raise anything, and other games are waiting
                logger.exception("a game could not be judged", extra={"replay": job.key})
                self._failed.keep(job.key, None)
            del self._jobs[job.key]

    async def _judge(self, job: CoachJob) -> None:
        if await self._kept(job.key) is not None or not await self._claimed(job):
            return  # another process was quicker, or is at it
        loop, coach = asyncio.get_running_loop(), job.coach
        for question in coach.questions[len(job.decisions) :]:
            job.decisions.append(await loop.run_in_executor(self._pool, coach.answer, question))
            self.judged += 1
            await self._note(job)
        await self._keep(job.key, await loop.run_in_executor(self._pool, coach.report, job.decisions))

    async def _claimed(self, job: CoachJob) -> bool:
        """Whether this process is the one that judges a game now."""
        was, draft = await self._draft(job.key)
        if draft is not None:
            if self._is_elsewhere(draft):
                return False
            job.go_on_from(draft)
        job.noted = now()
        return await self._shelf.swap(DRAFT, job.key, was, job.draft(self._me, job.noted))

    def _is_elsewhere(self, draft: Draft) -> bool:
        """Whether another process is at work on it."""
        return draft.by != self._me and now() < draft.time + _STALE

    async def _note(self, job: CoachJob) -> None:
        """Let others know how far it is."""
        if now() < job.noted + _NOTED_EVERY:
            return
        job.noted = now()
        with suppress(StorageError):  # it is only a draft
            await self._shelf.put(DRAFT, job.key, job.draft(self._me, job.noted))

    async def _keep(self, key: str, report: Report) -> None:
        self._reports.keep(key, report)
        try:
            await self._shelf.put(KIND, key, zlib.compress(as_json(report)))
            await self._shelf.trim(KIND, MOST_REPORTS)
            await self._shelf.remove(DRAFT, key)
            await self._shelf.trim(DRAFT, _MOST_DRAFTS)
        except StorageError as error:
            logger.warning("a report is not kept", extra={"why": str(error)})

    # What is kept

    async def _kept(self, key: str) -> Report | None:
        body = await self._shelf.get(KIND, key)
        if body is None:
            return None
        try:
            report = read_report(zlib.decompress(body))
        except (FileProblem, zlib.error):  # it is made anew
            return None
        self._reports.keep(key, report)
        return report

    async def _draft(self, key: str) -> tuple[bytes | None, Draft | None]:
        """A draft as it lies there, and what it says."""
        body = await self._shelf.get(DRAFT, key)
        if body is None:
            return None, None
        try:
            return body, msgspec.json.decode(zlib.decompress(body), type=Draft)
        except (msgspec.DecodeError, zlib.error):
            return body, None


def create(site: Site) -> CoachService:
    """Make the coach of a site, with gauges of how much it has to do."""
    coach = CoachService(site.house.storage, site.evaluation_budget)
    gauge = site.metrics.gauge
    gauge("coach_games", "Games that are judged or wait for it.", lambda: len(coach))
    gauge("coach_decisions", "Decisions judged since the start.", lambda: coach.judged)
    return coach


def service_of(site: Site) -> CoachService:
    """The coach of a site."""
    return cast("CoachService", site.services["coach"])


def _check(coach: Coach) -> None:
    """Refuse a game that can't be judged, or that would take too long."""
    if len(coach.questions) > MOST_DECISIONS:
        raise Refusal("bad request", "The coach takes up to {number} decisions.", number=MOST_DECISIONS)
    if not coach.questions and coach.unknown:
        raise Refusal("not now", "Nothing can be judged here: nobody noted what the players held.")
    if not coach.questions:
        raise Refusal("not now", "There is nothing to judge here: nobody had a choice.")

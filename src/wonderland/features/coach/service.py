"""Background queue of the coach: requested games are reviewed one after another, each only once.

One thread for each core does the work, at the same priority as the bots' threads: at a lower one they
could starve it while it holds the GIL, and with it every table. Decisions are judged in their order, a
few at once. Reports are cached in the document store under the name
of the replay and everything the evaluation depends on. Unfinished reviews are stored there as drafts:
a recent draft tells other processes that the game is being reviewed, a stale one is where they resume.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import zlib
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
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
from wonderland.tables.storage.documents import REPORT_DRAFTS, REPORTS, now
from wonderland.tables.storage.interface import Storage, StorageError
from wonderland.web.page_work import run_off_loop
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from wonderland.tables.storage.documents import DocumentStore
    from wonderland.web.app import Site

MAX_REPORTS = 5000
MAX_DECISIONS = 300
"""Limit for one game: five times the length of a long one."""
MAX_QUEUE = 20
MAX_PER_ADDRESS = 5
"""Queued games per client address, so that one client can't fill the queue."""
_MAX_DRAFTS = 100
_MAX_THREADS = 4
"""Threads of the coach: one for each core, but others need some as well."""
_CACHE_SIZE = 32
"""Reports and rendered pages kept in memory, evicting the oldest."""
_DRAFT_INTERVAL_MS, _DRAFT_STALE_AFTER_MS = 3000, 15_000
"""Milliseconds between writes of a draft, and the age at which its process is presumed dead."""

logger = logging.getLogger("wonderland.coach")
K = TypeVar("K")
V = TypeVar("V")
State = Literal["idle", "waiting", "working", "done", "failed"]


class Progress(msgspec.Struct, frozen=True):
    """Progress of a review."""

    state: State
    """`idle` if the review was never requested, or the server has restarted since."""
    done: int = 0
    """Decisions evaluated so far."""
    total: int = 0
    ahead: int = 0
    """Games ahead of this one in the queue."""
    report: Report | None = None
    """The report, once done."""


class Draft(msgspec.Struct, frozen=True):
    """Unfinished review: its decisions so far, the process that wrote it, and when."""

    by: str
    time: int
    total: int
    decisions: tuple[ReviewedDecision, ...]


@dataclass(frozen=True, slots=True)
class ReviewStatus:
    """The review of a game so far."""

    state: State = "idle"
    decisions: Sequence[ReviewedDecision] = ()
    total: int = 0
    ahead: int = 0
    report: Report | None = None

    def progress(self) -> Progress:
        """The same as sent to clients."""
        return Progress(self.state, len(self.decisions), self.total, self.ahead, self.report)


class BoundedCache(dict[K, V]):
    """Bounded cache that evicts its oldest entry."""

    def keep(self, key: K, value: V) -> None:
        """Add an entry, evicting the oldest ones beyond the limit."""
        self[key] = value
        while len(self) > _CACHE_SIZE:
            del self[next(iter(self))]


@dataclass(slots=True)
class CoachJob:
    """A queued review."""

    key: str
    coach: Coach
    decisions: list[ReviewedDecision] = field(default_factory=list)
    noted: int = 0
    """When its draft was last written, in milliseconds since 1970."""
    address: str = ""
    """Address of the client that requested it."""

    def draft(self, by: str, time: int) -> bytes:
        """Encode the decisions evaluated so far."""
        found = Draft(by, time, len(self.coach.questions), tuple(self.decisions))
        return zlib.compress(msgspec.json.encode(found))

    def resume_from(self, draft: Draft) -> None:
        """Resume from a draft if its decisions match this game."""
        places = [question.move for question in self.coach.questions[: len(draft.decisions)]]
        if [decision.move for decision in draft.decisions] == places:
            self.decisions = list(draft.decisions)


class CoachService(Service):
    """Queue of reviews; the first job is the one in progress."""

    def __init__(self, storage: Storage, budget: Budget | None = None) -> None:
        self.budget = budget
        self.asks = RateLimiter(rate=1 / 30, burst=10.0)
        self.judged = 0
        """Decisions evaluated since the start."""
        self._storage = storage
        self._jobs: dict[str, CoachJob] = {}
        self._reports: BoundedCache[str, Report] = BoundedCache()
        self._failed: BoundedCache[str, None] = BoundedCache()
        self.drawn: BoundedCache[tuple[str, str], Any] = BoundedCache()
        """Cache of rendered reports, by key and language."""
        self._process_id = secrets.token_hex(4)
        self._job_added = asyncio.Event()
        self._threads = min(os.cpu_count() or 1, _MAX_THREADS)
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="coach")

    def __len__(self) -> int:
        """Number of games in the queue, including the one in progress."""
        return len(self._jobs)

    def start(self) -> None:
        """Start the background task."""
        self._task = asyncio.get_running_loop().create_task(self._work())

    async def close(self) -> None:
        """Stop, saving a draft from which the next request resumes."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self._pool.shutdown(wait=False, cancel_futures=True)
        if (job := next(iter(self._jobs.values()), None)) and job.decisions:
            with suppress(StorageError):
                await self._documents.put(REPORT_DRAFTS, job.key, job.draft("", 0))

    @property
    def _documents(self) -> DocumentStore:
        return self._storage.documents

    # Requests

    def key_of(self, name: str, record: AnyRecord) -> str:
        """Storage key of the report on a replay."""
        return self._key(name, record.game.info.name, len(record.names))

    def _key(self, name: str, game: str, seats: int) -> str:
        budget = self.budget or default_budget(game, seats)
        return f"{name}-{FORMAT}-{evaluation_version(game)}-{budget.playouts}"

    async def finished_reports(self, games: Iterable[tuple[str, str, int]]) -> dict[str, Report]:
        """The reports that exist on these replays, by name; given are name, game and number of seats."""
        keys = {self._key(*each): each[0] for each in games}
        found = {name: self._reports[key] for key, name in keys.items() if key in self._reports}
        missing = [key for key, name in keys.items() if name not in found]
        stored = await self._documents.get_many(REPORTS, missing) if missing else {}
        for key, body in stored.items():
            report = await run_off_loop(partial(_decode, body))
            if report is not None:
                found[keys[key]] = report
        return found

    async def found(self, key: str) -> ReviewStatus:
        """Look up the review of a game: cached, in progress here or elsewhere, failed, or idle."""
        report = self._reports.get(key)
        if report is None and (job := self._jobs.get(key)) is not None:
            return self._job_status(job)
        if report is None:
            report = await self._load_report(key)
        if report is not None:
            return ReviewStatus("done", report.decisions, len(report.decisions), report=report)
        if key in self._failed:
            return ReviewStatus("failed")
        _, draft = await self._load_draft(key)
        if draft is not None and self._is_elsewhere(draft):
            return ReviewStatus("working", draft.decisions, draft.total)
        return ReviewStatus()

    def _job_status(self, job: CoachJob) -> ReviewStatus:
        ahead, total = list(self._jobs).index(job.key), len(job.coach.questions)
        return ReviewStatus("waiting" if ahead else "working", tuple(job.decisions), total, ahead)

    async def begin(self, key: str, record: AnyRecord, address: str = "") -> ReviewStatus:
        """Queue a game; raise `Refusal` if it has no decisions or too many, or the queue is full."""
        coach = await asyncio.to_thread(Coach, record, None, self.budget)
        _check(coach)
        if key not in self._jobs:  # another request may have queued it meanwhile
            queued_by_client = (
                sum(job.address == address for job in self._jobs.values()) if address else 0
            )
            if len(self._jobs) > MAX_QUEUE or queued_by_client >= MAX_PER_ADDRESS:
                raise Refusal(
                    Code.COACH_BUSY, "Too many games are waiting for the coach. Please try again later."
                )
            self._failed.pop(key, None)
            self._jobs[key] = CoachJob(key, coach, address=address)
            self._job_added.set()
        return self._job_status(self._jobs[key])

    # Background work

    async def _work(self) -> None:
        while True:
            while not self._jobs:
                self._job_added.clear()
                await self._job_added.wait()
            job = next(iter(self._jobs.values()))
            try:
                await self._judge(job)
            except Exception:  # an evaluator may raise anything, and other games are waiting
                logger.exception("analysis failed", extra={"replay": job.key})
                self._failed.keep(job.key, None)
            del self._jobs[job.key]

    async def _judge(self, job: CoachJob) -> None:
        if await self._load_report(job.key) is not None or not await self._claim(job):
            return  # another process has finished it, or is working on it
        loop, coach = asyncio.get_running_loop(), job.coach
        ahead = deque[asyncio.Future[ReviewedDecision]]()
        try:
            for question in coach.questions[len(job.decisions) :]:
                ahead.append(loop.run_in_executor(self._pool, coach.answer, question))
                if len(ahead) == self._threads:
                    await self._keep_answer(job, ahead.popleft())
            while ahead:
                await self._keep_answer(job, ahead.popleft())
        finally:
            for future in ahead:
                future.cancel()
        await self._save_report(
            job.key, await loop.run_in_executor(self._pool, coach.report, job.decisions)
        )

    async def _keep_answer(self, job: CoachJob, answer: asyncio.Future[ReviewedDecision]) -> None:
        """Add the next decision of a game, and write the draft if it is due."""
        job.decisions.append(await answer)
        self.judged += 1
        await self._save_draft(job)

    async def _claim(self, job: CoachJob) -> bool:
        """Claim a game for this process; return whether that succeeded."""
        stored, draft = await self._load_draft(job.key)
        if draft is not None:
            if self._is_elsewhere(draft):
                return False
            job.resume_from(draft)
        job.noted = now()
        return await self._documents.swap(
            REPORT_DRAFTS, job.key, stored, job.draft(self._process_id, job.noted)
        )

    def _is_elsewhere(self, draft: Draft) -> bool:
        """Whether another process is working on it."""
        return draft.by != self._process_id and now() < draft.time + _DRAFT_STALE_AFTER_MS

    async def _save_draft(self, job: CoachJob) -> None:
        """Write the draft if it is due, so that other processes see the progress."""
        if now() < job.noted + _DRAFT_INTERVAL_MS:
            return
        job.noted = now()
        with suppress(StorageError):  # losing a draft costs only time
            await self._documents.put(REPORT_DRAFTS, job.key, job.draft(self._process_id, job.noted))

    async def _save_report(self, key: str, report: Report) -> None:
        self._reports.keep(key, report)
        try:
            await self._documents.put(REPORTS, key, zlib.compress(as_json(report)))
            await self._documents.trim(REPORTS, MAX_REPORTS)
            await self._documents.remove(REPORT_DRAFTS, key)
            await self._documents.trim(REPORT_DRAFTS, _MAX_DRAFTS)
        except StorageError as error:
            logger.warning("report not saved", extra={"why": str(error)})

    # Storage

    async def _load_report(self, key: str) -> Report | None:
        body = await self._documents.get(REPORTS, key)
        report = None if body is None else _decode(body)
        if report is not None:
            self._reports.keep(key, report)
        return report

    async def _load_draft(self, key: str) -> tuple[bytes | None, Draft | None]:
        """Load a draft: its stored bytes, and its content if that can be decoded."""
        body = await self._documents.get(REPORT_DRAFTS, key)
        if body is None:
            return None, None
        try:
            return body, msgspec.json.decode(zlib.decompress(body), type=Draft)
        except (msgspec.DecodeError, zlib.error):
            return body, None


def _decode(body: bytes) -> Report | None:
    """Decode a stored report; `None` if it can't be read, in which case it is made again."""
    try:
        return read_report(zlib.decompress(body))
    except (FileProblem, zlib.error):
        return None


def create(site: Site) -> CoachService:
    """Create the coach of a site, with gauges for its queue."""
    coach = CoachService(site.tables.storage, site.evaluation_budget)
    gauge = site.metrics.gauge
    gauge("coach_games", "Games that are judged or wait for it.", lambda: len(coach))
    gauge("coach_decisions", "Decisions judged since the start.", lambda: coach.judged)
    return coach


def service_of(site: Site) -> CoachService:
    """Return the coach of a site."""
    return cast("CoachService", site.services["coach"])


def _check(coach: Coach) -> None:
    """Raise `Refusal` for a game that can't be reviewed or would take too long."""
    if len(coach.questions) > MAX_DECISIONS:
        raise Refusal(
            Code.RECORD_TOO_LONG,
            "The coach can analyse games of up to {number} moves.",
            number=MAX_DECISIONS,
        )
    if not coach.questions and coach.unknown:
        raise Refusal(
            Code.NOTHING_TO_ANALYSE,
            "There's nothing to analyse here, because the hands weren't recorded.",
        )
    if not coach.questions:
        raise Refusal(
            Code.NOTHING_TO_ANALYSE, "There's nothing to analyse here, because nobody had a choice."
        )

"""Finds a person's games, and remembers what every page about them needs.

A person is a device, or the account that it is signed in to with all its devices. The index knows the
tables of a device; their logs are folded once and summarised in memory, so that a list costs little.
What is remembered holds names, so it is dropped when an operator closes tables, as for erasing somebody,
and every hour.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from wonderland.bots.characters import level_in_name
from wonderland.discovery import Service
from wonderland.engine.errors import NotationError
from wonderland.engine.record_reader import AnyRecord, read_record
from wonderland.engine.values import Value
from wonderland.features.my_games.model import FinishedGame, Kind, OwnGame, SeatReview
from wonderland.features.my_games.reviews import GameReport, report_archive, review_seat
from wonderland.tables.descriptions import build_record
from wonderland.tables.forfeits import FORFEIT
from wonderland.tables.imported_games import ImportedGame, imported_games
from wonderland.tables.rate_limit import RateLimiter
from wonderland.tables.storage.documents import RECORDS
from wonderland.tables.storage.interface import StoredEntry
from wonderland.tables.stored_log import TableRefused
from wonderland.tables.table import Table
from wonderland.web.page_work import run_off_loop

if TYPE_CHECKING:
    from wonderland.tables.accounts import Account
    from wonderland.web.app import Site

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
MAX_GAMES = 500
"""Tables in a list, the most recent ones."""
_MAX_NEW = 200
"""Games that one request summarises; the next one goes on."""
_REPORTS_AT_ONCE = 50
_MAX_REMEMBERED = 20_000
_MAX_AGE = 3600.0
"""Seconds for which summaries are kept."""
_DAY = 86_400_000


class Person(Value, frozen=True):
    """Whoever asks: the hashes of their devices, this one first, and their account."""

    devices: tuple[str, ...]
    account: str = ""
    name: str = ""


class GameList(Value, frozen=True):
    """A person's finished games, latest first."""

    games: tuple[OwnGame, ...]
    missing: int = 0
    """Games that have not been read yet; the next request goes on."""
    has_more: bool = False
    """Whether there are more games than a list shows."""


class _Memory(dict[K, V], Generic[K, V]):
    """Bounded cache that evicts its oldest entry."""

    def keep(self, key: K, value: V) -> V:
        self[key] = value
        while len(self) > _MAX_REMEMBERED:
            del self[next(iter(self))]
        return value


class MyGamesService(Service):
    """Lists of finished games, their records and reviews."""

    def __init__(self, site: Site) -> None:
        self.imports = RateLimiter(rate=0.2, burst=300.0)
        """Records that a network may import; as many as it may upload one by one."""
        self._site = site
        self._games = _Memory[str, FinishedGame | None]()
        """Summaries by the name of the replay; `None` for what can't be read."""
        self._reviews = _Memory[tuple[str, int], SeatReview]()
        self._closings = 0
        self._since = time.monotonic()
        """When the summaries were last dropped."""

    async def person(self, device: str) -> Person:
        """Return who a device belongs to."""
        account: Account | None = await self._site.tables.people.find_by_device(device)
        if account is None:
            return Person((device,) if device else ())
        others = tuple(each.hash for each in account.devices if each.hash != device)
        return Person((device, *others), account.id, account.name)

    # Games

    async def games_of(self, person: Person) -> GameList:
        """Return a person's games, as far as they can be read within one request."""
        self._forget_closed()
        storage, closed = self._site.tables.storage, self._site.tables.cache.closed
        held: dict[str, set[int]] = {}
        is_full = False
        for device in person.devices:
            rows = await storage.seats_of_device(device, MAX_GAMES + 1)
            is_full = is_full or len(rows) > MAX_GAMES
            for row, seat in rows[:MAX_GAMES]:
                if row.status == "finished" and row.table not in closed:
                    held.setdefault(row.table, set()).add(seat)
        imported = await imported_games(storage.documents, person.devices)
        seats: dict[str, tuple[int, ...]] = {
            each.record: () if each.seat is None else (each.seat,) for each in imported
        }
        seats |= {table: tuple(sorted(found)) for table, found in held.items()}
        unknown = [name for name in seats if name not in self._games]
        await self._summarise(unknown[:_MAX_NEW], held, {each.record: each for each in imported})
        games = [
            OwnGame(game, seats[name]) for name in seats if (game := self._games.get(name)) is not None
        ]
        games.sort(key=lambda own: (own.game.ended, own.game.id), reverse=True)
        return GameList(tuple(games), max(0, len(unknown) - _MAX_NEW), is_full)

    def _forget_closed(self) -> None:
        """Drop all summaries when their names may have been erased since."""
        closings, now = self._site.tables.cache.closings, time.monotonic()
        if closings != self._closings or now - self._since > _MAX_AGE:
            self._closings, self._since = closings, now
            self._games.clear()

    async def _summarise(
        self, names: Sequence[str], held: Mapping[str, Any], imported: Mapping[str, ImportedGame]
    ) -> None:
        storage = self._site.tables.storage
        records = [name for name in names if name not in held]
        texts = await storage.documents.get_many(RECORDS, records) if records else {}
        for name in records:
            if name in texts:
                await self._keep(name, _from_record, name, texts[name], imported[name].time)
            else:
                self._games.keep(name, None)  # evicted from the store
        for name in names:
            if name in held:
                await self._keep(name, _from_log, await storage.read(name))

    async def _keep(self, name: str, read: Callable[..., FinishedGame | None], *given: Any) -> None:
        self._games.keep(name, await run_off_loop(lambda: read(*given)))

    async def record_of(self, own: OwnGame) -> AnyRecord | None:
        """Return the record of a game in a list; `None` if it has gone."""
        storage, name = self._site.tables.storage, own.game.id
        if own.game.kind == "imported":
            text = await storage.documents.get(RECORDS, name)
            return None if text is None else await run_off_loop(lambda: read_record(text).record)
        entries = await storage.read(name)
        return await run_off_loop(lambda: _record_in(entries))

    # Reviews

    async def reviews_of(self, games: Iterable[OwnGame]) -> dict[str, SeatReview]:
        """Return the coach's reviews of the person's seat, where reports exist, by game.

        Of many reports that have not been read yet, a request reads some; the next one goes on.
        """
        archive = report_archive(self._site)
        own = {each.game.id: each for each in games if each.seat is not None}
        if archive is None:
            return {}
        unknown = [each for each in own.values() if (each.game.id, each.seats[0]) not in self._reviews]
        done = 0
        for start in range(0, len(unknown), _REPORTS_AT_ONCE):
            some = unknown[start : start + _REPORTS_AT_ONCE]
            found = await archive.finished_reports(
                (each.game.id, each.game.game, len(each.game.names)) for each in some
            )
            for name, report in found.items():
                await self._review(own[name], report)
            done += len(found)
            if done >= _REPORTS_AT_ONCE:
                break
        keys = ((name, (name, each.seats[0])) for name, each in own.items())
        return {name: self._reviews[key] for name, key in keys if key in self._reviews}

    async def _review(self, own: OwnGame, report: GameReport) -> None:
        record, name, seat = await self.record_of(own), own.game.id, own.seats[0]
        if record is not None:
            review = await run_off_loop(lambda: review_seat(name, record, report, seat))
            self._reviews.keep((name, seat), review)

    async def report_on(self, own: OwnGame) -> GameReport | None:
        """Return the coach's report on a game, if there is one."""
        archive = report_archive(self._site)
        if archive is None:
            return None
        found = await archive.finished_reports([(own.game.id, own.game.game, len(own.game.names))])
        return found.get(own.game.id)


def _fold(entries: Sequence[StoredEntry]) -> Table | None:
    """Replay a log; `None` if there is none, or it was written under other rules."""
    try:
        table = Table(entries[0]) if entries else None
        for entry in entries[1:]:
            assert table is not None  # noqa: S101 - there is a first entry
            table.follow(entry)
    except TableRefused:
        return None
    return table


def _record_in(entries: Sequence[StoredEntry]) -> AnyRecord | None:
    table = _fold(entries)
    return None if table is None else build_record(table)


def _from_log(entries: Sequence[StoredEntry]) -> FinishedGame | None:
    """Summarise the game at a table; `None` if it isn't over or can't be replayed."""
    table = _fold(entries)
    if table is None or (result := table.result) is None:
        return None
    opened = table.opened
    is_branch = bool(opened.begun) and not opened.earlier  # a rematch begins with who starts
    kind: Kind = "rated" if opened.rated else "continued" if is_branch else "table"
    return FinishedGame(
        table.id,
        opened.game,
        "tutorial" if opened.is_tutorial else kind,
        table.turn_time,
        tuple(place.name for place in table.places),
        tuple(place.level if place.kind == "bot" else "" for place in table.places),
        result.winners,
        result.places,
        () if result.ending == FORFEIT else result.scores,
    )


def _from_record(name: str, text: bytes, imported: int) -> FinishedGame | None:
    """Summarise an imported record; `None` if today's rules reject it."""
    try:
        record = read_record(text).whole
    except NotationError:
        return None
    game, result = record.game.info.name, record.result
    if result is None:
        return None
    day = None if record.date is None else datetime.fromisoformat(record.date).replace(tzinfo=UTC)
    return FinishedGame(
        name,
        game,
        "imported",
        imported // _DAY * _DAY if day is None else round(day.timestamp() * 1000),
        record.names,
        tuple(level_in_name(game, each) or "" for each in record.names),
        result.winners,
        result.places,
        result.scores,
    )


def create(site: Site) -> MyGamesService:
    """Create the service of a site."""
    return MyGamesService(site)


def service_of(site: Site) -> MyGamesService:
    """Return the service of a site."""
    return cast("MyGamesService", site.services["my_games"])

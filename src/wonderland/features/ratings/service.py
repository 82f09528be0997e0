"""Ratings of a server's players, updated as rated games end.

Ratings are a fold over the stored results of rated tables (`tables/rated_games.py`), in the order in
which the games ended. Each process caches the fold and extends it incrementally. A result that arrives
out of order, from a server that was offline, triggers a full recomputation, so that all processes agree.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from wonderland.discovery import Service
from wonderland.features.ratings.model import Ladder
from wonderland.tables.rate_limit import RateLimiter
from wonderland.tables.rated_games import RatedResult, kind, recent_results
from wonderland.tables.storage.interface import Storage

if TYPE_CHECKING:
    from wonderland.web.app import Site

_OVERLAP = 20
"""Results read in addition to the new ones, because server clocks differ a little."""
_MAX_INCREMENT = 100
"""Larger updates are recomputed in another thread."""


class RatedHistory:
    """The rated results of one game, and the ladder computed from them."""

    def __init__(self, outcomes: Iterable[RatedResult] = ()) -> None:
        self.tables: set[str] = set()
        self.outcomes: list[RatedResult] = []
        """In the order in which the games ended."""
        self.ladder = Ladder()
        self._add(sorted(outcomes, key=_end_time))

    def _add(self, outcomes: Sequence[RatedResult]) -> None:
        for outcome in outcomes:
            self.ladder.add(outcome.people, outcome.winners)
        self.outcomes += outcomes
        self.tables |= {outcome.table for outcome in outcomes}

    def take(self, found: Iterable[RatedResult]) -> bool:
        """Add new results if they are few and all ended last; return whether that was possible."""
        new = sorted((each for each in found if each.table not in self.tables), key=_end_time)
        is_out_of_order = bool(new and self.outcomes) and _end_time(new[0]) < _end_time(
            self.outcomes[-1]
        )
        if is_out_of_order or len(new) > _MAX_INCREMENT:
            return False
        self._add(new)
        return True


def _end_time(outcome: RatedResult) -> tuple[int, str]:
    return outcome.time, outcome.table


class RatingService(Service):
    """Cached rating histories of all games."""

    def __init__(self, storage: Storage) -> None:
        self.names = RateLimiter(rate=0.1, burst=20.0)
        """Rate limit for creating and recovering accounts."""
        self._storage = storage
        self._histories: dict[str, RatedHistory] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def of(self, game: str) -> RatedHistory:
        """Return the up-to-date rating history of a game."""
        async with self._locks.setdefault(game, asyncio.Lock()):
            played, documents = self._histories.get(game) or RatedHistory(), self._storage.documents
            total = await documents.count(kind(game))
            if total != len(played.tables):
                found = await recent_results(
                    documents, game, max(0, total - len(played.tables)) + _OVERLAP
                )
                is_complete = len(played.tables | {each.table for each in found}) == total
                if not is_complete or not played.take(found):
                    found = await recent_results(documents, game)
                    # a new history: other requests may still read the old one
                    played = await asyncio.to_thread(RatedHistory, found)
            self._histories[game] = played
        return played


def create(site: Site) -> RatingService:
    """Create the rating service of a site."""
    return RatingService(site.tables.storage)


def service_of(site: Site) -> RatingService:
    """Return the rating service of a site."""
    return cast("RatingService", site.services["ratings"])

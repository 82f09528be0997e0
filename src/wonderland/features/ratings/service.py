"""The ratings of this server's people, followed as rated games come to their end.

They are the fold of what is noted of rated tables (`tables/rated_games.py`), in the order in which these
ended. A process remembers how far it has come. What was noted late, by a server that had been away, is
put where it belongs, and the fold is made anew: so all processes come to the same ratings.
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
"""So many are read beyond those that are new: clocks of servers differ a little."""
_AT_ONCE = 100
"""More games than these are counted in another thread."""


class RatedHistory:
    """The rated games of one game, and the ladder that they make."""

    def __init__(self, outcomes: Iterable[RatedResult] = ()) -> None:
        self.tables: set[str] = set()
        self.outcomes: list[RatedResult] = []
        """In the order of their ends."""
        self.ladder = Ladder()
        self._add(sorted(outcomes, key=_when))

    def _add(self, outcomes: Sequence[RatedResult]) -> None:
        for outcome in outcomes:
            self.ladder.add(outcome.people, outcome.winners)
        self.outcomes += outcomes
        self.tables |= {outcome.table for outcome in outcomes}

    def take(self, found: Iterable[RatedResult]) -> bool:
        """Add what is not known yet, if it is not much and came to its end after all others."""
        new = sorted((each for each in found if each.table not in self.tables), key=_when)
        late = bool(new and self.outcomes) and _when(new[0]) < _when(self.outcomes[-1])
        if late or len(new) > _AT_ONCE:
            return False
        self._add(new)
        return True


def _when(outcome: RatedResult) -> tuple[int, str]:
    return outcome.time, outcome.table


class RatingService(Service):
    """What is known of all games."""

    def __init__(self, storage: Storage) -> None:
        self.names = RateLimiter(rate=0.1, burst=20.0)
        """How often names are taken or claimed."""
        self._storage = storage
        self._played: dict[str, RatedHistory] = {}
        self._turns: dict[str, asyncio.Lock] = {}

    async def of(self, game: str) -> RatedHistory:
        """What has been played of a game, as it is now."""
        async with self._turns.setdefault(game, asyncio.Lock()):
            played, shelf = self._played.get(game) or RatedHistory(), self._storage.shelf
            total = await shelf.count(kind(game))
            if total != len(played.tables):
                found = await recent_results(shelf, game, max(0, total - len(played.tables)) + _OVERLAP)
                whole = len(played.tables | {each.table for each in found}) == total
                if not whole or not played.take(found):
                    found = await recent_results(shelf, game)
                    played = await asyncio.to_thread(
                        RatedHistory, found
                    )  # beside those who read the old one
            self._played[game] = played
        return played


def create(site: Site) -> RatingService:
    """Make the ratings of a site."""
    return RatingService(site.house.storage)


def service_of(site: Site) -> RatingService:
    """The ratings of a site."""
    return cast("RatingService", site.services["ratings"])

"""State of the replay feature for one site: the rate limit of uploads."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from wonderland.discovery import Service
from wonderland.tables.rate_limit import RateLimiter

if TYPE_CHECKING:
    from wonderland.web.app import Site


class ReplayService(Service):
    """Holds the rate limiter for uploads."""

    def __init__(self) -> None:
        self.uploads = RateLimiter(rate=0.2, burst=30.0)


def create(_site: Site) -> ReplayService:
    """Create the service of a site."""
    return ReplayService()


def service_of(site: Site) -> ReplayService:
    """Return the service of a site."""
    return cast("ReplayService", site.services["replay"])

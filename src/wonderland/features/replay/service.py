"""What replays keep while a site is served: the rate limit of uploads."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from wonderland.discovery import Service
from wonderland.tables.rate_limit import RateLimiter

if TYPE_CHECKING:
    from wonderland.web.app import Site


class ReplayService(Service):
    """The rate limit of uploads."""

    def __init__(self) -> None:
        self.uploads = RateLimiter(rate=0.2, burst=30.0)


def create(_site: Site) -> ReplayService:
    """Make the service of one site."""
    return ReplayService()


def service_of(site: Site) -> ReplayService:
    """The service of a site."""
    return cast("ReplayService", site.services["replay"])

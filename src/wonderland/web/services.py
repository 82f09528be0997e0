"""What a feature keeps while a site is served: queues, caches, rate limits."""

from __future__ import annotations


class Service:
    """The base of services: made by `create(site)` of a feature, and found in `site.services`."""

    def start(self) -> None:
        """Begin to work in the background; the storage is open."""

    async def close(self) -> None:
        """Stop before the storage is closed."""

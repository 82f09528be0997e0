"""What the server counts, for Prometheus: `/metrics`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from wonderland.web.app import Site


class Metrics:
    """Counters of one process, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.requests = Counter(
            "wonderland_requests", "Requests answered.", ["route", "status"], registry=registry
        )
        self.seconds = Histogram(
            "wonderland_request_seconds", "Time from request to answer.", ["route"], registry=registry
        )
        self.stalled = Counter(
            "wonderland_stalled", "Connections cut off for not reading.", registry=registry
        )
        self.limited = Counter(
            "wonderland_limited", "Requests and messages beyond the rate limit.", registry=registry
        )

    def watch(self, site: Site) -> None:
        """Read from the site what it knows itself, whenever somebody asks."""
        house, attendants, gauge = site.house, site.attendants, self.gauge
        gauge("connections", "Open WebSockets.", lambda: len(site.live))
        gauge("rooms", "Tables in memory.", lambda: len(house.rooms))
        gauge("bots_thinking", "Bots that think or wait to.", lambda: attendants.thinking)
        gauge("entries_committed", "Log entries written since the start.", lambda: house.committed)
        gauge(
            "log_statements",
            "Statements that have read logs since the start.",
            lambda: house.storage.log_statements,
        )

    def gauge(self, name: str, about: str, value: Callable[[], float]) -> None:
        """Add a gauge that is read whenever somebody asks."""
        Gauge(f"wonderland_{name}", about, registry=self.registry).set_function(value)

    def text(self) -> bytes:
        """All of it in Prometheus' own words."""
        return generate_latest(self.registry)

"""Prometheus metrics of the server, served at `/metrics`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from wonderland.web.app import Site


class Metrics:
    """The metrics of one process, in their own registry."""

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
        """Add gauges that read the site's state on every scrape."""
        tables, automation, gauge = site.tables, site.automation, self.gauge
        gauge("connections", "Open WebSockets.", lambda: len(site.live))
        gauge("rooms", "Tables in memory.", lambda: len(tables.live_tables))
        gauge("bots_thinking", "Bots that think or wait to.", lambda: automation.thinking)
        gauge("entries_committed", "Log entries written since the start.", lambda: tables.committed)
        gauge(
            "log_statements",
            "Statements that have read logs since the start.",
            lambda: tables.storage.log_statements,
        )

    def gauge(self, name: str, about: str, value: Callable[[], float]) -> None:
        """Add a gauge whose value is read on every scrape."""
        Gauge(f"wonderland_{name}", about, registry=self.registry).set_function(value)

    def text(self) -> bytes:
        """Return all metrics in the Prometheus text format."""
        return generate_latest(self.registry)

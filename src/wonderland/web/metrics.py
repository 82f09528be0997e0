"""Prometheus metrics of the server, served at `/metrics`.

With several workers, the one that is asked collects the metrics of all and adds them up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from wonderland.web.app import Site


QUESTION = b"metrics"
"""What workers ask each other for."""
_Key: TypeAlias = tuple[str, tuple[tuple[str, str], ...]]
"""The name and the labels of a value."""
_LEAST = ("wonderland_ready", "process_start_time_seconds", "process_max_fds")
"""Metrics of which the least is shown, not the sum."""


class Metrics:
    """The metrics of one process, in their own registry."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)  # memory, processor time, open files
        self.requests = Counter(
            "wonderland_requests", "Requests answered.", ["route", "status"], registry=registry
        )
        self.seconds = Histogram(
            "wonderland_request_seconds", "Time from request to answer.", ["route"], registry=registry
        )
        self.banned = Counter(
            "wonderland_banned", "Requests refused because of a ban.", registry=registry
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
        gauge("workers", "Worker processes that have been counted.", lambda: 1)
        gauge("connections", "Open WebSockets.", lambda: len(site.live))
        gauge("pages_waiting", "Pages that wait to be rendered.", lambda: len(site.work))
        gauge("work_refused", "Requests refused for their cost.", lambda: site.work.refused)
        gauge("ready", "Whether the last check could write.", lambda: site.readiness.is_ready)
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


async def collect_metrics(site: Site) -> bytes:
    """Return the metrics of all workers of a server, as one text."""
    own = site.metrics.text()
    if site.handoff is None:
        return own
    return combine([own, *await site.handoff.ask_others(QUESTION)])


def combine(texts: Iterable[bytes]) -> bytes:
    """Add up metrics in the text format; of some, take the least."""
    combined = _Combined()
    for text in texts:
        for family in text_string_to_metric_families(text.decode()):
            combined.add(family)
    return generate_latest(combined)


class _Combined(Collector):
    """Metrics of several processes, by name and by labels."""

    def __init__(self) -> None:
        self._families: dict[str, Metric] = {}
        self._values: dict[str, dict[_Key, float]] = {}

    def add(self, family: Metric) -> None:
        """Add the metrics of one name that one process has."""
        self._families.setdefault(family.name, family)
        known = self._values.setdefault(family.name, {})
        takes_least = family.name in _LEAST or family.name.endswith("_created")
        for sample in family.samples:
            key, value = (sample.name, tuple(sample.labels.items())), sample.value
            if key in known:
                value = min(known[key], value) if takes_least else known[key] + value
            known[key] = value

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of all processes."""
        for name, family in self._families.items():
            found = Metric(name, family.documentation, family.type)
            for (sample, labels), value in self._values[name].items():
                found.add_sample(sample, dict(labels), value)
            yield found

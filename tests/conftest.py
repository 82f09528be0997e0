"""How large the campaigns are: `pytest --examples 5000` looks longer than the suite does."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent
UNCOUNTED = tuple(
    HERE / name for name in ("client", "commands", "environments", "lab", "tables", "terminal", "web")
)
"""Whose tests run without counting branches, which would take as long again: those of the rules, in
`core` and `games`, reach them all."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--examples", type=int, default=25, help="how many examples each property is tried with"
    )


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as shells start what runs in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)  # what tests start must hear Ctrl-C
    settings.register_profile(
        "wonderland",
        deadline=None,  # shared machines are noisy
        max_examples=config.getoption("--examples"),
        suppress_health_check=[HealthCheck.too_slow],
        print_blob=True,
    )
    settings.load_profile("wonderland")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(item.path.is_relative_to(folder) for folder in UNCOUNTED):
            item.add_marker("no_cover")

"""How large the campaigns are: `pytest --examples 5000` looks longer than the suite does.

`pytest --late 400 tests/web` puts every browser at the end of a slow line: what people do before they
have heard anything must not be lost, and a test must not believe that it has been heard.
"""

from __future__ import annotations

import faulthandler
import signal
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent
_FOLDERS = ("client", "commands", "environments", "lab", "tables", "terminal", "web", "wire")
UNCOUNTED = [HERE / folder for folder in _FOLDERS]
"""Whose tests run without counting branches, which takes as long again; the others reach them all."""
HUNG = 900
"""Seconds after which a test is taken for one that never ends."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--examples", type=int, default=25, help="how many examples each property is tried with"
    )
    parser.addoption(
        "--late", type=int, default=0, help="how many milliseconds later browsers hear what servers say"
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
    """First what counts branches; then browsers, which want two cores, take turns with the rest."""
    modules: dict[Path, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.path, []).append(item)
    kinds: dict[str, list[Path]] = {"counted": [], "browsers": [], "rest": []}
    for path, tests in modules.items():
        kind = "browsers" if "chromium" in getattr(tests[0], "fixturenames", ()) else "rest"
        kinds[kind if is_in_uncounted(path) else "counted"].append(path)
    spread = sorted(
        (place / len(kinds[kind]), kind, path)
        for kind in ("browsers", "rest")
        for place, path in enumerate(kinds[kind], start=1)
    )
    order = [*kinds["counted"], *(path for _, _, path in spread)]
    items[:] = [item for path in order for item in modules[path]]


def is_in_uncounted(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in UNCOUNTED)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    is_uncounted = item.get_closest_marker("uncounted") is not None or is_in_uncounted(item.path)
    with given_up_if_it_hangs(item.config), untraced() if is_uncounted else nullcontext():
        return (yield)


@contextmanager
def untraced() -> Iterator[None]:
    """Count no branches; pytest-cov's `no_cover` does nothing in several workers."""
    tracing, in_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)  # type: ignore[arg-type]
    try:
        yield
    finally:
        sys.settrace(tracing)
        threading.settrace(in_threads)  # type: ignore[arg-type]


@contextmanager
def given_up_if_it_hangs(config: pytest.Config) -> Iterator[None]:
    """End this worker if a test does not: that is told as a crash, with the name of the test."""
    if hasattr(config, "workerinput"):
        faulthandler.dump_traceback_later(HUNG, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()

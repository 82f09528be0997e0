"""Options, markers and the order of the suite.

`pytest --examples 5000` tries each property with more examples than the suite does.

`pytest --release -m release` checks what must hold before a release: that everything is translated.

`pytest --latency 400 -m browser` puts every browser on a slow connection: clicks made before the first
message arrives must not be lost, and a test must not assume that it has arrived.
"""

from __future__ import annotations

import faulthandler
import io
import os
import signal
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["support.fixtures"]

TESTS = Path(__file__).parent
COUNTED = ("engine", "components", "kernels", "games")
"""Folders whose tests count branches, as do this folder's own and doctests: together they reach every
branch. The others run without, since counting doubles their time."""
MEASURED = "*/games/*/ui/*"
"""Modules whose branches are counted and reported, but may be missed."""
HUNG = 900
"""Seconds after which a test counts as hung."""
MARKERS = {
    "chromium": "browser",
    "postgres": "postgres",
    "in_postgres": "postgres",
    "cluster": "cluster",
}
"""Markers by the fixture that a test uses, directly, through others, or as a parameter."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--examples", type=int, default=25, help="number of examples for each property")
    parser.addoption(
        "--latency", type=int, default=0, help="milliseconds until a server's message reaches a browser"
    )
    parser.addoption("--release", action="store_true", help="run the tests marked `release` too")


def pytest_configure(config: pytest.Config) -> None:
    os.environ["LANGUAGE"] = "en"  # commands must not speak the language of the machine
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # shells do this for background jobs
        signal.signal(signal.SIGINT, signal.default_int_handler)  # child processes need Ctrl-C
    settings.register_profile(
        "wonderland",
        deadline=None,  # shared machines are noisy
        max_examples=config.getoption("--examples"),
        suppress_health_check=[HealthCheck.too_slow],
        print_blob=True,
    )
    settings.load_profile("wonderland")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three workers for every two cores, because tests with browsers and servers often wait."""
    cores = os.cpu_count() or 1
    return cores + cores // 2


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        mark(item)
    sort(items)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("release") and not item.config.getoption("--release"):
        pytest.skip("checked before a release")


def mark(item: pytest.Item) -> None:
    """Add the markers of the fixtures that a test uses."""
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    used = {*getattr(item, "fixturenames", ()), *(each for each in parameters if isinstance(each, str))}
    for marker in {MARKERS[fixture] for fixture in used & MARKERS.keys()}:
        item.add_marker(marker)


def sort(items: list[pytest.Item]) -> None:
    """Put tests that count branches first; then alternate tests in a browser with the rest.

    A browser and its server need two cores.
    """
    modules: dict[Path, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.path, []).append(item)
    kinds: dict[str, list[Path]] = {"counted": [], "browser": [], "rest": []}
    for path, tests in modules.items():
        kind = "browser" if tests[0].get_closest_marker("browser") else "rest"
        kinds["counted" if counts_branches(path) else kind].append(path)
    spread = sorted(
        (place / len(kinds[kind]), kind, path)
        for kind in ("browser", "rest")
        for place, path in enumerate(kinds[kind], start=1)
    )
    order = [*kinds["counted"], *(path for _, _, path in spread)]
    items[:] = [item for path in order for item in modules[path]]


def counts_branches(path: Path) -> bool:
    if path.parent == TESTS or not path.is_relative_to(TESTS):
        return True
    return any(path.is_relative_to(TESTS / folder) for folder in COUNTED)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    is_counted = counts_branches(item.path) and item.get_closest_marker("uncounted") is None
    with kill_if_hung(item.config), nullcontext() if is_counted else without_branch_counting():
        return (yield)


@contextmanager
def without_branch_counting() -> Iterator[None]:
    """Count no branches; pytest-cov's `no_cover` has no effect with several workers."""
    tracing, in_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)  # type: ignore[arg-type]
    try:
        yield
    finally:
        sys.settrace(tracing)
        threading.settrace(in_threads)  # type: ignore[arg-type]


@contextmanager
def kill_if_hung(config: pytest.Config) -> Iterator[None]:
    """Kill this worker if a test never ends, which is then reported as a crash of that test."""
    if hasattr(config, "workerinput"):
        faulthandler.dump_traceback_later(HUNG, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Add the share of branches that is only measured."""
    counting = config.pluginmanager.getplugin("_cov")
    if counting is None or counting.cov_controller is None or config.getoption("no_cov"):
        return
    reached = counting.cov_controller.cov.report(include=[MEASURED], file=io.StringIO())
    terminalreporter.write_line(f"{MEASURED}: {reached:.1f}% of branches, without a limit")

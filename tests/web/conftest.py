"""A server and a browser for the tests of pages; each module that asks for them has its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from browsing import ARGUMENTS, BROWSER, Person, people, sync_playwright
from serving import Served, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("tables"), "--coach-playouts", "2000") as served:
        yield served


@pytest.fixture(scope="module")
def chromium(server: Served) -> Iterator[Any]:
    """Comes after the server: who fills its tables runs a loop, which the browser would not allow."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def late(pytestconfig: pytest.Config) -> int:
    return int(pytestconfig.getoption("late"))


@pytest.fixture
def person(chromium: Any, server: Served, late: int) -> Iterator[Person]:
    """Opens pages for people; whatever a browser complained of fails the test."""
    with people(chromium, server.address, late) as opened:
        yield opened

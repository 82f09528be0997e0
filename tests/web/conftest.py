"""A server and a browser for the tests of pages; each module that asks for them has its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from browsing import ARGUMENTS, BROWSER, DESK, PATIENCE, Person, sync_playwright
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


@pytest.fixture
def person(chromium: Any, server: Served) -> Iterator[Person]:
    """Opens pages for people; whatever a browser complained of fails the test."""
    complaints: list[str] = []
    contexts = []

    def opened(path: str = "/", *, pace: str = "0", quiet: bool = False, **wishes: Any) -> Any:
        context = chromium.new_context(base_url=server.address, **({**DESK} | wishes))
        context.add_init_script(
            f"localStorage.getItem('pace') ?? localStorage.setItem('pace', '{pace}')"
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        if not quiet:
            page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path)
        return page

    yield opened
    found = list(complaints)
    for context in contexts:
        for page in context.pages:
            page.goto("about:blank")  # to close a context on its way to a page may never end
        context.close()
    assert found == []

"""One real server for the tests of its two descriptions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from serving import Served, serving


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("server")) as served:
        yield served

"""One real server for the tests of its API documents."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.server import ServerProcess, run_server


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with run_server(tmp_path_factory.mktemp("server")) as served:
        yield served

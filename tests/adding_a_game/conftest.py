"""The game of `docs/adding-a-game.md`: once with only its rules, once with all its files."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.documented_game import FILES, MORE, Package, write_package
from support.server import ServerProcess, run_server


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """Package with only the rules."""
    return write_package(tmp_path_factory.mktemp("bare"), list(FILES)[: list(FILES).index(MORE)])


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """Package with all files."""
    return write_package(tmp_path_factory.mktemp("whole"), list(FILES))


@pytest.fixture(scope="module", params=["bare", "whole"])
def package(request: pytest.FixtureRequest) -> Package:
    found: Package = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def server(package: Package, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("PYTHONPATH", package.paths)
        changed.chdir(package.source.parent)
        with run_server(tmp_path_factory.mktemp("tables")) as served:
            yield served

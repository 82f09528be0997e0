"""A server that started before its kernels were compiled uses them as soon as they are."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import wonderland
from wonderland.kernels.kernel import describe_kernels

PACKAGE = Path(wonderland.__file__).parent
LEVELS = """
import sys, pathlib, shutil
from wonderland.bots import levels
from wonderland.engine.registry import component, game_names
from wonderland.kernels.kernel import kernel, reload_kernels

def is_compiled(name):
    has_bots = levels(name)[-1].make() is not None
    return kernel(name).COMPILED, component(name, "bots.levels").COMPILED, has_bots

print([is_compiled(name) for name in game_names()])
compiled, here = map(pathlib.Path, sys.argv[1:])
for file in compiled.rglob("*.so"):
    shutil.copy2(file, here / file.relative_to(compiled))
reload_kernels()
print([is_compiled(name) for name in game_names()])
"""


@pytest.fixture
def uncompiled(tmp_path: Path) -> Path:
    """Copy the package without its compiled modules."""
    if "not compiled" in describe_kernels():
        pytest.skip("the kernels are not compiled here")
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "wonderland", ignore=ignored)
    return tmp_path


def _environment(folder: Path, **more: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"} | more


@pytest.mark.slow
def test_kernels_and_levels_are_compiled_after_a_reload(uncompiled: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", LEVELS, str(PACKAGE), str(uncompiled / "wonderland")],
        env=_environment(uncompiled),
        capture_output=True,
        text=True,
        check=True,
    )
    before, after = run.stdout.splitlines()
    assert before.count("(False, False, True)") == 3
    assert after.count("(True, True, True)") == 3


@pytest.mark.slow
def test_a_running_server_loads_the_kernels_when_the_stamp_appears(uncompiled: Path) -> None:
    stamp = uncompiled / "kernels.stamp"
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "wonderland", "serve", "--port", "0", "--log", "info"),
            *("--database", str(uncompiled / "tables.db")),
        ],
        env=_environment(uncompiled, WONDERLAND_KERNELS_STAMP=str(stamp)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            assert server.stdout.readline()  # it serves before the kernels are there
            for file in PACKAGE.rglob("*.so"):
                shutil.copy2(file, uncompiled / "wonderland" / file.relative_to(PACKAGE))
            stamp.touch()
            reloaded = next(line for line in _log(server) if line["message"] == "kernels reloaded")
            assert "not compiled" not in reloaded["kernels"]
        finally:
            server.terminate()


def _log(server: subprocess.Popen[str]) -> Iterator[dict[str, str]]:
    assert server.stderr is not None
    for line in server.stderr:
        yield json.loads(line)

"""On a machine without a compiler the package installs and plays, only slower."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import ROOT

pytestmark = pytest.mark.slow

NEEDED = ("src", "setup.py", "pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package with pip from a fresh copy, where every call of the compiler fails."""
    copy, home = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("installed")
    for name in NEEDED:
        source = ROOT / name
        if source.is_dir():
            built = shutil.ignore_patterns("*.so", "*.pyd", "*.egg-info", "*.pyc")
            shutil.copytree(source, copy / name, ignore=built)
        else:
            shutil.copy(source, copy)
    options = ["--no-deps", "--no-index", "--no-build-isolation", "--target", str(home)]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", *options, str(copy)],
        check=True,
        capture_output=True,
        env=os.environ | {"CC": "false", "CXX": "false", "WONDERLAND_KERNELS": "here"},
    )
    return home


def run(home: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "wonderland", *command],
        capture_output=True,
        text=True,
        check=False,
        cwd=home,
        env=os.environ | {"PYTHONPATH": str(home)},
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def test_it_is_installed_and_prints_its_version(installed: Path) -> None:
    assert not list(installed.rglob("wonderland/**/*.so"))
    assert "kernels not compiled, slower" in run(installed, "--version")


@pytest.mark.parametrize("game", ["cookies", "letters", "parade"])
def test_it_simulates_and_its_bots_play(installed: Path, game: str) -> None:
    assert "20 games" in run(installed, "simulate", game, "--games", "20", "--seed", "1")
    assert "White Rabbit" in run(installed, "arena", game, "dodo", "white-rabbit", "--deals", "1")

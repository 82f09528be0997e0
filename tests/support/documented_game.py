"""The game of `docs/adding-a-game.md`, exactly as printed.

It is installed into temporary folders and runs in other processes, so this one never imports it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from support.paths import ROOT

TEXT = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
BLOCKS = re.findall(
    r"(?:^\*\*`([^`\n]+)`\*\*[^\n]*\n\n)?^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL
)
FILES = {name: text for name, _, text in BLOCKS if name}
SCRIPTS = [text for name, kind, text in BLOCKS if not name and kind == "python"]
COMMANDS = [line for _, kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
MORE = "tarts/words.py"
"""The first optional file."""
PIP = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target"]


class Package(NamedTuple):
    """The game's source so far, and where it is installed."""

    source: Path
    paths: str
    is_whole: bool

    def run(self, *command: str, said: str = "", code: int = 0) -> str:
        """Run Python with the game installed, check the exit code, and return the output."""
        done = subprocess.run(
            [sys.executable, *command],
            input=said,
            capture_output=True,
            text=True,
            check=False,
            cwd=self.source.parent,  # not the source folder: only what is installed counts
            env=os.environ | {"PYTHONPATH": self.paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    def wonderland(self, *command: str, said: str = "", code: int = 0) -> str:
        return self.run("-m", "wonderland", *command, said=said, code=code)


def write_package(home: Path, names: list[str]) -> Package:
    """Write some of the printed files and install them as a package."""
    source, installed = home / "source", home / "installed"
    for name in names:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(FILES[name], encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "install", *PIP, str(installed), str(source)]
    subprocess.run(pip, check=True, capture_output=True)
    paths = os.pathsep.join([str(ROOT / "src"), str(installed)])
    return Package(source, paths, is_whole=len(names) == len(FILES))

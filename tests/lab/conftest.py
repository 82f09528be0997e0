"""Fixtures shared by the tests of the lab."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from support import lab_command
from support.paths import SOURCE

TALLY = SOURCE / "wonderland" / "lab" / "tally.py"


def load(path: Path, name: str) -> ModuleType:
    """Load a module from its file under another name, so never a compiled one."""
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def uncompiled_tally() -> ModuleType:
    return load(TALLY, "uncompiled_tally")


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run a command within this process."""

    def answer(*arguments: str | Sequence[str]) -> Answer:
        code = lab_command.main(list(map(str, arguments)))
        found = capsys.readouterr()
        return Answer(code, found.out, found.err)

    return answer

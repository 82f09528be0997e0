"""The C program that the kernel is measured against plays by all the rules: the kernel's own games."""

from __future__ import annotations

import shutil
import subprocess
from array import array
from pathlib import Path

import pytest

from support.kernel_variants import kernel, variants
from support.paths import ROOT
from wonderland.engine import game
from wonderland.games.parade.encoding import packing
from wonderland.kernels.kernel import ROW
from wonderland.kernels.processor import is_modern

PARADE = game("parade")
COMPILER = shutil.which("cc")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if COMPILER is None or not is_modern():
        pytest.skip("needs a C compiler, and a processor with BMI2")
    made = tmp_path_factory.mktemp("yardstick") / "parade"
    source = ROOT / "benchmarks" / "parade.c"
    subprocess.run([COMPILER, "-O1", "-march=x86-64-v3", "-o", made, source], check=True)
    return made


@pytest.mark.parametrize("seats", PARADE.info.seats)
def test_the_tuned_program_plays_the_games_of_the_kernel(program: Path, seats: int) -> None:
    plays, seed = 500, 5
    table, rows = kernel("parade", variants("parade")[-1]).KernelState(), array("i", [0]) * (ROW * plays)
    table.load(packing.pack(PARADE.start(seats, PARADE.options_type())))
    table.simulate(rows, [0] * seats, seed, 0, plays)
    asked = [program, str(seats), str(plays), str(seed), "each"]
    said = subprocess.run(asked, check=True, capture_output=True, text=True)
    assert [int(number) for number in said.stdout.split()] == rows.tolist()

"""Compile the C programs in this folder that serve as baselines."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from wonderland.kernels.processor import is_modern


def compiled(source: str, folder: str) -> Path | None:
    """Compile a C program for processors like this one; return `None` if that isn't possible here.

    For x86-64-v3, as our kernels: with AVX-512 (`-march=native`), GCC 12 made slower programs.
    """
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or not is_modern():
        return None
    program = Path(folder) / Path(source).stem
    if not program.exists():
        at = Path(__file__).with_name(source)
        subprocess.run([compiler, "-O3", "-march=x86-64-v3", "-o", program, at], check=True)  # noqa: S603
    return program

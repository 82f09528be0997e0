"""The C programs beside this file that ours are measured against."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from wonderland.kernels.processor import is_modern


def compiled(source: str, folder: str) -> Path | None:
    """A C program beside this file, compiled for this processor; `None` if that can't be done here."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or not is_modern():
        return None
    program = Path(folder) / Path(source).stem
    if not program.exists():
        at = Path(__file__).with_name(source)
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, at], check=True)  # noqa: S603
    return program

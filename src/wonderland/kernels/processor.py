"""Processor features of this machine. `setup.py` runs this file, so it imports nothing of ours."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")
_X86_64_V3_FLAGS = {"avx2", "bmi1", "bmi2", "abm", "fma", "movbe"}


@cache
def is_modern() -> bool:
    """Whether the processor supports `x86-64-v3`; an unsupported instruction would kill the process."""
    try:
        lines = _CPUINFO.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return False
    flags = next((set(line.split()) for line in lines if line.startswith("flags")), set())
    return flags >= _X86_64_V3_FLAGS

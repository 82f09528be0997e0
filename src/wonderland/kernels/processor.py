"""What this machine's processor can do. `setup.py` asks too, so nothing is imported here."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_SAYS = Path("/proc/cpuinfo")
_MODERN = {"avx2", "bmi1", "bmi2", "abm", "fma", "movbe"}


@cache
def is_modern() -> bool:
    """Whether it has what `x86-64-v3` names: the wrong instruction kills a process."""
    try:
        lines = _SAYS.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return False
    flags = next((set(line.split()) for line in lines if line.startswith("flags")), set())
    return flags >= _MODERN

"""The verifier of shuffles in `examples/`, as a module."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from support.paths import ROOT

PATH = ROOT / "examples" / "verify_shuffle.py"


def _load() -> Any:
    spec = spec_from_file_location("verify_shuffle", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["verify_shuffle"] = module  # its named tuples need it
    spec.loader.exec_module(module)
    return module


example = _load()

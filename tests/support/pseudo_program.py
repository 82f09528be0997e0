"""The program with the pseudo-locale as one more language, which `--language xx` chooses."""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]

if __name__ == "__main__":
    sys.path[:1] = [str(TESTS), str(TESTS.parent / "scripts")]  # this folder has names of the library

    import pytest

    from support.pseudo_locale import install_pseudo_language
    from wonderland.cli import main

    install_pseudo_language(pytest.MonkeyPatch())
    sys.exit(main())

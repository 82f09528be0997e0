"""Folders of the repository, wherever the test that needs them is."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
SOURCE = ROOT / "src"
RECORDS = TESTS / "records"
"""Recorded games, a folder for each game."""

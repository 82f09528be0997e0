"""Servers and the command that works beside them, in a hurry."""

from __future__ import annotations

import pytest

from wonderland.tables import erasure
from wonderland.web import moderation


@pytest.fixture(autouse=True)
def _quick_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moderation, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(erasure, "CLOSING_SECONDS", 0.5)
    monkeypatch.setattr("wonderland.features.admin.moderation.CLOSING_SECONDS", 0.5)

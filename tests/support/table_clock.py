"""The time of a table service, under the control of a test."""

from __future__ import annotations

import pytest

from wonderland.tables import automation, live_table, presence, service


class Clock:
    """The time of the service, which can be advanced."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = 0
        real = service.now
        for module in (service, automation, live_table, presence):
            monkeypatch.setattr(module, "now", lambda: real() + self.ahead)
        monkeypatch.setattr(automation, "_POLL_SECONDS", 0.02)

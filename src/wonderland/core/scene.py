"""What a game's page is drawn from, besides the view: the same for every game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wonderland.core.language import Language


@dataclass(frozen=True, slots=True)
class Setting:
    """What the shell gives to a game's `scene`."""

    names: Sequence[str]
    legal: Sequence[Any]
    """What the viewer may do now; empty for a spectator and when it is another's turn."""
    last: Sequence[Any]
    """The events since the last decision before, as the viewer saw them: what to mark as new."""
    say: Language

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


@dataclass(frozen=True, slots=True)
class Picture:
    """A position that the rulebook on the web shows: a game's `pictures.py` has them as `PICTURES`."""

    rule: str
    """The number of the rule below which it stands."""
    position: str
    """In the one-line form of the game."""
    caption: str
    """A text of the catalogues, which says all that is to be seen there."""
    seats: int = 2
    seat: int = 0
    """Through whose eyes."""
    choice: str = ""
    """What this seat is about to do, in the words of records: it is marked, with what it would do."""

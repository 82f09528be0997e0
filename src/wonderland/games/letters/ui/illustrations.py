"""Illustrations for Letters' web rulebook: the setup, and exposed letters during a game."""

from __future__ import annotations

from wonderland.components.scene import Illustration
from wonderland.engine.language import phrase

_SETTING = "duchess=false claim=after memory=closed colours=red,blue"
PICTURES = (
    Illustration(
        "L2",
        f"letters stage=choose turn=1 space=- ending=- {_SETTING} rails=-/- "
        f"spaces={'.'.join('?' * 27)} removed=-",
        phrase("The start: a face-down card on each of the 27 stars, and empty rails."),
    ),
    Illustration(
        "L8",
        f"letters stage=choose turn=1 space=- ending=- {_SETTING} rails=A/AL "
        "spaces=_.?.?.redC.?.?.blueE._.?.?.?._.?.?.?.redE.?.?.Walrus.?.?.?.?.?._.?.? "
        "removed=yellowI",
        phrase(
            "Two of your letters and one of Blue's are face up, and someone has met the "
            "Walrus. You have the A and need the L next."
        ),
    ),
)

"""Illustrations for the rulebook of Cookies on the web."""

from __future__ import annotations

from wonderland.components.scene import Illustration
from wonderland.engine.language import phrase

PICTURES = (
    Illustration(
        "C6",
        "cookies stage=play turn=1 spins=- cats=- hands=3.J.4/?.?.? played=-/- pawns=1/1 stuck=- "
        "cookies=-/- small=0/0 up=4 spinner=- last=- options=-",
        phrase(
            "The start: all the pawns are small and on the Tea Party, one large cookie is "
            "face up, and you hold three cards. The middle one is locked."
        ),
    ),
    Illustration(
        "C9",
        "cookies stage=play turn=1 spins=- cats=- hands=2.5.4/?.?.? played=2.1/3.1 pawns=4/6L stuck=- "
        "cookies=-/2 small=0/0 up=4 spinner=- last=right1 options=-",
        phrase(
            "Your pawn is on space 4. The left card would take it to space 6, but another "
            "pawn is there, so it goes on to space 7."
        ),
        choice="left2",
    ),
)

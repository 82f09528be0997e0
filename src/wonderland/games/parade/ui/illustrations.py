"""Illustrations for Parade's web rulebook: the setup, the example of P6, and majorities."""

from __future__ import annotations

from wonderland.components.scene import Illustration
from wonderland.engine.language import phrase

PICTURES = (
    Illustration(
        "P3",
        "parade stage=play turn=1 hands=R2.B9.P4.G6.O10/?.?.?.?.? parade=Y5.B1.R8.O3.P10.G7 "
        "zones=-/- ending=- left=- kept=-",
        phrase("The start: six cards in the parade, and five in your hand."),
    ),
    Illustration(
        "P6",
        "parade stage=play turn=1 hands=B10.P2.G3.Y9.O6/?.?.?.?.? parade=P5.G0.G7.R3.P7.R1.G4 "
        "zones=-/O10 ending=- left=- kept=-",
        phrase(
            "The example below: Green 3 keeps the last three cards safe, takes Green 0, "
            "Green 7 and Red 3, and leaves Purple 5 where it is."
        ),
        choice="G3",
    ),
    Illustration(
        "P12",
        "parade stage=play turn=1 hands=B10.P2.G3.Y9.O6/?.?.?.?.?/?.?.?.?.? parade=P5.G0.R7.B3.P7.R1 "
        "zones=R2.R5.R6.Y7/R10.G4.G8/G1.B9 ending=- left=- kept=-",
        phrase(
            "A star marks the majority of a colour: each of those cards counts 1. All "
            "other cards count their number."
        ),
        seats=3,
    ),
)

"""The finale of Parade: the cards that were kept, the majorities, and the points colour by colour."""

from __future__ import annotations

from wonderland.components.scene import Beat, SceneContext
from wonderland.engine.protocol import Seat
from wonderland.games.parade.rules.components import Card, Colour
from wonderland.games.parade.rules.events import ChoicesShown
from wonderland.games.parade.rules.scoring import score_sheets
from wonderland.games.parade.rules.view import View
from wonderland.games.parade.ui.words import COLOURS

CAST = {
    Colour.RED: 6,
    Colour.BLUE: 5,
    Colour.PURPLE: 4,
    Colour.GREEN: 7,
    Colour.GREY: 6,
    Colour.ORANGE: 6,
}
"""The number on the card whose figure stands for its colour while points are counted."""


def kept_cards(setting: SceneContext) -> dict[Seat, tuple[Card, Card]]:
    """Return the cards that each seat has just revealed; empty before the end."""
    shown = next((event for event in setting.last if isinstance(event, ChoicesShown)), None)
    return {} if shown is None else dict(enumerate((pair.first, pair.second) for pair in shown.choices))


def beats(view: View, setting: SceneContext, order: list[Seat]) -> list[Beat]:
    """Return the beats of the finale; `order` is that of the players on the stage."""
    kept, say = kept_cards(setting), setting.say
    if not kept:
        return []
    sheets = [sheet.colours for sheet in score_sheets(view.zones)]
    majorities = {
        colour: [seat for seat, scores in enumerate(sheets) if scores[colour].majority]
        for colour in Colour
    }
    points = {
        colour: [
            (seat, scores[colour].points) for seat, scores in enumerate(sheets) if scores[colour].cards
        ]
        for colour in Colour
    }
    reveals: list[Beat] = [
        {
            "kind": "reveal",
            "says": say("You keep two cards")
            if seat == view.seat
            else say("{name} keeps two cards", name=setting.names[seat]),
            "pieces": [str(card) for card in kept[seat]],
        }
        for seat in order
    ]
    flips: list[Beat] = [
        {
            "kind": "flip",
            "says": say("Majority in {colour}: 1 point a card", colour=say(COLOURS[colour])),
            "figure": colour.name.lower(),
            "seats": seats,
        }
        for colour, seats in majorities.items()
        if seats
    ]
    counts: list[Beat] = [
        {"kind": "count", "says": say(COLOURS[colour]), "figure": colour.name.lower(), "points": found}
        for colour, found in points.items()
        if found
    ]
    return reveals + flips + counts

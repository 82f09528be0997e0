"""Cookies: a race round Wonderland for the best cookies of the Hatter's Tea Party.

`rules/` is the game itself and imports none of its siblings; `bots/`, `compiled/`, `encoding/` and `ui/`
are optional components, checked against their protocols in `contracts.py`.
"""

from __future__ import annotations

from wonderland.engine.protocol import GameInfo
from wonderland.games.cookies.rules import notation, position, rules
from wonderland.games.cookies.rules import view as views
from wonderland.games.cookies.rules.components import SEATS
from wonderland.games.cookies.rules.events import Event
from wonderland.games.cookies.rules.options import OPTIONS, Options


class Cookies:
    """Cookies as a `wonderland.engine.protocol.Game`."""

    info = GameInfo(
        name="cookies",
        title="Cookies",
        about=("Race round Wonderland with the cards in your hand and collect the most cookies."),
        seats=SEATS,
        options=OPTIONS,
        streams=("start", *(f"card{seat + 1}" for seat in range(SEATS[-1])), "cookie", "spin"),
        credits=(
            "Alice's Adventures in Wonderland, designed by Martino Chiacchiera and Remo Conzadori "
            "(Granna, 2023)."
        ),
        rules_version=1,
        rank=3,
        goal="Finish with the most points in cookies.",
    )
    options_type = Options
    view_type = views.View
    event_type = Event

    start = staticmethod(rules.start)
    turn = staticmethod(rules.turn)
    legal = staticmethod(rules.legal)
    apply = staticmethod(rules.apply)
    view = staticmethod(views.view)
    reveal = staticmethod(views.reveal)
    witness = staticmethod(views.witness)
    sample_state = staticmethod(views.sample_state)
    pieces = staticmethod(views.pieces)
    write = staticmethod(notation.write)
    read = staticmethod(notation.read)
    write_position = staticmethod(position.write_position)
    read_position = staticmethod(position.read_position)


GAME = Cookies()

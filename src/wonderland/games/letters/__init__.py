"""Letters, after Parker Brothers' Alice in Wonderland: turn up A-L-I-C-E, and remember where it was.

`GAME` ties the rules, views and notation together; bots, UI and randomness live elsewhere.
"""

from __future__ import annotations

from wonderland.engine.protocol import GameInfo
from wonderland.games.letters.rules import notation, position, rules
from wonderland.games.letters.rules import view as views
from wonderland.games.letters.rules.components import SPACES
from wonderland.games.letters.rules.events import Event
from wonderland.games.letters.rules.options import OPTIONS, Options


class Letters:
    """Letters as an implementation of `wonderland.engine.protocol.Game`."""

    info = GameInfo(
        name="letters",
        title="Letters",
        about=(
            "Turn up the letters of your colour, remember where they are, and be the first "
            "to spell A-L-I-C-E."
        ),
        seats=rules.SEATS,
        options=OPTIONS,
        streams=("start", *(f"space.{space + 1}" for space in SPACES)),
        credits="Alice in Wonderland, published by Parker Brothers, Salem, Massachusetts.",
        rules_version=1,
        rank=2,
        goal="Be the first to spell A-L-I-C-E in your colour.",
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


GAME = Letters()

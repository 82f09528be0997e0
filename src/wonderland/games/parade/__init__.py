"""Parade, by Naoki Homma: march along, and try not to take anyone home.

`GAME` ties the rules, views and notation together; bots, UI and randomness live elsewhere.
"""

from __future__ import annotations

from wonderland.engine.protocol import GameInfo
from wonderland.games.parade.rules import notation, position, rules
from wonderland.games.parade.rules import view as views
from wonderland.games.parade.rules.events import Event
from wonderland.games.parade.rules.state import Options, State


class Parade:
    """Parade as an implementation of `wonderland.engine.protocol.Game`."""

    info = GameInfo(
        name="parade",
        title="Parade",
        about="Add cards to the end of the parade and take as few points as you can.",
        seats=rules.SEATS,
        options=(),
        streams=("start", "card", "card.parade"),
        credits="Parade, designed by Naoki Homma (2008; Z-Man Games, 2013).",
        rules_version=1,
        rank=1,
        goal="Finish with the fewest points.",
    )
    options_type = Options
    view_type = views.View
    event_type = Event

    def start(self, seats: int, options: Options) -> State:  # noqa: ARG002 - there are none
        """Return the initial state, before the start player is drawn and the cards are dealt."""
        return rules.start(seats)

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


GAME = Parade()

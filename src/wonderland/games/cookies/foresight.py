"""What an action of Cookies certainly leads to: as far as luck has no say in where the pawn goes."""

from __future__ import annotations

from wonderland.core.protocol import LUCK, Chance, Seat
from wonderland.games.cookies.events import Event
from wonderland.games.cookies.rules import apply, turn
from wonderland.games.cookies.state import Action, State, TurningUp


def foreseen(before: State, seat: Seat, action: Action) -> tuple[State, list[Event]]:
    """The state after an action, and the events on the way.

    Which cookies are turned up on the way makes no difference to where the pawn goes, so any will do.
    """
    step = apply(before, seat, action)
    events = [*step.events]
    while isinstance(step.state.stage, TurningUp):
        chance = turn(step.state)
        assert isinstance(chance, Chance)  # noqa: S101 - that is what this stage is for
        step = apply(step.state, LUCK, chance.outcomes[0])
        events += step.events
    return step.state, events

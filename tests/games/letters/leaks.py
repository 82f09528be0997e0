"""Letters with planted leaks, each of which the laws must catch.

All leak the same thing in another place: which face-down cards have been turned before.
"""

from __future__ import annotations

from typing import Any

from wonderland.engine.protocol import CHANCE, Actor, AnyGame, Step
from wonderland.games.letters import Letters
from wonderland.games.letters.rules.events import CardTurned, Event, LettersTurnedDown
from wonderland.games.letters.rules.state import Action, State, TurnCard, TurnedDown, Turning
from wonderland.games.letters.rules.view import View


class MarksWhatWasTurned(Letters):
    """The view shows turned-down letters despite closed memory."""

    @staticmethod
    def view(state: State, seat: int | None) -> View:
        return View(seat, state.stage, state.options, state.spaces, state.rails, state.removed)


class TellsWhatWasTurned(Letters):
    """A card turned for the second time causes two events."""

    @staticmethod
    def apply(state: State, actor: Actor, action: Action) -> Step[State, Event]:
        step = Letters.apply(state, actor, action)
        stage = state.stage
        if isinstance(stage, Turning) and isinstance(state.spaces[stage.space], TurnedDown):
            again = step.events[0]
            assert isinstance(again, CardTurned)
            return Step(step.state, (again, *step.events))
        return step


class TellsWhatIsChosen(Letters):
    """A player who chooses a card that was turned before is reminded of what it is."""

    @staticmethod
    def apply(state: State, actor: Actor, action: Action) -> Step[State, Event]:
        step = Letters.apply(state, actor, action)
        if actor is not CHANCE and isinstance(action, TurnCard):
            lies = state.spaces[action.space]
            if isinstance(lies, TurnedDown):
                reminder = LettersTurnedDown((lies.card,), (action.space,))
                return Step(step.state, (*step.events, reminder))
        return step


class SparesWhatWasTurned(Letters):
    """Only cards that have never been turned may be chosen, while there are any."""

    @staticmethod
    def legal(state: State, seat: int) -> Any:
        actions = Letters.legal(state, seat)
        fresh = tuple(
            action
            for action in actions
            if isinstance(action, TurnCard) and not isinstance(state.spaces[action.space], TurnedDown)
        )
        return fresh or actions


LEAKS: dict[str, AnyGame] = {
    "view": MarksWhatWasTurned(),
    "event": TellsWhatWasTurned(),
    "reminder": TellsWhatIsChosen(),
    "legal": SparesWhatWasTurned(),
}

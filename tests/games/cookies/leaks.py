"""Cookies with planted leaks, each of which the laws must catch."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from wonderland.engine.protocol import AnyGame
from wonderland.games.cookies import Cookies
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.events import CardDealt, CardDrawn, Event
from wonderland.games.cookies.rules.state import State
from wonderland.games.cookies.rules.view import View


class ShowsTheNextHand(Cookies):
    """The view also shows the hand of the seat to the left."""

    @staticmethod
    def view(state: State, seat: int | None) -> View:
        honest = Cookies.view(state, seat)
        if seat is None:
            return honest
        left = (seat + 1) % len(state.hands)
        hands, unseen = list(honest.hands), list(honest.unseen)
        hands[left], unseen[left] = state.hands[left], state.unseen[left]
        return replace(honest, hands=tuple(hands), unseen=tuple(unseen))


class TellsWhatIsDrawn(Cookies):
    """Everyone is told which card was drawn."""

    @staticmethod
    def witness(event: Event, seat: int | None) -> Event:
        return event if isinstance(event, CardDrawn) else Cookies.witness(event, seat)


class TellsWhatIsDealt(Cookies):
    """Everyone is told which cards were dealt."""

    @staticmethod
    def witness(event: Event, seat: int | None) -> Event:
        return event if isinstance(event, CardDealt) else Cookies.witness(event, seat)


class WarnsOfHighCards(Cookies):
    """The order of the choices reveals whether the next player's left card is above 3."""

    @staticmethod
    def legal(state: State, seat: int) -> Any:
        actions = Cookies.legal(state, seat)
        hand = state.hands[(seat + 1) % len(state.hands)]
        return actions[::-1] if hand and isinstance(hand[0], Card) and hand[0] > 3 else actions


LEAKS: dict[str, AnyGame] = {
    "view": ShowsTheNextHand(),
    "event": TellsWhatIsDrawn(),
    "dealt": TellsWhatIsDealt(),
    "legal": WarnsOfHighCards(),
}

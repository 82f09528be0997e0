"""Parade with planted leaks, each of which the laws must catch."""

from __future__ import annotations

from typing import Any

from wonderland.engine.protocol import AnyGame
from wonderland.games.parade import Parade
from wonderland.games.parade.rules.events import CardDrawn, CardsKept, Event
from wonderland.games.parade.rules.state import State
from wonderland.games.parade.rules.view import View


class ShowsTheNextHand(Parade):
    """The view shows the hand of the seat to the left."""

    @staticmethod
    def view(state: State, seat: int | None) -> View:
        honest = Parade.view(state, seat)
        if seat is None:
            return honest
        left = (seat + 1) % len(state.hands)
        hands = tuple(state.hands[n] if n == left else hand for n, hand in enumerate(honest.hands))
        return View(honest.seat, honest.stage, hands, honest.parade, honest.zones, honest.pile)


class TellsWhatIsDrawn(Parade):
    """Everyone is told which card was drawn."""

    @staticmethod
    def witness(event: Event, seat: int | None) -> Event:
        return event if isinstance(event, CardDrawn) else Parade.witness(event, seat)


class TellsWhatIsKept(Parade):
    """Everyone is told which two cards were kept before all have chosen."""

    @staticmethod
    def witness(event: Event, seat: int | None) -> Event:
        return event if isinstance(event, CardsKept) else Parade.witness(event, seat)


class WarnsOfZeros(Parade):
    """The order of the choices reveals whether another hand holds a 0."""

    @staticmethod
    def legal(state: State, seat: int) -> Any:
        actions = Parade.legal(state, seat)
        others = [card for n, hand in enumerate(state.hands) if n != seat for card in hand]
        return actions[::-1] if any(getattr(card, "value", None) == 0 for card in others) else actions


LEAKS: dict[str, AnyGame] = {
    "view": ShowsTheNextHand(),
    "event": TellsWhatIsDrawn(),
    "kept": TellsWhatIsKept(),
    "legal": WarnsOfZeros(),
}

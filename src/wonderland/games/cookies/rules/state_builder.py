"""Mutable copy of a state while one action is applied."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from wonderland.engine.protocol import Step
from wonderland.games.cookies.rules.state import State

if TYPE_CHECKING:
    from wonderland.engine.protocol import Seat
    from wonderland.games.cookies.rules.events import Event
    from wonderland.games.cookies.rules.state import Stage

T = TypeVar("T")


class StateBuilder:
    """The fields of a state, to be changed step by step, and the events so far.

    It lives for one call of `apply`, which stays a pure function: fields are replaced, and their values
    never mutated.
    """

    __slots__ = (
        "events",
        "hands",
        "larder",
        "large",
        "last",
        "options",
        "pawns",
        "spinner",
        "stuck",
        "unseen",
    )

    def __init__(self, state: State) -> None:
        self.events: list[Event] = []
        self.options = state.options
        self.hands = state.hands
        self.unseen = state.unseen
        self.pawns = state.pawns
        self.large = state.large
        self.stuck = state.stuck
        self.larder = state.larder
        self.spinner = state.spinner
        self.last = state.last

    def build(self, stage: Stage) -> Step[State, Event]:
        """Return the step to the resulting state at this stage, with the events."""
        after = State(
            self.options,
            stage,
            self.hands,
            self.unseen,
            self.pawns,
            self.large,
            self.stuck,
            self.larder,
            self.spinner,
            self.last,
        )
        return Step(after, tuple(self.events))


def remove_one(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    """Return the items without the first one equal to `item`."""
    at = items.index(item)
    return items[:at] + items[at + 1 :]


def replace_at(items: tuple[T, ...], seat: Seat, item: T) -> tuple[T, ...]:
    """Return the items with the one of `seat` replaced."""
    return (*items[:seat], item, *items[seat + 1 :])

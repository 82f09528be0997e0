"""The table while one action is carried out, from the state before it to the state after it."""

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
    """A state laid open: what an action changes one thing after another, and what happened so far.

    It lives as long as one call of `apply`, which stays a pure function: what lies in a state is
    replaced here, never altered.
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

    def left_in(self, stage: Stage) -> Step[State, Event]:
        """The step to this stage, with everything as it lies now."""
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
    """All of these but one."""
    at = items.index(item)
    return items[:at] + items[at + 1 :]


def replace_at(items: tuple[T, ...], seat: Seat, item: T) -> tuple[T, ...]:
    """The same for all seats but one."""
    return (*items[:seat], item, *items[seat + 1 :])

"""What one seat, or a spectator, may know of a play of Letters, and the states it could be."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wonderland.engine.protocol import FACE_DOWN, Seat
from wonderland.engine.values import Value
from wonderland.games.letters.rules.components import CARDS, Card, Letter
from wonderland.games.letters.rules.events import Event
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.state import FaceUp, Space, Stage, State, TurnedDown

if TYPE_CHECKING:
    import random


class View(Value, frozen=True):
    """The table as one seat sees it; `seat` is `None` for a spectator, and when all is laid open."""

    seat: Seat | None
    stage: Stage
    options: Options
    spaces: tuple[Space, ...]
    """A card that was turned down again is `FACE_DOWN` here, as if it had never been turned, unless
    the play is one with open memory."""
    rails: tuple[int, ...]
    removed: tuple[Letter, ...]


def view(state: State, seat: Seat | None) -> View:
    """What this seat may know: all that lies open, which is the same for everyone."""
    spaces = _as_they_look(state.spaces, state.options)
    return View(seat, state.stage, state.options, spaces, state.rails, state.removed)


def _as_they_look(spaces: tuple[Space, ...], options: Options) -> tuple[Space, ...]:
    if options.memory == "open":
        return spaces
    return tuple([FACE_DOWN if isinstance(lies, TurnedDown) else lies for lies in spaces])


def reveal(state: State) -> View:
    """Everything that has been turned laid open; what has not, nobody knows."""
    return View(None, state.stage, state.options, state.spaces, state.rails, state.removed)


def witness(event: Event, seat: Seat | None) -> Event:  # noqa: ARG001 - all see the same
    """The event itself: everything in this game happens before everyone's eyes."""
    return event


def imagine(view: View, rng: random.Random) -> State:  # noqa: ARG001 - nothing is left to chance
    """The state in which every card that can't be seen was never turned.

    That is enough. Every card that lies face down again was public when it was turned, so which one it
    is was never a secret: a seat that remembers it has it from the events that it witnessed, and a
    seat that does not must take it for any of the cards that are not in sight.
    """
    spaces = _as_they_look(view.spaces, view.options)
    seen = in_sight(view.options, spaces, view.rails, view.removed)
    unseen = tuple(card for card in CARDS if card not in seen)
    return State(view.stage, view.options, spaces, view.rails, view.removed, unseen)


def in_sight(
    options: Options, spaces: tuple[Space, ...], rails: tuple[int, ...], removed: tuple[Letter, ...]
) -> list[Card]:
    """The cards whose place is known: on the spaces, on the rails, and out of the game."""
    cards = [lies.card for lies in spaces if isinstance(lies, (FaceUp, TurnedDown))]
    for colour, placed in zip(options.colours, rails, strict=True):
        cards += [Letter(colour, place) for place in range(placed)]
    return [*cards, *removed]


def pieces(state: State) -> Counter[str]:
    """Every card with how often it is there; those that no one can place are in `unseen`."""
    seen = in_sight(state.options, state.spaces, state.rails, state.removed)
    known = Counter(str(card) for card in (*seen, *state.unseen))
    known["spaces of cards never turned"] = len(state.unseen) - state.spaces.count(FACE_DOWN)
    return known

"""Views of a game of Letters: what a seat or spectator may know, and the state it implies."""

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
    """The game as one seat sees it; `seat` is `None` for a spectator and for a full reveal."""

    seat: Seat | None
    stage: Stage
    options: Options
    spaces: tuple[Space, ...]
    """A card that was turned down again is `FACE_DOWN` here, as if it had never been turned, unless the
    game is played with open memory."""
    rails: tuple[int, ...]
    removed: tuple[Letter, ...]


def view(state: State, seat: Seat | None) -> View:
    """Return what this seat may know: everything face up, which is the same for everyone."""
    spaces = _hide_turned_down(state.spaces, state.options)
    return View(seat, state.stage, state.options, spaces, state.rails, state.removed)


def _hide_turned_down(spaces: tuple[Space, ...], options: Options) -> tuple[Space, ...]:
    if options.memory == "open":
        return spaces
    return tuple([FACE_DOWN if isinstance(content, TurnedDown) else content for content in spaces])


def reveal(state: State) -> View:
    """Return a view of every card that was ever turned; the others are unknown to everyone."""
    return View(None, state.stage, state.options, state.spaces, state.rails, state.removed)


def witness(event: Event, seat: Seat | None) -> Event:  # noqa: ARG001 - everyone sees the same
    """Return the event itself: everything in this game is public."""
    return event


def sample_state(view: View, rng: random.Random) -> State:  # noqa: ARG001 - nothing to sample
    """Return the determinization of a view: the state in which no face-down card was ever turned.

    No sampling is needed. A card that is face down again was public when it was turned, so it was never
    a secret: a seat that remembers it knows it from the events it witnessed, and to a seat that doesn't
    it may be any unseen card.
    """
    spaces = _hide_turned_down(view.spaces, view.options)
    seen = in_sight(view.options, spaces, view.rails, view.removed)
    unseen = tuple(card for card in CARDS if card not in seen)
    return State(view.stage, view.options, spaces, view.rails, view.removed, unseen)


def in_sight(
    options: Options, spaces: tuple[Space, ...], rails: tuple[int, ...], removed: tuple[Letter, ...]
) -> list[Card]:
    """Return the cards with a known location: on spaces, on rails, or removed from the game."""
    cards = [content.card for content in spaces if isinstance(content, (FaceUp, TurnedDown))]
    for colour, placed in zip(options.colours, rails, strict=True):
        cards += [Letter(colour, place) for place in range(placed)]
    return [*cards, *removed]


def pieces(state: State) -> Counter[str]:
    """Count every card in the state, for the conservation law; unlocated cards are in `unseen`."""
    seen = in_sight(state.options, state.spaces, state.rails, state.removed)
    known = Counter(str(card) for card in (*seen, *state.unseen))
    known["spaces of cards never turned"] = len(state.unseen) - state.spaces.count(FACE_DOWN)
    return known

"""Rules of thumb for Letters, for players who remember every letter that they have seen."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from wonderland.components.heuristics import Heuristic
from wonderland.engine.language import phrase
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.letters.rules.components import Letter
from wonderland.games.letters.rules.state import TurnCard, TurnedDown
from wonderland.games.letters.rules.view import View


def own_first(view: View, legal: Sequence[TurnCard]) -> list[TurnCard]:
    """The first of one's own letters that lies face down again, or else something new."""
    own = _own(view, legal)
    return [own[min(own)]] if own else _new(view, legal)


def needed_next(view: View, legal: Sequence[TurnCard]) -> list[TurnCard]:
    """The letter that is needed next, if it lies face down again, or else something new."""
    assert view.seat is not None  # noqa: S101 - somebody chooses
    own = _own(view, legal)
    needed = Letter(view.options.colours[view.seat], view.rails[view.seat])
    return [own[needed]] if needed in own else _new(view, legal)


def alike(view: View, action: TurnCard) -> Hashable:
    """Cards that were never turned are all alike."""
    lies = view.spaces[action.space]
    return lies if lies is FACE_DOWN else action


def _own(view: View, legal: Sequence[TurnCard]) -> dict[Letter, TurnCard]:
    """One's own letters that lie face down again."""
    assert view.seat is not None  # noqa: S101 - somebody chooses
    colour = view.options.colours[view.seat]
    down = [(view.spaces[action.space], action) for action in legal]
    return {
        lies.card: action
        for lies, action in down
        if isinstance(lies, TurnedDown) and lies.card.colour == colour
    }


def _new(view: View, legal: Sequence[TurnCard]) -> list[TurnCard]:
    """What was never turned; anything, if all has been."""
    return [action for action in legal if view.spaces[action.space] is FACE_DOWN] or list(legal)


RULES = (
    Heuristic(
        "own-first",
        phrase("Turn the first of your own letters that you know, or a new card."),
        own_first,
    ),
    Heuristic(
        "needed-next", phrase("Turn the letter you need if you know it, or a new card."), needed_next
    ),
)

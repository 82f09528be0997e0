"""Heuristics for Letters, for players who remember every letter that they have seen."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from wonderland.components.heuristics import Heuristic
from wonderland.engine.language import phrase
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.letters.rules.components import Letter
from wonderland.games.letters.rules.state import TurnCard, TurnedDown
from wonderland.games.letters.rules.view import View


def own_first(view: View, legal: Sequence[TurnCard]) -> list[TurnCard]:
    """Return the first of the seat's own letters that was turned down again, or else any new card."""
    own = _own_turned_down(view, legal)
    return [own[min(own)]] if own else _new_cards(view, legal)


def needed_next(view: View, legal: Sequence[TurnCard]) -> list[TurnCard]:
    """Return the letter that is needed next if it was turned down again, or else any new card."""
    assert view.seat is not None  # noqa: S101 - only seats choose
    own = _own_turned_down(view, legal)
    needed = Letter(view.options.colours[view.seat], view.rails[view.seat])
    return [own[needed]] if needed in own else _new_cards(view, legal)


def alike(view: View, action: TurnCard) -> Hashable:
    """Return an equivalence key: all cards that were never turned are equivalent."""
    content = view.spaces[action.space]
    return content if content is FACE_DOWN else action


def _own_turned_down(view: View, legal: Sequence[TurnCard]) -> dict[Letter, TurnCard]:
    """Return the seat's own letters that were turned down again."""
    assert view.seat is not None  # noqa: S101 - only seats choose
    colour = view.options.colours[view.seat]
    down = [(view.spaces[action.space], action) for action in legal]
    return {
        content.card: action
        for content, action in down
        if isinstance(content, TurnedDown) and content.card.colour == colour
    }


def _new_cards(view: View, legal: Sequence[TurnCard]) -> list[TurnCard]:
    """Return the cards that were never turned, or all if there are none."""
    return [action for action in legal if view.spaces[action.space] is FACE_DOWN] or list(legal)


RULES = (
    Heuristic(
        "own-first",
        phrase("Turn up the first of your own letters that you remember, or else a new card."),
        own_first,
    ),
    Heuristic(
        "needed-next",
        phrase("Turn up the letter you need if you remember it, or else a new card."),
        needed_next,
    ),
)

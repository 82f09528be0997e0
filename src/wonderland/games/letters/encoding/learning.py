"""Action and observation encoding of Letters for learning agents.

An action is the space whose card is turned, counted from 0. An observation holds what the table shows
now, which is the same for everyone. With closed memory, a letter that was turned down again looks like a
card that was never turned: remembering it is up to the agent, as it is for a player.
"""

from __future__ import annotations

from collections.abc import Sequence

from wonderland.components.learning import Feature, from_oneself
from wonderland.engine.errors import UsageError
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.letters.rules.components import SPACES, WORD, Colour, Letter, Menace
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.state import (
    Action,
    Choosing,
    Ended,
    FaceUp,
    TurnCard,
    TurnedDown,
    Turning,
)
from wonderland.games.letters.rules.view import View

_MENACES = {menace: place for place, menace in enumerate(Menace, start=1)}


def actions(seats: int, options: Options) -> int:  # noqa: ARG001 - the same for all
    """Return the size of the action space: one action per space."""
    return len(SPACES)


def action_names(seats: int, options: Options) -> Sequence[str]:  # noqa: ARG001 - the same for all
    """Return a short name for each action number."""
    return tuple(f"turn {space + 1}" for space in SPACES)


def number(view: View, action: Action) -> int:  # noqa: ARG001 - the same in all views
    """Encode an action as its number."""
    if not isinstance(action, TurnCard):
        raise UsageError(f"{action} isn't an action of a seat.")
    return action.space


def action(view: View, number: int) -> Action:  # noqa: ARG001 - the same in all views
    """Decode an action number."""
    if number not in SPACES:
        raise UsageError(f"{number} isn't the number of a legal action here.")
    return TurnCard(number)


def features(seats: int, options: Options) -> tuple[Feature, ...]:
    """Describe the fields of an observation, in order."""
    spaces, letters = len(SPACES), len(WORD)
    which = "1 to 5, which letter of A-L-I-C-E of the seat's colour"
    fields = [
        Feature("down", spaces, 0, 1, "1 for each space whose card is face down"),
        Feature(
            "open", seats * spaces, 0, letters, f"for each seat and space, {which} is face up there"
        ),
        Feature("menaces", spaces, 0, len(Menace), "for each space, 1 to 7, which menace is face up"),
        Feature("rails", seats, 0, letters, "how many letters each seat has played"),
        Feature("turn", seats, 0, 1, "1 for the seat whose turn it is"),
        Feature("turning", spaces, 0, 1, "1 for the space whose card is being turned"),
        Feature("stage", 2, 0, 1, "one of: choose a card, game over"),
    ]
    if seats < len(Colour):
        unused = letters * (len(Colour) - seats)
        meaning = "for each colour that nobody plays, 1 for each of its letters that left the game"
        fields.append(Feature("removed", unused, 0, 1, meaning))
    if options.memory == "open":
        meaning = f"for each seat and space, {which} was turned down there"
        fields.append(Feature("known", seats * spaces, 0, letters, meaning))
    return tuple(fields)


def observe(view: View) -> bytes:
    """Encode what this seat may know, in the layout given by `features`."""
    if view.seat is None:
        raise UsageError("a spectator's view can't be encoded: an agent needs a seat.")
    seat, stage = view.seat, view.stage
    colours = from_oneself(view.options.colours, seat)
    up = [content.card if isinstance(content, FaceUp) else None for content in view.spaces]
    seat_to_move = stage.seat if isinstance(stage, (Choosing, Turning)) else None
    numbers = [
        *[content is FACE_DOWN or isinstance(content, TurnedDown) for content in view.spaces],
        *[_letter_index(card, colour) for colour in colours for card in up],
        *[_MENACES[card] if isinstance(card, Menace) else 0 for card in up],
        *from_oneself(view.rails, seat),
        *from_oneself([other == seat_to_move for other in range(len(colours))], seat),
        *[isinstance(stage, Turning) and stage.space == space for space in SPACES],
        *[isinstance(stage, kind) for kind in (Choosing, Ended)],
    ]
    unused = [colour for colour in Colour if colour not in colours]
    numbers += [Letter(hue, place) in view.removed for hue in unused for place in range(len(WORD))]
    if view.options.memory == "open":
        down = [content.card if isinstance(content, TurnedDown) else None for content in view.spaces]
        numbers += [_letter_index(card, colour) for colour in colours for card in down]
    return bytes(numbers)


def _letter_index(card: Letter | Menace | None, colour: Colour) -> int:
    """Return the index of a letter of this colour, counted from 1; 0 for any other card."""
    return card.place + 1 if isinstance(card, Letter) and card.colour is colour else 0

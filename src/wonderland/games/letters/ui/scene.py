"""Web scene of Letters: the template context, built from a view alone so that it can't leak secrets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from rich.cells import cell_len

from wonderland.components.scene import SceneContext
from wonderland.engine.language import Language, phrase
from wonderland.engine.protocol import FaceDown, Seat
from wonderland.games.letters.rules.components import WORD, Card, Colour, Letter, Menace
from wonderland.games.letters.rules.events import (
    CardTurned,
    GameEnded,
    LetterRemoved,
    LettersPlayed,
    LettersTurnedDown,
)
from wonderland.games.letters.rules.notation import write
from wonderland.games.letters.rules.state import (
    Choosing,
    Empty,
    Ended,
    Ending,
    FaceUp,
    Space,
    TurnCard,
    TurnedDown,
    Turning,
)
from wonderland.games.letters.rules.view import View
from wonderland.games.letters.ui.words import COLOURS, card_name, offer, tell

_HOW = {
    Ending.TURNED: phrase("{who} turned up the letter that was missing."),
    Ending.CLAIMED_AFTER: phrase("{who} had the missing letters exposed, and met no menace."),
    Ending.CLAIMED_FIRST: phrase("{who} had the missing letters exposed when the turn came."),
}
_CAPTIONS = {
    Menace.DUCHESS: phrase("Duchess"),
    Menace.MAD_HATTER: phrase("Hatter"),
    Menace.MARCH_HARE: phrase("Hare"),
    Menace.MOCK_TURTLE: phrase("Turtle"),
    Menace.WALRUS: phrase("Walrus"),
    Menace.CARPENTER: phrase("Carpenter"),
    Menace.KING_OF_HEARTS: phrase("King"),
}
"""Short names for the captions on cards."""
_CAPTION_WIDTH = 50.0
"""Maximum width of a caption: font size times terminal cells, so that wide characters count twice."""


HIDES_HANDS = False
"""Everyone sees the same, so players who share a screen don't need a cover between turns."""


def can_step_back(view: View) -> bool:
    """Whether viewers may step back through the history: not while players have to remember it."""
    return view.options.memory == "open" or isinstance(view.stage, Ended)


class _Changes:
    """The changes of the last turn: spaces turned up or down, and the origins of moved letters."""

    def __init__(self, events: Sequence[Any]) -> None:
        self.up: set[int] = set()
        self.down: set[int] = set()
        self.origins: dict[Letter, int] = {}
        for event in events:
            match event:
                case CardTurned(_, space, _):
                    self.up.add(space)
                case LettersTurnedDown(_, spaces):
                    self.down |= set(spaces)
                case LettersPlayed(_, letters, spaces):
                    self.origins |= dict(zip(letters, spaces, strict=True))
                case LetterRemoved(letter, space):
                    self.origins[letter] = space


def scene(view: View, setting: SceneContext) -> dict[str, Any]:
    """Return the context: the board, the rails, the removed letters, and a recap of the last turn."""
    changes, say = _Changes(setting.last), setting.say
    seats = range(len(setting.names))
    sentences = [
        tell(event, setting.names, say) for event in setting.last if not isinstance(event, GameEnded)
    ]
    return {
        "told": say.sentences(sentence for sentence in sentences if sentence is not None),
        "choosing": bool(setting.legal),
        "board": [_space_context(view, space, changes, setting) for space in range(len(view.spaces))],
        "rails": [_rail_context(view, seat, changes, setting) for seat in seats],
        "removed": [_placed_letter(letter, changes, say) for letter in view.removed]
        if len(seats) < len(Colour)
        else None,
        "ending": _ending_sentence(view, setting.names, say),
    }


def _space_context(view: View, space: int, changes: _Changes, setting: SceneContext) -> dict[str, Any]:
    """Return the context of a starred space; a hidden card is identified only by its space."""
    content, say, number = view.spaces[space], setting.say, space + 1
    action = TurnCard(space)
    reached = isinstance(view.stage, Turning) and view.stage.space == space
    shown: dict[str, Any] = {
        "number": number,
        "new": space in changes.up or reached,
        "down": space in changes.down and isinstance(content, FaceDown | TurnedDown),
        "play": write(action) if action in setting.legal else "",
        "piece": f"space-{number}",
    }
    match content:
        case FaceDown.FACE_DOWN:
            return shown | {"kind": "back", "label": _back_label(view, space, setting)}
        case TurnedDown(card):
            return shown | {
                "kind": "back",
                "label": _back_label(view, space, setting),
                "note": {"colour": card.colour.word, "letter": card.letter},
            }
        case FaceUp(card):
            label = say("{number}: {card}", number=number, card=card_name(card, say))
            return shown | _face_context(card, say) | {"label": label}
        case Empty.EMPTY:
            return shown | {"kind": "empty", "label": say("{number}: empty", number=number)}
    assert_never(content)


def _back_label(view: View, space: int, setting: SceneContext) -> str:
    """Return the label of a face-down card: the action if it is legal, or else its description."""
    action = TurnCard(space)
    if action in setting.legal:
        return setting.say.capital(offer(view, action, setting.say))
    content: Space = view.spaces[space]
    if isinstance(content, TurnedDown):
        name = card_name(content.card, setting.say)
        return setting.say("{number}: face down, {card}", number=space + 1, card=name)
    return setting.say("{number}: face down", number=space + 1)


def _face_context(card: Card, say: Language) -> dict[str, Any]:
    if isinstance(card, Menace):
        caption = say(_CAPTIONS[card])
        return {
            "kind": "menace",
            "piece": str(card),
            "figure": str(card).lower(),
            "caption": caption,
            "caption_size": round(min(9.2, _CAPTION_WIDTH / cell_len(caption)), 1),
        }
    return {
        "kind": "letter",
        "piece": str(card),
        "colour": card.colour.word,
        "letter": card.letter,
    }


def _placed_letter(letter: Letter, changes: _Changes, say: Language) -> dict[str, Any]:
    """Return the context of a letter that has left its space, with its origin if it just moved."""
    origin = changes.origins.get(letter)
    return _face_context(letter, say) | {
        "placed": True,
        "name": card_name(letter, say),
        "new": origin is not None,
        "from": "" if origin is None else f"space-{origin + 1}",
    }


def _rail_context(view: View, seat: Seat, changes: _Changes, setting: SceneContext) -> dict[str, Any]:
    colour, placed, say, stage = view.options.colours[seat], view.rails[seat], setting.say, view.stage
    over = isinstance(stage, Ended)
    letters = [Letter(colour, place) for place in range(len(WORD))]
    return {
        "name": setting.names[seat],
        "colour": colour.word,
        "colour_name": say(COLOURS[colour]),
        "mine": seat == view.seat,
        "to_act": isinstance(stage, Choosing | Turning) and stage.seat == seat,
        "wins": isinstance(stage, Ended) and seat in stage.result.winners,
        "label": _rail_label(placed, say),
        "word": [
            _placed_letter(letter, changes, say)
            if letter.place < placed
            else {"letter": letter.letter, "next": letter.place == placed and not over}
            for letter in letters
        ],
    }


def _rail_label(placed: int, say: Language) -> str:
    if placed == len(WORD):
        return say("has A-L-I-C-E")
    if not placed:
        return say("has no letter yet, needs {letter}", letter=WORD[0])
    return say("has {letters}, needs {letter}", letters="-".join(WORD[:placed]), letter=WORD[placed])


def _ending_sentence(view: View, names: Sequence[str], say: Language) -> str:
    if not isinstance(view.stage, Ended):
        return ""
    result = view.stage.result
    return say(_HOW[Ending(result.ending)], who=names[result.winners[0]])

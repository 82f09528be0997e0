"""Letters for the browser: what its template draws, from a view alone."""

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
"""What stands on the cards: short."""
_BREADTH = 50.0
"""How broad that may be: the size of the letters times their number, those of Japan counted twice."""


HIDES = False
"""All see the same: who shares a screen needs no curtain."""


def looks_back(view: View) -> bool:
    """Whether one may see again what lay there before: not while it is for the players to remember."""
    return view.options.memory == "open" or isinstance(view.stage, Ended)


class _News:
    """What the last turn did: where cards were turned up or down, and from where letters came."""

    def __init__(self, events: Sequence[Any]) -> None:
        self.up: set[int] = set()
        self.down: set[int] = set()
        self.came: dict[Letter, int] = {}
        for event in events:
            match event:
                case CardTurned(_, space, _):
                    self.up.add(space)
                case LettersTurnedDown(_, spaces):
                    self.down |= set(spaces)
                case LettersPlayed(_, letters, spaces):
                    self.came |= dict(zip(letters, spaces, strict=True))
                case LetterRemoved(letter, space):
                    self.came[letter] = space


def scene(view: View, setting: SceneContext) -> dict[str, Any]:
    """The starred spaces, everyone's rail, what left the game, and what was told of the last turn."""
    news, say = _News(setting.last), setting.say
    seats = range(len(setting.names))
    told = [
        tell(event, setting.names, say) for event in setting.last if not isinstance(event, GameEnded)
    ]
    return {
        "told": say.sentences(sentence for sentence in told if sentence is not None),
        "choosing": bool(setting.legal),
        "board": [_space(view, space, news, setting) for space in range(len(view.spaces))],
        "rails": [_rail(view, seat, news, setting) for seat in seats],
        "removed": [_placed(letter, news, say) for letter in view.removed]
        if len(seats) < len(Colour)
        else None,
        "ending": _ending(view, setting.names, say),
    }


def _space(view: View, space: int, news: _News, setting: SceneContext) -> dict[str, Any]:
    """A starred space; a card that can't be seen has no name but that of its place."""
    lies, say, number = view.spaces[space], setting.say, space + 1
    action = TurnCard(space)
    reached = isinstance(view.stage, Turning) and view.stage.space == space
    shown: dict[str, Any] = {
        "number": number,
        "new": space in news.up or reached,
        "down": space in news.down and isinstance(lies, FaceDown | TurnedDown),
        "play": write(action) if action in setting.legal else "",
        "piece": f"space-{number}",
    }
    match lies:
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
            return shown | _face(card, say) | {"label": label}
        case Empty.EMPTY:
            return shown | {"kind": "empty", "label": say("{number}: empty", number=number)}
    assert_never(lies)


def _back_label(view: View, space: int, setting: SceneContext) -> str:
    """What can be done with a card that lies face down, or that it lies there."""
    action = TurnCard(space)
    if action in setting.legal:
        return setting.say.capital(offer(view, action, setting.say))
    lies: Space = view.spaces[space]
    if isinstance(lies, TurnedDown):
        name = card_name(lies.card, setting.say)
        return setting.say("{number}: face down, {card}", number=space + 1, card=name)
    return setting.say("{number}: face down", number=space + 1)


def _face(card: Card, say: Language) -> dict[str, Any]:
    if isinstance(card, Menace):
        caption = say(_CAPTIONS[card])
        return {
            "kind": "menace",
            "piece": str(card),
            "figure": str(card).lower(),
            "caption": caption,
            "caption_size": round(min(9.2, _BREADTH / cell_len(caption)), 1),
        }
    return {
        "kind": "letter",
        "piece": str(card),
        "colour": card.colour.word,
        "letter": card.letter,
    }


def _placed(letter: Letter, news: _News, say: Language) -> dict[str, Any]:
    """A letter that has left its space: it comes from there, if it did so just now."""
    came = news.came.get(letter)
    return _face(letter, say) | {
        "placed": True,
        "name": card_name(letter, say),
        "new": came is not None,
        "from": "" if came is None else f"space-{came + 1}",
    }


def _rail(view: View, seat: Seat, news: _News, setting: SceneContext) -> dict[str, Any]:
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
            _placed(letter, news, say)
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


def _ending(view: View, names: Sequence[str], say: Language) -> str:
    if not isinstance(view.stage, Ended):
        return ""
    result = view.stage.result
    return say(_HOW[Ending(result.ending)], who=names[result.winners[0]])

"""Letters for the browser: what its template draws, from a view alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, assert_never

from wonderland.core.protocol import FaceDown, Seat
from wonderland.games.letters.components import WORD, Card, Colour, Letter, Menace
from wonderland.games.letters.notation import write
from wonderland.games.letters.state import (
    CardTurned,
    Choosing,
    Empty,
    Ended,
    Ending,
    FaceUp,
    GameEnded,
    LetterRemoved,
    LettersPlayed,
    LettersTurnedDown,
    Space,
    TurnCard,
    TurnedDown,
    Turning,
)
from wonderland.games.letters.view import View
from wonderland.games.letters.words import card_name, offer, tell

_HOW = {
    Ending.TURNED: "{who} turned up the letter that was missing.",
    Ending.CLAIMED_AFTER: "{who} had the missing letters exposed, and met no menace.",
    Ending.CLAIMED_FIRST: "{who} had the missing letters exposed when the turn came.",
}


class Setting(Protocol):
    """What the shell gives: names, what may be done, what was new, and a language."""

    names: Sequence[str]
    legal: Sequence[Any]
    last: Sequence[Any]
    say: Any


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


def scene(view: View, setting: Setting) -> dict[str, Any]:
    """The starred spaces, everyone's rail, what left the game, and what was told of the last turn."""
    news, say = _News(setting.last), setting.say
    seats = range(len(setting.names))
    told = [tell(event, setting.names) for event in setting.last if not isinstance(event, GameEnded)]
    return {
        "told": " ".join(sentence for sentence in told if sentence is not None),
        "choosing": bool(setting.legal),
        "board": [_space(view, space, news, setting) for space in range(len(view.spaces))],
        "rails": [_rail(view, seat, news, setting) for seat in seats],
        "removed": [_placed(letter, news) for letter in view.removed]
        if len(seats) < len(Colour)
        else None,
        "ending": _ending(view, setting.names, say),
    }


def _space(view: View, space: int, news: _News, setting: Setting) -> dict[str, Any]:
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
            label = say("{number}: {card}", number=number, card=card_name(card))
            return shown | _face(card) | {"label": label}
        case Empty.EMPTY:
            return shown | {"kind": "empty", "label": say("{number}: empty", number=number)}
    assert_never(lies)


def _back_label(view: View, space: int, setting: Setting) -> str:
    """What can be done with a card that lies face down, or that it lies there."""
    action = TurnCard(space)
    if action in setting.legal:
        words = offer(view, action)
        return words[0].upper() + words[1:]
    lies: Space = view.spaces[space]
    if isinstance(lies, TurnedDown):
        name = card_name(lies.card)
        return str(setting.say("{number}: face down, {card}", number=space + 1, card=name))
    return str(setting.say("{number}: face down", number=space + 1))


def _face(card: Card) -> dict[str, Any]:
    if isinstance(card, Menace):
        return {
            "kind": "menace",
            "piece": str(card),
            "figure": str(card).lower(),
            "caption": str(card),
        }
    return {
        "kind": "letter",
        "piece": str(card),
        "colour": card.colour.word,
        "letter": card.letter,
    }


def _placed(letter: Letter, news: _News) -> dict[str, Any]:
    """A letter that has left its space: it comes from there, if it did so just now."""
    came = news.came.get(letter)
    return _face(letter) | {
        "placed": True,
        "name": card_name(letter),
        "new": came is not None,
        "from": "" if came is None else f"space-{came + 1}",
    }


def _rail(view: View, seat: Seat, news: _News, setting: Setting) -> dict[str, Any]:
    colour, placed, say, stage = view.options.colours[seat], view.rails[seat], setting.say, view.stage
    over = isinstance(stage, Ended)
    letters = [Letter(colour, place) for place in range(len(WORD))]
    return {
        "name": setting.names[seat],
        "colour": colour.word,
        "colour_name": say(colour.word),
        "mine": seat == view.seat,
        "to_act": isinstance(stage, Choosing | Turning) and stage.seat == seat,
        "wins": isinstance(stage, Ended) and seat in stage.result.winners,
        "label": _rail_label(placed, say),
        "word": [
            _placed(letter, news)
            if letter.place < placed
            else {"letter": letter.letter, "next": letter.place == placed and not over}
            for letter in letters
        ],
    }


def _rail_label(placed: int, say: Any) -> str:
    if placed == len(WORD):
        return str(say("has A-L-I-C-E"))
    if not placed:
        return str(say("has no letter yet, needs {letter}", letter=WORD[0]))
    return str(
        say("has {letters}, needs {letter}", letters="-".join(WORD[:placed]), letter=WORD[placed])
    )


def _ending(view: View, names: Sequence[str], say: Any) -> str:
    if not isinstance(view.stage, Ended):
        return ""
    result = view.stage.result
    return str(say(_HOW[Ending(result.ending)], who=names[result.winners[0]]))

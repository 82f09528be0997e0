"""Web scene of Letters: the template context, built from a view alone so that it can't leak secrets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from wonderland.components.scene import SceneContext
from wonderland.engine.language import Language
from wonderland.engine.protocol import FaceDown, Seat
from wonderland.games.letters.rules.components import WORD, Card, Colour, Letter, Menace
from wonderland.games.letters.rules.events import (
    CardTurned,
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
from wonderland.games.letters.ui.words import COLOURS, HOW_IT_ENDED, card_name, describe_action

HIDES_HANDS = False
"""Everyone sees the same, so players who share a screen don't need a cover between turns."""
EMBLEMS = (
    *(("card-redA", "red"), ("card-Hatter", ""), ("card-blueL", "blue")),
    *(("card-yellowI", "yellow"), ("card-Duchess", ""), ("card-greenC", "green")),
    *(("card-blueE", "blue"), ("card-King", ""), ("card-redL", "red")),
    *(("card-greenA", "green"), ("card-Walrus", ""), ("card-yellowE", "yellow")),
)


def can_step_back(view: View) -> bool:
    """Whether viewers may step back through the history: not while players have to remember it."""
    return view.options.memory == "open" or isinstance(view.stage, Ended)


def piece_pictures(say: Language) -> dict[str, tuple[str, str]]:
    """Return the small card that sentences show instead of a letter's name."""
    letters = [Letter(colour, place) for colour in Colour for place in range(len(WORD))]
    return {card_name(letter, say): (f"tile-{letter}", letter.colour.word) for letter in letters}


class _Changes:
    """The changes of the last turn: cards turned up and down in this order, and letters that moved."""

    def __init__(self, events: Sequence[Any]) -> None:
        self.up: set[int] = set()
        self.down: dict[int, int] = {}
        """Each space whose letter was turned down, with its place in the order, from 1."""
        self.origins: dict[Letter, int] = {}
        self.steps: dict[Letter, int] = {}
        self.pleased: set[Seat] = set()
        self.dismayed: set[Colour] = set()
        for event in events:
            match event:
                case CardTurned(_, space, _):
                    self.up.add(space)
                case LettersTurnedDown(letters, spaces):
                    self.down |= {space: order for order, space in enumerate(spaces, start=1)}
                    self.dismayed |= {letter.colour for letter in letters}
                case LettersPlayed(seat, letters, spaces):
                    self.origins |= dict(zip(letters, spaces, strict=True))
                    self.steps |= {letter: step for step, letter in enumerate(letters)}
                    self.pleased.add(seat)
                case LetterRemoved(letter, space):
                    self.origins[letter] = space


def scene(view: View, setting: SceneContext) -> dict[str, Any]:
    """Return the context: the board, the players with their rails, the removed letters, the ending."""
    changes, say, seats = _Changes(setting.last), setting.say, len(setting.names)
    nearest = seats - 1 if view.seat is None else view.seat
    is_colour_unused = seats < len(Colour)
    return {
        "board": [_space_context(view, space, changes, setting) for space in range(len(view.spaces))],
        "players": [
            _player_context(view, (nearest + 1 + turn) % seats, changes, setting)
            | {"near": turn == seats - 1}
            for turn in range(seats)
        ],
        "boxes": seats + is_colour_unused,
        "removed": [_placed_letter(letter, changes, say) for letter in view.removed]
        if is_colour_unused
        else None,
        "menaces": [
            {
                "piece": str(menace),
                "name": card_name(menace, say),
                "found": FaceUp(menace) in view.spaces,
            }
            for menace in Menace
        ],
        "how": _ending_sentence(view, setting.names, say),
    }


def _space_context(view: View, space: int, changes: _Changes, setting: SceneContext) -> dict[str, Any]:
    """Return the context of a starred space; a hidden card is identified only by its space."""
    content, say, number = view.spaces[space], setting.say, space + 1
    action = TurnCard(space)
    reached = isinstance(view.stage, Turning) and view.stage.space == space
    is_down = isinstance(content, FaceDown | TurnedDown)
    shown: dict[str, Any] = {
        "number": number,
        "new": space in changes.up or reached,
        "order": changes.down.get(space, 0) if is_down else 0,
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
            return shown | _face_context(card) | {"label": label}
        case Empty.EMPTY:
            return shown | {"kind": "empty", "label": say("{number}: empty", number=number)}
    assert_never(content)


def _back_label(view: View, space: int, setting: SceneContext) -> str:
    """Return the label of a face-down card: the action if it is legal, or else its description."""
    action = TurnCard(space)
    if action in setting.legal:
        return setting.say.capital(describe_action(view, action, setting.say))
    content: Space = view.spaces[space]
    if isinstance(content, TurnedDown):
        name = card_name(content.card, setting.say)
        return setting.say("{number}: face down, {card}", number=space + 1, card=name)
    return setting.say("{number}: face down", number=space + 1)


def _face_context(card: Card) -> dict[str, Any]:
    """Return what a card looks like; `piece` is also the name of its drawing."""
    if isinstance(card, Menace):
        return {"kind": "menace", "piece": str(card)}
    return {
        "kind": "letter",
        "piece": str(card),
        "colour": card.colour.word,
        "letter": card.letter,
    }


def _placed_letter(letter: Letter, changes: _Changes, say: Language) -> dict[str, Any]:
    """Return the context of a letter that has left its space, with its origin if it just moved."""
    origin = changes.origins.get(letter)
    return _face_context(letter) | {
        "placed": True,
        "name": card_name(letter, say),
        "new": origin is not None,
        "from": "" if origin is None else f"space-{origin + 1}",
        "step": changes.steps.get(letter, 0),
    }


def _player_context(view: View, seat: Seat, changes: _Changes, setting: SceneContext) -> dict[str, Any]:
    colour, placed, say, stage = view.options.colours[seat], view.rails[seat], setting.say, view.stage
    over = isinstance(stage, Ended)
    letters = [Letter(colour, place) for place in range(len(WORD))]
    return {
        "seat": seat,
        "name": setting.names[seat],
        "mood": _mood(view, seat, changes),
        "mine": seat == view.seat,
        "to_act": isinstance(stage, Choosing | Turning) and stage.seat == seat,
        "won": isinstance(stage, Ended) and seat in stage.result.winners,
        "sign": f"sign-{colour.word}",
        "paper": colour.word,
        "paper_name": say(COLOURS[colour]),
        "points": placed,
        "points_of": len(WORD),
        "points_title": say("{name}'s letters", name=setting.names[seat]),
        "label": _rail_label(placed, say),
        "word": [
            _placed_letter(letter, changes, say)
            if letter.place < placed
            else {"letter": letter.letter, "next": letter.place == placed and not over}
            for letter in letters
        ],
    }


def _mood(view: View, seat: Seat, changes: _Changes) -> str:
    """Return how a player looks after the last turn, and at the end."""
    if isinstance(view.stage, Ended):
        is_last = view.rails[seat] == min(view.rails)
        return "pleased" if seat in view.stage.result.winners else "dismayed" if is_last else ""
    if seat in changes.pleased:
        return "pleased"
    return "dismayed" if view.options.colours[seat] in changes.dismayed else ""


def _rail_label(placed: int, say: Language) -> str:
    if placed == len(WORD):
        return say("has A-L-I-C-E")
    if not placed:
        return say("has no letters yet, needs {letter}", letter=WORD[0])
    return say("has {letters}, needs {letter}", letters="-".join(WORD[:placed]), letter=WORD[placed])


def _ending_sentence(view: View, names: Sequence[str], say: Language) -> str:
    if not isinstance(view.stage, Ended):
        return ""
    result = view.stage.result
    return say(HOW_IT_ENDED[Ending(result.ending)], who=names[result.winners[0]])

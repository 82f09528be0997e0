"""Parade for the browser: what its template draws, from a view alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wonderland.components.scene import SceneContext
from wonderland.engine.language import Language
from wonderland.engine.protocol import FACE_DOWN, Seat
from wonderland.games.parade.rules.components import DECK, Card, Colour
from wonderland.games.parade.rules.events import CardPlayed, CardsTaken, ChoicesShown
from wonderland.games.parade.rules.notation import write
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.scoring import score_sheets
from wonderland.games.parade.rules.state import Ended, KeepCards, Keeping, PlayCard, Playing
from wonderland.games.parade.rules.view import View
from wonderland.games.parade.ui.words import COLOURS, card_name, list_cards, points_with

_CROWDS = ((9, "few"), (13, "some"), (66, "many"))
"""How many cards of a parade go with which size."""
_FACES: dict[Card, dict[str, Any]] = {
    card: {
        "id": str(card),
        "colour": card.colour.name.lower(),
        "letter": card.colour.letter,
        "value": card.value,
    }
    for card in DECK
}


def scene(view: View, setting: SceneContext) -> dict[str, Any]:
    """The parade, everyone's cards, the hand with what each card would do, and the choice of pairs."""
    say, stage = setting.say, view.stage
    played = next((event for event in setting.last if isinstance(event, CardPlayed)), None)
    new = _new(setting.last)
    order = _round_from(view.seat, len(setting.names))
    return {
        "pile": view.pile,
        "parade": [
            _FACES[card]
            | {
                "name": card_name(card, say),
                "new": card in new,
                "count": len(view.parade) - place,
                "step": 0 if played and card == played.card else 1,
                "from": f"hand-{played.seat}" if played and card == played.card else "pile",
            }
            for place, card in enumerate(view.parade)
        ],
        "crowd": next(word for most, word in _CROWDS if len(view.parade) <= most),
        "players": [_player(view, seat, setting.names[seat], new, say) for seat in order],
        "hand": [_held(view, card, setting) for card in _hand(view)],
        "pairs": [_pair(view, action, say) for action in setting.legal if isinstance(action, KeepCards)],
        "kept": _kept(view),
        "last_round": _last_round(stage, say),
        "over": isinstance(stage, Ended),
    }


def _new(events: Sequence[Any]) -> set[Card]:
    """The cards that the last decision laid down or took."""
    found: set[Card] = set()
    for event in events:
        match event:
            case CardPlayed(card=card):
                found.add(card)
            case CardsTaken(cards=cards):
                found.update(cards)
            case ChoicesShown(choices=choices):
                found.update(card for pair in choices for card in (pair.first, pair.second))
            case _:
                pass
    return found


def _round_from(seat: Seat | None, seats: int) -> list[Seat]:
    """The seats in the order of turns, one's own last: it lies next to the hand."""
    first = 0 if seat is None else seat + 1
    return [(first + number) % seats for number in range(seats)]


def _kept(view: View) -> set[str]:
    """The cards that this view knows to be kept, while others still choose."""
    if not isinstance(view.stage, Keeping):
        return set()
    choices = [choice for choice in view.stage.kept if isinstance(choice, KeepCards)]
    return {str(card) for choice in choices for card in (choice.first, choice.second)}


def _hand(view: View) -> list[Card]:
    if view.seat is None or isinstance(view.stage, Ended):
        return []
    return [card for card in view.hands[view.seat] if card is not FACE_DOWN]


def _held(view: View, card: Card, setting: SceneContext) -> dict[str, Any]:
    """A card of the hand, with what it would do to the parade if it may be played now."""
    say = setting.say
    shown = _FACES[card] | {"name": card_name(card, say)}
    if PlayCard(card) not in setting.legal or view.seat is None:
        return shown | {"play": "", "label": card_name(card, say)}
    leaving, _ = split_parade(view.parade, card)
    cost = points_with(view, view.seat, leaving) - points_with(view, view.seat, ())
    if leaving:
        label = say.plural(
            "{card} takes {cards}: {points} point",
            "{card} takes {cards}: {points} points",
            abs(cost),
            card=card_name(card, say),
            cards=list_cards(leaving, say),
            points=_signed(cost),
        )
    else:
        label = say("{card} takes nothing", card=card_name(card, say))
    reached = len(view.parade) - card.value  # P5: so many stand in removal mode
    marks = [
        f"{other}:{'taken' if other in leaving else 'stays' if place < reached else 'safe'}"
        for place, other in enumerate(view.parade)
    ]
    return shown | {
        "play": write(PlayCard(card)),
        "label": label,
        "marks": " ".join(marks),
        "cost": _signed(cost) if leaving else "0",
        "kind": "dear" if cost > 0 else "free",
    }


def _signed(points: int) -> str:
    return f"{points:+}".replace("-", "\N{MINUS SIGN}")


def _player(view: View, seat: Seat, name: str, new: set[Card], say: Language) -> dict[str, Any]:
    sheet = score_sheets(view.zones)[seat]
    stage = view.stage
    hidden = 0 if seat == view.seat else sum(card is FACE_DOWN for card in view.hands[seat])
    return {
        "seat": seat,
        "name": name,
        "mine": seat == view.seat,
        "to_act": (isinstance(stage, Playing) and stage.seat == seat)
        or (isinstance(stage, Keeping) and stage.kept[seat] is None),
        "won": isinstance(stage, Ended) and seat in stage.result.winners,
        "chosen": isinstance(stage, Keeping) and stage.kept[seat] is not None,
        "points": sheet.total,
        "cards": hidden,
        "open": [
            _FACES[card] | {"name": card_name(card, say)}
            for card in view.hands[seat]
            if card is not FACE_DOWN and seat != view.seat and not isinstance(stage, Ended)
        ],
        "colours": [
            {
                "colour": colour.name.lower(),
                "name": say(COLOURS[colour]),
                "letter": colour.letter,
                "cards": [
                    _FACES[card] | {"name": card_name(card, say), "new": card in new}
                    for card in score.cards
                ],
                "points": score.points,
                "majority": score.majority,
            }
            for colour, score in zip(Colour, sheet.colours, strict=True)
            if score.cards
        ],
        "discarded": [
            _FACES[card] | {"name": card_name(card, say)}
            for card in view.hands[seat]
            if card is not FACE_DOWN
        ]
        if isinstance(stage, Ended)
        else [],
    }


def _pair(view: View, action: KeepCards, say: Language) -> dict[str, Any]:
    cards = (action.first, action.second)
    assert view.seat is not None  # noqa: S101 - only seats choose
    points = points_with(view, view.seat, cards)
    return {
        "play": write(action),
        "cards": [_FACES[card] for card in cards],
        "points": points,
        "label": say.plural(
            "Keep {cards}: {number} point as things lie",
            "Keep {cards}: {number} points as things lie",
            points,
            cards=list_cards(cards, say),
        ),
    }


def _last_round(stage: Any, say: Language) -> str:
    if isinstance(stage, Playing) and stage.turns_left is not None:
        return say.plural(
            "Last round: {number} turn to go", "Last round: {number} turns to go", stage.turns_left
        )
    if isinstance(stage, Keeping):
        return say("Everyone keeps two of the last four cards.")
    return ""

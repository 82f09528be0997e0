"""Web scene of Parade: the template context, built from a view alone so that it can't leak secrets."""

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

_SIZE_CLASSES = ((9, "few"), (13, "some"), (66, "many"))
"""Size classes by the maximum number of cards in the parade."""
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
    """Return the context: the parade, all zones, the hand with each card's effect, and pairs to keep."""
    say, stage = setting.say, view.stage
    played = next((event for event in setting.last if isinstance(event, CardPlayed)), None)
    new = _highlighted_cards(setting.last)
    order = _seat_order(view.seat, len(setting.names))
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
        "crowd": next(word for most, word in _SIZE_CLASSES if len(view.parade) <= most),
        "players": [_player_context(view, seat, setting.names[seat], new, say) for seat in order],
        "hand": [_hand_card(view, card, setting) for card in _visible_hand(view)],
        "pairs": [
            _pair_context(view, action, say) for action in setting.legal if isinstance(action, KeepCards)
        ],
        "kept": _known_kept(view),
        "last_round": _last_round_label(stage, say),
        "over": isinstance(stage, Ended),
    }


def _highlighted_cards(events: Sequence[Any]) -> set[Card]:
    """Return the cards played, taken or kept by the last decision, to highlight them."""
    highlighted: set[Card] = set()
    for event in events:
        match event:
            case CardPlayed(card=card):
                highlighted.add(card)
            case CardsTaken(cards=cards):
                highlighted.update(cards)
            case ChoicesShown(choices=choices):
                highlighted.update(card for pair in choices for card in (pair.first, pair.second))
            case _:
                pass
    return highlighted


def _seat_order(seat: Seat | None, seats: int) -> list[Seat]:
    """Return the seats in turn order with the viewer's own last, next to the hand."""
    first = 0 if seat is None else seat + 1
    return [(first + number) % seats for number in range(seats)]


def _known_kept(view: View) -> set[str]:
    """Return the cards known to be kept while others are still choosing."""
    if not isinstance(view.stage, Keeping):
        return set()
    choices = [choice for choice in view.stage.kept if isinstance(choice, KeepCards)]
    return {str(card) for choice in choices for card in (choice.first, choice.second)}


def _visible_hand(view: View) -> list[Card]:
    if view.seat is None or isinstance(view.stage, Ended):
        return []
    return [card for card in view.hands[view.seat] if card is not FACE_DOWN]


def _hand_card(view: View, card: Card, setting: SceneContext) -> dict[str, Any]:
    """Return the context of a card in hand, with its effect on the parade if it is playable."""
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
            points=_format_signed(cost),
        )
    else:
        label = say("{card} takes nothing", card=card_name(card, say))
    reached = len(view.parade) - card.value  # P5: the number of cards in removal mode
    marks = [
        f"{other}:{'taken' if other in leaving else 'stays' if place < reached else 'safe'}"
        for place, other in enumerate(view.parade)
    ]
    return shown | {
        "play": write(PlayCard(card)),
        "label": label,
        "marks": " ".join(marks),
        "cost": _format_signed(cost) if leaving else "0",
        "kind": "costly" if cost > 0 else "free",
    }


def _format_signed(points: int) -> str:
    return f"{points:+}".replace("-", "\N{MINUS SIGN}")


def _player_context(view: View, seat: Seat, name: str, new: set[Card], say: Language) -> dict[str, Any]:
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


def _pair_context(view: View, action: KeepCards, say: Language) -> dict[str, Any]:
    cards = (action.first, action.second)
    assert view.seat is not None  # noqa: S101 - spectators have no legal actions
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


def _last_round_label(stage: Any, say: Language) -> str:
    if isinstance(stage, Playing) and stage.turns_left is not None:
        return say.plural(
            "Last round: {number} turn to go", "Last round: {number} turns to go", stage.turns_left
        )
    if isinstance(stage, Keeping):
        return say("Everyone keeps two of the last four cards.")
    return ""

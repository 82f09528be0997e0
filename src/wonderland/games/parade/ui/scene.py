"""Web scene of Parade: the template context, built from a view alone so that it can't leak secrets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from wonderland.components.scene import SceneContext
from wonderland.engine.language import Language, phrase
from wonderland.engine.protocol import FACE_DOWN, Seat
from wonderland.games.parade.rules.components import DECK, Card, Colour
from wonderland.games.parade.rules.events import CardPlayed, CardsTaken, ChoicesShown
from wonderland.games.parade.rules.notation import read_card, write
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.scoring import ScoreSheet, points_with, score_sheets
from wonderland.games.parade.rules.state import Ended, KeepCards, Keeping, PlayCard, Playing
from wonderland.games.parade.rules.view import View
from wonderland.games.parade.ui.finale import CAST, beats, kept_cards
from wonderland.games.parade.ui.words import COLOURS, card_name, list_cards

DECKS = {"theatre": phrase("Theatre"), "ink": phrase("Ink")}
_EMBLEM_CARDS = "B2 R9 Y5 P0 G8 O4 R0 B10 P6 O7 Y10 G3"
EMBLEMS = tuple(
    (f"card-{card}", card.colour.name.lower()) for card in map(read_card, _EMBLEM_CARDS.split())
)
_SIZE_CLASSES = ((13, "short"), (17, "long"), (20, "full"), (24, "crowded"), (66, "packed"))
"""How the places lie along the runner, by the maximum number of cards in the parade."""
_LONGEST_ROW = {2: 15, 3: 15, 4: 11.5}
"""How many cards wide the cards taken by another player may lie, by the number of players."""
_LONGEST_OWN_ROW = 6.8
_DISMAY = 5
"""Points for one move that show in a player's face."""
_FACES: dict[Card, dict[str, Any]] = {
    card: {
        "id": str(card),
        "colour": card.colour.name.lower(),
        "letter": card.colour.letter,
        "value": card.value,
    }
    for card in DECK
}


@cache
def _named_faces(say: Language) -> dict[Card, dict[str, Any]]:
    """The cards with their names in a language."""
    return {card: face | {"name": card_name(card, say)} for card, face in _FACES.items()}


def piece_pictures(say: Language) -> dict[str, tuple[str, str]]:
    """Return the small card that sentences show instead of a card's name."""
    return {card_name(card, say): (f"tile-{card}", card.colour.name.lower()) for card in DECK}


def scene(view: View, setting: SceneContext) -> dict[str, Any]:
    """Return the context: the parade, all zones, the hand with each card's effect, and pairs to keep."""
    say, stage = setting.say, view.stage
    played = next((event for event in setting.last if isinstance(event, CardPlayed)), None)
    new = _highlighted_cards(setting.last)
    order = _seat_order(view.seat, len(setting.names))
    faces, sheets = _named_faces(say), score_sheets(view.zones)
    return {
        "pile": view.pile,
        "parade": [
            faces[card]
            | {
                "new": card in new,
                "count": len(view.parade) - place,
                "step": 0 if played and card == played.card else 1,
                "from": f"hand-{played.seat}" if played and card == played.card else "pile",
            }
            for place, card in enumerate(view.parade)
        ],
        "beats": _beats(view, played, setting.last),
        "crowd": next(word for most, word in _SIZE_CLASSES if len(view.parade) <= most),
        "players": [_player_context(view, seat, setting, sheets[seat], new) for seat in order],
        "hand": [_hand_card(view, card, setting) for card in _visible_hand(view)],
        "pairs": _pairs(view, setting),
        "kept": _known_kept(view),
        "keeping": isinstance(stage, Keeping),
        "last_round": _last_round_label(stage, say),
        "over": isinstance(stage, Ended),
        "finale": beats(view, setting, order),
        "cast": [_FACES[Card.of(colour, value)] for colour, value in CAST.items()],
    }


def _beats(view: View, played: CardPlayed | None, last: Sequence[Any]) -> dict[str, Any] | None:
    """Return how to show the last move in beats, with the marks that its player saw as a preview.

    The protected cards come first, from the end of the parade to its front, in the order of counting.
    """
    if played is None:
        return None
    taken = [card for event in last if isinstance(event, CardsTaken) for card in event.cards]
    left = view.parade[:-1]
    reached = max(0, len(left) - played.card.value)
    marks = [*(f"{card}:safe" for card in reversed(left[reached:]))]
    marks += [f"{card}:stays" for card in left[:reached]] + [f"{card}:taken" for card in taken]
    return {
        "lay": str(played.card),
        "card": _FACES[played.card],
        "from": f"hand-{played.seat}",
        "marks": " ".join(marks),
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
    shown = _named_faces(say)[card]
    if PlayCard(card) not in setting.legal or view.seat is None:
        return shown | {"play": "", "label": shown["name"]}
    leaving, _ = split_parade(view.parade, card)
    cost = points_with(view.zones, view.seat, leaving) - points_with(view.zones, view.seat, ())
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
        "offer": say("Play {card}", card=card_name(card, say)),
        "label": label,
        "marks": " ".join(marks),
        "cost": _format_signed(cost) if leaving else "0",
        "kind": "costly" if cost > 0 else "free",
    }


def _format_signed(points: int) -> str:
    return f"{points:+}".replace("-", "\N{MINUS SIGN}")


def _mood(view: View, seat: Seat, last: Sequence[Any]) -> str:
    """Return how a player looks: after what their move took, and at the end."""
    stage = view.stage
    if isinstance(stage, Ended):
        totals = [sheet.total for sheet in score_sheets(view.zones)]
        worst = totals[seat] == max(totals)
        return "pleased" if seat in stage.result.winners else "dismayed" if worst else ""
    taken = [
        card
        for event in last
        if isinstance(event, CardsTaken) and event.seat == seat
        for card in event.cards
    ]
    if not taken:
        return ""
    zone = tuple(card for card in view.zones[seat] if card not in taken)
    zones = (*view.zones[:seat], zone, *view.zones[seat + 1 :])
    change = score_sheets(view.zones)[seat].total - score_sheets(zones)[seat].total
    return "pleased" if change < 0 else "dismayed" if change >= _DISMAY else ""


def _player_context(
    view: View, seat: Seat, setting: SceneContext, sheet: ScoreSheet, new: set[Card]
) -> dict[str, Any]:
    say, faces = setting.say, _named_faces(setting.say)
    stage, seats = view.stage, len(setting.names)
    is_near = seat == _seat_order(view.seat, seats)[-1]
    hidden = 0 if seat == view.seat else sum(card is FACE_DOWN for card in view.hands[seat])
    return {
        "seat": seat,
        "name": setting.names[seat],
        "mood": _mood(view, seat, setting.last),
        "moved": any(isinstance(event, CardPlayed) and event.seat == seat for event in setting.last),
        "mine": seat == view.seat,
        "to_act": (isinstance(stage, Playing) and stage.seat == seat)
        or (isinstance(stage, Keeping) and stage.kept[seat] is None),
        "won": isinstance(stage, Ended) and seat in stage.result.winners,
        "chosen": isinstance(stage, Keeping) and stage.kept[seat] is not None,
        "points": sheet.total,
        "points_title": say("Points so far: lowest score wins"),
        "cards": hidden,
        "open": [
            faces[card]
            for card in view.hands[seat]
            if card is not FACE_DOWN and seat != view.seat and not isinstance(stage, Ended)
        ],
        "in_columns": _row_width(sheet) > (_LONGEST_OWN_ROW if is_near else _LONGEST_ROW.get(seats, 0)),
        "colours": [
            {
                "colour": colour.name.lower(),
                "name": say(COLOURS[colour]),
                "letter": colour.letter,
                "cards": [
                    faces[card] | {"new": True} if card in new else faces[card] for card in score.cards
                ],
                "points": score.points,
                "majority": score.majority,
            }
            for colour, score in zip(Colour, sheet.colours, strict=True)
            if score.cards
        ],
        "kept": [_FACES[card] for card in kept_cards(setting).get(seat, ())],
        "discarded": [faces[card] for card in view.hands[seat] if card is not FACE_DOWN]
        if isinstance(stage, Ended)
        else [],
    }


def _row_width(sheet: ScoreSheet) -> float:
    """Return the width of all cards of a player in one row, in widths of a card: they overlap by 0.4."""
    return sum(1.4 + 0.6 * (len(score.cards) - 1) for score in sheet.colours if score.cards)


def _pairs(view: View, setting: SceneContext) -> list[dict[str, Any]]:
    """Return the pairs that the viewer may keep, the fewest points first."""
    pairs = [
        _pair_context(view, action, setting.say)
        for action in setting.legal
        if isinstance(action, KeepCards)
    ]
    lowest = min((pair["points"] for pair in pairs), default=0)
    return [
        pair | {"is_lowest": pair["points"] == lowest}
        for pair in sorted(pairs, key=itemgetter("points"))
    ]


def _pair_context(view: View, action: KeepCards, say: Language) -> dict[str, Any]:
    cards = (action.first, action.second)
    assert view.seat is not None  # noqa: S101 - spectators have no legal actions
    points = points_with(view.zones, view.seat, cards)
    return {
        "play": write(action),
        "offer": say.capital(say("keep {cards}", cards=list_cards(cards, say))),
        "marks": " ".join(f"{card}:kept" for card in cards),
        "cards": [_FACES[card] for card in cards],
        "points": points,
        "label": say.plural(
            "Keep {cards}: {number} point right now",
            "Keep {cards}: {number} points right now",
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
        return say("Everyone keeps two of their four cards.")
    return ""

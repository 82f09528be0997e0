"""Wording for Parade: sentences for events, the table and the choices."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, assert_never

from rich.cells import cell_len, set_cell_size

from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.protocol import FACE_DOWN, FaceDown
from wonderland.games.parade.rules.components import Card, Colour
from wonderland.games.parade.rules.events import (
    CardDealt,
    CardDrawn,
    CardJoined,
    CardPlayed,
    CardsKept,
    CardsTaken,
    ChoicesShown,
    Event,
    GameEnded,
    LastRoundBegan,
    StartChosen,
)
from wonderland.games.parade.rules.notation import write
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.scoring import ColourScore, score_sheets, totals
from wonderland.games.parade.rules.state import (
    Action,
    Dealing,
    Drawing,
    Ended,
    Ending,
    Forming,
    KeepCards,
    Keeping,
    PlayCard,
    Playing,
    Starting,
    StartWith,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wonderland.engine.protocol import Seat
    from wonderland.games.parade.rules.view import View


COLOURS = {
    Colour.RED: phrase("Red"),
    Colour.BLUE: phrase("Blue"),
    Colour.PURPLE: phrase("Purple"),
    Colour.GREEN: phrase("Green"),
    Colour.GREY: phrase("Grey"),
    Colour.ORANGE: phrase("Orange"),
}
_LAST_ROUND = {
    Ending.SIXTH_COLOUR: phrase("{name} has taken the sixth colour: everyone plays one more turn."),
    Ending.EMPTY_PILE: phrase(
        "{name} has taken the last card of the pile: everyone plays one more turn."
    ),
    Ending.BOTH: phrase(
        "{name} has taken the sixth colour and the last card of the pile: everyone plays one more turn."
    ),
}
ENDINGS = {
    "sixth colour": phrase("Somebody has taken the sixth colour"),
    "empty pile": phrase("The pile is empty"),
    "sixth colour and empty pile": phrase("Both at once"),
}
"""Names of the endings on the insights page."""


def card_name(card: Card, say: Language = ENGLISH) -> str:
    """Return a card's name.

    >>> card_name(Card.of(Colour.GREY, 10))
    'Grey 10'
    """
    return say("{colour} {value}", colour=say(COLOURS[card.colour]), value=card.value)


def list_cards(cards: Iterable[Card], say: Language = ENGLISH) -> str:
    """Return the names of cards as a list in running text."""
    return say.join_list(card_name(card, say) for card in cards)


def tell(event: Event, names: Sequence[str], say: Language = ENGLISH) -> str | None:
    """Describe an event in one sentence; `None` if it isn't worth mentioning."""
    match event:
        case StartChosen(seat):
            return say("{name} begins.", name=names[seat])
        case CardDealt() | CardJoined():
            return None
        case CardDrawn(seat, card):
            if card is FACE_DOWN:
                return say("{name} draws a card.", name=names[seat])
            return say("{name} draws {card}.", name=names[seat], card=card_name(card, say))
        case CardPlayed(seat, card):
            return say("{name} plays {card}.", name=names[seat], card=card_name(card, say))
        case CardsTaken(seat, cards):
            return say("{name} takes {cards}.", name=names[seat], cards=list_cards(cards, say))
        case LastRoundBegan(seat, ending):
            return say(_LAST_ROUND[ending], name=names[seat])
        case CardsKept(seat, choice):
            if choice is FACE_DOWN:
                return say("{name} keeps two cards.", name=names[seat])
            pair = (choice.first, choice.second)
            return say("{name} keeps {cards}.", name=names[seat], cards=list_cards(pair, say))
        case ChoicesShown(choices):
            kept = [
                say(
                    "{name} {cards}",
                    name=names[seat],
                    cards=list_cards((kept_pair.first, kept_pair.second), say),
                )
                for seat, kept_pair in enumerate(choices)
            ]
            return say("The cards kept are shown: {kept}.", kept="; ".join(kept))
        case GameEnded(result):
            return result.sentence(names, say)
    assert_never(event)


def describe(view: View, names: Sequence[str]) -> list[str]:
    """Describe the table in lines of text: the parade, all zones, and the hand."""
    lines = [
        f"Parade, from the front ({_format_card_count(view.pile)} in the pile) to the end; Y is grey:"
    ]
    lines.append(f"  {' '.join(map(str, view.parade)) or 'nobody yet'}")
    lines.append("In front of the players, with the points these cards count now (* majority):")
    width = max(map(cell_len, names))
    padded = [set_cell_size(name, width) for name in names]
    for name, sheet in zip(padded, score_sheets(view.zones), strict=True):
        zone = "  ".join(_format_colour(score) for score in sheet.colours if score.cards) or "nothing"
        lines.append(f"  {name}  {sheet.total:>3}  {zone}")
    for owner, hand in enumerate(view.hands):
        if hand and hand[0] is not FACE_DOWN:
            label = "discarded" if isinstance(view.stage, Ended) else "hand"
            shown = " ".join("?" if card is FACE_DOWN else str(card) for card in hand)
            lines.append(f"{names[owner]}, {label}: {shown}")
    lines.append(_status(view, names))
    return [part for line in lines for part in wrap(line, 80, subsequent_indent=" " * 6)]


def _format_card_count(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _format_colour(score: ColourScore) -> str:
    values = " ".join(str(card.value) for card in score.cards)
    return f"{score.cards[0].colour.letter}:{values}{'*' if score.majority else ''}"


def _status(view: View, names: Sequence[str]) -> str:
    match view.stage:
        case Starting() | Dealing() | Forming():
            return "The cards are being dealt."
        case Playing(seat, None) | Drawing(seat):
            return f"It is {names[seat]}'s turn."
        case Playing(seat, left):
            return f"Last round: {names[seat]} is to play, {left} to go."
        case Keeping(_, kept):
            waiting = [name for name, pair in zip(names, kept, strict=True) if pair is None]
            return f"Choosing two cards to keep: {', '.join(waiting)}."
        case Ended(_, result):
            return f"The game is over: {result.text(names)}, by {result.decided}."
    assert_never(view.stage)


def points_with(view: View, seat: Seat, more: Sequence[Card]) -> int:
    """Return the seat's score with some more cards in its zone, all else unchanged."""
    zones = list(view.zones)
    zones[seat] = (*zones[seat], *more)
    return totals(zones)[seat]


def offer(view: View, action: Action, say: Language = ENGLISH) -> str:
    """Describe a choice: a card with what it would take, or a pair with the score it would give now."""
    match action:
        case PlayCard(card):
            return _describe_card(view, card, say)
        case KeepCards(first, second):
            cards = list_cards((first, second), say)
            if view.seat is None:
                return say("keep {cards}", cards=cards)
            return say.plural(
                "keep {cards}: {number} point as things lie",
                "keep {cards}: {number} points as things lie",
                points_with(view, view.seat, (first, second)),
                cards=cards,
            )
        case StartWith() | Card() | FaceDown.FACE_DOWN:  # chance outcomes, never offered
            return write(action)
    assert_never(action)


def _describe_card(view: View, card: Card, say: Language) -> str:
    """Describe a card of the hand with what it takes and what that costs the viewer."""
    leaving, _ = split_parade(view.parade, card)
    name, cards = card_name(card, say), list_cards(leaving, say)
    if not leaving:
        return say("{card} takes nothing", card=name)
    if view.seat is None:
        return say("{card} takes {cards}", card=name, cards=cards)
    cost = points_with(view, view.seat, leaving) - points_with(view, view.seat, ())
    return say.plural(
        "{card} takes {cards}: {points} point",
        "{card} takes {cards}: {points} points",
        abs(cost),
        card=name,
        cards=cards,
        points=f"{cost:+}",
    )

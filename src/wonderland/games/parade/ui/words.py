"""Wording for Parade: sentences for events, the table and the choices."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rich.cells import cell_len

from wonderland.components.text_layout import align_left, wrap_text
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
from wonderland.games.parade.rules.scoring import ColourScore, points_with, score_sheets
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
    Ending.SIXTH_COLOUR: phrase("{name} has taken the sixth colour: everyone gets one more turn."),
    Ending.EMPTY_PILE: phrase(
        "{name} has drawn the last card of the draw pile: everyone gets one more turn."
    ),
    Ending.BOTH: phrase(
        "{name} has taken the sixth colour and drawn the last card of the draw pile: "
        "everyone gets one more turn."
    ),
}
ENDINGS = {
    "sixth colour": phrase("Someone took the sixth colour"),
    "empty pile": phrase("The draw pile ran out"),
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


def describe_event(event: Event, names: Sequence[str], say: Language = ENGLISH) -> str | None:
    """Describe an event in one sentence; `None` if it isn't worth mentioning."""
    match event:
        case StartChosen(seat):
            return say("{name} goes first.", name=names[seat])
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
            return say("The kept cards are revealed: {kept}.", kept=say.join_clauses(kept))
        case GameEnded(result):
            return result.sentence(names, say)
    assert_never(event)


def describe(view: View, names: Sequence[str], say: Language = ENGLISH) -> list[str]:
    """Describe the table in lines of text: the parade, all zones, and the hand."""
    lines = [
        say.plural(
            "The parade, from front to end, with {number} card left in the draw pile:",
            "The parade, from front to end, with {number} cards left in the draw pile:",
            view.pile,
        ),
        f"  {' '.join(map(str, view.parade)) or say('nothing yet')}",
        say("Cards taken so far, with the points they count right now (* majority):"),
    ]
    width = max(map(cell_len, names))
    for name, sheet in zip(names, score_sheets(view.zones), strict=True):
        zone = "  ".join(_format_colour(score) for score in sheet.colours if score.cards)
        lines.append(f"  {align_left(name, width)}  {sheet.total:>3}  {zone or say('nothing yet')}")
    for owner, hand in enumerate(view.hands):
        if hand and hand[0] is not FACE_DOWN:
            shown = " ".join("?" if card is FACE_DOWN else str(card) for card in hand)
            if isinstance(view.stage, Ended):
                lines.append(say("{name}'s discards: {cards}", name=names[owner], cards=shown))
            else:
                lines.append(say("{name}'s hand: {cards}", name=names[owner], cards=shown))
    lines += [colour_legend(say), _status(view, names, say)]
    return [part for line in lines for part in wrap_text(line, 80, " " * 6)]


def colour_legend(say: Language) -> str:
    """Explain the letters of the colours: grey is Y, because G is green."""
    letters = say.join_list(f"{colour.letter} {say(COLOURS[colour])}" for colour in Colour)
    return say("Colours: {colours}", colours=letters)


def _format_colour(score: ColourScore) -> str:
    values = " ".join(str(card.value) for card in score.cards)
    return f"{score.cards[0].colour.letter}:{values}{'*' if score.majority else ''}"


def _status(view: View, names: Sequence[str], say: Language) -> str:
    match view.stage:
        case Starting() | Dealing() | Forming():
            return say("The cards are being dealt.")
        case Playing(seat, None) | Drawing(seat):
            return say("It's {name}'s turn.", name=names[seat])
        case Playing(seat, left):
            assert left is not None  # noqa: S101 - the case above
            return say.plural(
                "It's {name}'s turn. Last round: {number} turn to go.",
                "It's {name}'s turn. Last round: {number} turns to go.",
                left,
                name=names[seat],
            )
        case Keeping(_, kept):
            waiting = [name for name, pair in zip(names, kept, strict=True) if pair is None]
            return say("Still choosing which cards to keep: {names}.", names=say.join_list(waiting))
        case Ended(_, result):
            return say.sentences([say("The game is over."), result.verdict(names, say)])
    assert_never(view.stage)


def describe_action(view: View, action: Action, say: Language = ENGLISH) -> str:
    """Describe a choice: a card with what it would take, or a pair with the score it would give now."""
    match action:
        case PlayCard(card):
            return _describe_card(view, card, say)
        case KeepCards(first, second):
            cards = list_cards((first, second), say)
            if view.seat is None:
                return say("keep {cards}", cards=cards)
            return say.plural(
                "keep {cards}: {number} point right now",
                "keep {cards}: {number} points right now",
                points_with(view.zones, view.seat, (first, second)),
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
    cost = points_with(view.zones, view.seat, leaving) - points_with(view.zones, view.seat, ())
    return say.plural(
        "{card} takes {cards}: {points} point",
        "{card} takes {cards}: {points} points",
        abs(cost),
        card=name,
        cards=cards,
        points=f"{cost:+}".replace("-", "\N{MINUS SIGN}"),
    )

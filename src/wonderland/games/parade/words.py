"""Parade in plain words: what happened, how the table looks, what can be done."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, assert_never

from rich.cells import cell_len, set_cell_size

from wonderland.core.protocol import FACE_DOWN, FaceDown
from wonderland.games.parade.components import Card
from wonderland.games.parade.notation import write
from wonderland.games.parade.rules import parted
from wonderland.games.parade.scoring import ColourScore, score_sheets, totals
from wonderland.games.parade.state import (
    Action,
    CardDealt,
    CardDrawn,
    CardJoined,
    CardPlayed,
    CardsKept,
    CardsTaken,
    ChoicesShown,
    Dealing,
    Drawing,
    Ended,
    Event,
    Forming,
    GameEnded,
    KeepCards,
    Keeping,
    LastRoundBegan,
    PlayCard,
    Playing,
    StartChosen,
    Starting,
    StartWith,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wonderland.core.protocol import Seat
    from wonderland.games.parade.view import View


def card_name(card: Card) -> str:
    """A card as people say it.

    >>> from wonderland.games.parade.components import Colour
    >>> card_name(Card.of(Colour.GREY, 10))
    'Grey 10'
    """
    return f"{card.colour.name.capitalize()} {card.value}"


def _listed(cards: Iterable[Card]) -> str:
    return ", ".join(map(card_name, cards))


def tell(event: Event, names: Sequence[str]) -> str | None:
    """What happened, in one sentence."""
    match event:
        case StartChosen(seat):
            return f"{names[seat]} begins."
        case CardDealt() | CardJoined():
            return None
        case CardDrawn(seat, card):
            return f"{names[seat]} draws {'a card' if card is FACE_DOWN else card_name(card)}."
        case CardPlayed(seat, card):
            return f"{names[seat]} plays {card_name(card)}."
        case CardsTaken(seat, cards):
            return f"{names[seat]} takes {_listed(cards)}."
        case LastRoundBegan(seat, ending):
            why = {"sixth colour": "the sixth colour", "empty pile": "the last card of the pile"}
            reason = why.get(ending.value, "the sixth colour and the last card of the pile")
            return f"{names[seat]} has taken {reason}: everyone plays one more turn."
        case CardsKept(seat, choice):
            what = "two cards" if choice is FACE_DOWN else _listed((choice.first, choice.second))
            return f"{names[seat]} keeps {what}."
        case ChoicesShown(choices):
            kept = (f"{names[seat]} {_listed((c.first, c.second))}" for seat, c in enumerate(choices))
            return f"The cards kept are shown: {'; '.join(kept)}."
        case GameEnded(result):
            return f"{result.text(names)}: {result.decided}."
    assert_never(event)


def describe(view: View, names: Sequence[str]) -> list[str]:
    """The table in lines of text: the parade, what lies in front of everyone, and the hand."""
    lines = [f"Parade, from the front ({_cards(view.pile)} in the pile) to the end; Y is grey:"]
    lines.append(f"  {' '.join(map(str, view.parade)) or 'nobody yet'}")
    lines.append("In front of the players, with the points these cards count now (* majority):")
    width = max(map(cell_len, names))
    padded = [set_cell_size(name, width) for name in names]
    for name, sheet in zip(padded, score_sheets(view.zones), strict=True):
        zone = "  ".join(_pile(score) for score in sheet.colours if score.cards) or "nothing"
        lines.append(f"  {name}  {sheet.total:>3}  {zone}")
    for owner, hand in enumerate(view.hands):
        if hand and hand[0] is not FACE_DOWN:
            what = "discarded" if isinstance(view.stage, Ended) else "hand"
            shown = " ".join("?" if card is FACE_DOWN else str(card) for card in hand)
            lines.append(f"{names[owner]}, {what}: {shown}")
    lines.append(_status(view, names))
    return [part for line in lines for part in wrap(line, 80, subsequent_indent=" " * 6)]


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _pile(score: ColourScore) -> str:
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
    """What the cards in front of a seat would count with some more, if all else stayed as it is."""
    zones = list(view.zones)
    zones[seat] = (*zones[seat], *more)
    return totals(zones)[seat]


def _cost(view: View, leaving: Sequence[Card]) -> str:
    if view.seat is None:
        return ""
    cost = points_with(view, view.seat, leaving) - points_with(view, view.seat, ())
    return f": {cost:+} points" if abs(cost) != 1 else f": {cost:+} point"


def offer(view: View, action: Action) -> str:
    """A card with what it would take, or a pair with what it would count if all stayed as it is."""
    match action:
        case PlayCard(card):
            leaving, _ = parted(view.parade, card)
            if not leaving:
                return f"{card_name(card)} takes nothing"
            return f"{card_name(card)} takes {_listed(leaving)}{_cost(view, leaving)}"
        case KeepCards(first, second):
            kept = f"keep {_listed((first, second))}"
            if view.seat is None:
                return kept
            return f"{kept}: {points_with(view, view.seat, (first, second))} points as things lie"
        case StartWith() | Card() | FaceDown.FACE_DOWN:  # luck's, never offered
            return write(action)
    assert_never(action)

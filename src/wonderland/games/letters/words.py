"""Letters in plain words: what happened, how the table looks, what can be done."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, assert_never

from rich.cells import cell_len, set_cell_size

from wonderland.core.protocol import FACE_DOWN
from wonderland.games.letters.components import WORD, Card, Letter, Menace
from wonderland.games.letters.state import (
    EMPTY,
    Action,
    CardChosen,
    CardTurned,
    Choosing,
    Ended,
    Event,
    GameEnded,
    LetterRemoved,
    LettersPlayed,
    LettersTurnedDown,
    Space,
    StartChosen,
    Starting,
    StartWith,
    TurnCard,
    TurnedDown,
    Turning,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.games.letters.view import View

_NAMES = {
    Menace.DUCHESS: "the Duchess",
    Menace.MAD_HATTER: "the Mad Hatter",
    Menace.MARCH_HARE: "the March Hare",
    Menace.MOCK_TURTLE: "the Mock Turtle",
    Menace.WALRUS: "the Walrus",
    Menace.CARPENTER: "the Carpenter",
    Menace.KING_OF_HEARTS: "the King of Hearts",
}
_ROW = 9
_NARROWEST = len("yellowA")
_WIDEST = 80


def card_name(card: Card) -> str:
    """A card as people say it.

    >>> card_name(Menace.MARCH_HARE)
    'the March Hare'
    """
    if isinstance(card, Menace):
        return _NAMES[card]
    return f"{card.colour.word} {card.letter}"


def tell(event: Event, names: Sequence[str]) -> str | None:
    """What happened, in one sentence; which letters were turned down is for the players to remember."""
    match event:
        case StartChosen(seat):
            return f"{names[seat]} begins."
        case CardChosen():
            return None
        case CardTurned(seat, space, card):
            return f"{names[seat]} turns card {space + 1}: {card_name(card)}."
        case LettersPlayed(seat, letters):
            return f"{names[seat]} plays {'-'.join(letter.letter for letter in letters)}."
        case LettersTurnedDown(letters):
            return f"{_counted(letters)} turned face down again."
        case LetterRemoved(letter):
            return f"Nobody plays {letter.colour.word}: the card is removed from the game."
        case GameEnded(result):
            return f"{result.text(names)}: {result.decided}."
    assert_never(event)


def _counted(letters: Sequence[Letter]) -> str:
    colours = {letter.colour.word for letter in letters}
    colour = f"{colours.pop()} " if len(colours) == 1 else ""
    return f"1 {colour}letter is" if len(letters) == 1 else f"{len(letters)} {colour}letters are"


def retell(event: Event, view: View, names: Sequence[str]) -> str | None:
    """What is told of an event later on: not which card was turned, since remembering is the game."""
    if isinstance(event, CardTurned) and view.options.memory == "closed":
        return f"{names[event.seat]} turns card {event.space + 1}."
    return tell(event, names)


def describe(view: View, names: Sequence[str]) -> list[str]:
    """The table in lines of text: the starred spaces, everyone's A-L-I-C-E, and whose turn it is."""
    lines = ["The starred spaces (a number is a card face down, a dot an empty space):"]
    lines += _board(view.spaces)
    marked = [
        f"{space + 1} {card_name(lies.card)}"
        for space, lies in enumerate(view.spaces)
        if isinstance(lies, TurnedDown)
    ]
    lines += _listed("Face down again", marked)
    lines += _listed("Removed from the game", [card_name(letter) for letter in view.removed])
    lines.append("The letters that the players have:")
    width = max(map(cell_len, names))
    for name, colour, placed in zip(names, view.options.colours, view.rails, strict=True):
        rail = " ".join(WORD[:placed].ljust(len(WORD), "."))
        lines.append(f"  {set_cell_size(name, width)}  {colour.word:<6}  {rail}")
    lines.append(_status(view, names))
    return lines


def _board(spaces: Sequence[Space]) -> list[str]:
    cells = [_cell(space, lies) for space, lies in enumerate(spaces)]
    widths = [max(_NARROWEST, *map(len, cells[column::_ROW])) for column in range(_ROW)]
    rows = [cells[first : first + _ROW] for first in range(0, len(cells), _ROW)]
    return [
        f"  {' '.join(f'{cell:<{width}}' for cell, width in zip(row, widths, strict=True))}".rstrip()
        for row in rows
    ]


def _cell(space: int, lies: Space) -> str:
    if lies is EMPTY:
        return "."
    if lies is FACE_DOWN or isinstance(lies, TurnedDown):
        return str(space + 1)
    return str(lies.card)


def _listed(heading: str, items: Sequence[str]) -> list[str]:
    if not items:
        return []
    return wrap(f"{heading}: {', '.join(items)}", _WIDEST, subsequent_indent="  ")


def _status(view: View, names: Sequence[str]) -> str:
    match view.stage:
        case Starting():
            return "It is being settled who begins."
        case Choosing(seat):
            return f"It is {names[seat]}'s turn."
        case Turning(seat, space):
            return f"{names[seat]} turns card {space + 1}."
        case Ended(result):
            return f"The game is over: {result.text(names)}."
    assert_never(view.stage)


def offer(view: View, action: Action) -> str:
    """A card to turn, with what it is where the view shows that."""
    match action:
        case TurnCard(space):
            lies = view.spaces[space]
            known = f": {card_name(lies.card)}" if isinstance(lies, TurnedDown) else ""
            return f"turn card {space + 1}{known}"
        case Letter() | Menace():
            return card_name(action)
        case StartWith(seat):
            return f"seat {seat + 1} begins"
    assert_never(action)

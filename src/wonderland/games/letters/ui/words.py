"""Letters in plain words: what happened, how the table looks, what can be done."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, assert_never

from rich.cells import cell_len, set_cell_size

from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.letters.rules.components import WORD, Card, Colour, Letter, Menace
from wonderland.games.letters.rules.events import (
    CardChosen,
    CardTurned,
    Event,
    GameEnded,
    LetterRemoved,
    LettersPlayed,
    LettersTurnedDown,
    StartChosen,
)
from wonderland.games.letters.rules.state import (
    EMPTY,
    Action,
    Choosing,
    Ended,
    Space,
    Starting,
    StartWith,
    TurnCard,
    TurnedDown,
    Turning,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.games.letters.rules.view import View

_NAMES = {
    Menace.DUCHESS: phrase("the Duchess"),
    Menace.MAD_HATTER: phrase("the Mad Hatter"),
    Menace.MARCH_HARE: phrase("the March Hare"),
    Menace.MOCK_TURTLE: phrase("the Mock Turtle"),
    Menace.WALRUS: phrase("the Walrus"),
    Menace.CARPENTER: phrase("the Carpenter"),
    Menace.KING_OF_HEARTS: phrase("the King of Hearts"),
}
COLOURS = {
    Colour.RED: phrase("red"),
    Colour.BLUE: phrase("blue"),
    Colour.YELLOW: phrase("yellow"),
    Colour.GREEN: phrase("green"),
}
_ROW = 9
_NARROWEST = len("yellowA")
_WIDEST = 80
ENDINGS = {
    "turned": phrase("The last letter is turned up"),
    "claimed after": phrase("The last letters lay open: played after turning a card"),
    "claimed first": phrase("The last letters lay open: played before turning a card"),
}
"""What the page of insights calls the ways in which plays end."""


def card_name(card: Card, say: Language = ENGLISH) -> str:
    """A card as people say it.

    >>> card_name(Menace.MARCH_HARE)
    'the March Hare'
    """
    if isinstance(card, Menace):
        return say(_NAMES[card])
    return say("{colour} {letter}", colour=say(COLOURS[card.colour]), letter=card.letter)


def tell(event: Event, names: Sequence[str], say: Language = ENGLISH) -> str | None:
    """What happened, in one sentence; which letters were turned down is for the players to remember."""
    match event:
        case StartChosen(seat):
            return say("{name} begins.", name=names[seat])
        case CardChosen():
            return None
        case CardTurned(seat, space, card):
            return say(
                "{name} turns card {number}: {card}.",
                name=names[seat],
                number=space + 1,
                card=card_name(card, say),
            )
        case LettersPlayed(seat, letters):
            played = "-".join(letter.letter for letter in letters)
            return say("{name} plays {letters}.", name=names[seat], letters=played)
        case LettersTurnedDown(letters):
            return _turned_down(letters, say)
        case LetterRemoved(letter):
            return say(
                "Nobody plays {colour}: the card is removed from the game.",
                colour=say(COLOURS[letter.colour]),
            )
        case GameEnded(result):
            return result.sentence(names, say)
    assert_never(event)


def _turned_down(letters: Sequence[Letter], say: Language) -> str:
    colours = {letter.colour for letter in letters}
    if len(colours) > 1:
        return say.plural(
            "{number} letter is turned face down again.",
            "{number} letters are turned face down again.",
            len(letters),
        )
    return say.plural(
        "{number} {colour} letter is turned face down again.",
        "{number} {colour} letters are turned face down again.",
        len(letters),
        colour=say(COLOURS[colours.pop()]),
    )


def retell(event: Event, view: View, names: Sequence[str], say: Language = ENGLISH) -> str | None:
    """What is told of an event later on: not which card was turned, since remembering is the game."""
    if isinstance(event, CardTurned) and view.options.memory == "closed":
        return say("{name} turns card {number}.", name=names[event.seat], number=event.space + 1)
    return tell(event, names, say)


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


def offer(view: View, action: Action, say: Language = ENGLISH) -> str:
    """A card to turn, with what it is where the view shows that."""
    match action:
        case TurnCard(space):
            lies = view.spaces[space]
            if isinstance(lies, TurnedDown):
                name = card_name(lies.card, say)
                return say("turn card {number}: {card}", number=space + 1, card=name)
            return say("turn card {number}", number=space + 1)
        case Letter() | Menace():
            return card_name(action, say)
        case StartWith(seat):
            return say("seat {number} begins", number=seat + 1)
    assert_never(action)

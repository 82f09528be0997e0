"""Wording for Letters: sentences for events, the table and the choices."""

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
"""Names of the endings on the insights page."""


def card_name(card: Card, say: Language = ENGLISH) -> str:
    """Return a card's name.

    >>> card_name(Menace.MARCH_HARE)
    'the March Hare'
    """
    if isinstance(card, Menace):
        return say(_NAMES[card])
    return say("{colour} {letter}", colour=say(COLOURS[card.colour]), letter=card.letter)


def tell(event: Event, names: Sequence[str], say: Language = ENGLISH) -> str | None:
    """Describe an event in one sentence; letters turned down are not named, as players must remember."""
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
            return _describe_turned_down(letters, say)
        case LetterRemoved(letter):
            return say(
                "Nobody plays {colour}: the card is removed from the game.",
                colour=say(COLOURS[letter.colour]),
            )
        case GameEnded(result):
            return result.sentence(names, say)
    assert_never(event)


def _describe_turned_down(letters: Sequence[Letter], say: Language) -> str:
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
    """Describe a past event for the history; the turned card isn't named, as players must remember."""
    if isinstance(event, CardTurned) and view.options.memory == "closed":
        return say("{name} turns card {number}.", name=names[event.seat], number=event.space + 1)
    return tell(event, names, say)


def describe(view: View, names: Sequence[str]) -> list[str]:
    """Describe the table in lines of text: the starred spaces, the rails, and whose turn it is."""
    lines = ["The starred spaces (a number is a card face down, a dot an empty space):"]
    lines += _board_lines(view.spaces)
    marked = [
        f"{space + 1} {card_name(content.card)}"
        for space, content in enumerate(view.spaces)
        if isinstance(content, TurnedDown)
    ]
    lines += _list_items("Face down again", marked)
    lines += _list_items("Removed from the game", [card_name(letter) for letter in view.removed])
    lines.append("The letters that the players have:")
    width = max(map(cell_len, names))
    for name, colour, placed in zip(names, view.options.colours, view.rails, strict=True):
        rail = " ".join(WORD[:placed].ljust(len(WORD), "."))
        lines.append(f"  {set_cell_size(name, width)}  {colour.word:<6}  {rail}")
    lines.append(_status(view, names))
    return lines


def _board_lines(spaces: Sequence[Space]) -> list[str]:
    cells = [_cell_text(space, content) for space, content in enumerate(spaces)]
    widths = [max(_NARROWEST, *map(len, cells[column::_ROW])) for column in range(_ROW)]
    rows = [cells[first : first + _ROW] for first in range(0, len(cells), _ROW)]
    return [
        f"  {' '.join(f'{cell:<{width}}' for cell, width in zip(row, widths, strict=True))}".rstrip()
        for row in rows
    ]


def _cell_text(space: int, content: Space) -> str:
    if content is EMPTY:
        return "."
    if content is FACE_DOWN or isinstance(content, TurnedDown):
        return str(space + 1)
    return str(content.card)


def _list_items(heading: str, items: Sequence[str]) -> list[str]:
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
    """Describe a choice: a card to turn, with its name if the view shows it."""
    match action:
        case TurnCard(space):
            content = view.spaces[space]
            if isinstance(content, TurnedDown):
                name = card_name(content.card, say)
                return say("turn card {number}: {card}", number=space + 1, card=name)
            return say("turn card {number}", number=space + 1)
        case Letter() | Menace():
            return card_name(action, say)
        case StartWith(seat):
            return say("seat {number} begins", number=seat + 1)
    assert_never(action)

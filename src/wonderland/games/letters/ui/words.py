"""Wording for Letters: sentences for events, the table and the choices."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rich.cells import cell_len

from wonderland.components.text_layout import align_left, plain, wrap_text
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
    Ending,
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
SHORT_NAMES = {
    Menace.DUCHESS: phrase("Duch\u00adess"),
    Menace.MAD_HATTER: phrase("Hat\u00adter"),
    Menace.MARCH_HARE: phrase("Hare"),
    Menace.MOCK_TURTLE: phrase("Tur\u00adtle"),
    Menace.WALRUS: phrase("Wal\u00adrus"),
    Menace.CARPENTER: phrase("Car\u00adpenter"),
    Menace.KING_OF_HEARTS: phrase("King"),
}
"""Names on cards drawn in the terminal: at most two lines of 6 cells, broken at soft hyphens."""
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
    "turned": phrase("The last letter was turned up"),
    "claimed after": phrase("The last letters were already face up: played after turning a card"),
    "claimed first": phrase("The last letters were already face up: played before turning a card"),
}
"""Names of the endings on the insights page."""
HOW_IT_ENDED = {
    Ending.TURNED: phrase("{who} turned up the missing letter."),
    Ending.CLAIMED_AFTER: phrase("{who} had the missing letters face up and didn't meet a menace."),
    Ending.CLAIMED_FIRST: phrase("{who} had the missing letters face up at the start of the turn."),
}


def card_name(card: Card, say: Language = ENGLISH) -> str:
    """Return a card's name.

    >>> card_name(Menace.MARCH_HARE)
    'the March Hare'
    """
    if isinstance(card, Menace):
        return say(_NAMES[card])
    return say("{colour} {letter}", colour=say(COLOURS[card.colour]), letter=card.letter)


def describe_event(event: Event, names: Sequence[str], say: Language = ENGLISH) -> str | None:
    """Describe an event in one sentence; letters turned down are not named, as players must remember."""
    match event:
        case StartChosen(seat):
            return say("{name} goes first.", name=names[seat])
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
                "Nobody is playing {colour}, so the card is out of the game.",
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


def prompt(view: View, say: Language = ENGLISH) -> str:  # noqa: ARG001 - every turn is alike
    """Say what to do on a turn."""
    return say("Turn a card over.")


def describe_past_event(
    event: Event, view: View, names: Sequence[str], say: Language = ENGLISH
) -> str | None:
    """Describe a past event for the history; the turned card isn't named, as players must remember."""
    if isinstance(event, CardTurned) and view.options.memory == "closed":
        return say("{name} turns card {number}.", name=names[event.seat], number=event.space + 1)
    return describe_event(event, names, say)


def describe(view: View, names: Sequence[str], say: Language = ENGLISH) -> list[str]:
    """Describe the table in lines of text: the starred spaces, the rails, and whose turn it is."""
    lines = wrap_text(
        say("The starred spaces (a number is a face-down card, a dot an empty space):"), _WIDEST, "  "
    )
    lines += _board_lines(view.spaces, say)
    marked = [
        f"{space + 1} {card_name(content.card, say)}"
        for space, content in enumerate(view.spaces)
        if isinstance(content, TurnedDown)
    ]
    if marked:
        text = say("Face down again: {cards}", cards=say.join_list(marked))
        lines += wrap_text(text, _WIDEST, "  ")
    if view.removed:
        removed = say.join_list(card_name(letter, say) for letter in view.removed)
        lines += wrap_text(say("Out of the game: {cards}", cards=removed), _WIDEST, "  ")
    lines.append(say("The players' rails:"))
    width, colours = max(map(cell_len, names)), max(cell_len(say(word)) for word in COLOURS.values())
    for name, colour, placed in zip(names, view.options.colours, view.rails, strict=True):
        rail = " ".join(WORD[:placed].ljust(len(WORD), "."))
        shown = align_left(say(COLOURS[colour]), colours)
        lines.append(f"  {align_left(name, width)}  {shown}  {rail}")
    lines += wrap_text(_status(view, names, say), _WIDEST, "  ")
    return lines


def _board_lines(spaces: Sequence[Space], say: Language) -> list[str]:
    """List the spaces in three rows; a row that is too wide goes on in a line of its own."""
    cells = [_cell_text(space, content, say) for space, content in enumerate(spaces)]
    widths = [max(map(cell_len, cells[column::_ROW])) for column in range(_ROW)]
    roomy = [max(_NARROWEST, width) for width in widths]
    if sum(roomy) + _ROW < _WIDEST:
        widths = roomy
    padded = [align_left(cell, widths[place % _ROW]) for place, cell in enumerate(cells)]
    rows = [" ".join(padded[first : first + _ROW]) for first in range(0, len(cells), _ROW)]
    return [part for row in rows for part in wrap_text(f"  {row}", _WIDEST, "      ")]


def _cell_text(space: int, content: Space, say: Language) -> str:
    if content is EMPTY:
        return "."
    if content is FACE_DOWN or isinstance(content, TurnedDown):
        return str(space + 1)
    if isinstance(content.card, Menace):
        return plain(say(SHORT_NAMES[content.card]))
    return f"{say(COLOURS[content.card.colour])}{content.card.letter}"


def _status(view: View, names: Sequence[str], say: Language) -> str:
    match view.stage:
        case Starting():
            return say("The first player is being drawn.")
        case Choosing(seat):
            return say("It's {name}'s turn.", name=names[seat])
        case Turning(seat, space):
            return say("{name} turns card {number}.", name=names[seat], number=space + 1)
        case Ended(result):
            return say.sentences([say("The game is over."), result.verdict(names, say)])
    assert_never(view.stage)


def describe_action(view: View, action: Action, say: Language = ENGLISH) -> str:
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
            return say("seat {number} goes first", number=seat + 1)
    assert_never(action)

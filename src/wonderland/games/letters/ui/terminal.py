"""Terminal rendering of Letters: a board of 27 cards, with the rails below it.

Cards have several sizes; the largest that fits the viewport is used. Symbols identify colours, a double
border and a picture identify menaces, and numbers identify face-down cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from wonderland.components.palette import Tint, tint_style
from wonderland.components.terminal import Spot, TextPicture, Viewport, side_by_side
from wonderland.components.text_layout import fit_lines, fitting, wrap_text
from wonderland.engine.language import ENGLISH, Language
from wonderland.engine.protocol import FaceDown, Seat
from wonderland.engine.values import Value
from wonderland.games.letters.rules.components import SPACES, WORD, Card, Colour, Letter, Menace
from wonderland.games.letters.rules.events import Event
from wonderland.games.letters.rules.rules import is_face_down
from wonderland.games.letters.rules.state import (
    Choosing,
    Empty,
    Ended,
    Ending,
    FaceUp,
    Space,
    Starting,
    TurnCard,
    TurnedDown,
    Turning,
)
from wonderland.games.letters.rules.view import View
from wonderland.games.letters.ui.card_art import GLYPHS, LARGE_GLYPHS, LARGE_PICTURES, PICTURES
from wonderland.games.letters.ui.words import COLOURS, HOW_IT_ENDED, SHORT_NAMES

COLUMNS = 9
SYMBOLS = dict(zip(Colour, "♥♦●♣", strict=True))
_STAR = "☆"
_MISSING = "·"
_TURN = "▶"
_WINNER = "★"
_ROWS = len(SPACES) // COLUMNS
_ALONG = {"left": -1, "right": 1}
_ACROSS = {"up": -1, "down": 1}


class Size(Value, frozen=True):
    """The size of a card, including its border."""

    width: int
    height: int


LARGE, MEDIUM, SMALL = 14, 11, 8
SIZES = (
    *(Size(LARGE, height) for height in (9, 8)),
    *(Size(MEDIUM, height) for height in (7, 6)),
    *(Size(SMALL, height) for height in (6, 5, 4)),
)
# Borders: top left corner, line, top right corner, side, and the two bottom corners.
_PLAIN, _CHOSEN, _MENACING, _DOTTED, _NONE = "┌─┐│└┘", "┏━┓┃┗┛", "╔═╗║╚╝", "┌╌┐╎└┘", " " * 6
_RAIL = Size(5, 3)


class Inks(Value, frozen=True):
    """The colours for one background."""

    dark: bool
    quiet: str
    """For secondary text."""
    faint: str
    """For decoration, such as the backs of cards."""

    @property
    def menace(self) -> Style:
        """For menaces."""
        return Style.parse(tint_style(Tint.PURPLE, dark=self.dark))

    def letter(self, colour: Colour) -> Style:
        """For the letters of a colour."""
        return Style.parse(tint_style(_TINTS[colour], dark=self.dark))


_TINTS = dict(zip(Colour, (Tint.RED, Tint.BLUE, Tint.YELLOW, Tint.GREEN), strict=True))
_ON_DARK = Inks(dark=True, quiet="#a0a0a0", faint="#5c5c5c")
_ON_LIGHT = Inks(dark=False, quiet="#5f5f5f", faint="#b4b4b4")


def _inks_for(viewport: Viewport) -> Inks:
    return _ON_DARK if viewport.dark else _ON_LIGHT


def draw(
    view: View, names: Sequence[str], viewport: Viewport, marked: object = None, say: Language = ENGLISH
) -> TextPicture:
    """Draw the table: the board, with the rails of all players below it."""
    size = next((size for size in SIZES if _fits(size, viewport)), SIZES[-1])
    picture = _draw_board(view, viewport, marked, size, say)
    rails = _draw_rails(view, names, viewport, say, tall=_has_tall_rails(size))
    if len(picture.lines) + len(rails) < viewport.height:
        picture.add("")
    picture.add(*rails)
    return picture


def _has_tall_rails(size: Size) -> bool:
    return size.width > SMALL


def _fits(size: Size, viewport: Viewport) -> bool:
    rails = 2 * (_RAIL.height if _has_tall_rails(size) else 1)
    return size.width * COLUMNS <= viewport.width and size.height * _ROWS + rails <= viewport.height


# The board


def _draw_board(
    view: View, viewport: Viewport, marked: object, size: Size, say: Language
) -> TextPicture:
    """Draw three rows of nine; face-down cards are clickable for the viewer if it is their turn."""
    picture = TextPicture()
    gap = min(max(viewport.width - size.width * COLUMNS, 0) // (COLUMNS - 1), 2)
    margin = max(viewport.width - (size.width + gap) * COLUMNS + gap, 0) // 2
    chosen = _highlighted_space(view, marked)
    may_choose = isinstance(view.stage, Choosing) and view.stage.seat == view.seat
    for first in SPACES[::COLUMNS]:
        blocks = []
        for column, space in enumerate(SPACES[first : first + COLUMNS]):
            content = view.spaces[space]
            inks, is_chosen = _inks_for(viewport), space == chosen
            blocks.append(_draw_space(space, content, size, inks, say, chosen=is_chosen))
            if may_choose and is_face_down(content):
                left = margin + column * (size.width + gap)
                top = len(picture.lines)
                picture.spots.append(Spot(top, left, size.height, size.width, TurnCard(space)))
        picture.add(*[Text(" " * margin) + line for line in side_by_side(blocks, gap)])
    return picture


def _highlighted_space(view: View, marked: object) -> int | None:
    """Return the space being turned, or the marked one."""
    if isinstance(view.stage, Turning):
        return view.stage.space
    return marked.space if isinstance(marked, TurnCard) else None


def _draw_space(  # noqa: PLR0913 - everything that is drawn
    space: int, content: Space, size: Size, inks: Inks, say: Language, *, chosen: bool
) -> list[Text]:
    """Draw the content of a starred space, or its star."""
    match content:
        case FaceDown.FACE_DOWN:
            return _draw_back(space, "", size, inks, chosen=chosen)
        case TurnedDown(card):
            note = f"({card.letter}{SYMBOLS[card.colour]})"
            return _draw_back(space, note, size, inks, chosen=chosen)
        case FaceUp(card):
            return _draw_face(card, size, inks, say)
        case Empty.EMPTY:
            return _draw_box([_STAR], size, _NONE, Style(color=inks.quiet))
    assert_never(content)


def _draw_box(inside: Sequence[str | Text], size: Size, border: str, ink: Style) -> list[Text]:
    """Draw lines centred in a border."""
    inner, spare = size.width - 2, size.height - 2 - len(inside)
    lines = [Text(f"{border[0]}{border[1] * inner}{border[2]}", ink)]
    for line in (*[""] * (spare // 2), *inside, *[""] * (spare - spare // 2)):
        centred = Text(line, ink) if isinstance(line, str) else line
        centred.align("center", inner)
        lines.append(Text.assemble((border[3], ink), centred, (border[3], ink)))
    lines.append(Text(f"{border[4]}{border[1] * inner}{border[5]}", ink))
    return lines


def _draw_back(space: int, note: str, size: Size, inks: Inks, *, chosen: bool) -> list[Text]:
    """Draw the back of a card with the number that selects it; notes appear only with open memory."""
    inner, faint = size.width - 2, Style(color=inks.faint)
    words = [Text(f" {space + 1} ", "bold reverse" if chosen else "bold")]
    if note:
        words.append(Text(note, inks.quiet))
    pattern = "▒" if chosen else "░"
    lines = [Text(pattern * inner, faint) for _ in range(size.height - 2)]
    first = (size.height - 2 - len(words)) // 2
    for row, word in enumerate(words, start=first):
        left = (inner - word.cell_len) // 2
        right = inner - word.cell_len - left
        lines[row] = Text.assemble((pattern * left, faint), word, (pattern * right, faint))
    border, ink = (_CHOSEN, Style(bold=True)) if chosen else (_PLAIN, Style(color=inks.quiet))
    return _draw_box(lines, size, border, ink)


def _draw_face(card: Card, size: Size, inks: Inks, say: Language) -> list[Text]:
    """Draw a face-up card."""
    if isinstance(card, Menace):
        return _draw_box(_menace_lines(card, size, say), size, _MENACING, inks.menace)
    ink = inks.letter(card.colour) + Style(bold=True)
    return _draw_box(_letter_lines(card, size, say), size, _PLAIN, ink)


def _letter_lines(letter: Letter, size: Size, say: Language) -> list[str]:
    """Draw the letter as large as fits, with its symbol, and the colour's name if there is viewport."""
    symbol, word = SYMBOLS[letter.colour], say(COLOURS[letter.colour])
    if size.width == LARGE:
        caption = fitting([f"{symbol} {word}", symbol], size.width - 2)
        return _stack(LARGE_GLYPHS[letter.letter], [caption], size)
    word = fitting([word], size.width - 2)
    first, *rest = GLYPHS[letter.letter]
    glyph = [f" {first} {symbol}", *[f" {row}  " for row in rest]]
    if size.height - 2 < len(glyph):
        return [f"{letter.letter} {symbol}", word]
    return _stack(glyph, [word], size)[: size.height - 2]


def _menace_lines(menace: Menace, size: Size, say: Language) -> list[str]:
    """Draw the picture over the name, or only the name if there isn't room for both."""
    caption = fit_lines(say(SHORT_NAMES[menace]), size.width - 2)
    if size.width == LARGE:
        return _stack(LARGE_PICTURES[menace], caption, size)
    return _stack([PICTURES[menace]], caption, size)[2 - size.height :]


def _stack(picture: Sequence[str], caption: Sequence[str], size: Size) -> list[str]:
    """Stack a picture and its caption, with an empty line between them if it fits."""
    has_air = len(picture) + len(caption) < size.height - 2
    return [*picture, *[""] * has_air, *caption]


# The rails


def _draw_rails(
    view: View, names: Sequence[str], viewport: Viewport, say: Language, *, tall: bool
) -> list[Text]:
    """Draw two rows of two: the players, and the removed letters if a place is left."""
    half = viewport.width // 2
    blocks = [_draw_rail(view, names, seat, viewport, say, tall=tall) for seat in range(len(names))]
    if len(names) < len(Colour):
        blocks.append(_draw_removed(view, viewport, len(blocks[0]), say))
    lines = []
    for row in (blocks[:2], blocks[2:]):
        for line in row[0] if len(row) > 1 else ():
            line.truncate(half, pad=True)
        lines += side_by_side(row)
    return lines


def _draw_rail(  # noqa: PLR0913 - everything that is drawn
    view: View, names: Sequence[str], seat: Seat, viewport: Viewport, say: Language, *, tall: bool
) -> list[Text]:
    """Draw a player's name, colour and letters: on one line, or as cards if `tall`."""
    inks, colour, placed = _inks_for(viewport), view.options.colours[seat], view.rails[seat]
    own, quiet = inks.letter(colour) + Style(bold=True), Style(color=inks.quiet)
    letters = [(letter, own) for letter in WORD[:placed]]
    letters += [(_MISSING, quiet) for _ in WORD[placed:]]
    plays = Text.assemble((f"{SYMBOLS[colour]} {say(COLOURS[colour])}", own))
    widest = 2 + max(cell_len(say(word)) for word in COLOURS.values())
    taken = _RAIL.width * len(WORD) if tall else widest + len(f" {WORD}") * 2
    name = _draw_name(view, names, seat, max(viewport.width // 2 - taken - 2, 4))
    if not tall:
        plays.truncate(widest, pad=True)
        return [Text.assemble(name, " ", plays, " ", *[(f" {letter}", ink) for letter, ink in letters])]
    label = [name, Text("  ") + plays, Text()]
    width = max(name.cell_len, widest + 2) + 1
    for line in label:
        line.truncate(width, pad=True)
    return side_by_side(
        [label]
        + [
            _draw_box([letter], _RAIL, _DOTTED if ink is quiet else _PLAIN, ink)
            for letter, ink in letters
        ]
    )


def _draw_name(view: View, names: Sequence[str], seat: Seat, widest: int) -> Text:
    """Draw a player's name, with a mark for the player to move or the winner."""
    match view.stage:
        case Choosing(turn) | Turning(turn) if turn == seat:
            mark = _TURN
        case Ended(result) if seat in result.winners:
            mark = _WINNER
        case _:
            mark = " "
    name = Text(f"{mark} {names[seat]}", "bold" if mark != " " else "")
    name.truncate(min(max(map(cell_len, names)) + 2, widest), overflow="ellipsis", pad=True)
    return name


def _draw_removed(view: View, viewport: Viewport, height: int, say: Language) -> list[Text]:
    """Draw the removed letters of unused colours (L11)."""
    line = Text(f"  {say('Out of the game:')}" if view.removed else "", _inks_for(viewport).quiet)
    for colour in Colour:
        letters = [letter.letter for letter in view.removed if letter.colour is colour]
        if letters:
            out = f"{SYMBOLS[colour]} {say(COLOURS[colour])} {' '.join(letters)}"
            line.append("  ").append(out, _inks_for(viewport).letter(colour))
    lines = [Text() for _ in range(height)]
    lines[height // 2] = line
    return lines


# Score sheet, rules and arrow keys


def sheet(view: View, names: Sequence[str], viewport: Viewport, say: Language = ENGLISH) -> TextPicture:
    """Draw each player's letters, and how the winner won."""
    picture = TextPicture()
    for seat, placed in enumerate(view.rails):
        (line,) = _draw_rail(view, names, seat, viewport, say, tall=False)
        count = say.plural("{number} letter", "{number} letters", placed)
        picture.add(line.append(f"  {count}"))
        if isinstance(view.stage, Ended) and seat in view.stage.result.winners:
            line.append(f"  {say('wins')}", "bold")
    if isinstance(view.stage, Ended):
        result = view.stage.result
        how = say(HOW_IT_ENDED[Ending(result.ending)], who=names[result.winners[0]])
        picture.add("", *wrap_text(f"{_WINNER} {how}", viewport.width, "  "))
    return picture


def rule(view: View) -> str:
    """Return the number of the rule that is relevant now."""
    match view.stage:
        case Starting():
            return "L4"
        case Choosing(seat):
            return _rule_for_choice(view, seat)
        case Turning():
            return "L6"
        case Ended():
            return "L12"
    assert_never(view.stage)


def _rule_for_choice(view: View, seat: Seat) -> str:
    """Return the relevant rule for the player to move: exposed letters can be played, or are at risk."""
    colour, placed = view.options.colours[seat], view.rails[seat]
    exposed = {content.card for content in view.spaces if isinstance(content, FaceUp)}
    if Letter(colour, placed) in exposed:
        return "L9"
    own = {Letter(colour, place) for place in range(placed, len(WORD))}
    return "L10" if own & exposed else "L5"


def step(view: View, marked: TurnCard, direction: str) -> TurnCard:
    """Return the next face-down card to the left, right, up or down of the marked one.

    Left and right continue on the previous and next row; up and down prefer the same column, and wrap
    around.
    """
    if direction in _ALONG:
        step_size = _ALONG[direction]
        around = [(marked.space + step_size * steps) % len(SPACES) for steps in range(1, len(SPACES))]
        ahead = [space for space in around if is_face_down(view.spaces[space])]
        return TurnCard(ahead[0]) if ahead else marked
    step_size = _ACROSS[direction]
    row, column = divmod(marked.space, COLUMNS)

    def distance(space: int) -> tuple[bool, int, int]:
        space_row, space_column = divmod(space, COLUMNS)
        wraps = (space_row - row) * step_size < 0
        columns_apart = abs(space_column - column)
        return wraps, (space_row - row) * step_size % _ROWS + columns_apart, columns_apart

    elsewhere = [
        space for space in SPACES if is_face_down(view.spaces[space]) and space // COLUMNS != row
    ]
    return TurnCard(min(elsewhere, key=distance)) if elsewhere else marked


def frames(event: Event, view: View) -> Iterator[View]:  # noqa: ARG001 - no animation
    """Return no animation frames: cards turn at once."""
    return iter(())

"""Letters drawn with characters: a board of 27 cards, and everyone's rail below it.

Cards come in several sizes, and the largest that fits the room is taken. A colour is told by its symbol,
a menace by its double border and its picture, and what lies face down by its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from wonderland.components.terminal import Spot, TextPicture, Viewport, side_by_side
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

COLUMNS = 9
SYMBOLS = dict(zip(Colour, "♥♦●♣", strict=True))
_STAR = "☆"
_MISSING = "·"
_TURN = "▶"
_WINNER = "★"
_PLAYS = len("● yellow")
_ROWS = len(SPACES) // COLUMNS
_ALONG = {"left": -1, "right": 1}
_ACROSS = {"up": -1, "down": 1}

_GLYPHS = {
    "A": ("▄▀▄", "█▀█", "▀ ▀"),
    "L": ("█  ", "█  ", "▀▀▀"),
    "I": ("▀█▀", " █ ", "▀▀▀"),
    "C": ("▄▀▀", "█  ", " ▀▀"),
    "E": ("█▀▀", "█▀▀", "▀▀▀"),
}
_LARGE_GLYPHS = {
    "A": (" ▄██▄ ", "██  ██", "██████", "██  ██", "██  ██"),
    "L": ("██    ", "██    ", "██    ", "██    ", "██████"),
    "I": ("██████", "  ██  ", "  ██  ", "  ██  ", "██████"),
    "C": (" ▄████", "██    ", "██    ", "██    ", " ▀████"),
    "E": ("██████", "██    ", "████  ", "██    ", "██████"),
}
_PICTURES = {
    Menace.DUCHESS: "(>__<)",  # too much pepper
    Menace.MAD_HATTER: "_|==|_",  # the hat
    Menace.MARCH_HARE: r"(\__/)",  # the ears
    Menace.MOCK_TURTLE: "(###)o",  # the shell
    Menace.WALRUS: "(•vv•)",  # the tusks
    Menace.CARPENTER: "[]====",  # the hammer
    Menace.KING_OF_HEARTS: r"|\/\/|",  # the crown
}
_LARGE_PICTURES = {
    Menace.DUCHESS: (r" .-^^^^-. ", r"( ~~~~~~ )", r" | >  < | ", r" |  __  | ", r"  \_/\_/  "),
    Menace.MAD_HATTER: (r"  ______  ", r"  |    |  ", r"  |10/6|  ", r"__|____|__", r"  (o  o)  "),
    Menace.MARCH_HARE: (r"  /\  /\  ", r"  ||  ||  ", r"  (o  o)  ", r" =( \/ )= ", r"   \__/   "),
    Menace.MOCK_TURTLE: (r"  .----.  ", r" /#/\/\#\ ", r"|#/\/\/#|o", r" \______/ ", r"  U    U  "),
    Menace.WALRUS: (r"  .----.  ", r" / o  o \ ", r"( :(__): )", r" \_|  |_/ ", r"   V  V   "),
    Menace.CARPENTER: (r" .______. ", r" |______|>", r"    ||    ", r"    ||    ", r"    []    "),
    Menace.KING_OF_HEARTS: (r" .  ..  . ", r" |\/\/\/| ", r" | ♥  ♥ | ", r" |______| "),
}
_HYPHENATED = {"Duchess": ("Duch-", "ess"), "Carpenter": ("Car-", "penter")}
_HOW = {
    Ending.TURNED: "turned up the letter that was missing",
    Ending.CLAIMED_AFTER: "had the missing letters exposed, and met no menace",
    Ending.CLAIMED_FIRST: "had the missing letters exposed when the turn came",
}


class Size(Value, frozen=True):
    """How large a card is drawn, with its border."""

    width: int
    height: int


LARGE, MEDIUM, SMALL = 14, 11, 8
SIZES = (
    *(Size(LARGE, height) for height in (9, 8)),
    *(Size(MEDIUM, height) for height in (7, 6)),
    *(Size(SMALL, height) for height in (6, 5, 4)),
)
# Borders: the corner, line and corner above, the sides, and the corners below.
_PLAIN, _CHOSEN, _MENACING, _DOTTED, _NONE = "┌─┐│└┘", "┏━┓┃┗┛", "╔═╗║╚╝", "┌╌┐╎└┘", " " * 6
_RAIL = Size(5, 3)


class Inks(Value, frozen=True):
    """The styles for one ground."""

    colours: tuple[str, ...]
    """One for each colour, in their order."""
    menace: str
    quiet: str
    """What is there to be read, but not first."""
    faint: str
    """What is only there to be seen, such as the backs of cards."""


_ON_DARK = Inks(("#ff7b7b", "#7fb2ff", "#ffd75f", "#5fd07a"), "#e0a3ff", "#a0a0a0", "#5c5c5c")
_ON_LIGHT = Inks(("#b3141d", "#1450b0", "#755400", "#13702f"), "#7a1fa8", "#5f5f5f", "#b4b4b4")


def _inks(room: Viewport) -> Inks:
    return _ON_DARK if room.dark else _ON_LIGHT


def draw(view: View, names: Sequence[str], room: Viewport, marked: object = None) -> TextPicture:
    """The table: the board, and below it the rails of all players."""
    size = next((size for size in SIZES if _fits(size, room)), SIZES[-1])
    picture = _board(view, room, marked, size)
    rails = _rails(view, names, room, tall=_has_tall_rails(size))
    if len(picture.lines) + len(rails) < room.height:
        picture.add("")
    picture.add(*rails)
    return picture


def _has_tall_rails(size: Size) -> bool:
    return size.width > SMALL


def _fits(size: Size, room: Viewport) -> bool:
    rails = 2 * (_RAIL.height if _has_tall_rails(size) else 1)
    return size.width * COLUMNS <= room.width and size.height * _ROWS + rails <= room.height


# The board


def _board(view: View, room: Viewport, marked: object, size: Size) -> TextPicture:
    """Three rows of nine; the one who is to choose may click on what lies face down."""
    picture = TextPicture()
    gap = min(max(room.width - size.width * COLUMNS, 0) // (COLUMNS - 1), 2)
    margin = max(room.width - (size.width + gap) * COLUMNS + gap, 0) // 2
    chosen = _chosen(view, marked)
    may_choose = isinstance(view.stage, Choosing) and view.stage.seat == view.seat
    for first in SPACES[::COLUMNS]:
        blocks = []
        for column, space in enumerate(SPACES[first : first + COLUMNS]):
            lies = view.spaces[space]
            blocks.append(_card(space, lies, size, _inks(room), chosen=space == chosen))
            if may_choose and is_face_down(lies):
                left = margin + column * (size.width + gap)
                top = len(picture.lines)
                picture.spots.append(Spot(top, left, size.height, size.width, TurnCard(space)))
        picture.add(*[Text(" " * margin) + line for line in side_by_side(blocks, gap)])
    return picture


def _chosen(view: View, marked: object) -> int | None:
    """The space that someone reaches for, or thinks of."""
    if isinstance(view.stage, Turning):
        return view.stage.space
    return marked.space if isinstance(marked, TurnCard) else None


def _card(space: int, lies: Space, size: Size, inks: Inks, *, chosen: bool) -> list[Text]:
    """What a starred space holds, or its star."""
    match lies:
        case FaceDown.FACE_DOWN:
            return _back(space, "", size, inks, chosen=chosen)
        case TurnedDown(card):
            note = f"({card.letter}{SYMBOLS[card.colour]})"
            return _back(space, note, size, inks, chosen=chosen)
        case FaceUp(card):
            return _face(card, size, inks)
        case Empty.EMPTY:
            return _box([_STAR], size, _NONE, Style(color=inks.quiet))
    assert_never(lies)


def _box(inside: Sequence[str | Text], size: Size, border: str, ink: Style) -> list[Text]:
    """Lines in the middle of a border."""
    inner, spare = size.width - 2, size.height - 2 - len(inside)
    lines = [Text(f"{border[0]}{border[1] * inner}{border[2]}", ink)]
    for line in (*[""] * (spare // 2), *inside, *[""] * (spare - spare // 2)):
        centred = Text(line, ink) if isinstance(line, str) else line
        centred.align("center", inner)
        lines.append(Text.assemble((border[3], ink), centred, (border[3], ink)))
    lines.append(Text(f"{border[4]}{border[1] * inner}{border[5]}", ink))
    return lines


def _back(space: int, note: str, size: Size, inks: Inks, *, chosen: bool) -> list[Text]:
    """The back of a card, with the number that chooses it; the note is for open memory alone."""
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
    return _box(lines, size, border, ink)


def _face(card: Card, size: Size, inks: Inks) -> list[Text]:
    """A card that lies open."""
    if isinstance(card, Menace):
        return _box(_menace(card, size), size, _MENACING, Style(color=inks.menace))
    ink = Style(color=inks.colours[card.colour], bold=True)
    return _box(_letter(card, size), size, _PLAIN, ink)


def _letter(letter: Letter, size: Size) -> list[str]:
    """The letter as large as there is room for, with its symbol, and the word where it fits."""
    symbol, word = SYMBOLS[letter.colour], letter.colour.word
    if size.width == LARGE:
        return _over(_LARGE_GLYPHS[letter.letter], [f"{symbol} {word}"], size)
    first, *rest = _GLYPHS[letter.letter]
    glyph = [f" {first} {symbol}", *[f" {row}  " for row in rest]]
    if size.height - 2 < len(glyph):
        return [f"{letter.letter} {symbol}", word]
    return _over(glyph, [word], size)[: size.height - 2]


def _menace(menace: Menace, size: Size) -> list[str]:
    """The picture over the name; where there is no room for both, the name."""
    name = str(menace)
    if size.width == LARGE:
        return _over(_LARGE_PICTURES[menace], [name], size)
    caption = [name] if len(name) <= size.width - 2 else _HYPHENATED[name]
    return _over([_PICTURES[menace]], caption, size)[2 - size.height :]


def _over(picture: Sequence[str], caption: Sequence[str], size: Size) -> list[str]:
    """A picture and what it is called, with air between them where there is some."""
    has_air = len(picture) + len(caption) < size.height - 2
    return [*picture, *[""] * has_air, *caption]


# The rails


def _rails(view: View, names: Sequence[str], room: Viewport, *, tall: bool) -> list[Text]:
    """Two rows of two: the players, and what was removed from the game where a place is left."""
    half = room.width // 2
    blocks = [_rail(view, names, seat, room, tall=tall) for seat in range(len(names))]
    if len(names) < len(Colour):
        blocks.append(_removed(view, room, len(blocks[0])))
    lines = []
    for row in (blocks[:2], blocks[2:]):
        for line in row[0] if len(row) > 1 else ():
            line.truncate(half, pad=True)
        lines += side_by_side(row)
    return lines


def _rail(view: View, names: Sequence[str], seat: Seat, room: Viewport, *, tall: bool) -> list[Text]:
    """Who plays which colour, and the letters in their places: in one line, or as cards."""
    inks, colour, placed = _inks(room), view.options.colours[seat], view.rails[seat]
    own, quiet = Style(color=inks.colours[colour], bold=True), Style(color=inks.quiet)
    letters = [(letter, own) for letter in WORD[:placed]]
    letters += [(_MISSING, quiet) for _ in WORD[placed:]]
    plays = Text(f"{SYMBOLS[colour]} {colour.word}", own)
    taken = _RAIL.width * len(WORD) if tall else _PLAYS + len(f" {WORD}") * 2
    name = _name(view, names, seat, max(room.width // 2 - taken - 2, 4))
    if not tall:
        plays.truncate(_PLAYS, pad=True)
        return [Text.assemble(name, " ", plays, " ", *[(f" {letter}", ink) for letter, ink in letters])]
    label = [name, Text("  ") + plays, Text()]
    width = max(name.cell_len, _PLAYS + 2) + 1
    for line in label:
        line.truncate(width, pad=True)
    return side_by_side(
        [label]
        + [_box([letter], _RAIL, _DOTTED if ink is quiet else _PLAIN, ink) for letter, ink in letters]
    )


def _name(view: View, names: Sequence[str], seat: Seat, widest: int) -> Text:
    """A player with the mark of whoever has the turn, or of the winner."""
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


def _removed(view: View, room: Viewport, height: int) -> list[Text]:
    """The letters of colours that nobody plays, as far as they were turned (L11)."""
    line = Text("  Removed:" if view.removed else "", _inks(room).quiet)
    for colour in Colour:
        letters = [letter.letter for letter in view.removed if letter.colour is colour]
        if letters:
            ink = _inks(room).colours[colour]
            line.append(f"  {SYMBOLS[colour]} {colour.word} {' '.join(letters)}", ink)
    lines = [Text() for _ in range(height)]
    lines[height // 2] = line
    return lines


# The end, the rules, and the keys


def sheet(view: View, names: Sequence[str], room: Viewport) -> TextPicture:
    """Who has which letters, and who won how."""
    picture = TextPicture()
    for seat, placed in enumerate(view.rails):
        (line,) = _rail(view, names, seat, room, tall=False)
        count = "1 letter" if placed == 1 else f"{placed} letters"
        picture.add(line.append(f"  {count}"))
        if isinstance(view.stage, Ended) and seat in view.stage.result.winners:
            line.append("  wins", "bold")
    if isinstance(view.stage, Ended):
        result = view.stage.result
        how = _HOW[Ending(result.ending)]
        line = Text(f"{_WINNER} {names[result.winners[0]]} {how}.")
        line.truncate(room.width, overflow="ellipsis")
        picture.add("", line)
    return picture


def rule(view: View) -> str:
    """The rule that matters now."""
    match view.stage:
        case Starting():
            return "L4"
        case Choosing(seat):
            return _rule_for(view, seat)
        case Turning():
            return "L6"
        case Ended():
            return "L12"
    assert_never(view.stage)


def _rule_for(view: View, seat: Seat) -> str:
    """What whoever is to choose must think of: letters that lie exposed are played, or in danger."""
    colour, placed = view.options.colours[seat], view.rails[seat]
    exposed = {lies.card for lies in view.spaces if isinstance(lies, FaceUp)}
    if Letter(colour, placed) in exposed:
        return "L9"
    own = {Letter(colour, place) for place in range(placed, len(WORD))}
    return "L10" if own & exposed else "L5"


def step(view: View, marked: TurnCard, direction: str) -> TurnCard:
    """The next face-down card to the left, right, up or down of the one that is marked.

    Left and right go on in the row before and after; up and down prefer what lies straight on, and
    start again at the other edge.
    """
    if direction in _ALONG:
        way = _ALONG[direction]
        around = [(marked.space + way * far) % len(SPACES) for far in range(1, len(SPACES))]
        ahead = [space for space in around if is_face_down(view.spaces[space])]
        return TurnCard(ahead[0]) if ahead else marked
    way = _ACROSS[direction]
    row, column = divmod(marked.space, COLUMNS)

    def distance(space: int) -> tuple[bool, int, int]:
        its_row, its_column = divmod(space, COLUMNS)
        beyond_the_edge = (its_row - row) * way < 0
        aside = abs(its_column - column)
        return beyond_the_edge, (its_row - row) * way % _ROWS + aside, aside

    elsewhere = [
        space for space in SPACES if is_face_down(view.spaces[space]) and space // COLUMNS != row
    ]
    return TurnCard(min(elsewhere, key=distance)) if elsewhere else marked


def frames(event: Event, view: View) -> Iterator[View]:  # noqa: ARG001 - nothing moves on its own
    """Cards are turned at once."""
    return iter(())

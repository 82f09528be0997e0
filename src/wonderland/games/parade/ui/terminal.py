"""Terminal rendering of Parade: boxes for cards, a picture per colour, a stack for the pile.

Cards have three sizes; the largest that fits the viewport is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from wonderland.components.palette import Tint, tint_style
from wonderland.components.terminal import Spot, TextPicture, Viewport, side_by_side
from wonderland.components.text_layout import align_left, align_right, centre, fitting, shorten_cells
from wonderland.engine.language import ENGLISH, Language
from wonderland.engine.protocol import FACE_DOWN, Seat
from wonderland.engine.values import Value
from wonderland.games.parade.rules.components import KEPT, Card, Colour
from wonderland.games.parade.rules.events import Event
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.scoring import ColourScore, ScoreSheet, points_with, score_sheets
from wonderland.games.parade.rules.state import Drawing, Ended, KeepCards, Keeping, PlayCard, Playing
from wonderland.games.parade.rules.view import View
from wonderland.games.parade.ui.words import COLOURS

SYMBOLS = dict(zip(Colour, "♥♦★♣♠●", strict=True))
_PICTURES = {
    Colour.RED: (" _ _ ", "( V )", " \\ / "),  # the Queen's heart
    Colour.BLUE: ("  n  ", " / \\ ", " \\_/ "),  # the bottle
    Colour.PURPLE: ("^   ^", " o o ", "\\___/"),  # the Cat's grin
    Colour.GREEN: ("   \\/", "()()@", "' ' '"),  # the Caterpillar
    Colour.GREY: ("() ()", "(o o)", " (_) "),  # the Rabbit
    Colour.ORANGE: (" ___ ", " |=| ", "_|_|_"),  # the Hatter's hat
}
_WIDEST_NAME = 16
_GAP = 3
"""Columns between two face-up hands."""
_TINTS = dict(
    zip(Colour, (Tint.RED, Tint.BLUE, Tint.PURPLE, Tint.GREEN, Tint.GREY, Tint.ORANGE), strict=True)
)


class Size(Value, frozen=True):
    """The size of a card, including its border."""

    width: int
    height: int


LARGE = Size(7, 7)
MEDIUM = Size(7, 5)
SMALL = Size(4, 3)
_SIZES = ((LARGE, LARGE), (MEDIUM, LARGE), (MEDIUM, MEDIUM), (SMALL, MEDIUM), (SMALL, SMALL))
"""Card sizes of the parade and the hand, largest first."""


def draw(
    view: View, names: Sequence[str], viewport: Viewport, marked: object = None, say: Language = ENGLISH
) -> TextPicture:
    """Draw the table: the parade, the zones of all players, and the viewer's hand."""
    picture = TextPicture()
    for parade_size, hand_size in _SIZES:
        picture = TextPicture()
        picture.add(*_draw_parade(view, viewport, marked, parade_size, say))
        picture.add(*_draw_zones(view, names, viewport))
        picture.place(_draw_hand(view, names, viewport, marked, hand_size, say))
        if len(picture.lines) <= viewport.height:
            break
    return picture


def _ink(colour: Colour, viewport: Viewport) -> str:
    return tint_style(_TINTS[colour], dark=viewport.dark)


def _value_text(card: Card) -> str:
    return "T" if card.value == 10 else str(card.value)


def _short_name(card: Card) -> str:
    return f"{SYMBOLS[card.colour]}{_value_text(card)}"


def box(card: Card, size: Size, viewport: Viewport, border: str = "", mark: str = "") -> list[Text]:
    """Draw a card, with the value in two corners; the picture identifies the colour.

    `mark` is a word in the border of the newest card, or a star if there is no room for it.
    """
    ink = Style.parse(_ink(card.colour, viewport)) + Style(bold=bool(mark))
    edge = Style.parse(border) if border else ink
    value, inner = _value_text(card), size.width - 2
    if size == SMALL:
        inside = [_short_name(card)]
    else:
        symbol, rest = SYMBOLS[card.colour], inner - 1
        inside = [f"{value:<{inner}}", symbol.center(inner), f"{value:>{inner}}"]
        if size == LARGE:
            inside = [f"{value:<{rest}}{symbol}", *_PICTURES[card.colour], f"{symbol}{value:>{rest}}"]
    if mark and size == SMALL:
        mark = "*"
    lines = [Text(f"┌{centre(mark, inner, '─')}┐", edge)]
    lines += [Text.assemble(("│", edge), (line, ink), ("│", edge)) for line in inside]
    lines.append(Text(f"└{'─' * inner}┘", edge))
    return lines


def _draw_pile(view: View, size: Size, say: Language) -> list[Text]:
    """Draw the draw pile in front of the parade, as a stack with the number of cards left."""
    inner, number = size.width - 2, str(view.pile)
    middle = [""] * (size.height - 2)
    middle[(size.height - 2) // 2] = number
    if size.height > SMALL.height:
        middle[(size.height - 2) // 2 - 1] = say("draw")
    edges = ("┐┐┐", "│││", "┘┘┘") if view.pile > 1 else ("┐  ", "│  ", "┘  ")
    lines = [f"┌{'─' * inner}{edges[0]}"]
    lines += [f"│{centre(line, inner)}{edges[1]}" for line in middle]
    lines.append(f"└{'─' * inner}{edges[2]}")
    return [Text(f"{line} ", "dim") for line in lines]


def _draw_parade(
    view: View, viewport: Viewport, marked: object, size: Size, say: Language
) -> list[Text]:
    """Draw rows of cards from front to end, each with the effect of the marked card below it."""
    played = marked.card if isinstance(marked, PlayCard) else None
    leaving = split_parade(view.parade, played)[0] if played is not None else []
    safe = view.parade[max(len(view.parade) - played.value, 0) :] if played is not None else ()
    pile = _draw_pile(view, size, say)
    in_first_row = max((viewport.width - pile[0].cell_len) // size.width, 1)
    rows = [view.parade[:in_first_row]]
    in_other_rows = viewport.width // size.width
    rest = view.parade[in_first_row:]
    rows += [rest[start : start + in_other_rows] for start in range(0, len(rest), in_other_rows)]
    lines: list[Text] = []
    for number, row in enumerate(rows):
        blocks = [pile] if number == 0 else []
        notes = Text(" " * pile[0].cell_len if number == 0 else "")
        for card in row:
            newest = say("new") if card == view.parade[-1] else ""
            blocks.append(box(card, size, viewport, "bold" if card in leaving else "", newest))
            effect = _effect_mark(card, played, leaving, safe, fitting([say("safe"), "·"], size.width))
            notes.append(centre(effect, size.width))
        lines += [*side_by_side(blocks), notes]
    return lines


def _effect_mark(
    card: Card, played: Card | None, leaving: Sequence[Card], safe: Sequence[Card], first_safe: str
) -> str:
    """Return a symbol for the effect that playing the marked card would have on this one."""
    if card in leaving:
        return "▲"
    if card in safe:
        return first_safe if card is safe[0] else "·"
    return "" if played is None else "-"


def _draw_zones(view: View, names: Sequence[str], viewport: Viewport) -> list[Text]:
    """Draw one line per player: name, current points, and cards by colour."""
    lines = []
    sheets = score_sheets(view.zones)
    for seat, (name, sheet) in enumerate(zip(_pad_names(names), sheets, strict=True)):
        turn = "▶" if seat in _seats_to_act(view) else " "
        line = Text(f"{turn} {name} {sheet.total:>3} ", "bold" if turn == "▶" else "")
        line.append_text(_format_zone(sheet, viewport))
        line.truncate(viewport.width, overflow="ellipsis")
        lines.append(line)
    return lines


def _pad_names(names: Sequence[str]) -> list[str]:
    """Pad the names to the widest one, up to a limit, measured in terminal cells."""
    width = min(max(map(cell_len, names)), _WIDEST_NAME)
    return [align_left(shorten_cells(name, width), width) for name in names]


def _format_zone(sheet: ScoreSheet, viewport: Viewport) -> Text:
    text = Text()
    for colour, score in zip(Colour, sheet.colours, strict=True):
        if score.cards:
            values = " ".join(_value_text(card) for card in score.cards)
            star = "*" if score.majority else ""
            text.append(f" {SYMBOLS[colour]}{values}{star} ", _ink(colour, viewport))
    return text


def _seats_to_act(view: View) -> tuple[Seat, ...]:
    match view.stage:
        case Playing(seat) | Drawing(seat):
            return (seat,)
        case Keeping(_, kept):
            return tuple(seat for seat, pair in enumerate(kept) if pair is None)
        case _:
            return ()


def _draw_hand(  # noqa: PLR0913, PLR0917 - everything that is drawn
    view: View, names: Sequence[str], viewport: Viewport, marked: object, size: Size, say: Language
) -> TextPicture:
    """Draw the viewer's hand, with the number key for each card."""
    picture = TextPicture()
    if view.seat is None:
        picture.add(*_draw_open_hands(view, names, viewport, say))
        return picture
    hand = [card for card in view.hands[view.seat] if card is not FACE_DOWN]
    if isinstance(view.stage, Ended) or not hand:
        return picture
    chosen = _cards_of(marked)
    choosing = isinstance(view.stage, Keeping)
    label = say("{name}'s hand", name=names[view.seat])
    if choosing:
        label = say("{name}'s hand: keep {number} of these", name=names[view.seat], number=KEPT)
    legend = say("▲ would be taken  - stays  · safe") if isinstance(marked, PlayCard) else ""
    picture.add(Text.assemble((label, "bold"), (f"    {legend}" if legend else "", "dim")))
    top = len(picture.lines)
    blocks = [box(card, size, viewport, "bold reverse" if card in chosen else "") for card in hand]
    picture.add(*side_by_side(blocks, gap=1))
    if not choosing:
        numbers = " ".join(str(number).center(size.width) for number in range(1, len(hand) + 1))
        picture.add(Text(numbers, "dim"))
        picture.spots += [
            Spot(top, place * (size.width + 1), size.height + 1, size.width, PlayCard(card))
            for place, card in enumerate(hand)
        ]
    return picture


def _draw_open_hands(view: View, names: Sequence[str], viewport: Viewport, say: Language) -> list[Text]:
    """Draw all hands that are face up, as many side by side as fit."""
    lines = [Text()]
    for name, hand in zip(_pad_names(names), view.hands, strict=True):
        known = [card for card in hand if card is not FACE_DOWN]
        if not known or len(known) < len(hand):
            continue
        text = Text.assemble((f"{name} ", "bold"))
        for card in known:
            text.append(" ").append(_short_name(card), _ink(card.colour, viewport))
        if lines[-1] and lines[-1].cell_len + _GAP + text.cell_len > viewport.width:
            lines.append(Text())
        lines[-1].append(" " * _GAP if lines[-1] else "").append_text(text)
    return [Text(say("Hands"), "bold"), *lines] if lines[0] else []


def _cards_of(marked: object) -> tuple[Card, ...]:
    match marked:
        case PlayCard(card):
            return (card,)
        case KeepCards(first, second):
            return (first, second)
        case _:
            return ()


def sheet(view: View, names: Sequence[str], viewport: Viewport, say: Language = ENGLISH) -> TextPicture:
    """Draw the score sheet by colour; a star marks a majority, in which each card counts 1."""
    titles = [f"{SYMBOLS[colour]} {say(COLOURS[colour])}" for colour in Colour]
    picture = _draw_sheet(view, names, viewport, _format_cards_and_points, [*titles, say("Total")])
    for shorter in (titles, [SYMBOLS[colour] for colour in Colour]):
        if max(line.cell_len for line in picture.lines) > viewport.width:
            picture = _draw_sheet(view, names, viewport, _format_points, [*shorter, say("Total")])
    picture.add(Text(f"* {say('majority: these cards count 1 each')}", "dim"))
    return picture


def _draw_sheet(
    view: View,
    names: Sequence[str],
    viewport: Viewport,
    format_cell: Callable[[ColourScore], str],
    titles: Sequence[str],
) -> TextPicture:
    sheets = score_sheets(view.zones)
    rows = [[*titles[:-1]]]
    rows += [[format_cell(score) for score in score_sheet.colours] for score_sheet in sheets]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    picture = TextPicture()
    for name, cells, total in zip(
        _pad_names(["", *names]),
        rows,
        [titles[-1], *(str(score_sheet.total) for score_sheet in sheets)],
        strict=True,
    ):
        line = Text(name)
        for colour, cell, width in zip(Colour, cells, widths, strict=True):
            line.append("  ").append(align_left(cell, width), _ink(colour, viewport))
        line.append(f"  {align_right(total, cell_len(titles[-1]))}", "bold")
        picture.add(line)
    return picture


def _format_cards_and_points(score: ColourScore) -> str:
    values = " ".join(_value_text(card) for card in score.cards)
    return f"{values}={_format_points(score)}" if score.cards else "-"


def _format_points(score: ColourScore) -> str:
    return f"{score.points}{'*' if score.majority else ''}" if score.cards else "-"


def label(view: View, action: object, say: Language = ENGLISH) -> str:  # noqa: ARG001 - symbols need no words
    """Return a short label for a choice: the cards, and for a pair the resulting score."""
    cards = _cards_of(action)
    names = " ".join(map(_short_name, cards))
    if view.seat is None or not isinstance(action, KeepCards):
        return names
    return f"{names} = {points_with(view.zones, view.seat, cards)}"


def rule(view: View) -> str:
    """Return the number of the rule that is relevant now."""
    match view.stage:
        case Playing(_, None):
            return "P5"
        case Playing():
            return "P9"
        case Drawing():
            return "P7"
        case Keeping():
            return "P11"
        case Ended():
            return "P12" if len(view.hands) > 2 else "P13"
        case _:
            return "P3"


def frames(event: Event, view: View) -> Iterator[View]:  # noqa: ARG001 - no animation
    """Return no animation frames: cards appear at once."""
    return iter(())

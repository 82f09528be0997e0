"""Terminal UI of Cookies: the ring with the spinner, the hand beside it, the players below.

`ring.py` draws the ring on the character grid of `canvas.py`; `preview.py` computes what an action does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from msgspec.structs import replace
from rich.cells import cell_len
from rich.text import Text

from wonderland.components.terminal import Spot, TextPicture, Viewport
from wonderland.components.text_layout import (
    align_left,
    align_right,
    fitting,
    shorten_cells,
    wrap_text,
)
from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.protocol import FACE_DOWN, Seat
from wonderland.engine.values import Value
from wonderland.games.cookies.rules.components import COOKIE_VALUES, DECK, Card
from wonderland.games.cookies.rules.events import Event, SpinMade
from wonderland.games.cookies.rules.rules import legal
from wonderland.games.cookies.rules.scoring import points
from wonderland.games.cookies.rules.state import (
    LEFT,
    RIGHT,
    Answer,
    Climbing,
    Dealing,
    Deciding,
    Drawing,
    Ended,
    Hand,
    PlayCard,
    Playing,
    Spinning,
    Starting,
    TakeCookie,
    Taking,
    TakingDown,
    TurningFirst,
    TurningUp,
)
from wonderland.games.cookies.rules.view import View, observed_state
from wonderland.games.cookies.ui.canvas import DASHED, DOUBLE, THIN, Box, Canvas
from wonderland.games.cookies.ui.preview import foresee, pawn_letter
from wonderland.games.cookies.ui.ring import Shape, draw_ring, pawn_ink, shape_for
from wonderland.games.cookies.ui.words import status

_SPIN_DISTANCES = (28, 25, 22, 19, 16, 13, 11, 9, 7, 5, 4, 3, 2, 1)
"""Distance of the needle from its target in each frame: the spin slows down."""
_HOLD_FRAMES = 5
"""Number of frames to show a spin that was not the last one."""
_LEGEND = (phrase("a small, A large"), phrase("a↓ fell, 3• per spin"))
_NARROWEST_PLACE = 7
_POINTS_COLUMN = len(COOKIE_VALUES) + 1
_SIDES = {LEFT: phrase("left"), RIGHT: phrase("right")}


class Size(Value, frozen=True):
    """Size of a drawn card with its border, and width of the panel that holds three."""

    width: int
    height: int
    panel: int


LARGE = Size(9, 7, 29)
MEDIUM = Size(7, 5, 26)
SMALL = Size(6, 3, 20)
_LARGE_CARD_HEIGHT = 24
"""Minimum height for large cards."""


def draw(
    view: View, names: Sequence[str], viewport: Viewport, marked: object = None, say: Language = ENGLISH
) -> TextPicture:
    """Draw the table: the ring, the viewer's hand beside it, and all players below."""
    players = _draw_players(view, names, viewport, say)
    height = viewport.height - len(players)
    picture = TextPicture()
    if layout := _layout(len(view.options.board.spaces), height, viewport.width):
        size, shape = layout
        ring = draw_ring(view, shape, viewport, foresee(view, marked), say)
        picture = _join_beside(ring, _draw_panel(view, names, size, shape.height, marked, say))
    else:
        picture.add(*_draw_without_ring(view, names, height, say))
    picture.add(*players)
    return _crop(picture, viewport)


def _layout(spaces: int, height: int, width: int) -> tuple[Size, Shape] | None:
    """Choose the largest cards that leave enough space for the ring, and its shape."""
    layouts = []
    for size in (LARGE, MEDIUM, SMALL) if height >= _LARGE_CARD_HEIGHT else (MEDIUM, SMALL):
        shape = shape_for(spaces, height, width - size.panel - 1)
        if shape is not None:
            layouts.append((size, shape))
    return max(layouts, key=lambda layout: layout[1].is_roomy, default=None)


def _join_beside(left: TextPicture, right: TextPicture) -> TextPicture:
    """Join two pictures side by side; the left one must be the taller, with lines of full width."""
    column = left.lines[0].cell_len + 1
    lines = [*left.lines]
    for row, line in enumerate(right.lines):
        lines[row] = Text.assemble(lines[row], " ", line)
    moved = [
        Spot(spot.row, spot.column + column, spot.height, spot.width, spot.action)
        for spot in right.spots
    ]
    return TextPicture(lines, [*left.spots, *moved])


def _draw_without_ring(view: View, names: Sequence[str], height: int, say: Language) -> list[Text]:
    lines = [*_status(view, names, say), say("Make the window larger to see the ring.")]
    if view.seat is not None and view.hands[view.seat]:
        lines.append(say("hand {cards}", cards=_format_hand(view.hands[view.seat])))
    return [Text(line) for line in lines[: max(height, 0)]]


def _crop(picture: TextPicture, viewport: Viewport) -> TextPicture:
    """Cut off everything outside the viewport."""
    lines = picture.lines[: viewport.height]
    for line in lines:
        line.truncate(viewport.width, overflow="ellipsis")
    inside = [spot for spot in picture.spots if spot.row + spot.height <= viewport.height]
    return TextPicture(lines, inside)


# The players


def _draw_players(view: View, names: Sequence[str], viewport: Viewport, say: Language) -> list[Text]:
    """One line per player: turn marker, points, cookies, place of the pawn, cards played."""
    width = 9 if viewport.width < 100 else 24
    fitted = _fit_names(names, width)
    cookies = [_format_cookies(large) for large in view.larder.large]
    widest = max(map(len, cookies))
    places = [
        say("in hole") if view.in_hole(seat) else say("on {number}", number=view.pawns[seat] + 1)
        for seat in range(len(names))
    ]
    widest_place = max(_NARROWEST_PLACE, *map(cell_len, places))
    acting = _acting_seat(view)
    lines = []
    for seat, name in enumerate(fitted):
        large, small = view.larder.large[seat], view.larder.small[seat]
        where = align_left(places[seat], widest_place)
        line = Text().append("▶ " if seat == acting else "  ", "bold")
        line.append(f"{pawn_letter(view, seat)} {name}", f"bold {pawn_ink(seat, viewport)}")
        line.append(f" {points(large, small):>3}", "bold")
        cards = _cards_text(view, seat, say)
        line.append(f" = {cookies[seat]:<{widest}} {small:>2}•  {where} {cards}")
        lines.append(line)
    return lines


def _fit_names(names: Sequence[str], width: int) -> list[str]:
    """Pad or truncate the names to a common width, at most `width`."""
    width = min(max(map(cell_len, names)), width)
    return [align_left(shorten_cells(name, width), width) for name in names]


def _format_cookies(large: Sequence[int]) -> str:
    """Format large cookies by value.

    >>> _format_cookies((2, 5, 5))
    '(2) (5)x2'
    """
    counts = [(value, large.count(value)) for value in COOKIE_VALUES if value in large]
    return " ".join(f"({value})x{count}" if count > 1 else f"({value})" for value, count in counts)


def _cards_text(view: View, seat: Seat, say: Language) -> str:
    """Cards played, and the hand if it is visible."""
    hand, played = view.hands[seat], view.played[seat]
    words = []
    if hand and seat != view.seat and FACE_DOWN not in hand:
        words.append(say("hand {cards}", cards=_format_hand(hand)))
    if played:
        words.append(say("played {cards}", cards="".join(card.mark for card in played)))
    words.append(say("{number} left", number=len(DECK) - len(played)))
    return "  ".join(words)


def _format_hand(hand: Hand) -> str:
    """Format a hand from left to right, with the locked card in brackets."""
    marks = ["?" if card is FACE_DOWN else card.mark for card in hand]
    return "".join(f"[{mark}]" if _is_locked(place, hand) else mark for place, mark in enumerate(marks))


def _is_locked(place: int, hand: Hand) -> bool:
    """Whether a card can't be played: the middle one of three (C7)."""
    return len(hand) == 3 and place == 1


def _acting_seat(view: View) -> Seat | None:
    stage = view.stage
    if isinstance(stage, Starting | Dealing | TurningFirst | Ended):
        return None
    return stage.seat


# Hand and status


def _draw_panel(  # noqa: PLR0913, PLR0917 - everything that is drawn
    view: View, names: Sequence[str], size: Size, height: int, marked: object, say: Language
) -> TextPicture:
    """Draw the panel beside the ring, in at most `height` lines."""
    picture = TextPicture()
    if view.seat is not None and view.hands[view.seat]:
        picture.add(Text(say("{name}'s hand", name=names[view.seat]), "bold"))
        picture.place(_draw_hand(view, view.seat, size, marked, say))
        picture.add("")
    for sentence in _status(view, names, say):
        picture.add(*wrap_text(sentence, size.panel))
    lines = [line for each in _LEGEND for line in wrap_text(say(each), size.panel)]
    legend = [Text(line, "dim") for line in lines]
    if len(picture.lines) + len(legend) < height:
        picture.add("")
    picture.add(*legend)
    for line in picture.lines:
        line.truncate(size.panel, overflow="ellipsis")
    return TextPicture(picture.lines[:height], picture.spots)


def _draw_hand(view: View, seat: Seat, size: Size, marked: object, say: Language) -> TextPicture:
    """Draw the cards in order; a card with a single legal play can be clicked and shows its key."""
    hand, actions = view.hands[seat], legal(observed_state(view), seat)
    canvas = Canvas(size.height + 1, len(hand) * (size.width + 1) - 1)
    spots = []
    for place, card in enumerate(hand):
        box = Box(0, place * (size.width + 1), size.height, size.width)
        mark = "?" if card is FACE_DOWN else card.mark
        if _is_locked(place, hand):
            word = fitting([say("locked"), "⊗"], size.width)
            _draw_card(canvas, box, mark, word, locked=True)
            continue
        side = LEFT if place == 0 else RIGHT
        ways = [action for action in actions if isinstance(action, PlayCard) and action.side is side]
        word = fitting([say(_SIDES[side])], size.width)
        if len(ways) == 1:
            key = str(actions.index(ways[0]) + 1)
            word = fitting([f"{key} {say(_SIDES[side])}", key], size.width)
            spots.append(Spot(box.top, box.left, box.height + 1, box.width, ways[0]))
        _draw_card(canvas, box, mark, word, chosen=marked in ways)
    return TextPicture(canvas.lines(), spots)


def _draw_card(  # noqa: PLR0913 - everything that is drawn
    canvas: Canvas, box: Box, mark: str, word: str, *, chosen: bool = False, locked: bool = False
) -> None:
    """Draw a card; a locked one has a dashed border, and crosses instead of numbers."""
    border = DASHED if locked else DOUBLE if chosen else THIN
    style = "dim" if locked else "bold" if chosen else ""
    inside, corner = box.inside, "⊗" if locked else mark
    canvas.frame(box, border, style)
    canvas.write(inside.top, inside.left, corner, style)
    canvas.write(inside.bottom, inside.right, corner, style)
    if locked or inside.height > 1:
        canvas.centre(inside.middle[0], inside, mark, style or "bold")
    canvas.centre(box.bottom + 1, box, word, style or "dim")


def _status(view: View, names: Sequence[str], say: Language) -> list[str]:
    """Status lines: the current stage, and the last card played."""
    if view.last is None:
        return [status(view, names, say)]
    return [status(view, names, say), say("Last card: {card}.", card=_played(view.last, say))]


def _played(play: PlayCard, say: Language = ENGLISH) -> str:
    """Format a card as it was played.

    >>> from wonderland.games.cookies.rules.notation import read
    >>> _played(read("leftJ4+1"))
    'Joker as 4 + 1'
    """
    number = play.card.mark
    if play.card is Card.JOKER:
        number = say("Joker as {number}", number=play.number)
    return f"{number} + 1" if play.plus else number


# Score sheet, current rule, and animation


def sheet(view: View, names: Sequence[str], viewport: Viewport, say: Language = ENGLISH) -> TextPicture:
    """Draw the score sheet: large cookies by value, small ones, points, and the tie-breakers."""
    larder = view.larder
    titles = (say("Small"), say("Points"), say("Large"), say("Pawn on"))
    rows = [[*(f"({value})" for value in COOKIE_VALUES), *titles]]
    for large, small, pawn in zip(larder.large, larder.small, view.pawns, strict=True):
        counts = [large.count(value) for value in COOKIE_VALUES]
        rows.append([*(str(count or "-") for count in counts), str(small), str(points(large, small))])
        rows[-1] += [str(len(large)), str(pawn + 1)]
    winners = view.stage.result.winners if isinstance(view.stage, Ended) else ()
    fitted = _fit_names(["", *names], 24)
    picture = TextPicture()
    for seat, (name, cells) in enumerate(zip(fitted, rows, strict=True), start=-1):
        ink = f"bold {pawn_ink(seat, viewport)}" if seat >= 0 else ""
        line = Text.assemble("★ " if seat in winners else "  ", (name, ink))
        for column, (cell, heading) in enumerate(zip(cells, rows[0], strict=True)):
            ink = "bold" if column == _POINTS_COLUMN or seat < 0 else ""
            line.append(f"  {align_right(cell, cell_len(heading))}", ink)
        line.truncate(viewport.width, overflow="ellipsis")
        picture.add(line)
    tied = say("Ties: most large cookies, then the pawn farthest from the Tea Party.")
    picture.add(*(Text(line, "dim") for line in wrap_text(tied, viewport.width)))
    return picture


def label(view: View, action: object, say: Language = ENGLISH) -> str:  # noqa: ARG001 - the action suffices
    """Return a short label for a choice."""
    match action:
        case Answer.ACCEPT:
            return say("go")
        case Answer.AGAIN:
            return say("spin again")
        case TakeCookie.FACE_UP:
            return say("up")
        case TakeCookie.FACE_DOWN:
            return say("stack")
        case PlayCard():
            number = f"J={action.number}" if action.card is Card.JOKER else action.card.mark
            words = [say(_SIDES[action.side]), f"{number}{'+1' if action.plus else ''}"]
            return " ".join(["↑", *words] if action.walk else words)
        case _:  # chance outcomes, never offered
            return ""


def rule(view: View) -> str:
    """Return the number of the rule that applies now."""
    stage = view.stage
    match stage:
        case Starting() | Dealing():
            return "C6"
        case TurningFirst():
            return "C5"
        case Playing(seat):
            if view.in_hole(seat):
                return "C22" if view.stuck[seat] and view.options.kind_hole else "C18"
            return "C8" if view.large == seat else "C7"
        case Climbing() | Deciding():
            return "C18"
        case Spinning():
            return "C14"
        case Taking() | TakingDown():
            return "C13"
        case TurningUp():
            return "C10"
        case Drawing():
            return "C12"
        case Ended():
            return "C19"
    assert_never(stage)


def frames(event: Event, view: View) -> Iterator[View]:
    """Yield the frames of a spin that slows down to its target; nothing else is animated."""
    if isinstance(event, SpinMade):
        size = len(view.options.board.spaces)
        for distance in _SPIN_DISTANCES:
            yield replace(view, spinner=(event.space - distance) % size)
        if event.space != view.spinner:  # it was spun again afterwards
            yield from [replace(view, spinner=event.space)] * _HOLD_FRAMES

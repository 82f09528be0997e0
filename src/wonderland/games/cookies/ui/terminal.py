"""Terminal UI of Cookies: the ring with the spinner, the hand beside it, the players below.

`ring.py` draws the ring on the character grid of `canvas.py`; `preview.py` computes what an action does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import assert_never

from msgspec.structs import replace
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from wonderland.components.terminal import Spot, TextPicture, Viewport
from wonderland.engine.protocol import FACE_DOWN, Seat
from wonderland.engine.values import Value
from wonderland.games.cookies.rules.components import COOKIE_VALUES, DECK, Card
from wonderland.games.cookies.rules.events import Event, SpinMade
from wonderland.games.cookies.rules.rules import legal
from wonderland.games.cookies.rules.scoring import points
from wonderland.games.cookies.rules.state import (
    LEFT,
    RIGHT,
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
    Taking,
    TakingDown,
    TurningFirst,
    TurningUp,
)
from wonderland.games.cookies.rules.view import View, observed_state
from wonderland.games.cookies.ui.canvas import DASHED, DOUBLE, THIN, Box, Canvas
from wonderland.games.cookies.ui.preview import foresee, pawn_letter
from wonderland.games.cookies.ui.ring import Shape, draw_ring, pawn_ink, shape_for

_SPIN_DISTANCES = (28, 25, 22, 19, 16, 13, 11, 9, 7, 5, 4, 3, 2, 1)
"""Distance of the needle from its target in each frame: the spin slows down."""
_HOLD_FRAMES = 5
"""Number of frames to show a spin that was not the last one."""
_LEGEND = ("a small, A large", "a↓ fell, 3• per spin")


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


def draw(view: View, names: Sequence[str], room: Viewport, marked: object = None) -> TextPicture:
    """Draw the table: the ring, the viewer's hand beside it, and all players below."""
    players = _draw_players(view, names, room)
    height = room.height - len(players)
    picture = TextPicture()
    if layout := _layout(len(view.options.board.spaces), height, room.width):
        size, shape = layout
        ring = draw_ring(view, shape, room, foresee(view, marked))
        picture = _join_beside(ring, _draw_panel(view, names, size, shape.height, marked))
    else:
        picture.add(*_draw_without_ring(view, names, height))
    picture.add(*players)
    return _crop(picture, room)


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


def _draw_without_ring(view: View, names: Sequence[str], height: int) -> list[Text]:
    lines = [*_status(view, names), "(The ring needs a larger window.)"]
    if view.seat is not None and view.hands[view.seat]:
        lines.append(f"hand {_format_hand(view.hands[view.seat])}")
    return [Text(line) for line in lines[: max(height, 0)]]


def _crop(picture: TextPicture, room: Viewport) -> TextPicture:
    """Cut off everything outside the viewport."""
    lines = picture.lines[: room.height]
    for line in lines:
        line.truncate(room.width, overflow="ellipsis")
    inside = [spot for spot in picture.spots if spot.row + spot.height <= room.height]
    return TextPicture(lines, inside)


# The players


def _draw_players(view: View, names: Sequence[str], room: Viewport) -> list[Text]:
    """One line per player: turn marker, points, cookies, place of the pawn, cards played."""
    width = 9 if room.width < 100 else 24
    fitted = _fit_names(names, width)
    cookies = [_format_cookies(large) for large in view.larder.large]
    widest = max(map(len, cookies))
    acting = _acting_seat(view)
    lines = []
    for seat, name in enumerate(fitted):
        large, small = view.larder.large[seat], view.larder.small[seat]
        where = "in hole" if view.in_hole(seat) else f"on {view.pawns[seat] + 1}"
        line = Text().append("▶ " if seat == acting else "  ", "bold")
        line.append(f"{pawn_letter(view, seat)} {name}", f"bold {pawn_ink(seat, room)}")
        line.append(f" {points(large, small):>3}", "bold")
        line.append(f" = {cookies[seat]:<{widest}} {small:>2}•  {where:<7} {_cards_text(view, seat)}")
        lines.append(line)
    return lines


def _fit_names(names: Sequence[str], width: int) -> list[str]:
    """Pad or truncate the names to a common width, at most `width`."""
    width = min(max(map(cell_len, names)), width)
    cut = [f"{set_cell_size(name, width - 1)}…" if cell_len(name) > width else name for name in names]
    return [set_cell_size(name, width) for name in cut]


def _format_cookies(large: Sequence[int]) -> str:
    """Format large cookies by value.

    >>> _format_cookies((2, 5, 5))
    '(2) (5)x2'
    """
    counts = [(value, large.count(value)) for value in COOKIE_VALUES if value in large]
    return " ".join(f"({value})x{count}" if count > 1 else f"({value})" for value, count in counts)


def _cards_text(view: View, seat: Seat) -> str:
    """Cards played, and the hand if it is visible."""
    hand, played = view.hands[seat], view.played[seat]
    words = (
        [f"hand {_format_hand(hand)}"] if hand and seat != view.seat and FACE_DOWN not in hand else []
    )
    if played:
        words.append(f"played {''.join(card.mark for card in played)}")
    words.append(f"{len(DECK) - len(played)} left")
    return "  ".join(words)


def _format_hand(hand: Hand) -> str:
    """Format a hand from left to right, with the locked card in brackets."""
    marks = ["?" if card is FACE_DOWN else card.mark for card in hand]
    return "".join(f"[{mark}]" if _is_locked(place, hand) else mark for place, mark in enumerate(marks))


def _is_locked(place: int, hand: Hand) -> bool:
    """Whether a card can't be played: the centre one of three (C7)."""
    return len(hand) == 3 and place == 1


def _acting_seat(view: View) -> Seat | None:
    stage = view.stage
    if isinstance(stage, Starting | Dealing | TurningFirst | Ended):
        return None
    return stage.seat


# Hand and status


def _draw_panel(
    view: View, names: Sequence[str], size: Size, height: int, marked: object
) -> TextPicture:
    """Draw the panel beside the ring, in at most `height` lines."""
    picture = TextPicture()
    if view.seat is not None and view.hands[view.seat]:
        picture.add(Text(f"{names[view.seat]}'s hand", "bold"))
        picture.place(_draw_hand(view, view.seat, size, marked))
        picture.add("")
    for sentence in _status(view, names):
        picture.add(*wrap(sentence, size.panel))
    legend = [Text(line, "dim") for line in _LEGEND]
    if len(picture.lines) + len(legend) < height:
        picture.add("")
    picture.add(*legend)
    for line in picture.lines:
        line.truncate(size.panel, overflow="ellipsis")
    return TextPicture(picture.lines[:height], picture.spots)


def _draw_hand(view: View, seat: Seat, size: Size, marked: object) -> TextPicture:
    """Draw the cards in order; a card with a single legal play can be clicked and shows its key."""
    hand, actions = view.hands[seat], legal(observed_state(view), seat)
    canvas = Canvas(size.height + 1, len(hand) * (size.width + 1) - 1)
    spots = []
    for place, card in enumerate(hand):
        box = Box(0, place * (size.width + 1), size.height, size.width)
        mark = "?" if card is FACE_DOWN else card.mark
        if _is_locked(place, hand):
            _draw_card(canvas, box, mark, "locked")
            continue
        side = LEFT if place == 0 else RIGHT
        ways = [action for action in actions if isinstance(action, PlayCard) and action.side is side]
        word = side.name.lower()
        if len(ways) == 1:
            word = f"{actions.index(ways[0]) + 1} {word}"
            spots.append(Spot(box.top, box.left, box.height + 1, box.width, ways[0]))
        _draw_card(canvas, box, mark, word, chosen=marked in ways)
    return TextPicture(canvas.lines(), spots)


def _draw_card(canvas: Canvas, box: Box, mark: str, word: str, *, chosen: bool = False) -> None:
    """Draw a card; a locked one has a dashed border, and crosses instead of numbers."""
    locked = word == "locked"
    border = DASHED if locked else DOUBLE if chosen else THIN
    style = "dim" if locked else "bold" if chosen else ""
    inside, corner = box.inside, "⊗" if locked else mark
    canvas.frame(box, border, style)
    canvas.write(inside.top, inside.left, corner, style)
    canvas.write(inside.bottom, inside.right, corner, style)
    if locked or inside.height > 1:
        canvas.centre(inside.middle[0], inside, mark, style or "bold")
    canvas.centre(box.bottom + 1, box, word, style or "dim")


def _status(view: View, names: Sequence[str]) -> list[str]:
    """Status lines: the current stage, and the last card played."""
    last = [] if view.last is None else [f"Last card: {_played(view.last)}."]
    return [_stage_text(view, names), *last]


def _played(play: PlayCard) -> str:
    """Format a card as it was played.

    >>> from wonderland.games.cookies.rules.notation import read
    >>> _played(read("leftJ4+1"))
    'J as 4 + 1'
    """
    number = f"J as {play.number}" if play.card is Card.JOKER else play.card.mark
    return f"{number} + 1" if play.plus else number


def _stage_text(view: View, names: Sequence[str]) -> str:
    stage = view.stage
    match stage:
        case Starting() | Dealing() | TurningFirst():
            return "The cards are dealt."
        case Playing(seat):
            return f"{names[seat]} plays a card" + (" to climb out." if view.in_hole(seat) else ".")
        case Climbing(seat, spins):
            return f"{names[seat]} climbs, {_spins(spins)}."
        case Deciding(seat, spins):
            return f"{names[seat]} goes there or spins again, {_spins(spins)}."
        case Spinning(seat):
            return f"{names[seat]} spins for small cookies."
        case Taking(seat) | TakingDown(seat) | TurningUp(seat):
            return f"{names[seat]} takes a large cookie."
        case Drawing(seat):
            return f"{names[seat]} draws a card."
        case Ended():
            return "All cards are played."
    assert_never(stage)


def _spins(number: int) -> str:
    return f"{number} spin{'' if number == 1 else 's'} left"


# Score sheet, current rule, and animation


def sheet(view: View, names: Sequence[str], room: Viewport) -> TextPicture:
    """Draw the score sheet: large cookies by value, small ones, points, and the tie-breakers."""
    larder = view.larder
    rows = [[*(f"({value})" for value in COOKIE_VALUES), "small", "POINTS", "large", "pawn on"]]
    for large, small, pawn in zip(larder.large, larder.small, view.pawns, strict=True):
        counts = [large.count(value) for value in COOKIE_VALUES]
        rows.append([*(str(count or "-") for count in counts), str(small), str(points(large, small))])
        rows[-1] += [str(len(large)), str(pawn + 1)]
    winners = view.stage.result.winners if isinstance(view.stage, Ended) else ()
    fitted = _fit_names(["", *names], 24)
    picture = TextPicture()
    for seat, (name, cells) in enumerate(zip(fitted, rows, strict=True), start=-1):
        ink = f"bold {pawn_ink(seat, room)}" if seat >= 0 else ""
        line = Text.assemble("★ " if seat in winners else "  ", (name, ink))
        for column, (cell, heading) in enumerate(zip(cells, rows[0], strict=True)):
            line.append(f"  {cell:>{len(heading)}}", "bold" if column == 5 or seat < 0 else "")
        line.truncate(room.width, overflow="ellipsis")
        picture.add(line)
    picture.add(Text("Tied: most large cookies; then the pawn farthest from the Tea Party.", "dim"))
    return picture


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

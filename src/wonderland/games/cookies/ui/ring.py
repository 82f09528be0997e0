"""The ring of Cookies in the terminal: spaces around a rectangle, with the spinner in the middle."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from rich.cells import cell_len, set_cell_size

from wonderland.components.palette import Tint, tint_style
from wonderland.components.terminal import Spot, TextPicture, Viewport
from wonderland.components.text_layout import fitting
from wonderland.engine.language import Language, phrase
from wonderland.engine.protocol import Seat
from wonderland.engine.values import Value
from wonderland.games.cookies.rules.board import Kind
from wonderland.games.cookies.rules.state import Answer, Deciding, TakeCookie, Taking
from wonderland.games.cookies.rules.view import View
from wonderland.games.cookies.ui.canvas import DOUBLE, ROUND, THICK, Box, Canvas
from wonderland.games.cookies.ui.preview import Preview, pawn_mark

SYMBOLS = dict(zip(Kind, "♨∴§☺● ", strict=True))
WORDS = {
    Kind.TEA_PARTY: (phrase("Tea Party"), phrase("Tea")),
    Kind.SMALL_COOKIES: (phrase("Cookies"), phrase("Cook")),
    Kind.CATERPILLAR: (phrase("Caterpillar"), phrase("Grub")),
    Kind.CHESHIRE_CAT: (phrase("Cheshire Cat"), phrase("Cat")),
    Kind.RABBIT_HOLE: (phrase("Rabbit Hole"), phrase("Hole")),
    Kind.PLAIN: (),
}
"""Names of a space, longest first; the first that fits is used."""
_TINTS = dict(
    zip(Kind, (Tint.ORANGE, Tint.YELLOW, Tint.GREEN, Tint.PURPLE, Tint.BLUE, None), strict=True)
)
_PAWN_TINTS = (Tint.RED, Tint.BLUE, Tint.GREEN, Tint.YELLOW)
_ARROWS = {
    (-1, -1): "↖",
    (-1, 0): "▲",
    (-1, 1): "↗",
    (0, -1): "◀",
    (0, 1): "▶",
    (1, -1): "↙",
    (1, 0): "▼",
    (1, 1): "↘",
}
_HEIGHTS, _WIDTHS = range(2, 7), range(3, 19)
"""Possible sizes of a space, including one border."""
_MIDDLE_HEIGHT, _MIDDLE_WIDTH = 5, 21
"""Minimum size of the area inside the ring."""
_ROOMY, _NARROW = 9, 5
"""Minimum width for symbol, number, pawns and cookies on one line; for number or pawns, and cookies."""


class Shape(Value, frozen=True):
    """A ring of boxes: the starts of its rows and columns, and the ends of the last ones."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @property
    def height(self) -> int:
        """Total height including borders."""
        return self.rows[-1] + 1

    @property
    def width(self) -> int:
        """Total width including borders."""
        return self.columns[-1] + 1

    @property
    def is_roomy(self) -> bool:
        """Whether each space can show everything on one line."""
        return self.columns[1] > _ROOMY

    @property
    def is_even(self) -> bool:
        """Whether all spaces have the same size."""
        return all(
            len({end - start for start, end in pairwise(edges)}) == 1
            for edges in (self.rows, self.columns)
        )

    @property
    def merit(self) -> tuple[bool, int, int, int]:
        """Sort key: even spaces, then room for the longest word, for three lines, and any room."""
        return self.is_even, min(self.columns[1], 12), min(self.rows[1], 4), self.width * self.height

    @property
    def middle(self) -> Box:
        """The area inside the ring."""
        return self.box(1, 1, len(self.rows) - 3, len(self.columns) - 3).inside

    def box(self, row: int, column: int, rows: int = 1, columns: int = 1) -> Box:
        """The box that starts at this row and column and spans `rows` and `columns`."""
        top, left = self.rows[row], self.columns[column]
        return Box(top, left, self.rows[row + rows] - top + 1, self.columns[column + columns] - left + 1)

    def spaces(self, size: int) -> list[Box]:
        """Boxes of `size` spaces, clockwise from the top left; if odd, the first one is double width."""
        last_row, last_column = len(self.rows) - 2, len(self.columns) - 2
        places = [(0, column) for column in range(last_column)]
        places += [(row, last_column) for row in range(last_row)]
        places += [(last_row, column) for column in range(last_column, 0, -1)]
        places += [(row, 0) for row in range(last_row, 0, -1)]
        if size % 2 == 0:
            return [self.box(*place) for place in places]
        return [self.box(0, 0, columns=2), *(self.box(*place) for place in places[2:])]


@cache
def shape_for(size: int, height: int, width: int) -> Shape | None:
    """Return the best shape for a ring of `size` spaces, or `None` if none fits."""
    shapes = []
    rows_and_columns = (size + 1) // 2 + 2
    for columns in range(3, rows_and_columns - 2):
        across = _edges(columns, width, max(_MIDDLE_WIDTH, width // 3), _WIDTHS)
        rows = rows_and_columns - columns
        down = _edges(rows, height, max(_MIDDLE_HEIGHT, height // 3), _HEIGHTS)
        if across is not None and down is not None:
            shapes.append(Shape(down, across))
    return max(shapes, key=lambda shape: shape.merit, default=None)


def _edges(count: int, length: int, middle: int, sizes: range) -> tuple[int, ...] | None:
    """Edges of `count` boxes in a row, with at least `middle` between the first and the last."""
    for size in reversed(sizes):
        between = max((count - 2) * size, middle + 1)
        if size + between + size < length:
            inner = [size + between * place // (count - 2) for place in range(count - 1)]
            return (0, *inner, inner[-1] + size)
    return None


def draw_ring(
    view: View, shape: Shape, viewport: Viewport, preview: Preview, say: Language
) -> TextPicture:
    """Draw the spaces with the pawns, the spinner, and the cookies left."""
    canvas = Canvas(shape.height, shape.width)
    boxes = shape.spaces(len(view.options.board.spaces))
    for box in boxes:
        canvas.join(box, "dim")
    if view.spinner is not None:
        canvas.frame(boxes[view.spinner], THICK, "bold")
    for stop, _ in preview.stops:
        canvas.frame(boxes[stop], DOUBLE, "bold")
    for number, box in enumerate(boxes):
        ink = space_ink(view.options.board.spaces[number].kind, viewport)
        captions = _captions(view, number, box.inside.width, say)
        _draw_space(canvas, box, captions, ink, _pawns(view, number, viewport, preview, say))
    spots = _draw_cookies(canvas, view, shape.middle, preview, say)
    spots += _draw_spinner(canvas, view, shape.middle, boxes, preview, say)
    return TextPicture(canvas.lines(), spots)


def space_ink(kind: Kind, viewport: Viewport) -> str:
    """Style of a space's captions; none if it is plain."""
    tint = _TINTS[kind]
    return tint_style(tint, dark=viewport.dark) if tint is not None else ""


def pawn_ink(seat: Seat, viewport: Viewport) -> str:
    """Style of a player's pawn."""
    return tint_style(_PAWN_TINTS[seat], dark=viewport.dark)


def _draw_space(
    canvas: Canvas, box: Box, captions: tuple[str, str, str], ink: str, pawns: list[tuple[str, str]]
) -> None:
    """Draw a space: its kind in the top border; its number, pawns and cookies inside."""
    title, head, tail = captions
    inside = box.inside
    lane = Box(inside.top + 1, inside.left, inside.height - 1, inside.width)
    if inside.height == 1:  # everything shares one line
        if pawns and inside.width < _ROOMY:
            head = ""
            if sum(len(mark) for mark, _ in pawns) + len(tail) > inside.width:
                tail = tail[:1]
        lane = Box(inside.top, inside.left + len(head), 1, inside.width - len(head) - len(tail))
    canvas.write(box.top, inside.left, title, ink)
    canvas.write(inside.top, inside.left, head, ink or "dim")
    canvas.write(inside.top, inside.right + 1 - len(tail), tail)
    _draw_pawns(canvas, lane, pawns)


def _captions(view: View, number: int, width: int, say: Language) -> tuple[str, str, str]:
    """Captions of a space: in its border, on the left, and on the right."""
    space = view.options.board.spaces[number]
    symbol, words = SYMBOLS[space.kind], [say(word) for word in WORDS[space.kind]]
    if width >= _ROOMY:
        title = fitting(words, width)
        return title, f"{symbol}{number + 1:>2}", f"{space.cookies}•"
    if width >= _NARROW:
        title = symbol + fitting(words, width - 1)
        return title.strip(), str(number + 1), f"{space.cookies}•"
    return f"{symbol.strip() or '─'}{space.cookies}", str(number + 1), ""


def _pawns(
    view: View, number: int, viewport: Viewport, preview: Preview, say: Language
) -> list[tuple[str, str]]:
    """Marks of the pawns on a space, and of the previewed one."""
    marks = [
        (pawn_mark(view, seat), f"bold {pawn_ink(seat, viewport)}")
        for seat, where in enumerate(view.pawns)
        if where == number
    ]
    if coming := dict(preview.stops).get(number):
        marks.append((coming, "bold reverse"))
    elif number == view.spinner and _is_choosing(view, Deciding):
        marks.append((f"1 {say('go')}", "bold"))
    return marks


def _is_choosing(view: View, stage: type[Deciding | Taking]) -> bool:
    """Whether the viewer is to choose at this stage; the choices are then shown with their keys."""
    return isinstance(view.stage, stage) and view.stage.seat == view.seat


def _draw_pawns(canvas: Canvas, lane: Box, pawns: list[tuple[str, str]]) -> None:
    """Draw the marks side by side; if they don't fit, only the previewed pawn or the count."""
    if sum(cell_len(mark) for mark, _ in pawns) > lane.width and len(pawns) > 1:
        coming = [(mark, style) for mark, style in pawns if mark.startswith("→")]
        pawns = coming or [(f"x{len(pawns)}", "bold")]
    length = sum(cell_len(mark) for mark, _ in pawns)
    row, column = lane.middle[0], lane.left + max((lane.width - length) // 2, 0)
    for mark, style in pawns:
        if mark.isupper() and lane.height >= 3:  # frame a large pawn where there is room
            canvas.frame(Box(row - 1, column - 1, 3, len(mark) + 2), ROUND, style)
        shown = set_cell_size(mark, min(cell_len(mark), lane.width))
        canvas.write(row, column, shown, style)
        column += cell_len(mark)


def _draw_cookies(
    canvas: Canvas, view: View, middle: Box, preview: Preview, say: Language
) -> list[Spot]:
    """Draw the large cookies at the top, as boxes if there is viewport, and the small ones below."""
    larder = view.larder
    small = say("{number} small • left", number=larder.small_left)
    canvas.centre(middle.bottom - 1, middle, small)
    up = "-" if larder.face_up is None else str(larder.face_up)
    if middle.height >= 11 and middle.width >= 25:
        boxes = _draw_large_cookies(canvas, view, middle, up, preview, say)
    else:
        boxes = _write_large_cookies(canvas, view, middle, up, preview, say)
    if not _is_choosing(view, Taking):
        return []
    return [
        Spot(box.top, box.left, box.height, box.width, which)
        for box, which in zip(boxes, TakeCookie, strict=True)
    ]


def _draw_large_cookies(  # noqa: PLR0913, PLR0917 - everything that is drawn
    canvas: Canvas, view: View, middle: Box, up: str, preview: Preview, say: Language
) -> list[Box]:
    stack, keys = len(view.larder.stack), ("1 ", "2 ") if _is_choosing(view, Taking) else ("", "")
    top, column = middle.top + 1, middle.middle[1]
    boxes = [Box(top, column - 10, 3, 9), Box(top, column + 1, 3, 9)]
    words = (up, f"{keys[0]}{say('up')}"), (str(stack), f"{keys[1]}{say('stack')}")
    for box, (number, word), which in zip(boxes, words, TakeCookie, strict=True):
        marked = preview.cookie is which
        canvas.frame(box, DOUBLE if marked else ROUND, "bold" if marked else "")
        canvas.centre(top + 1, box, number, "bold")
        canvas.centre(top + 3, box, word, "dim")
    if stack > 1:
        for row, edge in enumerate("╮│╯", start=top):
            canvas.write(row, boxes[1].right + 1, edge * 2)
    return boxes


def _write_large_cookies(  # noqa: PLR0913, PLR0917 - everything that is drawn
    canvas: Canvas, view: View, middle: Box, up: str, preview: Preview, say: Language
) -> list[Box]:
    stack = f"{say('stack')} {len(view.larder.stack)}"
    words = (f"{say('up')} ({up})", stack)
    if _is_choosing(view, Taking):
        words = (f"1 ({up})", f"2 {stack}")
    row, column = middle.top + 1, middle.middle[1] - cell_len(" ".join(words)) // 2 - 1
    boxes = []
    for word, which in zip(words, TakeCookie, strict=True):
        if preview.cookie is which:
            canvas.write(row, column, f"[{word}]", "bold reverse")
        else:
            canvas.write(row, column, f" {word} ", "bold")
        boxes.append(Box(row, column, 1, cell_len(word) + 2))
        column += cell_len(word) + 2
    return boxes


def _draw_spinner(  # noqa: PLR0913, PLR0917 - everything that is drawn
    canvas: Canvas, view: View, middle: Box, boxes: list[Box], preview: Preview, say: Language
) -> list[Spot]:
    """Draw the hub, and the needle with its head next to the space it points to."""
    row, column = middle.middle
    spots = []
    if view.spinner is not None and _is_choosing(view, Deciding):
        word, box = f"[2 {say('spin again')}]", boxes[view.spinner]
        spots.append(Spot(row, column - cell_len(word) // 2, 1, cell_len(word), Answer.AGAIN))
        spots.append(Spot(box.top, box.left, box.height, box.width, Answer.ACCEPT))
    else:
        word = "(◉)" if preview.spins else "◉"
    canvas.write(row, column - cell_len(word) // 2, word, "bold reverse" if preview.spins else "bold")
    if view.spinner is not None:
        _draw_needle(canvas, middle, boxes[view.spinner])
    return spots


def _draw_needle(canvas: Canvas, middle: Box, target: Box) -> None:
    row, column = target.middle
    up_or_down = (row > middle.bottom) - (target.bottom < middle.top)
    aside = (target.left > middle.right) - (target.right < middle.left)
    head = min(max(row, middle.top), middle.bottom), min(max(column, middle.left), middle.right)
    canvas.ray(middle.middle, head, "bold")
    canvas.write(*head, _ARROWS[up_or_down, aside], "bold")

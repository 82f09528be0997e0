"""The ring of Cookies drawn with characters: its spaces round a rectangle, the spinner in the middle."""

from __future__ import annotations

from wonderland.core.picture import Picture, Room, Spot
from wonderland.core.protocol import Seat
from wonderland.core.values import Value
from wonderland.games.cookies.board import Kind
from wonderland.games.cookies.canvas import DOUBLE, ROUND, THICK, Box, Canvas
from wonderland.games.cookies.preview import Preview, pawn_mark
from wonderland.games.cookies.state import Answer, Deciding, TakeCookie, Taking
from wonderland.games.cookies.view import View

SYMBOLS = dict(zip(Kind, "♨∴§☺● ", strict=True))
WORDS = {
    Kind.TEA_PARTY: ("Tea Party", "Tea"),
    Kind.SMALL_COOKIES: ("Cookies", "Cook"),
    Kind.CATERPILLAR: ("Caterpillar", "Caterp.", "Grub"),
    Kind.CHESHIRE_CAT: ("Cat",),
    Kind.RABBIT_HOLE: ("Hole",),
    Kind.PLAIN: ("",),
}
"""What a space is called, in the longest word that there is room for."""
_DARK = dict(zip(Kind, ("#ffab4d", "#e8c07a", "#5fd07a", "#d38bff", "#8fb0d8", ""), strict=True))
_LIGHT = dict(zip(Kind, ("#9a4a00", "#7a5200", "#13702f", "#7a1fa8", "#2d5080", ""), strict=True))
_DARK_PAWNS = ("#ff6b6b", "#6ea8ff", "#5fd07a", "#ffd75f")
_LIGHT_PAWNS = ("#b3141d", "#1450b0", "#13702f", "#7a5200")
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
_LARGEST = Box(0, 0, 6, 19)
_MIDDLE = Box(0, 0, 5, 21)
"""The largest space, and the smallest middle."""
_ROOMY, _NARROW = 9, 5
"""So wide spaces show symbol, number, pawns and cookies in one line; so wide ones at least the cookies."""


class Shape(Value, frozen=True):
    """A ring of boxes: where its rows and columns begin, and where the last ones end."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @property
    def height(self) -> int:
        """All rows with all borders."""
        return self.rows[-1] + 1

    @property
    def width(self) -> int:
        """All columns with all borders."""
        return self.columns[-1] + 1

    @property
    def is_even(self) -> bool:
        """Whether all spaces are of the same size."""
        return all(
            len({end - start for start, end in zip(edges, edges[1:], strict=False)}) == 1
            for edges in (self.rows, self.columns)
        )

    @property
    def merit(self) -> tuple[bool, int, int, int]:
        """What makes a ring good: room for the longest word, then for three lines, then any room."""
        return self.is_even, min(self.columns[1], 12), min(self.rows[1], 4), self.width * self.height

    @property
    def middle(self) -> Box:
        """What the ring goes round."""
        return self.box(1, 1, len(self.rows) - 3, len(self.columns) - 3).inside

    def box(self, row: int, column: int, rows: int = 1, columns: int = 1) -> Box:
        """The box that begins in this row and column, and goes over so many of them."""
        top, left = self.rows[row], self.columns[column]
        return Box(top, left, self.rows[row + rows] - top + 1, self.columns[column + columns] - left + 1)

    def spaces(self, size: int) -> list[Box]:
        """The boxes of so many spaces, clockwise from the top left; of an odd ring the first is wide."""
        last_row, last_column = len(self.rows) - 2, len(self.columns) - 2
        places = [(0, column) for column in range(last_column)]
        places += [(row, last_column) for row in range(last_row)]
        places += [(last_row, column) for column in range(last_column, 0, -1)]
        places += [(row, 0) for row in range(last_row, 0, -1)]
        if size % 2 == 0:
            return [self.box(*place) for place in places]
        return [self.box(0, 0, columns=2), *(self.box(*place) for place in places[2:])]


def shape_for(size: int, height: int, width: int) -> Shape | None:
    """The best ring of so many spaces that there is room for, if there is room for one."""
    shapes = []
    rows_and_columns = (size + 1) // 2 + 2
    for columns in range(3, rows_and_columns - 2):
        across = _edges(columns, width, max(_MIDDLE.width, width // 3), range(3, _LARGEST.width))
        rows = rows_and_columns - columns
        down = _edges(rows, height, max(_MIDDLE.height, height // 3), range(2, _LARGEST.height))
        if across is not None and down is not None:
            shapes.append(Shape(down, across))
    return max(shapes, key=lambda shape: shape.merit, default=None)


def _edges(count: int, length: int, middle: int, sizes: range) -> tuple[int, ...] | None:
    """Where so many boxes in a row begin and end, with enough room between the first and the last."""
    for size in reversed(sizes):
        between = max((count - 2) * size, middle + 1)
        if size + between + size < length:
            inner = [size + between * place // (count - 2) for place in range(count - 1)]
            return (0, *inner, inner[-1] + size)
    return None


def draw_ring(view: View, shape: Shape, room: Room, preview: Preview) -> Picture:
    """The spaces with the pawns on them, the spinner, and the cookies that are left."""
    canvas = Canvas(shape.height, shape.width)
    boxes = shape.spaces(len(view.options.board.spaces))
    for box in boxes:
        canvas.join(box, "dim")
    if view.spinner is not None:
        canvas.frame(boxes[view.spinner], THICK, "bold")
    for stop, _ in preview.stops:
        canvas.frame(boxes[stop], DOUBLE, "bold")
    for number, box in enumerate(boxes):
        _draw_space(canvas, view, number, box, room, preview)
    spots = _draw_cookies(canvas, view, shape.middle, preview)
    spots += _draw_spinner(canvas, view, shape.middle, boxes, preview)
    return Picture(canvas.lines(), spots)


def pawn_ink(seat: Seat, room: Room) -> str:
    """The colour of a player."""
    return (_DARK_PAWNS if room.dark else _LIGHT_PAWNS)[seat]


def _draw_space(
    canvas: Canvas, view: View, number: int, box: Box, room: Room, preview: Preview
) -> None:
    """The kind in the upper border; in the box the number of the space, the pawns and the cookies."""
    space, inside = view.options.board.spaces[number], box.inside
    ink = (_DARK if room.dark else _LIGHT)[space.kind]
    pawns = _pawns(view, number, room, preview)
    title, head, tail = _captions(view, number, inside.width)
    lane = Box(inside.top + inside.height // 2, inside.left, 1, inside.width)
    if inside.height == 1:  # they share the line
        if pawns and inside.width < _ROOMY:
            head = ""
            if sum(len(mark) for mark, _ in pawns) + len(tail) > inside.width:
                tail = tail[:1]
        lane = Box(inside.top, inside.left + len(head), 1, inside.width - len(head) - len(tail))
    canvas.write(box.top, inside.left, title, ink)
    canvas.write(inside.top, inside.left, head, ink or "dim")
    canvas.write(inside.top, inside.right + 1 - len(tail), tail)
    _draw_pawns(canvas, lane, pawns)


def _captions(view: View, number: int, width: int) -> tuple[str, str, str]:
    """What stands in the border of a space, at the left of it, and at the right of it."""
    space = view.options.board.spaces[number]
    symbol, words = SYMBOLS[space.kind], WORDS[space.kind]
    if width >= _ROOMY:
        title = next(word for word in words if len(word) <= width)
        return title, f"{symbol}{number + 1:>2}", f"{space.cookies}•"
    if width >= _NARROW:
        title = symbol + next(word for word in words if len(word) < width)
        return title.strip(), str(number + 1), f"{space.cookies}•"
    return f"{symbol.strip() or '─'}{space.cookies}", str(number + 1), ""


def _pawns(view: View, number: int, room: Room, preview: Preview) -> list[tuple[str, str]]:
    """The marks of the pawns on a space, and of the one that would come there."""
    marks = [
        (pawn_mark(view, seat), f"bold {pawn_ink(seat, room)}")
        for seat, where in enumerate(view.pawns)
        if where == number
    ]
    coming = dict(preview.stops).get(number)
    return [*marks, (coming, "bold reverse")] if coming else marks


def _draw_pawns(canvas: Canvas, lane: Box, pawns: list[tuple[str, str]]) -> None:
    """Side by side; where that is too much, the one that would come, or how many there are."""
    if sum(len(mark) for mark, _ in pawns) > lane.width and len(pawns) > 1:
        coming = [(mark, style) for mark, style in pawns if mark.startswith("→")]
        pawns = coming or [(f"×{len(pawns)}", "bold")]
    length = sum(len(mark) for mark, _ in pawns)
    column = lane.left + max((lane.width - length) // 2, 0)
    for mark, style in pawns:
        canvas.write(lane.top, column, mark[: lane.width], style)
        column += len(mark)


def _draw_cookies(canvas: Canvas, view: View, middle: Box, preview: Preview) -> list[Spot]:
    """The large cookies at the top of the middle, as boxes if there is room, the small ones below."""
    larder = view.larder
    canvas.centre(middle.bottom - 1, middle, f"{larder.small_left} small • left")
    up = "–" if larder.face_up is None else str(larder.face_up)
    number = str(len(larder.stack))
    if middle.height >= 13:
        face_up = Box(middle.top + 1, middle.middle[1] - 10, 3, 9)
        stack = Box(middle.top + 1, middle.middle[1] + 1, 3, 9)
        for box, what, word in ((face_up, up, "face up"), (stack, number, "face down")):
            marked = preview.cookie is (TakeCookie.FACE_UP if box is face_up else TakeCookie.FACE_DOWN)
            canvas.frame(box, DOUBLE if marked else ROUND, "bold" if marked else "")
            canvas.centre(box.top + 1, box, what, "bold")
            canvas.centre(box.bottom + 1, box, word, "dim")
        if len(larder.stack) > 1:
            for row, edge in enumerate("╮│╯", start=stack.top):
                canvas.write(row, stack.right + 1, edge * 2)
    else:
        words = [f" up ({up}) ", f" stack {number} "]
        column = middle.middle[1] - len("".join(words)) // 2 + 1
        face_up = Box(middle.top + 1, column, 1, len(words[0]))
        stack = Box(middle.top + 1, column + len(words[0]), 1, len(words[1]))
        for box, word, which in zip((face_up, stack), words, TakeCookie, strict=True):
            marked = preview.cookie is which
            canvas.write(box.top, box.left, f"[{word.strip()}]" if marked else word, "bold reverse" if marked else "bold")
    if isinstance(view.stage, Taking) and view.stage.seat == view.seat:
        return [
            Spot(box.top, box.left, box.height, box.width, which)
            for box, which in zip((face_up, stack), TakeCookie, strict=True)
        ]
    return []


def _draw_spinner(
    canvas: Canvas, view: View, middle: Box, boxes: list[Box], preview: Preview
) -> list[Spot]:
    """A hub, and a needle with its head beside the space at which it points."""
    row, column = middle.middle
    spots = []
    if isinstance(view.stage, Deciding) and view.stage.seat == view.seat and view.spinner is not None:
        word, box = "[again]", boxes[view.spinner]
        spots.append(Spot(row, column - 3, 1, len(word), Answer.AGAIN))
        spots.append(Spot(box.top, box.left, box.height, box.width, Answer.ACCEPT))
    else:
        word = "(◉)" if preview.spins else "◉"
    canvas.write(row, column - len(word) // 2, word, "bold reverse" if preview.spins else "bold")
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

"""A grid of terminal cells to draw on: boxes with shared borders, and text."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from operator import itemgetter

from rich.cells import cell_len
from rich.text import Span, Text

from wonderland.engine.values import Value

_JOINED = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""Thin lines indexed by the sides they reach: the sum of 1 up, 2 down, 4 left and 8 right."""
_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
THICK = "┏━┓┃┗┛"
DOUBLE = "╔═╗║╚╝"
ROUND = "╭─╮│╰╯"
THIN = "┌─┐│└┘"
DASHED = "┌╌┐╎└┘"
_SECOND_HALF = "\0"
"""Stands for the second cell of a wide character."""


class Box(Value, frozen=True):
    """A rectangle of characters; borders are on its outermost rows and columns."""

    top: int
    left: int
    height: int
    width: int

    @property
    def bottom(self) -> int:
        """The last row."""
        return self.top + self.height - 1

    @property
    def right(self) -> int:
        """The last column."""
        return self.left + self.width - 1

    @property
    def middle(self) -> tuple[int, int]:
        """Row and column of the centre."""
        return self.top + (self.height - 1) // 2, self.left + (self.width - 1) // 2

    @property
    def inside(self) -> Box:
        """The area inside the borders."""
        return Box(self.top + 1, self.left + 1, self.height - 2, self.width - 2)


class Canvas:
    """Styled characters, one or two cells wide; cells are empty until written."""

    def __init__(self, height: int, width: int) -> None:
        self._places: list[list[tuple[str, str]]] = [[("", "")] * width for _ in range(height)]

    def write(self, row: int, column: int, text: str, style: str = "") -> None:
        """Write text, replacing what is there."""
        places, end = self._places[row], column + cell_len(text)
        if places[column][0] == _SECOND_HALF:  # never leave half a character
            places[column - 1] = (" ", style)
        if end < len(places) and places[end][0] == _SECOND_HALF:
            places[end] = (" ", style)
        halves = (half for each in text for half in (each, _SECOND_HALF)[: cell_len(each)])
        places[column:end] = [(half, style) for half in halves]

    def centre(self, row: int, box: Box, text: str, style: str = "") -> None:
        """Write text centred between the sides of a box."""
        self.write(row, box.left + (box.width - cell_len(text)) // 2, text, style)

    def join(self, box: Box, style: str = "") -> None:
        """Draw a thin border that joins the ones it meets."""
        for row, column, sides in _border(box):
            there = _JOINED.index(self._places[row][column][0] or " ")
            self._places[row][column] = (_JOINED[there | sides], style)

    def frame(self, box: Box, border: str, style: str = "") -> None:
        """Draw a border in the given line style, replacing what is there."""
        top_left, across, top_right, down, bottom_left, bottom_right = tuple(border)
        self.write(box.top, box.left, top_left + across * (box.width - 2) + top_right, style)
        for row in range(box.top + 1, box.bottom):
            self.write(row, box.left, down, style)
            self.write(row, box.right, down, style)
        self.write(box.bottom, box.left, bottom_left + across * (box.width - 2) + bottom_right, style)

    def ray(self, start: tuple[int, int], end: tuple[int, int], style: str = "") -> None:
        """Draw a dotted line between two points, behind what is there."""
        (row, column), (last_row, last_column) = start, end
        steps = max(abs(last_row - row), abs(last_column - column) // 2)
        for step in range(1, steps):
            at = row + round((last_row - row) * step / steps)
            across = column + round((last_column - column) * step / steps)
            if not self._places[at][across][0]:
                self.write(at, across, "∙", style)

    def lines(self) -> list[Text]:
        """Return the rows as styled text."""
        return [_text(row) for row in self._places]


def _text(row: list[tuple[str, str]]) -> Text:
    spans, end = [], 0
    for style, run in groupby(row, key=itemgetter(1)):
        start, end = end, end + sum(character != _SECOND_HALF for character, _ in run)
        if style:
            spans.append(Span(start, end, style))
    shown = [character or " " for character, _ in row if character != _SECOND_HALF]
    return Text("".join(shown), spans=spans)


@cache
def _border(box: Box) -> tuple[tuple[int, int, int], ...]:
    """Cells of a border, each with the sides its lines reach."""
    across = range(box.left + 1, box.right)
    places = [(row, column, _LEFT | _RIGHT) for row in (box.top, box.bottom) for column in across]
    down = range(box.top + 1, box.bottom)
    places += [(row, column, _UP | _DOWN) for row in down for column in (box.left, box.right)]
    return (
        *places,
        (box.top, box.left, _DOWN | _RIGHT),
        (box.top, box.right, _DOWN | _LEFT),
        (box.bottom, box.left, _UP | _RIGHT),
        (box.bottom, box.right, _UP | _LEFT),
    )

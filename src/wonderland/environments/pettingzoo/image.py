"""Image of the table for PettingZoo's `rgb_array` mode: the terminal's picture as pixels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.style import Style
from rich.text import Text

from wonderland.components.terminal import Viewport, terminal_ui_of
from wonderland.components.words import words_of
from wonderland.engine.registry import component

COLUMNS, ROWS = 100, 46
"""Size in characters, the same for all images so that they make a video."""
WIDTH, HEIGHT = 9, 18
"""Pixels per character."""
_SIZE = 15
_PAPER, _INK, _DIM = (18, 18, 24), (230, 230, 230), (130, 130, 130)


def picture(game: str, view: Any, names: Sequence[str], *, is_over: bool) -> NDArray[np.uint8]:
    """Draw a view as an array of RGB pixels."""
    from PIL import Image, ImageDraw  # noqa: PLC0415 - slow to import, and needed only for images

    image = Image.new("RGB", (COLUMNS * WIDTH, ROWS * HEIGHT), _PAPER)
    pen, console = ImageDraw.Draw(image), Console(file=StringIO(), color_system="truecolor")
    for row, line in enumerate(_lines(game, view, names, is_over=is_over)[:ROWS]):
        column = 0
        for segment in line.render(console):
            style = segment.style or Style.null()
            for sign in segment.text:
                place = (column * WIDTH, row * HEIGHT)
                pen.text(place, sign, _colour(style), _font(bold=bool(style.bold)))
                column += 1
    return np.asarray(image)


def _lines(game: str, view: Any, names: Sequence[str], *, is_over: bool) -> list[Text]:
    """The game's terminal picture, or its description in words if it has none."""
    if component(game, "ui.terminal") is None:
        return [Text(line) for line in words_of(game).describe(view, names)]
    drawing, viewport = terminal_ui_of(game), Viewport(COLUMNS, ROWS)
    below = [Text(), *drawing.sheet(view, names, viewport).lines] if is_over else []
    return [*drawing.draw(view, names, Viewport(COLUMNS, ROWS - len(below)), None).lines, *below]


def _colour(style: Style) -> tuple[int, int, int]:
    if style.color is not None:
        red, green, blue = style.color.get_truecolor()
        return red, green, blue
    return _DIM if style.dim else _INK


@cache
def _font(*, bold: bool) -> Any:
    """Load Matplotlib's monospaced font, which has all symbols of the cards and boards."""
    from matplotlib import get_data_path  # noqa: PLC0415 - as above
    from PIL import ImageFont  # noqa: PLC0415 - as above

    name = "DejaVuSansMono-Bold.ttf" if bold else "DejaVuSansMono.ttf"
    return ImageFont.truetype(Path(get_data_path()) / "fonts" / "ttf" / name, _SIZE)

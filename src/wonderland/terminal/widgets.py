"""The two parts of the table screen that are drawn: the picture, and the choices below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Group
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from wonderland.components.terminal import TextPicture

COLUMNS, ROWS = 80, 24
"""Each game draws its table so that it fits into a window of this size."""


class PictureWidget(Widget):
    """Draws the picture, and says which action the mouse means."""

    class Pointed(Message):
        """The mouse is over an action."""

        def __init__(self, action: Any) -> None:
            super().__init__()
            self.action = action

    class Clicked(Pointed):
        """The mouse was clicked on an action."""

    class Resized(Message):
        """There is more room now, or less."""

    def __init__(self) -> None:
        super().__init__(id="table")
        self.picture = TextPicture()

    def render(self) -> Group:
        """The lines of the picture; what does not fit is cut off, not wrapped."""
        for line in self.picture.lines:
            line.no_wrap, line.overflow = True, "crop"
        return Group(*self.picture.lines)

    def on_resize(self) -> None:
        """Ask for a picture that fits."""
        self.post_message(self.Resized())

    def show(self, picture: TextPicture) -> None:
        """Draw another picture."""
        self.picture = picture
        self.refresh()

    def complaint(self, window: Size) -> str:
        """That the window is too small for the picture, and what would do; empty if all is well.

        Every table fits into 80 columns and 24 rows; a game cuts a line with … where it has to.
        """
        lines = self.picture.lines
        is_cut = any(line.cell_len > self.size.width or line.plain.endswith("…") for line in lines)
        if not is_cut and len(lines) <= self.size.height:
            return ""
        too_narrow = window.width < COLUMNS
        too_low = window.height < ROWS and (not too_narrow or len(lines) > self.size.height)
        if too_narrow and too_low:
            return f"This table needs {COLUMNS}x{ROWS}; the window has {window.width}x{window.height}."
        if too_narrow:
            return f"This table needs {COLUMNS} columns; the window has {window.width}."
        return f"This table needs {ROWS} rows; the window has {window.height}." if too_low else ""

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Mark what the mouse is over."""
        if (action := self.picture.action_at(event.y, event.x)) is not None:
            self.post_message(self.Pointed(action))

    def on_click(self, event: events.Click) -> None:
        """Play what was clicked."""
        if (action := self.picture.action_at(event.y, event.x)) is not None:
            self.post_message(self.Clicked(action))


class Offers(Static):
    """The choices as a row of words that can be clicked, and what the marked one does."""

    def __init__(self) -> None:
        super().__init__(id="offers")
        self.places: list[tuple[int, int, int, Any]] = []

    def say(self, sentence: str) -> None:
        """Offer nothing, and say why."""
        self.places = []
        self.update(Text(sentence, "dim"))

    def show(self, words: Sequence[tuple[str, Any]], marked: Any, said: str, hint: str) -> None:
        """Offer actions in words; below them what the marked one does, and what was advised."""
        self.places = []
        text = Text()
        for word, action in words:
            self._add(text, f" {word} ", "bold reverse" if action == marked else "", action)
        if words:
            text.append("\n")
        text.append(said, "bold")
        if hint:
            text.append(f"\n{hint}", "italic")
        self.update(text)

    def _add(self, text: Text, word: str, style: str, action: Any) -> None:
        """Put a word behind the others, on a new row where this one is full."""
        row = text.plain.count("\n")
        start = len(text.plain) - text.plain.rfind("\n") - 1
        if start + len(word) > max(self.size.width, 20):
            text.append("\n")
            row, start = row + 1, 0
        text.append(word, style)
        self.places.append((row, start, start + len(word), action))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Mark the word that the mouse is over."""
        for action in self._at(event.y, event.x):
            self.post_message(PictureWidget.Pointed(action))

    def on_click(self, event: events.Click) -> None:
        """Play the word that was clicked."""
        for action in self._at(event.y, event.x):
            self.post_message(PictureWidget.Clicked(action))

    def _at(self, row: int, column: int) -> list[Any]:
        return [
            action for its, start, end, action in self.places if its == row and start <= column < end
        ]

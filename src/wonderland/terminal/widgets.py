"""Widgets of the table screen: the picture, and the choices below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rich.cells import cell_len
from rich.console import Group
from rich.text import Text
from textual import events
from textual.binding import ActiveBinding
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from wonderland.components.terminal import TextPicture
from wonderland.engine.language import Language

COLUMNS, ROWS = 80, 24
"""Smallest window that every game's table fits into."""


def translate_keys(bindings: Mapping[str, ActiveBinding], say: Language) -> dict[str, ActiveBinding]:
    """Translate the descriptions of keys, as the footer shows them."""
    return {
        key: active._replace(
            binding=replace(active.binding, description=say(active.binding.description))
        )
        for key, active in bindings.items()
    }


class PictureWidget(Widget):
    """Shows the picture and reports which action the mouse points at."""

    class Pointed(Message):
        """The mouse is over an action."""

        def __init__(self, action: Any) -> None:
            super().__init__()
            self.action = action

    class Clicked(Pointed):
        """The mouse was clicked on an action."""

    class Resized(Message):
        """The widget has a new size."""

    def __init__(self) -> None:
        super().__init__(id="table")
        self.picture = TextPicture()

    def render(self) -> Group:
        """The lines of the picture, cropped rather than wrapped."""
        for line in self.picture.lines:
            line.no_wrap, line.overflow = True, "crop"
        return Group(*self.picture.lines)

    def on_resize(self) -> None:
        """Request a picture that fits."""
        self.post_message(self.Resized())

    def show(self, picture: TextPicture) -> None:
        """Show another picture."""
        self.picture = picture
        self.refresh()

    def complaint(self, window: Size, say: Language) -> str:
        """Warning that the window is too small, with the size needed; empty if the picture fits.

        Every table fits into 80 columns and 24 rows; in less, a game truncates lines with ….
        """
        lines = self.picture.lines
        is_cut = any(line.cell_len > self.size.width or line.plain.endswith("…") for line in lines)
        if not is_cut and len(lines) <= self.size.height:
            return ""
        too_narrow = window.width < COLUMNS
        too_low = window.height < ROWS and (not too_narrow or len(lines) > self.size.height)
        if too_narrow and too_low:
            needed, there = f"{COLUMNS}x{ROWS}", f"{window.width}x{window.height}"
            return say("This table needs {needed}; the window is {size}.", needed=needed, size=there)
        if too_narrow:
            return say(
                "This table needs {needed} columns; the window has {size}.",
                needed=COLUMNS,
                size=window.width,
            )
        if too_low:
            return say(
                "This table needs {needed} rows; the window has {size}.", needed=ROWS, size=window.height
            )
        return ""

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Report the action under the mouse."""
        if (action := self.picture.action_at(event.y, event.x)) is not None:
            self.post_message(self.Pointed(action))

    def on_click(self, event: events.Click) -> None:
        """Report the clicked action."""
        if (action := self.picture.action_at(event.y, event.x)) is not None:
            self.post_message(self.Clicked(action))


class Offers(Static):
    """The choices as clickable words, with a description of the marked one."""

    def __init__(self) -> None:
        super().__init__(id="offers")
        self.places: list[tuple[int, int, int, Any]] = []

    def say(self, sentence: str) -> None:
        """Show a sentence instead of choices."""
        self.places = []
        self.update(Text(sentence, "dim"))

    def show(self, words: Sequence[tuple[str, Any]], marked: Any, said: str, hint: str) -> None:
        """Show the choices, what the marked one does, and the hint."""
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
        """Append a word, wrapping to a new row if this one is full."""
        row = text.plain.count("\n")
        start = cell_len(text.plain[text.plain.rfind("\n") + 1 :])
        if start + cell_len(word) > max(self.size.width, 20):
            text.append("\n")
            row, start = row + 1, 0
        text.append(word, style)
        self.places.append((row, start, start + cell_len(word), action))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Report the word under the mouse."""
        for action in self._at(event.y, event.x):
            self.post_message(PictureWidget.Pointed(action))

    def on_click(self, event: events.Click) -> None:
        """Report the clicked word."""
        for action in self._at(event.y, event.x):
            self.post_message(PictureWidget.Clicked(action))

    def _at(self, row: int, column: int) -> list[Any]:
        return [
            action for line, start, end, action in self.places if line == row and start <= column < end
        ]

"""The two parts of the table screen that are drawn: the picture, and the choices below it."""

from __future__ import annotations

from typing import Any

from rich.console import Group
from textual import events
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from wonderland.core.picture import Picture


class Table(Widget):
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
        self.picture = Picture()

    def render(self) -> Group:
        """The lines of the picture; what does not fit is cut off, not wrapped."""
        for line in self.picture.lines:
            line.no_wrap, line.overflow = True, "crop"
        return Group(*self.picture.lines)

    def on_resize(self) -> None:
        """Ask for a picture that fits."""
        self.post_message(self.Resized())

    def show(self, picture: Picture) -> None:
        """Draw another picture."""
        self.picture = picture
        self.refresh()

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

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Mark the word that the mouse is over."""
        for action in self._at(event.y, event.x):
            self.post_message(Table.Pointed(action))

    def on_click(self, event: events.Click) -> None:
        """Play the word that was clicked."""
        for action in self._at(event.y, event.x):
            self.post_message(Table.Clicked(action))

    def _at(self, row: int, column: int) -> list[Any]:
        return [
            action for its, start, end, action in self.places if its == row and start <= column < end
        ]

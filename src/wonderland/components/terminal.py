"""A picture made of characters: what a game's component `ui.terminal` draws of a view.

A game without it is shown in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast, runtime_checkable

from rich.text import Text

from wonderland.components.words import Words, words_of
from wonderland.engine.registry import component
from wonderland.engine.values import Value


class Viewport(Value, frozen=True):
    """How much room there is, and on what ground."""

    width: int
    height: int
    dark: bool = True


class Spot(Value, frozen=True):
    """A part of a picture that stands for an action: whoever clicks there means it."""

    row: int
    column: int
    height: int
    width: int
    action: Any

    def covers(self, row: int, column: int) -> bool:
        """Whether a place is in this part."""
        inside = 0 <= row - self.row < self.height
        return inside and 0 <= column - self.column < self.width


@dataclass(slots=True)
class TextPicture:
    """Lines of styled text, and the spots in them."""

    lines: list[Text] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)

    def add(self, *lines: Text | str) -> None:
        """Put lines below those there are."""
        self.lines += [Text(line) if isinstance(line, str) else line for line in lines]

    def place(self, other: TextPicture) -> None:
        """Put another picture below this one, with its spots."""
        below = len(self.lines)
        for spot in other.spots:
            row = spot.row + below
            self.spots.append(Spot(row, spot.column, spot.height, spot.width, spot.action))
        self.lines += other.lines

    def action_at(self, row: int, column: int) -> Any | None:
        """The action that a place stands for, if it stands for any."""
        return next((spot.action for spot in self.spots if spot.covers(row, column)), None)


def side_by_side(blocks: Sequence[Sequence[Text]], gap: int = 0) -> list[Text]:
    """Blocks of lines of the same height, next to each other."""
    rows = zip(*blocks, strict=True)
    return [Text(" " * gap).join(row) for row in rows]


class TerminalUI(Protocol):
    """The component `ui.terminal` of a game."""

    def draw(self, view: Any, names: Sequence[str], room: Viewport, marked: Any | None) -> TextPicture:
        """The table as this view shows it, to fit the room.

        `marked` is the action that the player is considering: the picture may show what it would do.
        """
        ...

    def sheet(self, view: Any, names: Sequence[str], room: Viewport) -> TextPicture:
        """How the points of a finished game came about."""
        ...

    def rule(self, view: Any) -> str:
        """The number of the rule that matters most now."""
        ...

    def frames(self, event: Any, view: Any) -> Iterator[Any]:
        """Views to show one after the other, for things that move, from the view before the event."""
        ...


@runtime_checkable
class ChoiceLabels(Protocol):
    """Optional part of a game's drawing: short labels for choices that the picture does not show."""

    def label(self, view: Any, action: Any) -> str:
        """A choice in a few characters."""
        ...


@runtime_checkable
class ArrowKeys(Protocol):
    """Optional part of a game's drawing, for choices that lie on a board."""

    def step(self, view: Any, marked: Any, direction: str) -> Any:
        """The choice to the `"left"`, `"right"`, `"up"` or `"down"` of the marked one."""
        ...


@dataclass(frozen=True, slots=True)
class GenericTerminalUI:
    """A table without a drawing: what can be said of it."""

    words: Words

    def draw(self, view: Any, names: Sequence[str], room: Viewport, marked: Any | None) -> TextPicture:  # noqa: ARG002 - lines are what they are
        """The table in lines of text."""
        picture = TextPicture()
        picture.add(*self.words.describe(view, names))
        return picture

    def sheet(self, view: Any, names: Sequence[str], room: Viewport) -> TextPicture:
        """The same: the last view has the points."""
        return self.draw(view, names, room, None)

    def rule(self, view: Any) -> str:  # noqa: ARG002 - which one matters, only the game knows
        """None in particular: the rulebook opens at its beginning."""
        return ""

    def frames(self, event: Any, view: Any) -> Iterator[Any]:  # noqa: ARG002 - nothing moves
        """None."""
        return iter(())


def terminal_ui_of(game: str) -> TerminalUI:
    """The drawing of the game of this name: its own, or its words."""
    own = component(game, "ui.terminal")
    return GenericTerminalUI(words_of(game)) if own is None else cast("TerminalUI", own)

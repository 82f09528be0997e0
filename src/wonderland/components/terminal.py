"""Text pictures of a table: the contract of a game's component `ui.terminal`, and its fallback.

A game without the component is described in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast, runtime_checkable

from rich.text import Text

from wonderland.components.words import Words, words_of
from wonderland.engine.language import ENGLISH, Language
from wonderland.engine.registry import component
from wonderland.engine.values import Value


class Viewport(Value, frozen=True):
    """The available space, and whether the background is dark."""

    width: int
    height: int
    dark: bool = True


class Spot(Value, frozen=True):
    """A clickable rectangle of a picture, with the action that it selects."""

    row: int
    column: int
    height: int
    width: int
    action: Any

    def covers(self, row: int, column: int) -> bool:
        """Whether a cell is inside this rectangle."""
        inside = 0 <= row - self.row < self.height
        return inside and 0 <= column - self.column < self.width


@dataclass(slots=True)
class TextPicture:
    """Lines of styled text with clickable spots."""

    lines: list[Text] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)

    def add(self, *lines: Text | str) -> None:
        """Append lines."""
        self.lines += [Text(line) if isinstance(line, str) else line for line in lines]

    def place(self, other: TextPicture) -> None:
        """Append another picture with its spots."""
        below = len(self.lines)
        for spot in other.spots:
            row = spot.row + below
            self.spots.append(Spot(row, spot.column, spot.height, spot.width, spot.action))
        self.lines += other.lines

    def action_at(self, row: int, column: int) -> Any | None:
        """Return the action of the spot at a cell, if there is one."""
        return next((spot.action for spot in self.spots if spot.covers(row, column)), None)


def side_by_side(blocks: Sequence[Sequence[Text]], gap: int = 0) -> list[Text]:
    """Join blocks of the same height horizontally."""
    rows = zip(*blocks, strict=True)
    return [Text(" " * gap).join(row) for row in rows]


class TerminalUI(Protocol):
    """The component `ui.terminal` of a game."""

    def draw(
        self,
        view: Any,
        names: Sequence[str],
        viewport: Viewport,
        marked: Any | None,
        say: Language = ENGLISH,
    ) -> TextPicture:
        """Draw the table as this view shows it, within the viewport.

        `marked` is the action that the player is considering: the picture may preview its effect.
        """
        ...

    def sheet(
        self, view: Any, names: Sequence[str], viewport: Viewport, say: Language = ENGLISH
    ) -> TextPicture:
        """Draw the breakdown of the scores of a finished game."""
        ...

    def rule(self, view: Any) -> str:
        """Return the number of the rule that matters most now."""
        ...

    def frames(self, event: Any, view: Any) -> Iterator[Any]:
        """Return the animation of an event: intermediate views, starting from the one before it."""
        ...


@runtime_checkable
class ChoiceLabels(Protocol):
    """Optional extra of `ui.terminal`: short labels for choices that the picture does not show."""

    def label(self, view: Any, action: Any, say: Language = ENGLISH) -> str:
        """Return the label of a choice, a few characters long."""
        ...


@runtime_checkable
class ArrowKeys(Protocol):
    """Optional extra of `ui.terminal`: arrow-key navigation between choices on a board."""

    def step(self, view: Any, marked: Any, direction: str) -> Any:
        """Return the choice to the `"left"`, `"right"`, `"up"` or `"down"` of the marked one."""
        ...


@dataclass(frozen=True, slots=True)
class GenericTerminalUI:
    """The fallback for games without a drawing: the table in words."""

    words: Words

    def draw(
        self,
        view: Any,
        names: Sequence[str],
        viewport: Viewport,  # noqa: ARG002 - text has a fixed layout
        marked: Any | None,  # noqa: ARG002 - nothing is previewed
        say: Language = ENGLISH,
    ) -> TextPicture:
        """Describe the table in lines of text."""
        picture = TextPicture()
        picture.add(*self.words.describe(view, names, say))
        return picture

    def sheet(
        self, view: Any, names: Sequence[str], viewport: Viewport, say: Language = ENGLISH
    ) -> TextPicture:
        """Describe the table: the last view includes the scores."""
        return self.draw(view, names, viewport, None, say)

    def rule(self, view: Any) -> str:  # noqa: ARG002 - only the game knows which rule matters
        """Return no rule, so that the rulebook opens at its beginning."""
        return ""

    def frames(self, event: Any, view: Any) -> Iterator[Any]:  # noqa: ARG002 - nothing is animated
        """Return no animation."""
        return iter(())


def terminal_ui_of(game: str) -> TerminalUI:
    """Return the terminal UI of a game: its own component, or the fallback."""
    own = component(game, "ui.terminal")
    return GenericTerminalUI(words_of(game)) if own is None else cast("TerminalUI", own)

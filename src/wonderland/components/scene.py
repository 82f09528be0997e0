"""Drawing in the browser: the contracts of the components `ui.scene` and `ui.illustrations`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast, runtime_checkable

from wonderland.engine.language import Language
from wonderland.engine.registry import component


@dataclass(frozen=True, slots=True)
class SceneContext:
    """What a game's `scene` receives besides the view."""

    names: Sequence[str]
    legal: Sequence[Any]
    """The viewer's legal actions; empty for a spectator, and when it isn't the viewer's turn."""
    last: Sequence[Any]
    """The events to highlight: those since the previous decision, as the viewer saw them."""
    say: Language


@dataclass(frozen=True, slots=True)
class Illustration:
    """A position that is drawn in the rulebook in the browser."""

    rule: str
    """The number of the rule that it follows."""
    position: str
    """The position in one-line notation."""
    caption: str
    """A translatable message that describes everything in the picture."""
    seats: int = 2
    seat: int = 0
    """The viewer."""
    choice: str = ""
    """The action to highlight with its effect, in record notation."""


class SceneUI(Protocol):
    """The component `ui.scene` of a game; its folders `templates/` and `static/` are next to it."""

    def scene(self, view: Any, setting: SceneContext) -> dict[str, Any]:
        """Return the context of the game's template `scene.html`, derived from the view alone."""
        ...


@runtime_checkable
class SceneHistory(Protocol):
    """Optional extra of `ui.scene`: whether players may step back through the history during a game."""

    def can_step_back(self, view: Any) -> bool:
        """Whether this viewer may step back now; a game of memory forbids it until the end."""
        ...


@runtime_checkable
class SceneSecrecy(Protocol):
    """Optional extra of `ui.scene`: whether players sharing a screen have different views."""

    @property
    def HIDES_HANDS(self) -> bool:  # noqa: N802 - a constant of the module
        """Whether the screen must be covered while the device is passed on."""
        ...


class Illustrations(Protocol):
    """The component `ui.illustrations` of a game."""

    @property
    def PICTURES(self) -> Sequence[Illustration]:  # noqa: N802 - a constant of the module
        """The illustrations of its rulebook."""
        ...


def scene_ui_of(game: str) -> SceneUI | None:
    """Return the scene component of a game, if it has one."""
    return cast("SceneUI | None", component(game, "ui.scene"))


def can_step_back(game: str, view: Any) -> bool:
    """Whether a viewer may step back to earlier moves: always, unless the game forbids it."""
    own = component(game, "ui.scene")
    return own.can_step_back(view) if isinstance(own, SceneHistory) else True


def hides_hands(game: str) -> bool:
    """Whether players sharing a screen have different views: yes, unless the game says otherwise."""
    own = component(game, "ui.scene")
    return own.HIDES_HANDS if isinstance(own, SceneSecrecy) else True


def illustrations_of(game: str) -> Sequence[Illustration]:
    """Return the illustrations of a game's rulebook; empty if it has none."""
    own = cast("Illustrations | None", component(game, "ui.illustrations"))
    return () if own is None else own.PICTURES

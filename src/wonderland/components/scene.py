"""What a game's page is drawn from: its components `ui.scene` and `ui.illustrations`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast, runtime_checkable

from wonderland.engine.language import Language
from wonderland.engine.registry import component


@dataclass(frozen=True, slots=True)
class SceneContext:
    """What the shell gives to a game's `scene`."""

    names: Sequence[str]
    legal: Sequence[Any]
    """What the viewer may do now; empty for a spectator and when it is another's turn."""
    last: Sequence[Any]
    """The events since the last decision before, as the viewer saw them: what to mark as new."""
    say: Language


@dataclass(frozen=True, slots=True)
class Illustration:
    """A position that the rulebook on the web shows."""

    rule: str
    """The number of the rule below which it stands."""
    position: str
    """In the one-line form of the game."""
    caption: str
    """A text of the catalogues, which says all that is to be seen there."""
    seats: int = 2
    seat: int = 0
    """Through whose eyes."""
    choice: str = ""
    """What this seat is about to do, in the words of records: it is marked, with what it would do."""


class SceneUI(Protocol):
    """The component `ui.scene` of a game; its folders `templates/` and `static/` lie beside it."""

    def scene(self, view: Any, setting: SceneContext) -> dict[str, Any]:
        """What the game's template `scene.html` needs, from the view alone."""
        ...


@runtime_checkable
class SceneHistory(Protocol):
    """Optional part of a game's scene: whether players may step back during the game."""

    def looks_back(self, view: Any) -> bool:
        """Whether this viewer may see earlier moves now; a game of memory says no until it is over."""
        ...


@runtime_checkable
class SceneSecrecy(Protocol):
    """Optional part of a game's scene: whether players who share a screen see different things."""

    @property
    def HIDES(self) -> bool:  # noqa: N802 - a constant of the module
        """Whether the screen must be covered while it is passed on."""
        ...


class Illustrations(Protocol):
    """The component `ui.illustrations` of a game."""

    @property
    def PICTURES(self) -> Sequence[Illustration]:  # noqa: N802 - a constant of the module
        """The positions that its rulebook shows."""
        ...


def scene_ui_of(game: str) -> SceneUI | None:
    """The scene of the game of this name, if it has one of its own."""
    return cast("SceneUI | None", component(game, "ui.scene"))


def can_step_back(game: str, view: Any) -> bool:
    """Whether a viewer may see earlier moves now: always, unless the game says otherwise."""
    own = component(game, "ui.scene")
    return own.looks_back(view) if isinstance(own, SceneHistory) else True


def hides_hands(game: str) -> bool:
    """Whether players who share a screen see different things: yes, unless the game says otherwise."""
    own = component(game, "ui.scene")
    return own.HIDES if isinstance(own, SceneSecrecy) else True


def illustrations_of(game: str) -> Sequence[Illustration]:
    """The positions that the rulebook of a game shows; none if it has no illustrations."""
    own = cast("Illustrations | None", component(game, "ui.illustrations"))
    return () if own is None else own.PICTURES

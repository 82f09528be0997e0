"""Drawing in the browser: the contracts of the components `ui.scene` and `ui.illustrations`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NotRequired, Protocol, TypedDict, cast, runtime_checkable

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
    portraits: Sequence[str] = ()
    """The portrait of each seat; by default they follow from the names."""
    bot_levels: Sequence[str] = ()
    """For each seat how hard its bot is to beat, in a word; empty for people."""


class Beat(TypedDict):
    """One beat of a game's finale, which `web/static/finale.js` plays before it announces the places.

    `reveal` opens the cards `data-reveal` of `pieces`, which fly to the `data-piece` of the same name.
    `flip` turns over the stacks `data-stack="<seat>-<figure>"` of `seats`. `count` adds `points`, pairs
    of a seat and a number, to the coins while the `data-figure` of that name steps forward.
    """

    kind: Literal["reveal", "flip", "count"]
    says: str
    """The caption."""
    pieces: NotRequired[list[str]]
    figure: NotRequired[str]
    seats: NotRequired[list[int]]
    points: NotRequired[list[tuple[int, int]]]


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


@runtime_checkable
class SceneDecks(Protocol):
    """Optional extra of `ui.scene`: several sets of drawings, of which each player chooses one."""

    @property
    def DECKS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """The decks, the default first: the folder of each in `decks/`, and its translatable title."""
        ...


@runtime_checkable
class ScenePictures(Protocol):
    """Optional extra of `ui.scene`: small drawings of pieces for sentences that name them."""

    def piece_pictures(self, say: Language) -> Mapping[str, tuple[str, str]]:
        """Return the symbol and the paper of each piece, by the name that sentences call it."""
        ...


@runtime_checkable
class SceneEmblems(Protocol):
    """Optional extra of `ui.scene`: cards or pieces that decorate pages without a table."""

    @property
    def EMBLEMS(self) -> Sequence[tuple[str, str]]:  # noqa: N802 - a constant of the module
        """The symbol and the paper of each, in groups of three that look well together."""
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


def decks_of(game: str) -> Mapping[str, str]:
    """Return the decks of a game with their titles, the default first; empty if it has only one look."""
    own = component(game, "ui.scene")
    return own.DECKS if isinstance(own, SceneDecks) else {}


def pictures_of(game: str, say: Language) -> Mapping[str, tuple[str, str]]:
    """Return the small drawings of a game's pieces by name; empty if sentences show none."""
    own = component(game, "ui.scene")
    return own.piece_pictures(say) if isinstance(own, ScenePictures) else {}


def emblems_of(game: str) -> Sequence[tuple[str, str]]:
    """Return the symbols and papers that decorate pages about a game; empty if it names none."""
    own = component(game, "ui.scene")
    return own.EMBLEMS if isinstance(own, SceneEmblems) else ()


def illustrations_of(game: str) -> Sequence[Illustration]:
    """Return the illustrations of a game's rulebook; empty if it has none."""
    own = cast("Illustrations | None", component(game, "ui.illustrations"))
    return () if own is None else own.PICTURES

"""Templates: the Jinja environment, game scenes, and the display names of players.

Bots are named after their level, translated; people are called what they typed.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader
from markupsafe import Markup

from wonderland.components.scene import SceneContext, scene_ui_of
from wonderland.components.words import words_of
from wonderland.discovery import packages_with
from wonderland.engine.language import Language
from wonderland.engine.protocol import AnyGame
from wonderland.engine.registry import component_module, game_names, package_of
from wonderland.tables.table import Table, title_of


def name_of(table: Table, seat: int, say: Language) -> str:
    """Return the display name of a seat; empty if it is free."""
    place = table.places[seat]
    title = title_of(place.level, 1)
    if place.kind == "bot" and place.name.startswith(title):
        return say(title) + place.name.removeprefix(title)  # the second Hatter is Hatter 2
    return place.name


def names_of(table: Table, say: Language) -> list[str]:
    """Return the display names of all seats."""
    return [name_of(table, seat, say) for seat in range(len(table.places))]


_PLACEHOLDER_NAMES = ("Alice", "Bill", "Dinah", "Gryphon", "Lory", "Pat")


def placeholder_names(seats: int, say: Language) -> list[str]:
    """Return names for the players of a position that belongs to no table."""
    more = (
        say("Player {number}", number=number + 1) for number in range(len(_PLACEHOLDER_NAMES), seats)
    )
    return [*_PLACEHOLDER_NAMES[:seats], *more]


def game_packages(name: str) -> tuple[str, ...]:
    """Return the packages that may hold a game's browser files: that of its scene, and its own."""
    scene, own = component_module(name, "ui.scene"), package_of(name)
    return (own,) if scene is None else tuple(dict.fromkeys((scene.rpartition(".")[0], own)))


@cache
def environment() -> Environment:
    """Return the Jinja environment: shared templates by name, each game's under the game's name."""
    shared = [PackageLoader(home) for home in packages_with("templates")]
    games = {
        name: ChoiceLoader(
            [PackageLoader(home) for home in game_packages(name) if (files(home) / "templates").is_dir()]
        )
        for name in game_names()
    }
    return Environment(
        loader=ChoiceLoader([*shared, PrefixLoader(games)]),
        autoescape=True,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(template: str, say: Language, **context: Any) -> Markup:
    """Render a template in a language."""
    return Markup(environment().get_template(template).render(say.context() | context))  # noqa: S704 - escaped by Jinja


@cache
def game_picture(name: str) -> Markup:
    """Return the picture of a game as SVG; the default icon if it has none."""
    own = [files(home) / "static" / f"{name}.svg" for home in game_packages(name)]
    default = files("wonderland.web") / "static" / "icon.svg"
    drawing = next((file for file in own if file.is_file()), default)
    return Markup(drawing.read_text(encoding="utf-8"))  # noqa: S704 - a file of ours


def generic_scene(rules: AnyGame, view: Any, setting: SceneContext) -> dict[str, Any]:
    """Return the template context for a game without a scene of its own: text and buttons."""
    words, say = words_of(rules.info.name), setting.say
    offers = [(rules.write(action), words.offer(view, action, say)) for action in setting.legal]
    choices = [{"play": word, "says": say.capital(offer)} for word, offer in offers]
    return {"lines": words.describe(view, setting.names), "choices": choices}


def render_scene(rules: AnyGame, view: Any, setting: SceneContext) -> Markup:
    """Render a view with the game's own scene template, or with the generic one."""
    name, say = rules.info.name, setting.say
    own = scene_ui_of(name)
    if own is None:
        return render("generic_scene.html", say, **generic_scene(rules, view, setting))
    return render(f"{name}/scene.html", say, **own.scene(view, setting))

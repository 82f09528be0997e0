"""Templates: the Jinja environment, game scenes, and the display names of players.

Bots bear the names of characters, translated; people are called what they typed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from gettext import NullTranslations
from importlib.resources import files
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, PrefixLoader
from markupsafe import Markup

from wonderland.bots import levels
from wonderland.bots.characters import difficulty, display_name
from wonderland.components.scene import SceneContext, scene_ui_of
from wonderland.components.words import words_of
from wonderland.discovery import packages_with
from wonderland.engine.language import Language
from wonderland.engine.protocol import AnyGame
from wonderland.engine.registry import component_module, game_names, package_of
from wonderland.tables.names import is_visible, look_alikes
from wonderland.tables.table import Table
from wonderland.web.portraits import assign_portraits
from wonderland.web.templating import TranslatedEnvironment


def name_of(table: Table, seat: int, say: Language) -> str:
    """Return the display name of a seat; empty if it is free.

    A name that looks like another one at the table, or can't be seen, has the number of its seat.
    """
    place = table.places[seat]
    if place.kind == "bot":
        return display_name(table.opened.game, place.name, say)
    if place.name and not is_visible(place.name):
        return say("Player {number}", number=seat + 1)
    alike = look_alikes(tuple(each.name for each in table.places))
    return f"{place.name} ({seat + 1})" if seat in alike and place.name else place.name


def names_of(table: Table, say: Language) -> list[str]:
    """Return the display names of all seats."""
    return [name_of(table, seat, say) for seat in range(len(table.places))]


@cache
def level_options(name: str) -> list[dict[str, str]]:
    """Return the bot levels of a game for a list to choose from, the weakest first."""
    return [{"word": each.word, "difficulty": difficulty(name, each.word)} for each in levels(name)]


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


def _game_loaders(name: str) -> Iterator[BaseLoader]:
    for home in game_packages(name):
        if (files(home) / "templates").is_dir():
            yield PackageLoader(home)
        if (files(home) / "decks").is_dir():
            yield PrefixLoader({"decks": PackageLoader(home, "decks")})


@cache
def template_loader() -> BaseLoader:
    """Return the loader of all templates: shared ones by name, each game's under the game's name."""
    shared = [PackageLoader(home) for home in packages_with("templates")]
    games = {name: ChoiceLoader(list(_game_loaders(name))) for name in game_names()}
    return ChoiceLoader([*shared, PrefixLoader(games)])


def environment(say: Language) -> Environment:
    """Return the Jinja environment of a language."""
    return _environment(say, say.catalogue)


@cache
def _environment(say: Language, _: NullTranslations) -> Environment:
    """Return an environment for each catalogue: languages are equal if their codes are."""
    return TranslatedEnvironment(template_loader(), say)


def render(template: str, say: Language, **context: Any) -> Markup:
    """Render a template in a language."""
    return Markup(environment(say).get_template(template).render(context))  # noqa: S704 - escaped by Jinja


def generic_scene(rules: AnyGame, view: Any, setting: SceneContext) -> dict[str, Any]:
    """Return the template context for a game without a scene of its own: players, text and buttons."""
    words, say = words_of(rules.info.name), setting.say
    own, seats = getattr(view, "seat", None), len(setting.names)
    order = [((-1 if own is None else own) + 1 + turn) % seats for turn in range(seats)]
    offers = [
        (rules.write(action), words.describe_action(view, action, say)) for action in setting.legal
    ]
    choices = [{"play": word, "says": say.capital(offer)} for word, offer in offers]
    return {
        "players": [
            {
                "seat": seat,
                "name": setting.names[seat],
                "mine": seat == own,
                "to_act": seat == own and bool(setting.legal),
            }
            for seat in order
        ],
        "portraits": setting.portraits or assign_portraits(setting.names),
        "bot_levels": setting.bot_levels,
        "lines": words.describe(view, setting.names, say),
        "choices": choices,
    }


def render_scene(rules: AnyGame, view: Any, setting: SceneContext) -> Markup:
    """Render a view with the game's own scene template, or with the generic one."""
    name, say = rules.info.name, setting.say
    own = scene_ui_of(name)
    if own is None:
        return render("generic_scene.html", say, **generic_scene(rules, view, setting))
    portraits = setting.portraits or assign_portraits(setting.names)
    shell = {"portraits": portraits, "bot_levels": setting.bot_levels}
    return render(f"{name}/scene.html", say, **shell, **own.scene(view, setting))

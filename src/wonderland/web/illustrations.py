"""Pictures in a rulebook: real positions, drawn as at a table, below the rules that they show."""

from __future__ import annotations

import re
from functools import cache

from markupsafe import Markup

from wonderland.core.language import Language
from wonderland.core.registry import game
from wonderland.core.scene import Picture, Setting, illustrations_of
from wonderland.web.drawing import scene_of
from wonderland.web.rulebook import rules_html

_NAMES = ("Alice", "Bill", "Dinah", "Gryphon", "Lory", "Pat")


@cache
def illustrated(name: str, say: Language) -> Markup:
    """The rules of a game with its pictures."""
    found = rules_html(name, say.code)
    for picture in illustrations_of(name):
        rule = re.compile(rf'<li id="{picture.rule}">.*?(?=</li>\n(?:<li|</ul>))', re.DOTALL)
        told = rule.search(found)
        assert told is not None, f"{name} has no rule {picture.rule}"  # noqa: S101 - which a test sees
        found = found[: told.end()] + _figure(name, picture, say) + found[told.end() :]
    return found


def _figure(name: str, picture: Picture, say: Language) -> Markup:
    rules = game(name)
    state = rules.read_position(picture.position)
    view, legal = rules.view(state, picture.seat), rules.legal(state, picture.seat)
    setting = Setting(_NAMES[: picture.seats], legal, (), say)
    scene = str(scene_of(rules, view, setting))
    still = re.sub(r' data-[\w-]+="[^"]*"', "", _marked(scene, picture.choice))  # nothing moves here
    drawn = Markup(still)  # noqa: S704 - escaped by Jinja
    choosing = "choosing" if picture.choice else ""
    return Markup(
        '<figure><div class="game-{} {}" inert>{}</div><figcaption>{}</figcaption></figure>'
    ).format(name, choosing, drawn, say(picture.caption))


def _marked(scene: str, choice: str) -> str:
    """The scene with a choice marked and what it would do, as if it were pointed at."""
    button = re.search(rf'<[^<>]*data-play="{re.escape(choice)}"[^<>]*>', scene) if choice else None
    if button is None:
        return scene
    marks = re.search(r'data-marks="([^"]*)"', button[0])
    scene = scene.replace(button[0], button[0].replace('class="', 'class="marked ', 1))
    for word in marks[1].split() if marks else ():
        piece, _, kind = word.partition(":")
        one = re.compile(rf'class="([^"]*)"([^<>]*data-piece="{re.escape(piece)}")')
        scene = one.sub(rf'class="\1 mark-{kind}"\2', scene, count=1)
    return scene

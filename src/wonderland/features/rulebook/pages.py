"""Rulebook pages with illustrations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from wonderland.components.rulebook import rulebook
from wonderland.components.scene import Illustration, SceneContext, illustrations_of
from wonderland.engine.language import Language
from wonderland.engine.registry import game
from wonderland.web.assets import assets, known_game, page
from wonderland.web.decks import chosen_deck
from wonderland.web.languages import language_of
from wonderland.web.page_work import off_loop
from wonderland.web.rendering import render_scene

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wonderland.web.app import Site


@off_loop
def rules(_site: Site, request: Request) -> Response:
    """The rulebook page of a game."""
    name = known_game(request.path_params["game"])
    say = language_of(request)
    title, text = say(game(name).info.title), render_rules(name, say)
    styled = f"{name}.css" in assets()
    return page(
        "rules.html",
        say,
        game=name,
        game_title=title,
        text=text,
        styled=styled,
        **chosen_deck(request, name),
    )


def links(name: str) -> dict[str, str]:
    """Path of the rulebook of a game."""
    return {"rulebook": f"/rules/{name}"}


PAGES = (("/rules/{game}", rules),)

_NAMES = ("Alice", "Bill", "Dinah", "Gryphon", "Lory", "Pat")


@cache
def render_rules(name: str, say: Language) -> Markup:
    """Render the rulebook of a game with its illustrations."""
    found = rules_html(name, say.code)
    for picture in illustrations_of(name):
        rule = re.compile(rf'<li id="{picture.rule}">.*?(?=</li>\n(?:<li|</ul>))', re.DOTALL)
        rule_match = rule.search(found)
        assert rule_match is not None, f"{name} has no rule {picture.rule}"  # noqa: S101 - a test covers every game
        found = found[: rule_match.end()] + _figure(name, picture, say) + found[rule_match.end() :]
    return found


def _figure(name: str, picture: Illustration, say: Language) -> Markup:
    rules = game(name)
    state = rules.read_position(picture.position)
    view, legal = rules.view(state, picture.seat), rules.legal(state, picture.seat)
    setting = SceneContext(_NAMES[: picture.seats], legal, (), say)
    scene = str(render_scene(rules, view, setting))
    still = re.sub(
        r' data-[\w-]+="[^"]*"', "", _highlight_choice(scene, picture.choice)
    )  # no animation in illustrations
    drawn = Markup(still)  # noqa: S704 - escaped by Jinja
    choosing = "choosing" if picture.choice else ""
    return Markup(
        '<figure><div class="stage in-page"><div class="scenery"><div class="velvet"></div></div>'
        '<div class="game-{} {}" inert>{}</div></div>'
        "<figcaption>{}</figcaption></figure>"
    ).format(name, choosing, drawn, say(picture.caption))


def _highlight_choice(scene: str, choice: str) -> str:
    """Mark a choice and its effects in the scene, as hovering over it would."""
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


@cache
def rules_html(name: str, language: str = "en") -> Markup:
    """The rulebook as HTML, in a language if it is translated; rule P6 has the anchor `#P6`."""
    return html(rulebook(name, language))


def html(markdown: str) -> Markup:
    """Convert Markdown to HTML; HTML in the source is escaped.

    >>> print(html("- **P1** There are *66* cards."))
    <ul>
    <li id="P1"><a class="number" href="#P1">P1</a> There are <em>66</em> cards.</li>
    </ul>
    <BLANKLINE>
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("softbreak", _render_softbreak)
    found: str = reader.render(markdown)
    found = re.sub(
        r"<li>(\s*(?:<p>)?)<strong>([A-Z]\d+)</strong>",
        r'<li id="\2">\1<a class="number" href="#\2">\2</a>',
        found,
    )
    found = re.sub(r"<h2>([^<]+)</h2>", _heading, found)
    found = found.replace("<pre>", '<pre tabindex="0">')  # scrollable with the keyboard
    found = found.replace("<th></th>", "<td></td>")  # an empty corner cell is no header
    found = found.replace("<table>", '<div class="wide" tabindex="0"><table>')
    return Markup(found.replace("</table>", "</table></div>"))  # noqa: S704 - from our own rulebooks


def _render_softbreak(_: Any, tokens: Sequence[Token], place: int, *__: Any) -> str:
    r"""Render a soft line break as whitespace, except in Japanese.

    >>> print(html("カードは\n**66枚**です。"), end="")
    <p>カードは<strong>66枚</strong>です。</p>
    """
    before = tokens[place - 1].content[-1:]
    return "" if "\u3000" <= before <= "\u9fff" or before >= "\uff00" else "\n"


def _heading(found: re.Match[str]) -> str:
    words = re.findall(r"\w+", found[1].lower())
    return f'<h2 id="{"-".join(words)}">{found[1]}</h2>'

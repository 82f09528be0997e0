"""A rulebook as HTML: every rule and every heading can be linked to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from wonderland.core.general import rulebook_of


@cache
def rules_html(name: str, language: str = "en") -> Markup:
    """The rules of a game, in a language if they are there in it; rule P6 is at `#P6`."""
    return html(rulebook_of(name, language))


def html(markdown: str) -> Markup:
    """A text in Markdown as HTML; what looks like HTML in it is shown as it stands.

    >>> print(html("- **P1** There are *66* cards."))
    <ul>
    <li id="P1"><a class="number" href="#P1">P1</a> There are <em>66</em> cards.</li>
    </ul>
    <BLANKLINE>
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("softbreak", _line_end)
    found: str = reader.render(markdown)
    found = re.sub(
        r"<li>(\s*(?:<p>)?)<strong>([A-Z]\d+)</strong>",
        r'<li id="\2">\1<a class="number" href="#\2">\2</a>',
        found,
    )
    found = re.sub(r"<h2>([^<]+)</h2>", _heading, found)
    found = found.replace("<pre>", '<pre tabindex="0">')  # so that it can be scrolled by keys
    found = found.replace("<th></th>", "<td></td>")  # a corner heads nothing
    found = found.replace("<table>", '<div class="wide" tabindex="0"><table>')
    return Markup(found.replace("</table>", "</table></div>"))  # noqa: S704 - made from our own text


def _line_end(_: Any, tokens: Sequence[Token], place: int, *__: Any) -> str:
    r"""A blank, but not in Japanese.

    >>> print(html("カードは\n**66枚**です。"), end="")
    <p>カードは<strong>66枚</strong>です。</p>
    """
    before = tokens[place - 1].content[-1:]
    return "" if "\u3000" <= before <= "\u9fff" or before >= "\uff00" else "\n"


def _heading(found: re.Match[str]) -> str:
    words = re.findall(r"\w+", found[1].lower())
    return f'<h2 id="{"-".join(words)}">{found[1]}</h2>'

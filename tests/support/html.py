"""A checker of HTML pages."""

from __future__ import annotations

import re
from html.parser import HTMLParser

VOID_TAGS = {"br", "circle", "ellipse", "hr", "img", "input", "link", "meta", "path", "rect", "use"}


class HtmlChecker(HTMLParser):
    """Reads HTML and collects what is wrong with it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.pieces: list[str] = []
        self.wrong: list[str] = []
        self.buttons: list[dict[str, str | None]] = []
        self.feed(text)
        self.close()
        self.wrong += [f"<{tag}> stays open" for tag in self.open]
        for kind, names in (("id", self.ids), ("data-piece", self.pieces)):
            self.wrong += [f"{kind} {name} twice" for name in set(names) if names.count(name) > 1]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in VOID_TAGS:
            self.open.append(tag)
        if tag == "button":
            self.buttons.append(given)
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.pieces += [value or "" for name, value in attrs if name == "data-piece"]
        self.wrong += [f"<{tag} {name}>" for name in given if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and not given.get("src")):
            self.wrong.append(f"<{tag}> inside the page")
        for name in ("src", "href"):
            if re.match(r"(?!data:image/)\w+:|//", given.get(name) or ""):
                self.wrong.append(f"{name} of another host: {given[name]}")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID_TAGS:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes nothing")

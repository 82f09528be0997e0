"""Drawings: symbols that pages put inline, and pictures, which load as files of their own.

A symbol file has `<defs>` with one element for each drawing. A picture is an SVG file whose root has the
class `picture`. Browsers let it load no other file, so it is linked here: the shared symbols that it
refers to and the colours and papers of the pages are added. Its layers are groups of class `layer`
with an id and the name of a motion. A fragment with that id shows only this layer, so that a page can
move it.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping

from markupsafe import Markup

SVG = "http://www.w3.org/2000/svg"
COLOURS, PAPERS = "wonderland.css", "papers.css"
"""The style sheets with the variables of all pages, and with the classes of drawings."""
SHARED = ("scenery.svg", "characters.svg", "front-door.svg", "portraits.svg")
"""The symbol files whose drawings any picture or page may use."""
_REFERENCE = re.compile(r'(?:href="|url\()#([\w-]+)')
_ID = re.compile(r' id="([\w-]+)"')
_LAYER = re.compile(r'<g class="layer ([\w -]+)" id="([\w-]+)"')
_VARIABLES = re.compile(
    r"^(?::root \{.*?^\}|@media \(prefers-color-scheme: dark\) \{\s*:root.*?^\})",
    re.DOTALL | re.MULTILINE,
)
_LAYERS_CSS = ".layer{display:none}.layer:target,svg:not(:has(:target)) .layer{display:inline}"


def is_picture(text: str) -> bool:
    """Whether an SVG file is a picture, rather than a file of symbols or an icon."""
    return re.match(r'<svg [^>]*class="picture"', text) is not None


def layers(text: str) -> list[tuple[str, str]]:
    """Return the layers of a picture, from back to front: the id and the motion of each.

    >>> layers('<svg><g class="layer hop late" id="hare"/></svg>')
    [('hare', 'hop late')]
    """
    return [(name, motion) for motion, name in _LAYER.findall(text)]


def link(text: str, files: Mapping[str, bytes]) -> str:
    """Return a picture as a complete file: with styles, and with the shared symbols that it uses."""
    variables = _VARIABLES.findall(files[COLOURS].decode())
    styles = re.sub(r"/\*.*?\*/|\n\s*", "", "".join(variables) + files[PAPERS].decode(), flags=re.DOTALL)
    own = set(_ID.findall(text))
    used = find_symbols([name for name in _REFERENCE.findall(text + styles) if name not in own], files)
    start = text.index(">") + 1
    style = f"<style><![CDATA[{styles}{_LAYERS_CSS}]]></style>"
    return f"{text[:start]}{style}<defs>{used}</defs>{text[start:]}"


def find_symbols(names: Iterable[str], files: Mapping[str, bytes]) -> Markup:
    """Return the shared symbols of these names, and those that they refer to."""
    library = _library(files[name] for name in SHARED)
    found: dict[str, str] = {}
    wanted = list(names)
    while wanted:
        text = library.get(wanted.pop(), "")
        if text not in found.values():
            found |= dict.fromkeys(_ID.findall(text), text)
            wanted += _REFERENCE.findall(text)
    return Markup("".join(dict.fromkeys(found.values())))  # noqa: S704 - files of ours


def _library(files: Iterable[bytes]) -> dict[str, str]:
    """Map ids to drawings; the first file that has an id wins."""
    ET.register_namespace("", SVG)
    found: dict[str, str] = {}
    for body in files:
        for element in ET.fromstring(body).findall(f"{{{SVG}}}defs/*"):  # noqa: S314 - files of ours
            text = ET.tostring(element, encoding="unicode").replace(f' xmlns="{SVG}"', "").strip()
            for name in _ID.findall(text):
                found.setdefault(name, text)
    return found

"""Updates what `docs/components.md` repeats from the code: part of `make golden`.

Each component's purpose, facts and table of members come from `COMPONENTS` and its Protocols. What a
member means is written on the page by hand, and kept; a new member gets an empty cell.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wonderland.components import COMPONENTS, Component, members
from wonderland.engine.registry import component, game_names

PAGE = Path(__file__).parent.parent / "docs" / "components.md"
_SECTION = re.compile(r"^## `([\w.]+)`\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| `(\w+)[^`]*` \| `(\w+)` \| (.*?) ?\|$", re.MULTILINE)
_HEAD = "| member | contract | meaning |\n|---|---|---|\n"


def render_page(page: str) -> str:
    """Return the page with everything up to date that comes from the code."""
    found = dict(_SECTION.findall(page))
    start = page.partition("\n## ")[0].rstrip()
    return (
        "\n\n".join([start, *(_section(each, found.get(each.name, "")) for each in COMPONENTS)]) + "\n"
    )


def meanings(page: str) -> dict[tuple[str, str], str]:
    """Return what the page says about each member of each Protocol."""
    return {(protocol, name): text for name, protocol, text in _ROW.findall(page)}


def _section(each: Component, before: str) -> str:
    facts = "\n".join(f"- **{key}:** {value}" for key, value in _facts(each))
    table = _HEAD + "\n".join(_rows(each, meanings(before)))
    below = before.rpartition("|\n")[2].strip()
    return "\n\n".join(filter(None, [f"## `{each.name}`", each.purpose, facts, table, below]))


def _facts(each: Component) -> Iterator[tuple[str, str]]:
    yield "Module", " or ".join(f"`{place}`" for place in each.places)
    yield "Contract", f"`{each.protocol}`"
    if each.extras:
        yield "Optional", ", ".join(f"`{extra}`" for extra in each.extras)
    yield "Without it", each.without
    yield "Games", ", ".join(name for name in game_names() if component(name, each.name) is not None)


def _rows(each: Component, known: dict[tuple[str, str], str]) -> Iterator[str]:
    for protocol in (each.contract(), *each.optional_contracts()):
        for name in members(protocol):
            meaning = known.get((protocol.__name__, name), "")
            yield f"| `{_signature(name, vars(protocol)[name])}` | `{protocol.__name__}` | {meaning} |"


def _signature(name: str, member: Any) -> str:
    if not callable(member):
        return name
    _self, *parameters = inspect.signature(member).parameters
    return f"{name}({', '.join(parameters)})"


def main() -> None:
    """Write the page again."""
    PAGE.write_text(render_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Keep the catalogues of texts up to date: `make catalogues`.

Finds all texts that people see in the browser, in the source and in what games say of themselves; brings
the `.po` files of each language in line with them (new texts are empty, those that are gone are left
out, nothing is guessed); and makes the `.mo` files that are read at run time. There is one catalogue for
the shell, in `src/wonderland/locale`, and one for each game.
"""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from wonderland.bots.levels import DODO, generic_level
from wonderland.components.bots import Level
from wonderland.components.catalogues import LANGUAGES
from wonderland.engine.language import ENGLISH
from wonderland.engine.registry import component, game
from wonderland.wire.commands import PHRASES

Text = str | tuple[str, ...]
"""In English: one text, or one for a single thing and one for several."""
SOURCE = Path(__file__).parent.parent / "src" / "wonderland"
SHELL = "wonderland"
CODES = [code for code in LANGUAGES if code != ENGLISH.code]
GAMES = sorted(path.parent.name for path in SOURCE.glob("games/*/__init__.py"))
_SHELL_FOLDERS = ("bots", "components", "engine", "features", "tables", "web", "wire")
_WHERE = dict.fromkeys(("_", "say", "phrase", "Impossible"), (0,)) | {
    "plural": (0, 1),
    "ngettext": (0, 1),
    "Refusal": (1,),
}
"""Functions that are given texts, and which of their arguments these are."""
_LONGEST_VALUE = 12
"""Longer values of options are written by experts, and not shown for choosing."""


def home(name: str) -> Path:
    """Where the texts of the shell or of a game are."""
    return SOURCE if name == SHELL else SOURCE / "games" / name


def catalogue_file(name: str, code: str) -> Path:
    """The catalogue of the shell or of a game in a language."""
    return home(name) / "locale" / f"{code}.po"


def found(name: str) -> Catalog:
    """All texts of the shell or of a game, in English."""
    catalogue = Catalog(charset="utf-8")
    for path, text in sorted(_texts(name), key=lambda pair: (pair[0], str(pair[1]))):
        if name == SHELL or catalogue_of_shell().get(text) is None:
            there = catalogue.get(text)
            if there is None or (path, 0) not in there.locations:
                catalogue.add(text, locations=[(path, 0)])
    return catalogue


_shell: list[Catalog] = []


def catalogue_of_shell() -> Catalog:
    """The texts of the shell: what is there need not be in a game's catalogue as well."""
    if not _shell:
        _shell.append(found(SHELL))
    return _shell[0]


def _texts(name: str) -> Iterator[tuple[str, Text]]:
    folders = [home(name) / folder for folder in _SHELL_FOLDERS] if name == SHELL else [home(name)]
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            yield from ((_shown(path), text) for text in _in_module(path))
        for path in sorted(folder.rglob("templates/*.html")):
            yield from ((_shown(path), text) for text in _in_template(path))
    said = _said_by_shell() if name == SHELL else _said_by(name)
    for text in said:
        yield _shown(home(name)), text


def _shown(path: Path) -> str:
    return path.relative_to(SOURCE.parent).as_posix()


def _in_module(path: Path) -> Iterator[Text]:
    """The texts of a module; Babel's own reader passes over calls inside others."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        given = [node.args[at] for at in _WHERE.get(name, ()) if at < len(node.args)]
        texts = tuple(each.value for each in given if isinstance(each, ast.Constant))
        if texts and all(isinstance(text, str) and text for text in texts):
            yield texts if len(texts) > 1 else texts[0]


def _in_template(path: Path) -> Iterator[Text]:
    keywords = {name: tuple(at + 1 for at in where) for name, where in _WHERE.items()}
    options = {"silent": "false", "trim_blocks": "true", "lstrip_blocks": "true"}
    with path.open("rb") as file:
        for _, text, _, _ in extract(babel_extract, file, keywords, options=options):
            yield text


def _said_by_shell() -> Iterator[str]:
    """Texts that are looked up by what they are, not where they stand."""
    yield from PHRASES
    yield from _said_of(DODO)
    yield from _said_of(generic_level(GAMES[0]))


def _said_by(name: str) -> Iterator[str]:
    """What a game says of itself: its title, its options, its bots."""
    info = game(name).info
    yield info.title
    yield info.about
    for option in info.options:
        yield option.meaning
        yield from (
            value for value in option.examples if len(value) < _LONGEST_VALUE and not value.isdecimal()
        )
    bots = component(name, "bots.levels")
    for level in bots.LEVELS if bots is not None else ():
        yield from _said_of(level)


def _said_of(level: Level) -> Iterator[str]:
    yield level.name
    yield level.about


def read(name: str, code: str) -> Catalog:
    """The catalogue as it stands."""
    path = catalogue_file(name, code)
    if not path.exists():
        return Catalog(locale=code, charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=code)


def forms(message: Message) -> tuple[str, ...]:
    """What a message is in its language: one text, or one for each kind of number."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def updated(name: str, code: str) -> Catalog:
    """The catalogue with the texts that there are now."""
    catalogue = read(name, code)
    catalogue.update(found(name), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    return catalogue


def written(catalogue: Catalog) -> bytes:
    """A catalogue as text: the same for the same texts, whenever and wherever it is written."""
    body = io.BytesIO()
    write_po(body, catalogue, width=100, sort_by_file=True, omit_header=True, include_lineno=False)
    header = (
        f"Language: {catalogue.locale}\\n",
        "MIME-Version: 1.0\\n",
        "Content-Type: text/plain; charset=utf-8\\n",
        "Content-Transfer-Encoding: 8bit\\n",
        f"Plural-Forms: {catalogue.plural_forms}\\n",
    )
    lines = ['msgid ""', 'msgstr ""', *(f'"{line}"' for line in header)]
    return "\n".join([*lines, "", ""]).encode() + body.getvalue().strip() + b"\n"


def main() -> None:
    """Bring all catalogues up to date."""
    for name in (SHELL, *GAMES):
        for code in CODES:
            path = catalogue_file(name, code)
            path.parent.mkdir(exist_ok=True)
            text = written(updated(name, code))
            if not path.exists() or path.read_bytes() != text:
                path.write_bytes(text)
            catalogue = read(name, code)
            with path.with_suffix(".mo").open("wb") as file:
                write_mo(file, catalogue)
            empty = sum(not all(forms(message)) for message in catalogue if message.id)
            sys.stdout.write(f"{path.relative_to(SOURCE)}: {len(catalogue)} texts, {empty} empty\n")


if __name__ == "__main__":
    main()

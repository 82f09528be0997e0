"""Updates the message catalogues: `make catalogues`.

Extracts all messages from the source, the templates, and the descriptions of games; updates the `.po`
files of each language (new messages are empty and listed, obsolete ones are removed, no fuzzy matching,
French punctuation gets its narrow spaces); and compiles the `.mo` files that are loaded at run time.
There is one catalogue for the shell, in `src/wonderland/locale`, and one for each game.
"""

from __future__ import annotations

import ast
import io
import re
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

Text = str | tuple[str, ...]
"""An English message: one text, or singular and plural."""
SOURCE = Path(__file__).parent.parent / "src" / "wonderland"
SHELL = "wonderland"
CODES = [code for code in LANGUAGES if code != ENGLISH.code]
GAMES = sorted(path.parent.name for path in SOURCE.glob("games/*/__init__.py"))
_SHELL_FOLDERS = (
    "bots",
    "client",
    "components",
    "engine",
    "features",
    "kernels",
    "lab",
    "tables",
    "terminal",
    "web",
    "wire",
)
"""The folders of the shell; its modules, such as `cli.py`, are searched too."""
_MESSAGE_ARGUMENTS = dict.fromkeys(("_", "say", "phrase", "Impossible", "NotationError"), (0,)) | {
    "plural": (0, 1),
    "ngettext": (0, 1),
    "IllegalAction": (1,),
    "Refusal": (1,),
}
"""The functions that take messages, with the positions of those arguments."""
_FRENCH_SPACE = re.compile("(?<=\\S)[ \u00a0](?=[;:!?»])|(?<=«)[ \u00a0]")


def home(name: str) -> Path:
    """Return the source folder of the shell or of a game."""
    return SOURCE if name == SHELL else SOURCE / "games" / name


def catalogue_file(name: str, code: str) -> Path:
    """Return the `.po` file of the shell or of a game in a language."""
    return home(name) / "locale" / f"{code}.po"


def extract_messages(name: str) -> Catalog:
    """Extract all messages of the shell or of a game."""
    catalogue = Catalog(charset="utf-8")
    for path, text in sorted(_texts(name), key=lambda pair: (pair[0], str(pair[1]))):
        if name == SHELL or shell_catalogue().get(text) is None:
            known = catalogue.get(text)
            if known is None or (path, 0) not in known.locations:
                catalogue.add(text, locations=[(path, 0)])
    return catalogue


_shell: list[Catalog] = []


def shell_catalogue() -> Catalog:
    """Return the messages of the shell, which the catalogues of games need not repeat."""
    if not _shell:
        _shell.append(extract_messages(SHELL))
    return _shell[0]


def _texts(name: str) -> Iterator[tuple[str, Text]]:
    folders = [home(name) / folder for folder in _SHELL_FOLDERS] if name == SHELL else [home(name)]
    modules = sorted(home(name).glob("*.py")) if name == SHELL else []
    for folder in folders:
        modules += sorted(folder.rglob("*.py"))
    for path in modules:
        yield from ((_location(path), text) for text in _module_messages(path))
    for folder in folders:
        for path in sorted(folder.rglob("*.html")):
            yield from ((_location(path), text) for text in _template_messages(path))
    described = _shell_messages() if name == SHELL else _game_messages(name)
    for text in described:
        yield _location(home(name)), text


def _location(path: Path) -> str:
    return path.relative_to(SOURCE.parent).as_posix()


def _module_messages(path: Path) -> Iterator[Text]:
    """Extract the messages of a module; Babel's own extractor misses nested calls."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        given = [node.args[at] for at in _MESSAGE_ARGUMENTS.get(name, ()) if at < len(node.args)]
        texts = tuple(each.value for each in given if isinstance(each, ast.Constant))
        if texts and all(isinstance(text, str) and text for text in texts):
            yield texts if len(texts) > 1 else texts[0]


def _template_messages(path: Path) -> Iterator[Text]:
    keywords = {name: tuple(at + 1 for at in where) for name, where in _MESSAGE_ARGUMENTS.items()}
    options = {"silent": "false", "trim_blocks": "true", "lstrip_blocks": "true"}
    with path.open("rb") as file:
        for _, text, _, _ in extract(babel_extract, file, keywords, options=options):
            yield text


def _shell_messages() -> Iterator[str]:
    """Messages of the shell that are not literal arguments of a translating function."""
    yield from _level_messages(DODO)
    yield from _level_messages(generic_level(GAMES[0]))


def _game_messages(name: str) -> Iterator[str]:
    """A game's descriptions of itself: its title, its options, its bots."""
    info = game(name).info
    yield info.title
    yield info.about
    yield info.credits
    yield info.goal
    for option in info.options:
        yield option.meaning
        yield option.values
        yield from option.labels.values()
    bots = component(name, "bots.levels")
    for level in bots.LEVELS if bots is not None else ():
        yield from _level_messages(level)


def _level_messages(level: Level) -> Iterator[str]:
    yield level.name
    yield level.about


def read_catalogue(name: str, code: str) -> Catalog:
    """Load a catalogue; empty if there is none yet."""
    path = catalogue_file(name, code)
    if not path.exists():
        return Catalog(locale=code, charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=code)


def forms(message: Message) -> tuple[str, ...]:
    """Return the translations of a message: one text, or one for each plural form."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def update_catalogue(name: str, code: str) -> Catalog:
    """Load a catalogue and bring it in line with the extracted messages."""
    catalogue = read_catalogue(name, code)
    catalogue.update(extract_messages(name), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    if code == "fr":
        for message in filter(lambda each: each.string, catalogue):  # a new message has none
            spaced = tuple(map(narrow_spaces, forms(message)))
            message.string = spaced[0] if isinstance(message.string, str) else spaced
    return catalogue


def narrow_spaces(text: str) -> str:
    """Put narrow no-break spaces where French has any space beside punctuation.

    >>> narrow_spaces("Prêt ? Choisis « Jouer ».") == "Prêt\u202f? Choisis «\u202fJouer\u202f»."
    True
    """
    return _FRENCH_SPACE.sub("\u202f", text)


def render_catalogue(catalogue: Catalog) -> bytes:
    """Render a catalogue as a `.po` file; the output is reproducible."""
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
    """Update all catalogues."""
    for name in (SHELL, *GAMES):
        for code in CODES:
            path = catalogue_file(name, code)
            path.parent.mkdir(exist_ok=True)
            text = render_catalogue(update_catalogue(name, code))
            if not path.exists() or path.read_bytes() != text:
                path.write_bytes(text)
            catalogue = read_catalogue(name, code)
            with path.with_suffix(".mo").open("wb") as file:
                write_mo(file, catalogue)
            empty = [message.id for message in catalogue if message.id and not all(forms(message))]
            sys.stdout.write(f"{path.relative_to(SOURCE)}: {len(catalogue)} texts, {len(empty)} empty\n")
            sys.stdout.writelines(f"    {text}\n" for text in empty)


if __name__ == "__main__":
    main()

"""What people read is in the catalogues, without rule codes, protocol words, commands or odd phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from catalogues import CODES, GAMES, SHELL, extract_messages, forms, read_catalogue
from support.paths import ROOT, SOURCE
from wonderland.components.rulebook import rulebook

RULE_CODE = r"\b[PLC]\d{1,2}\b"
PROTOCOL = r"\b(cookies?|body|versions?|revoke[ds]?|storage|commands?|sockets?|tokens?|payloads?)\b"
SHELL_COMMAND = r"\bwonderland [a-z]|\s--[a-z]|\bmake (play|test|quick|bench)\b|\.venv|`"
NAMED_VERSION = r"\bversion (\{\w+\} )?of (the rules|this page)\b"
"""What a sentence says plainly: the version of something that players know."""
DIALECT = (
    r"\banew\b|\bdear(er|est)\b|\bas things (lie|stand)\b|\bso many\b|\b(here|there) stands\b"
    r"|\bwho sits (there|here|at)\b|\bwhoever\b|\bthose who\b|\bimagined?\b|\bhardness\b|\bshelf\b"
    r"|\bpatience\b|\bcan't be understood\b|\b(lay|lays|laying|laid) (a|the) table\b|\bis laid\b(?! out)"
    r"|\blessons?\b|\bremarks?\b|\bworths\b|\bdistant table\b|\d\s%|\bbegins?\b|\bset off\b"
    r"|\blook(s|ing)? back\b|\battendants?\b|\brooms?\b(?! for)|\bthe truth lies\b|\bthat many turns\b"
    r"|(?<! of )\bthumbs?\b|\bas it stands\b|\bgrow(s|ing) list\b|\bof that kind\b|\bjust now\b"
    r"|\b(desk|handing|guards?|hopes?|(its|the) worth)\b"
)
TERMS = r"\b(remarks?|lessons?|rooms?|begins?|hopes?)\b"
"""Words of the dialect that technical English has as well; some name modules."""
FAULTS = {"rule code": RULE_CODE, "protocol": PROTOCOL, "command": SHELL_COMMAND, "dialect": DIALECT}
FOR_PROGRAMS = (
    "wonderland/web/http.py",
    "wonderland/web/table_socket.py",
    "wonderland/tables/service.py",
)
"""Modules whose errors answer requests that no page of ours sends."""
FOR_TERMINALS = (
    "wonderland/arguments.py",
    "wonderland/cli.py",
    "wonderland/client/",
    "wonderland/features/admin/",
    "wonderland/components/game_data.py",  # raised only by `make`
    "wonderland/features/fairness/",
    "wonderland/features/insights/model.py",  # a hint for the terminal, which pages leave out
    "wonderland/features/puzzles/model.py",  # the same
    "wonderland/features/replay/prompt.py",
    "wonderland/lab/",
    "wonderland/tables/limits.py",  # options of a server that is being started
    "wonderland/tables/fairness.py",  # the key of a server that is being started
    "wonderland/tables/storage/",  # pages say only that saved games are out of reach
    "wonderland/terminal/",
    "wonderland/web/server.py",  # the database of such a server
    "wonderland/web/startup.py",  # its port
)
"""Modules whose readers have typed a command; it may be named to them."""


SCRIPTS = sorted(SOURCE.rglob("static/*.js"))
TEMPLATES = sorted(SOURCE.rglob("templates/**/*.html"))
DOCUMENTS = sorted((*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")))
JINJA = re.compile(r"\{% block (?:kind|manifest) %\}.*?\{% endblock %\}|\{([#%{]).*?[#%}]\}", re.DOTALL)
"""What a template fills in, and blocks that are part of a tag."""
SILENT = re.compile(r"<(script|style|code|kbd)\b.*?</\1>", re.DOTALL)
READ_ALOUD = re.compile(r'\b(?:aria-label|alt|title|placeholder)="([^"]*)"')
"""Attributes that are texts."""
SAME_EVERYWHERE = {"Wonderland"}
LITERAL = re.compile(r'"([^"\n]*)"|`([^`]*)`')
"""A string in a script; ours have double quotes or backquotes."""
SENTENCE = re.compile(
    r"^[A-Z][\w',\u2019 ]*[.?!…]$|^[A-Z][\w'\u2019]*(?: [\w',\u2019]+)+$|^(?:[a-z'\u2019]+ ){2,}\w+$"
)
"""Words that form a text, unlike selectors and names."""
CODES_IN_SCRIPTS = {"wonderland commitment", "wonderland luck", "not now"}
"""Words that only programs read."""


def texts_for_players() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the catalogue, the text and the modules of every English message."""
    for name in (SHELL, *GAMES):
        for message in extract_messages(name):
            where = tuple(path for path, _ in message.locations)
            for text in (message.id,) if isinstance(message.id, str) else message.id or ():
                if text:
                    yield name, text, where


def faults_in(catalogue: str, text: str, where: tuple[str, ...]) -> Iterator[str]:
    for fault, pattern in FAULTS.items():
        if fault in ("protocol", "command") and all(map(_is_for_experts, where)):
            continue
        flags = re.IGNORECASE if fault in ("protocol", "dialect") else 0
        found = re.search(pattern, text, flags)
        if found and not _is_fine(catalogue, text, found.group().lower()):
            yield f"{fault} {found.group()!r} in {text!r} ({', '.join(where)})"


def _is_fine(catalogue: str, text: str, word: str) -> bool:
    return (catalogue == "cookies" and word.startswith("cookie")) or (
        word == "version" and re.search(NAMED_VERSION, text) is not None
    )


def _is_for_experts(path: str) -> bool:
    return path.startswith((*FOR_PROGRAMS, *FOR_TERMINALS)) or path.endswith("command.py")


def words_in_template(text: str) -> list[str]:
    """Return the words of a template that come from no catalogue."""
    bare = SILENT.sub(" ", JINJA.sub(" ", text))
    shown = [re.sub(r'<[^>]*>|[\w-]+="[^"]*"', " ", bare), *READ_ALOUD.findall(bare)]
    words = [word for part in shown for word in re.findall(r"[^\W\d_]{2,}", part)]
    return [word for word in words if word not in SAME_EVERYWHERE]


def texts_in_script(text: str) -> list[str]:
    """Return the strings of a script that people would read."""
    code = re.sub(r"(?<!:)//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    found = ["".join(pair) for pair in LITERAL.findall(code)]
    return [each for each in found if SENTENCE.search(each) and each not in CODES_IN_SCRIPTS]


def test_texts_for_players_are_in_players_words() -> None:
    assert [fault for found in texts_for_players() for fault in faults_in(*found)] == []


@pytest.mark.parametrize(
    ("catalogue", "text"),
    [
        ("parade", "You can't draw in the last round (P9)."),
        (SHELL, "We don't recognise this cookie."),
        (SHELL, "To create them, run: wonderland insights make parade"),
        (SHELL, "Here stands who has finished 5 rated games."),
        (SHELL, "The win chance is 61 %."),
    ],
)
def test_a_fault_would_be_found(catalogue: str, text: str) -> None:
    assert list(faults_in(catalogue, text, ("wonderland/web/pages.py",)))


@pytest.mark.parametrize(
    "text",
    [
        "Lay a table for three.",
        "The table is laid.",
        "Only who sits at the table can start.",
        "Whoever comes first may choose.",
        "Those who sit there may answer.",
        "The dearest moves",
        "The cards are shuffled anew.",
        "After so many turns, the game ends.",
        "Wait that many turns.",
        "As things stand now, you lose.",
        "As it stands, you lose.",
        "In imagined games, it wins.",
        "The hardness of a puzzle",
        "Send a remark.",
        "Look back at your game.",
        "Start the lesson.",
        "A thumb that fails here",
        "Its worth is small.",
        "The hope is 61%.",
        "95 % sure",
        "between what the truth lies",
        "The shelf is full.",
        "The attendants are busy.",
        "Write to the desk.",
        "This room is closed.",
        "The patience is over.",
        "The handing failed.",
        "The guard refused it.",
        "a growing list",
        "a distant table",
        "This can't be understood.",
        "There is nothing of that kind here.",
        "Nobody knows a hint just now.",
    ],
)
def test_the_left_column_of_the_glossary_would_be_found(text: str) -> None:
    assert list(faults_in(SHELL, text, ("wonderland/web/pages.py",)))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_have_no_text_of_their_own(path: Path) -> None:
    assert words_in_template(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_have_no_text_of_their_own(path: Path) -> None:
    """They show what the page gives them, in its language."""
    assert texts_in_script(path.read_text(encoding="utf-8")) == []


def test_a_text_outside_the_catalogues_would_be_found() -> None:
    assert words_in_template('<p>{{ _("Rules") }}: <b>Read them</b></p>') == ["Read", "them"]
    linked = '<a {% if new %}class="new"{% endif %} title="Leave">{{ x }}</a>'
    assert words_in_template(linked) == ["Leave"]
    for text in ("Connection lost.", "Your turn", "it is your turn", "Reconnecting…"):
        assert texts_in_script(f'show("{text}"); show(`{text}`); // "Fine."') == [text, text]
    assert texts_in_script('find("#drawer .seats li"); send("not now")') == []


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", [SHELL, *GAMES])
def test_translations_have_no_rule_codes(name: str, code: str) -> None:
    said = [form for message in read_catalogue(name, code) if message.id for form in forms(message)]
    assert [text for text in said if re.search(RULE_CODE, text)] == []


@pytest.mark.parametrize("name", GAMES)
def test_rulebooks_have_no_odd_phrases(name: str) -> None:
    assert [found.group() for found in re.finditer(DIALECT, rulebook(name), re.IGNORECASE)] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_have_no_odd_phrases(path: Path) -> None:
    prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    found = [match.group() for match in re.finditer(DIALECT, prose, re.IGNORECASE)]
    assert [phrase for phrase in found if not re.search(TERMS, phrase, re.IGNORECASE)] == []


def test_cookies_may_be_eaten() -> None:
    assert not list(faults_in("cookies", "Take a cookie.", ("wonderland/games/cookies/ui/words.py",)))

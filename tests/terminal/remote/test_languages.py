"""Remote tables in the language of each player: what the terminal says, and what the server answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.joined_terminals import Terminals
from support.paths import TESTS
from support.pseudo_locale import CODE, outside_brackets, words_outside_brackets
from support.pseudo_terminal import Terminal
from support.server import ServerProcess

pytestmark = pytest.mark.slow

PROGRAM = (str(TESTS / "support" / "pseudo_program.py"),)
WORDS = re.compile(r"http\S+|\b[0-9a-f]{16,}\b|^ {2}[A-Za-z, ]{2,20}(?= {2}|$)", re.MULTILINE)
"""Links, codes, and the commands in the list of them."""
TYPED = {
    "hello",
    "bot",
    "jabberwock",
    "undo",
    "start",
    "say",
    "who",
    "table",
    "log",
    "link",
    "help",
    "quit",
}


class PseudoTerminal(Terminal):
    """The program with the pseudo-locale."""

    program = PROGRAM


@pytest.fixture
def pseudo_server(tmp_path: Path) -> Iterator[ServerProcess]:
    served = ServerProcess(tmp_path)
    served.program = list(PROGRAM)
    served.start()
    yield served
    served.stop()


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Terminals]:
    there = Terminals(tmp_path, PseudoTerminal)
    yield there
    for terminal in there.terminals:
        terminal.close()


def untranslated(text: str) -> list[str]:
    words = words_outside_brackets(WORDS.sub(" ", outside_brackets(text.replace("\r", ""))))
    return [word for word in words if word not in TYPED]


def test_a_remote_table_speaks_the_language(people: Terminals, pseudo_server: ServerProcess) -> None:
    language = ("--language", CODE)
    alice = people.start(
        "Alice", "host", "letters", "--server", pseudo_server.address, "--name", "Alice", *language
    )
    shown = alice.read_until(r"http\S+\s")
    link = shown.split()[-1]
    for words in (
        ["--name", "x" * 90],
        ["--name", "Alice"],
        ["--name", "Dinah", "--seat", "1"],
        ["--name", "Dinah", "--seat", "7"],
    ):
        refused = people.start("Dinah", "join", link, *words, *language)
        refused.read_until(r"wonderland: ⟦")
        assert refused.exit_code() == 2
        assert untranslated("⟦" + refused.seen) == [], refused.seen
    dinah = people.start("Dinah", "join", link, "--name", "Dinah", *language)
    dinah.read_until("Dinah: $")
    shown += alice.read_until("Alice: $")
    for line in (
        "help",
        "who",
        "table",
        "log",
        "hello",
        "say",
        "undo",
        "bot 9",
        "bot 2 jabberwock",
        "start",
    ):
        alice.type(f"{line}\n")
        shown += alice.read_until("Alice: $") if line != "start" else alice.read_until(r"⟦.*⟧")
    shown += alice.read_until("(Alice|Dinah) goes first.⟧")
    shown += dinah.read_until("(Alice|Dinah) goes first.⟧")
    for terminal in (alice, dinah):
        terminal.type("help\nwho\nsay hello\nlink\nlog\nquit\n")
        assert terminal.exit_code() == 0
        shown += terminal.seen
    assert shown.count("⟦") > 50
    assert untranslated(shown) == []

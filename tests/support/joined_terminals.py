"""Terminals of people at tables of a real server."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

from support.pseudo_terminal import Terminal
from support.server import Served

OVER = "Type rematch to play again, or quit"


class People:
    """Terminals of people, each with a data folder of its own; all are closed at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.terminals: list[Terminal] = []

    def home(self, name: str) -> Path:
        return self.folder / name

    def start(self, name: str, *arguments: str) -> Terminal:
        terminal = Terminal(*arguments, XDG_DATA_HOME=str(self.home(name)), TERM="dumb")
        self.terminals.append(terminal)
        return terminal

    def host(self, server: Served, game: str, *arguments: str) -> tuple[Terminal, str]:
        """Alice lays a table; gives her terminal and the link."""
        alice = self.start(
            "Alice", "host", game, "--server", server.address, "--name", "Alice", *arguments
        )
        shown = alice.read_until(r"The link to share: \S+\s")
        return alice, shown.split()[-1]

    def join(self, name: str, link: str, *arguments: str) -> Terminal:
        return self.start(name, "join", link, "--name", name, *arguments)


def two(people: People, server: Served, game: str) -> tuple[Terminal, Terminal, str]:
    """Alice and Dinah at a table where the game has begun."""
    alice, link = people.host(server, game)
    dinah = people.join("Dinah", link)
    alice.read_until(r"Dinah sits on seat 2\.|  2  Dinah")  # or she sat there when Alice first looked
    dinah.read_until("Dinah: $")
    alice.read_until("Alice: $")
    alice.type("s\n")
    for terminal in (alice, dinah):
        terminal.read_until(r"The game begins\.")
    return alice, dinah, link


def run(home: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """The command with its input from a pipe."""
    done = subprocess.run(
        [sys.executable, "-m", "wonderland", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        env=os.environ | {"XDG_DATA_HOME": str(home)},
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


def choices(shown: str) -> list[str]:
    """What can be typed, as the last choices that were shown say it."""
    if "Your choice: " in shown:
        return re.findall(r"\d+", shown.rpartition("Your choice: ")[2].partition("\n")[0])
    return re.findall(r"^ {1,2}(\d{1,2})  \S", shown.rpartition(" turn")[2], flags=re.MULTILINE)


def play(terminal: Terminal, name: str) -> str:
    """Play at random to the end; gives all that was shown."""
    rng, whole = random.Random(name), ""
    while True:
        shown = terminal.read_until(rf"{name}: $|{OVER}")
        whole += shown
        if shown.endswith(OVER):
            return whole
        terminal.type(f"{rng.choice(choices(shown) or ['1'])}\n")


def turn_of(alice: Terminal, dinah: Terminal) -> tuple[Terminal, str, Terminal, str]:
    """Whose turn it is after the start, and the other."""
    shown = alice.read_until(r"(Alice|Dinah) begins\.")
    if shown.endswith("Alice begins."):
        return alice, "Alice", dinah, "Dinah"
    return dinah, "Dinah", alice, "Alice"

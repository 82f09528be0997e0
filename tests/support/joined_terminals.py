"""Terminals of players at tables of a real server."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

from support.pseudo_terminal import Terminal
from support.server import ServerProcess

GAME_OVER = "Type rematch to play again, or quit"


class Terminals:
    """Terminals, each with a data folder of its own."""

    def __init__(self, folder: Path, kind: type[Terminal] = Terminal) -> None:
        self.folder = folder
        self.kind = kind
        self.terminals: list[Terminal] = []

    def home(self, name: str) -> Path:
        return self.folder / name

    def start(self, name: str, *arguments: str) -> Terminal:
        terminal = self.kind(*arguments, XDG_DATA_HOME=str(self.home(name)), TERM="dumb")
        self.terminals.append(terminal)
        return terminal

    def host(self, server: ServerProcess, game: str, *arguments: str) -> tuple[Terminal, str]:
        """Host a table as Alice; return her terminal and the link to share."""
        alice = self.start(
            "Alice", "host", game, "--server", server.address, "--name", "Alice", *arguments
        )
        shown = alice.read_until(r"Send this link to your friends: \S+\s")
        alice.read_until(r"  1  Alice")  # whoever sits down from now on is announced
        return alice, shown.split()[-1]

    def join(self, name: str, link: str, *arguments: str) -> Terminal:
        return self.start(name, "join", link, "--name", name, *arguments)


def start_two_players(
    people: Terminals, server: ServerProcess, game: str
) -> tuple[Terminal, Terminal, str]:
    """Start a game of Alice and Dinah; return their terminals and the link."""
    alice, link = people.host(server, game)
    dinah = people.join("Dinah", link)
    alice.read_until(r"Dinah is in seat 2\.")
    dinah.read_until("Dinah: $")
    alice.read_until("Alice: $")
    alice.type("s\n")
    for terminal in (alice, dinah):
        terminal.read_until(r"The game starts\.")
    return alice, dinah, link


def run_command(home: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command with its input from a pipe."""
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


def shown_choices(shown: str) -> list[str]:
    """Return the numbers of the choices that were shown last."""
    if "Your choice: " in shown:
        return re.findall(r"\d+", shown.rpartition("Your choice: ")[2].partition("\n")[0])
    return re.findall(r"^ {1,2}(\d{1,2})  \S", shown.rpartition(" turn")[2], flags=re.MULTILINE)


def play_at_random(terminal: Terminal, name: str) -> str:
    """Play at random to the end; return all output."""
    rng, whole = random.Random(name), ""
    while True:
        shown = terminal.read_until(rf"{name}: $|{GAME_OVER}")
        whole += shown
        if shown.endswith(GAME_OVER):
            return whole
        terminal.type(f"{rng.choice(shown_choices(shown) or ['1'])}\n")


def order_of_turns(alice: Terminal, dinah: Terminal) -> tuple[Terminal, str, Terminal, str]:
    """Return the terminal and name of the first player, then those of the other."""
    shown = alice.read_until(r"(Alice|Dinah) goes first\.")
    if shown.endswith("Alice goes first."):
        return alice, "Alice", dinah, "Dinah"
    return dinah, "Dinah", alice, "Alice"

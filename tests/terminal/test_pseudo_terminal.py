"""The program in a real pseudo-terminal: whole plain games, leaving, and the full screen."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

import pytest

from support.paths import RECORDS
from support.pseudo_terminal import TIMEOUT, Terminal
from wonderland.engine import game_names, read_record

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", game_names())
def test_a_whole_plain_game_with_numbers_and_enter(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    terminal = Terminal(
        "play", name, "--plain", "--seats", "Alice,bot", "--seed", "pty", "--record", str(path)
    )
    while True:
        shown = terminal.read_until(r"Alice: $|game is over|wins \(|A-L-I-C-E!")
        if not shown.endswith("Alice: "):
            break
        choices = re.findall(r"(?:Your choice: |^ *)(\d+)", shown, flags=re.MULTILINE)
        terminal.type(f"{choices[-1]}\n")
    assert terminal.exit_code() == 0
    assert read_record(path.read_bytes()).whole.result is not None


def test_the_record_survives_invalid_input_and_an_interrupt(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    terminal = Terminal("play", "parade", "--plain", "--seats", "Alice,bot", "--record", str(path))
    terminal.read_until("Alice: $")
    terminal.type("frumious\n")
    terminal.read_until("one of the choices")
    terminal.read_until("Alice: $")
    terminal.type("1\n")
    terminal.read_until("Alice: $")
    assert terminal.interrupt() == 130
    assert "Traceback" not in terminal.seen
    assert len(read_record(path.read_bytes()).whole.moves) > 18


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_plain_text_is_chosen_where_the_full_screen_is_unsuitable(environment: dict[str, str]) -> None:
    terminal = Terminal("play", "parade", "--seats", "Alice,bot", **environment)
    shown = terminal.read_until("Alice: $")
    assert "\x1b[" not in shown
    terminal.type("quit\n")
    terminal.read_until("Goodbye")
    assert terminal.exit_code() == 0


def test_killing_the_full_screen_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    terminal = Terminal(
        "play", "parade", "--seats", "Alice,bot", "--record", str(path), "--pace", "none"
    )
    terminal.read_until("Alice")
    terminal.read_until("takes")
    before = len(read_record(path.read_bytes()).whole.moves)
    terminal.type("\r")
    end = time.monotonic() + TIMEOUT
    while len(read_record(path.read_bytes()).whole.moves) == before:
        assert time.monotonic() < end
        time.sleep(0.05)
    os.kill(terminal.pid, signal.SIGKILL)
    os.waitpid(terminal.pid, 0)
    kept = read_record(path.read_bytes()).whole
    assert len(kept.moves) > before
    again = Terminal("play", "--resume", str(path), "--plain")
    again.read_until("Alice: $")
    again.type("quit\n")
    assert again.exit_code() == 0
    assert read_record(path.read_bytes()).whole.moves[: len(kept.moves)] == kept.moves


def test_leaving_the_full_screen_restores_the_terminal() -> None:
    terminal = Terminal("play", "parade", "--seats", "Alice,bot", "--pace", "none")
    terminal.read_until("takes")
    terminal.type("q")
    terminal.read_until(re.escape("\x1b[?1049l"))
    assert terminal.exit_code() == 0


@pytest.mark.parametrize("name", game_names())
def test_leaving_while_a_bot_thinks_does_not_wait_for_it(name: str) -> None:
    terminal = Terminal(
        "play", name, "--seats", "Alice,queen@50s,dodo", "--first", "queen", "--pace", "none"
    )
    terminal.read_until("(Queen|King) is thinking")
    before = time.monotonic()
    terminal.type("q")
    terminal.read_until(re.escape("\x1b[?1049l"))
    assert terminal.exit_code() == 0
    assert time.monotonic() - before < 20
    assert "Traceback" not in terminal.seen


def test_a_record_is_replayed_on_the_full_screen_and_as_plain_text() -> None:
    path = RECORDS / "parade" / "3-players-sixth-colour.record"
    full = Terminal("replay", str(path), "--seat", "Hatter")
    full.read_until("What Hatter could see")
    full.type("q")
    full.read_until(re.escape("\x1b[?1049l"))
    assert full.exit_code() == 0
    lines = Terminal("replay", str(path), "--plain")
    lines.read_until(r"\[0/\d+\] $")
    lines.type("3\n")
    lines.read_until(r"\[3/\d+\] $")
    lines.type("q\n")
    assert lines.exit_code() == 0

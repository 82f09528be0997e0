"""The bot in `examples/` plays whole games on a real server."""

from __future__ import annotations

import os
import random
import re
import secrets
import shlex
import subprocess
import sys

import pytest

from support.paths import ROOT
from support.remote_players import RemotePlayer, create_table
from support.server import ServerProcess
from wonderland.cli import _parser
from wonderland.engine import game_names
from wonderland.terminal.remote.input import HELP
from wonderland.wire.messages import TableUpdate

BOT = ROOT / "examples" / "bot.py"


def run(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(BOT), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"no_proxy": "*"},
    )


@pytest.mark.parametrize("name", game_names())
def test_it_plays_a_whole_game(server: ServerProcess, name: str) -> None:
    link = create_table(server.address, secrets.token_urlsafe(32), name)
    alice = RemotePlayer(link, "Alice")
    bot = run(link.text, "Humpty")
    alice.wait_for(lambda news: isinstance(news, TableUpdate) and news.table.seats[1].name == "Humpty")
    alice.start()
    end = alice.play(random.Random(name))
    said, complaint = bot.communicate(timeout=60)
    assert bot.returncode == 0, complaint
    assert "winners" in said
    assert end.table.seats[1].level == "", "it played to the end itself"
    alice.close()


def test_it_is_short_and_has_few_imports() -> None:
    lines = BOT.read_text().splitlines()
    assert len(lines) < 60
    assert not [line for line in lines if line.startswith(("import", "from")) and "wonderland" in line]


def section() -> str:
    text = (BOT.parents[1] / "docs" / "tables.md").read_text(encoding="utf-8")
    return text.partition("## From the terminal, and by programs\n")[2].partition("\n## ")[0]


def test_the_python_in_the_documents_runs(
    server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", section(), flags=re.DOTALL)
    there = "http://127.0.0.1:8000"
    assert there in code
    exec(compile(code.replace(there, server.address), "tables.md", "exec"), {})  # noqa: S102 - our own
    assert re.match(r"\['Alice', '\w+'\] \(", capsys.readouterr().out)


def test_documented_commands_and_messages_exist() -> None:
    commands = re.findall(r"^wonderland (.*?)(?:  .*)?$", section(), flags=re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        words = shlex.split(command)
        assert _parser(words).parse_args(words).run
    words = {word.split()[0] for words, _ in HELP for word in words.split(", ")} - {"s"}
    for word in words:
        assert re.search(rf"`{word}( [A-Z]+)?`", section()), word

"""The examples in the documents match the program."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.paths import ROOT
from wonderland.bots import decide
from wonderland.cli import main
from wonderland.components.bots import Budget
from wonderland.engine import Match, Seeded, game, read_record
from wonderland.engine.match import seats_to_act

README = (ROOT / "README.md").read_text()
RECORDS = (ROOT / "docs" / "records.md").read_text()
SOURCE = ROOT / "src" / "wonderland"
PACKAGES = sorted(path.parent.name for path in SOURCE.glob("*/__init__.py"))
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md"))
)


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def test_the_picture_in_the_readme_matches_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    shown = blocks(README, "console")
    assert shown
    for block in shown:
        command, _, output = block.partition("\n")
        assert command.startswith("$ wonderland ")
        assert main(command.split()[2:]) == 0
        assert capsys.readouterr().out == output


def test_the_python_in_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = blocks(README, "python")
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102 - our own example
    first, second = capsys.readouterr().out.splitlines()
    assert first == "('cookies', 'letters', 'parade')"
    assert second.startswith("((")


def shell_commands(name: str) -> list[str]:
    """Return the commands in a document's shell blocks, without their comments."""
    lines = "".join(blocks((ROOT / name).read_text(), "sh")).splitlines()
    return [line.partition("#")[0].strip() for line in lines]


@pytest.mark.parametrize("name", ["README.md", "docs/playing.md", "docs/research.md"])
def test_the_commands_in_the_documents_run(name: str, tmp_path: Path) -> None:
    """Every command runs as printed, one after another, with nobody at the keyboard."""
    commands = shell_commands(name)
    assert commands
    for command in commands:
        program, *arguments = command.split()
        if program == "make":
            run = ["make", "--dry-run", "-C", str(ROOT), *arguments]
        else:
            assert program == ".venv/bin/wonderland", command
            if arguments[0] in ("serve", "host", "join"):
                continue  # these wait for others; tests/web and tests/terminal/remote run them
            run = [sys.executable, "-m", "wonderland", *arguments]
        done = subprocess.run(
            run, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (command, done.stderr)
        assert done.stdout, command


def test_the_record_in_the_documents_parses() -> None:
    text, position = blocks(RECORDS, "")
    record = read_record(text).whole
    assert record.text() == text
    assert "+?" in text
    before_the_first_turn = Match.resume(record, upto=17)
    assert before_the_first_turn.state == game("parade").read_position(position)


def test_every_header_key_is_described() -> None:
    for key in ("Game", "Rules", "Seats", "Options", "Date", "Result", "Given"):
        assert f"| `{key}` |" in RECORDS


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_and_named_files_exist(name: str) -> None:
    text = re.sub(r"^```.*?^```", "", (ROOT / name).read_text(), flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^)#:]+)\)", text)
    places = {"src", "tests", "docs", "benchmarks", "requirements", *PACKAGES}
    files = re.findall(rf"`((?:{'|'.join(places)})/[\w/]*(?:/|\.\w+))`", text)
    for link in links:
        assert (ROOT / name).parent.joinpath(link).exists(), link
    for file in files:
        if name == "docs/adding-a-game.md" and file.startswith("tests/"):
            continue  # tests that the reader writes
        assert any((home / file).exists() for home in (ROOT, SOURCE, *SOURCE.glob("games/*"))), file


def test_every_page_is_on_one_shelf() -> None:
    """The index has three sections, and lists each page in one of them."""
    index = (ROOT / "docs" / "README.md").read_text()
    shelves = [set(re.findall(r"\]\(([\w-]+\.md)\)", text)) for text in index.split("\n## ")[1:]]
    assert len(shelves) == 3
    listed = sorted(page for shelf in shelves for page in shelf)
    pages = {path.name for path in ROOT.glob("docs/*.md")} - {"README.md"}
    assert listed == sorted(pages)
    assert "(docs/README.md)" in README


@pytest.mark.parametrize("name", ["bots.md", "kernels.md"])
def test_the_python_in_the_documents_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = blocks((ROOT / "docs" / name).read_text(), "python")
    there: dict[str, Any] = {}
    exec(compile(code, name, "exec"), there)  # noqa: S102 - our own example
    if name == "bots.md":
        match = Match(game("parade"), 2, chance=Seeded(1))
        seat = seats_to_act(match.turn)[0]
        chosen = decide(there["Haughty"](), match, seat, random.Random(1), Budget())
        assert chosen.card.value == max(action.card.value for action in match.legal(seat))
    else:
        assert "of 1000 won" in capsys.readouterr().out

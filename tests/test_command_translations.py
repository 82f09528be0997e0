"""Commands speak the language of the user: everything they print, tables and errors included."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from support.paths import RECORDS
from support.pseudo_locale import (
    CODE,
    install_pseudo_language,
    outside_brackets,
    words_outside_brackets,
)
from wonderland.cli import main
from wonderland.engine.registry import game, game_names

pytestmark = pytest.mark.slow

PARADE = str(RECORDS / "parade" / "3-players-sixth-colour.record")
POSITION = "parade stage=play turn=1 hands=B7,Y3/G2,R5 parade=B1,G4 deck=?10 collections=-/-"
OPTIONS = [option for name in game_names() for option in game(name).info.options]
SAME = {"wonderland", "MiB", "Hatter", "Cheshire", *game_names()}
SAME |= {
    word
    for option in OPTIONS
    for text in (option.name, *option.examples)
    for word in re.split("[_,]", text)
}
"""Words that are the same in every language: names, options and their values."""
WRONG_ARGUMENTS = [
    ["simulate"],
    ["tea"],
    ["admin", "tea"],
    ["play", "--seats"],
    ["play", "--plain=yes"],
    ["serve", "--port", "many"],
    ["serve", "--log", "all"],
    ["simulate", "parade", "--s", "3"],
    ["arena", "parade", "dodo", "dodo", "--games", "20"],
    ["replay", PARADE, "letters"],
]
"""What `argparse` itself finds wrong: missing, unknown, ambiguous, too many, or of another type."""
TECHNICAL = re.compile(
    r"wonderland [a-z].*|--[\w-]+(?:=\S+)?|\b[A-Z]{3,}(?:_[A-Z]+)*\b|'[^']*'|\S*[/=@:]\S*"
    r"|\S+\.(?:py|toml|record|json|svg)\b"
)
"""Commands, flags, placeholders, quoted words, paths and options."""


def untranslated(text: str) -> list[str]:
    return [
        word
        for word in words_outside_brackets(TECHNICAL.sub(" ", outside_brackets(text)))
        if word not in SAME
    ]


def run(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(["--language", CODE, *words])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture(autouse=True)
def pseudo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install_pseudo_language(monkeypatch)
    monkeypatch.setattr("sys.stdin", io.StringIO("xx\n1\n"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "parade", "--games", "30", "--seats", "6"],
        ["simulate", "letters", "--games", "6", "--bots", "dodo,dodo,cheshire@2"],
        ["simulate", "cookies", "--games", "20", "--option", "hand_size=3"],
        ["simulate", "letters", "--games", "20", "--versus", "claim=first"],
        ["arena", "parade", "dodo", "hatter@2", "dodo@3", "--deals", "2"],
        ["arena", "cookies", "dodo", "dodo", "--deals", "300", "--until-clear"],
        ["solve", "letters", "--claim", "first"],
        ["insights", "parade"],
        ["insights", "letters"],
        ["insights", "cookies"],
        ["puzzles", "parade"],
        ["puzzles", "letters"],
        ["puzzles", "cookies"],
        ["replay", PARADE],
        ["replay", PARADE, "--at", "4", "--seat", "Hatter"],
        ["coach", PARADE, "--budget", "5"],
        ["games"],
    ],
    ids=" ".join,
)
def test_output_is_translated(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(words, capsys)
    assert (code, err) == (0, "")
    assert "⟦" in out
    assert untranslated(out) == []


@pytest.mark.parametrize(
    "words",
    [
        ["play", "chess"],
        ["play", "parade", "--seats", "me"],
        ["play", "letters", "--seats", "me,hatter"],
        ["play", "parade", "--first", "nobody"],
        ["play", "parade", "--bots", "nobody"],
        ["play", "--bots", "nobody"],
        ["play", "--claim", "first"],
        ["play", "parade", "--tea"],
        ["play", "parade", "--pace", "slower"],
        ["play", "parade", "--resume", PARADE],
        ["play", "--resume", "missing.record"],
        ["play", "parade", "--record", PARADE],
        ["play", "cookies", "--board", "missing.toml"],
        ["simulate", "parade", "--games", "many"],
        ["simulate", "parade", "--option", "tea"],
        ["simulate", "parade", "--option", "tea=two"],
        ["simulate", "parade", "--bots", "dodo,dodo", "--seats", "3"],
        ["simulate", "parade", "--bots", "dodo@x"],
        ["simulate", "parade", "--bots", "no.module:Bot"],
        ["simulate", "parade", "--bots", "random:nothing"],
        ["simulate", "parade", "--bots", "collections:OrderedDict"],
        ["simulate", "parade", "--json", PARADE],
        ["simulate", "parade", "--json", "missing/file.json"],
        ["simulate", "parade", "--plot", "plot.gif"],
        ["simulate", "letters", "--versus", "claim=first", "--option", "claim=first"],
        ["simulate", "letters", "--versus", "claim=first", "--decisions", "new.parquet"],
        ["simulate", "parade", "--cluster", "nowhere"],
        ["arena", "parade", "dodo"],
        ["solve", "parade"],
        ["insights", "parade", "letters"],
        ["insights", "--games", "3"],
        ["insights", "make", "--out", "found.json"],
        ["puzzles", "parade", "letters"],
        ["puzzles", "parade", "--date", "tomorrow"],
        ["puzzles", "parade", "--seats", "3"],
        ["puzzles", "make"],
        ["puzzles", "make", "parade", "--date", "2026-12-24"],
        ["puzzles", "make", "parade", "--seats", "9"],
        ["puzzles", "make", "parade", "--seed", "two words"],
        ["coach"],
        ["coach", "missing.record"],
        ["coach", PARADE, "--seat", "Nobody"],
        ["coach", "--position", "parade", "--json", "-"],
        ["coach", "--position", "parade stage=tea"],
        ["replay", "missing.record"],
        ["replay", PARADE, "--at", "999"],
        ["verify", PARADE],
        ["verify", "missing.record"],
        ["rules", "parade", "P99"],
        ["join", "nowhere"],
        ["join", "http://127.0.0.1:9/tables/x"],
        ["join", "http://127.0.0.1:9/tables/x#a b"],
        ["host", "parade", "--server", "ftp://nowhere"],
        ["host", "parade", "--bots", "dodo,dodo", "--seats", "2"],
        ["serve", "--port", "99999"],
        ["serve", "--workers", "99"],
        ["serve", "--key", PARADE],
        ["serve", "--limit", "tea=1"],
        ["serve", "--limit", "pages-waiting=many"],
        ["serve", "--trusted-proxy", "tea"],
        ["admin", "backup"],
        ["admin", "check", "copy.db"],
        ["admin", "prune", "--days", "0"],
        ["serve", "--host", "192.0.2.1"],
        *WRONG_ARGUMENTS,
    ],
    ids=" ".join,
)
def test_errors_are_translated(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(words, capsys)
    assert (code, out) == (2, "")
    assert err.startswith("wonderland: ⟦")
    assert untranslated(err) == []


def test_the_version_is_translated(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--version"], ["--version", "--language", CODE]):
        with pytest.raises(SystemExit) as left:
            main(["--language", CODE, *words])
        assert left.value.code == 0
        out = capsys.readouterr().out
        assert "⟦" in out
        assert [word for word in untranslated(out) if word != "Python"] == []

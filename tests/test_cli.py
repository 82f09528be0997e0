"""The command line as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import RECORDS
from wonderland import __version__
from wonderland.cli import main
from wonderland.engine import Match, game_names, read_record

GOOD = RECORDS / "parade" / "3-players-sixth-colour.record"


def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "wonderland", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


def test_version_and_help() -> None:
    said = run("--version").stdout
    assert said.startswith(f"wonderland {__version__} (kernels ")
    assert "compiled" in said
    text = run("--help").stdout
    for word in ("play", "replay", "rules", "games"):
        assert f"wonderland {word}" in text
        assert run(word, "--help").returncode == 0


def test_games_lists_seats_options_and_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    text = capsys.readouterr().out
    for line in (
        "parade: ",
        "2 to 6 players",
        "claim: after or first (default: after)",
        "hand_size: 3 or 2 (default: 3)",
        "Naoki Homma",
    ):
        assert line in text


@pytest.mark.parametrize("name", game_names())
def test_rules_are_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", name]) == 0
    text = capsys.readouterr().out
    assert text.startswith("# ")
    number = f"{name[0].upper()}3"
    assert main(["rules", name.upper(), number.lower()]) == 0
    one = capsys.readouterr().out
    assert one.startswith(f"- **{number}** ")
    assert main(["rules", name, "Z9"]) == 2
    assert f"{name.title()} has no rule 'Z9'. Its rules are {number[0]}1," in capsys.readouterr().err


def test_a_recorded_game_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(GOOD)]) == 0
    assert "The record is complete" in capsys.readouterr().out
    assert main(["replay", str(GOOD), "--at", "3", "--seat", "Hatter"]) == 0
    assert capsys.readouterr().out.startswith("Move 3 of ")
    assert main(["replay", str(GOOD), "--at", "300"]) == 2
    assert "there is no position 300" in capsys.readouterr().err
    assert main(["replay", str(GOOD), "--seat", "Nobody"]) == 2
    assert "nobody called 'Nobody' plays" in capsys.readouterr().err


def test_a_broken_record_shows_the_position_up_to_the_error_and_one_sentence(tmp_path: Path) -> None:
    lines = GOOD.read_text().split("\n")
    lines[15] = lines[15].partition(":")[0] + ": R11"
    broken = tmp_path / "broken.record"
    broken.write_text("\n".join(lines))
    done = run("replay", str(broken))
    assert done.returncode == 2
    assert "The parade, from front to end" in done.stdout
    assert done.stderr.startswith(f"wonderland: {broken}, line 16, column ")
    assert "'R11' isn't a card" in done.stderr
    assert done.stderr.count("\n") == 1


def test_invalid_arguments_are_reported_in_one_sentence(tmp_path: Path) -> None:
    for arguments, sentence in [
        (["replay", "nowhere"], "'nowhere' can't be read: No such file or directory."),
        (["rules", "chess"], "there is no game called 'chess'"),
        (["play", "chess"], "there is no game called 'chess'"),
        (["play", "parade", "--seats", "me"], "Parade is for 2 to 6 players, not 1 (rule P2)."),
        (["play", "parade", "--seats", "A,A"], "two seats have the same name: A, A."),
        (["play", "letters", "--claim", "x"], "claim must be one of after, first."),
        (
            ["play", "letters", "--hats=2"],
            "unknown option: --hats=2. The options of Letters are --claim, ",
        ),
        (["play", "parade", "--resume", str(GOOD)], "--resume can't be combined"),
        (["play", "parade", "--record", str(GOOD)], "already exists. Continue it with --resume"),
        (["replay", str(GOOD), "--seat", "9" * 5000], "plays in this game. The seats are"),
        (["replay", str(GOOD), "--at", "9" * 40], "there is no position"),
        (["play", "--duchess"], "Put the name of a game before its options"),
        (["play", "parade", "--pace", "never"], "--pace must be"),
        (["play", "cookies", "--board", "none.toml"], "none.toml"),
        (["play", "parade", "--record", str(tmp_path / "no" / "x")], "can't be written"),
    ]:
        done = run(*arguments)
        assert done.returncode == 2, arguments
        assert done.stderr.startswith("wonderland: ")
        assert sentence in done.stderr
        assert done.stderr.count("\n") == 1
    (tmp_path / "noise").write_bytes(bytes(range(256)))
    assert run("replay", str(tmp_path / "noise")).returncode == 2


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ([], ["wonderland play", "wonderland --help"]),
        (["--language"], ["--language", "wonderland --help"]),  # once asked for its own language forever
        (["games", "--language"], ["--language", "wonderland games --help"]),
        (["croquet"], ["'croquet'", "play, replay, rules"]),
        (["admin", "croquet"], ["'croquet'", "backup, restore"]),
        (["admin", "stats", "--database", "nowhere.db"], ["nowhere.db", "--database FILE"]),
        (["admin", "backup", "copy.db", "--database", "nowhere.db"], ["nowhere.db", "--database FILE"]),
        (["admin", "restore", "nowhere.db"], ["nowhere.db", "backup"]),
    ],
)
def test_an_incomplete_command_line_is_answered_with_what_to_type(
    arguments: list[str], parts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("wonderland: ")
    assert error.count("\n") == 1
    assert "ACTION" not in error
    assert "COMMAND" not in error
    for part in parts:
        assert part in error


def test_an_unknown_option_is_answered_with_those_of_the_command() -> None:
    done = run("arena", "parade", "dodo", "queen", "--games", "20")
    assert done.returncode == 2
    assert done.stderr.startswith("wonderland: unknown option: --games 20. ")
    assert "--deals" in done.stderr
    assert done.stderr.endswith(" See 'wonderland arena --help'.\n")
    assert done.stderr.count("\n") == 1


def test_a_whole_game_is_played_saved_and_repeated_by_its_seed(tmp_path: Path) -> None:
    first, second = tmp_path / "1.record", tmp_path / "2.record"
    for path in (first, second):
        done = run("play", "parade", "--seed", "tea", "--record", str(path), typed="1\n" * 80)
        assert done.returncode == 0
        assert "The game is over" in done.stdout
    assert first.read_bytes() == second.read_bytes()
    assert read_record(first.read_bytes()).whole.result is not None


def test_leaving_saves_the_game_and_resuming_continues_it(tmp_path: Path) -> None:
    path = tmp_path / "tonight.record"
    done = run("play", "letters", "--seats", "Alice,bot", "--record", str(path), typed="1\n2\n")
    assert done.returncode == 0
    assert f"The game is saved in {path}." in done.stdout
    kept = read_record(path.read_bytes()).whole
    free = Match.resume(kept).legal(0)[0]  # the bot may have turned any card
    done = run("play", "--resume", str(path), typed=f"{kept.game.write(free)}\nquit\n")
    assert done.returncode == 0
    longer = read_record(path.read_bytes()).whole
    assert len(longer.moves) > len(kept.moves)
    assert longer.moves[: len(kept.moves)] == kept.moves


def test_the_game_is_asked_for_and_end_of_input_ends_cleanly() -> None:
    done = run("play", typed="3\n1\n1\n")
    assert "Which game?" in done.stdout
    assert "Alice's hand:" in done.stdout
    assert done.stdout.endswith("Goodbye.\n")
    assert done.returncode == 0
    assert run("play").returncode == 0


def test_a_closed_output_pipe_is_not_an_error() -> None:
    command = f"{sys.executable} -m wonderland replay {GOOD} | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)  # noqa: S602
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
@pytest.mark.parametrize("command", ["games", "simulate letters --games=10 --json=-"])
def test_a_full_disk_is_reported_in_one_sentence(command: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "wonderland", *command.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.stderr == "wonderland: the output can't be written: No space left on device.\n"
    assert done.returncode == 2


def test_an_unexpected_error_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> int:
        raise FileNotFoundError(2, "No such file")

    monkeypatch.setattr("wonderland.cli._games", fail)
    with pytest.raises(FileNotFoundError):
        main(["games"])


def test_no_character_stops_a_game() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "wonderland", "play", "parade", "--plain"],
        input=b"caf\xe9\n1\n",
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"Goodbye" in done.stdout


def test_an_interrupt_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert main(["play"]) == 130

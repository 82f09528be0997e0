"""The lab's commands end to end: what they print and write, and their errors."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from support.paths import SOURCE, TESTS
from wonderland.engine.registry import game, game_names

Runner = Callable[..., Any]
PICTURES = pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")
PARQUET = pytest.mark.skipif(find_spec("pyarrow") is None, reason="pyarrow is not installed")


@pytest.fixture(autouse=True)
def _run_beside_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TESTS)


def test_a_table_summarizes_many_games(run: Runner) -> None:
    answer = run("simulate", "Parade", "--games", "2_000", "--seats", "3", "--seed", "tea")
    assert answer.code == 0
    assert answer.err == ""
    lines = answer.out.splitlines()
    assert lines[0] == "Parade: 2,000 games, 3 seats, seed 'tea'"
    for words in (
        "Seat",
        "Turn order",
        "Advantage",
        "How games end",
        "Shared win",
        "95% interval",
        "Lowest",
        "Moves per game",
    ):
        assert words in answer.out
    assert max(map(len, lines)) <= 80
    assert answer.out.replace("\N{MINUS SIGN}", "-").isascii()
    again = run("simulate", "parade", "--games=2k", "--seats=3", "--seed=tea", "--workers=3")
    assert again.out == answer.out


@pytest.mark.parametrize("name", game_names())
def test_every_game_with_every_number_of_seats(name: str, run: Runner, tmp_path: Path) -> None:
    for seats in game(name).info.seats:
        path = tmp_path / f"{seats}.csv"
        answer = run("simulate", name, "--games=40", "--seats", seats, "--csv", path)
        assert answer.code == 0
        assert len(path.read_text().splitlines()) == 41


def test_a_random_seed_is_printed_for_reuse(run: Runner) -> None:
    first = run("simulate", "letters", "--games=300")
    seed = first.out.splitlines()[0].split("seed '")[1].rstrip("'")
    assert run("simulate", "letters", "--games=300", "--seed", seed).out == first.out


def test_json_holds_what_the_table_shows(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    asked = ("simulate", "parade", "--games=120", "--seed=tea", "--bots=dodo,dodo@1")
    shown = run(*asked, "--json", path)
    found = json.loads(path.read_text())
    assert json.loads(run(*asked, "--json", "-").out) == found
    assert found["games"] == found["asked"] == 120
    assert found["bots"] == ["dodo", "dodo@1"]
    assert sum(seat["wins"]["value"] for seat in found["seats"]) == pytest.approx(1)
    for seat in found["seats"]:
        assert sum(seat["score"]["counts"].values()) == 120
        assert f"{100 * seat['wins']['value']:.1f}%" in shown.out
    assert sum(ending["share"]["value"] for ending in found["endings"]) == pytest.approx(1)


def test_csv_has_every_game_and_sums_to_the_table(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    found = json.loads(
        run("simulate", "cookies", "--games=700", "--skip=5", "--seed=x", "--csv", path, "--json=-").out
    )
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [int(row["game"]) for row in rows] == list(range(5, 705))
    for seat in (1, 2):
        wins = sum(1 / len(row["winners"].split()) for row in rows if str(seat) in row["winners"])
        assert wins / 700 == pytest.approx(found["seats"][seat - 1]["wins"]["value"])
        counts = Counter(row[f"score_{seat}"] for row in rows)
        assert counts == found["seats"][seat - 1]["score"]["counts"]
    lengths = Counter(row["decisions"] for row in rows)
    assert lengths == found["length"]["counts"]
    endings = Counter(row["ending"] for row in rows)
    assert {part["name"]: round(700 * part["share"]["value"]) for part in found["endings"]} == endings
    assert {row["first"] for row in rows} == {"1", "2"}
    assert list(tmp_path.iterdir()) == [path]


@PARQUET
def test_parquet_matches_csv(run: Runner, tmp_path: Path) -> None:
    from pyarrow import parquet  # noqa: PLC0415 - it may not be installed

    lines, table = tmp_path / "games.csv", tmp_path / "games.parquet"
    options = ("--option=claim=after", "--versus=claim=first", "--seed=x", "--games=100")
    answer = run("simulate", "letters", *options, "--csv", lines, "--parquet", table, "--workers=2")
    assert answer.code == 0
    rows = [
        {name: str(value) for name, value in row.items()}
        for row in parquet.read_table(table).to_pylist()
    ]
    assert rows == list(csv.DictReader(lines.read_text().splitlines()))
    assert len(rows) == 200
    assert {row["variant"] for row in rows} == {"before", "after"}


def test_an_option_can_come_from_a_file(run: Runner, tmp_path: Path) -> None:
    board = tmp_path / "board.toml"
    board.write_text((SOURCE / "wonderland/games/cookies/data/boards/default.toml").read_text())
    answer = run("simulate", "cookies", "--games=20", "--seed=tea", f"--option=board={board}")
    assert answer.code == 0
    usual = run("simulate", "cookies", "--games=20", "--seed=tea")
    assert answer.out.splitlines()[1:] == usual.out.splitlines()[1:]
    assert max(map(len, answer.out.splitlines())) <= 80
    board.unlink()
    answer = run("simulate", "cookies", "--games=20", f"--option=board={board}")
    assert answer.code == 2
    assert "can't be read: No such file or directory." in answer.err


def test_a_variant_is_compared_with_the_default(run: Runner) -> None:
    answer = run("simulate", "letters", "--games=3000", "--seed=tea", "--versus", "claim=first")
    assert "Before  Letters: 3,000 games" in answer.out
    assert "After   Letters (claim=first): 3,000 games" in answer.out
    (length,) = [line for line in answer.out.splitlines() if line.startswith("Moves")]
    assert length.split()[-1] == "yes"
    assert max(map(len, answer.out.splitlines())) <= 80


@PICTURES
@pytest.mark.parametrize("kind", ["svg", "png"])
def test_charts_have_descriptions(kind: str, run: Runner, tmp_path: Path) -> None:
    expected = {
        ("simulate", "parade", "--games=300", "--seats=3"): (
            "Wins, with 95% confidence intervals",
            "Seat 3",
            "Second player",
            "Final score",
            "Moves per game",
            "How games end",
            "sixth colour",
        ),
        ("simulate", "letters", "--games=300", "--versus=claim=first"): (
            "Differences, with 95% confidence intervals (* clear)",
            "claim=first",
            "Standard rules",
            "Seat 1 wins",
        ),
        ("arena", "parade", "dodo", "support.sample_bots:First", "--deals=4"): (
            "Ratings, with 95% confidence intervals",
            "OpenSkill rating",
            "Wins of each row against each column",
            "First",
        ),
    }
    for number, (arguments, words) in enumerate(expected.items()):
        path = tmp_path / f"{number}.{kind}"
        assert run(*arguments, "--seed=tea", "--workers=1", "--plot", path).code == 0
        drawn = path.read_bytes()
        if kind == "png":
            assert drawn.startswith(b"\x89PNG\r\n\x1a\n")
            continue
        assert drawn.startswith(b"<?xml")
        for word in words:
            assert word in drawn.decode()
        assert b"<dc:date>" not in drawn  # the same result gives the same file


def test_a_tournament_is_printed(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "standing.json"
    bots = ("dodo", "support.sample_bots:First", "support.sample_bots:Searcher@1")
    asked = ("arena", "parade", *bots, "--deals=3", "--seed=tea", "--workers=1")
    answer = run(*asked, "--json", path)
    assert answer.code == 0
    assert answer.out.startswith("Parade: 18 games, 3 deals, 2 seats, seed 'tea'\n")
    assert max(map(len, answer.out.splitlines())) <= 80
    found = json.loads(path.read_text())
    assert {bot["bot"] for bot in found["bots"]} == set(bots)
    assert len(found["pairs"]) == 3
    ratings = [bot["rating"]["value"] for bot in found["bots"]]
    assert ratings == sorted(ratings, reverse=True)
    mixed = run("arena", "parade", *bots[:2], "--seats=4", "--deals=1", "--workers=1")
    assert "8 games, 1 deal, 4 seats," in mixed.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["parade", "--games", "0"], "--games must be a whole number, 1 or more"),
        (["parade", "--games", "many"], "--games must be"),
        (["parade", "--games", "1.5"], "--games must be"),
        (["parade", "--games", "1e99"], "--games must be"),
        (["parade", "--games", "9" * 5000], "must be a whole number"),
        (["parade", "--skip", "-1"], "--skip must be"),
        (["parade", "--workers", "0"], "--workers must be"),
        (["chess"], "there is no game called 'chess'"),
        (["parade", "--seats", "7"], "Parade is for 2 to 6 players, not 7 (rule P2)."),
        (["parade", "--seats", "two"], "--seats must be"),
        (["parade", "--bots", "dodo,dodo,dodo", "--seats", "2"], "--bots names 3 bots for 2 seats"),
        (["parade", "--bots", "jabberwock"], "there is no bot called 'jabberwock'. "),
        (["parade", "--option", "wild=yes"], "Parade has no options, so 'wild' can't be set"),
        (["letters", "--option", "claim"], "'claim' needs a value"),
        (["letters", "--option", "claim=never"], "claim must be one of after, first"),
        (["letters", "--versus", "claim=after"], None),
        (["letters", "--option=claim=first", "--versus=claim=first"], "describes the same variant"),
        (["parade", "--plot", "wins.gif"], "must name a file ending in .svg or .png"),
        (
            ["parade", "--csv", str(TESTS / "conftest.py")],
            "already exists. Choose another file for --csv.",
        ),
        (["parade", "--json", "nowhere/found.json"], "can't be written: the folder doesn't exist."),
        (["parade", "--csv", "a\0b"], "invalid file name"),
    ],
)
def test_invalid_arguments_are_reported_in_one_sentence(
    arguments: list[str], sentence: str | None, run: Runner
) -> None:
    answer = run("simulate", *arguments, *([] if "--games" in arguments else ["--games", "10"]))
    if sentence is None:
        assert answer.code == 0
        return
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("wonderland: ")
    assert sentence in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["parade", "dodo"], "a tournament needs two or more bots"),
        (["parade", "dodo", "dodo@much"], "'dodo@much' has an invalid limit"),
        (["parade", "dodo", "dodo", "--deals", "none"], "--deals must be"),
        (
            ["parade", "dodo", "support.sample_bots:Cheat"],
            "the bot support.sample_bots:Cheat chose 'an ace from the sleeve'",
        ),
    ],
)
def test_invalid_tournament_arguments_are_reported_in_one_sentence(
    arguments: list[str], sentence: str, run: Runner
) -> None:
    answer = run("arena", *arguments, "--workers", "1")
    assert answer.code == 2
    assert sentence in answer.err
    assert answer.err.count("\n") == 1


def test_a_missing_package_is_named(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, flag, file in [("matplotlib", "plot", "x.svg"), ("pyarrow", "parquet", "x.parquet")]:
        monkeypatch.setitem(sys.modules, module, None)  # as if it were not installed
        answer = run("simulate", "parade", "--games=10", f"--{flag}", tmp_path / file)
        assert answer.code == 2
        assert (
            f"--{flag} needs {module}, which isn't installed. Install it with: pip install 'wonderland["
            in answer.err
        )
    assert list(tmp_path.iterdir()) == []


def test_a_failed_run_leaves_no_file(run: Runner, tmp_path: Path) -> None:
    answer = run(
        "simulate",
        "parade",
        "--games=5",
        "--bots=support.sample_bots:Stumbler",
        "--csv",
        tmp_path / "games.csv",
    )
    assert answer.code == 2
    assert "the bot support.sample_bots:Stumbler raised IndexError" in answer.err
    assert "in game 0 of seed" in answer.err
    assert list(tmp_path.iterdir()) == []


def run_and_interrupt(tmp_path: Path, sign: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command as in a terminal, and press Ctrl-C once this file has content."""
    path = tmp_path / sign
    process = subprocess.Popen(
        [sys.executable, "-m", "support.lab_command", *arguments, "--csv", str(tmp_path / "games.csv")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(SOURCE), "ASLEEP": str(path)},
    )
    deadline = time.monotonic() + 20
    while not (path.exists() and path.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no process groups to interrupt")
def test_ctrl_c_prints_the_result_so_far(tmp_path: Path) -> None:
    done = run_and_interrupt(
        tmp_path, ".games.new.csv", "simulate", "parade", "--games=1e9", "--seed=tea"
    )
    assert done.returncode == 130
    assert done.stderr == ""
    assert "Interrupted: these are the results of " in done.stdout
    assert " of 1,000,000,000 games." in done.stdout
    games = len((tmp_path / "games.csv").read_text().splitlines()) - 1
    assert f"Parade: {games:,} games, 2 seats, seed 'tea'" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="Windows has no process groups to interrupt")
def test_ctrl_c_does_not_wait_for_a_sleeping_bot(tmp_path: Path) -> None:
    began = time.monotonic()
    done = run_and_interrupt(
        tmp_path,
        "asleep",
        "simulate",
        "parade",
        "--games=1e6",
        "--seed=1",
        "--bots=support.sample_bots:Sleeper",
        "--workers=2",
    )
    assert done.returncode == 130
    assert time.monotonic() - began < 30
    assert "Interrupted: " in done.stdout

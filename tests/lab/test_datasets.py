"""Datasets of decisions: every row matches its record, and the same seed gives the same file."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from support.paths import ROOT, TESTS
from wonderland.components.learning import learning, length, rewards
from wonderland.engine import Match, game, game_names, read_record
from wonderland.engine.errors import FileProblem
from wonderland.engine.match import seats_to_act
from wonderland.engine.options import read_options, read_pairs
from wonderland.engine.serialization import from_plain
from wonderland.lab import datasets
from wonderland.lab.datasets import FIELDS, NUMBERS, DecisionsFile
from wonderland.lab.decisions import decision
from wonderland.lab.game_runner import GameSetup, Simulation, play_numbers
from wonderland.lab.run import Run

pytestmark = pytest.mark.skipif(find_spec("pyarrow") is None, reason="pyarrow is not installed")
Runner = Callable[..., Any]
OPTIONS = {"cookies": "hand_size=2", "letters": "memory=open"}


@pytest.fixture(autouse=True)
def _run_beside_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TESTS)


def make_dataset(run: Runner, path: Path, name: str, *more: str) -> tuple[list[dict[str, Any]], Any]:
    """The rows and the description of a new dataset of four games."""
    from pyarrow import parquet  # noqa: PLC0415 - it may not be installed

    asked = ("--seed=tea", "--games=4", "--skip=3", "--workers=1", "--decisions", path)
    assert run("simulate", name, *asked, *more).code == 0
    table = parquet.read_table(path)
    return table.to_pylist(), json.loads(table.schema.metadata[datasets.KEY])


def check(row: dict[str, Any], about: dict[str, Any]) -> None:
    """Check that a row matches its record."""
    record = read_record(row["record"]).whole
    rules, seat = game(row["game"]), row["seat"]
    options = read_options(rules, read_pairs(row["options"].split()))
    assert (len(record.names), record.options) == (row["seats"], options)
    match = Match.resume(record, upto=row["moves"])
    view, legal = match.view(seat), match.legal(seat)
    assert seat in seats_to_act(match.turn)
    assert from_plain(rules.view_type, json.loads(row["view"])) == view
    assert row["legal"] == [rules.write(action) for action in legal]
    assert row["choice"] in row["legal"]
    move = record.moves[row["moves"]]
    assert (move.actor, rules.write(move.action)) == (seat, row["choice"])
    assert row["bot"] == about["bots"][seat]
    result = record.result
    assert result is not None
    assert (row["winners"], row["scores"]) == (list(result.winners), list(result.scores))
    assert row["ending"] == result.ending
    assert row["reward"] == pytest.approx(rewards(result.winners, row["seats"])[seat])
    shown = learning(row["game"])
    assert shown is not None
    assert bytes(row["observation"]) == shown.observe(view)
    assert len(row["observation"]) == sum(feature["size"] for feature in about["features"])
    assert [shown.action(view, number) for number in row["legal_numbers"]] == list(legal)
    assert row["choice_number"] == row["legal_numbers"][row["legal"].index(row["choice"])]
    assert len(about["actions"]) == shown.actions(row["seats"], options)


@pytest.mark.parametrize("name", game_names())
def test_every_row_matches_its_record(name: str, run: Runner, tmp_path: Path) -> None:
    seats = game(name).info.seats
    options = OPTIONS.get(name)
    more = [f"--seats={seats[-1]}", *([f"--option={options}"] if options else [])]
    rows, about = make_dataset(run, tmp_path / "d.parquet", name, *more)
    assert {row["number"] for row in rows} == {3, 4, 5, 6}
    for row in rows:
        check(row, about)
    for number in range(3, 7):
        its = [row for row in rows if row["number"] == number]
        moves = read_record(its[0]["record"]).whole.moves
        made = [place for place, move in enumerate(moves) if isinstance(move.actor, int)]
        assert [row["moves"] for row in its] == made  # not one is missing
    assert (about["schema"], about["version"], about["seed"]) == ("decisions", 1, "tea")
    assert about["rules_version"] == game(name).info.rules_version


def test_the_file_does_not_depend_on_the_executor(run: Runner, tmp_path: Path) -> None:
    asked = ("simulate", "parade", "--games=20", "--seed=tea", "--bots=dodo,support.sample_bots:First")
    files = [tmp_path / f"{workers}.parquet" for workers in (1, 2)]
    tables = [
        run(*asked, "--workers", workers, "--decisions", path).out
        for workers, path in enumerate(files, start=1)
    ]
    assert tables[0] == tables[1]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert run(*asked, "--workers=1").out == tables[0]  # these bots play the same game unobserved


def test_row_groups_contain_whole_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyarrow import parquet  # noqa: PLC0415 - it may not be installed

    monkeypatch.setattr(datasets, "GROUP", 40)
    one = Simulation(GameSetup("parade", 2), ("dodo", "white-rabbit"), "tea")
    path = tmp_path / "d.parquet"
    file = DecisionsFile(str(path), one)
    waiting = []
    run = Run((one,), 9, chunk=2, play_keepers=(file,))
    run.play(lambda _: waiting.append(len(file._buffer)))
    assert max(waiting) < 40
    file.close(wanted=True)
    groups = parquet.ParquetFile(path)
    numbers = [
        groups.read_row_group(group, columns=["number"]).column("number").to_pylist()
        for group in range(groups.num_row_groups)
    ]
    assert all(len(each) >= 40 for each in numbers[:-1])
    assert len(numbers) > 3
    sets = [set(each) for each in numbers]
    assert sum(map(len, sets)) == len(set.union(*sets)) == 9


def test_the_totals_match_the_rows(tmp_path: Path, run: Runner) -> None:
    path = tmp_path / "d.parquet"
    rows, _ = make_dataset(run, path, "cookies", "--csv", str(tmp_path / "games.csv"))
    lines = (tmp_path / "games.csv").read_text().splitlines()[1:]
    for line in lines:
        number, winners, *_ = line.split(",")
        its = [row for row in rows if row["number"] == int(number)]
        assert {tuple(row["winners"]) for row in its} == {tuple(int(n) - 1 for n in winners.split())}


def test_a_game_without_an_encoding_has_the_other_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pyarrow import parquet  # noqa: PLC0415 - it may not be installed

    for module in ("datasets", "decisions"):
        monkeypatch.setattr(f"wonderland.lab.{module}.learning", lambda _: None)
    one = Simulation(GameSetup("letters", 2), ("dodo",) * 2, "tea")
    file = DecisionsFile(str(tmp_path / "d.parquet"), one)
    Run((one,), 2, play_keepers=(file,)).play()
    file.close(wanted=True)
    assert parquet.read_table(tmp_path / "d.parquet").column_names == [each.name for each in FIELDS]


def test_polars_reads_the_file(run: Runner, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    path = tmp_path / "d.parquet"
    rows, about = make_dataset(run, path, "parade")
    found = polars.read_parquet(path)
    assert found["choice"].to_list() == [row["choice"] for row in rows]
    legal = found.select(polars.col("legal").list.contains(polars.col("choice")))
    assert legal.to_series().all()
    assert found["observation"].dtype == polars.Array(polars.Int8, length_of(about))


def length_of(about: dict[str, Any]) -> int:
    shown, rules = learning(about["game"]), game(about["game"])
    assert shown is not None
    return length(shown.features(about["seats"], rules.options_type()))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--versus=claim=first"], "--decisions can't be combined with --versus"),
        (
            ["--bots=support.sample_bots:Stumbler"],
            "the bot support.sample_bots:Stumbler raised IndexError",
        ),
    ],
)
def test_a_failure_leaves_no_file(
    arguments: list[str], sentence: str, run: Runner, tmp_path: Path
) -> None:
    asked = ("--games=3", "--workers=1", "--decisions", tmp_path / "d.parquet")
    answer = run("simulate", "letters", *asked, *arguments)
    assert answer.code == 2
    assert sentence in answer.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(find_spec("resource") is None, reason="Windows has no such limit")
@pytest.mark.parametrize(
    ("flag", "games", "room"),
    [
        ("decisions", 2, 100),
        ("decisions", 40, 9000),
        ("parquet", 900, 2000),
        ("csv", 900, 9000),
        ("json", 9, 500),
    ],
)
def test_a_full_disk_is_reported_and_no_partial_file_is_left(
    flag: str, games: int, room: int, tmp_path: Path
) -> None:
    """A file with a size limit is equivalent: at its end, or between row groups."""
    file = f"{flag}.parquet"
    asked = ["simulate", "letters", f"--games={games}", "--seed=tea", "--workers=1", f"--{flag}={file}"]
    limited = (
        f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room})); "
        "import sys; from wonderland.cli import main; from wonderland.lab import datasets; "
        "datasets.GROUP = 200; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", limited, *asked],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == f"wonderland: '{file}' can't be written: File too large.\n"
    assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_disappears_is_reported(tmp_path: Path) -> None:
    one = Simulation(GameSetup("parade", 2), ("dodo",) * 2, "tea")
    with pytest.raises(FileProblem, match=r"can't be written: .*No such file or directory"):
        DecisionsFile(str(tmp_path / "gone" / "d.parquet"), one)


class Reader:
    """An observer that records what it sees."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def decides(self, match: Any, seat: int, action: Any) -> None:
        self.seen.append(decision(match, seat, action).choice)

    def ended(self, number: int, match: Any, result: Any) -> None:
        self.seen.append((number, result.winners))


def test_every_observer_sees_the_same_game() -> None:
    one = Simulation(GameSetup("letters", 2), ("dodo",) * 2, "tea")
    readers = [Reader(), Reader()]
    rows = [play_numbers(one, 5, 2, reader).numbers for reader in readers]
    assert rows[0] == rows[1]
    assert readers[0].seen == readers[1].seen
    assert [each[0] for each in readers[0].seen if isinstance(each, tuple)] == [5, 6]


def test_the_dataset_card_describes_every_field_and_its_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], run: Runner
) -> None:
    text = (ROOT / "docs" / "datasets.md").read_text(encoding="utf-8")
    for field in (*FIELDS, *NUMBERS):
        assert (
            f"| `{field.name}` | {field.kind.replace('fixed_size_list', 'list')} | {field.meaning} |"
            in text
        )
    assert f"version is {datasets.VERSION}." in text
    (shell,) = re.findall(r"^```sh\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    assert run(*shell.replace("--games 1000", "--games 5").split()[1:]).code == 0
    (code,) = re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    exec(compile(code, "datasets.md", "exec"), {})  # noqa: S102 - our own example
    rows, numbers, _, _ = capsys.readouterr().out.split(maxsplit=3)
    assert int(rows) > 100
    assert int(numbers) == 499

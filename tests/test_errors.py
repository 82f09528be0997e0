"""Every kind of problem has its own class, and a command reports it in one sentence."""

from __future__ import annotations

import ast
import copy
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import wonderland
from wonderland import cli
from wonderland.bots.entrants import entrant
from wonderland.client.http import RequestDenied, ServerUnreachable
from wonderland.components import editor
from wonderland.engine import options, position, record, record_header, record_reader, serialization
from wonderland.engine.errors import (
    BotFailed,
    ClusterFailed,
    FileProblem,
    GameFailed,
    GameOver,
    IllegalAction,
    Impossible,
    NotationError,
    UsageError,
    WonderlandError,
)
from wonderland.engine.match import Match
from wonderland.engine.options import read_options, read_pairs
from wonderland.engine.record_reader import read_record
from wonderland.engine.registry import game
from wonderland.features.coach import command as coach_command
from wonderland.features.coach.model import read_report
from wonderland.features.fairness import verification
from wonderland.features.replay import command as replay_command
from wonderland.features.replay import prompt, screen
from wonderland.lab.executors import executor
from wonderland.lab.game_runner import GameSetup
from wonderland.lab.output_files import require_package
from wonderland.tables.fairness import ServerKey
from wonderland.tables.storage.interface import StorageError
from wonderland.tables.storage.location import storage_at
from wonderland.tables.stored_log import TableRefused
from wonderland.terminal import record_files
from wonderland.web import server
from wonderland.wire.problems import Refusal

RECORDS = Path(__file__).parent / "records"
GOOD = RECORDS / "parade" / "3-players-sixth-colour.record"
SOURCE = Path(wonderland.__file__).parent
MODULES = sorted(SOURCE.rglob("*.py"))
IDS = [str(path.relative_to(SOURCE)) for path in MODULES]
READERS: tuple[ModuleType, ...] = (
    *(editor, record_header, options, position, record_reader, record, serialization),
    *(coach_command, replay_command, verification),  # which name the file of a broken record
)
READERS_OF_GAMES = ("board", "notation", "options", "position")
SHELLS = (cli, server, prompt, screen)
"""Who may catch every error at once, to show it, besides the terminal."""


# Each problem


def play_on() -> None:
    """Make another move after the last one of a record."""
    match = Match.resume(read_record(GOOD.read_text()).whole)
    match.play(0, match.moves[-1].action)


PROBLEMS: list[tuple[type[WonderlandError], Callable[[], object]]] = [
    (NotationError, lambda: read_record("Game: parade\nRules: 1\nSeats: Alice\n\n").whole),
    (NotationError, lambda: read_record("Game: chess\n").whole),
    (NotationError, lambda: read_record("Game: letters\nRules: 1\nSeats: A, B\nOptions: tea=1\n").whole),
    (NotationError, lambda: read_record(b"\xff").whole),
    (NotationError, lambda: game("parade").read("tea")),
    (NotationError, lambda: game("letters").read_position("letters tea")),
    (GameOver, play_on),
    (UsageError, lambda: game("chess")),
    (UsageError, lambda: game("parade").start(7, game("parade").options_type())),
    (UsageError, lambda: read_options(game("letters"), {"claim": "never"})),
    (UsageError, lambda: read_options(game("letters"), {"tea": "true"})),
    (UsageError, lambda: read_pairs(["claim"])),
    (UsageError, lambda: Match(game("parade"), 2).undo()),
    (UsageError, lambda: entrant("parade", "walrus")),
    (UsageError, lambda: entrant("parade", "dodo@never")),
    (UsageError, lambda: entrant("parade", "no_such_module:Bot")),
    (UsageError, lambda: GameSetup("parade", 7).start()),
    (UsageError, lambda: require_package("no_such_module", "plot", "--plot")),
    (UsageError, lambda: ServerKey.from_text("tea")),
    (UsageError, lambda: storage_at("tea://pot")),
    (FileProblem, lambda: ServerKey.load(RECORDS)),
    (FileProblem, lambda: record_files.load("no such file")),
    (FileProblem, lambda: record_files.load("\0")),
    (FileProblem, lambda: record_files.save("no/such/folder", Match(game("parade"), 2).record)),
    (FileProblem, lambda: read_report(b"tea")),
]


@pytest.mark.parametrize(("kind", "cause"), PROBLEMS)
def test_every_problem_raises_its_class(
    kind: type[WonderlandError], cause: Callable[[], object]
) -> None:
    with pytest.raises(WonderlandError) as told:
        cause()
    assert type(told.value) is kind
    assert "\n" not in str(told.value)


def die(_: int) -> None:
    import os  # noqa: PLC0415 - in the process that dies

    os._exit(1)


def test_a_dead_worker_is_a_cluster_failure() -> None:
    with pytest.raises(ClusterFailed, match="crashed"):
        list(executor(2, threads=False).run(die, [1, 2, 3]))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["replay", "no such file"], "'no such file' can't be read: No such file or directory."),
        (["replay", __file__], "the header has no line for Game"),
        (["replay", str(GOOD), "--seat", "nobody"], "nobody called 'nobody' plays"),
        (["play", "chess"], "there is no game called 'chess'"),
        (["play", "letters", "--claim", "never"], "claim=never isn't possible"),
        (["simulate", "parade", "--games", "tea"], "--games must be a whole number"),
        (["simulate", "parade", "--bots", "no_such_module:Bot"], "can't be imported"),
        (["simulate", "parade", "--games", "1", "--json", "no/such/folder"], "the folder doesn't exist"),
        (["coach", "--position", "parade tea"], "'tea' doesn't belong here"),
        (["serve", "--port", "65536"], "--port must be from 0 to 65535"),
        (["join", "tea"], "'tea' isn't a link to a table"),
        (["verify", "no such file"], "'no such file' can't be read: No such file or directory."),
    ],
)
def test_a_command_prints_one_sentence_and_exits_with_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("wonderland: ")
    assert sentence in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "error",
    [
        NotationError("{name} is nothing.", name="tea"),
        Impossible("{seat} has no pile.", seat=1),
        IllegalAction("R3", "it is not in the hand", "P6"),
        GameOver("R3"),
        UsageError("no."),
        FileProblem("no."),
        GameFailed("no."),
        BotFailed("no."),
        ClusterFailed("no."),
        StorageError("no."),
        Refusal("not now", "Seat {number} is taken.", number=2),
        TableRefused("no."),
        ServerUnreachable("no."),
        RequestDenied("not now", "no."),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_survives_pickling_between_processes(error: WonderlandError) -> None:
    assert isinstance(error, WonderlandError)
    for back in (pickle.loads(pickle.dumps(error)), copy.copy(error)):  # noqa: S301 - our own bytes
        assert type(back) is type(error)
        assert str(back) == str(error)
        assert back.__dict__ == error.__dict__


# Who raises what, and who catches it


def nodes(path: Path, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
    return (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, kinds))


def names(node: ast.AST | None) -> set[str]:
    """Return the names in an expression."""
    found = () if node is None else ast.walk(node)
    return {each.id for each in found if isinstance(each, ast.Name)}


def is_one_of(path: Path, modules: tuple[ModuleType, ...]) -> bool:
    return str(path) in [module.__file__ for module in modules]


def reads_notation(path: Path) -> bool:
    if path.relative_to(SOURCE).parts[0] == "games":
        return path.stem in READERS_OF_GAMES
    return is_one_of(path, READERS)


@pytest.mark.parametrize("path", MODULES, ids=IDS)
def test_only_notation_readers_raise_notation_errors(path: Path) -> None:
    made = {name for node in nodes(path, ast.Call) for name in names(getattr(node, "func", None))}
    assert "WonderlandError" not in made, "say which kind of problem it is"
    assert reads_notation(path) or "NotationError" not in made


def except_clauses(path: Path) -> Iterator[tuple[int, set[str]]]:
    """Return the lines that catch something, and what they catch; a bare `except` catches everything."""
    for node in nodes(path, ast.ExceptHandler, ast.Call):
        if isinstance(node, ast.ExceptHandler):
            yield node.lineno, {"BaseException"} if node.type is None else names(node.type)
        elif isinstance(node, ast.Call) and "suppress" in ast.unparse(node.func):
            yield node.lineno, {name for argument in node.args for name in names(argument)}


@pytest.mark.parametrize("path", MODULES, ids=IDS)
def test_only_shells_catch_all_errors(path: Path) -> None:
    if path.relative_to(SOURCE).parts[0] != "terminal" and not is_one_of(path, SHELLS):
        assert not [line for line, caught in except_clauses(path) if "WonderlandError" in caught]

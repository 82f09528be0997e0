"""Run a game's tests on mutants of its rules, each in its own process.

Most mutants are tried quickly: the tests are collected once, and each mutant is a fork of that process
with one function's code replaced. Survivors, and faults outside functions, are retried in a process that
imports the mutant in place of its module and also plays random games under the laws.
"""

from __future__ import annotations

import inspect
import multiprocessing
import os
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple, TypeVar

import pytest
from hypothesis import Phase, settings

from wonderland.engine import game, laws
from wonderland.engine.errors import UsageError
from wonderland.engine.options import read_options

from .mutants import Mutant

T = TypeVar("T")
ROOT = Path(__file__).parent.parent.parent
PASSED = 0
_FAILED = 1
_NOT_PATCHED = 99
_MEMORY = 4 * 1024**3
_RANDOM_GAMES = 6
_FORK = multiprocessing.get_context("fork")  # a fork has pytest imported already


class Suite(NamedTuple):
    """The tests to run on each mutant."""

    game: str
    tests: tuple[Path, ...]
    with_laws: bool


def passes(suite: Suite, timeout: float) -> bool:
    """Tell whether the original rules pass the tests."""
    return [code for _, code in _run_in_forks([None], lambda _: _try(suite, None), 1, timeout)] == [
        PASSED
    ]


def run(
    suite: Suite, mutants: Sequence[Mutant], jobs: int, timeout: float
) -> Iterator[tuple[Mutant, int | None]]:
    """Yield the exit code of the tests for each mutant, or `None` after a timeout."""
    doubtful = []
    for number, code in _screen(suite, mutants, jobs, timeout):
        if code in (PASSED, _NOT_PATCHED):
            doubtful.append(mutants[number])
        else:
            yield mutants[number], code
    yield from _run_in_forks(doubtful, lambda mutant: _try(suite, mutant), jobs, timeout)


def _run_in_forks(
    tasks: Sequence[T], target: Callable[[T], None], jobs: int, timeout: float
) -> Iterator[tuple[T, int | None]]:
    """Run each task in a fork, a few at a time; yield the exit codes as they arrive."""
    waiting = list(reversed(tasks))
    running: dict[int, tuple[BaseProcess, T, float]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            task = waiting.pop()
            process = _FORK.Process(target=target, args=(task,))
            process.start()
            running[process.sentinel] = process, task, time.monotonic() + timeout
        first_deadline = min(deadline for _, _, deadline in running.values())
        wait(list(running), timeout=max(0.0, first_deadline - time.monotonic()))
        for sentinel, (process, task, deadline) in list(running.items()):
            if not process.is_alive():
                del running[sentinel]
                yield task, process.exitcode
            elif time.monotonic() >= deadline:
                process.kill()
                process.join()
                del running[sentinel]
                yield task, None


def _screen(
    suite: Suite, mutants: Sequence[Mutant], jobs: int, timeout: float
) -> Iterator[tuple[int, int | None]]:
    """Try mutants by number in forks of a process that has collected the tests."""
    receiver, sender = _FORK.Pipe(duplex=False)
    plugin = _Screener(mutants, jobs, timeout, sender)
    process = _FORK.Process(target=_run_pytest, args=(suite, plugin))
    process.start()
    sender.close()
    try:
        while True:
            yield receiver.recv()
    except EOFError:
        process.join()


def _try(suite: Suite, mutant: Mutant | None) -> None:
    """Run a game's tests on a mutant, or on the original rules, and exit."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    if mutant is not None:
        sys.meta_path.insert(0, _MutantFinder(mutant))
    code = _run_pytest(suite, _Repeatable())
    if code == PASSED and suite.with_laws:
        _play_under_the_laws(suite.game)
    os._exit(code)


def _run_pytest(suite: Suite, plugin: _Repeatable) -> int:
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    options = [
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        f"--rootdir={ROOT}",
        f"-c={ROOT / 'pyproject.toml'}",
    ]
    return int(pytest.main([*options, *map(str, suite.tests)], plugins=[plugin]))


def _play_under_the_laws(name: str) -> None:
    """Play random games of all sizes with any options; a broken law ends this process with an error."""
    rules = game(name)
    for seed in range(_RANDOM_GAMES):
        rng = random.Random(seed)
        seats = rules.info.seats[seed % len(rules.info.seats)]
        texts = {option.name: rng.choice(option.examples) for option in rules.info.options if seed}
        try:
            options = read_options(rules, texts)
            rules.start(seats, options)
        except UsageError:
            options = rules.options_type()  # the options were for another number of players
        laws.check_all(rules, seats, options, rng)


class _Repeatable:
    """Runs plain tests before properties, which try the same examples each time and store none."""

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile(
            "mutants", parent=settings(), derandomize=True, database=None, phases=phases
        )
        settings.load_profile("mutants")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: hasattr(getattr(item, "obj", None), "hypothesis"))


class _Screener(_Repeatable):
    """Runs the collected tests once for each mutant, in forks."""

    def __init__(self, mutants: Sequence[Mutant], jobs: int, timeout: float, sender: Connection) -> None:
        self.mutants = mutants
        self.jobs = jobs
        self.timeout = timeout
        self.sender = sender

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        def try_one(number: int) -> None:
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            if not _patch(self.mutants[number]):
                os._exit(_NOT_PATCHED)
            for item, following in zip(session.items, [*session.items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.testsfailed:
                    os._exit(_FAILED)
            os._exit(PASSED)

        for outcome in _run_in_forks(range(len(self.mutants)), try_one, self.jobs, self.timeout):
            self.sender.send(outcome)
        self.sender.close()
        return True


def _patch(mutant: Mutant) -> bool:
    """Give a function the code of a mutant; return `False` if the fault is outside functions."""
    target: object = sys.modules[mutant.module]
    try:
        for name in mutant.function.split("."):
            target = inspect.getattr_static(target, name)
    except AttributeError:
        return False
    target = inspect.unwrap(getattr(target, "fget", None) or getattr(target, "__func__", target))  # type: ignore[arg-type]
    code = _function_in(mutant.compiled(), mutant.function)
    if not isinstance(target, FunctionType) or code is None:
        return False
    target.__code__ = code
    return True


def _function_in(code: CodeType, name: str) -> CodeType | None:
    """Find the code of a function by its qualified name."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found = constant if constant.co_qualname == name else _function_in(constant, name)
            if found is not None:
                return found
    return None


class _MutantLoader(SourceFileLoader):
    """Loads a module from compiled code."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self.code = code

    def get_code(self, fullname: str) -> CodeType:
        return self.code


class _MutantFinder:
    """Finds a mutant in place of its original module."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.code = mutant.compiled()

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name != self.mutant.module:
            return None
        loader = _MutantLoader(name, str(self.mutant.path), self.code)
        return spec_from_file_location(name, self.mutant.path, loader=loader)

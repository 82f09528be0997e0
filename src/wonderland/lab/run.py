"""Run a simulation in chunks on several workers; interruptible, and reproducible from its seed."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Protocol

from wonderland.engine.values import Value
from wonderland.lab.decisions import DecisionRecorder, PlayTrace
from wonderland.lab.executors import Executor, executor, split_range
from wonderland.lab.game_runner import Simulation, play_numbers
from wonderland.lab.interrupts import Interrupts
from wonderland.lab.totals import Differences, Rows, Totals

KERNEL_CHUNK = 16_384
UNCOMPILED_CHUNK = 64
RECORDED_CHUNK = 16


class Task(Value, frozen=True):
    """A chunk of games, with everything a worker needs."""

    simulations: tuple[Simulation, ...]
    """One, or two to be compared; the same numbers are played in each."""
    first: int
    count: int
    keep_rows: bool
    keep_decisions: bool = False


@dataclass(slots=True)
class ChunkResult:
    """Result of a task."""

    first: int
    totals: list[Totals]
    differences: Differences | None
    rows: list[Rows]
    """Empty unless `keep_rows` was set."""
    plays: list[PlayTrace]
    """Empty unless `keep_decisions` was set."""


def play_chunk(task: Task) -> ChunkResult:
    """Play and count a chunk; this is the function given to executors."""
    recorder = DecisionRecorder() if task.keep_decisions else None
    rows = [
        play_numbers(simulation, task.first, task.count, recorder) for simulation in task.simulations
    ]
    differences = Differences.of(rows[0], rows[1]) if len(rows) == 2 else None
    totals = [Totals.of(each) for each in rows]
    plays = recorder.plays if recorder is not None else []
    return ChunkResult(task.first, totals, differences, rows if task.keep_rows else [], plays)


class RowKeeper(Protocol):
    """Receives every game, in order of number."""

    def keep(self, first: int, rows: list[Rows]) -> None:
        """Receive the games numbered from `first`, one `Rows` per simulation."""
        ...


class PlayKeeper(Protocol):
    """Receives every decision of every game, in order of number."""

    def keep_plays(self, plays: list[PlayTrace]) -> None:
        """Receive the next games."""
        ...


@dataclass(slots=True)
class Run:
    """A simulation run: its parameters, and the totals so far."""

    simulations: tuple[Simulation, ...]
    games: int
    skip: int = 0
    workers: int = 1
    chunk: int | None = None
    keepers: tuple[RowKeeper, ...] = ()
    play_keepers: tuple[PlayKeeper, ...] = ()
    """If there are any, games are played by the readable rules instead of the kernel."""
    totals: list[Totals] = field(default_factory=list)
    differences: Differences | None = None
    is_interrupted: bool = False

    def __post_init__(self) -> None:
        self.totals = [Totals(each.setting.seats) for each in self.simulations]

    @property
    def played(self) -> int:
        """Number of games of each simulation played and counted so far."""
        return self.totals[0].games

    def play(self, tell: Callable[[int], object] = lambda _: None, by: Executor | None = None) -> None:
        """Play to the end, reporting progress to `tell`; an interrupt keeps the results so far."""
        interrupts = Interrupts()
        try:
            with interrupts.guard(), closing(self._results(by)) as results:
                for result in results:
                    with interrupts.defer():
                        self._count(result)
                    tell(self.played)
        except KeyboardInterrupt:
            self.is_interrupted = True

    def _results(self, by: Executor | None) -> Generator[ChunkResult, None, None]:
        yield from self._executor(by).run(play_chunk, self._tasks())

    def _executor(self, by: Executor | None) -> Executor:
        return by or executor(self.workers, threads=self._releases_gil())

    def _releases_gil(self) -> bool:
        return not self.play_keepers and all(each.releases_gil for each in self.simulations)

    def _tasks(self) -> Iterator[Task]:
        for first, count in split_range(self.skip, self.games, self._chunk_size()):
            yield Task(self.simulations, first, count, bool(self.keepers), bool(self.play_keepers))

    def _chunk_size(self) -> int:
        if self.chunk is not None:
            return self.chunk
        if self._releases_gil():
            return KERNEL_CHUNK
        if all(each.policies() is not None for each in self.simulations):
            return RECORDED_CHUNK if self.play_keepers else UNCOMPILED_CHUNK
        return 1  # a searching bot may take a minute per game

    def _count(self, result: ChunkResult) -> None:
        for keeper in self.keepers:
            keeper.keep(result.first, result.rows)
        for each in self.play_keepers:
            each.keep_plays(result.plays)
        for mine, theirs in zip(self.totals, result.totals, strict=True):
            mine.add(theirs)
        if result.differences is not None:
            if self.differences is None:
                self.differences = result.differences
            else:
                self.differences.add(result.differences)

"""Batches of concurrent games for learning agents, compiled to C if a compiler is available.

The states of all games are in one block of memory. A *worker* implements the rules of one game on a
single state: it copies a state in, applies the decision and the chance outcomes that follow, writes the
observation to the caller's arrays, and copies the state back. A game's component `compiled.batch`
defines its worker, and `wonderland.components.learning.batch` creates the batch.

Game number n draws from random stream n of the seed. Row r of a batch of N plays the games r, r + N,
r + 2 N and so on. So the same seed gives the same games in every row, however the rows are divided
between threads. The GIL is released while they are played.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.libc.string import memcpy, memset
    from cython.cimports.wonderland.kernels.rng import scale, start_stream
else:
    from wonderland.kernels.rng import scale, start_stream

COMPILED = cython.compiled


class GameWorker:
    """The rules of one game on a single state: the interface between a batch and a game.

    When compiled, `fields` points to the fields of the state, and `size` is their size in bytes.
    """

    def words(self) -> list[int]:
        """Return the state as words of the game's kernel."""
        return []

    def begin(self, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        """Start a new game, and draw chance outcomes until a seat must act."""

    def decide(self, action: cython.int) -> cython.bint:  # noqa: ARG002 - overridden by games
        """Apply an action of the seat to act, and draw chance outcomes until a seat must act again.

        An illegal action is replaced by the legal one with the lowest number; returns whether it was.
        """
        return False

    def on_turn(self) -> cython.int:
        """Return the seat to act, the lowest if there are several; -1 after the end."""
        return -1

    def winners(self) -> cython.int:
        """Return the winners of a finished game as a bit set of seats."""
        return 0

    def observe(self, into: cython.p_schar) -> cython.void:
        """Write the observation of the seat to act, encoded as in `learning`, into a zeroed row."""

    def allow(self, into: cython.p_schar) -> cython.void:
        """Write the action mask of the seat to act into a zeroed row."""


class Batch:
    """Concurrent games, one per row: implements `components.learning.BatchEnvironment`."""

    def __init__(  # noqa: PLR0913, PLR0917 - called in one place only
        self,
        kind: Callable[[Sequence[int]], GameWorker],
        words: Sequence[int],
        plays: int,
        seats: int,
        actions: int,
        features: int,
    ) -> None:
        self.kind, self.start = kind, words
        self.plays, self.seats, self.actions, self.features = plays, seats, actions, features
        worker: GameWorker = kind(words)
        self.spare = [worker]
        self.numbers = array("Q", bytes(8 * plays))
        self.attached = False
        if cython.compiled:
            self.stride = (worker.size + 63) // 64 * 64
            self.rows = bytearray(self.stride * plays + 64)
        else:
            self.workers = [kind(words) for _ in range(plays)]

    def attach(  # noqa: PLR0913, PLR0917 - one parameter per array
        self,
        chosen: cython.int[::1],
        turns: cython.schar[::1],
        rewards: cython.float[::1],
        done: cython.uchar[::1],
        wrong: cython.uchar[::1],
        observations: cython.schar[::1],
        masks: cython.schar[::1],
    ) -> None:
        """Use these arrays from now on; the last two may be empty."""
        for needed, there in (
            (self.plays, len(chosen)),
            (self.plays, len(turns)),
            (self.plays * self.seats, len(rewards)),
            (self.plays, len(done)),
            (self.plays, len(wrong)),
            (self.plays * self.features if len(observations) else 0, len(observations)),
            (self.plays * self.actions if len(masks) else 0, len(masks)),
        ):
            if there != needed:
                raise ValueError(f"an array has room for {there} numbers instead of {needed}")
        self.chosen, self.turns, self.rewards, self.done = chosen, turns, rewards, done
        self.wrong, self.observations, self.masks = wrong, observations, masks
        self.is_seen, self.is_masked = len(observations) > 0, len(masks) > 0
        self.attached = True

    def reset(self, seed: int, first: cython.int, last: cython.int) -> None:
        """Start new games in these rows."""
        at: cython.int
        key: cython.ulonglong = seed & 0xFFFFFFFFFFFFFFFF
        worker: GameWorker = self._worker(first, last)
        self.seed = key
        with cython.nogil:
            for at in range(first, last):
                if not cython.compiled:
                    worker = self.workers[at]
                self.numbers[at] = at
                worker.begin(key, at)
                self.done[at] = self.wrong[at] = 0
                self.reward(worker, at)
                self.show(worker, at)
                if cython.compiled:
                    memcpy(cython.address(self.rows[at * self.stride]), worker.fields, worker.size)
        self.spare.append(worker)

    def step(self, first: cython.int, last: cython.int) -> None:
        """Apply the chosen actions in these rows; a finished game is replaced by a new one."""
        at: cython.int
        worker: GameWorker = self._worker(first, last)
        with cython.nogil:
            for at in range(first, last):
                if cython.compiled:
                    memcpy(worker.fields, cython.address(self.rows[at * self.stride]), worker.size)
                else:
                    worker = self.workers[at]
                self.wrong[at] = worker.decide(self.chosen[at])
                self.done[at] = worker.on_turn() < 0
                self.reward(worker, at)
                if self.done[at]:
                    self.numbers[at] += self.plays
                    worker.begin(self.seed, self.numbers[at])
                self.show(worker, at)
                if cython.compiled:
                    memcpy(cython.address(self.rows[at * self.stride]), worker.fields, worker.size)
        self.spare.append(worker)

    def sample(self, seed: int, stream: int, first: cython.int, last: cython.int) -> None:
        """Choose one of the legal actions in each of these rows, all equally likely, by the masks.

        The same seed and stream choose the same, however the rows are divided.
        """
        at: cython.int
        action: cython.int
        legal: cython.int
        begins: cython.longlong
        random: cython.ulonglong = start_stream(seed & 0xFFFFFFFFFFFFFFFF, stream & 0xFFFFFFFFFFFFFFFF)
        if not self.attached or not self.is_masked:
            raise ValueError("there are no masks to choose by")
        if not 0 <= first <= last <= self.plays:
            raise ValueError(f"there are no rows {first} to {last} among {self.plays}")
        with cython.nogil:
            for at in range(first, last):
                begins = cython.cast(cython.longlong, at) * self.actions
                legal = 0
                for action in range(self.actions):
                    legal += self.masks[begins + action]
                legal = scale(start_stream(random, at), legal)
                action = 0
                while self.masks[begins + action] == 0 or legal > 0:
                    legal -= self.masks[begins + action]
                    action += 1
                self.chosen[at] = action

    def words(self, at: cython.int) -> list[int]:
        """Return the state of a row as words of the game's kernel."""
        worker: GameWorker = self._worker(at, at + 1)
        if cython.compiled:
            memcpy(worker.fields, cython.address(self.rows[at * self.stride]), worker.size)
        else:
            worker = self.workers[at]
        self.spare.append(worker)
        return worker.words()

    def _worker(self, first: int, last: int) -> GameWorker:
        """Return a worker that no other thread is using."""
        if not self.attached:
            raise ValueError("there are no arrays yet: attach them first")
        if not 0 <= first <= last <= self.plays:
            raise ValueError(f"there are no rows {first} to {last} among {self.plays}")
        try:
            return self.spare.pop()
        except IndexError:  # all are in use by other threads
            return self.kind(self.start)

    def reward(self, worker: GameWorker, at: cython.int) -> cython.void:
        """Write the rewards: 0 until the end, then as in `wonderland.components.learning.rewards`."""
        seat: cython.int
        base: cython.int = at * self.seats
        for seat in range(self.seats):
            self.rewards[base + seat] = 0
        if not self.done[at]:
            return
        winners: cython.int = worker.winners()
        sharing: cython.int = 0
        for seat in range(self.seats):
            sharing += winners >> seat & 1
        for seat in range(self.seats):
            self.rewards[base + seat] = self.seats / sharing - 1 if winners >> seat & 1 else -1

    def show(self, worker: GameWorker, at: cython.int) -> cython.void:
        """Write the seat to act, its observation and its action mask."""
        begins: cython.longlong = cython.cast(cython.longlong, at) * self.features
        self.turns[at] = worker.on_turn()
        if self.is_seen:
            if cython.compiled:
                memset(cython.address(self.observations[begins]), 0, self.features)
                worker.observe(cython.address(self.observations[begins]))
            else:
                worker.observe(zeros(self.observations, begins, self.features))
        begins = cython.cast(cython.longlong, at) * self.actions
        if self.is_masked:
            if cython.compiled:
                memset(cython.address(self.masks[begins]), 0, self.actions)
                worker.allow(cython.address(self.masks[begins]))
            else:
                worker.allow(zeros(self.masks, begins, self.actions))


def zeros(numbers: Any, begins: int, length: int) -> Any:
    """Return a zeroed slice of an array, for an uncompiled worker to write to."""
    there = memoryview(numbers)[begins : begins + length]
    for at in range(length):
        there[at] = 0
    return there

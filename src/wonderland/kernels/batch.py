"""Many plays at once, for learning agents: compiled to C where there is a compiler.

The plays lie side by side in one piece of memory. A *worker* knows the rules of one game and has room
for one play: it fetches a play, lets the seat on turn and then luck decide, writes what is to be seen
into arrays that the caller owns, and puts the play back. `games/<game>/batch.py` says how, and
`wonderland.components.learning.batch` sits a game down here.

Play number n takes its luck from the stream n of the seed. Row r of a batch of N begins with play r, and
goes on with the plays r + N, r + 2 N ... So the same seed gives the same plays in every row, however the
rows are shared out between threads; Python's lock is not held while they are played.
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

COMPILED = cython.compiled


class GameWorker:
    """The rules of one game, with room for one play: what a batch asks of a game.

    Compiled, `fields` is where the fields of that play are, and `size` how many bytes they take.
    """

    def words(self) -> list[int]:
        """The play as the words of the game's kernel."""
        return []

    def begin(self, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        """Begin a new play, and let luck decide until a seat must."""

    def decide(self, action: cython.int) -> cython.bint:  # noqa: ARG002 - games have a body
        """Carry out a decision of the seat on turn, and let luck decide until a seat must again.

        What is not legal counts as the legal decision with the lowest number; gives whether that was so.
        """
        return False

    def on_turn(self) -> cython.int:
        """The seat that is to decide, the lowest one where there are several; -1 when all is over."""
        return -1

    def winners(self) -> cython.int:
        """When all is over, a bit for each seat that has won."""
        return 0

    def observe(self, into: cython.p_schar) -> cython.void:
        """What the seat on turn may know, as `learning.py` lays it out; all is 0 before."""

    def allow(self, into: cython.p_schar) -> cython.void:
        """For each decision, 1 if it is legal; all is 0 before."""


class Batch:
    """Many plays at once, one row each: implements `components.learning.BatchEnvironment`."""

    def __init__(  # noqa: PLR0913, PLR0917 - made in one place only
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

    def attach(  # noqa: PLR0913, PLR0917 - each is one kind of thing to be told
        self,
        chosen: cython.int[::1],
        turns: cython.schar[::1],
        rewards: cython.float[::1],
        done: cython.uchar[::1],
        wrong: cython.uchar[::1],
        observations: cython.schar[::1],
        masks: cython.schar[::1],
    ) -> None:
        """Read from and write into these arrays from now on; the last two may be empty."""
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
        """Begin anew in these rows."""
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
        """Carry out what was chosen in these rows; where a play is over, the next one begins."""
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

    def words(self, at: cython.int) -> list[int]:
        """The state of the play in a row, in the words of the game's kernel."""
        worker: GameWorker = self._worker(at, at + 1)
        if cython.compiled:
            memcpy(worker.fields, cython.address(self.rows[at * self.stride]), worker.size)
        else:
            worker = self.workers[at]
        self.spare.append(worker)
        return worker.words()

    def _worker(self, first: int, last: int) -> GameWorker:
        """One that nobody else works with now."""
        if not self.attached:
            raise ValueError("there are no arrays yet: attach them first")
        if not 0 <= first <= last <= self.plays:
            raise ValueError(f"there are no rows {first} to {last} among {self.plays}")
        try:
            return self.spare.pop()
        except IndexError:  # several threads are at work
            return self.kind(self.start)

    def reward(self, worker: GameWorker, at: cython.int) -> cython.void:
        """Nothing until all is over; then as `wonderland.components.learning.rewards` says."""
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
        """Write down who is on turn, and what that seat may know and do."""
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
    """Where a worker that is not compiled may write: so much of an array, all 0."""
    there = memoryview(numbers)[begins : begins + length]
    for at in range(length):
        there[at] = 0
    return there

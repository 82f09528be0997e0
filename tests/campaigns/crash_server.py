"""A server that kills itself, like a power cut, at one step of writing to its storage.

    python -m campaigns.crash_server STEP N serve …      the N-th time that it reaches the step

The steps: `begin`, before a batch is written; `insert`, when it is written but not committed; `commit`,
when it is committed but not acknowledged; `answer`, when some of it is acknowledged. `lie` is a planted
fault that must be found: everything is acknowledged before it is committed, and then the server dies
(the N-th time that a player's move is among it).
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from itertools import count

from wonderland.cli import main
from wonderland.tables import entries as log
from wonderland.tables.storage import sqlite
from wonderland.tables.storage.interface import Addition, CommitResult, OnCommitted, StoredEntry

STEPS = ("begin", "insert", "commit", "answer")


def is_players_move(entry: StoredEntry) -> bool:
    """Whether a player, not a bot, made this move: only a player is told that it is done."""
    happening = log.read_entry(entry.body)
    return isinstance(happening, log.Played) and bool(happening.key)


def die_at(step: str, number: int) -> None:
    """Make this process die when its storage reaches the step for the N-th time."""
    times = count(1)

    def reach(here: str) -> None:
        if here == step and next(times) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    class CrashingStorage(sqlite.SqliteStorage):
        def _commit_all(self, batch: Sequence[tuple[Addition, OnCommitted]]) -> None:
            if step == "lie":
                told = [(done, True) for _, done in batch]
                asyncio.run_coroutine_threadsafe(acknowledge(told), self._loop).result()
                if any(is_players_move(addition.entry) for addition, _ in batch):
                    reach("lie")
                self._try_commit([addition for addition, _ in batch])
            else:
                super()._commit_all(batch)

        def _try_commit(self, additions: Sequence[Addition]) -> Sequence[CommitResult]:
            reach("begin")
            return super()._try_commit(additions)

        def _commit(self) -> None:
            reach("insert")
            super()._commit()
            reach("commit")

    def tell(told: Sequence[tuple[OnCommitted, CommitResult]]) -> None:
        for done, answer in told:
            done(answer)
            reach("answer")

    async def acknowledge(told: Sequence[tuple[OnCommitted, CommitResult]]) -> None:
        """Return when the answers are written to the sockets: the clients will get them."""
        tell(told)
        for _ in range(3):  # what is sent during a tick of the loop is written at its end
            await asyncio.sleep(0)

    sqlite._run_callbacks = tell
    from wonderland.tables.storage import location  # noqa: PLC0415 - after the patch

    location.SqliteStorage = CrashingStorage  # type: ignore[misc]


if __name__ == "__main__":
    die_at(sys.argv[1], int(sys.argv[2]))
    sys.exit(main(sys.argv[3:]))

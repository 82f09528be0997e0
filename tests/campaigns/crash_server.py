"""A server that kills itself, as a power cut would, at one step of writing to its storage.

    python -m campaigns.crash_server STEP N serve …      the N-th time that it comes to this step

The steps: `begin`, before a batch is written; `insert`, when it is written and not committed; `commit`,
when it is committed and nobody has been told; `answer`, when some have been told. `lie` is a fault, to
see that it is found: everybody is told before anything is committed, and then it dies.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence
from itertools import count

from wonderland.cli import main
from wonderland.tables.storage import sqlite
from wonderland.tables.storage.interface import Addition, CommitResult, OnCommitted

STEPS = ("begin", "insert", "commit", "answer")


def die_at(step: str, number: int) -> None:
    """Let the storage of this process die at the step."""
    times = count(1)

    def come_to(here: str) -> None:
        if here == step and next(times) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    class Dying(sqlite.SqliteStorage):
        def _commit_all(self, batch: Sequence[tuple[Addition, OnCommitted]]) -> None:
            if step == "lie":
                told = [(done, True) for _, done in batch]
                self._loop.call_soon_threadsafe(tell, told)
                time.sleep(0.1)  # time to be believed
                come_to("lie")
                self._try_commit([addition for addition, _ in batch])
            else:
                super()._commit_all(batch)

        def _try_commit(self, additions: Sequence[Addition]) -> Sequence[CommitResult]:
            come_to("begin")
            return super()._try_commit(additions)

        def _commit(self) -> None:
            come_to("insert")
            super()._commit()
            come_to("commit")

    def tell(told: Sequence[tuple[OnCommitted, CommitResult]]) -> None:
        for done, answer in told:
            done(answer)
            come_to("answer")

    sqlite._run_callbacks = tell
    from wonderland.web import server  # noqa: PLC0415 - after the change

    server.SqliteStorage = Dying  # type: ignore[misc]


if __name__ == "__main__":
    die_at(sys.argv[1], int(sys.argv[2]))
    sys.exit(main(sys.argv[3:]))

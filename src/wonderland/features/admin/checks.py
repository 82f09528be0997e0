"""Replays every stored table, and compares what comes out with the index and the recorded results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wonderland.engine.language import ENGLISH, Message, phrase
from wonderland.tables.rated_games import result_of, stored_result
from wonderland.tables.storage.interface import Storage, StoredEntry
from wonderland.tables.storage.maintenance import StoredTable
from wonderland.tables.stored_log import TableRefused
from wonderland.tables.table import Table

STATUS_NAMES = {
    "waiting": phrase("waiting for players"),
    "playing": phrase("playing"),
    "finished": phrase("finished"),
}
"""How operators read the status of a table."""


@dataclass(frozen=True, slots=True)
class TableProblem:
    """What is wrong with a table."""

    table: str
    message: Message


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check of all tables found."""

    tables: int
    entries: int
    problems: tuple[TableProblem, ...]

    def as_json(self) -> dict[str, object]:
        """Return the report for programs, in English."""
        problems = [
            {"table": problem.table, "message": problem.message.said(ENGLISH)}
            for problem in self.problems
        ]
        return {"tables": self.tables, "entries": self.entries, "problems": problems}


async def check_storage(storage: Storage) -> CheckReport:
    """Check all tables, a page at a time."""
    tables = entries = 0
    problems: list[TableProblem] = []
    page = await storage.maintenance.tables()
    while page:
        for row in page:
            tables += 1
            length, problem = await _check_table(storage, row)
            entries += length
            if problem is not None:
                problems.append(problem)
        page = await storage.maintenance.tables(after=page[-1].table)
    return CheckReport(tables, entries, tuple(problems))


async def _check_table(storage: Storage, row: StoredTable) -> tuple[int, TableProblem | None]:
    log = await storage.read(row.table)
    problem = await _find_problem(storage, row, log)
    return len(log), None if problem is None else TableProblem(row.table, problem)


async def _find_problem(
    storage: Storage, row: StoredTable, log: Sequence[StoredEntry]
) -> Message | None:
    if [entry.n for entry in log] != list(range(len(log))) or not log:
        return Message(phrase("entries are missing from its log."))
    try:
        table = Table(log[0])
        for entry in log[1:]:
            table.follow(entry)
    except TableRefused as error:
        return Message(phrase("it can't be replayed: {reason}"), {"reason": error.message})
    if table.status != row.status and table.time <= row.changed:  # else it has just changed
        return Message(
            phrase("the index lists it as “{status}”, but its log says “{actual}”."),
            {"status": _name_status(row.status), "actual": _name_status(table.status)},
        )
    expected, recorded = result_of(table), await stored_result(storage.documents, table)
    if recorded is not None and recorded != expected:
        return Message(phrase("the stored result differs from the one in its log."))
    return None


def _name_status(status: str) -> Message:
    return Message(STATUS_NAMES.get(status, status))

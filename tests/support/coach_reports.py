"""Recorded games with the coach's reports on them, from few playouts."""

from __future__ import annotations

from support.paths import RECORDS
from wonderland.components.bots import Budget
from wonderland.engine.record_reader import AnyRecord, read_record
from wonderland.features.coach.model import as_json, read_report
from wonderland.features.coach.review import review
from wonderland.features.coach.service import ReviewStatus

PLAYOUTS = 20


def read_test_record(name: str) -> AnyRecord:
    """Read one of the records in `tests/records`."""
    return read_record((RECORDS / f"{name}.record").read_bytes()).whole


PARADE = read_test_record("parade/4-players-empty-pile")
LETTERS = read_test_record("letters/turned-three-players")
COOKIES = read_test_record("cookies/three-players-most-points")
HATTER = read_test_record("parade/noted-by-the-hatter")
SPECTATOR = read_test_record("cookies/noted-by-a-spectator")
GAMES = [PARADE, LETTERS, COOKIES, HATTER]
IDS = ["parade", "letters", "cookies", "noted"]


def coach_quickly(record: AnyRecord) -> ReviewStatus:
    """Coach a whole game with few playouts, as the page shows it when done."""
    report = review(record, budget=Budget(playouts=PLAYOUTS))
    return ReviewStatus(
        "done", report.decisions, len(report.decisions), report=read_report(as_json(report))
    )

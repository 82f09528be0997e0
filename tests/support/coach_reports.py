"""Games from the records as the tests of the coach's pages have them judged: quickly."""

from __future__ import annotations

from support.paths import RECORDS
from wonderland.core.bot import Budget
from wonderland.core.reading import AnyRecord, read_record
from wonderland.study.coach import coached
from wonderland.study.report import as_json, read_report
from wonderland.web.study.coaching import Found

PLAYOUTS = 20


def record_in(name: str) -> AnyRecord:
    """One of the records that are kept with the tests."""
    return read_record((RECORDS / f"{name}.record").read_bytes()).whole


PARADE = record_in("parade/4-players-empty-pile")
LETTERS = record_in("letters/turned-three-players")
COOKIES = record_in("cookies/three-players-most-points")
HATTER = record_in("parade/noted-by-the-hatter")
SPECTATOR = record_in("cookies/noted-by-a-spectator")
GAMES = [PARADE, LETTERS, COOKIES, HATTER]
IDS = ["parade", "letters", "cookies", "noted"]


def found_in(record: AnyRecord) -> Found:
    """What the coach found in a whole game."""
    report = coached(record, budget=Budget(playouts=PLAYOUTS))
    return Found("done", report.decisions, len(report.decisions), report=read_report(as_json(report)))

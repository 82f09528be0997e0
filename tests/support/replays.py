"""Recorded games as replays."""

from __future__ import annotations

from pathlib import Path

from support.paths import RECORDS
from wonderland.engine.record_reader import read_record
from wonderland.features.replay.rendering import OPEN, WATCHING, ReplayPage

FILES = sorted(RECORDS.rglob("*.record"))
IDS = [f"{path.parent.name}-{path.stem}" for path in FILES]
NOTED = [path for path in FILES if path.stem.startswith("noted-by")]
PARADE, LETTERS, COOKIES = (
    next(path for path in FILES if path.parent.name == name) for name in ("parade", "letters", "cookies")
)


def replay_in(path: Path) -> ReplayPage:
    return ReplayPage(read_record(path.read_bytes()).whole)


def viewpoints_of(replay: ReplayPage) -> list[str]:
    return [OPEN, WATCHING, *map(str, range(len(replay.record.names)))]

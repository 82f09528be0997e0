"""Every position of a replay links to the position editor."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from support.paths import RECORDS
from wonderland.engine.language import ENGLISH
from wonderland.engine.record_reader import read_record
from wonderland.features.positions.editor import open_position
from wonderland.features.replay.rendering import OPEN, WATCHING, ReplayPage

NOTED = sorted(RECORDS.rglob("noted-by*.record"))
"""With cards that nobody saw, which the editor has to be told."""
WHOLE = [min(folder.glob("*.record")) for folder in sorted(RECORDS.iterdir()) if folder.is_dir()]


@pytest.mark.parametrize("path", [*WHOLE, *NOTED], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_position_can_be_opened_in_the_editor(path: Path) -> None:
    replay = ReplayPage(read_record(path.read_bytes()).whole)
    seats = map(str, range(len(replay.record.names)))
    everyone = [OPEN, WATCHING, *seats]
    for moment in range(0, replay.last, 7):
        for eyes in everyone:
            link = unescape(replay.parts(moment, eyes, ENGLISH)["position"])
            found = parse_qs(urlsplit(re.findall('href="([^"]+)"', link)[0]).query)
            seat = int(found["seat"][0])
            assert seat == (int(eyes) if eyes.isdecimal() else replay.to_act(moment)[0])
            shown = open_position(replay.game.info.name, found["position"][0], seat, ENGLISH)
            if path not in NOTED:
                assert shown.answer().ready == (seat in replay.to_act(moment)), shown.state()[1]
    assert not replay.parts(replay.last, OPEN, ENGLISH)["position"]

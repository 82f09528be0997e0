"""Drawings: pictures are complete files, previews of links show one, and players choose portraits."""

from __future__ import annotations

import asyncio
import re
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from support.table_players import open_service
from wonderland.engine.language import ENGLISH
from wonderland.engine.registry import game_names, ranked_game_names
from wonderland.web import drawings
from wonderland.web.assets import assets, game_picture, picture_layers, shared_symbols, static
from wonderland.web.lobby import own_tables
from wonderland.web.rendering import environment

REFERENCE = re.compile(r'(?:href="|url\()#([\w-]+)')
MAX_PICTURE = 40_000
"""Bytes."""


@pytest.mark.parametrize("name", game_names())
def test_the_picture_of_a_game_needs_no_other_file(name: str) -> None:
    text = assets()[f"{name}.svg"].decode()
    ET.fromstring(text)  # noqa: S314 - a file of ours
    ids = re.findall(r' id="([\w-]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(REFERENCE.findall(text)) <= set(ids)
    assert "http" not in text.replace(drawings.SVG, "")
    assert "<text" not in text, "a picture has no typeface"
    assert len(text) < MAX_PICTURE
    layers = picture_layers(name)
    assert any(motion != "still" for _, motion in layers)
    for address, _ in layers:
        path, _, layer = address.partition("#")
        assert path == static(f"{name}.svg")
        assert layer in ids


def test_a_game_without_a_picture_shows_the_icon() -> None:
    assert picture_layers("chess") == [(static("icon.svg"), "still")]
    assert static("icon.svg") in game_picture("chess")


def test_the_front_door_has_all_symbols_that_it_uses() -> None:
    english = environment(ENGLISH)
    loader = english.loader
    assert loader is not None
    sources = {
        name: loader.get_source(english, name)[0]
        for name in ("home.html", "backdrop.html", "curtain.html")
    }
    asked = re.search(r"shared_symbols\((.*?)\)", sources["home.html"])
    assert asked is not None
    symbols = shared_symbols(*re.findall(r'"([\w-]+)"', asked[1]))
    there = set(re.findall(r' id="([\w-]+)"', symbols))
    used = {each for text in (*sources.values(), symbols) for each in REFERENCE.findall(text)}
    assert used <= there


def test_previews_of_links_show_a_picture_of_the_usual_size() -> None:
    body = assets()["social.png"]
    assert struct.unpack(">II", body[16:24]) == (1200, 630)
    assert len(body) < 600_000, "some messengers take no larger ones"
    for size in (180, 192, 512):
        assert struct.unpack(">II", assets()[f"icon-{size}.png"][16:24]) == (size, size)


def test_games_have_an_order() -> None:
    assert sorted(ranked_game_names()) == sorted(game_names())


def test_players_are_seen_as_they_chose(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_service(tmp_path) as h:
            table = await h.create_table(seats=3, access="open")
            await h.alice.sit(table, 0, portrait="walrus")
            await h.bill.sit(table, 1, portrait="walrus")
            (card,) = await own_tables(h.tables, h.alice.device, ENGLISH)
            mine, other = card["portraits"]
            assert mine == "walrus"
            assert other not in ("", "walrus")

    asyncio.run(play())

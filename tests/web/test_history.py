"""Stepping back: everyone sees again what they saw then, and nobody sees more."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from copy import copy
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from campaigns.indistinguishable_plays import Setting, device, pairs, random_play, settings
from campaigns.indistinguishable_plays import _entries as log_of
from campaigns.raw_clients import KEY, Http, RunningSite
from support.permissions import BILL, ROLES, STAGES, cookie, create_staged_table, open_site
from wonderland.components.captions import MoveSummary
from wonderland.components.catalogues import load_language
from wonderland.engine.protocol import CHANCE
from wonderland.engine.registry import component, game_names
from wonderland.tables.handlers import hash_secret
from wonderland.tables.table import Table
from wonderland.web.narration import Narration
from wonderland.web.table_page import TablePage
from wonderland.wire.problems import Refusal

pytestmark = pytest.mark.slow

DRAWN = [name for name in game_names() if component(name, "ui.scene") is not None]
SAY = load_language("en")
CLOSED, OPEN = (Setting("letters", 3, {"memory": memory}) for memory in ("closed", "open"))


def tables(setting: Setting, seed: int) -> Iterator[Table]:
    """Yield a table from its start to its end."""
    match = random_play(setting, random.Random(seed))
    table: Table | None = None
    for _, entry in log_of(setting, f"look{seed}", match.game, match.moves, KEY):
        table = Table(entry) if table is None else table.after(entry)
        yield table


def render_table(table: Table, seat: int | None) -> TablePage:
    return TablePage(table, seat, hash_secret(device(table.id, seat)), SAY)


def scene(table: Table, seat: int | None) -> str:
    """Return the rendering without the choices: nobody acts in the past."""
    then = copy(table)
    then.to_act = ()
    return str(render_table(then, seat).parts()["scene"])


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("seed", range(2))
def test_the_past_is_rendered_as_it_was_seen(name: str, seed: int) -> None:
    setting = random.Random(seed).choice(settings(name))
    history = {
        table.match.decisions: table for table in tables(setting, seed) if table.match is not None
    }  # people also chat
    last = history[max(history)]
    assert len(history) == max(history) + 1
    viewers = (None, *range(setting.seats))
    for moment, table in history.items():
        for seat in viewers:
            page = render_table(last, seat).page_at(moment)
            assert page.html["scene"] == scene(table, seat)
            assert "data-play" not in page.html["scene"]
            assert (page.moves, page.mine, page.version) == (moment, False, last.version)


def test_a_log_line_links_to_its_moment() -> None:
    lines = 0
    for number, table in enumerate(tables(Setting("parade", 3, {}), 4)):
        if table.match is None or number % 5:
            continue
        for line in Narration(table, 0, SAY).log():
            then = render_table(table, 0).page_at(line["at"])
            before = render_table(table, 0).page_at(line["at"] - 1) if line["at"] else None
            assert line["text"] in then.html["news"] or before is None
            lines += 1
    assert lines > 100


def test_the_last_move_shows_the_portrait_of_the_player_who_made_it() -> None:
    for table in islice(tables(Setting("parade", 3, {}), 4), 20):
        if table.match is None:
            continue
        page = render_table(table, 0)
        movers = [move.actor for move in table.match.moves if move.actor is not CHANCE]
        portraits = [f'"portrait {page._portraits[seat]} ' for seat in movers]  # type: ignore[index]
        assert ("portrait" in page.parts()["news"]) == bool(movers)
        assert all(portrait in page.parts()["news"] for portrait in portraits[-1:])
        then = page.page_at(len(movers) // 2).html["news"]
        assert all(portrait in then for portrait in portraits[: len(movers) // 2][-1:])


def test_the_history_of_a_memory_game_is_closed_until_its_end() -> None:
    refused = 0
    for table in tables(CLOSED, 1):
        if table.status == "finished":
            assert render_table(table, 0).page_at(0).moves == 0
        elif table.match is not None:
            with pytest.raises(Refusal, match="memory game"):
                render_table(table, 0).page_at(0)
            assert "data-look" not in "".join(render_table(table, 0).parts().values())
            refused += 1
    assert refused > 10
    for table in tables(OPEN, 1):
        if table.match is not None:
            assert render_table(table, None).page_at(0).moves == 0


def test_screen_reader_text_names_the_turned_card() -> None:
    named = 0
    for table in tables(CLOSED, 2):
        if table.status == "playing":
            parts = render_table(table, 0).parts()
            named += " turns card " in parts["news"] and ": " in parts["news"]
            assert "turns card 1: " not in parts["log"], "but a log would remember it for them"
    assert named > 10


def compare_histories(size: int) -> int:
    """Compare all moments of pairs of games that a viewer can't tell apart."""
    number = 0
    for pair in islice(pairs(5, KEY, "parade"), size):
        if pair.late:
            continue
        sides = []
        for log in pair.logs:
            table = Table(log[0])
            for entry in log[1:]:
                table.follow(entry)
            sides.append(table)
        if sides[0].match is None or sides[0].status == "finished":
            continue
        for moment in range(sides[0].match.decisions + 1):
            pages = [render_table(side, pair.viewer).page_at(moment) for side in sides]
            assert pages[0] == pages[1], (pair, moment)
            number += 1
    return number


def test_the_past_reveals_no_more_than_was_seen() -> None:
    assert compare_histories(30) > 100


def test_a_leak_in_the_past_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest: Callable[..., Any] = Narration.summary

    def leaking(self: Narration) -> MoveSummary:
        match, summary = self.table.match, honest(self)
        return summary if match is None else replace(summary, caption=repr(match.state))

    monkeypatch.setattr(Narration, "summary", leaking)
    with pytest.raises(AssertionError):
        compare_histories(30)


async def request_history(here: RunningSite, table: str, role: str, query: str) -> tuple[int, Any]:
    http = Http(here.port, cookie(role))
    answer = await http.ask("GET", f"/api/tables/{table}/page{query}")
    await http.close()
    return answer.status, answer.json()


def test_permission_to_step_back(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_site(tmp_path) as here:
            for stage in STAGES:
                begun = stage in ("playing", "finished")
                for role in ROLES:
                    table = (await create_staged_table(here, stage, role)).name
                    assert (await request_history(here, table, role, ""))[0] == 200
                    status, found = await request_history(here, table, role, "?at=0")
                    assert status == (200 if begun else 409)
                    assert found["type"] == "page" if begun else found["code"] == "not-started"
                    status, _ = await request_history(here, table, role, f"?at=0&seat={BILL}")
                    assert status == (403 if role != "bill" else 200 if begun else 409)
                    assert (await request_history(here, table, role, "?at=999"))[0] == (
                        404 if begun else 409
                    )
                    assert (await request_history(here, table, role, "?at=-1"))[0] == 400
            assert (await request_history(here, "nowhere", "bill", "?at=0"))[0] == 404

    asyncio.run(check())

"""Pages: the rendering of every state of a table for every viewer, and that no byte leaks."""

from __future__ import annotations

import asyncio
import gzip
import random
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from campaigns.indistinguishable_plays import Pair, device, pairs, random_play, settings
from campaigns.indistinguishable_plays import _entries as log_of
from campaigns.raw_clients import KEY, Http, site_in
from support.html import HtmlChecker
from wonderland.components.catalogues import load_language
from wonderland.components.rulebook import rulebook, rules_in
from wonderland.engine.registry import component, game_names
from wonderland.features.rulebook.pages import html
from wonderland.games.parade.rules.state import Keeping
from wonderland.tables.handlers import hash_secret
from wonderland.tables.table import Table
from wonderland.web.assets import POLICY, assets, static
from wonderland.web.languages import negotiate_language
from wonderland.web.table_page import PageFormat, TablePage

pytestmark = pytest.mark.slow

DRAWN = [name for name in game_names() if component(name, "ui.scene") is not None]
SAY = load_language("en")


def tables(name: str, seed: int) -> Iterator[Table]:
    """Yield a table of a game in all its states: free, waiting, playing, finished."""
    rng = random.Random(seed)
    setting = rng.choice(settings(name))
    match = random_play(setting, rng)
    table: Table | None = None
    for _, entry in log_of(setting, f"page{seed}", match.game, match.moves, KEY):
        table = Table(entry) if table is None else table.after(entry)
        yield table


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("seed", range(2))
def test_every_state_is_rendered_for_every_viewer(name: str, seed: int) -> None:
    statuses = set()
    for table in tables(name, seed):
        statuses.add(table.status)
        for seat in (None, *range(len(table.places))):
            drawn = TablePage(table, seat, hash_secret(device(table.id, seat)), SAY)
            parts = drawn.parts()
            found = HtmlChecker("".join(parts.values()))
            assert found.wrong == []
            _check_choices(table, seat, found)
    assert statuses == {"waiting", "playing", "finished"}


def _check_choices(table: Table, seat: int | None, found: HtmlChecker) -> None:
    """Every legal action has a button with a name, and nothing else has."""
    offered = [button for button in found.buttons if "data-play" in button]
    legal = []
    if table.match is not None and seat is not None and seat in table.to_act:
        legal = [table.match.game.write(action) for action in table.match.legal(seat)]
    assert sorted(button["data-play"] or "" for button in offered) == sorted(legal)
    for button in offered:
        assert button["aria-label"]
        marked = [word.rpartition(":")[0] for word in (button.get("data-marks") or "").split()]
        assert set(marked) <= set(found.pieces)


def render_pair(pair: Pair) -> list[dict[str, str]]:
    """Return what the viewer of a pair is sent of both tables, during the game and at its end."""
    found: list[dict[str, str]] = []
    who = hash_secret(device(pair.table, pair.viewer))
    for log in pair.logs:
        table = Table(log[0])
        for entry in log[1:]:
            table.follow(entry)
        message = msgspec.json.decode(PageFormat(SAY)(table, pair.viewer, who))
        if table.status == "finished":  # at the end everything is revealed
            return []
        found.append({"all": str(message), **message["html"]})
    return found


def compare_pages(name: str, size: int) -> int:
    """Compare the renderings of some pairs that a viewer can't tell apart."""
    number = 0
    for pair in islice(pairs(3, KEY, name), size):
        if pair.late:  # the log goes back to the beginning
            continue
        found = render_pair(pair)
        if found:
            assert found[0] == found[1], pair
            number += 1
    return number


@pytest.mark.parametrize("name", [name for name in DRAWN if name != "letters"])
def test_indistinguishable_tables_render_to_the_same_bytes(
    name: str, pytestconfig: pytest.Config
) -> None:
    assert compare_pages(name, pytestconfig.getoption("--examples")) > 0


def test_a_scene_made_from_the_state_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    honest: Callable[..., Any] = TablePage._scene

    def leaking(self: TablePage) -> Any:
        match = self.table.match
        return honest(self) + (f"<!-- {match.state!r} -->" if match is not None else "")

    monkeypatch.setattr(TablePage, "_scene", leaking)
    with pytest.raises(AssertionError):
        compare_pages("parade", 20)


def test_a_spectator_gets_no_hand() -> None:
    for table in tables("parade", 5):
        if table.match is None or table.status == "finished":
            continue
        scene = TablePage(table, None, "", SAY).parts()["scene"]
        there = HtmlChecker(scene).pieces
        state = table.match.state
        is_keeping = isinstance(table.match.view(None).stage, Keeping)  # the parade is over then
        parade = () if is_keeping else state.parade
        assert set(there) == {str(card) for card in (*parade, *sum(state.zones, ()))}


def test_user_text_is_escaped() -> None:
    table = next(table for table in tables("parade", 1) if table.status == "playing")
    rude = '"><script>alert(1)</script>'
    table._change(0, name=rude)
    assert table.match is not None
    for seat in (None, 0, 1):
        drawn = "".join(
            TablePage(table, seat, hash_secret(device(table.id, seat)), SAY).parts().values()
        )
        assert "<script" not in drawn
        assert "&lt;script" in drawn


def test_the_title_says_whose_turn_it_is() -> None:
    for table in tables("parade", 2):
        if table.status == "playing":
            for seat in range(len(table.places)):
                drawn = TablePage(table, seat, "", SAY)
                assert ("Your turn" in drawn.title) == (seat in table.to_act)


def test_pages_over_http(tmp_path: Path) -> None:
    async def look() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            laid = await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})
            http.cookie, table = laid.cookie, laid.json()["table"]
            paths = ["/", f"/tables/{table}", *(f"/rules/{name}" for name in game_names())]
            for path in paths:
                answer = await http.ask("GET", path)
                assert answer.status == 200, path
                assert answer.header("content-security-policy") == POLICY
                text = answer.body.decode()
                assert HtmlChecker(text).wrong == [], path
                if path in paths[:2]:
                    assert re.search(r'property="og:image" content="http://[^"]+/social.png"', text), (
                        path
                    )
                for address in re.findall(r'"(/static/[^"#]+)', text):
                    file = await http.ask("GET", address)
                    assert file.status == 200
                    assert "immutable" in (file.header("cache-control") or "")
            assert laid.json()["invitation"] not in (await http.ask("GET", paths[1])).body.decode()
            for path, status in (
                ("/tables/nowhere", 404),
                ("/rules/chess", 404),
                ("/static/000000000000/table.js", 404),
            ):
                answer = await http.ask("GET", path)
                assert answer.status == status
                assert 'role="alert"' in answer.body.decode()
            await http.close()

    asyncio.run(look())


def test_only_what_everybody_may_read_is_compressed(tmp_path: Path) -> None:
    async def look() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            for path in ("/", static("theatre.css"), static("portraits.svg")):
                plain = await http.ask("GET", path, headers={"Accept-Encoding": "br, gzip;q=0"})
                packed = await http.ask("GET", path, headers={"Accept-Encoding": "br, gzip;q=0.5"})
                assert plain.header("content-encoding") is None
                assert packed.header("content-encoding") == "gzip"
                assert plain.header("vary") == packed.header("vary") == "Accept-Encoding"
                assert gzip.decompress(packed.body) == plain.body
                assert len(packed.body) < len(plain.body) / 2
            icon = await http.ask("GET", static("icon-192.png"), headers={"Accept-Encoding": "gzip"})
            assert icon.header("content-encoding") is None
            http.cookie = (await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})).cookie
            own = await http.ask("GET", "/", headers={"Accept-Encoding": "gzip"})
            assert own.header("content-encoding") is None
            await http.close()

    asyncio.run(look())


def test_every_rendered_game_has_a_picture_and_styles() -> None:
    for name in DRAWN:
        assert {f"{name}.svg", f"{name}.css"} <= set(assets())
    for name in assets():
        assert static(name).endswith(f"/{name}")


@pytest.mark.parametrize("name", game_names())
def test_every_rule_can_be_linked_to(name: str) -> None:
    text = rulebook(name)
    found = HtmlChecker(html(text))
    assert found.wrong == []
    assert set(rules_in(text)) <= set(found.ids)


def test_html_in_a_rulebook_is_escaped() -> None:
    assert "<script" not in html("A <script>alert(1)</script> and [a link](javascript:alert(1))")
    assert 'href="javascript' not in html("[a link](javascript:alert(1))")


@pytest.mark.parametrize("header", ["", "de;q=x", "*", ";;;,,,", "en" * 5000, "tlh, en;q=0.1"])
def test_any_accept_language_header_is_answered(header: str) -> None:
    assert negotiate_language(header).code == "en"


COLOURS = ("red", "blue", "purple", "green", "grey")
TEXTS = [
    ("ink", "page"), ("ink", "panel"), ("soft", "page"), ("soft", "panel"), ("accent-ink", "page"),
    ("accent-ink", "panel"), ("accent-ink", "accent-soft"), ("on-accent", "accent"), ("on-good", "good"),
    ("on-bad", "bad"), ("bad", "page"), ("on-cloth", "cloth"), ("card-ink", "card-paper"),
    ("stage-ink", "paper"), ("stage-soft", "paper"), ("stage-brown", "paper"),
    ("stage-ink", "paper-shade"),
    *((colour, "card-paper") for colour in COLOURS),
]  # fmt: skip


def _luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("dark", [False, True])
def test_text_contrast_is_sufficient(dark: bool) -> None:
    css = assets()["wonderland.css"].decode()
    light, _, rest = css.partition("@media (prefers-color-scheme: dark)")
    values = dict(re.findall(r"--([\w-]+): (#\w{6});", light))
    if dark:
        values |= dict(re.findall(r"--([\w-]+): (#\w{6});", rest.partition("\n}\n")[0]))
    values["white"] = "#ffffff"
    for text, ground in [*TEXTS, *(("white", colour) for colour in COLOURS)]:
        low, high = sorted(_luminance(values[name]) for name in (text, ground))
        assert (high + 0.05) / (low + 0.05) >= 4.5, (text, ground)

"""The insights page of a game: it shows the figures of the file, in every language."""

from __future__ import annotations

import asyncio
import csv
import io
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings

from campaigns.raw_clients import Answer, Http, site_in
from support import insights_samples
from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.engine.language import ENGLISH
from wonderland.engine.registry import game_names
from wonderland.features.insights.charts import Plot, Scale
from wonderland.features.insights.model import FILE, Figure, Histogram, Insights, OptionEffect, insights
from wonderland.features.insights.pages import insights_page
from wonderland.features.insights.sections import Findings

SECTIONS = ("order", "scores", "decisions", "endings", "skill", "variants")


class Tables(HTMLParser):
    """Collects the figures of a page: for each section, the numeric cells row by row."""

    def __init__(self, body: bytes) -> None:
        super().__init__()
        self.found: dict[str, list[list[float]]] = {}
        self._in_cell = False
        self._section = ""
        self.feed(body.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "section":
            self._section = given["aria-labelledby"] or ""
            self.found[self._section] = []
        elif tag == "tr":
            self.found[self._section].append([])
        self._in_cell = tag == "td" and given.get("class") == "number"

    def handle_data(self, data: str) -> None:
        if self._in_cell:
            plain = data.replace("\u2212", "-").replace(",", "")
            self.found[self._section][-1] += map(float, re.findall(r"-?\d+(?:\.\d+)?", plain))

    def handle_endtag(self, tag: str) -> None:
        self._in_cell = False


def shares(found: Figure) -> list[float]:
    return [100 * number for number in (found.value, found.low, found.high)]


def numbers(spread: Histogram) -> list[float]:
    mean = spread.mean
    return [mean.value, mean.low, mean.high, spread.lowest, spread.median, spread.highest]


def difference(change: OptionEffect) -> list[float]:
    scale, far = (100 if change.is_share else 1), change.difference
    return [scale * each for each in (change.before, change.after, far.value, far.low, far.high)]


def expected_figures(found: Insights) -> dict[str, list[list[float]]]:
    """Return the figures of the file, in the order of the page."""
    surveys = [each for seats in found.seats for each in found.with_seats(seats)]
    can_share = any(each.shared.value for each in surveys)
    rows: dict[str, list[list[float]]] = {
        "order": [[*shares(share), 100 / each.seats] for each in surveys for share in each.order],
        "scores": [numbers(each.scores) for each in surveys],
        "decisions": [numbers(each.decisions) for each in surveys],
        "endings": [
            shares(share)
            for each in surveys
            for share in (*(e.share for e in each.endings), *([each.shared] if can_share else []))
        ],
        "skill": [[each.deals, *shares(each.wins)] for each in found.meetings],
    }
    if found.variants:
        rows["variants"] = [
            difference(change)
            for each in found.variants
            for change in each.changes
            if change.before or change.after
        ]
    return rows


def check_numbers(found: Insights) -> None:
    shown = Tables(bytes(insights_page(found, ENGLISH).body)).found
    expected = expected_figures(found)
    assert shown.keys() == expected.keys()
    for section, rows in expected.items():
        for mine, theirs in zip(rows, shown[section][1:], strict=True):  # the first one is the header
            assert theirs == pytest.approx(mine, abs=0.0501), section


@settings(max_examples=25, deadline=None)
@given(insights_samples.insights())
def test_the_page_shows_the_figures_of_the_file(found: Insights) -> None:
    check_numbers(found)


@pytest.mark.parametrize("name", game_names())
def test_each_game_shows_the_figures_of_its_file(name: str) -> None:
    check_numbers(insights(name))


@pytest.mark.parametrize("name", game_names())
def test_each_section_shows_cards_that_the_page_can_draw(name: str) -> None:
    body = bytes(insights_page(insights(name), ENGLISH).body).decode()
    used = re.findall(r'<p class="fan".*?</p>', body)
    assert len(used) == len(list(Findings(insights(name), ENGLISH).sections()))
    for symbol in re.findall(r'href="#([\w-]+)"', "".join(used)):
        assert f'id="{symbol}"' in body


def plots(found: Insights) -> Iterator[Plot]:
    for section in Findings(found, ENGLISH).sections():
        yield from section.plots


@settings(max_examples=25, deadline=None)
@given(insights_samples.insights())
def test_everything_drawn_is_within_its_plot(found: Insights) -> None:
    drawn = 0
    for plot in plots(found):
        for row in plot.rows:
            for dot in row.dots:
                assert 0 <= dot.low <= dot.x <= dot.high <= 100
                assert 0 < dot.y < row.height
            assert row.bar is None or 0 <= row.bar <= 100
        for bar in plot.bars:
            assert bar.x >= 0
            assert bar.x + bar.width <= 100.1
            assert bar.y + bar.height == pytest.approx(84, abs=0.11)
        assert all(0 <= tick.x <= 100 for tick in plot.ticks)
        drawn += len(plot.rows) + len(plot.bars)
    assert drawn > 5


@pytest.mark.parametrize("name", game_names())
def test_dots_are_drawn_at_their_values(name: str) -> None:
    """Of two figures in one plot, the larger one is farther to the right."""
    found = insights(name)
    for plot in plots(found):
        dots = [dot for row in plot.rows for dot in row.dots]
        said = [float(dot.says.rstrip("%").replace("\u2212", "-")) for dot in dots]
        for one, other in pairwise(said):
            places = dots[said.index(one)].x, dots[said.index(other)].x
            assert one == other or (one < other) == (places[0] < places[1])


def test_a_scale_has_a_few_round_numbers() -> None:
    for low, high in ((0.48, 0.52), (-0.3, 0.31), (0, 1), (3.5, 61.5), (0.5, 1.0), (1.0, 1.001)):
        steps = Scale(low, high).steps()
        assert 2 <= len(steps) <= 5
        assert low - 1e-6 <= steps[0] < steps[-1] <= high + 1e-6


def order_sentence(found: Insights, *order: Figure) -> str:
    """Return the sentence about the order of play if two players scored like this."""
    survey = next(each for each in found.surveys if each.seats == 2)
    even = msgspec.structs.replace(found, surveys=(msgspec.structs.replace(survey, order=order),))
    return next(Findings(even, ENGLISH).sections()).says[0]


def test_an_unbalanced_place_is_named_if_significant_among_all_places() -> None:
    found = insights(insights_samples.GAME)
    off, nearly = Figure(0.55, 0.51, 0.59), Figure(0.54, 0.501, 0.579)
    assert re.search(
        "2 players.* First player wins 55.0", order_sentence(found, off, Figure(0.45, 0.41, 0.49))
    )
    assert order_sentence(found, nearly, Figure(0.46, 0.421, 0.499)).startswith("No place")


# Over HTTP


def request_pages(folder: Path, *paths: str) -> list[Answer]:
    async def ask() -> list[Answer]:
        async with site_in(folder, limited=False) as here:
            http = Http(here.port)
            found = [await http.ask("GET", path, headers={"Accept": "text/html"}) for path in paths]
            await http.close()
            return found

    return asyncio.run(ask())


def test_every_game_in_every_language(tmp_path: Path) -> None:
    paths = [f"/insights/{name}?lang={code}" for name in game_names() for code in LANGUAGES]
    for path, answer in zip(paths, request_pages(tmp_path, *paths), strict=True):
        body = answer.body.decode()
        assert answer.status == 200
        assert f'<html lang="{path[-2:]}">' in body
        assert not re.search(r"<style|\sstyle=|<script|\son\w+=", body)
        assert body.count("<section") >= 5


def test_numbers_are_formatted_by_locale() -> None:
    found = insights("parade")
    share = 100 * found.surveys[0].order[0].value
    body = bytes(insights_page(found, load_language("de")).body).decode()
    assert f"{share:.1f}".replace(".", ",") in body
    assert f"{found.games:,}".replace(",", ".") in body


def test_the_figures_can_be_downloaded(tmp_path: Path) -> None:
    csvs = [f"/insights/cookies/{section}.csv" for section in SECTIONS]
    whole, *tables = request_pages(tmp_path, "/insights/cookies/insights.json", *csvs)
    assert whole.body == FILE.home("cookies").read_bytes()
    assert "attachment" in whole.header("content-disposition")
    found = insights("cookies")
    rows = {
        section: list(csv.DictReader(io.StringIO(answer.body.decode())))
        for section, answer in zip(SECTIONS, tables, strict=True)
    }
    of_first = [float(row["value"]) for row in rows["order"] if row["place"] == "1"]
    assert of_first == [survey.order[0].value for survey in found.surveys]
    for section in ("scores", "decisions"):
        total = sum(int(row["times"]) for row in rows[section])
        assert total == sum(sum(getattr(s, section).counts.values()) for s in found.surveys)
    assert len(rows["endings"]) == sum(len(survey.endings) + 1 for survey in found.surveys)
    assert [float(row["high"]) for row in rows["skill"]] == [m.wins.high for m in found.meetings]
    changes = [change for variant in found.variants for change in variant.changes]
    assert [float(row["difference"]) for row in rows["variants"]] == [
        change.difference.value for change in changes
    ]


@pytest.mark.parametrize(
    "path", ["/insights/chess", "/insights/parade/everything.csv", "/insights/chess/order.csv"]
)
def test_missing_pages_are_reported(path: str, tmp_path: Path) -> None:
    (answer,) = request_pages(tmp_path, path)
    assert answer.status == 404
    assert re.search(r'<p role="alert">[^<]+\.</p>', answer.body.decode())


def test_a_game_without_insights_gets_a_sentence_without_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wonderland.features.insights.model.FILE.name", "no-such-file.json")
    monkeypatch.setattr("wonderland.features.insights.pages._known", insights)  # with the cache cleared
    (answer,) = request_pages(tmp_path, "/insights/letters")
    assert answer.status == 404
    assert "no insights for Letters yet" in answer.body.decode()
    assert "wonderland insights make" not in answer.body.decode()


def test_a_page_is_rendered_once_and_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = "/insights/letters"
    first, german = request_pages(tmp_path, path, f"{path}?lang=de")
    monkeypatch.setattr("wonderland.features.insights.pages.insights_page", None)
    again, chosen = request_pages(tmp_path, path, f"{path}?lang=de")
    assert (first.body, german.body) == (again.body, chosen.body)
    assert first.body != german.body
    for name in ("content-security-policy", "content-type", "content-length", "set-cookie"):
        assert (first.header(name), german.header(name)) == (again.header(name), chosen.header(name))
    assert (first.header("set-cookie"), first.header("content-language")) == (None, "en")
    assert "language=de" in (german.header("set-cookie") or "")


@settings(max_examples=25, deadline=None)
@given(insights_samples.insights())
def test_differences_between_shares_are_in_percentage_points(found: Insights) -> None:
    changes = [each for variant in found.variants for each in variant.changes if each.is_about_something]
    for section in Findings(found, ENGLISH).sections():
        if section.key != "variants":
            continue
        for row, change in zip(section.numbers.rows, changes, strict=True):
            before, _, far, between = row[2:6]
            assert before.endswith("%") == far.endswith(" points") == change.is_share
            assert "%" not in far + between
        assert not any("%" in tick.says for plot in section.plots for tick in plot.ticks)

"""Rendering of the coach's report: each decision, the whole game, and the graph."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from support.coach_reports import GAMES, IDS, PARADE, coach_quickly
from support.html import HtmlChecker
from wonderland.components.words import words_of
from wonderland.engine.language import ENGLISH
from wonderland.engine.match import Match
from wonderland.engine.record_reader import AnyRecord
from wonderland.features.coach import graph as chances
from wonderland.features.coach.model import GraphPoint, TurningPoint
from wonderland.features.coach.rendering import Coached
from wonderland.features.coach.service import ReviewStatus
from wonderland.features.positions.editor import open_position
from wonderland.features.replay.rendering import ReplayPage
from wonderland.web.languages import negotiate_language
from wonderland.wire.problems import Refusal


@pytest.mark.parametrize("record", GAMES, ids=IDS)
def test_every_decision_is_rendered_with_all_its_alternatives(record: AnyRecord) -> None:
    replay, found = ReplayPage(record), coach_quickly(record)
    drawn = Coached("name", replay, found, ENGLISH)
    game, words = record.game, words_of(record.game.info.name)
    for decision in found.decisions[::3]:
        shown = drawn.moment(decision.number).html["moment"]
        assert HtmlChecker(shown).wrong == []
        actions = list(map(html.unescape, re.findall(r'data-option="([^"]+)"', shown)))
        assert sorted(actions) == sorted(option.action for option in decision.options)
        assert actions[0] == decision.options[decision.best].action
        assert decision.options[decision.chosen].action in actions[:6]
        assert shown.count(">best</em>") == shown.count(">chosen</em>") == 1
        match: Any = Match.resume(record, upto=decision.move)
        assert words.describe_action(match.view(decision.seat), game.read(actions[0]))
        assert f"/replay/name?at={decision.number - 1}&amp;seat={decision.seat}" in shown
        line = open_position(game.info.name, game.write_position(match.state), decision.seat, ENGLISH)
        assert line.answer().ready, "the coach's position can be asked about in the editor"
        assert line.seat == decision.seat
    with pytest.raises(Refusal) as refusal:
        drawn.moment(999)
    assert refusal.value.problem == "not found"


@pytest.mark.parametrize("record", GAMES, ids=IDS)
def test_the_whole_game_is_rendered_at_every_stage_of_the_review(record: AnyRecord) -> None:
    replay, found = ReplayPage(record), coach_quickly(record)
    for done in (0, 1, len(found.decisions) // 2):
        part = ReviewStatus("working", found.decisions[:done], found.total)
        shown = Coached("name", replay, part, ENGLISH).page()
        assert HtmlChecker("".join(shown.html.values())).wrong == []
        assert shown.says.startswith(f"{done} of {found.total} ")
        assert shown.html["graph"].count("data-at=") == done
        assert (shown.at, shown.html["costly"].strip()) == (None, "")
    whole = Coached("name", replay, found, ENGLISH).page()
    assert HtmlChecker("".join(whole.html.values())).wrong == []
    assert whole.html["graph"].count("data-at=") == found.total
    assert found.report is not None
    for seat in found.report.seats:
        for each in seat.costliest:
            assert f"?at={each.number}" in whole.html["costly"]
            assert each.reason.split()[0] in whole.html["costly"]
    assert whole.html["turns"].count("<li>") == len(found.report.turning_points)


def test_bots_have_translated_names() -> None:
    german = negotiate_language("de")
    record = replace(
        PARADE, names=("Lily", "Hatter · hard", "Dormouse", "Bill", "Queen")[: len(PARADE.names)]
    )
    drawn = Coached("name", ReplayPage(record), coach_quickly(record), german)
    parts = [*drawn.page().html.values(), *(drawn.moment(n).html["moment"] for n in (1, 2))]
    shown = "".join(parts)
    assert german("Hatter") in shown
    assert "Lily" in shown
    assert "Hatter" not in shown.replace(german("Hatter"), "")
    assert "· hard" not in shown


def test_the_remaining_time_is_shown_while_waiting() -> None:
    replay = ReplayPage(PARADE)
    says = [Coached("name", replay, ReviewStatus("waiting", ahead=n), ENGLISH).says() for n in (1, 3)]
    assert [text.split()[:2] for text in says] == [["1", "game"], ["3", "games"]]


POINTS = st.lists(st.tuples(st.integers(1, 60), st.floats(0, 1)), max_size=30, unique_by=lambda p: p[0])


@given(graphs=st.lists(POINTS, min_size=1, max_size=6), turns=st.sets(st.integers(2, 61), max_size=5))
def test_the_graph_stays_within_its_bounds(
    graphs: list[list[tuple[int, float]]], turns: set[int]
) -> None:
    points = [[GraphPoint(*point) for point in sorted(graph)] for graph in graphs]
    where = [TurningPoint(0, 1, number, 0.1, 0.9, None) for number in sorted(turns)]
    found = chances.build_graph(points, [], where, 61, ENGLISH)
    assert len(found.marks) == sum(map(len, points))
    assert len(found.lines) == sum(max(0, len(graph) - 1) for graph in points)
    for mark in found.marks:
        assert 0 <= mark.x <= 100
        assert found.top <= mark.y <= found.floor < found.height
    for mark, other in zip(found.marks, found.marks[1:], strict=False):
        assert mark.x <= other.x
        assert (mark.x < other.x) == (mark.number < other.number)
    for turn, later in zip(found.turns, found.turns[1:], strict=False):
        assert later.x - turn.x >= 5 or later.row != turn.row, "their numbers don't touch"
    assert all(0 < tick.at < 100 for tick in found.across)

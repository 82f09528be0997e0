"""Finished games as one person sees them: results, filters, statistics."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from wonderland.engine.errors import UsageError
from wonderland.features.my_games.charts import line_chart
from wonderland.features.my_games.model import (
    FinishedGame,
    GameFilter,
    Mistake,
    OwnGame,
    SeatReview,
    accuracies,
    mistakes_in,
    read_filter,
    tallies,
    tally,
)


def game_of(day: int, seats: tuple[int, ...] = (0,), **fields: Any) -> OwnGame:
    ended = round(datetime(2026, 11, day, 12, tzinfo=UTC).timestamp() * 1000)
    given = {
        "id": f"game{day}",
        "game": "parade",
        "kind": "table",
        "ended": ended,
        "names": ("Alice", "Hatter"),
        "levels": ("", "hatter"),
        "winners": (0,),
        "places": (1, 2),
        "scores": (10, 20),
    } | fields
    return OwnGame(FinishedGame(**given), seats)


WON, LOST = game_of(1), game_of(2, winners=(1,))
SHARED = game_of(3, winners=(0, 1), levels=("", ""), names=("Alice", "Bill"))
HOT_SEAT, WATCHED = game_of(4, (0, 1)), game_of(5, ())
TAUGHT = game_of(6, kind="tutorial")
MIXED = game_of(7, names=("Alice", "Hatter", "Bill"), levels=("", "hatter", ""), scores=(1, 2, 3))
ALL = [WON, LOST, SHARED, HOT_SEAT, WATCHED, TAUGHT, MIXED]


def test_outcomes_are_those_of_the_only_own_seat() -> None:
    assert [own.outcome for own in ALL] == ["won", "lost", "shared", "", "", "won", "won"]
    assert [own.level for own in ALL] == [
        "hatter",
        "hatter",
        "people",
        "people",
        "mixed",
        "hatter",
        "mixed",
    ]
    assert [own.counts for own in ALL] == [True, True, True, False, False, False, True]


def test_results_are_counted_without_tutorials_and_shared_screens() -> None:
    found = tally(ALL)
    assert (found.played, found.won, found.shared, found.lost) == (4, 2, 1, 1)
    assert found.share == 2.5 / 4
    assert tally([]).share == 0
    by_seats = tallies(ALL, lambda own: (own.game.game, len(own.game.names)))
    assert {key: each.played for key, each in by_seats.items()} == {("parade", 2): 3, ("parade", 3): 1}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, 7),
        ({"game": "parade"}, 7),
        ({"game": "letters"}, 0),
        ({"result": "won"}, 3),
        ({"result": "shared"}, 1),
        ({"opponent": "hAT"}, 5),
        ({"opponent": "alice"}, 1),  # where the person only watched
        ({"level": "people"}, 2),
        ({"seats": "3"}, 1),
        ({"since": "2026-11-03"}, 5),
        ({"until": "2026-11-03"}, 3),
        ({"since": "2026-11-03", "until": "2026-11-03", "result": "shared"}, 1),
    ],
)
def test_filters(wanted: dict[str, str], expected: int) -> None:
    found = read_filter(wanted)
    assert sum(found.accepts(own, own.game.names) for own in ALL) == expected
    assert found.query() == wanted


def test_faulty_filters_are_refused() -> None:
    for query in ({"seats": "two"}, {"seats": "²"}, {"since": "tomorrow"}, {"until": "2026-02-30"}):
        with pytest.raises(UsageError):
            read_filter(query)
    assert read_filter({"since": ""}) == GameFilter()
    assert read_filter({"since": "2026-11-03"}).since == date(2026, 11, 3)


def test_accuracy_and_mistakes_come_from_reviews() -> None:
    mistakes = (Mistake("game2", 4, 0.1, "greed"), Mistake("game2", 9, 0.3, ""))
    reviews = {
        "game2": SeatReview(71.5, mistakes),
        "game1": SeatReview(90.0, ()),
        "game3": SeatReview(None, ()),
        "game6": SeatReview(50.0, ()),
    }
    assert [value for _, value in accuracies(ALL, reviews)] == [90.0, 71.5]
    assert [each.number for each in mistakes_in(ALL, reviews)] == [9, 4]


def test_charts_stay_inside_their_edges() -> None:
    for values in ([50.0], [70.0, 70.0], [0.0, 100.0, 33.3]):
        chart = line_chart(values, values, 10)
        assert chart.low < chart.high
        assert chart.low <= min(values) <= max(values) <= chart.high
        assert all(0 <= dot.x <= 600 and 0 <= dot.y <= 160 for dot in chart.dots)

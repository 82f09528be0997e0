"""Tallies: equal to plain Python for any chunks, compiled or not."""

from __future__ import annotations

from array import array
from collections import Counter
from fractions import Fraction
from importlib import import_module
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.kernels import kernel
from wonderland.lab import totals
from wonderland.lab.totals import WHOLE_WIN, Differences, Moments, Rows, Totals

ENDINGS = ("by day", "by night", "never")


@st.composite
def plays(draw: st.DrawFn, seats: int, number: int) -> Rows:
    numbers = array("i")
    for _ in range(number):
        scores = draw(st.lists(st.integers(-30, 200), min_size=seats, max_size=seats))
        numbers.extend(
            (
                draw(st.integers(1, 2**seats - 1)),
                draw(st.integers(0, seats - 1)),
                draw(st.integers(0, 90)),
                draw(st.integers(0, len(ENDINGS) - 1)),
                *scores,
                *(0,) * (6 - seats),
            )
        )
    return Rows(seats, numbers, ENDINGS)


@st.composite
def some_plays(draw: st.DrawFn) -> Rows:
    return draw(plays(draw(st.integers(2, 6)), draw(st.integers(0, 12))))


@st.composite
def paired_plays(draw: st.DrawFn) -> tuple[Rows, Rows]:
    seats, number = draw(st.integers(2, 6)), draw(st.integers(1, 8))
    return draw(plays(seats, number)), draw(plays(seats, number))


def each_of(rows: Rows) -> list[tuple[int, ...]]:
    return [tuple(rows.numbers[at : at + 10]) for at in range(0, len(rows.numbers), 10)]


def share(winners: int, seat: int) -> int:
    return WHOLE_WIN // winners.bit_count() if winners >> seat & 1 else 0


def variants() -> list[str]:
    names = ["wonderland.lab.tally"]
    if kernel.is_modern():
        names.append("wonderland.lab.tally_v3")
    return names


@pytest.fixture(params=["uncompiled", *variants()])
def counting(request: pytest.FixtureRequest, uncompiled_tally: ModuleType) -> ModuleType:
    """Every variant of the tally available here."""
    if request.param == "uncompiled":
        return uncompiled_tally
    try:
        return import_module(request.param)
    except ModuleNotFoundError:
        pytest.skip("not compiled for this processor here")


def test_rows_have_the_same_meaning_as_in_kernels(uncompiled_tally: ModuleType) -> None:
    for name in ("ROW", "WINNERS", "FIRST", "DECISIONS", "ENDING", "SCORES"):
        assert getattr(uncompiled_tally, f"_{name}") == getattr(kernel, name)
    assert uncompiled_tally._MASKS == totals.MASKS
    assert uncompiled_tally._WHOLE_WIN == totals.WHOLE_WIN
    assert kernel.ROW == kernel.SCORES + totals.SEATS
    assert not uncompiled_tally.COMPILED


def test_counts_match_plain_python(counting: ModuleType) -> None:
    @given(some_plays())
    def same(rows: Rows) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(totals, "_tally", lambda: counting)
            found = Totals.of(rows)
        each = each_of(rows)
        assert found.games == len(each)
        assert found.outcomes == Counter((row[1], row[0]) for row in each)
        assert found.lengths == Counter(row[2] for row in each)
        assert found.endings == Counter(ENDINGS[row[3]] for row in each)
        for seat in range(rows.seats):
            assert found.scores[seat] == Counter(row[4 + seat] for row in each)

    same()


def test_differences_match_plain_python(counting: ModuleType) -> None:
    @given(paired_plays())
    def same(pair: tuple[Rows, Rows]) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(totals, "_tally", lambda: counting)
            found = Differences.of(*pair)
        seats = pair[0].seats
        both = list(zip(*map(each_of, pair), strict=True))

        def moments(differences: list[int]) -> Moments:
            return Moments(len(both), sum(differences), sum(one * one for one in differences))

        for seat in range(seats):
            assert found.share(seat) == moments([share(b[0], seat) - share(a[0], seat) for a, b in both])
            assert found.score(seat) == moments([b[4 + seat] - a[4 + seat] for a, b in both])
            assert found.share_by_order(seat) == moments(
                [
                    share(b[0], (b[1] + seat) % seats) - share(a[0], (a[1] + seat) % seats)
                    for a, b in both
                ]
            )
        assert found.length == moments([b[2] - a[2] for a, b in both])
        assert found.shared == moments(
            [(b[0].bit_count() > 1) - (a[0].bit_count() > 1) for a, b in both]
        )
        for number, name in enumerate(ENDINGS):
            assert found.ending(name) == moments([(b[3] == number) - (a[3] == number) for a, b in both])

    same()


@given(some_plays(), st.data())
def test_totals_do_not_depend_on_chunking(rows: Rows, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=4)))
    added = Totals(rows.seats)
    for begin, end in zip([0, *cuts], [*cuts, len(rows)], strict=True):
        added.add(Totals.of(Rows(rows.seats, rows.numbers[10 * begin : 10 * end], ENDINGS)))
    assert added == Totals.of(rows)


@given(paired_plays(), st.data())
def test_differences_do_not_depend_on_chunking(pair: tuple[Rows, Rows], data: st.DataObject) -> None:
    middle = 10 * data.draw(st.integers(0, len(pair[0])))
    parts = [
        Differences.of(*(Rows(rows.seats, rows.numbers[cut], ENDINGS) for rows in pair))
        for cut in (slice(0, middle), slice(middle, None))
    ]
    parts[0].add(parts[1])
    whole = Differences.of(*pair)
    assert (parts[0].games, parts[0].sums, parts[0].squares) == (whole.games, whole.sums, whole.squares)


@given(some_plays())
def test_every_win_is_fully_distributed(rows: Rows) -> None:
    found = Totals.of(rows)
    seats = range(rows.seats)
    assert sum(found.share_of_seats([seat]).total for seat in seats) == WHOLE_WIN * len(rows)
    assert sum(found.share_by_order(place).total for place in seats) == WHOLE_WIN * len(rows)
    assert found.share_of_seats(list(seats)) == Moments(
        len(rows), WHOLE_WIN * len(rows), WHOLE_WIN**2 * len(rows)
    )
    for seat in seats:
        expected = sum(Fraction(share(row[0], seat), WHOLE_WIN) for row in each_of(rows))
        assert Fraction(found.share_of_seats([seat]).total, WHOLE_WIN) == expected


def test_endings_met_by_only_some_workers_stay_separate() -> None:
    one = Rows(2, array("i", [1, 0, 9, 0, 5, 3, 0, 0, 0, 0]), ("by day",))
    other = Rows(2, array("i", [2, 1, 7, 0, 5, 3, 0, 0, 0, 0]), ("by night",))
    found = Differences.of(one, other)
    later = Differences.of(other, one)
    assert found.ending("by night") == Moments(1, 1, 1)
    assert found.ending("by day") == Moments(1, -1, 1)
    assert found.ending("never") == Moments(1, 0, 0)
    fewer = Differences.of(one, one)
    fewer.add(found)
    fewer.add(later)
    assert fewer.ending("by night") == Moments(3, 0, 2)
    both = Totals.of(one)
    both.add(Totals.of(other))
    assert both.endings == {"by day": 1, "by night": 1}

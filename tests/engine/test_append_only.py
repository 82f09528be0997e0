"""`AppendOnlyList` and its forks behave like copied lists."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.engine.append_only import AppendOnlyList


@given(seed=st.integers(0, 2**32))
def test_forks_are_independent(seed: int) -> None:
    rng = random.Random(seed)
    original, lists = [AppendOnlyList[int]()], [list[int]()]
    for number in range(60):
        place = rng.randrange(len(original))
        match rng.randrange(3):
            case 0:
                original.append(original[place].fork())
                lists.append(lists[place].copy())
            case 1:
                original[place].append(number)
                lists[place].append(number)
            case _:
                some = list(range(rng.randrange(4)))
                original[place].extend(some)
                lists[place].extend(some)
    for one, other in zip(original, lists, strict=True):
        assert one == other
        assert list(one) == other
        assert len(one) == len(other)
        assert repr(one) == repr(other)
        assert one[1:-1] == other[1:-1]
        assert one[-3:] == other[-3:]
        assert [one[n] for n in range(-len(other), len(other))] == other + other


BOUNDS = st.none() | st.integers(-12, 12)


@given(
    items=st.lists(st.integers(), max_size=8),
    later=st.lists(st.integers(), max_size=3),
    place=st.builds(slice, BOUNDS, BOUNDS, st.none() | st.integers(-4, 4).filter(bool)),
)
def test_slices_match_those_of_a_list(items: list[int], later: list[int], place: slice) -> None:
    original = AppendOnlyList(items)
    original.fork().extend(later)  # shares its items with the list, which must not notice
    assert original[place] == items[place]
    assert original[::-1] == items[::-1]
    assert list(reversed(original)) == items[::-1]


def test_a_step_of_0_is_rejected() -> None:
    with pytest.raises(ValueError, match="zero"):
        AppendOnlyList([1])[::0]


def test_indexes_beyond_the_end_are_rejected() -> None:
    original = AppendOnlyList([1, 2])
    longer = original.fork()
    longer.append(3)
    with pytest.raises(IndexError):
        original[2]
    with pytest.raises(IndexError):
        original[-3]
    assert AppendOnlyList[int]()[:] == []
    assert original != (1, 2)
    assert original != longer
    with pytest.raises(TypeError):
        hash(original)

"""The numbers of a fair shuffle: they never change, and agree with the server's."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wonderland.client.shuffle import ChanceStreams, is_usable
from wonderland.tables.fairness import draw_number

NUMBERS = bytes.fromhex("ab30a5f91086f0b386c9bf20842265742b16e0b81fd87870c05820505b4b1c61")
"""The key of the frozen numbers in docs/fairness.md."""


def test_its_numbers_never_change() -> None:
    numbers = ChanceStreams(NUMBERS)
    assert [numbers.below(limit, "card") for limit in (66, 65, 1, 64)] == [28, 23, 0, 60]
    assert numbers.below(63, "card.parade") == 56
    assert numbers.taken == {"card": 3, "card.parade": 1}


def test_it_skips_rejected_numbers() -> None:
    numbers = ChanceStreams(NUMBERS)
    numbers.taken["card"] = 661_882_073
    assert numbers.below(2**32 - 65_535, "card") == 1_040_563_866
    assert numbers.taken["card"] == 661_882_075


@given(st.integers(2, 2**32), st.integers(0, 2**33) | st.integers(0, 2**64 - 1))
def test_both_implementations_reject_the_same_numbers(limit: int, from_the_top: int) -> None:
    number = 2**64 - 1 - from_the_top
    blocks = [number.to_bytes(8, "big"), bytes(8)]
    assert draw_number(blocks.__getitem__, 0, limit) == (
        (number % limit, 1) if is_usable(number, limit) else (0, 2)
    )

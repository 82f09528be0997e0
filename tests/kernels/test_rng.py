"""The random number generator shared by all kernels."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wonderland.kernels.rng import GAMMA, advance, scale, splitmix64, start_stream

WORD = st.integers(0, 2**64 - 1)


def test_outputs_match_the_published_generator() -> None:
    """The first outputs for seed 1234567 that other splitmix64 implementations are checked with."""
    state, outputs = 1234567, []
    for _ in range(5):
        state = advance(state)
        outputs.append(splitmix64(state))
    assert outputs == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(state=WORD)
def test_states_and_outputs_are_64_bit_words(state: int) -> None:
    assert 0 <= advance(state) < 2**64
    assert 0 <= splitmix64(state) < 2**64
    assert (advance(state) - state) % 2**64 == GAMMA


@given(one=WORD, other=WORD)
def test_different_states_have_different_outputs(one: int, other: int) -> None:
    assert (splitmix64(one) == splitmix64(other)) == (one == other)


@given(seed=WORD, stream=WORD)
def test_a_seed_has_a_stream_for_every_number(seed: int, stream: int) -> None:
    start = start_stream(seed, stream)
    assert 0 <= start < 2**64
    assert start == start_stream(seed, stream + 2**64)
    assert start != start_stream(seed, stream + 1)
    assert start != start_stream(seed ^ 1, stream)


@given(output=WORD, limit=st.integers(1, 2**31 - 1))
def test_scaled_numbers_are_below_the_limit(output: int, limit: int) -> None:
    assert 0 <= scale(output, limit) < limit
    assert scale(2**64 - 1, limit) == limit - 1

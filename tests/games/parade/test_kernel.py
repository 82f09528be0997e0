"""Law 10 for Parade: the kernel, in every variant, plays the same game as the rules."""

from __future__ import annotations

import random
import re
from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from support.faults import Fault
from support.kernel_variants import compiled_module, uncompiled, variants
from support.kernel_variants import kernel as kernel_of
from support.paths import RECORDS
from wonderland.engine import Match, UsageError, game, read_record
from wonderland.engine.laws import LawBroken, random_match
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.parade.encoding import layout, packing
from wonderland.games.parade.rules.components import DECK, VALUES
from wonderland.games.parade.rules.state import Keeping
from wonderland.kernels.kernel import ROW
from wonderland.kernels.laws import check_kernel

PARADE = game("parade")
WAYS = variants("parade")
FILES = sorted((RECORDS / "parade").glob("*.record"))
FAULTS = {
    "the safe cards counted from the wrong value": ("leaving", "lowest(_1, _2)", "lowest(_1, _2 + 1)"),
    "only lower values leave": ("_prepare", "value <= _1", "value < _1"),
    "a colour never leaves": ("leaving", "self.colours[_] | _1", "_1"),
    "the last round has one turn too few": ("_draw", "self.seats + 1", "self.seats"),
    "the last round is played without the one who began it": (
        *("_draw", "self.seats + 1"),
        "self.seats + (self.ends != EMPTY_PILE)",
    ),
    "two players need one card more": ("_needed", "2 * ONE_IN_EACH", "1 * ONE_IN_EACH"),
    "tied majorities go to nobody": ("worth", "_1 - needed", "_1 - needed - ONE_IN_EACH"),
    "no tie-break": ("who_won", "_1 + cards", "_1"),
    "the sixth colour is forgotten": ("_play", "self.ends = _", "self.ends = 0"),
    "a card taken stays in the parade": ("_play", "self.present &= _", "pass"),
    "the sum of a colour is cut short": ("worth", "_1 & SUMS", "_1 & COUNTS"),
}
"""A function of `play`, what is found there, and what is put in its place."""


def start_words(seats: int) -> list[int]:
    return packing.pack(PARADE.start(seats, PARADE.options_type()))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_stored_games_are_the_same_in_the_kernel(path: Path, way: str) -> None:
    match = Match.resume(read_record(path.read_bytes()).whole)
    kernel = kernel_of("parade", way)
    if "noted" in path.stem:  # it has cards that nobody has seen
        with pytest.raises(UsageError, match="nobody has seen"):
            check_kernel(match, kernel, packing, random.Random(1))
    else:
        check_kernel(match, kernel, packing, random.Random(1))


@pytest.mark.uncounted
@pytest.mark.parametrize("way", WAYS)
@given(seats=st.sampled_from(PARADE.info.seats), seed=st.integers(0, 2**32))
def test_random_plays_are_the_same_in_the_kernel(way: str, seats: int, seed: int) -> None:
    rng = random.Random(seed)
    match = random_match(PARADE, seats, PARADE.options_type(), rng)
    check_kernel(match, kernel_of("parade", way), packing, rng)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault: str) -> None:
    planted = Fault(compiled_module("parade", "play"), *FAULTS[fault])
    mutant = uncompiled(compiled_module("parade"), planted)
    rng = random.Random(3)
    with pytest.raises((LawBroken, IndexError)):  # noqa: PT012 - not every play shows it
        for play in range(300):
            seats = PARADE.info.seats[play % len(PARADE.info.seats)]
            check_kernel(random_match(PARADE, seats, PARADE.options_type(), rng), mutant, packing, rng)


def simulate_rows(way: str, seats: int, policy: int, first: int, count: int) -> array[int]:
    table = kernel_of("parade", way).KernelState()
    table.load(start_words(seats))
    rows = array("i", [0]) * (ROW * count)
    table.simulate(rows, [policy] * seats, 7, first, count)
    return rows


@pytest.mark.parametrize("policy", [0, 1])
@pytest.mark.parametrize("seats", PARADE.info.seats)
def test_simulated_plays_are_the_same_in_every_variant(seats: int, policy: int) -> None:
    first, *others = [simulate_rows(way, seats, policy, 0, 20) for way in WAYS]
    assert all(rows == first for rows in others)
    assert simulate_rows(WAYS[-1], seats, policy, 12, 8) == first[12 * ROW :]


def test_too_few_rows_are_rejected() -> None:
    for way in WAYS:
        table = kernel_of("parade", way).KernelState()
        table.load(start_words(2))
        with pytest.raises(ValueError, match="20 numbers"):
            table.simulate(array("i", [0]) * 19, [0, 0], 1, 0, 2)


@pytest.mark.parametrize("way", WAYS)
@given(seats=st.sampled_from(PARADE.info.seats), seed=st.integers(0, 2**32))
def test_a_playout_ends_with_the_score_of_the_rules(way: str, seats: int, seed: int) -> None:
    table = kernel_of("parade", way).KernelState()
    table.load(start_words(seats))
    table.seed(seed)
    decisions = table.play_out([seed % 2] * seats)
    state = packing.unpack(table.words())
    result = PARADE.turn(state).result
    assert tuple(table.scores()) == result.scores
    assert table.winners() == sum(1 << seat for seat in result.winners)
    assert decisions >= 3 * seats


def test_c_and_python_get_the_same_state() -> None:
    types = (
        Path(packing.__file__).parents[1].joinpath("compiled", "play.pxd").read_text(encoding="utf-8")
    )
    numbers = dict(re.findall(r"^    (\w+) = (-?\w+)$", types, re.MULTILINE))
    numbers |= dict(re.findall(r"#define PARADE_(\w+) (\w+)ULL", types))
    ours = {name: value for name, value in vars(layout).items() if name.isupper()}
    assert {name: int(value, 0) for name, value in numbers.items()} == ours
    assert len(DECK) == 66
    assert len(VALUES) == 11


def test_unseen_cards_have_no_number() -> None:
    with pytest.raises(UsageError, match="nobody has seen"):
        packing.number(FACE_DOWN)
    match = random_match(PARADE, 2, PARADE.options_type(), random.Random(1))
    states = [state for state, _ in match.record.states()]
    keeping = next(state for state in states if isinstance(state.stage, Keeping))
    hidden = structs.replace(keeping, stage=Keeping(keeping.stage.ending, (FACE_DOWN, None)))
    with pytest.raises(UsageError, match="nobody has seen"):
        packing.pack(hidden)
    unseen = structs.replace(keeping, hands=((FACE_DOWN,) * 4, keeping.hands[1]))
    with pytest.raises(UsageError, match="nobody has seen"):
        packing.pack(unseen)

"""Law 10 for Parade: the kernel, in every variant, plays the same game as the rules."""

from __future__ import annotations

import contextlib
import random
import re
from array import array
from pathlib import Path
from typing import Any

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
from wonderland.kernels.kernel import CHANCE, ROW, SEATS
from wonderland.kernels.laws import check_kernel
from wonderland.kernels.rng import advance, scale, splitmix64, start_stream

PARADE = game("parade")
WAYS = variants("parade")
FILES = sorted((RECORDS / "parade").glob("*.record"))
FAULTS = {
    "the safe cards counted from the wrong value": ("leaving", "lowest(_1, _2)", "lowest(_1, _2 + 1)"),
    "only lower values leave": ("_prepare", "range(value, 11)", "range(value + 1, 11)"),
    "a colour never leaves": ("leaving", "self.sets[COLOUR[card]] | _1", "_1"),
    "the last round has one turn too few": ("_draw", "self.seats + 1", "self.seats"),
    "the last round is played without the one who began it": (
        *("_draw", "self.seats + 1"),
        "self.seats + (self.ends != EMPTY_PILE)",
    ),
    "two players need one card more": ("needed_by", "2 * ONE_IN_EACH", "1 * ONE_IN_EACH"),
    "tied majorities go to nobody": ("points_in", "_1 - needed", "_1 - needed - ONE_IN_EACH"),
    "no tie-break": ("lowest_scores", "_1 + cards", "_1"),
    "the sixth colour is forgotten": ("_play", "self.ends = _", "self.ends = 0"),
    "a card taken stays in the parade": ("_play", "self.present &= _", "pass"),
    "the sum of a colour is cut short": ("points_in", "_1 & SUMS", "_1 & COUNTS"),
}
"""A function of `play` or `zones`, what is found there, and what is put in its place."""
IN_ZONES = {"_prepare", "points_in", "needed_by", "lowest_scores"}
FAULTS_OF_PLAYOUTS = {
    "a card taken is not kept": ("_play_until_last_round", "self.taken[seat] = taken", "pass"),
    "the pile does not shrink": ("_play_until_last_round", "self.deck[at] = self.deck[pile]", "pass"),
    "the sixth colour is not seen": ("_play_until_last_round", "ends = SIXTH_COLOUR", "pass"),
    "the empty pile is not told": ("_play_until_last_round", "ends |= EMPTY_PILE", "ends |= 1"),
    "the last round takes nothing": ("_play_last_round", "self.taken[seat] |= leaving", "pass"),
    "the first seat ends alone": ("_play_last_round", "seat + 1 if _ else 0", "seat"),
    "the last card of the hand is lost": ("_play_last_round", "self.hands[_ + place] = _", "pass"),
    "one card fewer is laid out": ("deal", "range(self.entered, 6)", "range(self.entered + 1, 6)"),
}
"""The same for the loops of playouts, which repeat some rules with local variables."""


def start_words(seats: int) -> list[int]:
    return packing.pack(PARADE.start(seats, PARADE.options_type()))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_stored_games_are_the_same_in_the_kernel(path: Path, way: str) -> None:
    match = Match.resume(read_record(path.read_bytes()).whole)
    kernel = kernel_of("parade", way)
    if "noted" in path.stem:  # it has cards that nobody has seen
        with pytest.raises(UsageError, match="unknown"):
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
    module = "zones" if FAULTS[fault][0] in IN_ZONES else "play"
    planted = Fault(compiled_module("parade", module), *FAULTS[fault])
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


def play_by_steps(kernel: Any, seats: int, seed: int, stream: int) -> list[int]:
    """Play a random game with `apply`, which law 10 ties to the rules; return what its row must hold."""
    table, random, decisions = kernel.KernelState(), start_stream(seed, stream + 1), 0
    table.load(start_words(seats))

    def number() -> int:
        nonlocal random
        random = advance(random)
        return splitmix64(random)

    def draw(output: int) -> int:
        outcomes = table.chances()
        table.apply(CHANCE, outcomes[scale(output, len(outcomes))][0])
        return int(outcomes[scale(output, len(outcomes))][0])

    first, hands = draw(number()), [[draw(number()) for _ in range(5)] for _ in range(seats)]
    for _ in range(6):
        draw(number())
    while len(table.legal(seat := table.turn())) != 6:
        output, hand = number(), hands[seat]
        place, decisions = scale(output, 5), decisions + 1
        table.apply(seat, hand[place])
        if table.turn() == CHANCE:
            hand[place] = draw((output & layout.HALF) << 32)
        else:
            hand[place] = hand[4]
            hand.pop()
    for seat, hand in enumerate(hands):
        one = scale(number(), 4)
        pair = sorted((hand[one], hand[(one + 1 + scale(number(), 3)) & 3]))
        table.apply(seat, layout.PAIRS + 66 * pair[0] + pair[1])
    scores = table.scores() + [0] * (SEATS - seats)
    return [table.winners(), first, decisions + seats, table.ending(), *scores]


def random_rows(kernel: Any, seats: int, count: int) -> list[list[int]]:
    table, rows = kernel.KernelState(), array("i", [0]) * (ROW * count)
    table.load(start_words(seats))
    table.simulate(rows, [0] * seats, 3, 5, count)
    return [rows[at : at + ROW].tolist() for at in range(0, len(rows), ROW)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seats", PARADE.info.seats)
def test_playouts_follow_the_rules_move_by_move(way: str, seats: int) -> None:
    kernel = kernel_of("parade", way)
    assert random_rows(kernel, seats, 6) == [play_by_steps(kernel, seats, 3, 5 + at) for at in range(6)]


@pytest.mark.parametrize("fault", FAULTS_OF_PLAYOUTS)
def test_a_fault_in_the_loops_of_playouts_is_caught(fault: str) -> None:
    planted = Fault(compiled_module("parade", "play"), *FAULTS_OF_PLAYOUTS[fault])
    mutant, sound = uncompiled(compiled_module("parade"), planted), kernel_of("parade", WAYS[-1])
    with contextlib.suppress(IndexError):
        assert any(
            random_rows(mutant, seats, 30) != random_rows(sound, seats, 30)
            for seats in PARADE.info.seats
        )


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
    folder = Path(packing.__file__).parents[1] / "compiled"
    types = "".join(
        (folder / f"{name}.pxd").read_text(encoding="utf-8") for name in ("position", "zones")
    )
    numbers = dict(re.findall(r"^    (\w+) = (-?\w+)$", types, re.MULTILINE))
    numbers |= dict(re.findall(r"#define PARADE_(\w+) (\w+)ULL", types))
    ours = {name: value for name, value in vars(layout).items() if name.isupper()}
    assert {name: int(value, 0) for name, value in numbers.items()} == ours
    assert len(DECK) == 66
    assert len(VALUES) == 11


def test_unseen_cards_have_no_number() -> None:
    with pytest.raises(UsageError, match="unknown"):
        packing.number(FACE_DOWN)
    match = random_match(PARADE, 2, PARADE.options_type(), random.Random(1))
    states = [state for state, _ in match.record.states()]
    keeping = next(state for state in states if isinstance(state.stage, Keeping))
    hidden = structs.replace(keeping, stage=Keeping(keeping.stage.ending, (FACE_DOWN, None)))
    with pytest.raises(UsageError, match="unknown"):
        packing.pack(hidden)
    unseen = structs.replace(keeping, hands=((FACE_DOWN,) * 4, keeping.hands[1]))
    with pytest.raises(UsageError, match="unknown"):
        packing.pack(unseen)

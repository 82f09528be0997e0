"""The kernel of Letters plays the same game as the rules, compiled or not."""

from __future__ import annotations

import random
import sys
from array import array
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.faults import Fault
from support.kernel_variants import compiled_module, uncompiled, variants
from support.kernel_variants import kernel as kernel_of
from support.paths import RECORDS
from wonderland.engine import CHANCE, Chance, Match, game, laws, read_record
from wonderland.engine.errors import UsageError
from wonderland.games.letters import GAME
from wonderland.games.letters.encoding import packing
from wonderland.games.letters.rules.components import Colour
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.rules import SEATS
from wonderland.games.letters.rules.state import (
    EMPTY,
    Choosing,
    Ended,
    FaceUp,
    Starting,
    State,
    TurnCard,
    TurnedDown,
)
from wonderland.kernels import kernel as kernels
from wonderland.kernels.kernel import DECISIONS, ENDING, FIRST, ROW, SCORES, WINNERS
from wonderland.kernels.laws import check_kernel

MODULE = compiled_module("letters")
FILES = sorted((RECORDS / "letters").glob("*.record"))
DODO, WHITE_RABBIT = 0, 1


@cache
def all_kernels() -> dict[str, Any]:
    """The kernel in every variant available here."""
    found: dict[str, Any] = {way: kernel_of("letters", way) for way in variants("letters")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "cython", None)
        found["without-cython"] = uncompiled(MODULE)
    return found


each_kernel = pytest.mark.parametrize("kernel", all_kernels().values(), ids=all_kernels())


@st.composite
def plays(draw: st.DrawFn) -> tuple[int, Options, random.Random]:
    """Seat counts, options and a seed."""
    seats = draw(st.sampled_from(SEATS))
    colours = draw(st.one_of(st.just(()), st.permutations(tuple(Colour)).map(lambda all_: all_[:seats])))
    options = Options(
        duchess=draw(st.booleans()),
        claim=draw(st.sampled_from(["after", "first"])),
        memory=draw(st.sampled_from(["closed", "open"])),
        colours=tuple(colours),
    )
    return seats, options, random.Random(draw(st.integers(min_value=0)))


def some_state(seats: int, options: Options, rng: random.Random) -> State:
    """A state reached by random play."""
    states = [state for state, _ in laws.random_match(GAME, seats, options, rng).record.states()]
    state: State = rng.choice(states)
    return state


def simulate_rows(kernel: Any, state: State, policies: list[int], count: int, first: int = 0) -> Any:
    table, rows = kernel.KernelState(), array("i", [-7]) * (ROW * count)
    table.load(packing.pack(state))
    table.simulate(rows, policies, seed=11, first=first, count=count)
    assert table.words() == packing.pack(state)
    return rows


@each_kernel
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_stored_record_gives_the_same_states(kernel: Any, path: Path) -> None:
    match = Match.resume(read_record(path.read_bytes()).whole)
    check_kernel(match, kernel, packing, random.Random(1))


@each_kernel
@given(play=plays())
def test_random_plays_give_the_same_states(
    kernel: Any, play: tuple[int, Options, random.Random]
) -> None:
    seats, options, rng = play
    check_kernel(laws.random_match(GAME, seats, options, rng), kernel, packing, rng)


@each_kernel
@given(play=plays())
def test_a_state_has_the_same_words_however_it_was_reached(
    kernel: Any, play: tuple[int, Options, random.Random]
) -> None:
    seats, options, rng = play
    table = kernel.KernelState()
    table.load(packing.pack(GAME.start(seats, options)))
    for state, move in laws.random_match(GAME, seats, options, rng).record.states():
        assert table.words() == packing.pack(state)
        assert packing.unpack(packing.pack(state)) == state
        if move is not None:
            actor = kernels.CHANCE if move.actor is CHANCE else move.actor
            table.apply(actor, packing.number(move.action))


@given(play=plays(), policies=st.lists(st.sampled_from([DODO, WHITE_RABBIT]), min_size=4, max_size=4))
def test_compiled_or_not_the_same_seed_gives_the_same_plays(
    play: tuple[int, Options, random.Random], policies: list[int]
) -> None:
    state = some_state(*play)
    rows = [simulate_rows(kernel, state, policies[: play[0]], 10) for kernel in all_kernels().values()]
    assert all(other == rows[0] for other in rows)
    outs = []
    for kernel in all_kernels().values():
        table = kernel.KernelState()
        table.load(packing.pack(state))
        table.seed(3, 4)
        outs.append((table.play_out(policies[: play[0]]), table.words()))
    assert all(other == outs[0] for other in outs)


@each_kernel
@given(play=plays())
def test_rows_report_how_each_play_ended(kernel: Any, play: tuple[int, Options, random.Random]) -> None:
    state, seats = some_state(*play), play[0]
    rows = simulate_rows(kernel, state, [DODO] * seats, 6)
    for row in (rows[start : start + ROW] for start in range(0, len(rows), ROW)):
        scores = list(row[SCORES : SCORES + seats])
        assert row[WINNERS] == 1 << scores.index(5)
        assert not any(row[SCORES + seats :])
        assert all(before <= after <= 5 for before, after in zip(state.rails, scores, strict=True))
        assert packing.ENDINGS[row[ENDING]]
        assert row[DECISIONS] == 0 if isinstance(state.stage, Ended) else row[FIRST] < seats
        if isinstance(state.stage, Choosing):
            assert row[FIRST] == state.stage.seat
            assert row[DECISIONS] > 0


@each_kernel
def test_a_play_depends_only_on_its_number(kernel: Any) -> None:
    state = GAME.start(3, Options())
    rows = simulate_rows(kernel, state, [DODO] * 3, 8)
    assert simulate_rows(kernel, state, [DODO] * 3, 3, first=5) == rows[5 * ROW :]
    assert len({tuple(rows[start : start + ROW]) for start in range(0, len(rows), ROW)}) == 8


@each_kernel
@given(play=plays(), policy=st.sampled_from([DODO, WHITE_RABBIT]), seed=st.integers(0, 2**64 - 1))
def test_a_playout_leaves_a_possible_end(
    kernel: Any, play: tuple[int, Options, random.Random], policy: int, seed: int
) -> None:
    state, table = some_state(*play), kernel.KernelState()
    table.load(packing.pack(state))
    table.seed(seed)
    decisions = table.play_out([policy] * play[0])
    end = packing.unpack(table.words())
    assert isinstance(end.stage, Ended)
    assert decisions or not isinstance(state.stage, (Starting, Choosing))
    assert GAME.pieces(end) == GAME.pieces(state)
    assert GAME.read_position(GAME.write_position(end)) == end
    for before, after in zip(state.spaces, end.spaces, strict=True):
        if isinstance(before, (FaceUp, TurnedDown)) and after is not EMPTY:
            assert isinstance(after, (FaceUp, TurnedDown))
            assert after.card == before.card
        elif before is EMPTY:
            assert after is EMPTY


@pytest.mark.uncounted
def test_random_plays_have_the_lengths_and_endings_of_the_rules() -> None:
    """A policy that preferred some cards over others would show here."""
    options, number = Options(claim="after"), 400
    matches = [laws.random_match(GAME, 2, options, random.Random(seed)) for seed in range(number)]
    lengths = [match.decisions for match in matches]
    mean = sum(lengths) / number
    deviation = (sum((length - mean) ** 2 for length in lengths) / number) ** 0.5
    kernel = kernels.kernel("letters")
    plays_ = 20_000 if kernel is not None and kernel.COMPILED else 400
    rows = simulate_rows(kernel, GAME.start(2, options), [DODO] * 2, plays_)
    error = deviation * (1 / number + 1 / plays_) ** 0.5
    assert abs(sum(rows[DECISIONS::ROW]) / plays_ - mean) < 4 * error
    turned = sum(match.turn.result.ending == "turned" for match in matches) / number
    assert abs(rows[ENDING::ROW].count(0) / plays_ - turned) < 4 * (0.25 / number + 0.25 / plays_) ** 0.5
    assert abs(rows[FIRST::ROW].count(0) / plays_ - 0.5) < 4 * (0.25 / plays_) ** 0.5


def test_the_white_rabbit_is_better_than_the_dodo() -> None:
    kernel = kernels.kernel("letters")
    rows = simulate_rows(kernel, GAME.start(2, Options()), [WHITE_RABBIT, DODO], 2000)
    assert rows[WINNERS::ROW].count(1) > 1150


def test_numbers_are_invalid_when_the_game_is_over() -> None:
    match = laws.random_match(GAME, 2, Options(), random.Random(5))
    with pytest.raises(UsageError, match="over"):
        packing.action(3, match.state)


def test_a_number_is_a_seat_a_space_or_a_card() -> None:
    state = GAME.start(4, Options())
    turn = GAME.turn(state)
    assert isinstance(turn, Chance)
    assert [packing.action(packing.number(outcome), state) for outcome in turn.outcomes] == list(
        turn.outcomes
    )
    assert packing.number(TurnCard(26)) == 26


PLAY = compiled_module("letters", "play")
FAULTS = {
    "the turn goes back": (
        *("turn_up", "self.seat + 1 if _ else 0"),
        "self.seat - 1 if self.seat else self.seats - 1",
    ),
    "every menace is the Duchess": ("turn_up", "card == DUCHESS and _1", "_1"),
    "the Duchess is like any other": ("turn_up", "card == DUCHESS and _", "False"),
    "the Duchess spares her own colour": ("turn_up", "_1 if _2 else own", "_1 ^ own if _2 else own"),
    "a menace takes letters away": ("turn_up", "self.down |= _", "pass"),
    "unused letters stay": ("turn_up", "card & self.in_play", "True"),
    "letters are not claimed first": ("turn_up", "_1 & CLAIM_FIRST", "_1 & 8"),
    "letters are claimed first always": ("turn_up", "_ & CLAIM_FIRST and _1", "_1"),
    "one letter a turn": ("", "PLAYABLE[_1] = _", "PLAYABLE[_1] = _1 & 1"),
    "four letters are enough": ("is_complete", "_1 == 5", "_1 >= 4"),
    "every letter counts as one's own": (
        *("turn_up", "TURNED if card & own else _1"),
        "TURNED if card & self.in_play else _1",
    ),
    "a letter turned down can be anything": ("possible", "_1 if _ else _2", "_1 or _2"),
    "a letter turned down stays down": ("face_down", "self.down", "0"),
    "a card is turned twice": ("turn_up", "self.unseen &= _", "pass"),
    "a card lies on the space beside": ("lay_open", "(self.space, card)", "(self.space ^ 1, card)"),
}
"""A function of the module, what is found there, and what is put in its place."""


def play_under_the_law(kernel: Any, plays_: int) -> None:
    for seed in range(plays_):
        rng = random.Random(seed)
        options = Options(duchess=seed % 2 == 0, claim="first" if seed % 4 < 2 else "after")
        match = laws.random_match(GAME, rng.choice(SEATS), options, rng)
        check_kernel(match, kernel, packing, rng)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault: str) -> None:
    mutant: Any = uncompiled(MODULE, Fault(PLAY, *FAULTS[fault]))
    with pytest.raises(laws.LawBroken):
        play_under_the_law(mutant, plays_=60)


def test_without_a_fault_nothing_is_reported() -> None:
    play_under_the_law(uncompiled(MODULE), plays_=10)


def test_the_kernel_is_found() -> None:
    kernel = kernels.kernel("letters")
    assert kernel is not None
    assert kernel.POLICIES[:2] == ("dodo", "elephant")
    assert kernels.packing("letters") is packing
    assert game("letters") is GAME

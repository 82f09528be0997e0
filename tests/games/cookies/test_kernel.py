"""The kernel of Cookies plays the same game as the rules, compiled or not."""

from __future__ import annotations

import random
from array import array
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.faults import Fault
from support.kernel_variants import compiled_module, uncompiled, variants
from support.kernel_variants import kernel as kernel_of
from support.paths import RECORDS
from wonderland.engine import CHANCE, FACE_DOWN, Match, UsageError, laws, read_record
from wonderland.engine.options import read_options
from wonderland.games.cookies import GAME
from wonderland.games.cookies.encoding import packing
from wonderland.games.cookies.rules.options import OPTIONS, Options
from wonderland.games.cookies.rules.state import Ended, Starting, State
from wonderland.kernels import kernel as kernels
from wonderland.kernels.kernel import DECISIONS, ENDING, FIRST, ROW, SCORES, WINNERS
from wonderland.kernels.laws import check_kernel

FILES = sorted((RECORDS / "cookies").glob("*.record"))
KERNELS: dict[str, Any] = {way: kernel_of("cookies", way) for way in variants("cookies")}
ALL_CATS = "T1-p1" + "-C1" * 38
DODO, WHITE_RABBIT = 0, 1

each_kernel = pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)


@st.composite
def plays(draw: st.DrawFn) -> tuple[int, Options, random.Random]:
    """Seat counts, options and a seed."""
    texts = {
        option.name: draw(st.sampled_from([*option.examples, *[ALL_CATS] * (option.name == "board")]))
        for option in OPTIONS
    }
    seats = draw(st.sampled_from(GAME.info.seats))
    return seats, read_options(GAME, texts), random.Random(draw(st.integers(0, 2**32)))


def some_state(seats: int, options: Options, rng: random.Random) -> State:
    """A state reached by random play."""
    match = laws.random_match(GAME, seats, options, rng)
    state: State = rng.choice([state for state, _ in match.record.states()])
    return state


def simulate_rows(kernel: Any, state: State, policies: list[int], count: int, first: int = 0) -> Any:
    table, rows = kernel.KernelState(), array("i", [-7]) * (ROW * count)
    table.load(packing.pack(state))
    table.simulate(rows, policies, seed=11, first=first, count=count)
    assert packing.unpack(table.words()) == state
    return rows


@each_kernel
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_stored_record_gives_the_same_states(kernel: Any, path: Path) -> None:
    match = Match.resume(read_record(path.read_bytes()).whole)
    if any(move.action is FACE_DOWN for move in match.moves):
        pytest.skip("noted from one side: the kernel can't play with cards that nobody knows")
    check_kernel(match, kernel, packing, random.Random(1))


@pytest.mark.uncounted
@each_kernel
@given(play=plays())
def test_random_plays_give_the_same_states(
    kernel: Any, play: tuple[int, Options, random.Random]
) -> None:
    seats, options, rng = play
    check_kernel(laws.random_match(GAME, seats, options, rng), kernel, packing, rng)


@given(play=plays(), policies=st.lists(st.sampled_from([DODO, WHITE_RABBIT]), min_size=4, max_size=4))
def test_compiled_or_not_the_same_seed_gives_the_same_plays(
    play: tuple[int, Options, random.Random], policies: list[int]
) -> None:
    state, policies = some_state(*play), policies[: play[0]]
    rows, ends = [], []
    for each in KERNELS.values():
        rows.append(simulate_rows(each, state, policies, 5))
        table = each.KernelState()
        table.load(packing.pack(state))
        table.seed(2**64 - 1, 2**64 - 1)
        ends.append((table.play_out(policies), table.words()))
    assert all(other == rows[0] for other in rows)
    assert all(other == ends[0] for other in ends)


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
    assert GAME.pieces(end) == GAME.pieces(state)
    assert GAME.read_position(GAME.write_position(end)) == end
    assert decisions >= sum(map(len, (*state.hands, *state.unseen)))  # each card is played


@each_kernel
@given(play=plays())
def test_rows_report_how_each_play_ended(kernel: Any, play: tuple[int, Options, random.Random]) -> None:
    seats, options, rng = play
    match = laws.random_match(GAME, seats, options, rng)
    first = match.moves[0].action.seat
    state = rng.choice([state for state, _ in match.record.states()][1:-1])
    rows = simulate_rows(kernel, state, [DODO] * seats, 4)
    for row in (rows[start : start + ROW] for start in range(0, len(rows), ROW)):
        scores = list(row[SCORES : SCORES + seats])
        winners = [seat for seat in range(seats) if row[WINNERS] >> seat & 1]
        assert winners
        assert all(scores[seat] == max(scores) for seat in winners)
        assert not any(row[SCORES + seats :])
        assert row[FIRST] == first
        assert row[DECISIONS] >= sum(map(len, (*state.hands, *state.unseen)))
        assert packing.ENDINGS[row[ENDING]] == "all cards played"


@each_kernel
def test_a_play_depends_only_on_its_number(kernel: Any) -> None:
    state = GAME.start(3, Options())
    rows = simulate_rows(kernel, state, [DODO] * 3, 8)
    assert simulate_rows(kernel, state, [DODO] * 3, 3, first=5) == rows[5 * ROW :]
    assert len({tuple(rows[start : start + ROW]) for start in range(0, len(rows), ROW)}) == 8


@each_kernel
def test_nobody_acts_out_of_turn(kernel: Any) -> None:
    table = kernel.KernelState()
    match = laws.random_match(GAME, 2, Options(), random.Random(4))
    for state, _ in match.record.states():
        table.load(packing.pack(state))
        for seat in range(2):
            assert table.legal(seat) == [packing.number(action) for action in GAME.legal(state, seat)]
        assert bool(table.chances()) == (table.turn() == kernels.CHANCE)


def test_random_plays_match_those_of_the_rules() -> None:
    """Biased chance outcomes or a biased Dodo would show here."""
    number, options = 400, Options()
    matches = [laws.random_match(GAME, 2, options, random.Random(seed)) for seed in range(number)]
    fast = kernels.kernel("cookies")
    assert fast is not None
    plays_ = 20_000 if fast.COMPILED else number
    rows = simulate_rows(fast, GAME.start(2, options), [DODO] * 2, plays_)
    for of_rules, of_kernel in (
        ([match.decisions for match in matches], rows[DECISIONS::ROW]),
        (
            [sum(match.turn.result.scores) for match in matches],
            [*map(sum, zip(rows[SCORES::ROW], rows[SCORES + 1 :: ROW], strict=True))],
        ),
        ([match.moves[0].action.seat for match in matches], rows[FIRST::ROW]),
        (
            [match.turn.result.winners == (0,) for match in matches],
            [row == 1 for row in rows[WINNERS::ROW]],
        ),
    ):
        mean = sum(of_rules) / number
        variance = sum((each - mean) ** 2 for each in of_rules) / number
        assert abs(sum(of_kernel) / plays_ - mean) < 4 * (variance * (1 / number + 1 / plays_)) ** 0.5


def test_the_white_rabbit_is_better_than_the_dodo() -> None:
    rows = simulate_rows(kernels.kernel("cookies"), GAME.start(2, Options()), [WHITE_RABBIT, DODO], 1000)
    assert rows[WINNERS::ROW].count(1) > 780


def test_unknown_cards_cannot_be_packed(at: Any) -> None:
    with pytest.raises(UsageError, match=r"face.down"):
        packing.pack(at("?.4.2/2.3.5", "8/4").state)
    with pytest.raises(UsageError, match=r"face.down"):
        packing.number(FACE_DOWN)


@given(play=plays())
def test_words_and_numbers_round_trip(play: tuple[int, Options, random.Random]) -> None:
    seats, options, rng = play
    for state, move in laws.random_match(GAME, seats, options, rng).record.states():
        words = packing.pack(state)
        assert packing.unpack(words) == state
        assert all(0 <= word < 2**64 for word in words)
        if move is not None:
            assert packing.action(packing.number(move.action), state) == move.action
            assert move.actor is CHANCE or packing.number(move.action) in range(64)


def test_the_start_player_is_known_until_the_game_is_over() -> None:
    match = laws.random_match(GAME, 4, Options(), random.Random(8))
    first = match.moves[0].action.seat
    for state, _ in match.record.states():
        known = not isinstance(state.stage, (Starting, Ended))
        assert packing.pack(state)[2] == (first if known else 0)


PLAY, RABBIT = compiled_module("cookies", "play"), compiled_module("cookies", "policies")
FAULTS = {
    "a pawn stops on others": (PLAY, "free_from", "each != seat", "False"),
    "a pawn goes beyond itself": (PLAY, "free_from", "each != seat", "True"),
    "stopping at the Tea Party passes it": (PLAY, "travel", "_1 > self.size", "_1 >= self.size"),
    "a cookie stays face up": (PLAY, "travel", "self.face_up = 0", "pass"),
    "a Cat works once a game": (PLAY, "play_card", "self.cats = 0", "pass"),
    "a Cat sends on by 1 more": (PLAY, "move_on", "self.last - 1", "self.last"),
    "a large pawn stays large": (PLAY, "arrive", "NOBODY if _ else _1", "_1"),
    "large pawns fall down the hole": (PLAY, "play_card", "self.large != _ and _1 and _2", "_1 and _2"),
    "a card is drawn to the right": (PLAY, "draw", "_ | card << 3 | _", "hand | card << 6"),
    "the right card is the left": (PLAY, "play_card", "_1 // RIGHT & 1", "not _1 // RIGHT & 1"),
    "a Joker is no 5": (PLAY, "choices", "ways: _1 = 5 if _2 else 1", "ways: _1 = 4 if _2 else 1"),
    "everyone may add 1": (PLAY, "more", "self.large == self.seat", "self.large != NOBODY"),
    "all may walk": (PLAY, "more", "self.kind_hole and _1", "_1"),
    "the last spin may be refused": (PLAY, "spin", "not self.spins", "False"),
    "one climbs to a hole": (PLAY, "spin", "_ != RABBIT_HOLE and _1", "_1"),
    "small cookies never run out": (PLAY, "spin", "min(_1, self.small_left)", "_1"),
    "a failed climb is forgotten": (PLAY, "spin", "self.stuck |= _", "pass"),
    "climbing is never past the Tea Party": (PLAY, "climbing_to", "_1 if _ else _", "_1"),
    "the turn goes back": (PLAY, "end_turn", "_1 + 1 if _ else 0", "(_1 or self.seats) - 1"),
    "the farthest pawn does not count": (RABBIT, "winners_of", "_1 | play.pawns[_]", "_1"),
}
"""A function of a module, what is found there, and what is put in its place."""


def play_under_the_law(kernel: Any, plays_: int) -> None:
    boards = next(option.examples for option in OPTIONS if option.name == "board")
    for seed in range(plays_):
        rng = random.Random(seed)
        texts = {"board": boards[seed % 3], "kind_hole": "true" if seed % 2 else "false"}
        match = laws.random_match(GAME, rng.choice(GAME.info.seats), read_options(GAME, texts), rng)
        check_kernel(match, kernel, packing, rng)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault: str) -> None:
    mutant = uncompiled(compiled_module("cookies"), Fault(*FAULTS[fault]))
    with pytest.raises((laws.LawBroken, ValueError)):  # or a card that does not exist
        play_under_the_law(mutant, plays_=150)


def test_without_a_fault_nothing_is_reported() -> None:
    play_under_the_law(uncompiled(compiled_module("cookies")), plays_=10)

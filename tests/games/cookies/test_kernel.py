"""The kernel of Cookies plays the same game as the rules, compiled or not."""

from __future__ import annotations

import random
from array import array
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.kernel_variants import kernel as kernel_of
from support.kernel_variants import uncompiled, ways
from wonderland.core import FACE_DOWN, LUCK, Match, NotationError, laws, read_record
from wonderland.core import kernel as kernels
from wonderland.core.kernel import DECISIONS, ENDING, FIRST, ROW, SCORES, WINNERS
from wonderland.core.options import read_options
from wonderland.games.cookies import GAME, packing
from wonderland.games.cookies.options import OPTIONS, Options
from wonderland.games.cookies.state import Ended, Starting, State

RECORDS = sorted((Path(__file__).parents[2] / "records" / "cookies").glob("*.record"))
KERNELS: dict[str, Any] = {way: kernel_of("cookies", way) for way in ways("cookies")}
ALL_CATS = "T1-p1" + "-C1" * 38
DODO, WHITE_RABBIT = 0, 1

each_kernel = pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)


@st.composite
def plays(draw: st.DrawFn) -> tuple[int, Options, random.Random]:
    """So many seats, with these options, and the luck of the play."""
    texts = {
        option.name: draw(st.sampled_from([*option.examples, *[ALL_CATS] * (option.name == "board")]))
        for option in OPTIONS
    }
    seats = draw(st.sampled_from(GAME.info.seats))
    return seats, read_options(GAME, texts), random.Random(draw(st.integers(0, 2**32)))


def some_state(seats: int, options: Options, rng: random.Random) -> State:
    """A state that random play comes to."""
    match = laws.random_match(GAME, seats, options, rng)
    state: State = rng.choice([state for state, _ in match.record.states()])
    return state


def simulated(kernel: Any, state: State, policies: list[int], count: int, first: int = 0) -> Any:
    table, rows = kernel.Table(), array("i", [-7]) * (ROW * count)
    table.load(packing.pack(state))
    table.simulate(rows, policies, seed=11, first=first, count=count)
    assert packing.unpack(table.words()) == state
    return rows


@each_kernel
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_stored_record_gives_the_same_states(kernel: Any, path: Path) -> None:
    match = Match.resume(read_record(path.read_bytes()).whole)
    if any(move.action is FACE_DOWN for move in match.moves):
        pytest.skip("noted from one side: the kernel can't play with cards that nobody knows")
    laws.check_kernel(match, kernel, packing, random.Random(1))


@pytest.mark.uncounted
@each_kernel
@given(play=plays())
def test_random_plays_give_the_same_states(
    kernel: Any, play: tuple[int, Options, random.Random]
) -> None:
    seats, options, rng = play
    laws.check_kernel(laws.random_match(GAME, seats, options, rng), kernel, packing, rng)


@given(play=plays(), policies=st.lists(st.sampled_from([DODO, WHITE_RABBIT]), min_size=4, max_size=4))
def test_compiled_or_not_the_same_seed_gives_the_same_plays(
    play: tuple[int, Options, random.Random], policies: list[int]
) -> None:
    state, policies = some_state(*play), policies[: play[0]]
    rows, ends = [], []
    for each in KERNELS.values():
        rows.append(simulated(each, state, policies, 5))
        table = each.Table()
        table.load(packing.pack(state))
        table.seed(2**64 - 1, 2**64 - 1)
        ends.append((table.play_out(policies), table.words()))
    assert all(other == rows[0] for other in rows)
    assert all(other == ends[0] for other in ends)


@each_kernel
@given(play=plays(), policy=st.sampled_from([DODO, WHITE_RABBIT]), seed=st.integers(0, 2**64 - 1))
def test_a_play_out_leaves_a_possible_end(
    kernel: Any, play: tuple[int, Options, random.Random], policy: int, seed: int
) -> None:
    state, table = some_state(*play), kernel.Table()
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
def test_rows_tell_how_each_play_ended(kernel: Any, play: tuple[int, Options, random.Random]) -> None:
    seats, options, rng = play
    match = laws.random_match(GAME, seats, options, rng)
    first = match.moves[0].action.seat
    state = rng.choice([state for state, _ in match.record.states()][1:-1])
    rows = simulated(kernel, state, [DODO] * seats, 4)
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
def test_a_play_depends_on_its_number_alone(kernel: Any) -> None:
    state = GAME.start(3, Options())
    rows = simulated(kernel, state, [DODO] * 3, 8)
    assert simulated(kernel, state, [DODO] * 3, 3, first=5) == rows[5 * ROW :]
    assert len({tuple(rows[start : start + ROW]) for start in range(0, len(rows), ROW)}) == 8


@each_kernel
def test_nobody_acts_out_of_turn(kernel: Any) -> None:
    table = kernel.Table()
    match = laws.random_match(GAME, 2, Options(), random.Random(4))
    for state, _ in match.record.states():
        table.load(packing.pack(state))
        for seat in range(2):
            assert table.legal(seat) == [packing.number(action) for action in GAME.legal(state, seat)]
        assert bool(table.chances()) == (table.turn() == kernels.LUCK)


def test_random_plays_are_like_those_of_the_rules() -> None:
    """Luck or a Dodo that preferred something would show here."""
    number, options = 400, Options()
    matches = [laws.random_match(GAME, 2, options, random.Random(seed)) for seed in range(number)]
    fast = kernels.kernel("cookies")
    assert fast is not None
    plays_ = 20_000 if fast.COMPILED else number
    rows = simulated(fast, GAME.start(2, options), [DODO] * 2, plays_)
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
    rows = simulated(kernels.kernel("cookies"), GAME.start(2, Options()), [WHITE_RABBIT, DODO], 1000)
    assert rows[WINNERS::ROW].count(1) > 780


def test_what_nobody_knows_can_not_be_packed(at: Any) -> None:
    with pytest.raises(NotationError, match="face down"):
        packing.pack(at("?.4.2/2.3.5", "8/4").state)
    with pytest.raises(NotationError, match="face down"):
        packing.number(FACE_DOWN)


@given(play=plays())
def test_words_and_numbers_read_back(play: tuple[int, Options, random.Random]) -> None:
    seats, options, rng = play
    for state, move in laws.random_match(GAME, seats, options, rng).record.states():
        words = packing.pack(state)
        assert packing.unpack(words) == state
        assert all(0 <= word < 2**64 for word in words)
        if move is not None:
            assert packing.action(packing.number(move.action), state) == move.action
            assert move.actor is LUCK or packing.number(move.action) in range(64)


def test_who_began_is_known_until_the_game_is_over() -> None:
    match = laws.random_match(GAME, 4, Options(), random.Random(8))
    first = match.moves[0].action.seat
    for state, _ in match.record.states():
        known = not isinstance(state.stage, (Starting, Ended))
        assert packing.pack(state)[2] == (first if known else 0)


SEAT_AFTER = "self.seat + 1 if self.seat + 1 < self.seats else 0"
CLIMB = "space if space > self.pawns[self.seat] else space + self.size"
FAULTS = {
    "a pawn stops on others": ("if each != seat:", "if False:"),
    "a pawn goes beyond itself": ("if each != seat:", "if True:"),
    "stopping at the Tea Party passes it": ("if target > self.size and", "if target >= self.size and"),
    "a cookie stays face up": ("self.face_up = 0\n            if self.stack:", "if self.stack:"),
    "a Cat works once a game": ("        self.cats = 0\n", ""),
    "a Cat sends on by 1 more": ("cat + steps_of(self.last - 1)", "cat + steps_of(self.last)"),
    "a large pawn stays large": ("NOBODY if self.large == seat else seat", "seat"),
    "large pawns fall down the hole": ("if self.large != seat and action", "if action"),
    "a card is drawn to the right": ("hand & 7 | card << 3 | hand >> 3 << 6", "hand | card << 6"),
    "the right card is the left": ("action // RIGHT & 1", "not action // RIGHT & 1"),
    "a Joker is no 5": ("ways: cython.int = 5 if", "ways: cython.int = 4 if"),
    "everyone may add 1": ("if self.large == self.seat:", "if self.large != NOBODY:"),
    "all may walk": ("if self.kind_hole and", "if"),
    "the last spin may be refused": ("if not self.spins:", "if False:"),
    "one climbs to a hole": ("if self.kind_at(space) != RABBIT_HOLE and", "if"),
    "small cookies never run out": ("min(number, self.small_left)", "number"),
    "a failed climb is forgotten": ("self.stuck |= 1 << self.seat", "pass"),
    "climbing is never past the Tea Party": (CLIMB, "space"),
    "the turn goes back": (SEAT_AFTER, "(self.seat or self.seats) - 1"),
    "the farthest pawn does not count": (">> 32 << 8 | play.pawns[seat]", ">> 32 << 8"),
}


def play_under_the_law(kernel: Any, plays_: int) -> None:
    boards = next(option.examples for option in OPTIONS if option.name == "board")
    for seed in range(plays_):
        rng = random.Random(seed)
        texts = {"board": boards[seed % 3], "kind_hole": "true" if seed % 2 else "false"}
        match = laws.random_match(GAME, rng.choice(GAME.info.seats), read_options(GAME, texts), rng)
        laws.check_kernel(match, kernel, packing, rng)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault: str) -> None:
    right, wrong = FAULTS[fault]
    folder = Path(packing.__file__).parent
    sources = [(folder / name).read_text(encoding="utf-8") for name in ("play.py", "rabbit.py")]
    assert any(right in source for source in sources)
    mutant = uncompiled("wonderland.games.cookies.kernel", {right: wrong})
    with pytest.raises((laws.LawBroken, ValueError)):  # or a card that there is not
        play_under_the_law(mutant, plays_=150)


def test_without_a_fault_nothing_is_caught() -> None:
    play_under_the_law(uncompiled("wonderland.games.cookies.kernel"), plays_=10)

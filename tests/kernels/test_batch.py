"""Law 10 for batches: in every variant, the rows hold plays of the readable rules.

What a row shows is compared with `learning.py`, made from the row's own state; and each state must be
one that the rules can reach from the one before it by the decision that was made. Faults planted in
copies of the batches must be caught by this.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from support.faults import Fault
from support.game_variants import all_variants
from support.kernel_variants import compiled_module, kernel, uncompiled, variants
from wonderland.components.learning import BatchEnvironment, batch, learning, length, mask, rewards
from wonderland.engine import game, game_names
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import CHANCE, Chance, Over
from wonderland.kernels.kernel import packing

GAMES = game_names()
WAYS = [(name, way) for name in GAMES for way in variants(name)]


class Rows:
    """A batch with its own arrays."""

    def __init__(self, made: BatchEnvironment, seed: int) -> None:
        self.made, plays = made, made.plays
        self.chosen, self.turns = array("i", [0]) * plays, array("b", [0]) * plays
        self.rewards = array("f", [0]) * (plays * made.seats)
        self.done, self.wrong = array("B", [0]) * plays, array("B", [0]) * plays
        self.observations = array("b", [0]) * (plays * made.features)
        self.masks = array("b", [0]) * (plays * made.actions)
        made.attach(*self.arrays())
        made.reset(seed, 0, plays)

    def arrays(self) -> tuple[Any, ...]:
        told = (self.chosen, self.turns, self.rewards, self.done, self.wrong)
        return (*told, self.observations, self.masks)

    def observation(self, row: int) -> bytes:
        size = self.made.features
        return self.observations[row * size : (row + 1) * size].tobytes()

    def mask(self, row: int) -> bytes:
        size = self.made.actions
        return self.masks[row * size : (row + 1) * size].tobytes()

    def legal(self, row: int) -> list[int]:
        return [number for number, allowed in enumerate(self.mask(row)) if allowed]

    def reward(self, row: int) -> list[float]:
        return self.rewards[row * self.made.seats : (row + 1) * self.made.seats].tolist()


def make_batch(name: str, module: ModuleType, seats: int, options: Any, plays: int) -> BatchEnvironment:
    numbers = learning(name)
    assert numbers is not None
    words = packing(name).pack(game(name).start(seats, options))
    actions, features = numbers.actions(seats, options), length(numbers.features(seats, options))
    found: BatchEnvironment = module.batch(words, plays, seats, actions, features)
    return found


def reachable(name: str, state: Any, seat: int, action: Any) -> Iterator[Any]:
    """Every state that can follow a decision, where a seat must decide again or the game is over."""
    rules = game(name)
    waiting, seen = [rules.apply(state, seat, action).state], set()
    while waiting:
        there = waiting.pop()
        turn = rules.turn(there)
        if not isinstance(turn, Chance):
            yield there
            continue
        for outcome in turn.outcomes:
            after = rules.apply(there, CHANCE, outcome).state
            if after not in seen:
                seen.add(after)
                waiting.append(after)


def check_row(rows: Rows, name: str, row: int) -> Any:
    """Check that a row shows the readable encoding of its state; return the state."""
    rules, numbers = game(name), learning(name)
    assert numbers is not None
    state = packing(name).unpack(rows.made.words(row))
    seat = min(seats_to_act(rules.turn(state)), default=-1)
    assert rows.turns[row] == seat != -1
    view = rules.view(state, seat)
    assert rows.observation(row) == numbers.observe(view)
    assert rows.mask(row) == mask(numbers, view, rules.legal(state, seat), rows.made.actions)
    return state


def check_step(rows: Rows, name: str, row: int, before: Any, after: Any) -> None:
    """Check that the rules can get from one state to the other by this decision."""
    rules, numbers, seats = game(name), learning(name), rows.made.seats
    assert numbers is not None
    seat = seats_to_act(rules.turn(before))[0]
    action = numbers.action(rules.view(before, seat), rows.chosen[row])
    led_to = list(reachable(name, before, seat, action))
    turns = [rules.turn(state) for state in led_to]
    returns = [list(rewards(turn.result.winners, seats)) for turn in turns if isinstance(turn, Over)]
    assert not rows.wrong[row]
    if rows.done[row]:
        assert pytest.approx(rows.reward(row)) in returns
    else:
        assert after in led_to
        assert rows.reward(row) == [0] * seats


def check_plays(name: str, module: ModuleType, rng: random.Random, variants: int) -> None:
    """Check that rows hold plays of the rules."""
    for seats, options in rng.sample(all_variants(name), min(variants, len(all_variants(name)))):
        rows = Rows(make_batch(name, module, seats, options, 2), rng.randrange(2**64))
        before = [check_row(rows, name, row) for row in range(2)]
        ended = 0
        while ended < 2:
            for row in range(2):
                rows.chosen[row] = rng.choice(rows.legal(row))
            rows.made.step(0, 2)
            after = [check_row(rows, name, row) for row in range(2)]
            for row in range(2):
                check_step(rows, name, row, before[row], after[row])
                ended += rows.done[row]
            before = after


def check_illegal_decisions(name: str, module: ModuleType, rng: random.Random, variants: int) -> None:
    """Check that an illegal decision is flagged and replaced by the first legal one."""
    for seats, options in rng.sample(all_variants(name), min(variants, len(all_variants(name)))):
        wrong, right = (Rows(make_batch(name, module, seats, options, 1), 9) for _ in range(2))
        for _ in range(40):
            legal = right.legal(0)
            illegal = [
                it
                for it in (*range(right.made.actions + 40), -3, -(2**31), 2**31 - 1)
                if it not in legal
            ]
            right.chosen[0], wrong.chosen[0] = legal[0], rng.choice(illegal)
            right.made.step(0, 1)
            wrong.made.step(0, 1)
            assert (wrong.wrong[0], right.wrong[0]) == (1, 0)
            assert wrong.observations == right.observations
            assert wrong.done == right.done


def plays_in(rows: Rows, row: int, plays: int) -> list[list[tuple[int, bytes]]]:
    """Return the observations in a row, play by play, with random decisions."""
    seen: list[list[tuple[int, bytes]]] = [[]]
    while len(seen) <= plays:
        seen[-1].append((rows.turns[row], rows.observation(row)))
        rows.chosen[row] = -1
        rows.made.step(row, row + 1)
        if rows.done[row]:
            seen.append([])
    return seen[:plays]


def check_numbers(name: str, module: ModuleType) -> None:
    """Row r of N begins with play r of the seed, and continues with plays r + N, r + 2 N ..."""
    options = game(name).options_type()
    wide, narrow = (Rows(make_batch(name, module, 2, options, plays), 4) for plays in (4, 2))
    first, second = plays_in(narrow, 0, 2), plays_in(narrow, 1, 2)
    in_order = [first[0], second[0], first[1], second[1]]
    assert in_order == [plays_in(wide, row, 1)[0] for row in range(4)]
    assert all(play not in in_order[:number] for number, play in enumerate(in_order))


@pytest.mark.uncounted
@pytest.mark.parametrize(("name", "way"), WAYS)
def test_rows_hold_plays_of_the_rules(name: str, way: str) -> None:
    check_plays(name, kernel(name, way, "batch"), random.Random(f"{name} {way}"), 6)


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_rows_continue_with_the_plays_of_their_numbers(name: str, way: str) -> None:
    check_numbers(name, kernel(name, way, "batch"))


@pytest.mark.parametrize("name", GAMES)
def test_rows_are_the_same_in_every_variant(name: str) -> None:
    for seats, options in random.Random(name).sample(
        all_variants(name), min(4, len(all_variants(name)))
    ):
        found = []
        for way in variants(name):
            rows = Rows(make_batch(name, kernel(name, way, "batch"), seats, options, 3), 11)
            for step in range(60):
                rows.chosen[:] = array("i", [-1 - step % 2, -1, -2])
                rows.made.step(0, 3)
                assert not any(rows.wrong)
            found.append([each.tobytes() for each in rows.arrays()[1:]])
        assert all(each == found[0] for each in found)


@pytest.mark.parametrize("name", GAMES)
def test_rows_are_the_same_for_any_chunk_size(name: str) -> None:
    options = game(name).options_type()
    found = []
    for pieces in ([(0, 8)], [(0, 3), (3, 8)], [(5, 8), (0, 0), (0, 5)]):
        some = batch(name, 2, options, 8)
        assert some is not None
        rows = Rows(some, 5)
        for first, last in pieces:
            some.reset(7, first, last)
        for _ in range(80):
            rows.chosen[:] = array("i", [-1]) * 8
            for first, last in pieces:
                some.step(first, last)
        found.append([each.tobytes() for each in rows.arrays()[1:]])
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_illegal_decisions_are_flagged_and_replaced_by_the_first_legal_one(name: str, way: str) -> None:
    check_illegal_decisions(name, kernel(name, way, "batch"), random.Random(3), 4)


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_mismatched_arrays_and_rows_are_rejected(name: str, way: str) -> None:
    some = make_batch(name, kernel(name, way, "batch"), 2, game(name).options_type(), 2)
    with pytest.raises(ValueError, match="attach them first"):
        some.step(0, 2)
    rows = Rows(some, 1)
    for first, last in ((-1, 1), (0, 3), (2, 1)):
        with pytest.raises(ValueError, match="no rows"):
            some.step(first, last)
    for place in range(7):
        arrays = list(rows.arrays())
        arrays[place] = arrays[place][:-1]
        with pytest.raises(ValueError, match="has room for"):
            some.attach(*arrays)
    for first, last in ((-1, 1), (0, 3), (2, 1)):
        with pytest.raises(ValueError, match="no rows"):
            some.sample(1, 1, first, last)
    some.sample(1, 1, 0, 2)
    assert all(rows.chosen[row] in rows.legal(row) for row in range(2))
    some.attach(*rows.arrays()[:5], array("b"), array("b"))
    with pytest.raises(ValueError, match="no masks"):
        some.sample(1, 1, 0, 2)
    untouched = rows.observations.tobytes()
    rows.chosen[:] = array("i", [-1, -1])
    some.step(0, 2)
    assert rows.observations.tobytes() == untouched


@pytest.mark.parametrize("name", GAMES)
def test_built_in_policies_play_as_in_the_kernel(name: str) -> None:
    """The heuristic policy beats the random one."""
    some = batch(name, 2, game(name).options_type(), 50)
    assert some is not None
    rows, won = Rows(some, 3), 0.0
    for _ in range(400):
        rows.chosen[:] = array("i", [-2 if seat == 0 else -1 for seat in rows.turns])
        some.step(0, 50)
        won += sum(rows.rewards[::2])
    assert won > 50


FAULTS = {
    "cookies": {
        "one's own hand counts as unseen": ("show_seats", "_ and not _.hands_open", "True"),
        "the hands of others are forgotten": ("show_seats", "_ and not _.hands_open", "False"),
        "any large pawn is everybody's": ("show_seats", "_1.large == seat", "_1.large < 4"),
        "small cookies are counted to three": ("show_seats", "_1 >> 24 & 0xFF", "_1 >> 24 & 3"),
        "spins are told at all times": ("observe", "_.spins if _ else 0", "1"),
        "the spinner points one space on": ("observe", "_1 + _.spinner - 1", "_1"),
        "seats begin with the first": ("show_seats", "_1.pawns[seat]", "_1.pawns[other]"),
        "everyone may add 1": ("meant_by", "_1 or _2 or (more and _)", "_1 or _2"),
        "a Joker is what it is next to": ("meant_by", "card == JOKER", "False"),
        "the right card is the left": ("meant_by", "(_1, RIGHT)", "(_1, 0)"),
        "a cookie is no answer": ("meant_by", "_ if _.stage == TAKING else _", "22"),
        "chance is not waited for": ("decide", "_.settle()", "pass"),
        "what is wrong is the last": ("decide", "_1.choice(0)", "_1.choice(_1.choices() - 1)"),
        "nothing is wrong": ("decide", "return _ < 0", "return False"),
    },
    "letters": {
        "letters face down are told": (
            "observe",
            "_1(_2, _3, _4.up, _5)",
            "_1(_2, _3, _4.up | _4.down, _5)",
        ),
        "all letters are one's own": ("observe", "_1(_2, _3, _4.up, _)", "_1(_2, _3, _4.up, 0)"),
        "rails begin with the first seat": ("observe", "_1.rails[seat]", "_1.rails[other]"),
        "a menace is the one before": ("show_menaces", "_1 - 19", "_1 - 20"),
        "letters to come have left": ("show_removed", "_1.removed", "_1.unseen"),
        "a letter turned down stays so": ("allow", "can >> _1 & 1", "self.play.never >> _1 & 1"),
        "the first card is turned": ("decide", "(TURNING, action)", "(TURNING, first(can))"),
        "the first seat wins": ("winners", "1 << _", "1"),
        "what is wrong is not marked": ("decide", "(True, _1)", "(False, _1)"),
        "what is wrong is the second": ("decide", "(True, _)", "(True, first(can & (can - 1) or can))"),
    },
    "parade": {
        "the first seat's hand is shown": ("show_cards", "8 * _1.seat", "0"),
        "the end of the parade is 0": ("show_cards", "place = 1", "place = 0"),
        "a card takes itself": ("show_cards", "_1[_2] = taken", "_1[_2] = taken + 1"),
        "all cards are worth nothing": ("show_cards", "_ - taken >> 5", "0"),
        "any seat lays before the first": ("show_seats", "_1.taken[seat]", "_1.taken[0]"),
        "sums are counts": ("show_seats", "_1 >> _2 + 4 & 63", "_1 >> _2 & 15"),
        "the pile is full": ("show_seats", "_.pile", "66"),
        "the last round goes on": ("observe", "_.turns_left", "0"),
        "the pile ends it": ("observe", "SIXTH_COLOUR", "EMPTY_PILE"),
        "who has chosen is not told": ("show_choices", "_.kept[seat] != 0", "0"),
        "the first card may be played": ("allow", "_.hands[_]", "place"),
        "the first card is played": ("decide", "_1.take_turn(_)", "_1.take_turn(0)"),
        "other cards are kept": ("keep", "pair + 1", "3 - pair"),
        "the first seat wins": ("winners", "_.who_won()", "1"),
        "what is wrong is not marked": ("decide", "return is_wrong", "return False"),
        "what is wrong is the first": ("decide", "self.lowest_place()", "0"),
    },
}
"""For each game a function of its batch, what is found there, and what is put in its place."""
SHARED = "wonderland.kernels.batch"
FAULTS_OF_ALL = {
    "what was seen is seen again": ("zeros", "there[_] = 0", "pass"),
    "a finished play is not restarted": ("Batch.step", "worker.begin(_, _)", "pass"),
    "the same play comes again": ("Batch.step", "_ += self.plays", "pass"),
    "all rows hold the first play": ("Batch.reset", "worker.begin(_1, _)", "worker.begin(_1, 0)"),
    "the winner pays": ("Batch.reward", "_1 if _2 else -1", "_1 if not _2 else -1"),
    "rewards come before the end": ("Batch.reward", "not self.done[at]", "False"),
    "nobody is on turn": ("Batch.show", "self.turns[_] = _", "pass"),
}
PLANTED = [(name, fault) for name in FAULTS for fault in FAULTS[name]]


def check_all(name: str, module: ModuleType) -> None:
    """Run all checks above with a few variants."""
    rng = random.Random(5)
    check_plays(name, module, rng, 8)
    check_illegal_decisions(name, module, rng, 2)
    check_numbers(name, module)


@pytest.mark.uncounted
@pytest.mark.parametrize(("name", "fault"), PLANTED)
def test_a_fault_planted_in_a_batch_is_caught(name: str, fault: str) -> None:
    module = compiled_module(name, "batch")
    mutant = uncompiled(module, Fault(module, *FAULTS[name][fault]))
    with pytest.raises(AssertionError):
        check_all(name, mutant)


@pytest.mark.uncounted
@pytest.mark.parametrize("fault", FAULTS_OF_ALL)
def test_a_fault_planted_in_shared_batch_code_is_caught(fault: str) -> None:
    mutant = uncompiled(compiled_module("letters", "batch"), Fault(SHARED, *FAULTS_OF_ALL[fault]))
    with pytest.raises(AssertionError):
        check_all("letters", mutant)


@pytest.mark.uncounted
@pytest.mark.parametrize("name", GAMES)
def test_without_a_fault_nothing_is_reported(name: str) -> None:
    check_all(name, kernel(name, "uncompiled", "batch"))

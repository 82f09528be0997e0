"""Law 10 for batches: in every way they can run, the rows hold plays of the readable rules.

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

from support import kernel_variants
from support.game_variants import settings
from wonderland.core import game, game_names
from wonderland.core.kernel import packing
from wonderland.core.learning import Batch, batch, learning, length, mask, rewards
from wonderland.core.match import acting
from wonderland.core.protocol import LUCK, Chance, Over
from wonderland.core.registry import package

GAMES = game_names()
WAYS = [(name, way) for name in GAMES for way in kernel_variants.ways(name)]


class Rows:
    """A batch with arrays of its own."""

    def __init__(self, made: Batch, seed: int) -> None:
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


def made(name: str, module: ModuleType, seats: int, options: Any, plays: int) -> Batch:
    numbers = learning(name)
    assert numbers is not None
    words = packing(name).pack(game(name).start(seats, options))
    actions, features = numbers.actions(seats, options), length(numbers.features(seats, options))
    found: Batch = module.batch(words, plays, seats, actions, features)
    return found


def reachable(name: str, state: Any, seat: int, action: Any) -> Iterator[Any]:
    """Every state in which a seat must decide again, or all is over, after this decision."""
    rules = game(name)
    waiting, seen = [rules.apply(state, seat, action).state], set()
    while waiting:
        there = waiting.pop()
        turn = rules.turn(there)
        if not isinstance(turn, Chance):
            yield there
            continue
        for outcome in turn.outcomes:
            after = rules.apply(there, LUCK, outcome).state
            if after not in seen:
                seen.add(after)
                waiting.append(after)


def check_row(rows: Rows, name: str, row: int) -> Any:
    """What a row shows is what the readable numbers say of its state; gives the state."""
    rules, numbers = game(name), learning(name)
    assert numbers is not None
    state = packing(name).unpack(rows.made.words(row))
    seat = min(acting(rules.turn(state)), default=-1)
    assert rows.turns[row] == seat != -1
    view = rules.view(state, seat)
    assert rows.observation(row) == numbers.observe(view)
    assert rows.mask(row) == mask(numbers, view, rules.legal(state, seat), rows.made.actions)
    return state


def check_step(rows: Rows, name: str, row: int, before: Any, after: Any) -> None:
    """The rules can come from the state before to the one after by the decision that was made."""
    rules, numbers, seats = game(name), learning(name), rows.made.seats
    assert numbers is not None
    seat = acting(rules.turn(before))[0]
    action = numbers.action(rules.view(before, seat), rows.chosen[row])
    led_to = list(reachable(name, before, seat, action))
    turns = [rules.turn(state) for state in led_to]
    worth = [list(rewards(turn.result.winners, seats)) for turn in turns if isinstance(turn, Over)]
    assert not rows.wrong[row]
    if rows.done[row]:
        assert pytest.approx(rows.reward(row)) in worth
    else:
        assert after in led_to
        assert rows.reward(row) == [0] * seats


def check_plays(name: str, module: ModuleType, rng: random.Random, variants: int) -> None:
    """Rows hold plays of the rules."""
    for seats, options in rng.sample(settings(name), min(variants, len(settings(name)))):
        rows = Rows(made(name, module, seats, options, 2), rng.randrange(2**64))
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


def check_what_is_not_legal(name: str, module: ModuleType, rng: random.Random, variants: int) -> None:
    """What is not legal is marked, and counts as the first that is."""
    for seats, options in rng.sample(settings(name), min(variants, len(settings(name)))):
        wrong, right = (Rows(made(name, module, seats, options, 1), 9) for _ in range(2))
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
    """What is seen in a row, play by play, if somebody plays anything."""
    seen: list[list[tuple[int, bytes]]] = [[]]
    while len(seen) <= plays:
        seen[-1].append((rows.turns[row], rows.observation(row)))
        rows.chosen[row] = -1
        rows.made.step(row, row + 1)
        if rows.done[row]:
            seen.append([])
    return seen[:plays]


def check_numbers(name: str, module: ModuleType) -> None:
    """Row r of N begins with play r of the seed, and goes on with the plays r + N, r + 2 N ..."""
    options = game(name).options_type()
    wide, narrow = (Rows(made(name, module, 2, options, plays), 4) for plays in (4, 2))
    first, second = plays_in(narrow, 0, 2), plays_in(narrow, 1, 2)
    in_order = [first[0], second[0], first[1], second[1]]
    assert in_order == [plays_in(wide, row, 1)[0] for row in range(4)]
    assert all(play not in in_order[:number] for number, play in enumerate(in_order))


@pytest.mark.uncounted
@pytest.mark.parametrize(("name", "way"), WAYS)
def test_rows_hold_plays_of_the_rules(name: str, way: str) -> None:
    check_plays(name, kernel_variants.kernel(name, way, "batch"), random.Random(f"{name} {way}"), 6)


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_rows_go_on_with_the_plays_of_their_numbers(name: str, way: str) -> None:
    check_numbers(name, kernel_variants.kernel(name, way, "batch"))


@pytest.mark.parametrize("name", GAMES)
def test_rows_are_the_same_however_they_run(name: str) -> None:
    for seats, options in random.Random(name).sample(settings(name), min(4, len(settings(name)))):
        found = []
        for way in kernel_variants.ways(name):
            rows = Rows(made(name, kernel_variants.kernel(name, way, "batch"), seats, options, 3), 11)
            for step in range(60):
                rows.chosen[:] = array("i", [-1 - step % 2, -1, -2])
                rows.made.step(0, 3)
                assert not any(rows.wrong)
            found.append([each.tobytes() for each in rows.arrays()[1:]])
        assert all(each == found[0] for each in found)


@pytest.mark.parametrize("name", GAMES)
def test_rows_are_the_same_in_whatever_pieces_they_are_played(name: str) -> None:
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
def test_what_is_not_legal_is_marked_and_counts_as_the_first_that_is(name: str, way: str) -> None:
    check_what_is_not_legal(name, kernel_variants.kernel(name, way, "batch"), random.Random(3), 4)


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_arrays_and_rows_that_do_not_fit_are_refused(name: str, way: str) -> None:
    some = made(name, kernel_variants.kernel(name, way, "batch"), 2, game(name).options_type(), 2)
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
    some.attach(*rows.arrays()[:5], array("b"), array("b"))
    untouched = rows.observations.tobytes()
    rows.chosen[:] = array("i", [-1, -1])
    some.step(0, 2)
    assert rows.observations.tobytes() == untouched


@pytest.mark.parametrize("name", GAMES)
def test_the_simple_players_play_as_they_do_in_the_kernel(name: str) -> None:
    """Who plays with some thought beats who plays anything."""
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
        "one's own hand counts as unseen": ("if other and not self.play.hands_open:", "if True:"),
        "the hands of others are forgotten": ("if other and not self.play.hands_open:", "if False:"),
        "any large pawn is everybody's": ("= self.play.large == seat", "= self.play.large < 4"),
        "small cookies are counted to three": (">> 24 & 0xFF", ">> 24 & 3"),
        "spins are told at all times": ("self.play.spins if self.play.stage == DECIDING else 0", "1"),
        "the spinner points one space on": ("into[at + self.play.spinner - 1]", "into[at]"),
        "seats begin with the first": ("self.play.pawns[seat]] = 1", "self.play.pawns[other]] = 1"),
        "everyone may add 1": (" or (more and more != self.play.more())", ""),
        "a Joker is what it is next to": ("if card == JOKER:", "if False:"),
        "the right card is the left": ("right_card(hand), RIGHT", "right_card(hand), 0"),
        "a cookie is no answer": ("IN_WORDS if self.play.stage == TAKING else IN_WORDS + 2", "22"),
        "luck is not waited for": ("self.play.settle()\n        return meant", "return meant"),
        "what is wrong is the last": (
            "self.play.choice(0)",
            "self.play.choice(self.play.choices() - 1)",
        ),
        "nothing is wrong": ("return meant < 0", "return False"),
    },
    "letters": {
        "letters face down are told": (
            "other), self.play.up,",
            "other), self.play.up | self.play.down,",
        ),
        "all letters are one's own": ("self.play.up, self.play.colours[seat])", "self.play.up, 0)"),
        "rails begin with the first seat": ("self.play.rails[seat]", "self.play.rails[other]"),
        "a menace is the one before": ("first(cards) - 19", "first(cards) - 20"),
        "letters to come have left": ("self.play.removed >> card", "self.play.unseen >> card"),
        "a letter turned down stays so": ("can >> space & 1\n", "self.play.never >> space & 1\n"),
        "the first card is turned": ("space = TURNING, action", "space = TURNING, first(can)"),
        "the first seat wins": ("return 1 << self.play.seat", "return 1"),
        "what is wrong is not marked": ("is_wrong, action = True,", "is_wrong, action = False,"),
        "what is wrong is the second": ("True, first(can)", "True, first(can & (can - 1) or can)"),
    },
    "parade": {
        "the first seat's hand is shown": (
            "self.play.hands[self.play.seat]\n        slots",
            "self.play.hands[0]\n        slots",
        ),
        "the end of the parade is 0": ("place = 1\n        while", "place = 0\n        while"),
        "a card takes itself": ("card] = taken", "card] = taken + 1"),
        "all cards are worth nothing": ("(self.play.cost(slots) - taken) >> 5", "0"),
        "any seat lays before the first": ("self.play.taken[seat], self", "self.play.taken[0], self"),
        "sums are counts": ("FIELD * colour + 4) & 63", "FIELD * colour) & 15"),
        "the pile is full": ("= self.play.pile\n", "= 66\n"),
        "the last round goes on": ("= self.play.turns_left", "= 0"),
        "the pile ends it": ("& SIXTH_COLOUR != 0", "& EMPTY_PILE != 0"),
        "who has chosen is not told": ("= self.play.kept[seat] != 0", "= 0"),
        "the first card may be played": ("into[hand >> (8 * place) & 0xFF] = 1", "into[place] = 1"),
        "the first card is played": ("take_turn(place)", "take_turn(0)"),
        "other cards are kept": ("pair + 1 if pair < 3", "3 - pair if pair < 3"),
        "the first seat wins": ("return self.play.who_won()", "return 1"),
        "what is wrong is not marked": ("return is_wrong\n\n    def low", "return False\n\n    def low"),
        "what is wrong is the first": ("place = self.lowest_place()", "place = 0"),
    },
}
FAULTS_OF_ALL = {
    "what was seen is seen again": ("there[at] = 0", "pass"),
    "what is over is not begun anew": ("worker.begin(self.seed, self.numbers[at])", "pass"),
    "the same play comes again": ("self.numbers[at] += self.plays", "pass"),
    "all rows hold the first play": ("worker.begin(key, at)", "worker.begin(key, 0)"),
    "the winner pays": ("if winners >> seat & 1 else -1", "if not winners >> seat & 1 else -1"),
    "rewards come before the end": ("if not self.done[at]:\n            return", "pass"),
    "nobody is on turn": ("self.turns[at] = worker.on_turn()", "pass"),
}
PLANTED = [(name, fault) for name in FAULTS for fault in FAULTS[name]]


def check_all(name: str, module: ModuleType) -> None:
    """All that is said of batches above, with a few variants."""
    rng = random.Random(5)
    check_plays(name, module, rng, 8)
    check_what_is_not_legal(name, module, rng, 2)
    check_numbers(name, module)


def planted(name: str, path: str, right: str, wrong: str) -> ModuleType:
    """The batch of a game with a fault in this file of the package."""
    assert (kernel_variants.SOURCE / "wonderland" / path).read_text(encoding="utf-8").count(right) == 1
    return kernel_variants.uncompiled(f"{package(name)}.batch", {right: wrong})


@pytest.mark.uncounted
@pytest.mark.parametrize(("name", "fault"), PLANTED)
def test_a_fault_planted_in_a_batch_is_caught(name: str, fault: str) -> None:
    mutant = planted(name, f"games/{name}/batch.py", *FAULTS[name][fault])
    with pytest.raises(AssertionError):
        check_all(name, mutant)


@pytest.mark.uncounted
@pytest.mark.parametrize("fault", FAULTS_OF_ALL)
def test_a_fault_planted_in_what_all_batches_share_is_caught(fault: str) -> None:
    mutant = planted("letters", "core/batch.py", *FAULTS_OF_ALL[fault])
    with pytest.raises(AssertionError):
        check_all("letters", mutant)


@pytest.mark.uncounted
@pytest.mark.parametrize("name", GAMES)
def test_without_a_fault_nothing_is_caught(name: str) -> None:
    check_all(name, kernel_variants.kernel(name, "uncompiled", "batch"))

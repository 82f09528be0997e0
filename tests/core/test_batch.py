"""Law 10 for batches: in every way they can run, the rows hold plays of the readable rules.

What a row shows is compared with `learning.py`, made from the row's own state; and each state must be
one that the rules can reach from the one before it by the decision that was made.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from typing import Any

import pytest

import kernels
from settings import settings
from wonderland.core import game, game_names
from wonderland.core.kernel import packing
from wonderland.core.learning import Batch, batch, learning, length, mask, rewards
from wonderland.core.match import acting
from wonderland.core.protocol import LUCK, Chance, Over

GAMES = game_names()
WAYS = [(name, way) for name in GAMES for way in kernels.ways(name)]


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


def made(name: str, way: str, seats: int, options: Any, plays: int) -> Batch:
    numbers = learning(name)
    assert numbers is not None
    words = packing(name).pack(game(name).start(seats, options))
    actions, features = numbers.actions(seats, options), length(numbers.features(seats, options))
    found: Batch = kernels.kernel(name, way, "batch").batch(words, plays, seats, actions, features)
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
    seat = acting(rules.turn(state))[0]
    view = rules.view(state, seat)
    assert rows.turns[row] == seat
    assert rows.observation(row) == numbers.observe(view)
    assert rows.mask(row) == mask(numbers, view, rules.legal(state, seat), rows.made.actions)
    return state


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_rows_hold_plays_of_the_rules(name: str, way: str) -> None:
    rng = random.Random(f"{name} {way}")
    rules, numbers = game(name), learning(name)
    assert numbers is not None
    for seats, options in rng.sample(settings(name), min(6, len(settings(name)))):
        rows = Rows(made(name, way, seats, options, 2), rng.randrange(2**64))
        before = [check_row(rows, name, row) for row in range(2)]
        ended = 0
        while ended < 2:
            for row in range(2):
                rows.chosen[row] = rng.choice(rows.legal(row))
            seats_before = rows.turns[:]
            rows.made.step(0, 2)
            after = [check_row(rows, name, row) for row in range(2)]
            for row in range(2):
                seat = seats_before[row]
                action = numbers.action(rules.view(before[row], seat), rows.chosen[row])
                led_to = list(reachable(name, before[row], seat, action))
                turns = [rules.turn(state) for state in led_to]
                worth = [
                    list(rewards(turn.result.winners, seats)) for turn in turns if isinstance(turn, Over)
                ]
                assert not rows.wrong[row]
                if rows.done[row]:
                    assert pytest.approx(rows.reward(row)) in worth
                else:
                    assert after[row] in led_to
                    assert rows.reward(row) == [0] * seats
                ended += rows.done[row]
            before = after


@pytest.mark.parametrize("name", GAMES)
def test_rows_are_the_same_however_they_run(name: str) -> None:
    for seats, options in random.Random(name).sample(settings(name), min(4, len(settings(name)))):
        found = []
        for way in kernels.ways(name):
            rows = Rows(made(name, way, seats, options, 3), 11)
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
    rng = random.Random(3)
    for seats, options in rng.sample(settings(name), 2 if name == "parade" else 4):
        wrong, right = (Rows(made(name, way, seats, options, 1), 9) for _ in range(2))
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


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_arrays_and_rows_that_do_not_fit_are_refused(name: str, way: str) -> None:
    some = made(name, way, 2, game(name).options_type(), 2)
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

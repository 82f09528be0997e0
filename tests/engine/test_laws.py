"""The laws hold for every game, seat count and option; and planted faults break them."""

from __future__ import annotations

import random
import re
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from support.paths import TESTS
from wonderland.engine import GameOver, IllegalAction, UsageError, game, game_names, laws
from wonderland.engine.options import read_options
from wonderland.engine.protocol import Acting, AnyGame, Chance, Step
from wonderland.games.parade import Parade
from wonderland.games.parade.rules.state import Ended
from wonderland.games.parade.rules.state import State as ParadeState

SEEDS = st.integers(min_value=0, max_value=2**32)
EVERY_GAME = [
    pytest.param(name, seats, id=f"{name}-{seats}")
    for name in game_names()
    for seats in game(name).info.seats
]


def option_sets(the_game: AnyGame, seats: int) -> list[Any]:
    """Every combination of the options' example values for a number of seats."""
    names = [option.name for option in the_game.info.options]
    sets = []
    for texts in product(*(option.examples for option in the_game.info.options)):
        options = read_options(the_game, dict(zip(names, texts, strict=True)))
        try:
            the_game.start(seats, options)
        except UsageError:
            continue  # colours for another number of seats
        sets.append(options)
    return sets


@pytest.mark.uncounted
@pytest.mark.parametrize(("name", "seats"), EVERY_GAME)
def test_every_game_keeps_the_laws(name: str, seats: int) -> None:
    the_game = game(name)
    sets = option_sets(the_game, seats)

    @given(options=st.sampled_from(sets), seed=SEEDS)
    def check_laws(options: Any, seed: int) -> None:
        laws.check_all(the_game, seats, options, random.Random(seed))

    check_laws()


@pytest.mark.parametrize(("name", "seats"), EVERY_GAME)
def test_every_option_is_played_at_least_once(name: str, seats: int) -> None:
    the_game = game(name)
    sets = option_sets(the_game, seats)
    assert sets
    for seed, options in enumerate(sets):
        laws.random_match(the_game, seats, options, random.Random(seed))


def find_leaks() -> list[Any]:
    found = []
    for name in game_names():
        path = TESTS / "games" / name / "leaks.py"
        spec = spec_from_file_location(f"leaks_of_{name}", path)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        assert {"view", "event", "legal"} <= set(module.LEAKS), f"{name} plants too few leaks"
        marks = [pytest.mark.uncounted] if name == "parade" else []  # the others reach all branches
        for where, leaky in module.LEAKS.items():
            found.append(pytest.param(leaky, id=f"{name}-{where}", marks=marks))
    return found


@pytest.mark.parametrize("leaky", find_leaks())
def test_law_7_catches_every_planted_leak(leaky: AnyGame) -> None:
    options = leaky.options_type()
    caught = 0
    for seed in range(10):
        rng = random.Random(seed)
        seats = leaky.info.seats[seed % len(leaky.info.seats)]
        match = laws.random_match(leaky, seats, options, rng)
        try:
            for state, _ in match.record.states():
                laws.check_secrecy(leaky, seats, state, rng)
        except laws.LawBroken as broken:
            assert broken.law in (5, 6, 7)  # noqa: PT017 - counted, not expected each time
            caught += 1
        if caught == 5:
            return
    pytest.fail(f"caught in {caught} of 10 plays only")


def test_law_7_covers_everything_a_seat_is_given() -> None:
    the_game = game("parade")
    rng = random.Random(1)
    match = laws.random_match(the_game, 3, the_game.options_type(), rng)
    middle = list(match.record.states())[40][0]

    def honest(a_game: AnyGame, state: Any, seat: int | None) -> object:
        return repr(a_game.view(state, seat))

    def cheat(_: AnyGame, state: Any, __: int | None) -> object:
        return state.hands

    laws.check_secrecy(the_game, 3, middle, rng, [honest])
    with pytest.raises(laws.LawBroken, match="law 7"):
        laws.check_secrecy(the_game, 3, middle, rng, [cheat])


class PointsAtTheHighest(Parade):
    """Law 5: the order of turns reveals who holds the highest card."""

    @staticmethod
    def turn(state: ParadeState) -> Any:
        turn = Parade.turn(state)
        if isinstance(turn, Acting) and len(turn.seats) > 1:
            return Acting(tuple(sorted(turn.seats, key=lambda seat: str(state.hands[seat]))))
        return turn


class Blabbing(Parade):
    """Law 7: refusals reveal all hands."""

    @staticmethod
    def apply(state: ParadeState, actor: Any, action: Any) -> Any:
        try:
            return Parade.apply(state, actor, action)
        except IllegalAction as error:
            raise IllegalAction("this", str(state.hands), error.rule) from None


@pytest.mark.parametrize(("leaky", "law"), [(PointsAtTheHighest(), 5), (Blabbing(), 7)])
def test_neither_the_turn_nor_a_refusal_may_leak(leaky: AnyGame, law: int) -> None:
    broken = set()
    for seed in range(3):
        rng = random.Random(seed)
        match = laws.random_match(leaky, 3, leaky.options_type(), rng)
        try:
            for state, _ in match.record.states():
                laws.check_secrecy(leaky, 3, state, rng)
        except laws.LawBroken as caught:
            broken.add(caught.law)
    assert broken == {law}


class Endless(Parade):
    """Law 1: endless chance."""

    @staticmethod
    def turn(state: ParadeState) -> Any:
        return Chance(("again",), "again") if state.parade else Parade.turn(state)

    @staticmethod
    def apply(state: ParadeState, actor: Any, action: Any) -> Any:
        if action == "again":
            return Step(state, ())
        return Parade.apply(state, actor, action)


class Mumbling(Parade):
    """Law 2: two cards share a word."""

    @staticmethod
    def write(action: Any) -> str:
        return Parade.write(action).replace("9", "8")


class Misplacing(Parade):
    """Law 2: positions don't round-trip."""

    @staticmethod
    def read_position(text: str) -> Any:
        swapped = {"R0.": "R1.", "R1.": "R0."}
        return Parade.read_position(re.sub(r"R[01]\.", lambda card: swapped[card[0]], text))


class Stuttering(Parade):
    """Law 2: the record does not round-trip."""

    @staticmethod
    def write(action: Any) -> str:
        return Parade.write(action).replace("10", "T")


class Wandering(Parade):
    """Law 3: the same moves lead to another state."""

    @staticmethod
    def apply(state: ParadeState, actor: Any, action: Any) -> Any:
        step = Parade.apply(state, actor, action)
        if isinstance(step.state.stage, Ended):
            return Step(structs.replace(step.state, parade=()), step.events)
        return step


class Chattering(Parade):
    """Law 3: the events differ from those of the replay."""

    @staticmethod
    def apply(state: ParadeState, actor: Any, action: Any) -> Any:
        step = Parade.apply(state, actor, action)
        return Step(step.state, (*step.events, *step.events))


class Meddling(Parade):
    """Law 4: a refused action changes the state."""

    @staticmethod
    def apply(state: ParadeState, actor: Any, action: Any) -> Any:
        try:
            return Parade.apply(state, actor, action)
        except IllegalAction:
            structs.force_setattr(state, "pile", 0)
            raise


class Permissive(Parade):
    """Law 4: an illegal action is silently ignored."""

    @staticmethod
    def apply(state: ParadeState, actor: Any, action: Any) -> Any:
        try:
            return Parade.apply(state, actor, action)
        except Exception:  # noqa: BLE001 - planted
            return Step(state, ())


class Late(Parade):
    """Law 4: the end is not given as the reason."""

    @staticmethod
    def apply(state: ParadeState, actor: Any, action: Any) -> Any:
        try:
            return Parade.apply(state, actor, action)
        except GameOver:
            raise IllegalAction("this", "no reason", "P0") from None


class Early(Parade):
    """Law 4: the game is called over too early."""

    @staticmethod
    def apply(state: ParadeState, actor: Any, action: Any) -> Any:
        try:
            return Parade.apply(state, actor, action)
        except IllegalAction:
            raise GameOver("this") from None


class Losing(Parade):
    """Law 8: a card goes missing."""

    @staticmethod
    def pieces(state: ParadeState) -> Any:
        pieces = Parade.pieces(state)
        if len(state.parade) > 6:
            pieces["R0"] -= 1
        return pieces


@pytest.mark.parametrize(
    ("faulty", "law"),
    [
        (Endless, 1),
        (Mumbling, 2),
        (Misplacing, 2),
        (Stuttering, 2),
        (Chattering, 3),
        (Permissive, 4),
        (Late, 4),
        (Early, 4),
        (Meddling, 4),
        (Losing, 8),
    ],
)
def test_the_other_laws_catch_planted_faults(faulty: type[Parade], law: int) -> None:
    the_game: AnyGame = faulty()
    broken = set()
    for seed in range(10):
        try:
            laws.check_all(the_game, 3, the_game.options_type(), random.Random(seed))
        except laws.LawBroken as caught:
            broken.add(caught.law)
    assert broken == {law}


def test_law_3_catches_a_replay_that_diverges() -> None:
    match = laws.random_match(Wandering(), 3, Wandering.options_type(), random.Random(1))
    with pytest.raises(laws.LawBroken, match="law 3: the replay left the path at parade stage=over"):
        laws.check_replay(match)


def test_law_9_counts_legal_continuations() -> None:
    start = game("parade").start(3, game("parade").options_type())
    assert [laws.count_nodes(game("parade"), start, depth) for depth in range(3)] == [1, 3, 3 * 66]

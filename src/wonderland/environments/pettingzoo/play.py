"""One play inside an environment of PettingZoo: on a batch kernel, or on the rules if there is none."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wonderland.components.learning import BatchEnvironment, Learning, batch, learning, length, mask
from wonderland.engine.chance import Seeded
from wonderland.engine.errors import UsageError
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.options import read_options
from wonderland.engine.protocol import LUCK, Chance, Over, Seat
from wonderland.engine.registry import game as named_game
from wonderland.kernels.kernel import packing

OVER = -1
"""What `begin` and `decide` give instead of a seat when all is over."""


class PettingZooSetup:
    """A game with its number of seats and its options: what all plays of it have in common."""

    def __init__(self, name: str, seats: int, options: Mapping[str, Any]) -> None:
        numbers = learning(name)
        if numbers is None:
            raise UsageError(f"{name} offers nothing to learning agents: it has no learning.py.")
        self.name, self.seats, self.game = name, seats, named_game(name)
        writers = {option.name: option.write for option in self.game.info.options}
        texts = {
            key: value if isinstance(value, str) else writers.get(key, str)(value)
            for key, value in options.items()
        }
        self.options = read_options(self.game, texts)
        self.game.start(seats, self.options)  # says so if so many can't sit
        self.numbers: Learning = numbers
        self.features = numbers.features(seats, self.options)
        self.actions = numbers.actions(seats, self.options)
        self.length = length(self.features)

    def observed(self, state: Any, seat: Seat) -> NDArray[np.int8]:
        """What a seat observes in a state, whoever is on turn."""
        return np.frombuffer(bytearray(self.numbers.observe(self.game.view(state, seat))), np.int8)


class Finished(Protocol):
    """A play that is over."""

    winners: Sequence[Seat]

    @property
    def state(self) -> Any:
        """How it ended, as the readable rules have it."""
        ...


class PettingZooPlay(Protocol):
    """One play after the other. What the seat on turn observes and may do lies in the two arrays."""

    observation: NDArray[np.int8]
    mask: NDArray[np.int8]
    seed: int
    decided: array[int]
    """The seed of this play, and the numbers of all its decisions."""

    def begin(self, seed: int) -> Seat:
        """Begin a play, the same for the same seed; gives the seat that is to decide."""
        ...

    def decide(self, number: int) -> Seat:
        """Carry out a legal decision; gives the seat that is to decide next, or `OVER`."""
        ...

    def state(self) -> Any:
        """The state as the readable rules have it, while a seat is on turn."""
        ...

    def finished(self) -> Finished:
        """The play that has just ended."""
        ...


def new_play(setting: PettingZooSetup) -> PettingZooPlay:
    """Room for one play at a time."""
    plays = batch(setting.name, setting.seats, setting.options, 1)
    return RulesPlay(setting) if plays is None else KernelPlay(setting, plays)


class KernelPlay:
    """A batch of one play."""

    def __init__(self, setting: PettingZooSetup, plays: BatchEnvironment) -> None:
        self.setting, self._plays = setting, plays
        self.observation: NDArray[np.int8] = np.zeros(setting.length, np.int8)
        self.mask: NDArray[np.int8] = np.zeros(setting.actions, np.int8)
        self._chosen, self._turns, self._done = array("i", [0]), array("b", [0]), array("B", [0])
        self._rewards = array("f", [0.0] * setting.seats)
        plays.attach(
            self._chosen,
            self._turns,
            self._rewards,
            self._done,
            array("B", [0]),
            self.observation,
            self.mask,
        )
        self._step = plays.step

    def begin(self, seed: int) -> Seat:
        """Begin a play."""
        self.seed, self.decided = seed, array("i")
        self._plays.reset(seed, 0, 1)
        return self._turns[0]

    def decide(self, number: int) -> Seat:
        """Carry out a legal decision. When all is over the kernel has begun another play, unseen."""
        self._chosen[0] = number
        self.decided.append(number)
        self._step(0, 1)
        return OVER if self._done[0] else self._turns[0]

    def state(self) -> Any:
        """The state as the readable rules have it."""
        return packing(self.setting.name).unpack(self._plays.words(0))

    def finished(self) -> Finished:
        """The play that has just ended."""
        winners = [seat for seat, reward in enumerate(self._rewards) if reward > -1]
        return KernelFinished(self.setting, self.seed, self.decided, winners)


class KernelFinished:
    """A play that has ended on a kernel, which keeps no last state: it is found again if asked for."""

    def __init__(
        self, setting: PettingZooSetup, seed: int, decided: Sequence[int], winners: Sequence[Seat]
    ) -> None:
        self.setting, self.seed, self.decided, self.winners = setting, seed, decided, winners

    @cached_property
    def state(self) -> Any:
        """How it ended.

        All up to the last decision is played again, and the rules go on from there. What luck made of
        that decision is not known any more: it is one of the things that lead to this result, as likely
        as the rules have it, and always the same for the same play.
        """
        setting, again = self.setting, new_play(self.setting)
        seat = again.begin(self.seed)
        for number in self.decided[:-1]:
            seat = again.decide(number)
        before = again.state()
        action = setting.numbers.action(setting.game.view(before, seat), self.decided[-1])
        after = setting.game.apply(before, seat, action).state
        ends, likely = zip(*self._ends(after, 1.0), strict=True)
        return random.Random(self.seed).choices(ends, likely)[0]

    def _ends(self, state: Any, likely: float) -> Iterator[tuple[Any, float]]:
        """The last states with this result that luck can lead to from here, and how likely each is."""
        rules, turn = self.setting.game, self.setting.game.turn(state)
        match turn:
            case Over(result):
                if sorted(result.winners) == self.winners:
                    yield state, likely
            case Chance():
                for outcome, weight in turn.weighted():
                    after = rules.apply(state, LUCK, outcome).state
                    yield from self._ends(after, likely * weight / turn.total)
            case _:  # it would have gone on
                return


class RulesPlay:
    """A match of the readable rules: for games without a batch kernel, and slower."""

    def __init__(self, setting: PettingZooSetup) -> None:
        self.setting = setting
        self.observation: NDArray[np.int8] = np.zeros(setting.length, np.int8)
        self.mask: NDArray[np.int8] = np.zeros(setting.actions, np.int8)

    def begin(self, seed: int) -> Seat:
        """Begin a play."""
        setting = self.setting
        self.seed, self.decided = seed, array("i")
        self._match = Match(setting.game, setting.seats, setting.options, luck=Seeded(seed))
        return self._look()

    def decide(self, number: int) -> Seat:
        """Carry out a legal decision."""
        self.decided.append(number)
        action = self.setting.numbers.action(self._view, self.decided[-1])  # a number of Python's
        self._match.play(self._seat, action)
        return self._look()

    def _look(self) -> Seat:
        """See whose turn it is; where several may act, they do so one after the other."""
        setting, seats = self.setting, seats_to_act(self._match.turn)
        if not seats:
            return OVER
        self._seat = seats[0]
        self._view, legal = self._match.view(self._seat), self._match.legal(self._seat)
        self.observation[:] = np.frombuffer(setting.numbers.observe(self._view), np.int8)
        allowed = mask(setting.numbers, self._view, legal, setting.actions)
        self.mask[:] = np.frombuffer(allowed, np.int8)
        return self._seat

    def state(self) -> Any:
        """The state of the match."""
        return self._match.state

    def finished(self) -> Finished:
        """The play that has just ended."""
        turn = self._match.turn
        assert isinstance(turn, Over)  # noqa: S101 - nobody is on turn
        return RulesFinished(self._match.state, sorted(turn.result.winners))


class RulesFinished:
    """A play of the readable rules that is over."""

    def __init__(self, state: Any, winners: Sequence[Seat]) -> None:
        self.state, self.winners = state, winners

"""The game inside a PettingZoo environment: on a batch kernel, or on the rules if there is none."""

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
from wonderland.engine.protocol import CHANCE, Chance, Over, Seat
from wonderland.engine.registry import game as named_game
from wonderland.kernels.kernel import packing

OVER = -1
"""Returned by `begin` and `decide` instead of a seat when the game is over."""


class PettingZooSetup:
    """A game with its number of seats and options, shared by all its plays."""

    def __init__(self, name: str, seats: int, options: Mapping[str, Any]) -> None:
        numbers = learning(name)
        if numbers is None:
            raise UsageError(f"{name} has no encoding for learning agents (encoding/learning.py).")
        self.name, self.seats, self.game = name, seats, named_game(name)
        writers = {option.name: option.write for option in self.game.info.options}
        texts = {
            key: value if isinstance(value, str) else writers.get(key, str)(value)
            for key, value in options.items()
        }
        self.options = read_options(self.game, texts)
        self.game.start(seats, self.options)  # raises for an invalid number of seats
        self.numbers: Learning = numbers
        self.features = numbers.features(seats, self.options)
        self.actions = numbers.actions(seats, self.options)
        self.length = length(self.features)

    def observed(self, state: Any, seat: Seat) -> NDArray[np.int8]:
        """Encode a seat's observation of a state, whether or not it is to act."""
        return np.frombuffer(bytearray(self.numbers.observe(self.game.view(state, seat))), np.int8)


class Finished(Protocol):
    """A finished game."""

    winners: Sequence[Seat]

    @property
    def state(self) -> Any:
        """The final state, as a value of the rules."""
        ...


class PettingZooPlay(Protocol):
    """Plays one game at a time; its arrays are the observation and action mask of the seat to act."""

    observation: NDArray[np.int8]
    mask: NDArray[np.int8]
    seed: int
    decided: array[int]
    """The numbers of all decisions of this game."""

    def begin(self, seed: int) -> Seat:
        """Start the game of a seed; return the seat to act."""
        ...

    def decide(self, number: int) -> Seat:
        """Apply a legal decision; return the next seat to act, or `OVER`."""
        ...

    def state(self) -> Any:
        """The current state as a value of the rules; valid until the game is over."""
        ...

    def finished(self) -> Finished:
        """The game that has just ended."""
        ...


def new_play(setting: PettingZooSetup) -> PettingZooPlay:
    """Create a play on the game's batch kernel, or on the rules if it has none."""
    plays = batch(setting.name, setting.seats, setting.options, 1)
    return RulesPlay(setting) if plays is None else KernelPlay(setting, plays)


class KernelPlay:
    """Plays on a batch kernel of size one."""

    def __init__(self, setting: PettingZooSetup, plays: BatchEnvironment) -> None:
        self.setting, self._plays = setting, plays
        self.observation: NDArray[np.int8] = np.zeros(setting.length, np.int8)
        self.mask: NDArray[np.int8] = np.zeros(setting.actions, np.int8)
        self._action, self._turns, self._done = array("i", [0]), array("b", [0]), array("B", [0])
        self._rewards = array("f", [0.0] * setting.seats)
        plays.attach(
            self._action,
            self._turns,
            self._rewards,
            self._done,
            array("B", [0]),
            self.observation,
            self.mask,
        )
        self._step = plays.step

    def begin(self, seed: int) -> Seat:
        """Start the game of a seed."""
        self.seed, self.decided = seed, array("i")
        self._plays.reset(seed, 0, 1)
        return self._turns[0]

    def decide(self, number: int) -> Seat:
        """Apply a legal decision; at the end the kernel has already started another game, unseen."""
        self._action[0] = number
        self.decided.append(number)
        self._step(0, 1)
        return OVER if self._done[0] else self._turns[0]

    def state(self) -> Any:
        """The current state as a value of the rules."""
        return packing(self.setting.name).unpack(self._plays.words(0))

    def finished(self) -> Finished:
        """The game that has just ended."""
        winners = [seat for seat, reward in enumerate(self._rewards) if reward > -1]
        return KernelFinished(self.setting, self.seed, self.decided, winners)


class KernelFinished:
    """A finished kernel game; the kernel doesn't keep the final state, so it is recomputed on demand."""

    def __init__(
        self, setting: PettingZooSetup, seed: int, decided: Sequence[int], winners: Sequence[Seat]
    ) -> None:
        self.setting, self.seed, self.decided, self.winners = setting, seed, decided, winners

    @cached_property
    def state(self) -> Any:
        """The final state.

        The game is replayed up to the last decision, and the rules continue from there. The chance
        outcomes after that decision are lost: a sequence that leads to the known result is sampled,
        with the rules' probabilities and seeded by the game.
        """
        setting, replay = self.setting, new_play(self.setting)
        seat = replay.begin(self.seed)
        for number in self.decided[:-1]:
            seat = replay.decide(number)
        before = replay.state()
        action = setting.numbers.action(setting.game.view(before, seat), self.decided[-1])
        after = setting.game.apply(before, seat, action).state
        ends, probabilities = zip(*self._final_states(after, 1.0), strict=True)
        return random.Random(self.seed).choices(ends, probabilities)[0]

    def _final_states(self, state: Any, probability: float) -> Iterator[tuple[Any, float]]:
        """Final states with the known result that are reachable by chance, with their probabilities."""
        rules, turn = self.setting.game, self.setting.game.turn(state)
        match turn:
            case Over(result):
                if sorted(result.winners) == self.winners:
                    yield state, probability
            case Chance():
                for outcome, weight in turn.weighted():
                    after = rules.apply(state, CHANCE, outcome).state
                    yield from self._final_states(after, probability * weight / turn.total)
            case _:  # the game would have continued
                return


class RulesPlay:
    """Plays on the rules, for games without a batch kernel; slower."""

    def __init__(self, setting: PettingZooSetup) -> None:
        self.setting = setting
        self.observation: NDArray[np.int8] = np.zeros(setting.length, np.int8)
        self.mask: NDArray[np.int8] = np.zeros(setting.actions, np.int8)

    def begin(self, seed: int) -> Seat:
        """Start the game of a seed."""
        setting = self.setting
        self.seed, self.decided = seed, array("i")
        self._match = Match(setting.game, setting.seats, setting.options, chance=Seeded(seed))
        return self._update_arrays()

    def decide(self, number: int) -> Seat:
        """Apply a legal decision."""
        self.decided.append(number)
        action = self.setting.numbers.action(
            self._view, self.decided[-1]
        )  # a Python int, whatever was passed
        self._match.play(self._seat, action)
        return self._update_arrays()

    def _update_arrays(self) -> Seat:
        """Update the arrays for the seat to act; simultaneous decisions are serialised."""
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
        """The game that has just ended."""
        turn = self._match.turn
        assert isinstance(turn, Over)  # noqa: S101 - no seat is to act
        return RulesFinished(self._match.state, sorted(turn.result.winners))


class RulesFinished:
    """A finished game on the rules."""

    def __init__(self, state: Any, winners: Sequence[Seat]) -> None:
        self.state, self.winners = state, winners

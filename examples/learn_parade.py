"""A bot for two-player Parade that learns by self-play, in plain NumPy.

    pip install 'wonderland[numpy]'
    python examples/learn_parade.py --minutes 10
    PYTHONPATH=examples wonderland arena parade learn_parade:Bot white-rabbit

It plays hundreds of games against itself at once, on the vector environment. A small network estimates
the value of the position *after* each legal decision (the afterstate); the bot takes the best one, and
sometimes explores another. When a game is over, its estimates are moved towards the later ones and the
final result: TD(lambda). It sees only what a seat may observe.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from wonderland.components.bots import Budget
from wonderland.components.learning import learning
from wonderland.environments.vector import VectorEnv

FILE = Path(__file__).with_suffix(".npz")
CARDS = np.arange(66)
VALUE, COLOUR = CARDS % 11, CARDS // 11
ONE_OF_COLOUR = (COLOUR[:, None] == np.arange(6)).astype(np.float32)
PRINTED = ONE_OF_COLOUR * VALUE[:, None]
GOES = (COLOUR[:, None] == COLOUR) | (VALUE[:, None] >= VALUE)
"""Which cards each card makes leave the parade, unless they are among the last ones."""
PAIRS = np.array([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
PARTS = (66, 66, 66, 66, 132, 12, 12, 2, 1, 2, 1, 2, 3, 66, 2)  # `docs/vector.md`, for two seats
TD_LAMBDA, EXPLORATION, HIDDEN = 0.8, 0.04, 64


def afterstates(observations: Any, masks: Any) -> tuple[Any, Any, Any]:
    """For each legal decision of each row: its row, its number, and the features of its afterstate."""
    hand, parade, _, _, _, counts, printed, _, pile, _, last, ending, _, _, chosen = np.split(
        observations.astype(np.float32), np.cumsum(PARTS)[:-1], axis=1
    )
    rows, numbers = np.nonzero(masks)
    plays = numbers < 66
    card = np.where(plays, numbers, 0)
    place = parade[rows].astype(np.int8)
    leaves = plays[:, None] & GOES[card] & (place > VALUE[card][:, None])
    gained = leaves.astype(np.float32)
    place = _shift_parade(place, leaves, plays)
    place[plays, card[plays]] = 1
    left = hand[rows].copy()
    left[plays, card[plays]] = 0
    keeping = np.flatnonzero(~plays)
    if len(keeping):
        held = np.nonzero(hand[rows[keeping]])[1].reshape(-1, 4)
        two = np.take_along_axis(held, PAIRS[numbers[keeping] - 66], axis=1)
        gained[keeping[:, None], two] = 1
        left[keeping] = 0
    mine = counts[rows, :6] + gained @ ONE_OF_COLOUR
    my_points = printed[rows, :6] + gained @ PRINTED
    theirs, their_points = counts[rows, 6:], printed[rows, 6:]
    i_turn, they_turn = mine >= theirs + 2, theirs >= mine + 2
    my_score = np.where(i_turn, mine, my_points).sum(axis=1, keepdims=True)
    their_score = np.where(they_turn, theirs, their_points).sum(axis=1, keepdims=True)
    table = [
        mine / 4, theirs / 4, my_points / 20, their_points / 20, i_turn, they_turn, mine > 0, theirs > 0,
        my_score / 30, their_score / 30, (my_score - their_score) / 20, place > 0, place / 10, left,
        pile[rows] / 40, last[rows] == 1, last[rows] == 2, ending[rows], ~plays[:, None], chosen[rows],
    ]  # fmt: skip
    return rows, numbers, np.concatenate(table, axis=1, dtype=np.float32)


def _shift_parade(place: Any, leaves: Any, plays: Any) -> Any:
    """The positions in the parade after some cards have left it and one was added at its end."""
    by_place = np.zeros((len(place), 64), np.int8)
    np.put_along_axis(by_place, place.astype(np.intp), leaves.astype(np.int8), axis=1)
    gone = np.take_along_axis(np.cumsum(by_place, axis=1, dtype=np.int8), place.astype(np.intp), axis=1)
    return np.where(leaves | (place == 0), 0, place - gone + plays[:, None]).astype(np.float32)


class Network:
    """A network with one hidden layer: from an afterstate to its expected result, from -1 to 1."""

    def __init__(self, weights: Sequence[Any]) -> None:
        self.weights = list(weights)
        self.means = [np.zeros_like(each) for each in weights]
        self.squares = [np.zeros_like(each) for each in weights]
        self.steps = 0

    @classmethod
    def new(cls, inputs: int, rng: np.random.Generator) -> Network:
        """An untrained network with random weights."""
        first = rng.normal(0, inputs**-0.5, (inputs, HIDDEN)).astype(np.float32)
        second = rng.normal(0, HIDDEN**-0.5, HIDDEN).astype(np.float32)
        return cls([first, np.zeros(HIDDEN, np.float32), second, np.zeros(1, np.float32)])

    def values(self, tables: Any) -> Any:
        """The estimated value of each afterstate."""
        first, bias, second, shift = self.weights
        return np.tanh(np.maximum(tables @ first + bias, 0) @ second + shift)

    def learn(self, tables: Any, targets: Any, rate: float) -> None:
        """Move the estimates towards the targets: one step of Adam."""
        first, bias, second, shift = self.weights
        hidden = np.maximum(tables @ first + bias, 0)
        values = np.tanh(hidden @ second + shift)
        error = (values - targets) * (1 - values**2) / len(targets)
        back = np.outer(error, second) * (hidden > 0)
        gradients = [tables.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(keepdims=True)]
        self.steps += 1
        for weight, gradient, mean, square in zip(
            self.weights, gradients, self.means, self.squares, strict=True
        ):
            mean[...] += 0.1 * (gradient - mean)
            square[...] += 0.001 * (gradient**2 - square)
            size = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            weight[...] -= rate * mean / (1 - 0.9**self.steps) / size

    def save(self, file: Path) -> None:
        """Save the weights for `Bot`, in half precision."""
        np.savez_compressed(file, *[each.astype(np.float16) for each in self.weights])


def best(network: Network, observations: Any, masks: Any) -> tuple[Any, Any, Any]:
    """For each row, the number of the best decision, its afterstate, and its value."""
    rows, numbers, tables = afterstates(observations, masks)
    values = network.values(tables)
    order = np.lexsort((values, rows))
    last = order[np.append(np.flatnonzero(np.diff(rows[order])), len(order) - 1)]
    return numbers[last], tables[last], values[last]


class SelfPlay:
    """Parallel games in which the network plays all seats, with the estimates made on the way."""

    def __init__(self, num_envs: int, seed: int, threads: int = 1) -> None:
        self.envs = VectorEnv("parade", 2, num_envs=num_envs, threads=threads)
        self.envs.reset(seed=seed)
        self.rng = np.random.default_rng(seed)
        self.network = Network.new(self._afterstates()[2].shape[1], self.rng)
        self.estimates: list[list[tuple[int, Any, float]]] = [[] for _ in range(num_envs)]
        self.plays = 0

    def _afterstates(self) -> tuple[Any, Any, Any]:
        seen = self.envs.observations
        return afterstates(seen["observation"], seen["action_mask"])

    def step(self, rate: float) -> None:
        """Make one decision in each game, and learn from the games that have ended."""
        envs, seen = self.envs, self.envs.observations
        masks = seen["action_mask"].copy()
        explored = np.flatnonzero(self.rng.random(envs.num_envs) < EXPLORATION)
        for row in explored:
            only = self.rng.choice(np.flatnonzero(masks[row]))
            masks[row] = 0
            masks[row, only] = 1
        numbers, tables, values = best(self.network, seen["observation"], masks)
        for row, seat in enumerate(envs.turn.tolist()):
            self.estimates[row].append((seat, tables[row], values[row]))
        _, rewards, ended, _, _ = envs.step(numbers)
        if ended.any():
            self._learn(np.flatnonzero(ended), rewards, rate)

    def _learn(self, ended: Any, rewards: Any, rate: float) -> None:
        tables, targets = [], []
        for row in ended:
            target = rewards[row].tolist()
            next_values = target[:]
            for seat, table, value in reversed(self.estimates[row]):
                target[seat] = TD_LAMBDA * target[seat] + (1 - TD_LAMBDA) * next_values[seat]
                next_values[seat] = value
                tables.append(table)
                targets.append(target[seat])
            self.estimates[row] = []
        self.plays += len(ended)
        self.network.learn(np.stack(tables), np.array(targets, np.float32), rate)


def win_rate(network: Network, against: str, plays: int = 2000, seed: int = 1) -> float:
    """The share of games won against a simple player; a shared win counts half."""
    envs = VectorEnv("parade", 2, num_envs=plays)
    seen, _ = envs.reset(seed=seed)
    other, mine = envs.policy(against), np.arange(plays) % 2
    result = np.full(plays, np.nan)
    while np.isnan(result).any():
        numbers, _, _ = best(network, seen["observation"], seen["action_mask"])
        _, rewards, ended, _, _ = envs.step(np.where(envs.turn == mine, numbers, other))
        first = ended & np.isnan(result)
        result[first] = rewards[np.arange(plays), mine][first]
    return float((result.mean() + 1) / 2)


class Bot:
    """The trained network as a bot for `wonderland arena`, `simulate` and `play`."""

    name = "Learner"

    def __init__(self, file: Path = FILE) -> None:
        if not file.exists():
            raise FileNotFoundError(
                f"nothing has been learned yet: python {Path(__file__).name} makes {file.name}"
            )
        with np.load(file) as stored:
            self.network = Network([stored[each].astype(np.float32) for each in stored.files])

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:  # noqa: ARG002 - it does not search
        """Choose the decision with the most valuable afterstate."""
        numbers = learning("parade")
        if numbers is None or len(view.hands) != 2:
            raise ValueError("it has learned to play with two players only")
        mask = np.zeros((1, 72), np.int8)
        mask[0, [numbers.number(view, action) for action in legal]] = 1
        observation = np.frombuffer(numbers.observe(view), np.int8)[None]
        return numbers.action(view, int(best(self.network, observation, mask)[0][0]))


def learn(seconds: float, num_envs: int = 512, seed: int = 1, threads: int = 1) -> SelfPlay:
    """Train for a number of seconds, and print the progress every minute."""
    training = SelfPlay(num_envs, seed, threads)
    started = printed = perf_counter()
    while (spent := perf_counter() - started) < seconds:
        training.step(rate=0.002 * (1 - 0.95 * spent / seconds))
        if perf_counter() - printed > 60:
            won = win_rate(training.network, "white-rabbit", 500)
            print(
                f"{spent:5.0f} s  {training.plays:8} plays  {won:.1%} against White Rabbit", flush=True
            )
            printed = perf_counter()
    return training


def main() -> None:
    """Train, save, and evaluate."""
    parser = argparse.ArgumentParser(
        description="Teach a small network to play Parade with two players."
    )
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--file", type=Path, default=FILE)
    given = parser.parse_args()
    training = learn(60 * given.minutes, seed=given.seed, threads=given.threads)
    training.network.save(given.file)
    for other in ("dodo", "white-rabbit"):
        print(f"{win_rate(training.network, other, 10_000):.1%} of plays won against {other}")
    print(f"saved in {given.file}")


if __name__ == "__main__":
    main()

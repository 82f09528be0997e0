"""Random play on the Python rules, compared with python-chess and OpenSpiel's hearts.

    make bench                                  everything
    .venv/bin/python benchmarks/rules.py 5      five seconds each instead of two

One thread. The contenders take turns in time slices, so that a busy machine slows all of them equally;
the ratio is what counts. A decision is a choice made by a player; chance outcomes aren't counted.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

import chess
import numpy as np
import pyspiel

from wonderland.engine import CHANCE, Acting, AnyGame, Chance, game, game_names

SLICES = 10


@dataclass(slots=True)
class Contender:
    """Plays random games and records the speed; `play` returns the number of decisions."""

    name: str
    play: Callable[[], int]
    rates: list[float]
    """Decisions per second, slice by slice."""
    lengths: list[float]
    clock: Callable[[], float] = time.process_time
    """Processor time, so that other programs on the machine don't count."""

    def run(self, seconds: float) -> None:
        plays = decisions = 0
        start = self.clock()
        while (spent := self.clock() - start) < seconds:
            decisions += self.play()
            plays += 1
        self.rates.append(decisions / spent)
        self.lengths.append(decisions / plays)

    @property
    def rate(self) -> float:
        return median(self.rates)

    @property
    def plays(self) -> float:
        return self.rate / median(self.lengths)


def ours(the_game: AnyGame, seats: int) -> Callable[[], int]:
    """Play one game through the protocol: turn, legal, apply."""
    options = the_game.options_type()
    turn_of, legal, apply = the_game.turn, the_game.legal, the_game.apply
    uniform = random.Random(1).random

    def play() -> int:
        state = the_game.start(seats, options)
        decisions = 0
        while True:
            turn = turn_of(state)
            if isinstance(turn, Chance):
                outcomes = turn.outcomes
                if turn.weights:
                    outcome = turn.pick(int(uniform() * turn.total))
                else:
                    outcome = outcomes[int(uniform() * len(outcomes))]
                state = apply(state, CHANCE, outcome).state
            elif isinstance(turn, Acting):
                seat = turn.seats[0]
                actions = legal(state, seat)
                state = apply(state, seat, actions[int(uniform() * len(actions))]).state
                decisions += 1
            else:
                return decisions

    return play


def python_chess() -> Callable[[], int]:
    uniform = random.Random(1).random

    def play() -> int:
        board = chess.Board()
        decisions = 0
        while not board.is_game_over():
            moves = list(board.legal_moves)
            board.push(moves[int(uniform() * len(moves))])
            decisions += 1
        return decisions

    return play


def hearts_as_in_its_example() -> Callable[[], int]:
    """The loop of OpenSpiel's `example.py`: NumPy samples from the probabilities."""
    hearts = pyspiel.load_game("hearts")
    rng = np.random.RandomState(1)
    choice = random.Random(1).choice

    def play() -> int:
        state = hearts.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, probabilities = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choice(actions, p=probabilities))
            else:
                state.apply_action(choice(state.legal_actions(state.current_player())))
                decisions += 1
        return decisions

    return play


def hearts_in_a_lean_loop() -> Callable[[], int]:
    """The same with the cheapest way to sample, as in our own loop."""
    hearts = pyspiel.load_game("hearts")
    uniform = random.Random(1).random

    def play() -> int:
        state = hearts.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(uniform() * len(outcomes))][0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(uniform() * len(actions))])
                decisions += 1
        return decisions

    return play


def contenders() -> Iterator[Contender]:
    yield Contender("python-chess", python_chess(), [], [])
    yield Contender("OpenSpiel hearts, its example's loop", hearts_as_in_its_example(), [], [])
    yield Contender("OpenSpiel hearts, lean loop", hearts_in_a_lean_loop(), [], [])
    for name in game_names():
        the_game = game(name)
        for seats in the_game.info.seats:
            yield Contender(f"{the_game.info.title}, {seats} players", ours(the_game, seats), [], [])


def main(seconds: float) -> None:
    field = list(contenders())
    for number in range(SLICES):
        for contender in field:
            contender.run(seconds / SLICES)
        print(f"\rslice {number + 1} of {SLICES}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    chess_rate, example_rate, lean_rate = (contender.rate for contender in field[:3])
    print("| random play | plays/s | decisions/s | to chess | to hearts (example) | to hearts (lean) |")
    print("|---|---:|---:|---:|---:|---:|")
    for contender in field:
        rate = contender.rate
        print(
            f"| {contender.name} | {contender.plays:,.0f} | {rate:,.0f} | {rate / chess_rate:.2f} "
            f"| {rate / example_rate:.2f} | {rate / lean_rate:.2f} |"
        )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 2.0)

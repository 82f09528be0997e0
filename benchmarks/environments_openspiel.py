"""Moves per second in OpenSpiel: our games, its own in Python, and its own in C++.

    python benchmarks/environments_openspiel.py [--seconds 2]

All are played at random by the same Python loop, so that only the game differs. A move is a decision or
a chance outcome. The games take turns of a fifth of a second, so that a busy machine slows all of them
equally. With observations, the tensor of the player to act is requested at every decision: the
observation, or the information state where a game has no other (hearts).
"""

from __future__ import annotations

import argparse
import random
from time import perf_counter
from typing import Any

import pyspiel
from open_spiel.python import games  # noqa: F401 - registers OpenSpiel's Python games

import wonderland.environments.openspiel  # noqa: F401 - registers ours

OURS = ("wonderland_parade(players=3)", "wonderland_letters(players=3)", "wonderland_cookies(players=3)")
IN_PYTHON = (
    "python_kuhn_poker",
    "python_tic_tac_toe",
    "python_block_dominoes",
    "python_team_dominoes",
    "python_liars_poker",
)
IN_C = ("hearts", "kuhn_poker")
_SLICE = 0.2


class Player:
    """Plays a game repeatedly and counts the moves."""

    def __init__(self, name: str, *, observing: bool) -> None:
        self.game, self.observing = pyspiel.load_game(name), observing
        self.rng, self.state = random.Random(1), self.game.new_initial_state()
        present = self.game.get_type().provides_observation_tensor
        kind = pyspiel.State
        self.observe = kind.observation_tensor if present else kind.information_state_tensor
        self.moves, self.seconds = 0, 0.0

    def play(self, seconds: float) -> None:
        """Play for a number of seconds."""
        begun = now = perf_counter()
        while now < begun + seconds:
            for _ in range(50):
                self._move()
            now = perf_counter()
        self.seconds += now - begun

    def _move(self) -> None:
        state, rng = self.state, self.rng
        if state.is_terminal():
            self.state = self.game.new_initial_state()
            return
        if state.is_chance_node():
            numbers, likely = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(numbers, likely)[0])
        else:
            if self.observing:
                self.observe(state)
            state.apply_action(rng.choice(state.legal_actions()))
        self.moves += 1


def moves_a_second(names: tuple[str, ...], seconds: float, *, observing: bool) -> dict[str, float]:
    """Measure each game, alternating between them."""
    players: dict[str, Any] = {name: Player(name, observing=observing) for name in names}
    for _ in range(max(1, round(seconds / _SLICE))):
        for player in players.values():
            player.play(_SLICE)
    return {name: player.moves / player.seconds for name, player in players.items()}


def main() -> None:
    """Measure and print a table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seconds", type=float, default=2.0)
    seconds = asked.parse_args().seconds
    names = (*OURS, *IN_PYTHON, *IN_C)
    bare = moves_a_second(names, seconds, observing=False)
    observed = moves_a_second(names, seconds, observing=True)
    print(f"{'moves a second':32} {'bare':>10} {'observing':>10}")
    for name in names:
        print(f"{name:32} {bare[name]:10,.0f} {observed[name]:10,.0f}")


if __name__ == "__main__":
    main()

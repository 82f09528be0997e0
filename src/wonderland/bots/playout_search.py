"""Monte Carlo search for any game: sample determinizations, play them out at random, count wins.

Slow, since it runs the readable rules; games with their own bots do better.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from wonderland.components.bots import Budget
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import CHANCE, AnyGame, Chance, Over, Seat

_PLAYOUTS = 10
"""Playouts per action if the budget sets no limit."""


class PlayoutSearch:
    """Flat Monte Carlo search: tries each action in sampled states, and takes the one with most wins."""

    name = "Hatter"

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        """Return the action that won most often; the first of equals."""
        if len(legal) == 1:
            return legal[0]
        wins, _ = self.wins(view, legal, rng, budget)
        return legal[wins.index(max(wins))]

    def wins(
        self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget
    ) -> tuple[list[float], int]:
        """Return the wins of each action, and the number of playouts of each."""
        wins = [0.0] * len(legal)
        started, rounds = perf_counter(), 0
        while not _is_spent(budget, rounds, started):
            state = self.game.sample_state(view, rng)  # common to all actions, to reduce variance
            seat = self._seat_of(state, view)
            for number, action in enumerate(legal):
                wins[number] += self._play_out(self.game.apply(state, seat, action).state, seat, rng)
            rounds += 1
        return wins, rounds

    def _seat_of(self, state: Any, view: Any) -> Seat:
        """Return the seat that has this view."""
        candidates = seats_to_act(self.game.turn(state))
        return next(seat for seat in candidates if self.game.view(state, seat) == view)

    def _play_out(self, state: Any, seat: Seat, rng: random.Random) -> float:
        """Play at random to the end; return the seat's share of the win."""
        game = self.game
        while not isinstance(turn := game.turn(state), Over):
            if isinstance(turn, Chance):
                state = game.apply(state, CHANCE, turn.pick(rng.randrange(turn.total))).state
            else:
                actor = turn.seats[0]
                state = game.apply(state, actor, rng.choice(game.legal(state, actor))).state
        winners = turn.result.winners
        return 1 / len(winners) if seat in winners else 0.0


def _is_spent(budget: Budget, rounds: int, started: float) -> bool:
    """Whether the budget is spent; at least one round is always played."""
    if rounds == 0:
        return False
    if budget.seconds is not None:
        return perf_counter() - started >= budget.seconds
    return rounds >= (_PLAYOUTS if budget.playouts is None else budget.playouts)

"""A bot for any game, by its protocol alone: imagine, play at random to the end, count the wins.

Slow, since the readable rules play; a game whose folder has bots of its own does better.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from wonderland.components.bots import Budget
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import LUCK, AnyGame, Chance, Over, Seat

_PLAYOUTS = 10
"""How many for each action where the budget names neither a number nor a time."""


class PlayoutSearch:
    """Tries each action in worlds that its view could come from, and takes what wins most often."""

    name = "Hatter"

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        """The action that won most often; among equals, the one that comes first."""
        if len(legal) == 1:
            return legal[0]
        wins, _ = self.wins(view, legal, rng, budget)
        return legal[wins.index(max(wins))]

    def wins(
        self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget
    ) -> tuple[list[float], int]:
        """How often each action won, and how often each was tried."""
        wins = [0.0] * len(legal)
        started, rounds = perf_counter(), 0
        while not _is_spent(budget, rounds, started):
            world = self.game.imagine(view, rng)  # each action is tried in the same world
            seat = self._seat(world, view)
            for number, action in enumerate(legal):
                wins[number] += self._play_out(self.game.apply(world, seat, action).state, seat, rng)
            rounds += 1
        return wins, rounds

    def _seat(self, world: Any, view: Any) -> Seat:
        """Whose view it is."""
        candidates = seats_to_act(self.game.turn(world))
        return next(seat for seat in candidates if self.game.view(world, seat) == view)

    def _play_out(self, state: Any, seat: Seat, rng: random.Random) -> float:
        """The part of the win that the seat has after everyone has played at random."""
        game = self.game
        while not isinstance(turn := game.turn(state), Over):
            if isinstance(turn, Chance):
                state = game.apply(state, LUCK, turn.pick(rng.randrange(turn.total))).state
            else:
                actor = turn.seats[0]
                state = game.apply(state, actor, rng.choice(game.legal(state, actor))).state
        winners = turn.result.winners
        return 1 / len(winners) if seat in winners else 0.0


def _is_spent(budget: Budget, rounds: int, started: float) -> bool:
    """Whether the budget is used up; at least one round is always played."""
    if rounds == 0:
        return False
    if budget.seconds is not None:
        return perf_counter() - started >= budget.seconds
    return rounds >= (_PLAYOUTS if budget.playouts is None else budget.playouts)

"""What each card of Letters is worth to turn, for a player who has forgotten nothing.

For two players the game is solved, and the chances are exact. With more, or where the solution is not at
hand, each choice is played on from, many times, by players who forget nothing and choose simply.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from msgspec.structs import replace

from wonderland.components.bots import Budget
from wonderland.components.judge import ActionValue, value_from_wins
from wonderland.engine.protocol import Seat
from wonderland.games.letters.bots import levels, solution
from wonderland.games.letters.bots.memory import believed_state
from wonderland.games.letters.rules.state import State, TurnCard
from wonderland.games.letters.rules.view import View, reveal

VERSION = 1


def known(state: State, seat: Seat) -> View:
    """What a seat knows that remembers every letter it has seen: they lie in the view as turned down."""
    return replace(reveal(state), seat=seat)


def worths(
    view: View, legal: Sequence[TurnCard], rng: random.Random, budget: Budget
) -> list[ActionValue]:
    """What each legal action is worth."""
    state = believed_state(view, {})
    if len(view.rails) == 2 and (solved := solution.at_hand(view.options)):
        chances = solved.chances(state)
        return [ActionValue(action, chances[action], 0.0) for action in legal]
    wins, played = levels.wins_by_playing(state, rng, budget, usually=playouts(len(view.rails)))
    return [value_from_wins(action, wins[action], played) for action in legal]


def playouts(seats: int) -> int:  # noqa: ARG001 - a play-out takes no longer with more
    """How often each card is tried where the game is not solved; the Queen makes 4000."""
    return 50_000 if levels.COMPILED else 200

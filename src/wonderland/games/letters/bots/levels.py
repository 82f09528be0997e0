"""Bots for Letters. They differ in what they remember, which is what the game is about.

How a player chooses matters little. A player with perfect memory who turns the first of their own
turned-down letters, and otherwise a new card, wins 49 games in 100 against anyone. The White Rabbit does
just that with a bad memory. Cheshire has a good memory but prepares nothing for later. The Queen forgets
nothing; with two players she looks up the solved game, with more she searches.

Chance leaves little room: nobody can win more than 82 games in 100 against the Dodo. So there are three
levels above it, each of which beats the one below in a little more than 60.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Any, TypeVar

from wonderland.components.bots import Budget, Level
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.letters.bots import search, solution
from wonderland.games.letters.bots.memory import MemoryModel, believed_state
from wonderland.games.letters.rules.components import Letter
from wonderland.games.letters.rules.events import Event
from wonderland.games.letters.rules.state import Choosing, State, TurnCard, TurnedDown
from wonderland.games.letters.rules.view import View

A = TypeVar("A")
Policy = Callable[[State, random.Random], TurnCard]
"""Chooses a card from the state as the bot believes it to be."""

COMPILED: bool = search.COMPILED
_DEFAULT_PLAYOUTS = 200
"""Playouts per choice, if the budget doesn't say."""
_QUEEN_PLAYOUTS = 4000
"""The Queen's playouts per choice."""


def simple_choice(state: State, rng: random.Random) -> TurnCard:
    """Choose the first of the seat's own turned-down letters, or else a new card, or else any."""
    seat, down = _seat_to_move(state), _turned_down(state)
    own = {
        letter: space for letter, space in down.items() if letter.colour == state.options.colours[seat]
    }
    if own:
        return TurnCard(own[min(own)])
    return TurnCard(rng.choice(_new_spaces(state) or list(down.values())))


def unprepared_choice(state: State, rng: random.Random) -> TurnCard:
    """Choose the letter needed next if it was turned down, or else a new card; never prepare."""
    seat, down, new = _seat_to_move(state), _turned_down(state), _new_spaces(state)
    needed = Letter(state.options.colours[seat], state.rails[seat])
    if needed in down:
        return TurnCard(down[needed])
    return TurnCard(rng.choice(new)) if new else simple_choice(state, rng)


def _seat_to_move(state: State) -> int:
    assert isinstance(state.stage, Choosing)  # noqa: S101 - seats choose at no other stage
    return state.stage.seat


def _turned_down(state: State) -> dict[Letter, int]:
    """Return the letters that were turned down again, with their spaces."""
    return {
        content.card: space
        for space, content in enumerate(state.spaces)
        if isinstance(content, TurnedDown)
    }


def _new_spaces(state: State) -> list[int]:
    """Return the spaces whose card was never turned."""
    return [space for space, content in enumerate(state.spaces) if content is FACE_DOWN]


class MemoryBot:
    """Applies a simple heuristic to what it remembers; forgotten cards count as new."""

    def __init__(self, name: str, memory: MemoryModel, policy: Policy = simple_choice) -> None:
        self.name = name
        self.memory = memory
        self.policy = policy
        self._witnessed: Sequence[Event] = ()

    def remember(self, witnessed: Sequence[Event]) -> None:
        """Take note of all events witnessed so far."""
        self._witnessed = witnessed

    def choose(self, view: View, legal: Sequence[A], rng: random.Random, budget: Budget) -> A:
        """Choose a legal action from the view and what is remembered."""
        if len(legal) == 1 or view.seat is None:
            return legal[0]
        state = believed_state(view, self.memory.recall(self._witnessed, view.seat))
        chosen: Any = self._pick(state, rng, budget)
        return legal[legal.index(chosen)]

    def _pick(self, state: State, rng: random.Random, budget: Budget) -> TurnCard:  # noqa: ARG002 - it doesn't search
        return self.policy(state, rng)


class Queen(MemoryBot):
    """Has perfect memory, and searches.

    With two players she plays optimally by the solved game, to six digits, and makes the simple choice
    if it ties. With more players she compares win probabilities from playouts, and makes the simple
    choice unless another is better by more than the noise.
    """

    tolerance = 5e-7
    """Win probabilities of the solved game that differ by less than this are equal."""
    noise = 0.05
    """Margin at the default number of playouts; it shrinks as their number grows."""

    def __init__(self) -> None:
        super().__init__("Queen", MemoryModel())

    def _pick(self, state: State, rng: random.Random, budget: Budget) -> TurnCard:
        simple, margin = simple_choice(state, rng), self.tolerance
        probabilities: Mapping[TurnCard, float]
        if len(state.rails) > 2:
            wins, played = search.count_wins(state, rng, budget, _DEFAULT_PLAYOUTS)
            probabilities = {choice: won / played for choice, won in wins.items()}
            margin = self.noise * sqrt(_QUEEN_PLAYOUTS / played)
        elif solved := solution.cached_solution(state.options):
            probabilities = solved.win_probabilities(state)
        else:
            return simple
        best = max(probabilities.values())
        if probabilities[simple] >= best - margin:
            return simple
        return rng.choice([choice for choice, value in probabilities.items() if value == best])


LEVELS = (
    Level(
        "White Rabbit",
        "turns up its own letters, but soon forgets where they are",
        lambda: MemoryBot("White Rabbit", MemoryModel(turns=2.1)),
    ),
    Level(
        "Cheshire",
        "forgets little, but only ever looks for the letter it needs next",
        lambda: MemoryBot("Cheshire", MemoryModel(turns=100), unprepared_choice),
    ),
    Level(
        "Queen",
        ("never forgets; has solved the two-player game, and thinks ahead with more players"),
        Queen,
        Budget(playouts=_QUEEN_PLAYOUTS if COMPILED else 100),
        answer_time=0.25,
    ),
)
"""Weakest first."""

"""The bots of Letters. They differ in what they remember, which is what the game is about.

How one chooses matters less than one thinks. Whoever forgets nothing, turns the first of their own
letters that lies face down again, and otherwise something new, wins 49 plays in 100 against anyone. The
White Rabbit does just that, with a bad memory. Cheshire has a good one, and prepares nothing for later.
The Queen forgets nothing; with two players she has the solved game to look into, with more she plays to
the end in her mind, many times, whatever she could do.

Luck leaves little room: nobody can win more than 82 plays in 100 against the Dodo. So there are three
levels above it, each of which beats the one below in a little more than 60.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Any, TypeVar

from wonderland.components.bots import Budget, Level
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.letters.bots import solution
from wonderland.games.letters.bots.memory import MemoryModel, believed_state
from wonderland.games.letters.encoding import packing
from wonderland.games.letters.rules.components import Letter
from wonderland.games.letters.rules.events import Event
from wonderland.games.letters.rules.state import Choosing, State, TurnCard, TurnedDown
from wonderland.games.letters.rules.view import View
from wonderland.kernels.kernel import ROW, WINNERS, quickest

A = TypeVar("A")
Rule = Callable[[State, random.Random], TurnCard]
"""A choice by the state as the bot believes it to be."""

_kernel: Any = quickest("wonderland.games.letters.compiled.kernel")
COMPILED: bool = _kernel.COMPILED
_SIMPLE = 1  # the number of the kernel's policy that plays by `simple_choice`
_BATCH = 200
"""So many play-outs of each choice between two looks at the clock."""
_USUALLY = 4000
"""So many play-outs of each choice the Queen makes."""


def simple_choice(state: State, rng: random.Random) -> TurnCard:
    """The first of one's own letters that lies face down again, or something new, or anything."""
    seat, down = _on_turn(state), _turned_down(state)
    own = {
        letter: space for letter, space in down.items() if letter.colour == state.options.colours[seat]
    }
    if own:
        return TurnCard(own[min(own)])
    return TurnCard(rng.choice(_new(state) or list(down.values())))


def unprepared_choice(state: State, rng: random.Random) -> TurnCard:
    """The letter that is needed next, if it lies face down again; nothing is prepared for later."""
    seat, down, new = _on_turn(state), _turned_down(state), _new(state)
    needed = Letter(state.options.colours[seat], state.rails[seat])
    if needed in down:
        return TurnCard(down[needed])
    return TurnCard(rng.choice(new)) if new else simple_choice(state, rng)


def _on_turn(state: State) -> int:
    assert isinstance(state.stage, Choosing)  # noqa: S101 - nobody chooses at any other time
    return state.stage.seat


def _turned_down(state: State) -> dict[Letter, int]:
    """The letters that lie face down again, with their spaces."""
    return {lies.card: space for space, lies in enumerate(state.spaces) if isinstance(lies, TurnedDown)}


def _new(state: State) -> list[int]:
    """The spaces whose card was never turned."""
    return [space for space, lies in enumerate(state.spaces) if lies is FACE_DOWN]


class Rememberer:
    """Chooses by a simple rule and what it remembers: what it has forgotten is new to it."""

    def __init__(self, name: str, memory: MemoryModel, rule: Rule = simple_choice) -> None:
        self.name = name
        self.memory = memory
        self.rule = rule
        self._witnessed: Sequence[Event] = ()

    def remember(self, witnessed: Sequence[Event]) -> None:
        """All events so far."""
        self._witnessed = witnessed

    def choose(self, view: View, legal: Sequence[A], rng: random.Random, budget: Budget) -> A:
        """One of the legal actions, by what the view shows and what is remembered."""
        if len(legal) == 1 or view.seat is None:
            return legal[0]
        state = believed_state(view, self.memory.recall(self._witnessed, view.seat))
        chosen: Any = self._choice(state, rng, budget)
        return legal[legal.index(chosen)]

    def _choice(self, state: State, rng: random.Random, budget: Budget) -> TurnCard:  # noqa: ARG002 - it does not think
        return self.rule(state, rng)


class Queen(Rememberer):
    """Forgets nothing and thinks.

    With two players she plays perfectly: what she chooses is as good as anything can be against someone
    who plays perfectly too, to the six digits that the game is solved to; of choices that are equally
    good she makes the simple one. With more players she plays on in her mind, and makes the simple
    choice unless another is clearly better than the play-outs are noisy.
    """

    as_good = 5e-7
    noise = 0.05
    """With her usual play-outs: the more there are, the less noisy they are."""

    def __init__(self) -> None:
        super().__init__("Queen", MemoryModel())

    def _choice(self, state: State, rng: random.Random, budget: Budget) -> TurnCard:
        simple, margin = simple_choice(state, rng), self.as_good
        chances: Mapping[TurnCard, float]
        if len(state.rails) > 2:
            wins, played = wins_by_playing(state, rng, budget)
            chances = {choice: won / played for choice, won in wins.items()}
            margin = self.noise * sqrt(_USUALLY / played)
        elif solved := solution.at_hand(state.options):
            chances = solved.chances(state)
        else:
            return simple
        best = max(chances.values())
        if chances[simple] >= best - margin:
            return simple
        return rng.choice([choice for choice, chance in chances.items() if chance == best])


def wins_by_playing(
    state: State, rng: random.Random, budget: Budget, usually: int = _BATCH
) -> tuple[dict[TurnCard, int], int]:
    """How often each choice wins when all go on by the simple rule and forget nothing; of how many.

    Cards never turned are all alike, so the first of them stands for all.
    """
    seat, words, seed = _on_turn(state), packing.pack(state), rng.getrandbits(64)
    table, policies = _kernel.KernelState(), [_SIMPLE] * len(state.rails)
    new, down = _new(state), list(_turned_down(state).values())
    wins = dict.fromkeys([*new[:1], *down], 0)
    played = 0
    for batch in budget.batches(usually=usually):
        rows = array("i", [0]) * (ROW * batch)
        for space in wins:
            table.load(words)
            table.apply(seat, space)
            table.simulate(rows, policies, seed, played, batch)
            wins[space] += rows[WINNERS::ROW].count(1 << seat)
        played += batch
    found = {TurnCard(space): wins[space] for space in down}
    return found | {TurnCard(space): wins[new[0]] for space in new}, played


LEVELS = (
    Level(
        "White Rabbit",
        "turns up its own letters, but soon forgets where they lie",
        lambda: Rememberer("White Rabbit", MemoryModel(turns=2.1)),
    ),
    Level(
        "Cheshire",
        "forgets little, but only ever looks for the letter it needs next",
        lambda: Rememberer("Cheshire", MemoryModel(turns=100), unprepared_choice),
    ),
    Level(
        "Queen",
        "forgets nothing; she has the game for two solved, and thinks ahead with more",
        Queen,
        Budget(playouts=_USUALLY if COMPILED else 100),
    ),
)
"""Weakest first."""

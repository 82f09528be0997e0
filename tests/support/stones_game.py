"""The game of the last stone: take one or two of seven; taking the last one wins.

It implements the protocol and no optional component. The first player is drawn.
"""

from __future__ import annotations

import random
from typing import Any

from wonderland.engine.outcome import Result
from wonderland.engine.protocol import Acting, Chance, GameInfo, Over, Step, Turn
from wonderland.engine.values import Value


class Options(Value, frozen=True):
    """No options."""


class State(Value, frozen=True):
    stones: int
    seat: int | None
    """Whose turn it is; none before the first seat is drawn."""


class Stones:
    info = GameInfo(
        name="stones",
        title="Stones",
        about="Take the last stone.",
        seats=range(2, 3),
        options=(),
        credits="Old as the hills.",
        streams=("start",),
        rules_version=1,
    )
    options_type = Options

    def start(self, seats: int, options: Options) -> State:
        return State(7, None)

    def turn(self, state: State) -> Turn[int]:
        if state.seat is None:
            return Chance((0, 1), "start")
        if state.stones:
            return Acting((state.seat,))
        last = 1 - state.seat
        return Over(Result((last,), (int(last == 0), int(last == 1)), "the last stone", "no stones"))

    def legal(self, state: State, seat: int) -> tuple[int, ...]:
        return tuple(number for number in (1, 2) if number <= state.stones) if seat == state.seat else ()

    def apply(self, state: State, actor: Any, action: int) -> Step[State, str]:
        if state.seat is None:
            return Step(State(state.stones, action), ())
        return Step(State(state.stones - action, 1 - state.seat), ())

    def view(self, state: State, seat: int | None) -> tuple[State, int | None]:
        return state, seat

    reveal = view

    def witness(self, event: str, seat: int | None) -> str | None:
        return event

    def sample_state(self, view: tuple[State, int | None], rng: random.Random) -> State:
        return view[0]

    def pieces(self, state: State) -> dict[str, int]:
        return {}

    def write(self, action: int) -> str:
        return str(action)

    def read(self, text: str) -> int:
        return int(text)

    def write_position(self, state: State) -> str:
        return f"{state.stones} {state.seat}"

    def read_position(self, text: str) -> State:
        stones, seat = text.split()
        return State(int(stones), None if seat == "None" else int(seat))


GAME = Stones()

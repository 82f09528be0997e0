"""Plays of Cookies for the tests: a position, followed by notation as in a record."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from wonderland.engine import CHANCE, Acting
from wonderland.games.cookies import GAME
from wonderland.games.cookies.rules.events import Event
from wonderland.games.cookies.rules.state import State


class Play:
    """A play from some position on; calling it plays words for the player to move."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def __call__(self, words: str) -> Play:
        self.events = []
        for word in words.split():
            turn = GAME.turn(self.state)
            actor = turn.seats[0] if isinstance(turn, Acting) else CHANCE
            step = GAME.apply(self.state, actor, GAME.read(word))
            self.state = step.state
            self.events += step.events
        return self

    @property
    def choices(self) -> list[str]:
        """Legal choices of the player to move, in notation."""
        turn = GAME.turn(self.state)
        assert isinstance(turn, Acting)
        return [GAME.write(action) for action in GAME.legal(self.state, turn.seats[0])]

    @property
    def outcomes(self) -> list[str]:
        """Possible chance outcomes, in notation."""
        turn = GAME.turn(self.state)
        assert not isinstance(turn, Acting)
        return [GAME.write(outcome) for outcome in turn.outcomes]

    def saw(self, kind: type[Event]) -> list[Event]:
        """Events of one kind since the last words."""
        return [event for event in self.events if isinstance(event, kind)]


At: TypeAlias = Callable[..., Play]


@pytest.fixture
def at() -> At:
    """Read a position: the hands, the pawns (spaces from 1, L for large), and other facts.

    By default it is the first seat's turn, everyone has played a 1, nobody has cookies, and a 3 is
    face up.
    """

    def position(hands: str, pawns: str, **facts: str) -> Play:
        seats = hands.count("/") + 1
        usual = {
            "stage": "play",
            "turn": "1",
            "spins": "-",
            "cats": "-",
            "played": "/".join(["1"] * seats),
            "stuck": "-",
            "cookies": "/".join(["-"] * seats),
            "small": "/".join(["0"] * seats),
            "up": "3",
            "spinner": "-",
            "last": "left1",
            "options": "-",
        }
        everything = usual | {"hands": hands, "pawns": pawns} | facts
        words = " ".join(f"{key}={fact}" for key, fact in everything.items())
        return Play(GAME.read_position(f"cookies {words}"))

    return position

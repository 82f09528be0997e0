"""Plays of Letters for the tests, written as in a record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from wonderland.engine import Match
from wonderland.games.letters import GAME
from wonderland.games.letters.rules.notation import read_card, read_space
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.state import StartWith, TurnCard

Play: TypeAlias = Callable[..., Match[Any, Any, Any, Any, Any]]

NAMES = ("Alice", "Hatter", "Hare", "Queen")


@pytest.fixture
def play() -> Play:
    """Play turns such as `12 redA`, starting with the first seat; all chance outcomes are given."""

    def play_turns(
        *turns: str, seats: int = 2, first: int = 0, **options: Any
    ) -> Match[Any, Any, Any, Any, Any]:
        words = [turn.split() for turn in turns]
        given: dict[str, list[Any]] = {"start": [StartWith(first)]}
        for space, card in words:
            given.setdefault(f"space.{space}", []).append(read_card(card))
        match = Match(GAME, NAMES[:seats], Options(**options), given=given)
        for number, (space, _) in enumerate(words):
            match.play((first + number) % seats, TurnCard(read_space(space)))
        return match

    return play_turns

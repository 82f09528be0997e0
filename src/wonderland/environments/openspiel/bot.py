"""Adapter that makes Wonderland's bots available as OpenSpiel bots."""

from __future__ import annotations

import random
from typing import Any

import pyspiel

from wonderland.bots import decide
from wonderland.bots.entrants import Entrant, entrant
from wonderland.engine.protocol import Seat


class WonderlandBot(pyspiel.Bot):  # type: ignore[misc] # it has no types
    """A bot in one seat, named as on the command line (`queen`, `queen@1000`, `module:Bot`).

    OpenSpiel passes in the full state; the wrapped bot sees only its seat's view.
    """

    def __init__(self, game: Any, player: Seat, name: str, seed: int = 0) -> None:
        super().__init__()
        self.who: Entrant = entrant(game.setting.name, name)
        self.player, self.seed = player, seed
        self.restart()

    def restart(self) -> None:
        """Start another game, with the same random numbers as the first."""
        self.bot, self.rng = self.who.make(), random.Random(self.seed)

    def restart_at(self, _: Any) -> None:
        """Start in the middle of a game; the state contains its history."""
        self.restart()

    def inform_action(self, state: Any, player: Seat, action: int) -> None:
        """Ignore the actions of others, which are in the state as well."""

    def provides_policy(self) -> bool:
        """No: it returns actions without probabilities."""
        return False

    def step(self, state: Any) -> int:
        """Choose an action."""
        match = state.play.match
        chosen = decide(self.bot, match, self.player, self.rng, self.who.budget)
        number: int = state.play.number(chosen)
        return number

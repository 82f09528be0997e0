"""Our bots as bots of OpenSpiel."""

from __future__ import annotations

import random
from typing import Any

import pyspiel

from wonderland.bots import decide
from wonderland.bots.entrants import Entrant, entrant
from wonderland.engine.protocol import Seat


class WonderlandBot(pyspiel.Bot):  # type: ignore[misc] # it has no types
    """A bot as commands name it (`queen`, `queen@1000`, `module:Bot`), who sits in one seat.

    OpenSpiel hands it the whole state; the bot within gets what its seat may know, and nothing else.
    """

    def __init__(self, game: Any, player: Seat, name: str, seed: int = 0) -> None:
        super().__init__()
        self.who: Entrant = entrant(game.setting.name, name)
        self.player, self.seed = player, seed
        self.restart()

    def restart(self) -> None:
        """Begin another play, with the same random numbers as the first."""
        self.bot, self.rng = self.who.make(), random.Random(self.seed)

    def restart_at(self, _: Any) -> None:
        """The same, for a play that has begun: what has happened so far is in the state."""
        self.restart()

    def inform_action(self, state: Any, player: Seat, action: int) -> None:
        """What others do is in the state as well."""

    def provides_policy(self) -> bool:
        """It says what it does, and not how likely."""
        return False

    def step(self, state: Any) -> int:
        """What it does now."""
        match = state.play.match
        chosen = decide(self.bot, match, self.player, self.rng, self.who.budget)
        number: int = state.play.number(chosen)
        return number
